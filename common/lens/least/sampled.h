/* sampled: a time out of a sample, whose two halves have to agree. */
#ifndef SAMPLED_H
#define SAMPLED_H

#include "least.h"

struct sampled {
    struct least least;  /* the shorter one */
    const char *refusal; /* why it is not known; NULL: it is */
};

/* Of one demand, or of those of two halves: they may differ by one hundredth. */
struct sampled least_of_sample(const struct demand *demands, size_t count,
                               const struct profile *profile);

/* What binds it in words, or "waiting". */
const char *least_binds(const struct least *least);

#endif
