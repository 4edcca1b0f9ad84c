/* main: build/lens PROGRAM runs a program with the lens in it; `lens kernel FILE` looks
 * at a kernel without one, and `lens check FILE...` at all launches that files name. */
#include "alone/all_sizes.h"
#include "alone/single.h"
#include "check.h"
#include "checking.h"
#include "clang.h"
#include "enter.h"
#include "environment.h"
#include "refusals.h"
#include "start.h"
#include "words.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Options may stand in front of the words, between them and behind them. */
static int look_at_kernel(int argc, char **argv) {
    static const enum option_id shown[] = {OPTION_all,   OPTION_table, OPTION_whole,
                                           OPTION_svg,   OPTION_html,  OPTION_check,
                                           OPTION_groups};
    static const enum option_id of_sizes[] = {OPTION_ours, OPTION_total, OPTION_quick};
    const char *words[2] = {NULL, NULL};
    words_read(argc, argv, true);
    for (int count = 0; optind < argc; count++) {
        if (count == 2)
            die("%s is one word too many" HINT
                "put the call in quotes: %s kernel FILE 'dot(x=random, n=4096)'",
                argv[optind], words_called());
        words[count] = argv[optind++];
        words_read(argc, argv, true);
    }
    if (!words[0])
        die("no kernel file to look at" HINT
            "for example: %s kernel dot.cl 'dot(x=random, n=4096)'",
            words_called());
    options_refuse(PROGRAMS, "it needs a program");
    need_stdout();
    refuse_several_widths();
    refuse_with_against();
    refuse_judging();
    const bool all_sizes = option_given(OPTION_all_sizes);
    for (size_t i = 0; all_sizes && i < sizeof shown / sizeof *shown; i++)
        option_refuse(shown[i], "--all-sizes prints the command for one size");
    for (size_t i = 0; !all_sizes && i < sizeof of_sizes / sizeof *of_sizes; i++)
        option_refuse(of_sizes[i], "here it needs --all-sizes");
    refuse_sizes(words[0], all_sizes);
    if (option_given(OPTION_total) && !option_given(OPTION_ours))
        die("--total needs --ours FILE" HINT
            "ours is the file whose results are wanted");
    choose_compiler();
    set_variable("LENS_ALONE", "1");
    set_variable("LENS_OUT", "1"); /* where reports go: there is no program's output */
    return (all_sizes ? all_sizes_run : single_run)(words[0], words[1]);
}

/* A program's name may end so, too: if it can be run, its first bytes say how. */
static bool is_kernel_file(const char *word) {
    const char *end = strrchr(word, '.');
    char head[4] = "";
    if (!end || (strcmp(end, ".cl") != 0 && strcmp(end, ".cu") != 0 &&
                 strcmp(end, ".hip") != 0))
        return false;
    FILE *file = fopen(word, "rb");
    const bool read = file && fread(head, 1, sizeof head, file) > 0;
    if (file)
        fclose(file);
    return read ? memcmp(head, "\177ELF", 4) != 0 && memcmp(head, "#!", 2) != 0
                : strchr(word, '/') || !is_in_path(word);
}

int main(int argc, char **argv) {
    forget_options();
    words_read(argc, argv, false);
    if (optind < argc && strcmp(argv[optind], "kernel") == 0) {
        optind++;
        return look_at_kernel(argc, argv);
    }
    if (optind < argc && strcmp(argv[optind], "check") == 0)
        return check_files(argc, argv);
    if (optind < argc && is_kernel_file(argv[optind]))
        return look_at_kernel(argc, argv);
    options_refuse(KERNELS, "it is for `kernel FILE`, without a program");
    if (getenv("LENS_DEFINES"))
        die("-D and -I are not possible here" HINT
            "a program builds its kernels with options of its own");
    if (optind == argc)
        die("no program to look at" HINT "for example: %s build/step03_dot_coalesced",
            words_called());
    refuse_combinations();
    refuse_several_widths();
    refuse_judging();
    need_stdout();
    choose_compiler();
    enter_program();
    return run_program(argv + optind);
}
