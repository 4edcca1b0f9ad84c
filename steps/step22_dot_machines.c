/* Step 22: several machines: MPI
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
#include "check.h"
#include "driver/crash.h"
#include "driver/program_end.h"
#include "step.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef WITH_MPI
#include <mpi.h>
static const bool has_mpi = true;
#else
#include "driver/one_rank.h"
static const bool has_mpi = false;
#endif

enum { GROUP = 256, MAX_GROUPS = 2048, ELEMENTS_EACH = 64 };
enum { ROUNDS = 15, CALLS = 100 }; /* of all sums; of the allreduce in each round */

static const struct sizes sizes = {.cpu = 1 << 22, .cpu_full = 1 << 26, .gpu = 1 << 28};

/* Who adds up.  Where there are more ranks than devices, some share a device; then one
 * rank for each device is a team of its own. */
enum { ALONE, EACH, TOGETHER, TEAMS };
static const char *const team_names[TEAMS] = {
    "one rank alone", "a rank for each device", "all ranks, a share each"};

/* ---- Ranks. */

/* This rank's number, and how many ranks there are: in all, and on its machine. */
struct world {
    int rank, ranks, local, here;
    bool single; /* one of them by itself: --as 2 --of 3 */
};

static struct world join(int argc, char **argv) {
    struct world world = {.single = false};
    MPI_Comm machine;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.ranks);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                        &machine);
    MPI_Comm_rank(machine, &world.local);
    MPI_Comm_size(machine, &world.here);
    return world;
}

/* Whatever ends a program early comes here (driver/program_end.h), and an error ends
 * all ranks.  If only the rank that found it left, the others would wait for it in
 * their next collective call for ever. */
_Noreturn void program_end(int status) {
    int rank, ranks;
    crash_done();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > 1 && status != RIGHT)
        MPI_Abort(MPI_COMM_WORLD, status);
    if (rank == 0) /* after --help: the others wait in open_device() */
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    exit(status);
}

/* The first rank of a machine opens device 0, the second one device 1, and so on.  Rank
 * 0 goes first, and it alone writes to stdout and to the file of --rows: so what is
 * wrong for every rank is said once.  With --as R --of N, a single program, which has
 * no others to talk to, does what rank R of N would do. */
static void open_device(struct step *step, int argc, char **argv, struct world *world) {
    size_t as = 0, of = 0;
    const struct own_option own[] = {
        {"as", "R", "be rank R, without the others (0)", .number = &as, 0, 1 << 20},
        {"of", "N", "of N ranks", .number = &of, 1, 1 << 20}};
    const struct usage usage = {.step = "step22_dot_machines",
                                .lesson =
                                    "the same dot product, by one rank or by several",
                                .own = own,
                                .own_count = COUNT(own),
                                .device = (size_t)world->local};
    if (world->rank == 0) {
        step_open(step, argc, argv, &usage);
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        if (!freopen("/dev/null", "w", stdout))
            die("cannot open /dev/null" HINT "only rank 0 has something to print");
        step_open(step, argc, argv, &usage);
        step->report.rows = NULL;
    }

    const bool is_asked = as > 0 || of > 0, is_possible = as < of && world->ranks == 1;
    if (is_asked && !is_possible)
        die("there is no single rank %zu of %zu" HINT
            "without mpirun, and with --as below --of: --as 2 --of 3",
            as, of);
    if (is_asked)
        *world = (struct world){
            .rank = (int)as, .ranks = (int)of, .here = 1, .single = true};
    else if (!has_mpi)
        skip("there is no MPI, by which ranks exchange messages" HINT
             "make step22 run brings it; --of 3 needs none");
}

/* Waits for all ranks.  MPI's own calls look again and again whether a message is
 * there, which takes a core from the rank that works; so this one sleeps in between. */
static void wait_asleep(void) {
    MPI_Request request;
    int all_here = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Test(&request, &all_here, MPI_STATUS_IGNORE);
    while (!all_here) {
        poll(NULL, 0, 1); /* a millisecond */
        MPI_Test(&request, &all_here, MPI_STATUS_IGNORE);
    }
}

/* ---- Shares. */

