/* peaks: measures what a GPU can do at most, and writes it as a file: its profile.
 *
 * The program runs itself once more with --part 0, which makes all measurements and
 * prints their lines.  Where the driver ends that program in the middle of one, a next
 * one goes on after it: so one failure costs one key. */
#define _POSIX_C_SOURCE 200809L /* fork, mkdir, strftime */
#include "check.h"
#include "data.h"
#include "profile/trial.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const struct measurement {
    const char *key;
    void (*measure)(struct peaks *peaks);
} measurements[] = {{"units", measure_units},
                    {"memory", measure_memory},
                    {"cache", measure_cache},
                    {"cache_rate", measure_cache_rate},
                    {"refill", measure_refill},
                    {"fma", measure_fma},
                    {"add", measure_add},
                    {"double", measure_double},
                    {"special", measure_special},
                    {"issue", measure_issue},
                    {"integer", measure_integer},
                    {"access", measure_access},
                    {"pass", measure_pass},
                    {"store_pass", measure_store_pass},
                    {"l1_pass", measure_l1_pass},
                    {"lookup", measure_lookup},
                    {"both", measure_both},
                    {"atomic_word", measure_atomic_word},
                    {"atomic_warp", measure_atomic_warp},
                    {"atomic_sector", measure_atomic_sector},
                    {"fma_latency", measure_fma_latency},
                    {"add_latency", measure_add_latency},
                    {"memory_latency", measure_memory_latency},
                    {"cache_latency", measure_cache_latency},
                    {"l1_latency", measure_l1_latency},
                    {"local_latency", measure_local_latency},
                    {"barrier_latency", measure_barrier_latency},
                    {"barrier_group", measure_barrier_group},
                    {"resident_warps", measure_resident_warps},
                    {"resident_groups", measure_resident_groups},
                    {"rule_local_pairs", measure_rule_local_pairs},
                    {"rule_global_pairs", measure_rule_global_pairs},
                    {"launch", measure_launch}}; /* now the clocks are high */
enum { MEASUREMENTS = sizeof measurements / sizeof *measurements };

/* What begins a line that is for the first program and not for the file. */
#define BEGINS "@begins "
#define ENDED "@ended"

/* ---- Two measurements that need no kernel, or an empty one. */

void measure_units(struct peaks *peaks) {
    cl_ulong local;
    CHECK(clGetDeviceInfo(peaks->device.id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local,
                          &local, NULL));
    say("units", peaks->device.units, "units", "the driver says so");
    say("local_bytes", (double)local, "bytes",
        "local memory of one group at most, as the driver says; a unit may have more");
}

enum { ALONE = 500, BURST = 64 };

/* The fastest of empty kernels that are enqueued without waiting for each other: a
 * device may begin one while the one before it ends. */
static double fastest_of_burst(struct peaks *peaks, const struct launch *launch) {
    cl_event events[BURST];
    double fastest_ns = INFINITY;
    for (int i = 0; i < BURST; i++)
        events[i] = launch_start(&peaks->device, launch);
    CHECK(clFinish(peaks->device.queue));
    for (int i = 0; i < BURST; i++) {
        cl_ulong begin, end;
        CHECK(clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_START,
                                      sizeof begin, &begin, NULL));
        CHECK(clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_END, sizeof end,
                                      &end, NULL));
        CHECK(clReleaseEvent(events[i]));
        fastest_ns = fmin(fastest_ns, (double)(end - begin));
    }
    return fastest_ns * 1e-9;
}

void measure_launch(struct peaks *peaks) {
    cl_uint found;
    double alone = INFINITY, behind = INFINITY;
    cl_mem place = buffer_new(&peaks->device, sizeof found);
    struct trial trial = TRIAL(peaks, "nothing", 1, 1, ARG(place));
    for (int i = 0; i < ALONE; i++) {
        trial_run(peaks, &trial, 1);
        alone = fmin(alone, trial.seconds);
    }
    for (int i = 0; i < ALONE / BURST; i++)
        behind = fmin(behind, fastest_of_burst(peaks, &trial.launch));
    buffer_read(&peaks->device, place, &found, sizeof found);
    if (found == 0)
        say_wrong("launch");
    else
        say("launch", fmin(alone, behind), "s",
            "the fastest of %d empty kernels, one after the other: %.4g s; and of %d "
            "that were enqueued together: %.4g s; by the device's clock, whose ticks "
            "are %.4g s",
            ALONE, alone, ALONE / BURST * BURST, behind, peaks->device.tick_ms * 1e-3);
}

