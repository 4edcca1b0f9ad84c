#include "measure/ulp.h"

#include <math.h>

int64_t units(float x) {
    return (int64_t)(x * 0x1p24f);
}

int64_t exact_sum(const float *x, size_t n) {
    int64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += units(x[i]);
    return sum;
}

double ulps_off(float sum, int64_t exact) {
    int exponent;
    frexp(exact ? (double)exact : 1.0, &exponent);
    if (!(fabsf(sum) < 0x1p39f))
        return INFINITY;
    return fabs((double)units(sum) - (double)exact) / ldexp(1.0, exponent - 24);
}

void random_numbers(float *x, size_t n, unsigned seed) {
    uint32_t state = seed ? seed : 1; /* xorshift never leaves 0 */
    for (size_t i = 0; i < n; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        x[i] = (float)(state >> 8) * 0x1p-24f;
    }
}

void cancelling_numbers(float *x, size_t n, unsigned seed) {
    const size_t half = (n - 1) / 2;
    random_numbers(x, n, seed);
    for (size_t i = 0; i < half; i++) {
        x[i] = ldexpf(x[i], (int)(i % 10));
        x[half + i] = -x[i];
    }
}