/* A rank has the elements begin to end - 1. */
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
        const size_t count = share.end - share.begin, least = n / ranks;
        const bool is_last = rank + 1 == ranks;
        next += count;
        if (share.end != next || count < least || count > least + 1 ||
            (is_last && next != n)) {
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

/* Of each round: how long each team took, and the sum of its kernels' times; when all
 * worked together, how long the kernel of the slowest rank took, and how much longer
 * all took than one rank for each device; and how long the allreduce took by itself. */
struct times {
    double *ms[TEAMS], *kernels_ms[TEAMS];
    double *slowest_kernel_ms, *lost_ms, *allreduce_ms;
    int rounds;
    int right; /* is all that was added up right? */
};

static struct times make_times(struct step *step) {
    struct times times = {.rounds = ROUNDS, .right = true};
    if (step->options.repeats > 0)
        times.rounds = step->options.repeats;
    const size_t rounds = (size_t)times.rounds;
    for (int t = 0; t < TEAMS; t++) {
        times.ms[t] = step_array(step, rounds, sizeof *times.ms[t]);
        times.kernels_ms[t] = step_array(step, rounds, sizeof *times.kernels_ms[t]);
    }
    times.slowest_kernel_ms = step_array(step, rounds, sizeof(double));
    times.lost_ms = step_array(step, rounds, sizeof(double));
    times.allreduce_ms = step_array(step, rounds, sizeof(double));
    return times;
}

static double time_allreduce(double number) {
    const double began_ms = now_ms();
    for (int call = 0; call < CALLS; call++)
        sum_of_ranks(MPI_COMM_WORLD, number);
    return (now_ms() - began_ms) / CALLS;
}

/* Of all ranks: the largest of each time, or the sum. */
static void largest(double *ms, int rounds) {
    MPI_Allreduce(MPI_IN_PLACE, ms, rounds, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

static void total(double *ms, int rounds) {
    MPI_Allreduce(MPI_IN_PLACE, ms, rounds, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* In each round one team after the other adds up all elements, each of its ranks a
 * share, while the others sleep; last, the allreduce by itself.  Returns the sum. */
static double measure(struct step *step, const struct team teams[TEAMS],
                      double expected, struct times *times) {
    double sum = 0.0;
    if (times->rounds > 1)
        warm_up(&step->device, &teams[TOGETHER].part->launch);
    for (int i = 0; i < times->rounds; i++) {
        for (int t = 0; t < TEAMS; t++) {
            wait_asleep();
            if (teams[t].part)
                sum = time_sum(teams[t].ranks, teams[t].part, expected, &times->right,
                               &times->ms[t][i], &times->kernels_ms[t][i]);
        }
        times->slowest_kernel_ms[i] = times->kernels_ms[TOGETHER][i];
        times->allreduce_ms[i] = time_allreduce(sum);
    }
    MPI_Allreduce(MPI_IN_PLACE, &times->right, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    for (int t = 0; t < TEAMS; t++) {
        largest(times->ms[t], times->rounds);
        total(times->kernels_ms[t], times->rounds);
    }
    largest(times->slowest_kernel_ms, times->rounds);
    largest(times->allreduce_ms, times->rounds);
    return sum;
}

/* A rank for each device: the team of one where all share a device, and the team of all
 * where no device is shared. */
static const double *unshared_ms(const struct times *times, int ranks, int devices) {
    if (devices == 1)
        return times->ms[ALONE];
    return times->ms[devices < ranks ? EACH : TOGETHER];
}

/* Where all ranks share a device, there is nothing to gain, so the headline says what
 * sharing costs; elsewhere it is the gain of a rank for each device. */
static struct ratio gain_of(const struct times *times, int ranks, int devices) {
    const double *alone_ms = times->ms[ALONE];
    if (devices == 1)
        return ratio_of(alone_ms, times->ms[TOGETHER], times->rounds);
    return ratio_of(unshared_ms(times, ranks, devices), alone_ms, times->rounds);
}

/* The rows of all teams.  EACH has a row only if it is neither ALONE nor TOGETHER. */
static void report_teams(struct report *report, const struct times *times,
                         struct row row, int ranks, int devices) {
    row.bytes = 2.0 * sizeof(float) * (double)row.size;
    for (int t = 0; t < TEAMS; t++) {
        char note[64];
        if (t == EACH && (devices == 1 || devices == ranks))
            continue;
        const struct timing kernels = timing_of(times->kernels_ms[t], times->rounds);
        snprintf(note, sizeof note, "kernels %.4g ms", kernels.median_ms);
        row.variant = team_names[t];
        row.time = timing_of(times->ms[t], times->rounds);
        row.note = note;
        report_row(report, row);
    }
}

/* What it costs that ranks share a GPU, if the clock can tell.  A CPU runs kernels of
 * several processes at the same time, so it has no such row. */
static void report_sharing(struct report *report, const struct times *times,
                           struct row row, int ranks, int devices) {
    const double *each_ms = unshared_ms(times, ranks, devices);
    const double *together_ms = times->ms[TOGETHER];
    const struct ratio loss = ratio_of(each_ms, together_ms, times->rounds);
    if (report->device->is_cpu || !told_apart(loss) || loss.median < 1.0)
        return;

    for (int i = 0; i < times->rounds; i++)
        times->lost_ms[i] = together_ms[i] - each_ms[i];
    row.variant = "lost by sharing";
    row.time = timing_of(times->lost_ms, times->rounds);
    row.by_host = true;
    report_row(report, row);
}

static void report_times(struct report *report, const struct times *times, size_t size,
                         int ranks, int devices) {
    struct row row = {.size = size, .right = times->right, .note = ""};
    report_teams(report, times, row, ranks, devices);
    report_sharing(report, times, row, ranks, devices);

    row.variant = "kernel, slowest rank";
    row.time = timing_of(times->slowest_kernel_ms, times->rounds);
    report_row(report, row);

    row.variant = "allreduce, 8 bytes";
    row.time = timing_of(times->allreduce_ms, times->rounds);
    row.by_host = true;
    report_row(report, row);
}

/* This rank's parts, and the teams that it belongs to.  Returns the number of devices.
 */
static int make_teams(struct step *step, const struct world *world, const float *x,
                      const float *y, size_t n, struct part parts[TEAMS],
                      struct team teams[TEAMS]) {
    const size_t rank = (size_t)world->rank, ranks = (size_t)world->ranks;
    const struct share share = share_of(n, rank, ranks);
    parts[TOGETHER] = part_new(step, x, y, share);
    teams[TOGETHER] = (struct team){MPI_COMM_WORLD, &parts[TOGETHER]};

    teams[ALONE] = (struct team){MPI_COMM_SELF, NULL};
    if (rank == 0 || world->single) {
        const struct share whole = {0, n};
        parts[ALONE] = part_new(step, x, y, world->single ? share : whole);
        teams[ALONE].part = &parts[ALONE];
    }

    /* The first ranks on their devices divide all elements among themselves. */
    bool is_first;
    int devices, number;
    const MPI_Comm firsts = first_on_device(step, world, &is_first, &devices);
    MPI_Comm_rank(firsts, &number);
    teams[EACH] = (struct team){firsts, NULL};
    if (is_first && devices > 1 && devices < world->ranks) {
        parts[EACH] =
            part_new(step, x, y, share_of(n, (size_t)number, (size_t)devices));
        teams[EACH].part = &parts[EACH];
    }
    return devices;
}

int main(int argc, char **argv) {
    struct step step;
    struct world world = join(argc, argv);
    open_device(&step, argc, argv, &world);
    const size_t rank = (size_t)world.rank, ranks = (size_t)world.ranks;

    /* Every rank makes all numbers, so that it can check every sum.  In your programs
     * let it read its share only.  Devices may differ: rank 0 says how many. */
    cl_uint n = step_size(&step, &sizes, 4, sizeof(float));
    MPI_Bcast(&n, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
    float *x = step_numbers(&step, (size_t)n + 1, 1),
          *y = step_numbers(&step, (size_t)n + 1, 2);

    /* Its share goes to its device, and all elements also go to rank 0's device. */
    check_shares(n, ranks);
    const struct share share = share_of(n, rank, ranks);
    const struct share whole = world.single ? share : (struct share){0, n};
    struct part parts[TEAMS];
    struct team teams[TEAMS];
    const int devices = make_teams(&step, &world, x, y, n, parts, teams);

    /* The lesson. */
    const double expected = dot_on_host(x, y, whole);
    struct times times = make_times(&step);
    times.right = tiny_right(&step, x, y, share); /* it replaces the numbers of x */
    const double sum = measure(&step, teams, expected, &times);

    /* The result; then MPI's end: no rank can call it any more. */
    struct report *report = &step.report;
    const int together = world.single ? 1 : world.ranks;
    const struct ratio gain = gain_of(&times, together, devices);
    cl_device_id found[MAX_DEVICES];
    report_times(report, &times, whole.end - whole.begin, together, devices);
    report_headline(report,
                    devices > 1 ? "a rank for each device, not one"
                                : "one rank, not all on its device",
                    gain, NULL);
    report_say(report, "kernels: the sum of their times, by the device's clock.");
    report_say(report, "The sum, on every rank: %.4f", sum);
    report_say(report, "Ranks: %d, on this machine %d, with %u of its devices.",
               world.ranks, world.here, device_choices(step.options.device, found));
    const int status = step_close(&step);
    MPI_Finalize();
    return status;
}