/* ---- The program that measures. */

static size_t power_of_two(size_t most) {
    size_t power = 1;
    while (power * 2 <= most)
        power *= 2;
    return power;
}

static struct peaks peaks_open(const struct options *options) {
    enum { MAX_GROUP = 1024, SMALL_GROUP = 256, IN_FLIGHT = 4 };
    struct peaks peaks = {.options = *options, .device = device_open(options->device)};
    struct device *device = &peaks.device;
    const size_t group =
        power_of_two(device->max_group < MAX_GROUP ? device->max_group : MAX_GROUP);
    peaks.small = device->is_cpu;
    peaks.group = group;
    peaks.groups = ITEMS_OF_UNIT / group * device->units;
    while (1u << peaks.bits < IN_FLIGHT * (group < SMALL_GROUP ? group : SMALL_GROUP))
        peaks.bits++;
    peaks.max_items = (size_t)SHAPES * ITEMS_OF_UNIT * device->units;
    peaks.found = allocate(peaks.max_items, sizeof *peaks.found);
    peaks.out = buffer_new(device, peaks.max_items * sizeof *peaks.found);
    kernel_load(device, options, "nothing"); /* do the kernels compile? */
    return peaks;
}

static int measure_from(const struct options *options, size_t first) {
    struct peaks peaks = peaks_open(options);
    for (size_t i = first; i < MEASUREMENTS; i++) {
        printf(BEGINS "%zu\n", i);
        check_printed(stdout);
        measurements[i].measure(&peaks);
    }
    puts(ENDED);
    check_printed(stdout);
    device_close(&peaks.device);
    free(peaks.found);
    crash_done();
    return RIGHT; /* a line says which results were wrong */
}

/* ---- The program that is started, and writes the file. */

struct profile {
    char **lines;
    size_t count;
    size_t next;             /* the measurement to go on with */
    bool began, left, wrong; /* has one begun, has one failed, was a result wrong? */
};

static void take_line(struct profile *profile, const char *line) {
    if (strncmp(line, BEGINS, strlen(BEGINS)) == 0) {
        profile->next = strtoul(line + strlen(BEGINS), NULL, 10) + 1;
        profile->began = true;
        fprintf(stderr, "%2zu of %d  %s\n", profile->next, MEASUREMENTS,
                measurements[profile->next - 1].key);
    } else if (strcmp(line, ENDED "\n") == 0)
        profile->next = MEASUREMENTS + 1;
    else {
        *GROW(profile->lines, profile->count) = strdup(line);
        profile->wrong = profile->wrong || strstr(line, WRONG_RESULT);
    }
}

/* Starts the same program with --part; returns its process, and its lines in *lines. */
static pid_t start_part(int argc, char **argv, size_t first, FILE **lines) {
    int ends[2];
    char number[32];
    snprintf(number, sizeof number, "%zu", first);
    char **words = allocate((size_t)argc + 3, sizeof *words);
    memcpy(words, argv, (size_t)argc * sizeof *words);
    words[argc] = (char[]){"--part"};
    words[argc + 1] = number;
    if (pipe(ends) != 0)
        die("cannot make a pipe: %s" HINT "close other programs", strerror(errno));
    const pid_t part = fork();
    if (part < 0)
        die("cannot start a program: %s" HINT "close other programs", strerror(errno));
    if (part == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execvp(words[0], words);
        _exit(127);
    }
    close(ends[1]);
    *lines = fdopen(ends[0], "r");
    free(words);
    return part;
}

