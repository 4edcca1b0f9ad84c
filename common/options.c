#define _GNU_SOURCE /* getopt_long */
#include "options.h"

#include "check.h"
#include "data.h"
#include "device.h"
#include "driver/crash.h"
#include "driver/program_end.h"
#include "driver/version.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: %s [options]\n"
    "  --size N       how many elements%s\n"
    "  --repeats N    timed launches per row (by default, for half a second);\n"
    "                 1: a quick look, without warm-up\n"
    "  --all          also show the rows that are left out by default\n"
    "  --full         the same, at the size of the published figures\n"
    "  --brief        a quarter of the usual size on a GPU, as in `make run`\n"
    "  --device D     a device's number, a part of its name, gpu or cpu;\n"
    "                 $DEVICE means the same\n"
    "  --devices      list the devices of this machine\n"
    "  --lanes N      SIMD groups of N lanes, emulated in local memory, in the steps\n"
    "                 whose kernels use SIMD groups\n"
    "  --seed N       other random data, N up to 1000000 (by default 0); steps whose\n"
    "                 data are not random ignore it\n"
    "  --kernel FILE  use the kernels in FILE instead of the step's own\n"
    "  --binary FILE  write the kernels, as the device's compiler translates them, to\n"
    "                 FILE, and end; `make stepNN asm` shows them\n"
    "  --rows FILE    write every row to FILE as well, as tab-separated values\n"
    "  --format F     table, csv, json or tsv\n"
    "  --version      show the step's name and version\n"
    "  --help         show this text\n";

static void show_help(const char *program, const struct usage *usage) {
    char size[64] = " (by default, what suits the device)";
    if (usage->size)
        snprintf(size, sizeof size, " (by default %zu)", usage->size);
    printf(help, program, size);
    for (int i = 0; i < usage->own_count; i++) {
        const struct own_option *own = &usage->own[i];
        const char *value = own->value ? own->value : "";
        const int width = (int)strlen(value) + 2, room = 12 - (int)strlen(own->name);
        printf("  --%s %-*s%s\n", own->name, room > width ? room : width, value,
               own->help);
    }
}

