/* steps: the options that clang gets for a kernel file, and the files of the folder in
 * which that is compiled. */
#define _GNU_SOURCE /* getdelim */
#include "steps.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/temporary.h"
#include "check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = TEMPORARY_PATH };

/* OpenCL C 1.0 and 1.1 are read as 1.2, which has all of theirs: builtins.cl needs it.
 */
static const char *standard_of(const char *option) {
    const bool old =
        strcmp(option, "-cl-std=CL1.0") == 0 || strcmp(option, "-cl-std=CL1.1") == 0;
    return old ? "-cl-std=CL1.2" : option;
}

/* Of the program's own build options, those that decide what the source means:
 * -cl-std, and -D, -U and -I, which are not for builtins.cl. */
void step_add_options(struct command *command, const struct source *source,
                      bool for_builtins) {
    const char *build_options = source->build_options;
    char word[MAX_WORD];
    bool value_next = false;
    while ((build_options = next_word(build_options, word))) {
        const bool wanted = word[0] == '-' && word[1] && strchr("DUI", word[1]);
        const bool is_cpp =
            source->language != OPENCL_C && strncmp(word, "-std=", 5) == 0;
        if (((wanted || value_next) && !for_builtins) || is_cpp)
            command_add(command, word);
        else if (source->language == OPENCL_C && strncmp(word, "-cl-std=", 8) == 0)
            command_add(command, standard_of(word));
        value_next = wanted && !word[2];
    }
}

/* Runs a compiler; what it says goes to the file "log" in the folder. */
bool step_run(struct command *command, const char *folder) {
    char log[PATH];
    snprintf(log, sizeof log, "%s/log", folder);
    char name[PATH];
    snprintf(name, sizeof name, "%s", *command->words);
    const int status = command_run(command, log);
    if (status > 0) {
        temporary_remove(folder);
        lens_die("cannot run %s: %s" HINT "`make doctor` shows how to get it", name,
                 strerror(status));
    }
    return status == 0;
}

/* ---- Files in a folder of our own. */
FILE *step_open(const char *folder, const char *name, const char *mode) {
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, mode);
    if (!file)
        lens_die("cannot open %s: %s" HINT "TMPDIR may name a folder with room", path,
                 strerror(errno));
    return file;
}

void step_write(const char *folder, const char *name, const char *const *texts,
                size_t count) {
    FILE *file = step_open(folder, name, "w");
    for (size_t i = 0; i < count; i++)
        fputs(texts[i], file);
    if (fclose(file) != 0)
        lens_die("cannot write to %s: %s" HINT "TMPDIR may name a folder with room",
                 folder, strerror(errno));
}

char *step_read(const char *folder, const char *name) {
    FILE *file = step_open(folder, name, "r");
    char *text = NULL;
    size_t room = 0;
    const bool empty = getdelim(&text, &room, '\0', file) < 0; /* else all of it */
    fclose(file);
    return empty ? lens_allocate(1, 1) : text;
}

void step_add_file(struct command *command, const char *folder, const char *name) {
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    command_add(command, path);
}

/* Code for -fsanitize=thread loads nothing that the source does not load, and that is
 * all we need of it: what it would call is switched off.  Steps that ask what suits
 * this CPU are off as well: for an ARM, one would load a vector's elements one by one.
 * A file keeps the name that the program gives it: of one that has its beginning in
 * common with the folder where the compiler runs, clang would keep only the rest. */
static const char text_options[] =
    "-w -fno-crash-diagnostics -gline-tables-only -O1 -fPIC "
    "-fdebug-compilation-dir=/ -fno-discard-value-names "
    "-fno-unroll-loops -fno-jump-tables -fno-builtin-printf "
    "-mllvm -pragma-unroll-threshold=1024 "
    "-mllvm -simplifycfg-sink-common=false -mllvm -simplifycfg-hoist-common=false "
    "-mllvm -simplifycfg-merge-cond-stores=false -mllvm -disable-loop-idiom-all "
    "-mllvm -disable-vector-combine "
    "-fsanitize=thread -mllvm -tsan-instrument-memory-accesses=0 "
    "-mllvm -tsan-instrument-func-entry-exit=0 -mllvm -tsan-instrument-atomics=0 "
    "-mllvm -tsan-instrument-memintrinsics=0";

/* What a kernel file is written in.  Of CUDA, the device's half is compiled for this
 * processor: as the host's half would be, but for the functions that are made. */
static const char opencl_options[] = "-x cl -cl-kernel-arg-info -Xclang -cl-ext=+all";
static const char cuda_options[] =
    "-x cuda --cuda-host-only -nocudainc -nocudalib -Xclang -fcuda-is-device "
    "-std=c++17 -fdeclspec -fno-finite-loops";

/* For a debugger: each variable keeps its place on the lane's stack. */
static const char debug_options[] = "-O0 -g -Xclang -disable-O0-optnone";

void step_add_standard(struct command *command, const struct source *source) {
    if (!strstr(source->build_options, "-cl-std="))
        command_add(command, "-cl-std=CL1.2");
}

void step_add_text_options(struct command *command, const struct source *source,
                           bool for_builtins) {
    command_add(command, compiling.clang);
    command_add_words(command,
                      source->language == OPENCL_C ? opencl_options : cuda_options);
    command_add_words(command, text_options);
    if (compiling.debug)
        command_add_words(command, debug_options);
    if (source->language == OPENCL_C)
        step_add_standard(command, source);
    step_add_options(command, source, for_builtins);
    if (!compiling.watched)
        return;
    command_add(command, "-fsanitize=array-bounds"); /* of private arrays */
    /* Or it would leave out what reads private memory too soon. */
    command_add_words(command, "-ftrivial-auto-var-init=pattern -D LENS_RACES");
}

/* `header`: the precompiled builtins.cl; empty: main.cl includes it. */
void step_add_folders(struct command *command, const struct source *source,
                      const char *header) {
    command_add(command, *header ? "-include-pch" : "-iquote");
    command_add(command, *header ? header : lens_folder());
    command_add_words(command, "-iquote ."); /* drivers look here, too */
    if (source->language == OPENCL_C)
        return;
    char path[PATH]; /* headers that a toolkit has */
    snprintf(path, sizeof path, "%s/cuda", lens_folder());
    command_add(command, "-isystem");
    command_add(command, path);
}

bool step_clang(const char *folder, const struct source *source, const char *header,
                const char *also, const char *name) {
    struct command command = {.count = 0};
    step_add_text_options(&command, source, false);
    command_add_words(&command, also);
    step_add_folders(&command, source, header);
    command_add_words(&command, "-S -emit-llvm -MMD -MF");
    step_add_file(&command, folder, "files");
    command_add(&command, "-o");
    step_add_file(&command, folder, name);
    step_add_file(&command, folder, "main.cl");
    return step_run(&command, folder);
}

void step_write_kernel(const char *folder, const struct source *source) {
    step_write(
        folder, "kernel.cl",
        (const char *const[]){"#line 1 \"" OWN_NAME "\"\n", code_begin(source->text)},
        2);
}
