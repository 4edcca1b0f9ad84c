/* Reads a file that tests/peers/banks.sh has written, and compares what the profiler
 * counted there with what the lens counts, case by case:
 *
 *     local memory   as many passes as wavefronts
 *     global loads   as many passes as cycles, where the lookups of lines are spread as
 *                    well as they can be, and no part of the warp has nothing to do
 *
 * The last line says how many cases agree, and how many were compared. */
#include "watch/banks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARP = 32, FIELDS = 10 };
enum field {
    MEMORY,
    ACCESS,
    BYTES,
    PATTERN,
    ELEMENTS,
    LINES,
    CYCLES,
    WAVEFRONTS,
    LOOKUPS
};

static int by_offset(const void *one, const void *other) {
    const struct touch *a = one, *b = other;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static size_t read_touches(struct touch *touches, char *elements, size_t bytes) {
    size_t count = 0;
    for (unsigned lane = 0; lane < WARP; lane++) {
        const long element = strtol(elements, &elements, 10);
        if (element >= 0)
            touches[count++] = (struct touch){(uint64_t)element * bytes, bytes, lane};
    }
    qsort(touches, count, sizeof *touches, by_offset);
    return count;
}

/* Is a part of the warp without any work?  It takes a cycle nevertheless. */
static int has_empty_part(const struct touch *touches, size_t count, size_t bytes) {
    const unsigned lanes = 32 / (unsigned)(bytes / WORD);
    unsigned long parts = 0;
    for (size_t i = 0; i < count; i++)
        parts |= 1ul << touches[i].lane / lanes;
    return parts != (1ul << WARP / lanes) - 1;
}

int main(int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    char line[1024], *fields[FIELDS];
    int compared = 0, agree = 0;
    while (file && fgets(line, sizeof line, file)) {
        size_t count = 0;
        if (strncmp(line, "local,", 6) != 0 && strncmp(line, "global,load,", 12) != 0)
            continue;
        for (char *at = line; at && count < FIELDS; at = strchr(at, ',')) {
            if (count)
                *at++ = '\0';
            fields[count++] = at;
        }
        struct touch touches[WARP];
        const int local = strcmp(fields[MEMORY], "local") == 0;
        const size_t bytes = strtoul(fields[BYTES], NULL, 10);
        const size_t lanes = read_touches(touches, fields[ELEMENTS], bytes);
        const int shared = local && strcmp(fields[ACCESS], "load") == 0;
        uint64_t passes = banks_passes(touches, lanes, shared).is;
        double measured = strtod(fields[WAVEFRONTS], NULL), allowed = 0;
        if (!local) {
            const uint64_t lookups = (strtoul(fields[LINES], NULL, 10) + 3) / 4;
            if (lookups != strtoul(fields[LOOKUPS], NULL, 10) ||
                has_empty_part(touches, lanes, bytes))
                continue;
            passes = passes > lookups ? passes : lookups;
            measured = strtod(fields[CYCLES], NULL);
            allowed = 0.1 * measured;
        }
        compared++;
        if (measured <= (double)passes + allowed &&
            measured >= (double)passes - allowed)
            agree++;
        else
            printf("%s %s of %zu bytes, %s: %llu, measured %g\n", fields[MEMORY],
                   fields[ACCESS], bytes, fields[PATTERN], (unsigned long long)passes,
                   measured);
    }
    printf("%d of %d agree\n", agree, compared);
    return agree != compared;
}
