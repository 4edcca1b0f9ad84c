/* sizes: reads the sizes of a launch, and guesses those that were not given. */
#include "sizes.h"
#include "base/memory.h"
#include "base/vocabulary.h"

#include <string.h>

enum { GROUPS = 4, MAX_ITEMS = 4096 }; /* guessed; allowed in a group */

unsigned range_read(const char *option, const char *text, size_t sizes[3]) {
    unsigned count = 0;
    int end = 0;
    const char *p = text;
    for (sizes[0] = sizes[1] = sizes[2] = 1; count < 3; p += end + 1) {
        if (sscanf(p, "%9zu%n", &sizes[count], &end) != 1 || sizes[count] == 0 ||
            *p == '-')
            break;
        count++;
        if (!p[end])
            return count;
        if (p[end] != ',' && p[end] != 'x')
            break;
    }
    lens_die("%s cannot be '%s'" HINT "give one to three sizes in %s, as in %s 64,64",
             term(option), text,
             term(strcmp(option, "--grid") == 0 ? "groups" : "work-items"),
             term(option));
}

static size_t divisor_up_to(size_t most, size_t number) {
    while (number % most)
        most--;
    return most;
}

/* By dimensions. */
static const size_t most[3][3] = {{256, 1, 1}, {16, 16, 1}, {8, 8, 4}};

/* The largest group that divides: of 256, of 16 by 16, or of 8 by 8 by 4. */
static void guess_local(struct job *job) {
    for (unsigned d = 0; d < 3; d++)
        job->local[d] = divisor_up_to(most[job->dimensions - 1][d], job->global[d]);
}

/* Four groups in each dimension that they have; of those that are guessed, too. */
static void guess_global(struct job *job, bool has_groups, unsigned dimensions) {
    const size_t *local = has_groups ? job->local : most[dimensions - 1];
    job->dimensions = local[2] > 1 ? 3 : local[1] > 1 ? 2 : 1;
    for (unsigned d = 0; d < 3; d++)
        job->global[d] = d < job->dimensions ? GROUPS * local[d] : 1;
}

/* So many groups, which are as large as asked for or, without that, as guessed. */
static void read_grid(struct job *job, const char *grid, bool has_groups,
                      unsigned dimensions) {
    const size_t *local = has_groups ? job->local : most[dimensions - 1];
    const unsigned count = range_read("--grid", grid, job->global);
    job->dimensions = count > dimensions ? count : dimensions;
    for (unsigned d = 0; d < 3; d++) {
        job->global[d] *= local[d];
        if (local[d] > 1 && job->dimensions <= d)
            job->dimensions = d + 1;
    }
}

void range_check_block(enum language language, const size_t local[3]) {
    enum { THREADS = 1024, DEEP = 64 };
    if (language == OPENCL_C)
        return;
    if (local[0] * local[1] * local[2] > THREADS)
        lens_die("a block of %zu threads is too large" HINT "%s allows %d",
                 local[0] * local[1] * local[2], language == CUDA ? "CUDA" : "HIP",
                 THREADS);
    if (language == CUDA && local[2] > DEEP)
        lens_die("a block of %zu threads in z is too large" HINT
                 "CUDA allows %d in z, and %d in x and in y",
                 local[2], DEEP, THREADS);
}

void range_check_grid(enum language language, const struct job *job) {
    enum { HIGH = 65535 };
    for (unsigned d = 1; d < 3 && language == CUDA; d++)
        if (job->global[d] / job->local[d] > HIGH)
            lens_die("a grid of %zu blocks in %c is too large" HINT
                     "CUDA allows %d in y and in z, and 2147483647 in x",
                     job->global[d] / job->local[d], "xyz"[d], HIGH);
}

void range_check_local(const char *kernel, const size_t local[3],
                       const size_t required[3]) {
    if (local[0] * local[1] * local[2] > MAX_ITEMS)
        lens_die("%s of %zu %s are too large" HINT "%d are possible", term("groups"),
                 local[0] * local[1] * local[2], term("work-items"), MAX_ITEMS);
    for (unsigned d = 0; d < 3; d++)
        if (required[0] && local[d] != required[d])
            lens_die("%s requires groups of %zu by %zu by %zu work-items" HINT
                     "leave out --local",
                     kernel, required[0], required[1], required[2]);
}

void range_check(const struct job *job, const char *build, const size_t required[3]) {
    const bool may_be_uneven =
        build && (strstr(build, "-cl-std=CL2") || strstr(build, "-cl-std=CL3"));
    const size_t *local = job->local;
    range_check_local(job->kernel, local, required);
    for (unsigned d = job->dimensions; d < 3; d++)
        if (local[d] > 1)
            lens_die("%s of %zu by %zu by %zu %s have more dimensions than the launch, "
                     "which has %u" HINT
                     "give --global and %s as many sizes, as in --global %zu,%zu",
                     term("groups"), local[0], local[1], local[2], term("work-items"),
                     job->dimensions, term("--local"), job->global[0], local[1]);
    for (unsigned d = 0; d < 3; d++)
        if (job->global[d] % local[d] && !may_be_uneven)
            lens_die("%zu %s are no multiple of %s of %zu" HINT "%s", job->global[d],
                     term("work-items"), term("groups"), local[d],
                     term("change --global or --local, or give --build -cl-std=CL2.0"));
}

void range_choose(struct job *job, const struct range_asked *asked,
                  const size_t required[3], unsigned dimensions) {
    const bool has_groups = asked->local || required[0];
    if (asked->local)
        range_read("--local", asked->local, job->local);
    else if (required[0])
        memcpy(job->local, required, sizeof job->local);
    if (asked->global)
        job->dimensions = range_read("--global", asked->global, job->global);
    else if (asked->grid)
        read_grid(job, asked->grid, has_groups, dimensions);
    else
        guess_global(job, has_groups, dimensions);
    if (!has_groups)
        guess_local(job);
    job->local_chosen = !has_groups;
    range_check(job, asked->build, required);
}

bool range_shrink(struct job *job) {
    unsigned largest = 0;
    for (unsigned d = 1; d < job->dimensions; d++)
        if (job->local[d] >= job->local[largest])
            largest = d;
    if (job->local[largest] == 1)
        return false;
    job->local[largest] = divisor_up_to(job->local[largest] / 2, job->global[largest]);
    return true;
}
