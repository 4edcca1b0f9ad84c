#include "fizzbuzz/speedup.h"
#include "compare.h"
#include "step.h"

#include <math.h>
#include <stdio.h>

enum { RUNS = 5, MAX_RUNS = 51, MAX_SHOWN = 4 };

/* What is compared: lines of 9 digits, which the host gets, and of 12, which stay.
 * Among the latter the tenth digit from the right changes, and the eleventh, too. */
static const struct way {
    const char *name;
    cl_ulong first;
    size_t on_cpus, on_gpus;
    bool fetch;
} ways[] = {{"to the host", 100000000, 9600000, 480000000, true},
            {"kept there", 129999990000, 19200000, 9600000000, false}};

/* Rows of `runs` times of each device, and of all, which come last. */
static struct ratio show(struct report *report, size_t all, const char *way,
                         struct row row, double ms[][MAX_RUNS], int runs) {
    struct ratio ratio = {.median = INFINITY};
    size_t best = 0;
    for (size_t i = 0; i < all; i++) {
        const struct ratio faster = ratio_of(ms[all], ms[i], runs);
        best = faster.median < ratio.median ? i : best;
        ratio = faster.median < ratio.median ? faster : ratio;
    }
    for (size_t i = 0; i <= all; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s %zu, %s", i < all ? "device" : "all", i, way);
        row.variant = name;
        row.time = timing_of(ms[i], runs);
        if (all <= MAX_SHOWN || report->options->all || i == best || i == all)
            report_row(report, row);
    }
    return ratio;
}

/* Returns a ratio of 0 where there is nothing to compare. */
static struct ratio compare(struct report *report, struct pool *pool, const char *way,
                            struct job job,
                            struct outcome (*run)(struct team, struct job)) {
    const int wanted = report->options->repeats ? report->options->repeats : RUNS,
              runs = wanted < MAX_RUNS ? wanted : MAX_RUNS;
    double ms[MAX_BACKENDS + 1][MAX_RUNS];
    struct row row = {.variant = way, .size = job.end - job.first, .right = true};
    for (int i = -1; i <= runs; i++)
        for (size_t device = i < runs ? 0 : pool->count; device <= pool->count;
             device++) {
            job.check = i < 0 || i == runs;
            const struct outcome outcome = run(pool_team(pool, device), job);
            row.right = !outcome.wrong || (i == runs && right_again(false));
            if (!row.right)
                report_row(report, row);
            if (outcome.lost > 0)
                report_say(report, "%s: not compared, as a device failed", way);
            if (!row.right || outcome.lost > 0)
                return (struct ratio){0};
            if (!job.check)
                ms[device][i] = outcome.ms;
        }
    row.bytes = (double)fizzbuzz_bytes(job.first, job.end);
    return show(report, pool->count, way, row, ms, runs);
}

void speedup_measure(struct report *report, struct pool *pool, size_t first,
                     struct outcome (*run)(struct team, struct job)) {
    for (const struct way *way = ways; way < ways + COUNT(ways); way++) {
        size_t lines = pool->together.is_cpu ? way->on_cpus : way->on_gpus;
        struct job job = {.first = way->first, .fetch = way->fetch, .out = -1};
        if (report->options->size_given) {
            job.first = first;
            lines = report->options->size;
        }
        job.end = job.first + lines;
        const struct ratio faster = compare(report, pool, way->name, job, run);
        if (pool->count > 1 && faster.median > 0.0 && way->fetch)
            report_say(report, "%30s all against the best alone: %s", "",
                       in_words(faster).text);
        else if (pool->count > 1 && faster.median > 0.0)
            report_headline(report, "all devices against the best alone", faster);
    }
}
