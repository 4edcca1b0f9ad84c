/* words: reads the command line, and prints its help, as settings.def says. */
#define _GNU_SOURCE /* getopt_long, program_invocation_short_name */
#include "words.h"
#include "base/spelling.h"
#include "check.h"
#include "driver/version.h"
#include "environment.h"
#include "option_values.h"
#include "settings.h"

#include <errno.h> /* program_invocation_short_name */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool of_kernel; /* it is `lens kernel` */

static void take_version(const struct taken *taken);
static void take_help(const struct taken *taken);

/* The lines of settings.def: options, and remarks, which nothing takes. */
static const struct line {
    enum whose whose;
    const char *field, *value; /* in a remark, `value` is what stands at the left */
    void (*take)(const struct taken *taken);
    const char *choices, *help;
} lines[OPTIONS] = {
#define OPTION(whose, name, value, kind, take, choices, help)                          \
    {whose, #name, value, take_##take, choices, help},
#define ANSWER(whose, name, help) {whose, #name, NULL, take_##name, NULL, help},
#define REMARK(whose, name, left, help) {whose, #name, left, NULL, NULL, help},
#include "settings.def"
};

/* The options' names: "all-sizes" for the field all_sizes. */
static const char *name_of(enum option_id id) {
    static char names[OPTIONS][24];
    char *name = names[id];
    snprintf(name, sizeof names[id], "%s", lines[id].field);
    for (char *letter = name; (letter = strchr(letter, '_'));)
        *letter = '-';
    return name;
}

const char *words_called(void) {
    return program_invocation_short_name;
}

const char *option_given(enum option_id id) {
    char room[VARIABLE_ROOM];
    return getenv(settings_variable(lines[id].field, room));
}

void option_refuse(enum option_id id, const char *hint) {
    if (option_given(id))
        die("--%s is not possible here" HINT "%s", name_of(id), hint);
}

void options_refuse(enum whose whose, const char *hint) {
    for (enum option_id id = 0; id < OPTIONS; id++)
        if (lines[id].whose == whose)
            option_refuse(id, hint);
}

/* ---- The help. */

/* Prints the text beside `left`, in lines that begin below one another. */
static void print_beside(const char *left, const char *text) {
    enum { LEFT = 14, RIGHT_END = 80 - LEFT - 3 };
    for (; *text; left = "") {
        size_t fits = strlen(text);
        if (fits > RIGHT_END)
            for (fits = RIGHT_END; text[fits] != ' ';)
                fits--;
        size_t shown = fits;
        while (text[shown - 1] == ' ')
            shown--;
        printf("  %-*s %.*s\n", LEFT, left, (int)shown, text);
        text += fits + strspn(text + fits, " ");
    }
}

static void print_line(enum option_id id) {
    const struct line *line = &lines[id];
    char left[64];
    if (line->take)
        snprintf(left, sizeof left, "--%s%s%s", name_of(id), line->value ? " " : "",
                 line->value ? line->value : "");
    else
        snprintf(left, sizeof left, "%s", line->value);
    print_beside(left, line->help);
}

static void print_options_of_kernels(void) {
    for (enum option_id id = 0; id < OPTIONS; id++)
        if (lines[id].whose == EITHER || lines[id].whose == KERNELS)
            print_line(id);
}

static void print_all_options(void) {
    bool before = false;
    for (enum option_id id = 0; id < OPTIONS; id++) {
        const bool of_kernels = lines[id].whose == KERNELS;
        if (of_kernels != before)
            puts(of_kernels ? "A kernel without a program, and without a driver:"
                            : "Both:");
        print_line(id);
        before = of_kernels;
    }
}

static const char about_programs[] =
    "usage: %s [options] PROGRAM [ARGUMENTS]\n"
    "       %s kernel [options] FILE [CALL]\n"
    "       %s check [options] FILE ...\n"
    "Shows what a GPU, whose lanes move in lockstep, would do with the program's\n"
    "OpenCL kernels: a line for each launch, and a picture of what matters.  The\n"
    "program runs as always, except that what it prints goes to stderr.\n";
static const char about_kernels[] =
    "usage: %s kernel [options] FILE [CALL]\n"
    "       %s check [options] FILE ...\n"
    "Shows what a GPU, whose lanes move in lockstep, would do with one kernel of a\n"
    "file, in OpenCL C, CUDA or HIP.  It needs no program, no driver and no GPU.\n"
    "What is not given is guessed and printed.  `check` looks at all launches that\n"
    "comments name, as in // lens: dot(x[4096]=random, n=4096) --global 4096\n";

static void take_help(const struct taken *taken) {
    (void)taken;
    const char *called = words_called();
    if (of_kernel) {
        printf(about_kernels, called, called);
        print_options_of_kernels();
        printf("For example: %s kernel dot.cl 'dot(x[4096]=random, n=4096)'\n", called);
    } else {
        printf(about_programs, called, called, called);
        print_all_options();
    }
    check_printed(stdout);
    exit(RIGHT);
}

static void take_version(const struct taken *taken) {
    (void)taken;
    printf("%s, Lockstep " LOCKSTEP_VERSION "\n", words_called());
    check_printed(stdout);
    exit(RIGHT);
}

/* ---- The words. */
static _Noreturn void refuse_word(const char *word) {
    const char *names[OPTIONS];
    size_t count = 0;
    for (enum option_id id = 0; id < OPTIONS; id++)
        if (lines[id].take)
            names[count++] = name_of(id);
    const char *meant =
        strncmp(word, "--", 2) == 0 ? spelling_meant(word + 2, names, count) : NULL;
    if (meant)
        die("%s is not an option" HINT "did you mean --%s?", word, meant);
    die("%s is not an option" HINT "--help shows those there are", word);
}

/* -DNAME=VALUE or -IFOLDER, for the kernel's compiler. */
static void add_define(int letter, const char *text) {
    char word[4096];
    if (strpbrk(text, "\"\n") || strlen(text) > sizeof word - 4)
        die("-%c cannot be %s" HINT "quotes are not possible there", letter, text);
    snprintf(word, sizeof word, "-%c%s", letter, text);
    add_line("LENS_DEFINES", word);
}

static void take_option(enum option_id id, const char *text) {
    char room[VARIABLE_ROOM];
    lines[id].take(&(struct taken){.option = name_of(id),
                                   .variable = settings_variable(lines[id].field, room),
                                   .text = text,
                                   .choices = lines[id].choices});
}

void words_read(int argc, char **argv, bool is_of_kernel) {
    enum { FIRST = 256 }; /* behind all letters */
    struct option known[OPTIONS + 1] = {{0}};
    size_t count = 0;
    of_kernel = is_of_kernel;
    for (enum option_id id = 0; id < OPTIONS; id++)
        if (lines[id].take)
            known[count++] = (struct option){
                name_of(id), lines[id].value ? required_argument : no_argument, NULL,
                FIRST + (int)id};
    opterr = 0;
    for (int letter; (letter = getopt_long(argc, argv, "+:D:I:", known, NULL)) != -1;)
        switch (letter) {
        case 'D':
        case 'I':
            add_define(letter, optarg);
            break;
        case ':':
            die("%s needs a value" HINT "--help shows which", argv[optind - 1]);
        case '?':
            refuse_word(argv[optind - 1]);
        default:
            take_option((enum option_id)(letter - FIRST), optarg);
        }
}
