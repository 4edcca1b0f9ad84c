#include "data/simd.h"

#include "check.h"
#include "driver/driver_faults.h"

#include <limits.h>
#include <math.h>

struct simd {
    const char *way;
    cl_uint lanes;
};

static struct simd ask(struct step *step, size_t group) {
    static const char *const ways[] = {"local memory", "OpenCL's sub-groups",
                                       "NVIDIA's shfl.sync and redux.sync"};
    cl_uint facts[2];
    cl_mem buffer = buffer_new(&step->device, sizeof facts);
    const struct launch launch =
        LAUNCH(step, "reduce_simd_way", step_group(step, group),
               step_group(step, group), ARG(buffer));
    launch_ms(&step->device, &launch);
    buffer_read(&step->device, buffer, facts, sizeof facts);
    if (facts[0] > 2 || facts[1] == 0)
        die("reduce_simd_way knows no way for lanes to exchange values" HINT
            "see simd.clh, SIMD_WAY");
    return (struct simd){ways[facts[0]], facts[1]};
}

/* The end of the SIMD group that begins at work-item i, in work-groups of `group`: the
 * last one of a group may be short, and beyond n no work-item has an element. */
static size_t end_of_lanes(size_t i, size_t lanes, size_t group, size_t n) {
    const size_t left = group - i % group, end = i + (left < lanes ? left : lanes);
    return end < n ? end : n;
}

bool simd_largest_right(const struct launch *launch, cl_uint lanes, size_t n,
                        const cl_int *values, const cl_int *results) {
    const size_t group = launch->local[0];
    cl_int largest = 0;
    for (size_t i = 0; i < n; i++) {
        if (i % group % lanes == 0) { /* a SIMD group begins */
            largest = values[i];
            for (size_t k = i; k < end_of_lanes(i, lanes, group, n); k++)
                largest = values[k] > largest ? values[k] : largest;
        }
        if (results[i] != largest)
            return wrong_at(element_of_item("largest", i, launch), results[i], largest);
    }
    return true;
}

static int value_at(size_t i, size_t n, uint32_t random) {
    const int size = 1 + (int)(random >> 14), larger = i % 37 == 0 ? 1 << 19 : 0;
    if ((n - 1 - i) / 256 % 2 == 0)
        return larger - size - (1 << 20);
    return larger + (random >> 13 & 1 ? size : -size);
}

int *simd_ints(struct step *step, size_t count, unsigned vector) {
    uint32_t random = step->options.seed + vector;
    int *values = step_array(step, count, sizeof *values);
    for (size_t i = 0; i < count; i++)
        values[i] = value_at(i, count, random_next(&random));
    return values;
}

int *simd_extremes(struct step *step, size_t count, unsigned vector) {
    int *values = simd_ints(step, count, vector);
    for (size_t i = 0; i < count; i++) /* from -5 * 2^18, or from -2^18 to 3 * 2^18 */
        values[i] = (count - 1 - i) / 256 % 2 == 0 ? INT_MIN + (values[i] + (5 << 18))
                                                   : values[i] * (1 << 11);
    values[count - 1] = INT_MIN;
    return values;
}

/* The operations in the order of the kernels; the first six are for float, too.  The
 * identity is the value that changes no result. */
enum { SUM, PRODUCT, MIN, MAX, INCLUSIVE, EXCLUSIVE, AND, OR, XOR, SWAPPED, LAST };
static const struct operation {
    const char *name;
    double identity[2]; /* of float, of int */
} operations[] = {{"sum", {0, 0}},
                  {"product", {1, 1}},
                  {"min", {INFINITY, INT_MAX}},
                  {"max", {-INFINITY, INT_MIN}},
                  {"inclusive", {0, 0}},
                  {"exclusive", {0, 0}},
                  {"and", {0, -1}},
                  {"or", {0, 0}},
                  {"xor", {0, 0}},
                  {"swapped", {0, 0}},
                  {"last", {0, 0}}};

