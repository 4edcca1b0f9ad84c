/* profile: reads what a device can do, line by line. */
#define _GNU_SOURCE /* strcasecmp, locale_t */
#include "profile.h"
#include "base/memory.h"
#include "base/points.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A rate serves a bound, so it has to be one that no kernel beats: those that were
 * measured are the best of several kernels, and get a hundredth more. */
static const double margin = 1.01;

enum kind { COUNT, TIME, RATE };

/* `needed`: without it no time follows. */
static const struct {
    const char *key, *unit;
    enum kind kind;
    bool needed;
} parameters[PARAMETERS] = {
    [UNITS] = {"units", "units", COUNT, true},
    [LAUNCH] = {"launch", "s", TIME, true},
    [MEMORY] = {"memory", "bytes/s", RATE, true},
    [CACHE] = {"cache", "bytes", COUNT, true},
    [CACHE_RATE] = {"cache_rate", "bytes/s", RATE, false},
    [UNIT_FMA] = {"fma", "warps/s/unit", RATE, true},
    [UNIT_DOUBLE] = {"double", "warps/s/unit", RATE, false},
    [UNIT_SPECIAL] = {"special", "warps/s/unit", RATE, false},
    [UNIT_ISSUE] = {"issue", "warps/s/unit", RATE, true},
    [UNIT_ACCESS] = {"access", "warps/s/unit", RATE, false},
    [UNIT_PASS] = {"pass", "passes/s/unit", RATE, false},
    [UNIT_LOOKUP] = {"lookup", "lines/s/unit", RATE, false},
    [ATOMIC_WORD] = {"atomic_word", "s", TIME, false},
    [ATOMIC_SECTOR] = {"atomic_sector", "sectors/s", RATE, false},
    [FLOAT_LATENCY] = {"fma_latency", "s", TIME, false},
    [MEMORY_LATENCY] = {"memory_latency", "s", TIME, false},
    [CACHE_LATENCY] = {"cache_latency", "s", TIME, false},
    [L1_LATENCY] = {"l1_latency", "s", TIME, false},
    [LOCAL_LATENCY] = {"local_latency", "s", TIME, false},
    [BARRIER_LATENCY] = {"barrier_latency", "s", TIME, false},
    [REFILL] = {"refill", "warps/s/unit", RATE, false},
    [RESIDENT_WARPS] = {"resident_warps", "warps/unit", COUNT, true},
    [RESIDENT_GROUPS] = {"resident_groups", "groups/unit", COUNT, true},
    [LOCAL_BYTES] = {"local_bytes", "bytes", COUNT, true},
};

static void copy(char *to, size_t room, const char *from, size_t length) {
    snprintf(to, room, "%.*s", (int)length, from);
}

/* "memory  4.7e12  bytes/s  the best of read, copy and fill". */
static void read_line(struct profile *profile, const char *line, size_t length,
                      const char *path, unsigned number) {
    char key[32], value[64], unit[32], text[256];
    copy(text, sizeof text, line, length);
    text[strcspn(text, "#")] = '\0';
    const int words = sscanf(text, "%31s %63s %31s", key, value, unit);
    if (words < 2) {
        if (words == 1)
            lens_die("%s, line %u: '%s' has no value" HINT
                     "a line is a key, a value and a unit, as in 'units 132 units'",
                     path, number, key);
        return;
    }
    const char *rest = strstr(text, key) + strlen(key);
    rest += strspn(rest, " \t");
    if (strcmp(key, "name") == 0 || strcmp(key, "source") == 0)
        copy(*key == 'n' ? profile->name : profile->source, sizeof profile->name, rest,
             strcspn(rest, "\n"));
    for (int i = 0; i < PARAMETERS; i++) {
        char *end;
        const double is = strtod(value, &end);
        if (strcmp(key, parameters[i].key) != 0)
            continue;
        if (*end || !(is > 0.0) || isinf(is))
            lens_die("%s, line %u: %s is '%s'" HINT "a number above 0 belongs there",
                     path, number, key, value);
        if (words < 3 || strcmp(unit, parameters[i].unit) != 0)
            lens_die("%s, line %u: %s has the unit '%s'" HINT "it is in %s", path,
                     number, key, words < 3 ? "" : unit, parameters[i].unit);
        profile->values[i] = is;
    }
}

/* What is not known binds nothing. */
static void complete(struct profile *profile, const char *path) {
    const bool measured = strncmp(profile->source, "measured", 8) == 0;
    if (!*profile->name)
        lens_die("%s does not say which device it is of" HINT
                 "it needs a line such as 'name NVIDIA H200'",
                 path);
    for (int i = 0; i < PARAMETERS; i++) {
        double *value = &profile->values[i];
        if (*value == 0.0 && parameters[i].needed)
            lens_die("%s does not say '%s'" HINT
                     "it needs a line such as '%s NUMBER %s'; make share writes one",
                     path, parameters[i].key, parameters[i].key, parameters[i].unit);
        if (*value == 0.0 && parameters[i].kind == RATE)
            *value = INFINITY;
        else if (measured && parameters[i].kind == RATE)
            *value *= margin;
        else if (measured && parameters[i].kind == TIME)
            *value /= margin;
    }
}

struct profile profile_read(const char *text, const char *path) {
    struct profile profile = {.source = "a data sheet"};
    const locale_t before = points_begin();
    unsigned number = 1;
    for (const char *line = text; *line; number++) {
        const size_t length = strcspn(line, "\n");
        read_line(&profile, line, length, path, number);
        line += length + (line[length] == '\n');
    }
    points_end(before);
    complete(&profile, path);
    return profile;
}

static struct profile found;

const struct profile *profile_known(const char *name) {
    for (size_t i = 0; device_profiles[i].file; i++) {
        found = profile_read(device_profiles[i].text, device_profiles[i].file);
        if (strcasecmp(name, device_profiles[i].file) == 0 ||
            strcasecmp(name, found.name) == 0)
            return &found;
    }
    return NULL;
}

/* A file, whole; NULL: it cannot be read.  The caller frees it. */
static char *text_of(const char *path) {
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t bytes = 0;
    if (!file)
        return NULL;
    for (int letter; (letter = getc(file)) != EOF;)
        *GROW(text, bytes) = (char)letter;
    *GROW(text, bytes) = '\0';
    if (ferror(file)) { /* it is a folder */
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

const struct profile *profile_of(const char *name) {
    const struct profile *known = profile_known(name);
    char *text = known ? NULL : text_of(name);
    if (text) {
        found = profile_read(text, name);
        known = &found;
    }
    free(text);
    return known;
}

const struct habit *habit_of(const struct profile *profile, const char *binds) {
    for (const struct habit *habit = device_habits; habit->device; habit++)
        if (strcmp(habit->device, profile->name) == 0 &&
            strcmp(habit->binds, binds) == 0)
            return habit;
    return NULL;
}

const char *profile_names(void) {
    static char names[512];
    *names = '\0';
    for (size_t i = 0; device_profiles[i].file; i++) {
        const size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "",
                 device_profiles[i].file);
    }
    return names;
}
