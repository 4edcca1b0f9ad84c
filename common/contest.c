#include "contest.h"

#include <assert.h>

struct contest contest_begin(struct step *step,
                             bool (*is_right)(const struct entry *entry, bool again)) {
    return (struct contest){.step = step, .is_right = is_right};
}

/* Names an entry whose result is wrong, and the groups of its last launch. */
static bool right_or_named(bool right, const struct entry *entry) {
    const struct launch *launch = &entry->launch;
    while (launch->then)
        launch = launch->then;
    return right || wrong("that was %s, in groups of %zu", entry->row.variant,
                          launch->local[0] * launch->local[1]);
}

static bool is_right(const struct contest *contest, const struct entry *entry,
                     bool again) {
    return right_or_named(contest->is_right(entry, again), entry);
}

static bool first_right(const struct contest *contest, const struct entry *entry) {
    struct device *device = &contest->step->device;
    if (entry->out) {
        buffer_poison(device, entry->out);
        launch_ms(device, &entry->launch);
    }
    return is_right(contest, entry, false);
}

/* The array doubles when it is full; step_close() frees it. */
static struct entry *append(struct contest *contest) {
    const size_t count = contest->count++;
    if ((count & (count - 1)) == 0) { /* 0, or a power of two */
        struct entry *larger =
            step_array(contest->step, count ? 2 * count : 1, sizeof *larger);
        for (size_t i = 0; i < count; i++)
            larger[i] = contest->entries[i];
        contest->entries = larger;
    }
    return &contest->entries[count];
}

bool contest_add(struct contest *contest, struct entry entry) {
    entry.row.right = first_right(contest, &entry);
    *append(contest) = entry;
    return entry.row.right;
}

bool contest_check(struct contest *contest, struct entry entry) {
    entry.row.right = first_right(contest, &entry);
    if (entry.row.right)
        return true;
    entry.row.bytes = 0.0; /* a launch without a time has no rate */
    entry.row.flops = 0.0;
    report_row(&contest->step->report, entry.row);
    return false;
}

void contest_require(struct contest *contest, size_t i, bool right) {
    struct entry *entry = &contest->entries[i];
    assert(i < contest->count);
    if (!right_or_named(right, entry))
        entry->row.right = false;
}

void contest_make_tiny(struct contest *contest, cl_mem buffer, float *numbers,
                       size_t count) {
    buffer_make_tiny(&contest->step->device, buffer, numbers, count);
    contest->tiny = true;
}

/* Is the result right after the timed launches, too? */
static void check_again(const struct contest *contest, struct entry *entry) {
    if (!entry->row.right)
        return;
    const bool right = is_right(contest, entry, true);
    const bool tiny = contest->tiny && !entry->not_tiny;
    entry->row.right = tiny ? right_when_tiny(right) : right_again(right);
}

struct ratio contest_compare(struct contest *contest, size_t a, size_t b) {
    struct timing times[2];
    return time_pair(&contest->step->device, contest->entries[a].launch,
                     contest->entries[b].launch, contest->step->options.repeats, times);
}

/* Two entries that alternate. */
static struct ratio time_two(struct contest *contest, size_t a, size_t b) {
    struct entry *entries = contest->entries;
    struct timing times[2];
    assert(a < contest->count && b < contest->count);
    const struct ratio ratio =
        time_pair(&contest->step->device, entries[a].launch, entries[b].launch,
                  contest->step->options.repeats, times);
    entries[a].row.time = times[0];
    entries[b].row.time = times[1];
    return ratio;
}

struct ratio contest_time(struct contest *contest, size_t a, size_t b) {
    struct step *step = contest->step;
    struct entry *entries = contest->entries;
    const struct ratio ratio = time_two(contest, a, b);
    for (size_t i = 0; i < contest->count; i++) {
        if (i != a && i != b)
            entries[i].row.time =
                time_launches(&step->device, entries[i].launch, step->options.repeats);
        check_again(contest, &entries[i]);
        contest_print(contest, i);
    }
    return ratio;
}

struct ratio contest_time_pair(struct contest *contest, size_t a, size_t b) {
    const struct ratio ratio = time_two(contest, a, b);
    check_again(contest, &contest->entries[a]);
    check_again(contest, &contest->entries[b]);
    return ratio;
}

struct ratio contest_time_beside(struct contest *contest, size_t i, size_t other) {
    struct step *step = contest->step;
    struct entry *entry = &contest->entries[i];
    struct timing times[2];
    const struct ratio slower = time_pair(&step->device, contest->entries[other].launch,
                                          entry->launch, step->options.repeats, times);
    entry->row.time = times[1];
    check_again(contest, entry);
    return slower;
}

void contest_time_alone(struct contest *contest, size_t i) {
    struct step *step = contest->step;
    struct entry *entry = &contest->entries[i];
    entry->row.time =
        time_launches(&step->device, entry->launch, step->options.repeats);
    check_again(contest, entry);
}

void contest_print(struct contest *contest, size_t i) {
    assert(i < contest->count);
    report_row(&contest->step->report, contest->entries[i].row);
}
