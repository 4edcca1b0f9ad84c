#define _POSIX_C_SOURCE 200809L /* mkdir */
#include "measure/limits.h"

#include "check.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LIMIT_COUNT = sizeof(struct limits) / sizeof(double) };

/* The file's lines, in the order of the members of struct limits. */
static const char *const names[LIMIT_COUNT] = {"launch_ms", "read", "copy", "fill",
                                               "fma"};

struct path {
    char folder[2048], file[4096], draft[4200];
};

/* One file per device and driver: build/limits/NVIDIA_H200-580.159.03.txt */
static struct path make_path(const struct device *device) {
    struct path path;
    const char *folder = getenv("LIMITS_DIR");
    snprintf(path.folder, sizeof path.folder, "%s",
             folder ? folder : BUILD_DIR "/limits");
    char name[300];
    snprintf(name, sizeof name, "%s-%s", device->name, device->driver);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr(".-+", *c))
            *c = '_';
    snprintf(path.file, sizeof path.file, "%s/%s.txt", path.folder, name);
    snprintf(path.draft, sizeof path.draft, "%s.draft", path.file);
    return path;
}

/* The first line names the device. */
static void describe(const struct device *device, char *line, size_t room) {
    snprintf(line, room, "limits of %s, driver %s, %u compute units\n", device->name,
             device->driver, device->units);
}

static bool read_all(FILE *file, const struct device *device, double *values) {
    char expected[400], line[400];
    describe(device, expected, sizeof expected);
    if (!fgets(line, sizeof line, file) || strcmp(line, expected) != 0)
        return false;
    for (int i = 0; i < LIMIT_COUNT; i++) {
        char name[40];
        if (!fgets(line, sizeof line, file) ||
            sscanf(line, "%39s %lf", name, &values[i]) != 2 ||
            strcmp(name, names[i]) != 0 || !isfinite(values[i]) || values[i] <= 0.0)
            return false;
    }
    return true;
}

bool limits_load(const struct device *device, struct limits *limits) {
    double values[LIMIT_COUNT];
    const struct path path = make_path(device);
    FILE *file = fopen(path.file, "r");
    const bool found = file && read_all(file, device, values);
    if (file)
        fclose(file);
    memset(limits, 0, sizeof *limits);
    if (found)
        memcpy(limits, values, sizeof values);
    return found;
}

static _Noreturn void die_writing(const struct path *path) {
    die("cannot write %s: %s" HINT "make room, or name another folder in LIMITS_DIR",
        path->file, strerror(errno));
}

static FILE *open_draft(const struct path *path) {
    mkdir(path->folder, 0777); /* it may be there already */
    return fopen(path->draft, "w");
}

void limits_check_folder(const struct device *device) {
    const struct path path = make_path(device);
    FILE *file = open_draft(&path);
    if (!file)
        die_writing(&path);
    fclose(file);
    remove(path.draft);
}

static void save(const struct device *device, const struct limits *limits) {
    double values[LIMIT_COUNT];
    memcpy(values, limits, sizeof values);
    char line[400];
    describe(device, line, sizeof line);

    const struct path path = make_path(device);
    FILE *file = open_draft(&path);
    bool written = file && fputs(line, file) != EOF;
    for (int i = 0; i < LIMIT_COUNT && written; i++)
        written = fprintf(file, "%-16s %.9g\n", names[i], values[i]) > 0;
    if (file && fclose(file) != 0)
        written = false;
    if (!written || rename(path.draft, path.file) != 0)
        die_writing(&path);
}

struct limits limits_keep(const struct device *device, struct limits measured) {
    struct limits known, best = measured;
    if (limits_load(device, &known))
        best = (struct limits){.launch_ms = fmin(measured.launch_ms, known.launch_ms),
                               .read = fmax(measured.read, known.read),
                               .copy = fmax(measured.copy, known.copy),
                               .fill = fmax(measured.fill, known.fill),
                               .fma = fmax(measured.fma, known.fma)};
    save(device, &best);
    return best;
}

/* At least three digits, and none after the point that mean nothing. */
static int decimals(double rate) {
    return rate >= 99.95 ? 0 : rate >= 9.995 ? 1 : 2;
}

struct limits_words limits_in_words(struct limits limits) {
    struct limits_words words = {"limits: not measured yet"};
    if (limits.read > 0.0)
        snprintf(words.text, sizeof words.text,
                 "limits: read %.*f, copy %.*f, fill %.*f GB/s; multiply-add %.*f "
                 "GFLOP/s; launch %.2g ms",
                 decimals(limits.read), limits.read, decimals(limits.copy), limits.copy,
                 decimals(limits.fill), limits.fill, decimals(limits.fma), limits.fma,
                 limits.launch_ms);
    return words;
}
