/* other_kernels: replays the launch at hand with kernels of other files, on copies of
 * their own, and passes both replays to comparison.c. */
#include "other_kernels.h"
#include "base/memory.h"
#include "copies.h"
#include "report/comparison.h"
#include "report/reporting.h"
#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Mistakes were made in ours, which is file 0. */
struct program *file_beside(const struct kernel *kernel, size_t file) {
    struct program *own = kernel->program,
                   *ours = program_beside(own, 0, comparison_source(0), own);
    return file == 0 ? ours : program_beside(own, file, comparison_source(file), ours);
}

/* Is this kernel of a file the program's own? */
static bool is_own(struct program *file, const struct kernel *kernel) {
    return programs_share(kernel->program, file, kernel->name);
}

/* Reads all files whose kernels are needed, in one go. */
static void read_files(const struct kernel *kernel) {
    struct program **programs = NULL;
    size_t count = 0;
    *GROW(programs, count) = kernel->program;
    for (size_t file = 0; file < comparison_files(); file++)
        if (comparison_needs(file))
            *GROW(programs, count) = file_beside(kernel, file);
    programs_read(programs, count);
    free(programs);
}

/* Replays the same launch with the kernel of a program, on copies of its own; false: it
 * has no such kernel. */
static bool replay_again(struct run *run, struct program *program,
                         const struct kernel *kernel, const struct run *own,
                         size_t groups, cl_command_queue queue, struct copies *copies) {
    *copies = (struct copies){.count = 0};
    *run = settings_run(NULL);
    /* (Of known mistakes, reads are not shown.) */
    run->asked.reads &= program == file_beside(kernel, 0);
    run->job.kernel = own->job.kernel;
    run->job.scalars = own->job.scalars;
    run->job.dimensions = own->job.dimensions;
    memcpy(run->job.global, own->job.global, sizeof run->job.global);
    memcpy(run->job.local, own->job.local, sizeof run->job.local);
    memcpy(run->job.offset, own->job.offset, sizeof run->job.offset);
    if (groups > 0)
        run->model.groups = groups;
    if (!program_call(program, kernel->name, run))
        return false;
    copies_bind(copies, run, kernel, queue);
    run_launch(run);
    return true;
}

static void end_again(struct run *run, struct copies *copies) {
    run_end(run);
    copies_release(copies, run, false);
}

bool beside_is_long(const struct kernel *kernel, const struct run *own,
                    cl_command_queue queue) {
    struct program *program = file_beside(kernel, 0);
    struct copies copies;
    struct run ours;
    if (settings->each || is_own(program, kernel))
        return true;
    if (!replay_again(&ours, program, kernel, own, own->outcome.groups_replayed, queue,
                      &copies))
        return false;
    const bool is_long = ours.outcome.limit;
    end_again(&ours, &copies);
    return is_long;
}

/* The same launch of a file's kernel, beside the program's own. */
static bool compare_file(size_t file, const struct kernel *kernel,
                         const struct run *own, cl_command_queue queue) {
    struct program *program = file_beside(kernel, file);
    struct copies copies;
    struct run other;
    if (is_own(program, kernel))
        return comparison_add(file, own, own);
    if (file > 0 && programs_share(program->unchanged, program, kernel->name))
        program = program->unchanged; /* which is known by now */
    if (!replay_again(&other, program, kernel, own, own->outcome.groups_replayed, queue,
                      &copies))
        return comparison_add(file, own, NULL);
    const bool comparable = comparison_add(file, own, &other);
    end_again(&other, &copies);
    return comparable;
}

void beside_compare(const struct kernel *kernel, const struct run *own,
                    cl_command_queue queue) {
    bool comparable = true;
    comparison_mistakes(own);
    for (size_t file = 0; file < comparison_files() && comparable; file++) {
        if (file == 1)
            read_files(kernel);
        if (comparison_needs(file))
            comparable = compare_file(file, kernel, own, queue) || file > 0;
    }
}

/* --each: the program's kernels are ours, and every file is looked at as if the program
 * had it in their place.  Of a large launch each kernel chooses its own sample, as it
 * would then; but files are distinguished by the sample that ours has chosen. */
static void compare_each_file(size_t file, const struct kernel *kernel,
                              const struct run *ours, cl_command_queue queue) {
    struct program *program = file_beside(kernel, file);
    struct copies copies, copies_again;
    struct run theirs, again;
    if (is_own(program, kernel))
        return;
    if (!replay_again(&theirs, program, kernel, ours, 0, queue, &copies)) {
        comparison_broken(file);
        return;
    }
    if (theirs.outcome.stopped ||
        theirs.outcome.groups_replayed == ours->outcome.groups_replayed) {
        comparison_each(file, &theirs, ours);
        comparison_digest(file, &theirs, ours);
    } else {
        replay_again(&again, kernel->program, kernel, ours,
                     theirs.outcome.groups_replayed, queue, &copies_again);
        comparison_each(file, &theirs, &again);
        end_again(&again, &copies_again);
        replay_again(&again, program, kernel, ours, ours->outcome.groups_replayed,
                     queue, &copies_again);
        comparison_digest(file, &again, ours);
        end_again(&again, &copies_again);
    }
    end_again(&theirs, &copies);
}

static void compile_files(const struct kernel *kernel) {
    struct program **programs = NULL;
    size_t count = 0;
    for (size_t file = 1; file < comparison_files(); file++) {
        struct program *program =
            comparison_needs(file) ? file_beside(kernel, file) : NULL;
        if (program && !is_own(program, kernel))
            *GROW(programs, count) = program;
    }
    programs_compile(programs, count, kernel->name);
    free(programs);
}

void beside_compare_each(const struct kernel *kernel, const struct run *ours,
                         cl_command_queue queue) {
    if (ours->outcome.stopped) {
        report_mistakes(ours);
        lens_die(
            "the program's own %s is wrong, so nothing can be compared with it" HINT
            "--each needs a program that is right",
            ours->job.kernel);
    }
    read_files(kernel);
    if (!is_own(file_beside(kernel, 0), kernel)) {
        lens_say("%s is not compared: it is not the one of --ours\n", ours->job.kernel);
        report_hidden(ours->job.kernel,
                      "it is not compared: it is not the one of --ours");
        return;
    }
    comparison_launch();
    compile_files(kernel);
    for (size_t file = 1; file < comparison_files(); file++)
        if (comparison_needs(file))
            compare_each_file(file, kernel, ours, queue);
}