static const struct option common[] = {
    {"size", required_argument, NULL, 's'},   {"repeats", required_argument, NULL, 'r'},
    {"device", required_argument, NULL, 'd'}, {"kernel", required_argument, NULL, 'k'},
    {"lanes", required_argument, NULL, 'l'},  {"binary", required_argument, NULL, 'b'},
    {"format", required_argument, NULL, 'f'}, {"seed", required_argument, NULL, 'S'},
    {"rows", required_argument, NULL, 'R'},   {"all", no_argument, NULL, 'a'},
    {"full", no_argument, NULL, 'F'},         {"devices", no_argument, NULL, 'D'},
    {"brief", no_argument, NULL, 'B'},        {"version", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'}};
enum { COMMON = sizeof common / sizeof *common, OWN = 256 };

/* The options of every step, then the step's own, whose letters are OWN, OWN + 1 ...;
 * an empty one ends the list. */
static struct option *list_options(const struct usage *usage) {
    struct option *list =
        allocate((size_t)COMMON + (size_t)usage->own_count + 1, sizeof *list);
    memcpy(list, common, sizeof common);
    for (int i = 0; i < usage->own_count; i++)
        list[COMMON + i] = (struct option){
            usage->own[i].name, usage->own[i].value ? required_argument : no_argument,
            NULL, OWN + i};
    return list;
}

size_t option_number(const char *name, const char *text, size_t min, size_t max) {
    char *end;
    const unsigned long long number =
        strtoull(text, &end, 10); /* ULLONG_MAX: too large */
    if (!isdigit((unsigned char)*text) || *end || number < min || number > max)
        die("%s needs a whole number from %zu to %zu, not '%s'" HINT
            "--help shows what it is for",
            name, min, max, text);
    return (size_t)number;
}

static enum format format_named(const char *text) {
    if (strcmp(text, "table") == 0)
        return FORMAT_TABLE;
    if (strcmp(text, "csv") == 0)
        return FORMAT_CSV;
    if (strcmp(text, "json") == 0)
        return FORMAT_JSON;
    if (strcmp(text, "tsv") == 0)
        return FORMAT_TSV;
    die("--format needs table, csv, json or tsv, not '%s'" HINT
        "a table is for people; csv, json and tsv are for programs",
        text);
}

/* A mistake in the path is better known before the run than after it.  What the
 * file holds stays until it is written. */
static void check_writable(const char *path) {
    FILE *file = fopen(path, "a");
    if (!file || fclose(file) != 0)
        die("cannot write %s: %s" HINT "give a file that can be written", path,
            strerror(errno));
}

static void take_own(const struct own_option *own, const char *value) {
    char name[64];
    snprintf(name, sizeof name, "--%s", own->name);
    if (own->number)
        *own->number = option_number(name, value, own->min, own->max);
    else if (own->file)
        check_writable(*own->file = value);
    else
        *own->text = value ? value : "";
}

/* A file that is opened later would get the number of a closed stdout, and with it what
 * is printed.  A file that may not become longer (ulimit -f) is an error of the write,
 * as on a full disk, and does not end the program without a word. */
static void check_streams(void) {
    if (fcntl(STDOUT_FILENO, F_GETFD) < 0)
        die("stdout is closed" HINT
            "the results go there: remove >&- from the command");
    signal(SIGXFSZ, SIG_IGN);
}

/* The end of --help and the like, which only print. */
static _Noreturn void end_printed(void) {
    check_printed(stdout);
    program_end(RIGHT);
}

struct options options_read(int argc, char **argv, const struct usage *usage) {
    struct options options = {
        .step = usage->step, .lesson = usage->lesson, .size = usage->size};
    const char *choice = getenv("DEVICE");
    options.device = choice && *choice ? choice : NULL;

    check_streams();
    struct option *list = list_options(usage);
    int letter;
    opterr = 0; /* our own messages say what is wrong */
    while ((letter = getopt_long(argc, argv, ":", list, NULL)) != -1) {
        if (letter >= OWN) {
            take_own(&usage->own[letter - OWN], optarg);
            continue;
        }
        switch (letter) {
        case 's':
            options.size = option_number("--size", optarg, !usage->may_be_nothing,
                                         (size_t)1 << 40);
            options.size_given = true;
            break;
        case 'r':
            options.repeats = (int)option_number("--repeats", optarg, 1, 100000);
            break;
        case 'd':
            options.device = optarg;
            break;
        case 'k':
            options.kernel = optarg;
            break;
        case 'b':
            options.binary = optarg;
            break;
        case 'l':
            options.lanes = option_number("--lanes", optarg, 1, 1024);
            break;
        case 'S':
            options.seed = mix_seed(option_number("--seed", optarg, 0, 1000000));
            break;
        case 'f':
            options.format = format_named(optarg);
            break;
        case 'F':
            options.all = options.full = true;
            break;
        case 'a':
            options.all = true;
            break;
        case 'B':
            options.brief = true;
            break;
        case 'R':
            options.rows = optarg;
            break;
        case 'D':
            device_list();
            end_printed();
        case 'h':
            show_help(argv[0], usage);
            end_printed();
        case 'v':
            printf("%s, Lockstep %s\n", usage->step, LOCKSTEP_VERSION);
            end_printed();
        case ':':
            die("%s needs a value" HINT "--help shows which", argv[optind - 1]);
        default:
            die("%s is not an option" HINT "--help shows those there are",
                argv[optind - 1]);
        }
    }
    free(list);
    if (optind < argc)
        die("'%s' is not expected here" HINT "--help shows the options", argv[optind]);
    if (options.full && !options.repeats)
        options.repeats = 21;
    crash_watch(&options);
    return options;
}
