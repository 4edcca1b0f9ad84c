/* one_rank: MPI where there is none: the calls of step 22, for a program that is alone.
 *
 * `make` finds MPI by its compiler, mpicc (common/commands/mpi.sh).  Without it the
 * step must still compile, and one rank needs no messages: it is number 0 of 1, it
 * waits for no other, and the sum of all is its own. */
#ifndef ONE_RANK_H
#define ONE_RANK_H

#include <string.h>

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
