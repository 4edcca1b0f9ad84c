/* passes: what local memory and the first level of the cache serve in a second. */
#include "check.h"
#include "compare.h"
#include "data.h"
#include "profile/trial.h"

#include <stdlib.h>
#include <string.h>

/* As in peaks.cl. */
enum { SPAN = 1024, WORDS = 3 * SPAN, VECTOR_SPAN = SPAN / 2, CELLS = 1024 };
enum { VECTORS = VECTOR_SPAN + 32 + 7 * 32, STEP = 32 };
enum { LOADS = 16, VECTOR_LOADS = 8, STORES = 8, LAUNCHES = 10 };
static const cl_uint step = STEP;

/* A table in global memory with the same entries as those in local memory. */
static cl_mem make_table(struct peaks *peaks) {
    enum { ALL = 4 * VECTORS > WORDS ? 4 * VECTORS : WORDS };
    cl_uint table[ALL];
    for (cl_uint i = 0; i < ALL; i++)
        table[i] = entry(i);
    return buffer_from(&peaks->device, table, sizeof table);
}

/* ---- Two ways to use the same unit. */

struct way {
    const char *words;
    const struct trial *trial;
    double rate;
};

/* The faster of two ways is what the unit can do. */
static void say_faster(const char *key, const char *unit, const char *what,
                       const struct way *one, const struct way *other) {
    const struct way *faster = one->rate > other->rate ? one : other;
    say_of(faster->trial, key, faster->rate, unit, "%s: %s %.5g, %s %.5g", what,
           one->words, one->rate, other->words, other->rate);
}

/* ---- Loads of words: lane n reads word n * apart. */

/* The places repeat after SPAN / STEP rounds. */
static cl_uint sum_of_words(cl_uint lane, cl_uint apart, cl_uint rounds) {
    cl_uint sum = 0;
    for (cl_uint r = 0; r < SPAN / STEP; r++) {
        const cl_uint times = rounds / (SPAN / STEP) + (r < rounds % (SPAN / STEP));
        for (cl_uint k = 0; k < LOADS; k++)
            sum += times * entry(lane * apart + r * STEP + 64 * k);
    }
    return sum;
}

/* `copies` is 2 where local memory and the cache are both read. */
static bool time_words(struct peaks *peaks, struct trial *trial, const char *name,
                       cl_uint apart, cl_uint copies) {
    cl_uint expected[WARP];
    trial_time(peaks, trial, LAUNCHES);
    for (cl_uint lane = 0; lane < WARP; lane++)
        expected[lane] = copies * sum_of_words(lane, apart, trial->rounds);
    return trial_equal(peaks, trial, name, expected, WARP);
}

static bool time_local_words(struct peaks *peaks, struct trial *trial, cl_uint apart) {
    *trial = TRIAL(peaks, "local_words", peaks->groups, peaks->group, ARG(peaks->out),
                   ARG(apart), ARG(step), LOCAL(WORDS * sizeof(cl_uint)));
    return time_words(peaks, trial, "local_words", apart, 1);
}

static bool time_global_words(struct peaks *peaks, struct trial *trial, cl_uint apart) {
    cl_mem table = make_table(peaks);
    *trial = TRIAL(peaks, "global_words", peaks->groups, peaks->group, ARG(peaks->out),
                   ARG(apart), ARG(step), ARG(table));
    return time_words(peaks, trial, "global_words", apart, 1);
}

void measure_access(struct peaks *peaks) {
    struct trial same, own;
    if (!time_local_words(peaks, &same, 0) || !time_local_words(peaks, &own, 1)) {
        say_wrong("access");
        return;
    }
    say_faster(
        "access", "warps/s/unit", "loads of a word of local memory",
        &(struct way){"all lanes the same", &same, trial_rate(peaks, &same, LOADS)},
        &(struct way){"own words", &own, trial_rate(peaks, &own, LOADS)});
}

void measure_l1_pass(struct peaks *peaks) {
    struct trial trial;
    if (!time_global_words(peaks, &trial, WARP))
        say_wrong("l1_pass");
    else
        say_of(&trial, "l1_pass", trial_rate(peaks, &trial, LOADS * WARP),
               "passes/s/unit",
               "loads of a word, 32 lines, one bank, a table of 12 KiB");
}

void measure_lookup(struct peaks *peaks) {
    struct trial trial;
    if (!time_global_words(peaks, &trial, WARP + 1))
        say_wrong("lookup");
    else
        say_of(&trial, "lookup", trial_rate(peaks, &trial, LOADS * WARP),
               "lines/s/unit",
               "loads of a word, 32 lines, 32 banks, a table of 12 KiB");
}

void measure_both(struct peaks *peaks) {
    const cl_uint apart = WARP;
    cl_mem table = make_table(peaks);
    struct trial trial =
        TRIAL(peaks, "both_words", peaks->groups, peaks->group, ARG(peaks->out),
              ARG(apart), ARG(step), ARG(table), LOCAL(WORDS * sizeof(cl_uint)));
    if (!time_words(peaks, &trial, "both_words", apart, 2))
        say_wrong("both");
    else
        say_of(&trial, "both", trial_rate(peaks, &trial, 2 * LOADS * WARP),
               "passes/s/unit",
               "loads of a word of local memory and of the L1 in turns, one bank each");
}

/* ---- Loads of 16 bytes: lane n reads vector (n >> shift) & mask. */

