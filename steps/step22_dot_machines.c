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
 * Races      --size 50021 --of 3
 * Ranks      4
 */
#define _POSIX_C_SOURCE 199309L /* nanosleep */
#include "check.h"
#include "ranks.h"
#include "step.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { GROUP = 256, MAX_GROUPS = 2048, ELEMENTS_EACH = 64, ROUNDS = 15, CALLS = 100 };
static const struct sizes sizes = {.cpu = 1 << 22, .cpu_full = 1 << 26, .gpu = 1 << 28};

/* What is timed: by the host's clock, but of the kernel, by the device's. */
enum { ALONE, TOGETHER, KERNEL, ALLREDUCE, TIMES };
static const char *const names[] = {"one rank alone", "all ranks, a share each",
                                    "kernel, slowest rank", "allreduce, 8 bytes"};

/* Which rank this is, and of how many.  With --as R --of N a single program, which has
 * no others to talk to, does what rank R of N would do. */
struct world {
    size_t rank, ranks, here; /* `here`: on this machine */
    bool single;
};

/* What ends a program early comes here (common/quit.h), and an error ends all ranks. If
 * only the rank that found it left, the others would wait for it in their next
 * collective call for ever. */
_Noreturn void quit(int status) {
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > 1 && status != RIGHT)
        MPI_Abort(MPI_COMM_WORLD, status);
    MPI_Finalize();
    exit(status);
}

/* Options and device.  The first rank of each machine takes its device 0, the second
 * one device 1, and so on.  Rank 0 of all goes first, and it alone writes to stdout: so
 * what is wrong for every rank is said once. */
static struct world join(struct step *step, int argc, char **argv) {
    int rank, ranks, local, here;
    size_t as = 0, of = 0;
    const struct own_option own[] = {
        {"as", "R", "be rank R, without the others (0)", .number = &as, 0, 1 << 20},
        {"of", "N", "of N ranks", .number = &of, 1, 1 << 20}};
    MPI_Comm machine;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                        &machine);
    MPI_Comm_rank(machine, &local);
    MPI_Comm_size(machine, &here);

    if (rank > 0)
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank > 0 && !freopen("/dev/null", "w", stdout))
        die("cannot open /dev/null" HINT "only rank 0 has something to print");
    step_open_number(step, argc, argv,
                     &(struct usage){"step22_dot_machines", 0, 1, own, COUNT(own)},
                     (size_t)local);
    if (rank == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    else
        step->report.rows = NULL; /* of --rows FILE: one rank writes it */
    if (of > 0 ? as >= of || ranks > 1 : as > 0)
        die("there is no single rank %zu of %zu" HINT "try --as 2 --of 3", as, of);
    if (of == 0)
        need_mpi();
    return of > 0 ? (struct world){as, of, 1, true}
                  : (struct world){(size_t)rank, (size_t)ranks, (size_t)here, false};
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
        const size_t count = share.end - share.begin;
        const bool is_last = rank + 1 == ranks;
        if (share.begin != next || count < n / ranks || count > n / ranks + 1 ||
            (is_last && share.end != n)) {
            fprintf(stderr, "error: rank %zu of %zu has elements %zu to %zu of %zu\n",
                    rank, ranks, share.begin, share.end, n);
            quit(WRONG);
        }
        next = share.end;
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
    double expected;
    struct launch launch;
    cl_mem sums_buffer;
    float *sums;
    size_t groups;
};

static struct part part_new(struct step *step, const float *x, const float *y,
                            struct share share) {
    const cl_uint n = (cl_uint)(share.end - share.begin);
    const size_t group = step_group(step, GROUP), each = group * ELEMENTS_EACH;
    const size_t groups = n < MAX_GROUPS * each ? n / each + 1 : MAX_GROUPS;
    const size_t bytes = (n > 0 ? n : 1) * sizeof *x; /* no buffer can be empty */
    struct part part = {.expected = dot_on_host(x, y, share), .groups = groups};
    part.sums = step_array(step, groups, sizeof *x);
    part.sums_buffer = buffer_new(&step->device, groups * sizeof *x);
    cl_mem x_buffer = buffer_from(&step->device, x + share.begin, bytes),
           y_buffer = buffer_from(&step->device, y + share.begin, bytes);
    part.launch =
        LAUNCH(step, "dot_machines", groups * group, group, ARG(x_buffer),
               ARG(y_buffer), ARG(part.sums_buffer), LOCAL(group * sizeof *x), ARG(n));
    return part;
}

/* The device adds up the elements of each group, and the host the sums of the groups.
 */
static double sum_of_part(struct device *device, const struct part *part,
                          double *kernel_ms) {
    double sum = 0.0;
    *kernel_ms = launch_ms(device, &part->launch);
    CHECK(clEnqueueReadBuffer(device->queue, part->sums_buffer, CL_TRUE, 0,
                              part->groups * sizeof(float), part->sums, 0, NULL, NULL));
    for (size_t g = 0; g < part->groups; g++)
        sum += (double)part->sums[g];
    return sum;
}

