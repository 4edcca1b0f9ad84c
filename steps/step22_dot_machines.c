/* Step 22: more than one machine
 *
 * In step 21 one program gave work to every device of its machine.  A device of another
 * machine is out of its reach: no pointer and no queue leads there.  So the program is
 * started many times, once for each device.  Each of these ranks adds up its share, and
 * one call of MPI gives all of them the sum of their sums.
 *
 * Read with  kernels/step22_dot_machines.cl, docs/step22_dot_machines.md
 * Try        make step22 run RANKS=2: which rows change, and why?
 * Lens       --size 65536 --of 3
 * Races      LOCKSTEP_MAX_GROUP=100 --size 120011 --of 3
 * Races      --size 65536 --of 2
 * Races      --size 65536 --of 1
 * Ranks      4
 */
#include "data/ranks.h"
#include "step.h"

#include <stdio.h>

enum { GROUP = 256, MAX_GROUPS = 2048, ELEMENTS_EACH = 64, ROUNDS = 15, CALLS = 100 };
static const struct sizes sizes = {.cpu = 1 << 22, .cpu_full = 1 << 26, .gpu = 1 << 28};

/* Who adds up, and what else is timed: by the host's clock, but of the kernel, by the
 * device's.  Ranks share devices where there are more of them: a part of the ranks has
 * a device for each. */
enum { ALONE, EACH, TOGETHER, KERNEL, ALLREDUCE, TIMES, TEAMS = KERNEL };
static const char *const names[] = {"one rank alone", "a rank for each device",
                                    "all ranks, a share each", "kernel, slowest rank",
                                    "allreduce, 8 bytes"};

/* Which rank is this, and which of those on its machine?  The first one there opens
 * device 0, the second one device 1, and so on. */
static struct world join(struct step *step, int argc, char **argv) {
    struct world world = {.single = false};
    MPI_Comm machine;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.ranks);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                        &machine);
    MPI_Comm_rank(machine, &world.local);
    MPI_Comm_size(machine, &world.here);
    ranks_open(step, argc, argv, "step22_dot_machines", &world);
    return world;
}

/* Elements begin to end - 1 of n are those of a rank. */
struct share {
    size_t begin, end;
};

static struct share share_of(size_t n, size_t rank, size_t ranks) {
    struct share share = {0, 0};
    /* exercise { */
    share.begin = n * rank / ranks; /* first the product, which may need 64 bits */
    share.end = n * (rank + 1) / ranks;
    /* } exercise */
    return share;
}

/* Each element must belong to one rank, and no rank may have two more than another. */
static void check_shares(size_t n, size_t ranks) {
    size_t next = 0;
    for (size_t rank = 0; rank < ranks; rank++) {
        const struct share share = share_of(n, rank, ranks);
        const size_t count = share.end - share.begin, wanted = n / ranks;
        next += count;
        if (share.end != next || (count != wanted && count != wanted + 1) ||
            (rank + 1 == ranks && next != n)) {
            wrong("rank %zu of %zu has elements %zu to %zu of %zu", rank, ranks,
                  share.begin, share.end, n);
            program_end(WRONG);
        }
    }
}

static double dot_on_host(const float *x, const float *y, struct share share) {
    double sum = 0.0;
    for (size_t i = share.begin; i < share.end; i++)
        sum += (double)x[i] * (double)y[i];
    return sum;
}

/* A share on a device, and the launch that leaves a sum for each group. */
struct part {
    struct device *device;
    struct launch launch;
    cl_mem sums_buffer;
    size_t groups;
    float *sums;
};

static struct part part_new(struct step *step, const float *x, const float *y,
                            struct share share) {
    const cl_uint n = (cl_uint)(share.end - share.begin);
    const size_t group = step_group(step, GROUP), each = group * ELEMENTS_EACH;
    const size_t groups = n < MAX_GROUPS * each ? n / each + 1 : MAX_GROUPS;
    const size_t bytes = (n > 0 ? n : 1) * sizeof *x; /* no buffer can be empty */
    cl_mem x_buffer = buffer_from(&step->device, x + share.begin, bytes),
           y_buffer = buffer_from(&step->device, y + share.begin, bytes),
           sums_buffer = buffer_new(&step->device, groups * sizeof *x);
    const struct launch launch =
        LAUNCH(step, "dot_machines", groups * group, group, ARG(x_buffer),
               ARG(y_buffer), ARG(sums_buffer), LOCAL(group * sizeof *x), ARG(n));
    return (struct part){&step->device, launch, sums_buffer, groups,
                         step_array(step, groups, sizeof *x)};
}