/* Runs parts until the last measurement is made. */
static void collect(struct profile *profile, int argc, char **argv) {
    while (profile->next < MEASUREMENTS) {
        char line[1024];
        FILE *lines;
        int status;
        profile->began = false;
        const pid_t part = start_part(argc, argv, profile->next, &lines);
        while (fgets(line, sizeof line, lines))
            take_line(profile, line);
        fclose(lines);
        waitpid(part, &status, 0);
        if (profile->next > MEASUREMENTS)
            break; /* how it ends after that is of no concern */
        if (!profile->began)
            exit(CANNOT_RUN); /* it has said why */
        char *why = allocate(1024, 1);
        snprintf(why, 1024,
                 "# %s is left out: the program that measured it ended with %s %d\n",
                 measurements[profile->next - 1].key,
                 WIFEXITED(status) ? "status" : "signal",
                 WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
        *GROW(profile->lines, profile->count) = why;
        profile->left = true;
    }
}

/* "NVIDIA H200" is nvidia-h200. */
static void name_file(char *path, size_t room, const char *name) {
    char word[128];
    size_t length = 0;
    for (; *name && length + 1 < sizeof word; name++)
        if (isalnum((unsigned char)*name))
            word[length++] = (char)tolower((unsigned char)*name);
        else if (length > 0 && word[length - 1] != '-')
            word[length++] = '-';
    while (length > 0 && word[length - 1] == '-')
        length--;
    word[length] = '\0';
    mkdir(BUILD_DIR, 0777);
    mkdir(BUILD_DIR "/share", 0777);
    snprintf(path, room, "%s/share/%s.txt", BUILD_DIR, length ? word : "device");
}

static void write_file(const struct profile *profile, const struct device *device,
                       const char *path) {
    char date[32];
    const time_t now = time(NULL);
    FILE *file = fopen(path, "w");
    if (!file)
        die("cannot write %s: %s" HINT "give another one with --file", path,
            strerror(errno));
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    fprintf(file,
            "# What this device can do at most: %s.  Written by make share.\n"
            "# A line has a key, a value, its unit, and how it was measured.\n"
            "# Rates of a unit count warps of %d lanes.\n"
            "%-20s %s\n%-20s %s\n%-20s %s\n%-20s measured%s\n",
            device->name, WARP, "name", device->name, "driver", device->driver, "date",
            date, "source",
            device->is_cpu ? ", with so little work that it means "
                             "nothing"
                           : "");
    for (size_t i = 0; i < profile->count; i++)
        fputs(profile->lines[i], file);
    check_printed(file);
    fclose(file);
}

int main(int argc, char **argv) {
    const char *any_device = NULL, *file = NULL;
    size_t part = SIZE_MAX;
    const struct own_option own[] = {
        {"any-device", NULL, "check all kernels on a device that is no GPU, too",
         .text = &any_device},
        {"file", "FILE", "where the profile goes (by default, to build/share/)",
         .file = &file},
        {"part", "N", "print the lines from measurement N on: what peaks starts itself",
         .number = &part, .min = 0, .max = MEASUREMENTS - 1}};
    const struct usage usage = {.step = "peaks",
                                .lesson = "what this device can do at most",
                                .own = own,
                                .own_count = sizeof own / sizeof *own};
    const struct options options = options_read(argc, argv, &usage);
    if (part != SIZE_MAX)
        return measure_from(&options, part);

    cl_device_id found[MAX_DEVICES];
    device_choices(options.device, found);
    const struct device device = device_info(found[0]);
    if (device.is_cpu && !any_device)
        skip("no GPU: %s is a CPU, and what is measured here means nothing for one" HINT
             "--devices shows all devices, and --device chooses one",
             device.name);
    fprintf(stderr, "measuring %s: this takes about twenty seconds\n", device.name);
    char path[4096];
    struct profile profile = {0};
    collect(&profile, argc, argv);
    name_file(path, sizeof path, device.name);
    write_file(&profile, &device, file ? file : path);
    printf("%s\n", file ? file : path);
    check_printed(stdout);
    for (size_t i = 0; i < profile.count; i++)
        free(profile.lines[i]);
    free(profile.lines);
    crash_done();
    return profile.left ? CANNOT_RUN : profile.wrong ? WRONG : RIGHT;
}
