/* sampled: see sampled.h. */
#include "sampled.h"

#include <math.h>

static const double apart = 0.01;

struct sampled least_of_sample(const struct demand *demands, size_t count,
                               const struct profile *profile) {
    struct sampled sampled = {.refusal = demands[0].refusal};
    if (sampled.refusal)
        return sampled;
    sampled.least = least_of(&demands[0], profile);
    for (size_t i = 1; i < count; i++) {
        const struct least other = least_of(&demands[i], profile);
        const double one = sampled.least.seconds;
        if (fabs(one - other.seconds) > apart * fmax(one, other.seconds))
            sampled.refusal = "two halves of the sample differ by more than 1 %";
        if (other.seconds < one)
            sampled.least = other;
    }
    return sampled;
}

const char *least_binds(const struct least *least) {
    return least->waits ? "waiting" : resource_names[least->binds];
}
