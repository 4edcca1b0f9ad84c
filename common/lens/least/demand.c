/* demand: one table of its numbers, to write them and to read them again. */
#define _GNU_SOURCE /* locale_t */
#include "demand.h"
#include "base/points.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER(name)                                                                   \
    { #name, offsetof(struct demand, name) }
#define WORK(name, which)                                                              \
    { name, offsetof(struct demand, work[which]) }
static const struct {
    const char *name;
    size_t offset;
} numbers[] = {NUMBER(groups),
               NUMBER(warps_of_group),
               NUMBER(alike),
               WORK("fma", WORK_FMA),
               WORK("add", WORK_ADD),
               WORK("multiply", WORK_MULTIPLY),
               WORK("double", WORK_DOUBLE),
               WORK("special", WORK_SPECIAL),
               WORK("whole", WORK_WHOLE),
               NUMBER(accesses),
               NUMBER(local_passes),
               NUMBER(l1_passes),
               NUMBER(lines),
               NUMBER(touched),
               NUMBER(read),
               NUMBER(stored),
               NUMBER(on_one_word),
               NUMBER(atomic_sectors),
               NUMBER(atomics),
               NUMBER(longest),
               NUMBER(waits),
               NUMBER(waits_loads),
               NUMBER(rounds),
               NUMBER(first_rounds),
               NUMBER(barriers),
               NUMBER(local_bytes),
               NUMBER(instructions),
               NUMBER(global_accesses)};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static double *number_in(struct demand *demand, size_t offset) {
    return (double *)(void *)((char *)demand + offset);
}

void demand_write(const struct demand *demand, FILE *out) {
    struct demand copy = *demand;
    const locale_t before = points_begin();
    const char *blank = "";
    for (size_t i = 0; i < NUMBERS; i++) {
        const double value = *number_in(&copy, numbers[i].offset);
        if (value != 0.0) {
            fprintf(out, "%s%s=%.7g", blank, numbers[i].name, value);
            blank = " ";
        }
    }
    for (int i = 0; i < DISTANCES; i++)
        if (demand->again[i] > 0.0)
            fprintf(out, " again%d=%.7g", i, demand->again[i]);
    points_end(before);
}

/* "fma=64": true, if there is such a number. */
static bool read_word(struct demand *demand, const char *word, size_t length) {
    const char *equals = memchr(word, '=', length);
    const size_t name = equals ? (size_t)(equals - word) : 0;
    char *end = NULL;
    const double value = equals ? strtod(equals + 1, &end) : 0.0;
    if (!equals || end != word + length)
        return false;
    for (size_t i = 0; i < NUMBERS; i++)
        if (strlen(numbers[i].name) == name &&
            strncmp(numbers[i].name, word, name) == 0) {
            *number_in(demand, numbers[i].offset) = value;
            return true;
        }
    const unsigned long distance =
        strncmp(word, "again", 5) == 0 ? strtoul(word + 5, &end, 10) : DISTANCES;
    if (distance >= DISTANCES || end != equals)
        return false;
    demand->again[distance] = value;
    return true;
}

bool demand_read(struct demand *demand, const char *text) {
    const locale_t before = points_begin();
    bool read = true;
    *demand = (struct demand){.groups = 0.0};
    for (text += strspn(text, " "); *text && read; text += strspn(text, " ")) {
        const size_t length = strcspn(text, " ");
        read = read_word(demand, text, length);
        text += length;
    }
    points_end(before);
    return read && demand->groups >= 1.0;
}
