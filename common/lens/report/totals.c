/* totals: adds up what was counted at all places of a kernel. */
#define _GNU_SOURCE /* open_memstream */
#include "totals.h"
#include "base/machine.h"
#include "base/mean.h"
#include "base/vocabulary.h"
#include "code/source_lines.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void add_access(struct sums *sums, const struct tally *sum,
                       const struct object *object) {
    if (object->space == LOCAL) {
        sums->local_requests += sum->accesses;
        sums->passes += sum->passes;
    } else if (object->space == CONSTANT) {
        sums->constant_requests += sum->accesses;
        sums->addresses += sum->addresses;
    } else {
        sums->requests += sum->accesses;
        sums->sectors += sum->sectors;
        sums->used += sum->used;
    }
}

struct sums sums_of(const struct facts *facts, const struct run *run) {
    struct sums sums = {.requests = 0};
    for (size_t i = 0; i < facts->count; i++) {
        const struct fact *fact = &facts->all[i];
        if (fact->site.kind == BRANCH) {
            sums.branches += fact->branch.executions;
            sums.diverged += fact->branch.diverged;
        } else if (fact->site.kind != BARRIER) {
            add_access(&sums, &fact->sum, &run->job.objects[fact->object]);
            sums.atomics += fact->site.kind == ATOMIC ? fact->sum.lanes : 0;
        }
    }
    return sums;
}

static uint64_t items_of(const struct run *run) {
    return (uint64_t)run->job.global[0] * run->job.global[1] * run->job.global[2];
}

uint64_t sums_scaled(const struct run *run, uint64_t number) {
    const uint64_t items = items_of(run);
    if (run->outcome.items_replayed == items || run->outcome.items_replayed == 0)
        return number;
    return (uint64_t)((double)number * (double)items /
                          (double)run->outcome.items_replayed +
                      0.5);
}

struct sums sums_of_launch(const struct facts *facts, const struct run *run) {
    const struct sums of = sums_of(facts, run);
    return (struct sums){.requests = sums_scaled(run, of.requests),
                         .sectors = sums_scaled(run, of.sectors),
                         .used = sums_scaled(run, of.used),
                         .local_requests = sums_scaled(run, of.local_requests),
                         .passes = sums_scaled(run, of.passes),
                         .constant_requests = sums_scaled(run, of.constant_requests),
                         .addresses = sums_scaled(run, of.addresses),
                         .atomics = sums_scaled(run, of.atomics),
                         .branches = sums_scaled(run, of.branches),
                         .diverged = sums_scaled(run, of.diverged)};
}

/* ---- In words. */
struct words {
    FILE *out;
    size_t column;
    bool any;
};

__attribute__((format(printf, 2, 3))) static void add(struct words *words,
                                                      const char *format, ...) {
    enum { WIDTH = 96 };
    char text[160];
    va_list numbers;
    va_start(numbers, format);
    const size_t length = (size_t)vsnprintf(text, sizeof text, format, numbers);
    va_end(numbers);
    if (words->column + length + 3 > WIDTH) {
        fputs(words->any ? ";\n       " : "\n       ", words->out);
        words->column = 7;
    } else {
        fputs(words->any ? "; " : " ", words->out);
        words->column += 2;
    }
    fputs(text, words->out);
    words->column += length;
    words->any = true;
}

static const char *per_item(char text[32], uint64_t number, uint64_t items) {
    const double each = mean(number, items);
    snprintf(text, 32, each < 1000 ? "%.4g" : "%.0f", each);
    return text;
}

static void write_all(struct words *words, const struct sums *sums,
                      const struct run *run) {
    const uint64_t items = run->outcome.items_replayed;
    char each[32];
    const struct {
        uint64_t number;
        const char *what;
    } counts[] = {{sums->passes, "passes of local memory"},
                  {sums->addresses, "addresses of constant memory"},
                  {sums->atomics, "atomics"}};
    if (sums->requests)
        add(words, "%llu requests move %llu bytes (%s a %s, %.1f %% used)",
            (unsigned long long)sums_scaled(run, sums->requests),
            (unsigned long long)sums_scaled(run, sums->sectors * SECTOR),
            per_item(each, sums->sectors * SECTOR, items), term("work-item"),
            100.0 * mean(sums->used, sums->sectors * SECTOR));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i].number)
            add(words, "%llu %s (%s a %s)",
                (unsigned long long)sums_scaled(run, counts[i].number),
                term(counts[i].what), per_item(each, counts[i].number, items),
                term("work-item"));
    if (sums->branches)
        add(words, "%.1f %% of branches diverge",
            100.0 * mean(sums->diverged, sums->branches));
}

char *sums_in_words(const struct facts *facts, const struct run *run) {
    const struct sums sums = sums_of(facts, run);
    char *text = NULL, head[96] = "In all:";
    size_t bytes = 0;
    if (run->outcome.groups_replayed < run->outcome.groups)
        snprintf(head, sizeof head, "In all (scaled, from a sample of %zu of %zu %s):",
                 run->outcome.groups_replayed, run->outcome.groups, term("groups"));
    struct words words = {open_memstream(&text, &bytes), strlen(head), false};
    fputs(head, words.out);
    write_all(&words, &sums, run);
    fputs(run->outcome.limit ? " (so far: it was not seen to its end)\n" : "\n",
          words.out);
    fclose(words.out);
    if (!words.any)
        *text = '\0';
    return text;
}
