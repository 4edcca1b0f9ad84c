/* contest: several launches that do the same job.  Is each of them right, and which is
 * the fastest?
 *
 * Step 03 writes out what happens here, for two launches: nothing is timed before it
 * was right, those that are compared alternate, and after that the result must be right
 * once more.
 *
 *     struct contest contest = contest_begin(&step, is_right);
 *     for (size_t v = 0; v < COUNT(variants); v++)
 *         contest_add(&contest, (struct entry){...});
 *     const struct ratio ratio = contest_time(&contest, FAST, SLOW);
 */
#ifndef CONTEST_H
#define CONTEST_H

#include "step.h"

/* One of the launches.  Of its row, `variant`, `size`, `bytes` or `flops`, `limit` and
 * `note` are the step's to set; the rest is found out. */
struct entry {
    struct row row;
    struct launch launch;
    cl_mem out;     /* where the result goes; NULL: see contest_begin() */
    const void *of; /* whatever the step needs to know if it is right */
    bool not_tiny;  /* reads other numbers than those of contest_make_tiny() */
};

struct contest {
    struct step *step;
    bool (*is_right)(const struct entry *entry, bool again);
    bool tiny;
    struct entry *entries; /* in the order of contest_add() */
    size_t count;
};

/* `is_right` says whether an entry's result is right, and names what is wrong on
 * stderr. It is asked twice: before anything is timed, and then `again`, after that.
 * The result is what the last launch left in `out`, which was timed if it is asked
 * again.  For an entry without `out` it launches itself, after it has put something
 * wrong where the result goes. */
struct contest contest_begin(struct step *step,
                             bool (*is_right)(const struct entry *entry, bool again));

/* Launches for the first time, over an output that was poisoned.  Is it right?  The
 * entry becomes a row of contest_time(), whose `right` this is so far. */
bool contest_add(struct contest *contest, struct entry entry);

/* The same for an entry that is checked, and not timed: a row only if it is wrong. */
bool contest_check(struct contest *contest, struct entry entry);

/* One more check of entry number `i`, which the step has made itself: unless it was
 * right, the row is wrong. */
void contest_require(struct contest *contest, size_t i, bool right);

/* Makes the numbers of an input tiny (see data.h), here and on the device.  Call it
 * between adding and timing; from then on, `is_right` has to expect tiny results. */
void contest_make_tiny(struct contest *contest, cl_mem buffer, float *numbers,
                       size_t count);

/* Times all entries, prints their rows, and returns how many times faster number `a` is
 * than number `b`.  These two alternate, so that every disturbance meets both. */
struct ratio contest_time(struct contest *contest, size_t a, size_t b);

/* For a table of pairs: times two entries that alternate, and returns how many times
 * faster number `a` is than number `b`.  Their rows are complete then, but for notes,
 * and are printed by contest_print(). */
struct ratio contest_time_pair(struct contest *contest, size_t a, size_t b);

/* For a table in which each row is compared with another one: times number `i`, which
 * alternates with number `other`, and returns how many times slower it is.  Its row is
 * complete then, but for a note, and is printed by contest_print(). */
struct ratio contest_time_beside(struct contest *contest, size_t i, size_t other);

/* The same for a row that has none to be compared with. */
void contest_time_alone(struct contest *contest, size_t i);

/* Prints a row that was timed like that. */
void contest_print(struct contest *contest, size_t i);

/* Two of them once more, alternating: how many times faster is `a` than `b`? */
struct ratio contest_compare(struct contest *contest, size_t a, size_t b);

#endif