static cl_uint sum_of_vectors(cl_uint vector, cl_uint rounds) {
    cl_uint sum[4] = {0}, hash = 0;
    for (cl_uint r = 0; r < VECTOR_SPAN / STEP; r++) {
        const cl_uint period = VECTOR_SPAN / STEP,
                      times = rounds / period + (r < rounds % period);
        for (cl_uint k = 0; k < VECTOR_LOADS; k++)
            for (cl_uint i = 0; i < 4; i++)
                sum[i] += times * entry(4 * (vector + r * STEP + 32 * k) + i);
    }
    for (cl_uint i = 0; i < 4; i++)
        hash = fold(hash, sum[i]);
    return hash;
}

static bool time_vectors(struct peaks *peaks, struct trial *trial, bool local,
                         cl_uint shift, cl_uint mask) {
    const char *name = local ? "local_vectors" : "global_vectors";
    cl_mem table = local ? NULL : make_table(peaks);
    const struct arg where = local ? LOCAL(VECTORS * 4 * sizeof(cl_uint)) : ARG(table);
    *trial = TRIAL(peaks, name, peaks->groups, peaks->group, ARG(peaks->out),
                   ARG(shift), ARG(mask), ARG(step), where);
    trial_time(peaks, trial, LAUNCHES);
    cl_uint expected[WARP];
    for (cl_uint lane = 0; lane < WARP; lane++)
        expected[lane] = sum_of_vectors(lane >> shift & mask, trial->rounds);
    return trial_equal(peaks, trial, name, expected, WARP);
}

void measure_pass(struct peaks *peaks) {
    struct trial words, vectors;
    if (!time_local_words(peaks, &words, WARP) ||
        !time_vectors(peaks, &vectors, true, 0, WARP - 1)) {
        say_wrong("pass");
        return;
    }
    say_faster("pass", "passes/s/unit", "loads of local memory",
               &(struct way){"words 32 apart, 32 passes each,", &words,
                             trial_rate(peaks, &words, LOADS * WARP)},
               &(struct way){"own 16 bytes, 4 passes each,", &vectors,
                             trial_rate(peaks, &vectors, 4.0 * VECTOR_LOADS)});
}

/* How many passes' time a load of 16 bytes takes, where the lanes share. */
static void measure_pairs(struct peaks *peaks, const char *key, bool local) {
    struct trial pass, own, pairs, same;
    if (!(local ? time_local_words : time_global_words)(peaks, &pass, WARP) ||
        !time_vectors(peaks, &own, local, 0, WARP - 1) ||
        !time_vectors(peaks, &pairs, local, 1, WARP - 1) ||
        !time_vectors(peaks, &same, local, 0, 0)) {
        say_wrong(key);
        return;
    }
    const double passes = trial_rate(peaks, &pass, LOADS * WARP),
                 of_pairs = passes / trial_rate(peaks, &pairs, VECTOR_LOADS);
    say_of(&pairs, key, of_pairs, "passes/warp",
           "the time of a load of 16 bytes where lanes n and n^1 read one place; all "
           "lanes the same %.4g, own places %.4g",
           passes / trial_rate(peaks, &same, VECTOR_LOADS),
           passes / trial_rate(peaks, &own, VECTOR_LOADS));
}

void measure_rule_local_pairs(struct peaks *peaks) {
    measure_pairs(peaks, "rule_local_pairs", true);
}

void measure_rule_global_pairs(struct peaks *peaks) {
    measure_pairs(peaks, "rule_global_pairs", false);
}

/* ---- Stores to local memory. */

/* Elements of 1 or 4 words: lane n of warp w has element n * lanes + w * warps, and the
 * one that is CELLS further.  Each work-item reads another's. */
static void expect_stores(const struct peaks *peaks, cl_uint words, cl_uint *expected) {
    for (cl_uint id = 0; id < peaks->group; id++) {
        const cl_uint other = (cl_uint)peaks->group - 1 - id;
        expected[id] = 0;
        for (cl_uint half = 0; half < 2; half++)
            for (cl_uint i = 0; i < words; i++)
                expected[id] = fold(expected[id], entry(words * other + i));
    }
}

static bool time_stores(struct peaks *peaks, struct trial *trial, bool vectors,
                        cl_uint lanes, cl_uint warps) {
    const char *name = vectors ? "store_vectors" : "store_words";
    const cl_uint words = vectors ? 4 : 1, half = CELLS;
    *trial =
        TRIAL(peaks, name, peaks->groups, peaks->group, ARG(peaks->out), ARG(lanes),
              ARG(warps), ARG(half), LOCAL(2 * CELLS * words * sizeof(cl_uint)));
    trial_time(peaks, trial, LAUNCHES);
    cl_uint expected[CELLS];
    expect_stores(peaks, words, expected);
    return trial_equal(peaks, trial, name, expected, peaks->group);
}

void measure_store_pass(struct peaks *peaks) {
    struct trial words, vectors;
    if (!time_stores(peaks, &words, false, WARP, 1) ||
        !time_stores(peaks, &vectors, true, 1, WARP)) {
        say_wrong("store_pass");
        return;
    }
    say_faster("store_pass", "passes/s/unit", "stores to local memory",
               &(struct way){"words 32 apart, 32 passes each,", &words,
                             trial_rate(peaks, &words, STORES * WARP)},
               &(struct way){"own 16 bytes, 4 passes each,", &vectors,
                             trial_rate(peaks, &vectors, 4.0 * STORES)});
}
