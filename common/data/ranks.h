/* ranks: MPI, or where a program is built without it, one rank alone; and how a step
 * begins that has several ranks.
 *
 * `make` finds MPI by its compiler, mpicc (common/commands/mpi.sh).  Without it a
 * program must still compile, and one rank needs no messages: it is number 0 of 1, it
 * waits for no other, and the sum of all is its own.  All of this is in the header,
 * because only the step that includes it is compiled with MPI. */
#ifndef RANKS_H
#define RANKS_H

#include "check.h"
#include "driver/crash.h"
#include "driver/program_end.h"
#include "step.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WITH_MPI
#include <mpi.h>

/* Ends the program as SKIPPED where there is no MPI. */
static inline void need_mpi(void) {
}
#else
static inline void need_mpi(void) {
    skip("there is no MPI, by which ranks exchange messages" HINT
         "make step22 run brings it; --of 3 needs none");
}

enum {
    MPI_COMM_WORLD,
    MPI_COMM_SELF,
    MPI_COMM_TYPE_SHARED,
    MPI_INFO_NULL,
    MPI_REQUEST_NULL
};
enum { MPI_INT = sizeof(int), MPI_UNSIGNED = sizeof(unsigned) };
enum { MPI_DOUBLE = sizeof(double), MPI_SUM = 0, MPI_MAX, MPI_LAND };
typedef int MPI_Comm, MPI_Request;
#define MPI_IN_PLACE NULL
#define MPI_STATUS_IGNORE NULL

static inline void one_rank_has(const void *mine, void *all, size_t bytes) {
    if (mine)
        memcpy(all, mine, bytes);
}

#define MPI_Init(argc, argv) ((void)(argc), (void)(argv))
#define MPI_Finalize() ((void)0)
#define MPI_Abort(ranks, status) ((void)(status))
#define MPI_Comm_rank(ranks, rank) ((void)(ranks), (void)(*(rank) = 0))
#define MPI_Comm_size(ranks, size) ((void)(ranks), (void)(*(size) = 1))
#define MPI_Comm_split(ranks, color, key, part) ((void)(color), (void)(*(part) = 0))
#define MPI_Comm_split_type(ranks, type, key, info, part) ((void)(*(part) = 0))
#define MPI_Barrier(ranks) ((void)(ranks))
#define MPI_Ibarrier(ranks, request) ((void)(*(request) = MPI_REQUEST_NULL))
#define MPI_Test(request, done, status) ((void)(request), (void)(*(done) = 1))
#define MPI_Bcast(data, count, type, from, ranks) ((void)(data))
#define MPI_Allreduce(mine, all, count, type, operation, ranks)                        \
    ((void)(ranks), one_rank_has((mine), (all), (size_t)(count) * (size_t)(type)))
#endif

/* What ends a program early comes here (driver/program_end.h), and an error ends all
 * ranks.  If only the rank that found it left, the others would wait for it in their
 * next collective call for ever. */
_Noreturn void program_end(int status) {
    int rank, ranks;
    crash_done();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > 1 && status != RIGHT)
        MPI_Abort(MPI_COMM_WORLD, status);
    if (rank == 0) /* after --help: the others wait in ranks_open() */
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    exit(status);
}

/* Which rank this is, and of how many; the same among those of its machine. */
struct world {
    int rank, ranks, local, here;
    bool single; /* without the others, see below */
};

/* step_open() for each rank, with device number `local`.  Rank 0 goes first, and it
 * alone writes to stdout and to the file of --rows: so what is wrong for every rank is
 * said once.  With --as R --of N, a single program, which has no others to talk to,
 * does what rank R of N would do, and `world` says so. */
static inline void ranks_open(struct step *step, int argc, char **argv,
                              const char *name, struct world *world) {
    size_t as = 0, of = 0;
    const struct own_option own[] = {
        {"as", "R", "be rank R, without the others (0)", .number = &as, 0, 1 << 20},
        {"of", "N", "of N ranks", .number = &of, 1, 1 << 20}};
    const bool first = world->rank == 0;
    if (!first)
        MPI_Barrier(MPI_COMM_WORLD);
    if (!first && !freopen("/dev/null", "w", stdout))
        die("cannot open /dev/null" HINT "only rank 0 has something to print");
    step_open(step, argc, argv,
              &(struct usage){.step = name,
                              .own = own,
                              .own_count = COUNT(own),
                              .device = (size_t)world->local});
    if (first)
        MPI_Barrier(MPI_COMM_WORLD);
    else
        step->report.rows = NULL;
    if (of > 0 ? as >= of || world->ranks > 1 : as > 0)
        die("there is no single rank %zu of %zu" HINT
            "without mpirun, and with --as below --of: --as 2 --of 3",
            as, of);
    if (of == 0)
        need_mpi();
    else
        *world = (struct world){(int)as, (int)of, 0, 1, true};
}

/* Waits for all ranks.  MPI's own calls look again and again whether a message is
 * there, which takes a core from the rank that works; so this one sleeps in between. */
static inline void ranks_wait_asleep(void) {
    MPI_Request request;
    int all_here = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (MPI_Test(&request, &all_here, MPI_STATUS_IGNORE), !all_here)
        poll(NULL, 0, 1); /* a millisecond */
}

/* Says under the table how many ranks there are, and how many devices they share. */
static inline void ranks_say(struct step *step, const struct world *world) {
    cl_device_id found[MAX_DEVICES];
    report_say(&step->report, "Ranks: %d, on this machine %d, with %u of its devices.",
               world->ranks, world->here, device_choices(step->options.device, found));
}

#endif
