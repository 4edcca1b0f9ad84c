#include "contest.h"

struct contest contest_begin(struct step *step,
                             bool (*is_right)(const struct entry *entry, bool again)) {
    return (struct contest){.step = step, .is_right = is_right};
}

static bool first_right(const struct contest *contest, const struct entry *entry) {
    struct device *device = &contest->step->device;
    if (entry->out) {
        buffer_poison(device, entry->out);
        launch_ms(device, &entry->launch);
    }
    return contest->is_right(entry, false);
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
    if (!entry.row.right)
        report_row(&contest->step->report, entry.row);
    return entry.row.right;
}

void contest_make_tiny(struct contest *contest, cl_mem buffer, float *numbers,
                       size_t count) {
    buffer_make_tiny(&contest->step->device, buffer, numbers, count);
    contest->tiny = true;
}

static bool last_right(const struct contest *contest, const struct entry *entry) {
    const bool right = contest->is_right(entry, true);
    return contest->tiny ? right_when_tiny(right) : right_again(right);
}

struct ratio contest_time(struct contest *contest, size_t a, size_t b) {
    struct step *step = contest->step;
    struct entry *entries = contest->entries;
    struct timing pair[2];
    const struct ratio ratio =
        time_pair(&step->device, entries[a].launch, entries[b].launch,
                  step->options.repeats, pair);
    for (size_t i = 0; i < contest->count; i++) {
        struct entry *entry = &entries[i];
        if (i == a)
            entry->row.time = pair[0];
        else if (i == b)
            entry->row.time = pair[1];
        else
            entry->row.time =
                time_launches(&step->device, entry->launch, step->options.repeats);
        entry->row.right = entry->row.right && last_right(contest, entry);
        report_row(&step->report, entry->row);
    }
    return ratio;
}
