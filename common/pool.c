#include "pool.h"
#include "check.h"
#include "compare.h"

#include <math.h>
#include <stdio.h>

enum { RUNS = 5, MAX_RUNS = 51, MAX_SHOWN = 4 };

static void check_number(const struct pool *pool, size_t device, const char *what) {
    if (device != NO_DEVICE && device >= pool->count)
        die("there is no device %zu to %s" HINT "they are 0 to %zu", device, what,
            pool->count - 1);
}

void pool_open(struct pool *pool, const struct options *options, size_t parts,
               size_t each, const char *name, size_t breaks, size_t slow) {
    *pool = (struct pool){.each = each, .together = {.is_cpu = true}};
    pool->count = backends_open(pool->devices, options, parts);
    snprintf(pool->together.name, sizeof pool->together.name, "%zu device%s",
             pool->count, pool->count == 1 ? "" : "s");
    for (size_t i = 0; i < each * pool->count; i++) {
        const size_t device = i / each;
        struct writer *writer = &pool->writers[i];
        writer->status = writer_open(writer, &pool->devices[device], name);
        writer->breaks = device == breaks;
        writer->slow = device == slow;
        pool->together.is_cpu &= pool->devices[device].device.is_cpu;
    }
    check_number(pool, breaks, "break");
    check_number(pool, slow, "slow down");
}

void pool_close(struct pool *pool) {
    for (size_t i = 0; i < pool->each * pool->count; i++)
        writer_close(&pool->writers[i]);
    backends_close(pool->devices, pool->count);
}

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

struct ratio pool_compare(struct report *report, struct pool *pool, const char *way,
                          struct job job,
                          struct outcome (*run)(struct pool *, size_t, struct job)) {
    const int wanted = report->options->repeats ? report->options->repeats : RUNS,
              runs = wanted < MAX_RUNS ? wanted : MAX_RUNS;
    double ms[MAX_BACKENDS + 1][MAX_RUNS];
    struct row row = {.variant = way, .size = job.end - job.first, .right = true};
    for (int i = -1; i <= runs; i++)
        for (size_t device = i < runs ? 0 : pool->count; device <= pool->count;
             device++) {
            job.check = i < 0 || i == runs;
            const struct outcome outcome = run(pool, device, job);
            row.right = !outcome.wrong || (i == runs && right_again(false));
            if (!row.right)
                report_row(report, row);
            if (!row.right || outcome.lost > 0)
                return (struct ratio){0};
            if (!job.check)
                ms[device][i] = outcome.ms;
        }
    row.bytes = (double)fizzbuzz_bytes(job.first, job.end);
    return show(report, pool->count, way, row, ms, runs);
}

void pool_say(struct report *report, const struct pool *pool) {
    for (size_t i = 0; i < pool->count; i++) {
        const struct device *device = &pool->devices[i].device;
        const struct writer *writers = &pool->writers[i * pool->each];
        cl_int status = CL_SUCCESS;
        size_t lines = 0;
        for (size_t w = 0; w < pool->each; w++) {
            status = status ? status : writers[w].status;
            lines += writers[w].lines;
        }
        report_say(report, "device %zu, %u unit%s of %s: %zu lines", i, device->units,
                   device->units == 1 ? "" : "s", device->name, lines);
        if (status != CL_SUCCESS)
            report_say(report, "device %zu failed: %s", i,
                       status == WRONG_TEXT ? "its text is wrong"
                                            : status_name(status));
    }
}
