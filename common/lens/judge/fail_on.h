/* fail_on: reads the list after --fail-on: words for mistakes, and limits of counts, as
 * in "race,bounds,sectors>8,passes>2x,idle>50%". */
#ifndef FAIL_ON_H
#define FAIL_ON_H

#include "rules.h"

enum unit {
    PLAIN,    /* sectors>8: more than 8 */
    MULTIPLE, /* sectors>2x: more than twice what is needed */
    PER_CENT  /* idle>50% */
};

struct limit {
    const struct rule *rule;
    uint64_t number;
    enum unit unit;
};

enum { MAX_FAIL_ON = 64 }; /* words, and limits */

struct fail_on {
    const struct rule *mistakes[MAX_FAIL_ON]; /* none: all mistakes fail */
    size_t mistake_count;
    struct limit limits[MAX_FAIL_ON];
    size_t limit_count;
    bool all; /* "mistake" is among the words */
};

/* Reads a list.  Returns the first word of it that is none, which the caller frees;
 * NULL: all are. */
char *fail_on_read(struct fail_on *read, const char *list);

/* All words that there are, and an example of each limit, with commas between. */
const char *fail_on_words(void);

/* Does a mistake of this kind fail? */
bool fail_on_mistake(const struct fail_on *list, const struct rule *rule);

/* The limit that a count exceeds, of which `needed` is what it has to be: 16 sectors
 * are not too many where all of them are needed.  NULL: it exceeds none. */
const struct limit *fail_on_exceeded(const struct fail_on *list,
                                     const struct rule *rule, uint64_t value,
                                     uint64_t needed);

/* "8", "2x" or "50 %". */
enum { LIMIT_WORDS = 32 };
const char *limit_in_words(const struct limit *limit, char words[LIMIT_WORDS]);

#endif
