/* other_kernels: replays the launch at hand with kernels of other files, on copies of
 * their own, and passes both replays to comparison.c. */
#include "other_kernels.h"
#include "base/memory.h"
#include "code/changes.h"
#include "copies.h"
#include "report/comparison.h"
#include "report/listing.h"
#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Mistakes were made in ours, which is file 0. */
struct program *file_beside(const struct kernel *kernel, size_t file) {
    return program_beside(kernel->program, file, comparison_source(file),
                          file > 0 ? comparison_source(0) : NULL);
}

/* Replays the same launch with the kernel of a program, on copies of its own; false: it
 * has no such kernel. */
static bool replay_again(struct replay *replay, struct program *program,
                         const struct kernel *kernel, const struct replay *own,
                         size_t groups, cl_command_queue queue, struct copies *copies) {
    *copies = (struct copies){.count = 0};
    *replay = (struct replay){.kernel = own->kernel,
                              .scalars = own->scalars,
                              .dimensions = own->dimensions,
                              .groups_wanted = groups};
    memcpy(replay->global, own->global, sizeof replay->global);
    memcpy(replay->local, own->local, sizeof replay->local);
    memcpy(replay->offset, own->offset, sizeof replay->offset);
    if (!program_call(program, kernel->name, replay))
        return false;
    copies_bind(copies, replay, kernel, queue);
    replay_run(replay);
    return true;
}

static void end_again(struct replay *replay, struct copies *copies) {
    replay_end(replay);
    copies_release(copies, replay, false);
}

bool beside_is_long(const struct kernel *kernel, const struct replay *own,
                    cl_command_queue queue) {
    struct program *program = file_beside(kernel, 0);
    struct copies copies;
    struct replay ours;
    if (settings->each || program_is_own(program, kernel->name))
        return true;
    if (!replay_again(&ours, program, kernel, own, own->groups_replayed, queue,
                      &copies))
        return false;
    const bool is_long = ours.limit;
    end_again(&ours, &copies);
    return is_long;
}

/* The same launch of a file's kernel, beside the program's own. */
static bool compare_file(size_t file, const struct kernel *kernel,
                         const struct replay *own, cl_command_queue queue) {
    struct program *program = file_beside(kernel, file);
    struct copies copies;
    struct replay other;
    if (program_is_own(program, kernel->name))
        return comparison_add(file, own, own);
    if (file > 0 &&
        same_code(comparison_source(0), comparison_source(file), kernel->name))
        program = file_beside(kernel, 0); /* which is known by now */
    if (!replay_again(&other, program, kernel, own, own->groups_replayed, queue,
                      &copies))
        return comparison_add(file, own, NULL);
    const bool comparable = comparison_add(file, own, &other);
    end_again(&other, &copies);
    return comparable;
}

void beside_compare(const struct kernel *kernel, const struct replay *own,
                    cl_command_queue queue) {
    bool comparable = true;
    comparison_mistakes(own);
    for (size_t file = 0; file < comparison_files() && comparable; file++)
        if (comparison_needs(file))
            comparable = compare_file(file, kernel, own, queue) || file > 0;
}

/* --each: the program's kernels are ours, and every file is looked at as if the program
 * had it in their place.  Of a large launch each kernel chooses its own sample, as it
 * would then; but files are distinguished by the sample that ours has chosen. */
static void compare_each_file(size_t file, const struct kernel *kernel,
                              const struct replay *ours, cl_command_queue queue) {
    struct program *program = file_beside(kernel, file);
    struct copies copies, copies_again;
    struct replay theirs, again;
    if (program_is_own(program, kernel->name))
        return;
    if (!replay_again(&theirs, program, kernel, ours, 0, queue, &copies)) {
        comparison_broken(file);
        return;
    }
    if (theirs.stopped || theirs.groups_replayed == ours->groups_replayed) {
        comparison_each(file, &theirs, ours);
        comparison_digest(file, &theirs, ours);
    } else {
        replay_again(&again, kernel->program, kernel, ours, theirs.groups_replayed,
                     queue, &copies_again);
        comparison_each(file, &theirs, &again);
        end_again(&again, &copies_again);
        replay_again(&again, program, kernel, ours, ours->groups_replayed, queue,
                     &copies_again);
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
        if (program && !program_is_own(program, kernel->name))
            *GROW(programs, count) = program;
    }
    programs_compile(programs, count, kernel->name);
    free(programs);
}

void beside_compare_each(const struct kernel *kernel, const struct replay *ours,
                         cl_command_queue queue) {
    if (ours->stopped) {
        report_mistakes(ours);
        lens_die(
            "the program's own %s is wrong, so nothing can be compared with it" HINT
            "--each needs a program that is right",
            ours->kernel);
    }
    if (!program_is_own(file_beside(kernel, 0), kernel->name)) {
        lens_say("%s is not compared: it is not the one of --ours\n", ours->kernel);
        report_hidden(ours->kernel, "it is not compared: it is not the one of --ours");
        return;
    }
    comparison_launch();
    compile_files(kernel);
    for (size_t file = 1; file < comparison_files(); file++)
        if (comparison_needs(file))
            compare_each_file(file, kernel, ours, queue);
}

/* A file of which no launch has needed a kernel may still not compile. */
void beside_end(void) {
    for (size_t file = 1; settings->each && file < comparison_files(); file++)
        if (comparison_is_same(file) && !program_beside_compiles(file))
            comparison_broken(file);
    comparison_end();
}