/* Every rank gives one number, and every rank receives their sum. */
static double sum_of_ranks(double mine) {
    double sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

/* Launches, and is the sum right?  Other numbers take the place of what was written, so
 * that the next launch has to write all of it again. */
static bool part_right(struct device *device, const struct part *part) {
    const size_t bytes = part->groups * sizeof(float);
    double ms;
    const bool right = equal_sum(sum_of_part(device, part, &ms), part->expected);
    buffer_read(device, part->sums_buffer, part->sums, bytes); /* and its guards */
    for (size_t g = 0; g < part->groups; g++)
        part->sums[g] += 0.25f;
    buffer_write(device, part->sums_buffer, part->sums, bytes);
    return right;
}

/* Waits for all ranks.  MPI's own calls look again and again whether a message is
 * there, which takes a core from the rank that works; so this one sleeps in between. */
static void wait_asleep(void) {
    MPI_Request request;
    int all_here = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (MPI_Test(&request, &all_here, MPI_STATUS_IGNORE), !all_here)
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

/* One round: rank 0 adds up all elements, while the others sleep; then each its share.
 * Both do it twice, and the second time counts: the first one wakes the cores.  Returns
 * the sum of all ranks, and in `ms` what took the slowest of them how long. */
static double time_round(struct device *device, const struct part *all,
                         const struct part *mine, double ms[TIMES]) {
    double sum = 0.0, began_ms = now_ms();
    wait_asleep();
    for (int i = 0; all && i < 2; i++) {
        began_ms = now_ms();
        sum_of_part(device, all, &ms[KERNEL]);
    }
    ms[ALONE] = all ? now_ms() - began_ms : 0.0;
    wait_asleep();
    for (int i = 0; i < 2; i++) {
        MPI_Barrier(MPI_COMM_WORLD); /* all begin together */
        began_ms = now_ms();
        sum = sum_of_ranks(sum_of_part(device, mine, &ms[KERNEL]));
    }
    ms[TOGETHER] = now_ms() - began_ms;
    MPI_Barrier(MPI_COMM_WORLD);
    began_ms = now_ms();
    for (int i = 0; i < CALLS; i++)
        sum_of_ranks(sum);
    ms[ALLREDUCE] = (now_ms() - began_ms) / CALLS;
    MPI_Allreduce(MPI_IN_PLACE, ms, TIMES, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return sum;
}

/* All rounds, and their rows; in each of them every rank must receive the right sum. */
static void measure(struct step *step, const struct part *all, const struct part *mine,
                    struct row row, double expected) {
    struct device *device = &step->device;
    const int rounds = step->options.repeats ? step->options.repeats : ROUNDS;
    double sum = 0.0, round_ms[TIMES], *ms[TIMES];
    for (int t = 0; t < TIMES; t++)
        ms[t] = step_array(step, (size_t)rounds, sizeof(double));
    int right = part_right(device, mine) && (!all || part_right(device, all));
    if (rounds > 1)
        warm_up(device, &mine->launch);
    for (int i = 0; i < rounds; i++) {
        sum = time_round(device, all, mine, round_ms);
        right = right && equal_sum(sum, expected);
        for (int t = 0; t < TIMES; t++)
            ms[t][i] = round_ms[t];
    }
    right = right &&
            right_again(part_right(device, mine) && (!all || part_right(device, all)));
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);

    const struct ratio faster = ratio_of(ms[TOGETHER], ms[ALONE], rounds);
    for (int t = 0; t < TIMES; t++) {
        row.variant = names[t];
        row.time = timing_of(ms[t], rounds);
        row.bytes = t == ALLREDUCE ? 0.0 : 2.0 * sizeof(float) * (double)row.size;
        row.right = right;
        report_row(&step->report, row);
    }
    report_headline(&step->report, "all ranks against one alone", faster);
    report_say(&step->report, "The sum, on every rank: %.4f", sum);
}

int main(int argc, char **argv) {
    struct step step;
    const struct world world = join(&step, argc, argv);

    /* Every rank makes all numbers, so that it can check every sum.  (Otherwise it
     * would read its share and no more.)  Devices may differ: rank 0 says how many. */
    cl_uint n = step_size(&step, &sizes, 4, sizeof(float));
    MPI_Bcast(&n, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
    const float *x = step_numbers(&step, n + 1u, 1),
                *y = step_numbers(&step, n + 1u, 2);

    /* Its share to its device; and to rank 0's, once more, all that is added up. */
    check_shares(n, world.ranks);
    const struct share share = share_of(n, world.rank, world.ranks),
                       whole = world.single ? share : (struct share){0, n};
    const bool first = world.single || world.rank == 0;
    const struct part mine = part_new(&step, x, y, share),
                      all = first ? part_new(&step, x, y, whole) : mine;

    /* The lesson and its rows; then MPI's end: no rank can call it any more. */
    measure(&step, first ? &all : NULL, &mine,
            (struct row){.size = whole.end - whole.begin}, dot_on_host(x, y, whole));
    cl_device_id found[MAX_DEVICES];
    report_say(&step.report, "Ranks: %zu, on this machine %zu, with %u of its devices.",
               world.ranks, world.here, device_choices(step.options.device, found));
    const int status = step_close(&step);
    MPI_Finalize();
    return status;
}
