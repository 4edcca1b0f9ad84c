#define _GNU_SOURCE /* getopt_long */
#include "options.h"

#include "check.h"
#include "data.h"
#include "device.h"
#include "version.h"

#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: %s [options]\n"
    "  --size N       how many elements (%zu unless told)\n"
    "  --repeats N    timed launches per row (as many as fit in half a second);\n"
    "                 1: a quick look, without warm-up\n"
    "  --full         the size and the repeats behind the published figures\n"
    "  --unless-known  step 00: measure only limits that are not known yet\n"
    "  --device D     a device's number, a part of its name, gpu or cpu;\n"
    "                 $DEVICE means the same\n"
    "  --devices      show the devices there are\n"
    "  --lanes N      SIMD groups of N lanes, worked out through local memory, in the\n"
    "                 steps whose kernels have any\n"
    "  --seed N       other random data, N up to 1000000 (0 unless told); steps whose\n"
    "                 data are not random stay as they are\n"
    "  --kernel FILE  use the kernels in FILE instead of the step's own\n"
    "  --binary FILE  write what the device's compiler makes of the kernels to FILE, "
    "and\n"
    "                 do no more; `make stepNN asm` makes that readable\n"
    "  --format F     table, csv, json or tsv\n"
    "  --version      show the step's name and version\n"
    "  --help         show this text\n";

static void show_help(const char *program, const struct usage *usage) {
    printf(help, program, usage->size);
    for (int i = 0; i < usage->own_count; i++) {
        const struct own_option *own = &usage->own[i];
        const char *value = own->value ? own->value : "";
        const int least = (int)strlen(value) + 2, room = 12 - (int)strlen(own->name);
        printf("  --%s %-*s%s\n", own->name, room > least ? room : least, value,
               own->help);
    }
}

static const struct option known[] = {
    {"size", required_argument, NULL, 's'},   {"repeats", required_argument, NULL, 'r'},
    {"device", required_argument, NULL, 'd'}, {"kernel", required_argument, NULL, 'k'},
    {"lanes", required_argument, NULL, 'l'},  {"binary", required_argument, NULL, 'b'},
    {"format", required_argument, NULL, 'f'}, {"full", no_argument, NULL, 'F'},
    {"unless-known", no_argument, NULL, 'u'}, {"devices", no_argument, NULL, 'D'},
    {"help", no_argument, NULL, 'h'},         {"seed", required_argument, NULL, 'S'},
    {"version", no_argument, NULL, 'v'}};
enum { KNOWN = sizeof known / sizeof *known, MOST_OWN = 8, OWN = 256 };

/* The options of every step, then the step's own, whose letters are OWN, OWN + 1 ... */
static void list_options(const struct usage *usage,
                         struct option list[KNOWN + MOST_OWN + 1]) {
    memset(list, 0, (KNOWN + MOST_OWN + 1) * sizeof *list);
    memcpy(list, known, sizeof known);
    for (int i = 0; i < usage->own_count && i < MOST_OWN; i++)
        list[KNOWN + i] = (struct option){
            usage->own[i].name, usage->own[i].value ? required_argument : no_argument,
            NULL, OWN + i};
}

size_t option_number(const char *name, const char *text, size_t least, size_t most) {
    char *end;
    const unsigned long long number = strtoull(text, &end, 10); /* ULLONG_MAX: beyond */
    if (!isdigit((unsigned char)*text) || *end || number < least || number > most)
        die("%s wants a whole number from %zu to %zu, not '%s'" HINT
            "--help shows what it is for",
            name, least, most, text);
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
    die("--format wants table, csv, json or tsv, not '%s'" HINT
        "a table is for people; csv, json and tsv are for programs",
        text);
}

struct options options_read(int argc, char **argv, const char *step, size_t size) {
    const struct usage usage = {.step = step, .size = size, .least_size = 1};
    return options_read_own(argc, argv, &usage);
}

struct options options_read_own(int argc, char **argv, const struct usage *usage) {
    struct options options = {.step = usage->step, .size = usage->size};
    const char *wish = getenv("DEVICE");
    options.device = wish && *wish ? wish : NULL;

    struct option list[KNOWN + MOST_OWN + 1];
    list_options(usage, list);
    int letter;
    opterr = 0; /* we say ourselves what is wrong */
    while ((letter = getopt_long(argc, argv, ":", list, NULL)) != -1) {
        if (letter >= OWN) {
            *usage->own[letter - OWN].text = optarg ? optarg : "";
            continue;
        }
        switch (letter) {
        case 's':
            options.size =
                option_number("--size", optarg, usage->least_size, (size_t)1 << 40);
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
            options.full = true;
            break;
        case 'u':
            options.unless_known = true;
            break;
        case 'D':
            device_list();
            exit(RIGHT);
        case 'h':
            show_help(argv[0], usage);
            exit(RIGHT);
        case 'v':
            printf("%s, Lockstep %s\n", usage->step, LOCKSTEP_VERSION);
            exit(RIGHT);
        case ':':
            die("%s wants a value" HINT "--help shows which", argv[optind - 1]);
        default:
            die("%s is not an option" HINT "--help shows those there are",
                argv[optind - 1]);
        }
    }
    if (optind < argc)
        die("'%s' is one word too many" HINT "--help shows the options", argv[optind]);
    if (options.full && !options.repeats)
        options.repeats = 21;
    return options;
}
