/* refusals: which options go together. */
#include "refusals.h"
#include "check.h"
#include "code/code.h"
#include "judge/fail_on.h"
#include "words.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void need_stdout(void) {
    if (fcntl(STDOUT_FILENO, F_GETFD) < 0)
        die("stdout is closed" HINT "the report goes there");
}

void refuse_several_widths(void) {
    static const enum option_id others[] = {
        OPTION_races,   OPTION_compare, OPTION_ours,  OPTION_instead,
        OPTION_html,    OPTION_format,  OPTION_check, OPTION_all_sizes,
        OPTION_fail_on, OPTION_baseline};
    const char *lanes = option_given(OPTION_lanes);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (lanes && strchr(lanes, ','))
            option_refuse(others[i],
                          "--lanes has several widths, which are compared in "
                          "the table alone: give one of them");
}

void refuse_with_against(void) {
    static const enum option_id others[] = {
        OPTION_races,   OPTION_all_sizes, OPTION_html,   OPTION_format,
        OPTION_fail_on, OPTION_baseline,  OPTION_kernel, OPTION_all};
    const char *lanes = option_given(OPTION_lanes);
    if (!option_given(OPTION_against))
        return;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        option_refuse(others[i], "--against compares two kernels in the table alone: "
                                 "look at one of them without it");
    if (lanes && strchr(lanes, ','))
        die("--against needs warps of one width" HINT "give one of %s", lanes);
}

void refuse_sizes(const char *file, bool all_sizes) {
    if (option_given(OPTION_grid) && option_given(OPTION_global))
        die("--grid excludes --global" HINT
            "one counts blocks, the other one threads: give one of them");
    if (option_given(OPTION_block) && option_given(OPTION_local))
        die("--block excludes --local" HINT
            "they are two names of one size: give one of them");
    if (all_sizes)
        option_refuse(OPTION_grid, "--all-sizes chooses the size; --global may be a "
                                   "formula of it, as in --global 2*n");
    if (code_language(file) == OPENCL_C)
        option_refuse(OPTION_shared, "it is for kernels in CUDA; in OpenCL C the call "
                                     "says how large local memory is, as in t[256]");
}

void refuse_combinations(void) {
    const bool ours = option_given(OPTION_ours), instead = option_given(OPTION_instead);
    const char *format = option_given(OPTION_format);
    if (option_given(OPTION_mistake) && !ours)
        die("--mistake needs --ours FILE" HINT
            "ours is the file that the mistake was made in");
    if (option_given(OPTION_each) && !ours)
        die("--each needs --ours FILE" HINT
            "ours is the file that the program takes its kernels from");
    if (instead && (ours || option_given(OPTION_compare)))
        die("--instead excludes --ours and --compare" HINT
            "they look at what the program's own kernels compute");
    if (instead && format && strcmp(format, "text") != 0)
        die("--instead excludes --format" HINT
            "the report is what the program prints, in its own format");
    if (option_given(OPTION_html) && (ours || instead))
        die("--html excludes --ours and --instead" HINT
            "the page shows what the program's own kernels do");
}

/* What is judged is counts, or mistakes: those that --races looks for. */
static void refuse_list(const char *text, bool races) {
    struct fail_on list;
    free(fail_on_read(&list, text)); /* words.c has read it */
    if (races && list.limit_count > 0)
        die("--fail-on %s>... is a limit of a count, and --races leaves counts out" HINT
            "`check` looks for both",
            list.limits[0].rule->id);
    if (!races && list.mistake_count > 0)
        die("--fail-on %s needs --races" HINT
            "without it, only mistakes that stop a launch are found, and all of them "
            "fail; `check` looks for mistakes and counts",
            list.mistakes[0]->id);
}

void refuse_judging(void) {
    static const enum option_id others[] = {OPTION_ours, OPTION_instead, OPTION_compare,
                                            OPTION_all_sizes};
    const char *format = option_given(OPTION_format),
               *list = option_given(OPTION_fail_on);
    const bool sarif = format && strcmp(format, "sarif") == 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (sarif || list || option_given(OPTION_baseline))
            option_refuse(others[i], "--format sarif, --fail-on and --baseline are for "
                                     "counts and --races");
    if (list)
        refuse_list(list, option_given(OPTION_races));
}
