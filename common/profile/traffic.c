/* traffic: memory, the second level of the cache, and atomics. */
#include "check.h"
#include "compare.h"
#include "data.h"
#include "profile/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VECTOR = 4 * sizeof(float), IN_FLIGHT = 4, LAUNCHES = 8, SMALL_GROUP = 256 };
enum { MIB = 1 << 20 };

/* ---- Memory. */

/* As in peaks.cl: the sum of the four floats of vector i. */
static double content_sum(const struct peaks *peaks, size_t i) {
    return 4.0 * (double)(1 + (i & 7) + 8 * (i >> peaks->bits & 7));
}

void memory_make(struct peaks *peaks) {
    const size_t most = peaks->small ? 8 * (size_t)MIB : 4096 * (size_t)MIB;
    if (peaks->memory_bytes > 0)
        return;
    size_t bytes = (size_t)(peaks->device.memory / 4);
    bytes = bytes > peaks->device.largest / 2 ? peaks->device.largest / 2 : bytes;
    bytes = (bytes < most ? bytes : most) / MIB * MIB;
    const cl_uint rounds = 1, n = (cl_uint)(bytes / VECTOR);
    for (int i = 0; i < 2; i++) {
        peaks->memory[i] = buffer_new(&peaks->device, bytes);
        struct trial fill = TRIAL(peaks, "memory_fill", peaks->groups, peaks->group,
                                  ARG(peaks->memory[i]), ARG(n), ARG(peaks->bits));
        trial_run(peaks, &fill, rounds);
    }
    peaks->memory_bytes = bytes;
}

/* Each work-item's sum; those that begin in chunks 0, 8, 16 ... have the same. */
static bool sums_right(struct peaks *peaks, const struct trial *trial, size_t n) {
    enum { PERIOD = 8 };
    const size_t items = trial->launch.global[0], chunk = (size_t)1 << peaks->bits;
    const float *found = (const float *)(const void *)trial_results(peaks, trial);
    double wanted[PERIOD][PERIOD] = {{0}};
    for (size_t c = 0; c < PERIOD; c++)
        for (size_t id = 0; id < PERIOD; id++)
            for (size_t k = 0; k < n / items; k++)
                wanted[c][id] +=
                    trial->rounds * content_sum(peaks, c * chunk + id + k * items);
    for (size_t i = 0; i < items; i++) {
        const double expected = wanted[i / chunk % PERIOD][i % PERIOD];
        if ((double)found[i] != expected)
            return wrong_at(element("memory_read", i), (double)found[i], expected);
    }
    return true;
}

/* Reads a memory once, which shows whether all of it holds content(). */
static bool memory_right(struct peaks *peaks, int which) {
    const size_t items = peaks->groups * peaks->group;
    const cl_uint n = (cl_uint)(peaks->memory_bytes / VECTOR / (IN_FLIGHT * items) *
                                IN_FLIGHT * items);
    struct trial read = TRIAL(peaks, "memory_read", peaks->groups, peaks->group,
                              ARG(peaks->out), ARG(peaks->memory[which]), ARG(n));
    trial_run(peaks, &read, 1);
    return sums_right(peaks, &read, n);
}

enum way { READ, FILL, COPY, WAYS };
static const char *const ways[WAYS] = {"read", "fill", "copy"};

/* One shape of one way: bytes in a second; 0: its result is wrong. */
static double memory_rate(struct peaks *peaks, enum way way, size_t group, size_t times,
                          struct trial *trial) {
    const size_t items = peaks->groups * peaks->group * times;
    const cl_uint n = (cl_uint)(peaks->memory_bytes / VECTOR / (IN_FLIGHT * items) *
                                IN_FLIGHT * items);
    cl_mem *memory = peaks->memory;
    if (way == FILL)
        *trial = TRIAL(peaks, "memory_fill", items / group, group, ARG(memory[0]),
                       ARG(n), ARG(peaks->bits));
    else if (way == READ)
        *trial = TRIAL(peaks, "memory_read", items / group, group, ARG(peaks->out),
                       ARG(memory[0]), ARG(n));
    else
        *trial = TRIAL(peaks, "memory_copy", items / group, group, ARG(memory[1]),
                       ARG(memory[0]), ARG(n));
    trial_time(peaks, trial, LAUNCHES);
    if (way == READ && !sums_right(peaks, trial, n))
        return 0.0;
    return (way == COPY ? 2.0 : 1.0) * n * (double)VECTOR * trial->rounds /
           trial->seconds;
}

