/* totals: what a whole launch moves, so that two versions of a kernel can be compared.
 */
#ifndef TOTALS_H
#define TOTALS_H

#include "by_place.h"

struct sums {                         /* of the groups that were replayed */
    uint64_t requests, sectors, used; /* global memory and images; used: bytes */
    uint64_t local_requests, passes;
    uint64_t constant_requests, addresses;
    uint64_t atomics; /* operations */
    uint64_t branches, diverged;
};

struct sums sums_of(const struct facts *facts, const struct run *run);

/* The same of the whole launch, if only some groups were replayed. */
struct sums sums_of_launch(const struct facts *facts, const struct run *run);

/* The same number for all work-items of the launch, if only some were replayed. */
uint64_t sums_scaled(const struct run *run, uint64_t number);

/* "In all: 8448 requests of global memory move ...", in lines with an end each; empty:
 * nothing was counted.  The caller frees it. */
char *sums_in_words(const struct facts *facts, const struct run *run);

#endif
