/* recompute: reads a table of docs/results/least/ and writes it with the times that
 * follow from its demands today:
 *
 *     recompute docs/devices/nvidia-h200.txt < docs/results/least/nvidia-h200.tsv
 *
 * The columns are those of collect.py. */
#define _GNU_SOURCE /* getline, strsep */
#include "base/memory.h"
#include "least/sampled.h"

#include <stdlib.h>
#include <string.h>

enum column {
    WHOSE,
    KERNEL,
    ARGUMENTS,
    GLOBAL_SIZE,
    LOCAL_SIZE,
    TIMES,
    MEDIAN,
    FASTEST,
    AT_LEAST,
    BINDS,
    EXPECTED,
    AT_MOST,
    WHY,
    DEMAND,
    OTHER,
    COLUMNS
};

static void write_cells(const char *cells[COLUMNS]) {
    for (int i = 0; i < COLUMNS; i++)
        printf("%s%c", cells[i], i + 1 < COLUMNS ? '\t' : '\n');
}

/* What a launch needs, as both halves of its sample say it. */
static struct sampled sampled_of(const char *cells[COLUMNS],
                                 const struct profile *profile) {
    struct demand demands[2];
    if (!demand_read(&demands[0], cells[DEMAND]) ||
        !demand_read(&demands[1], cells[OTHER]))
        lens_die("%s, %s: its demand cannot be read" HINT "was the line cut?",
                 cells[WHOSE], cells[KERNEL]);
    return least_of_sample(demands, 2, profile);
}

static void recompute(const char *cells[COLUMNS], const struct profile *profile) {
    char least[32] = "", expected[32] = "", most[32] = "";
    if (!*cells[DEMAND]) { /* it was refused */
        write_cells(cells);
        return;
    }
    const struct sampled sampled = sampled_of(cells, profile);
    cells[WHY] = sampled.refusal ? sampled.refusal : "";
    cells[BINDS] = sampled.refusal ? "" : least_binds(&sampled.least);
    if (!sampled.refusal) {
        snprintf(least, sizeof least, "%.6g", 1e3 * sampled.least.seconds);
        snprintf(expected, sizeof expected, "%.6g", 1e3 * sampled.least.expected);
        snprintf(most, sizeof most, "%.6g", 1e3 * sampled.least.at_most);
    }
    cells[AT_LEAST] = least;
    cells[EXPECTED] = expected;
    cells[AT_MOST] = most;
    write_cells(cells);
}

int main(int argc, char **argv) {
    char *line = NULL;
    size_t room = 0;
    if (argc != 2)
        lens_die("usage: recompute PROFILE < TABLE");
    const struct profile *profile = profile_of(argv[1]);
    if (!profile)
        lens_die("cannot read %s" HINT "give the path of a device's file", argv[1]);
    while (getline(&line, &room, stdin) > 0) {
        const char *cells[COLUMNS];
        char *rest = line;
        line[strcspn(line, "\n")] = '\0';
        if (*line == '#' || strncmp(line, "whose\t", 6) == 0) {
            puts(line);
            continue;
        }
        for (int i = 0; i < COLUMNS; i++)
            if (!(cells[i] = strsep(&rest, "\t")))
                lens_die("a line has %d columns, not %d: %s" HINT "was it cut?", i,
                         COLUMNS, line);
        recompute(cells, profile);
    }
    free(line);
    return 0;
}