static double combine(int operation, double a, double b) {
    switch (operation) {
    case PRODUCT:
        return a * b;
    case MIN:
        return fmin(a, b);
    case MAX:
        return fmax(a, b);
    case AND:
        return (int)a & (int)b;
    case OR:
        return (int)a | (int)b;
    case XOR:
        return (int)a ^ (int)b;
    default:
        return a + b;
    }
}

/* In work-groups of 512 or 100, most lanes of the last SIMD group have no element.  The
 * last value is the identity itself: in groups of 100 it is alone, so that all other
 * lanes give what the kernel takes for the identity, and a wrong one shows. */
enum { VALUES = 3001, ODD_GROUP = 100 };
static double value_for(int operation, bool is_int, size_t i, uint32_t random) {
    const int value = value_at(i, VALUES, random), bit = (int)(1u << (random >> 27));
    const bool is_37th = i % 37 == 0;
    const double unit = is_int ? 1.0 : 0.5; /* halves: an int cannot keep their sum */
    const double two_or_half = is_int ? 2.0 : 0.5;
    if (i == VALUES - 1)
        return operations[operation].identity[is_int];
    switch (operation) {
    case PRODUCT: /* 1 or -1; now and then 2 or a half, so that it stays in range */
        return (is_37th ? two_or_half : 1.0) * (value % 2 ? -1.0 : 1.0);
    case MIN:
        return -value * unit;
    case MAX:
        return value * unit;
    case AND:
        return is_37th ? ~bit : ~0;
    case OR:
        return is_37th ? bit : 0;
    case XOR:
        return (int)random;
    default: /* small enough for a float to hold the sum of a group exactly */
        return value / 64 * unit;
    }
}

/* One launch: the values, and what every lane has received. */
struct received {
    struct launch launch;
    cl_uint lanes;
    bool is_int;
    const double *values;
    const void *results;
};

static double result_at(const struct received *all, size_t i) {
    return all->is_int ? (double)((const cl_int *)all->results)[i]
                       : (double)((const cl_float *)all->results)[i];
}

/* What lane i receives from its neighbour in a pair (swapped), or from the last lane of
 * its SIMD group.  A lane that is not there stands for the last one. */
static double exchanged(const struct received *all, int operation, size_t i) {
    const size_t group = all->launch.local[0], lane = i % group % all->lanes;
    const size_t left = group - (i - lane) % group;
    const size_t last = (left < all->lanes ? left : all->lanes) - 1;
    const size_t wanted = operation == LAST ? last : lane ^ 1;
    const size_t from = i - lane + (wanted < last ? wanted : last);
    return from < VALUES ? all->values[(size_t)operation * VALUES + from] : 0.0;
}

static bool operation_right(const struct received *all, int operation) {
    const size_t group = all->launch.local[0], first = (size_t)operation * VALUES;
    const double *values = all->values + first;
    double before = 0.0, together = 0.0;
    for (size_t i = 0; i < VALUES; i++) {
        if (i % group % all->lanes == 0) {
            const size_t end = end_of_lanes(i, all->lanes, group, VALUES);
            before = 0.0;
            together = values[i];
            for (size_t k = i + 1; k < end; k++)
                together = combine(operation, together, values[k]);
        }
        const double wanted = operation == INCLUSIVE   ? before + values[i]
                              : operation == EXCLUSIVE ? before
                              : operation >= SWAPPED   ? exchanged(all, operation, i)
                                                       : together;
        if (result_at(all, first + i) != wanted)
            return wrong_at(
                element_of_item(operations[operation].name, i, &all->launch),
                result_at(all, first + i), wanted);
        before += values[i];
    }
    return true;
}

/* Fills x, of ints or floats, and the same as doubles. */
static void fill(const struct step *step, bool is_int, size_t count, void *x,
                 double *values) {
    uint32_t random = step->options.seed + 3;
    for (size_t k = 0; k < count; k++) {
        values[k] =
            value_for((int)(k / VALUES), is_int, k % VALUES, random_next(&random));
        if (is_int)
            ((cl_int *)x)[k] = (cl_int)values[k];
        else
            ((cl_float *)x)[k] = (cl_float)values[k];
    }
}

