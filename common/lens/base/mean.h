/* mean: a sum divided by a count. */
#ifndef MEAN_H
#define MEAN_H

#include <stdint.h>

/* 0 if nothing was counted. */
static inline double mean(uint64_t sum, uint64_t count) {
    return count ? (double)sum / (double)count : 0.0;
}

#endif