/* Before it is filled or copied to, a memory is wiped: so what is there was written. */
static bool best_of_way(struct peaks *peaks, enum way way, double *rate,
                        struct trial *best) {
    const int target = way == COPY ? 1 : 0;
    if (way != READ)
        buffer_poison(&peaks->device, peaks->memory[target]);
    for (size_t times = 1; times <= (peaks->small ? 1 : SHAPES); times *= 2)
        for (size_t group = peaks->group;; group = SMALL_GROUP) {
            struct trial trial;
            const double here = memory_rate(peaks, way, group, times, &trial);
            if (here == 0.0)
                return false;
            if (here > *rate) {
                *rate = here;
                *best = trial;
            }
            if (group <= SMALL_GROUP || peaks->small)
                break;
        }
    return way == READ || memory_right(peaks, target);
}

void measure_memory(struct peaks *peaks) {
    double rates[WAYS] = {0};
    struct trial trials[WAYS];
    int best = 0;
    memory_make(peaks);
    for (int way = 0; way < WAYS; way++) {
        if (!best_of_way(peaks, (enum way)way, &rates[way], &trials[way])) {
            say_wrong("memory");
            return;
        }
        best = rates[way] > rates[best] ? way : best;
    }
    say_of(&trials[best], "memory", rates[best], "bytes/s",
           "float4s of buffers of %zu MiB, %s; the best of several shapes: read %.5g, "
           "fill %.5g, copy %.5g",
           peaks->memory_bytes / MIB, ways[best], rates[READ], rates[FILL],
           rates[COPY]);
}

/* ---- Warps that come and go. */

void measure_refill(struct peaks *peaks) {
    memory_make(peaks);
    const size_t words = peaks->memory_bytes / sizeof(cl_uint);
    const size_t most = peaks->small ? 1 << 12 : 1 << 26;
    const size_t items = (words < most ? words : most) / SMALL_GROUP * SMALL_GROUP;
    buffer_poison(&peaks->device, peaks->memory[1]);
    struct trial trial = TRIAL(peaks, "refill", items / SMALL_GROUP, SMALL_GROUP,
                               ARG(peaks->memory[1]), ARG(peaks->memory[0]));
    for (int i = 0; i < LAUNCHES; i++) {
        const double before = trial.seconds;
        trial_run(peaks, &trial, 1);
        if (i > 0)
            trial.seconds = fmin(trial.seconds, before);
    }
    trial.launches = LAUNCHES;
    cl_uint *found = allocate(2 * items, sizeof *found), *wanted = found + items;
    buffer_read(&peaks->device, peaks->memory[0], wanted, items * sizeof *wanted);
    buffer_read(&peaks->device, peaks->memory[1], found, items * sizeof *found);
    size_t i = 0;
    while (i < items && found[i] == wanted[i] + 1)
        i++;
    free(found);
    if (i < items)
        say_wrong("refill");
    else
        say_of(
            &trial, "refill", trial_rate(peaks, &trial, 1.0), "warps/s/unit",
            "warps of groups of %d whose work-items load a word each, store one, and "
            "end",
            SMALL_GROUP);
}

/* ---- The second level of the cache. */

/* Work-items of a group, bytes of a chunk, and how many chunks so many bytes have. */
static size_t cache_group(const struct peaks *peaks) {
    return ((size_t)1 << peaks->bits) / IN_FLIGHT;
}

static double chunk_bytes(const struct peaks *peaks) {
    return (double)(((size_t)1 << peaks->bits) * VECTOR);
}

static cl_uint chunks_of(const struct peaks *peaks, double bytes) {
    return (cl_uint)fmax(2.0, bytes / chunk_bytes(peaks));
}

static cl_uint common_divisor(cl_uint a, cl_uint b) {
    return b == 0 ? a : common_divisor(b, a % b);
}