/* The device adds up each group's elements, and the host the sums of the groups. */
static double sum_of_part(const struct part *part, double *kernel_ms) {
    double sum = 0.0;
    *kernel_ms = launch_ms(part->device, &part->launch);
    CHECK(clEnqueueReadBuffer(part->device->queue, part->sums_buffer, CL_TRUE, 0,
                              part->groups * sizeof(float), part->sums, 0, NULL, NULL));
    for (size_t g = 0; g < part->groups; g++)
        sum += (double)part->sums[g];
    return sum;
}

/* Is the sum right when x is so small that a sum in quarters would keep nothing of it?
 * Some of a share are enough for that. */
static bool tiny_right(struct step *step, float *x, const float *y,
                       struct share share) {
    enum { MOST = 1 << 20 };
    if (share.end - share.begin > MOST)
        share.end = share.begin + MOST;
    make_tiny(x + share.begin, share.end - share.begin);
    const struct part tiny = part_new(step, x, y, share);
    double kernel_ms;
    const bool right =
        equal_sum(sum_of_part(&tiny, &kernel_ms), dot_on_host(x, y, share));
    buffer_read(&step->device, tiny.sums_buffer, tiny.sums,
                tiny.groups * sizeof *tiny.sums); /* it looks at the guards */
    return right;
}

/* Each of these ranks gives one number, and each receives the sum of all. */
static double sum_of_ranks(MPI_Comm ranks, double mine) {
    double sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, ranks);
    return sum;
}

/* Did the kernel stay within its buffer?  Then other numbers take the place of its
 * sums, so that the next launch has to write all of them again. */
static void overwrite_sums(const struct part *part) {
    const size_t bytes = part->groups * sizeof(float);
    buffer_read(part->device, part->sums_buffer, part->sums, bytes);
    for (size_t g = 0; g < part->groups; g++)
        part->sums[g] += 0.25f;
    buffer_write(part->device, part->sums_buffer, part->sums, bytes);
}

/* The sum that these ranks find, each with its part.  They find it twice, and it must
 * be right twice; the second time is measured, because the first wakes the cores. */
static double time_sum(MPI_Comm ranks, const struct part *part, double expected,
                       int *right, double *ms, double *kernel_ms) {
    double sum = sum_of_ranks(ranks, sum_of_part(part, kernel_ms));
    *right = *right && equal_sum(sum, expected);
    overwrite_sums(part);
    MPI_Barrier(ranks); /* all begin together */
    const double began_ms = now_ms();
    sum = sum_of_ranks(ranks, sum_of_part(part, kernel_ms));
    *ms = now_ms() - began_ms;
    *right = *right && right_again(equal_sum(sum, expected));
    return sum;
}

/* Some ranks, and this one's part of their sum; NULL: it is none of them. */
struct team {
    MPI_Comm ranks;
    const struct part *part;
};