static bool type_right(struct step *step, size_t group, bool is_int) {
    const int used = is_int ? LAST + 1 : AND;
    const cl_uint n = VALUES;
    const size_t count = (size_t)used * VALUES, bytes = count * sizeof(cl_int);
    double *values = step_array(step, count, sizeof *values);
    void *x = step_array(step, 1, bytes);
    const size_t result_bytes = bytes + sizeof(cl_int); /* behind them, the lanes */
    void *results = step_array(step, 1, result_bytes);
    fill(step, is_int, count, x, values);
    cl_mem x_buffer = buffer_from(&step->device, x, bytes);
    cl_mem results_buffer = buffer_new(&step->device, result_bytes);

    bool right = true;
    const size_t groups[] = {step_group(step, group), step_group(step, ODD_GROUP)};
    for (int g = 0; g < 2; g++) {
        struct received all = {
            .launch =
                LAUNCH(step, is_int ? "reduce_simd_all_int" : "reduce_simd_all_float",
                       n, groups[g], ARG(x_buffer), ARG(results_buffer), ARG(n)),
            .is_int = is_int,
            .values = values,
            .results = results};
        buffer_poison(&step->device, results_buffer);
        launch_ms(&step->device, &all.launch);
        buffer_read(&step->device, results_buffer, results, result_bytes);
        const double lanes = result_at(&all, count);
        if (!(lanes >= 1 && lanes <= 1024))
            die("a kernel does not say how many lanes its SIMD groups have" HINT
                "see step07_reduce_simd.cl, simd_lanes_most()");
        all.lanes = (cl_uint)lanes;
        for (int operation = 0; operation < used; operation++)
            right = right && operation_right(&all, operation);
    }
    return right;
}

void simd_report(struct step *step, size_t group) {
    const struct simd simd = ask(step, group);
    const bool ints = type_right(step, group, true),
               floats = type_right(step, group, false);
    report_row(&step->report, (struct row){.variant = "7 operations, every lane",
                                           .size = VALUES,
                                           .right = ints && floats,
                                           .note = "int, float"});
    report_say(&step->report, "SIMD groups of %u lanes, by way of %s.", simd.lanes,
               simd.way);
    struct driver_fault fault; /* exchanges through local memory would be wrong */
    if (driver_fault_find(step->device.id, &fault))
        report_say(&step->report, "Known fault: %s.\nAvoided here, by %s.", fault.what,
                   fault.setting);
}

/* The sum as an unsigned number, which may wrap around. */
static cl_uint sum_of(const cl_int *x, size_t n) {
    cl_uint sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (cl_uint)x[i];
    return sum;
}

void simd_against_thread(struct step *step, const struct launch *launch,
                         cl_mem sums_buffer, const cl_int *x, size_t n) {
    enum { PAIRS = 9 };
    double device_ms[PAIRS], thread_ms[PAIRS];
    const size_t count = launch->global[0] / launch->local[0];
    cl_int *sums = step_array(step, count, sizeof *sums);
    bool same = true;
    for (int i = 0; i < PAIRS; i++) {
        const double begin_ms = now_ms();
        launch_ms(&step->device, launch);
        buffer_read(&step->device, sums_buffer, sums, count * sizeof *sums);
        const cl_uint of_device = sum_of(sums, count);
        const double middle_ms = now_ms();
        const cl_uint of_thread = sum_of(x, n);
        thread_ms[i] = now_ms() - middle_ms;
        device_ms[i] = middle_ms - begin_ms;
        same = same && equal_sum(of_device, of_thread);
    }
    step->report.wrong += !same;
    report_say(&step->report, "int, until the host has the sum, against one thread: %s",
               in_words(ratio_of(device_ms, thread_ms, PAIRS)).text);
}