/* A group comes to every chunk, and to neighbouring ones at very different times. */
static cl_uint step_over(cl_uint chunks) {
    cl_uint step = (cl_uint)(0.382 * chunks) + 1;
    while (common_divisor(chunks, step) != 1)
        step++;
    return step;
}

static bool chunks_right(struct peaks *peaks, const struct trial *trial,
                         cl_uint chunks) {
    const float *found = (const float *)(const void *)trial_results(peaks, trial);
    const size_t size = trial->launch.local[0], groups = trial->launch.global[0] / size;
    const cl_uint step = step_over(chunks);
    for (size_t group = 0; group < groups; group++) {
        cl_uint chunk = (cl_uint)(group % chunks);
        double begins = 0.0; /* of what the chunks' first vectors have */
        for (cl_uint r = 0; r < trial->rounds; r++) {
            begins += content_sum(peaks, (size_t)chunk << peaks->bits);
            chunk = (chunk + step) % chunks;
        }
        for (size_t id = 0; id < size; id++) {
            const size_t at = group * size + id;
            const double more = 4.0 * (double)(id & 7) * trial->rounds,
                         wanted = IN_FLIGHT * (begins + more);
            if ((double)found[at] != wanted)
                return wrong_at(element("cache_read", at), (double)found[at], wanted);
        }
    }
    return true;
}

/* Bytes in a second where so many bytes are read again and again; 0: it is wrong. */
static double again_rate(struct peaks *peaks, cl_uint chunks, int launches,
                         struct trial *trial) {
    const size_t group = cache_group(peaks);
    const cl_uint step = step_over(chunks);
    *trial = TRIAL(peaks, "cache_read", peaks->groups * peaks->group / group, group,
                   ARG(peaks->out), ARG(peaks->memory[0]), ARG(chunks), ARG(step));
    trial_time(peaks, trial, launches);
    if (!chunks_right(peaks, trial, chunks))
        return 0.0;
    return (double)trial->launch.global[0] * IN_FLIGHT * (double)VECTOR *
           trial->rounds / trial->seconds;
}

/* So much is sixteen times what the first level of a unit holds on any GPU that we know
 * of, so that hardly any of it is found there; and more than any second level holds. */
static const double beyond_first = 4.0 * MIB, beyond_second = 512.0 * MIB;

/* The largest size that is asked about. */
static double most_bytes(const struct peaks *peaks) {
    return fmin(peaks->small ? beyond_first : beyond_second,
                (double)peaks->memory_bytes);
}

void measure_cache_rate(struct peaks *peaks) {
    double rate = 0.0, bytes = 0.0;
    struct trial best = {0};
    memory_make(peaks);
    for (int times = 1; times <= (peaks->small ? 1 : 4); times *= 2) {
        struct trial trial;
        const double size = fmin(times * beyond_first, (double)peaks->memory_bytes);
        const cl_uint chunks = chunks_of(peaks, size);
        const double here = again_rate(peaks, chunks, LAUNCHES, &trial);
        if (here == 0.0) {
            say_wrong("cache_rate");
            return;
        }
        if (here > rate) {
            rate = here;
            best = trial;
            bytes = chunks * chunk_bytes(peaks);
        }
    }
    say_of(&best, "cache_rate", rate, "bytes/s",
           "float4s of %.4g MiB, read again and again, by other units each time",
           bytes / MIB);
}

/* Sizes grow by a fifth.  A size that does not fit is read nearly as slowly as the
 * largest one. */
void measure_cache(struct peaks *peaks) {
    enum { MAX_SIZES = 64 };
    double rates[MAX_SIZES], sizes[MAX_SIZES];
    int count = 0, first = 0;
    memory_make(peaks);
    const double most = most_bytes(peaks), growth = pow(2.0, 0.25), nearly = 1.1;
    for (double size = fmin(beyond_first, most); size <= most && count < MAX_SIZES;
         size *= growth) {
        struct trial trial;
        const cl_uint chunks = chunks_of(peaks, size);
        sizes[count] = (double)chunks * chunk_bytes(peaks);
        rates[count] = again_rate(peaks, chunks, 3, &trial);
        if (rates[count++] == 0.0) {
            say_wrong("cache");
            return;
        }
    }
    const double end = rates[count - 1];
    while (first < count - 1 && rates[first] > nearly * end)
        first++;
    if (first == 0 && !peaks->small)
        say_nothing("cache", "no size was read faster than the largest one");
    else
        say("cache", sizes[first], "bytes",
            "the smallest size that is read again and again no faster than %.4g "
            "bytes/s, where %.4g MiB are read at %.4g, and %.4g MiB at %.4g",
            nearly * end, sizes[0] / MIB, rates[0], sizes[count - 1] / MIB, end);
}