/* The ranks that come first to their device, whose number is returned in *devices. */
static MPI_Comm first_on_device(const struct step *step, const struct world *world,
                                bool *is_first, int *devices) {
    cl_device_id found[MAX_DEVICES];
    MPI_Comm firsts;
    const int first = world->local < (int)device_choices(step->options.device, found);
    MPI_Comm_split(MPI_COMM_WORLD, first, 0, &firsts);
    MPI_Allreduce(&first, devices, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    *is_first = first;
    return firsts;
}

/* Of each round: the time of the slowest rank, and of a team's kernels the sum; and
 * whether all that was added up is right. */
struct times {
    double *ms[TIMES], *kernels_ms[TEAMS];
    int rounds, right;
};

/* In each round one team after the other adds up all elements, each of its ranks a
 * share, while the others sleep; last, the allreduce by itself.  Returns the sum. */
static double measure(struct step *step, const struct team teams[TEAMS],
                      double expected, struct times *times) {
    const int rounds = step->options.repeats ? step->options.repeats : ROUNDS;
    double sum = 0.0, **ms = times->ms, **kernels_ms = times->kernels_ms;
    times->rounds = rounds;
    for (int t = 0; t < TIMES; t++)
        ms[t] = step_array(step, (size_t)rounds, sizeof *ms[t]);
    for (int t = 0; t < TEAMS; t++)
        kernels_ms[t] = step_array(step, (size_t)rounds, sizeof *ms[t]);
    if (rounds > 1)
        warm_up(&step->device, &teams[TOGETHER].part->launch);
    for (int i = 0; i < rounds; i++) {
        for (int t = 0; t < TEAMS; t++) {
            ranks_wait_asleep();
            if (teams[t].part)
                sum = time_sum(teams[t].ranks, teams[t].part, expected, &times->right,
                               &ms[t][i], &kernels_ms[t][i]);
        }
        ms[KERNEL][i] = kernels_ms[TOGETHER][i];
        const double began_ms = now_ms();
        for (int call = 0; call < CALLS; call++)
            sum_of_ranks(MPI_COMM_WORLD, sum);
        ms[ALLREDUCE][i] = (now_ms() - began_ms) / CALLS;
    }
    MPI_Allreduce(MPI_IN_PLACE, &times->right, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    for (int t = 0; t < TIMES; t++)
        MPI_Allreduce(MPI_IN_PLACE, ms[t], rounds, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (int t = 0; t < TEAMS; t++)
        MPI_Allreduce(MPI_IN_PLACE, kernels_ms[t], rounds, MPI_DOUBLE, MPI_SUM,
                      MPI_COMM_WORLD);
    return sum;
}

/* The rows.  Where all ranks share a device, there is nothing to gain, so the headline
 * says what sharing costs; elsewhere it is the gain of a rank for each device. */
static void report(struct report *report, struct times *times, size_t size, int ranks,
                   int devices) {
    const int rounds = times->rounds, best = devices < ranks ? EACH : TOGETHER;
    struct ratio ratio;
    if (devices > 1)
        ratio = ratio_of(times->ms[best], times->ms[ALONE], rounds);
    else
        ratio = ratio_of(times->ms[ALONE], times->ms[TOGETHER], rounds);
    for (int t = 0; t < TIMES; t++) {
        char note[64] = "";
        struct row row = {.variant = names[t], .size = size};
        if (t == EACH && (devices == 1 || devices == ranks))
            continue;
        row.time = timing_of(times->ms[t], rounds);
        row.right = times->right;
        row.note = note;
        row.by_host = t == ALLREDUCE;
        if (t < TEAMS) {
            row.bytes = 2.0 * sizeof(float) * (double)size;
            snprintf(note, sizeof note, "kernels %.4g ms",
                     timing_of(times->kernels_ms[t], rounds).median_ms);
        }
        report_row(report, row);
    }
    report_headline(report,
                    devices > 1 ? "a rank for each device against one"
                                : "one rank against all on its device",
                    ratio);
    report_say(report, "kernels: the sum of their times, by the device's clock.");
}

int main(int argc, char **argv) {
    struct step step;
    const struct world world = join(&step, argc, argv);
    const size_t rank = (size_t)world.rank, ranks = (size_t)world.ranks;

    /* Every rank makes all numbers, so that it can check every sum.  (Otherwise it
     * would read its share and no more.)  Devices may differ: rank 0 says how many. */
    cl_uint n = step_size(&step, &sizes, 4, sizeof(float));
    MPI_Bcast(&n, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
    float *x = step_numbers(&step, (size_t)n + 1, 1),
          *y = step_numbers(&step, (size_t)n + 1, 2);

    /* Its share to its device; and to rank 0's, once more, all that is added up. */
    check_shares(n, ranks);
    const struct share share = share_of(n, rank, ranks),
                       whole = world.single ? share : (struct share){0, n};
    const struct part mine = part_new(&step, x, y, share),
                      all = rank == 0 ? part_new(&step, x, y, whole) : mine;

    /* The first rank on each device once more, among as many as there are devices. */
    bool is_first;
    int devices, number;
    const MPI_Comm firsts = first_on_device(&step, &world, &is_first, &devices);
    const bool some_share = devices > 1 && devices < world.ranks;
    MPI_Comm_rank(firsts, &number);
    const struct part each =
        some_share && is_first
            ? part_new(&step, x, y, share_of(n, (size_t)number, (size_t)devices))
            : mine;

    /* The lesson and its rows; then MPI's end: no rank can call it any more. */
    const struct team teams[TEAMS] = {
        {MPI_COMM_SELF, rank == 0 || world.single ? &all : NULL},
        {firsts, some_share && is_first ? &each : NULL},
        {MPI_COMM_WORLD, &mine}};
    const double expected = dot_on_host(x, y, whole);
    /* (This replaces the numbers of x.) */
    struct times times = {.right = tiny_right(&step, x, y, share)};
    const double sum = measure(&step, teams, expected, &times);
    report(&step.report, &times, whole.end - whole.begin,
           world.single ? 1 : world.ranks, devices);
    report_say(&step.report, "The sum, on every rank: %.4f", sum);
    ranks_say(&step, &world);
    const int status = step_close(&step);
    MPI_Finalize();
    return status;
}
