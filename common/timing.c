#include "timing.h"

#include "data.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A first launch compiles and uploads, and an idle GPU runs at a fraction of its clock
 * for some 200 ms; a CPU, which is not idle before, needs some 10 ms. */
double warm_up(struct device *device, const struct launch *launch) {
    const double enough_ms = device->is_cpu ? 20.0 : 200.0;
    double busy_ms = 0.0, last_ms = 0.0;
    const double began_ms = now_ms();
    for (int i = 0; i < 3 || !device->warm; i++) {
        last_ms = launch_ms(device, launch);
        busy_ms = now_ms() - began_ms;
        device->warm = device->warm || busy_ms > enough_ms;
        if (busy_ms > 1000.0)
            break;
    }
    return last_ms;
}

static int choose_repeats(int wanted, double expected_ms) {
    if (wanted > 0)
        return expected_ms > 2000.0 && wanted > 3 ? 3 : wanted;
    const double enough = 500.0 / expected_ms;
    return enough < 3.0 ? 3 : enough < 50.0 ? (int)enough : 50;
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How many samples lie outside, on each side: a quarter, but of few samples fewer, so
 * that chance alone puts the true median there in one case of ten at most.  (Each
 * sample lies on either side of it with equal chance, as in a sign test.) */
static int outside(int count) {
    double chance = pow(0.5, count), at_most = chance;
    int rank = 0;
    while (rank < count / 4) {
        chance *= (double)(count - rank) / (rank + 1);
        at_most += chance;
        if (2.0 * at_most > 0.1)
            break;
        rank++;
    }
    return rank;
}

static double *sorted(const double *numbers, int count) {
    assert(count > 0); /* nothing has no median */
    double *copy = allocate((size_t)count, sizeof *copy);
    memcpy(copy, numbers, (size_t)count * sizeof *copy);
    qsort(copy, (size_t)count, sizeof *copy, by_value);
    return copy;
}

struct timing timing_of(const double *samples_ms, int count) {
    double *ms = sorted(samples_ms, count);
    const struct timing timing = {.median_ms = ms[count / 2],
                                  .fastest_ms = ms[0],
                                  .slowest_ms = ms[count - 1],
                                  .lower_ms = ms[outside(count)],
                                  .upper_ms = ms[count - 1 - outside(count)],
                                  .repeats = count};
    free(ms);
    assert(timing.lower_ms <= timing.median_ms && timing.median_ms <= timing.upper_ms);
    return timing;
}

struct ratio ratio_of(const double *a_ms, const double *b_ms, int count) {
    assert(count > 0);
    double *ratios = allocate((size_t)count, sizeof *ratios);
    for (int i = 0; i < count; i++)
        ratios[i] = b_ms[i] / a_ms[i];
    qsort(ratios, (size_t)count, sizeof *ratios, by_value);
    const struct ratio ratio = {ratios[count / 2], ratios[outside(count)],
                                ratios[count - 1 - outside(count)], count};
    free(ratios);
    return ratio;
}

struct ratio ratio_inverse(struct ratio ratio) {
    return (struct ratio){1.0 / ratio.median, 1.0 / ratio.upper, 1.0 / ratio.lower,
                          ratio.repeats};
}

struct ratio ratio_between(struct timing a, struct timing b) {
    return (struct ratio){b.median_ms / a.median_ms, b.lower_ms / a.upper_ms,
                          b.upper_ms / a.lower_ms,
                          a.repeats < b.repeats ? a.repeats : b.repeats};
}

struct ratio ratio_of_ratios(struct ratio a, struct ratio b) {
    return (struct ratio){.median = b.median / a.median,
                          .lower = b.lower / a.upper,
                          .upper = b.upper / a.lower,
                          .repeats = a.repeats < b.repeats ? a.repeats : b.repeats};
}

bool told_apart(struct ratio ratio) {
    return ratio.repeats >= 3 && (ratio.lower > 1.005 || ratio.upper < 0.995);
}

/* "4.3 times faster (4.28 to 4.33)" */
static struct phrase compare(struct ratio ratio, const char *how) {
    struct phrase phrase;
    if (ratio.upper < 999.5)
        snprintf(phrase.text, sizeof phrase.text, "%.3g times %s (%.3g to %.3g)",
                 ratio.median, how, ratio.lower, ratio.upper);
    else
        snprintf(phrase.text, sizeof phrase.text, "%.0f times %s (%.0f to %.0f)",
                 ratio.median, how, ratio.lower, ratio.upper);
    return phrase;
}

struct phrase in_words(struct ratio ratio) {
    struct phrase phrase;
    if (told_apart(ratio))
        return ratio.median >= 1.0 ? compare(ratio, "faster")
                                   : compare(ratio_inverse(ratio), "slower");
    if (ratio.repeats < 3)
        snprintf(phrase.text, sizeof phrase.text, "not told apart (too few launches)");
    else
        snprintf(phrase.text, sizeof phrase.text,
                 "not told apart (%.2f to %.2f times as fast)", ratio.lower,
                 ratio.upper);
    return phrase;
}

/* One repeat is a quick look, at results more than at times: nothing is warmed up. */
static double expect_ms(struct device *device, const struct launch *launch,
                        int repeats) {
    return repeats == 1 ? 0.0 : warm_up(device, launch);
}

struct timing time_launches(struct device *device, struct launch launch, int repeats) {
    const double expected_ms = expect_ms(device, &launch, repeats);
    if (expected_ms > 1000.0 && repeats == 0)
        return timing_of((double[]){expected_ms}, 1);
    const int count = choose_repeats(repeats, expected_ms);
    double *samples_ms = allocate((size_t)count, sizeof *samples_ms);
    for (int i = 0; i < count; i++)
        samples_ms[i] = launch_ms(device, &launch);
    const struct timing timing = timing_of(samples_ms, count);
    free(samples_ms);
    return timing;
}

struct ratio time_pair(struct device *device, struct launch a, struct launch b,
                       int repeats, struct timing times[2]) {
    const double expected_ms =
        expect_ms(device, &a, repeats) + expect_ms(device, &b, repeats);
    const int count = choose_repeats(repeats, expected_ms);
    double *a_ms = allocate((size_t)count, sizeof *a_ms);
    double *b_ms = allocate((size_t)count, sizeof *b_ms);
    for (int i = 0; i < count; i++) {
        a_ms[i] = launch_ms(device, &a);
        b_ms[i] = launch_ms(device, &b);
    }
    const struct ratio ratio = ratio_of(a_ms, b_ms, count);
    times[0] = timing_of(a_ms, count);
    times[1] = timing_of(b_ms, count);
    free(b_ms);
    free(a_ms);
    return ratio;
}