/* ---- Atomics. */

/* Launches before this one have counted, too: so it is counted once more, from 0. */
static bool counts_right(struct peaks *peaks, struct trial *trial, cl_mem counters,
                         size_t words, size_t apart, double wanted) {
    cl_uint *found = allocate(words, sizeof *found);
    struct trial again = *trial;
    buffer_write(&peaks->device, counters, found, words * sizeof *found);
    trial_run(peaks, &again, trial->rounds);
    buffer_read(&peaks->device, counters, found, words * sizeof *found);
    bool right = true;
    for (size_t i = 0; i < words && right; i++) {
        const cl_uint expected = i % apart == 0 ? (cl_uint)(cl_ulong)wanted : 0;
        if (found[i] != expected)
            right = wrong_at(element("counters", i), found[i], expected);
    }
    free(found);
    return right;
}

static cl_mem make_counters(struct peaks *peaks, size_t words) {
    cl_uint *zeros = allocate(words, sizeof *zeros);
    cl_mem counters = buffer_from(&peaks->device, zeros, words * sizeof *zeros);
    free(zeros);
    return counters;
}

static void measure_one_word(struct peaks *peaks, const char *key, bool by_warp,
                             const char *how) {
    const cl_uint mask = 0;
    cl_mem counters = make_counters(peaks, 1);
    struct trial trial =
        by_warp
            ? TRIAL(peaks, key, peaks->groups, peaks->group, ARG(counters))
            : TRIAL(peaks, key, peaks->groups, peaks->group, ARG(counters), ARG(mask));
    trial_time(peaks, &trial, LAUNCHES);
    const double items = (double)trial.launch.global[0] * trial.rounds;
    if (!counts_right(peaks, &trial, counters, 1, 1, items))
        say_wrong(key);
    else
        say_of(&trial, key, trial.seconds / items * (by_warp ? WARP : 1), "s", "%s",
               how);
}

void measure_atomic_word(struct peaks *peaks) {
    measure_one_word(peaks, "atomic_word", false,
                     "for an atomic_inc of a work-item, all on one address");
}

void measure_atomic_warp(struct peaks *peaks) {
    measure_one_word(
        peaks, "atomic_warp", true,
        "for the atomic_inc of a warp, whose compiler sees that the address "
        "is one");
}

/* Neighbouring lanes have neighbouring words, or a sector of eight words each. */
void measure_atomic_sector(struct peaks *peaks) {
    enum { SECTOR = 8 };
    double rates[2], best;
    struct trial trials[2];
    for (int i = 0; i < 2; i++) {
        const cl_uint apart = i == 0 ? 1 : SECTOR;
        const size_t items = peaks->groups * peaks->group, words = items * apart;
        cl_mem counters = make_counters(peaks, words);
        trials[i] = TRIAL(peaks, "atomic_own", peaks->groups, peaks->group,
                          ARG(counters), ARG(apart));
        trial_time(peaks, &trials[i], LAUNCHES);
        if (!counts_right(peaks, &trials[i], counters, words, apart,
                          trials[i].rounds)) {
            say_wrong("atomic_sector");
            return;
        }
        rates[i] = (double)words / SECTOR * trials[i].rounds / trials[i].seconds;
    }
    best = fmax(rates[0], rates[1]);
    say_of(&trials[rates[1] > rates[0]], "atomic_sector", best, "sectors/s",
           "atomic_inc of a work-item's own word; eight of a sector %.5g, one of each "
           "%.5g",
           rates[0], rates[1]);
}
