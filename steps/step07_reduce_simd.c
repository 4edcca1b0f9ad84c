/* Step 07: SIMD-group functions
 *
 * The tree of step 06 passes every value through local memory, and waits at a barrier
 * in each round.  The lanes of a SIMD group can do without: they show each other their
 * registers.
 *
 * Read with  kernels/step07_reduce_simd.cl and simd.clh, docs/step07_reduce_simd.md
 * Try        --lanes 8: SIMD groups of 8 lanes, through local memory
 * Lens       --size 65536
 * Story      barriers reduce_simd_max_int reduce_simd_max_by_hand
 */
#include "buffer.h"
#include "check.h"
#include "compare.h"
#include "data.h"
#include "report.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 1024, ODD_GROUP = 100, MANY_GROUP = 512, BY_HAND = 32 /* lanes */ };
enum { LARGER = 256, LARGER_ON_CPU = 8, LARGER_ON_CPU_FULL = 64 };

static int add(int x, int y) {
    return x + y;
}
static int multiply(int x, int y) {
    return x * y;
}
static int least(int x, int y) {
    return y < x ? y : x;
}
static int most(int x, int y) {
    return y > x ? y : x;
}
static int both(int x, int y) {
    return x & y;
}
static int either(int x, int y) {
    return x | y;
}
static int one_of(int x, int y) {
    return x ^ y;
}

/* The seven functions of A14's article (see the chapter): four of them for int and
 * float, three for int alone.  `nothing` is the value that changes no result. */
enum { SUM, PRODUCT, MIN, MAX, AND, OR, XOR, FUNCTIONS };
static const struct function {
    const char *name;
    int (*combine)(int, int);
    int nothing, types;
} functions[FUNCTIONS] = {{"sum", add, 0, 2},         {"product", multiply, 1, 2},
                          {"min", least, INT_MAX, 2}, {"max", most, INT_MIN, 2},
                          {"and", both, ~0, 1},       {"or", either, 0, 1},
                          {"xor", one_of, 0, 1}};
static const char *const types[] = {"int", "float"};

/* Values that float holds exactly, with which a lost one shows.  Sums of a group need
 * more than 16 bits.  Products stay in range: their factors are 1 and -1, and 30 times
 * a 2.  Minima are searched among positive values alone and among all, by turns, and
 * maxima among the negatives of these: then no identity but the right one will do.  The
 * least value comes back every 1025 values, so that each lane of some group has it. */
static int value_for(int function, size_t i, size_t n, uint32_t random) {
    const int sign = random >> 31 ? 1 : -1, positive = 1 + (int)(random >> 12);
    const bool is_least = i % 1025 == 0;
    switch (function) {
    case SUM:
        return sign * (1 + (int)(random >> 18 & 8191));
    case PRODUCT:
        return i % (n / 30 + 1) == 0 ? 2 * sign : sign;
    case MIN:
        if (i / 4096 % 2 == 0)
            return is_least ? positive : positive + (1 << 21);
        return is_least ? -positive - (1 << 21) : sign * positive;
    case MAX:
        return -value_for(MIN, i, n, random);
    case AND:
        return random >> 27 ? ~0 : (int)~(1u << (random >> 22 & 31));
    case OR:
        return ~value_for(AND, i, n, random);
    default:
        return (int)random;
    }
}

/* What the kernels for float get instead: halves, so that an int cannot keep them; of
 * factors the reciprocals.  The same function of these is as_float() of the result. */
static float as_float(int function, int value) {
    return function == PRODUCT ? 1.0f / (float)value : 0.5f * (float)value;
}

/* What stays the same from row to row: `values`, and in x_buffer the same as the
 * kernel's type has them. */
struct problem {
    cl_uint n;
    unsigned seed;
    size_t group; /* GROUP, or as many work-items as the device allows */
    int *values;
    cl_mem x_buffer, results_buffer, totals_buffer;
    cl_uint *results, *totals;
};

static void fill(struct device *device, struct problem *problem, int function,
                 bool of_float) {
    uint32_t random = problem->seed + 1;
    float *floats = allocate(problem->n, sizeof *floats);
    for (size_t i = 0; i < problem->n; i++) {
        problem->values[i] = value_for(function, i, problem->n, random_next(&random));
        floats[i] = as_float(function, problem->values[i]);
    }
    buffer_write(device, problem->x_buffer,
                 of_float ? (const void *)floats : problem->values,
                 problem->n * sizeof *floats);
    free(floats);
}

static int reduce_on_host(const struct function *function, const int *values,
                          size_t count) {
    int result = function->nothing;
    for (size_t i = 0; i < count; i++)
        result = function->combine(result, values[i]);
    return result;
}

static bool equals(cl_uint bits, bool of_float, int function, int expected,
                   struct place place) {
    float number;
    memcpy(&number, &bits, sizeof number);
    const double found = of_float ? (double)number : (double)(int)bits;
    const double wanted =
        of_float ? (double)as_float(function, expected) : (double)expected;
    return found == wanted || wrong_at(place, found, wanted);
}

static struct launch launch_for(cl_kernel kernel, cl_uint n, size_t group) {
    return launch_1d(kernel, (n + group - 1) / group * group, group);
}

/* Did the last launch leave the right result of every work-group? */
static bool reduce_left_right(struct device *device, const struct problem *problem,
                              const struct function *function, bool of_float,
                              struct launch launch) {
    const size_t group = launch.local[0], groups = launch.global[0] / group;
    buffer_read(device, problem->results_buffer, problem->results,
                groups * sizeof *problem->results);
    bool right = true;
    for (size_t g = 0; g < groups && right; g++) {
        const size_t begin = g * group, left = problem->n - begin;
        const int expected = reduce_on_host(function, problem->values + begin,
                                            left < group ? left : group);
        right = equals(problem->results[g], of_float, (int)(function - functions),
                       expected, element_of_group("results", g));
    }
    return right;
}

static bool reduce_right(struct device *device, const struct problem *problem,
                         const struct function *function, bool of_float,
                         struct launch launch) {
    buffer_poison(device, problem->results_buffer);
    launch_ms(device, &launch);
    return reduce_left_right(device, problem, function, of_float, launch);
}

/* Did the last launch leave every prefix sum right, and the sum of every work-group?
 * Before them the host puts the sums of the groups before. */
static bool prefix_left_right(struct device *device, const struct problem *problem,
                              bool of_float, bool inclusive, struct launch launch) {
    const size_t group = launch.local[0], groups = launch.global[0] / group;
    buffer_read(device, problem->results_buffer, problem->results,
                problem->n * sizeof *problem->results);
    buffer_read(device, problem->totals_buffer, problem->totals,
                groups * sizeof *problem->totals);
    bool right = true;
    int before = 0, sum = 0; /* of the groups before; of all values before */
    for (size_t i = 0; i < problem->n && right; i++) {
        const int own = inclusive ? problem->values[i] : 0;
        right = equals(problem->results[i], of_float, SUM, sum + own - before,
                       element_of_item("prefixes", i, &launch));
        sum += problem->values[i];
        if ((i + 1) % group == 0 || i + 1 == problem->n) {
            right =
                right && equals(problem->totals[i / group], of_float, SUM, sum - before,
                                element_of_group("totals", i / group));
            before = sum;
        }
    }
    return right;
}

static bool prefix_right(struct device *device, const struct problem *problem,
                         bool of_float, bool inclusive, struct launch launch) {
    buffer_poison(device, problem->results_buffer);
    buffer_poison(device, problem->totals_buffer);
    launch_ms(device, &launch);
    return prefix_left_right(device, problem, of_float, inclusive, launch);
}

static struct row row_for(struct report *report, const char *variant, cl_uint n,
                          double bytes) {
    return (struct row){
        .variant = variant, .size = n, .bytes = bytes, .limit = report->limits.read};
}

/* One row for each function and type.  Returns the time of the maximum of ints. */
static struct timing reduce(struct report *report, struct device *device,
                            struct problem *problem) {
    struct timing maximum = {0};
    for (int f = 0; f < FUNCTIONS; f++)
        for (int type = 0; type < functions[f].types; type++) {
            char variant[64], name[64];
            snprintf(variant, sizeof variant, "%s, %s", functions[f].name, types[type]);
            snprintf(name, sizeof name, "reduce_simd_%s_%s", functions[f].name,
                     types[type]);
            cl_kernel kernel = kernel_load(device, report->options, name);
            kernel_args(kernel, ARG(problem->x_buffer), ARG(problem->results_buffer),
                        LOCAL(problem->group * sizeof(cl_uint)), ARG(problem->n));
            fill(device, problem, f, type);
            struct row row = row_for(report, variant, problem->n,
                                     (double)problem->n * sizeof(cl_uint));
            const struct launch launch = launch_for(kernel, problem->n, problem->group),
                                odd = launch_for(kernel, problem->n, ODD_GROUP);
            row.right = reduce_right(device, problem, &functions[f], type, launch) &&
                        reduce_right(device, problem, &functions[f], type, odd);
            row.time = time_launches(device, launch, report->options->repeats);
            row.right = row.right && right_again(reduce_left_right(
                                         device, problem, &functions[f], type, launch));
            report_row(report, row);
            if (f == MAX && type == 0)
                maximum = row.time;
        }
    return maximum;
}

/* The same for the prefix sums, which write as much as they read. */
static void prefix(struct report *report, struct device *device,
                   struct problem *problem) {
    static const char *const kinds[] = {"exclusive", "inclusive"};
    for (int type = 0; type < 2; type++) {
        fill(device, problem, SUM, type);
        for (int inclusive = 1; inclusive >= 0; inclusive--) {
            char variant[64], name[64];
            snprintf(variant, sizeof variant, "%s prefix, %s", kinds[inclusive],
                     types[type]);
            snprintf(name, sizeof name, "reduce_simd_%s_%s", kinds[inclusive],
                     types[type]);
            cl_kernel kernel = kernel_load(device, report->options, name);
            kernel_args(kernel, ARG(problem->x_buffer), ARG(problem->results_buffer),
                        ARG(problem->totals_buffer),
                        LOCAL(problem->group * sizeof(cl_uint)), ARG(problem->n));
            struct row row = row_for(report, variant, problem->n,
                                     2.0 * problem->n * sizeof(cl_uint));
            row.limit = report->limits.copy;
            const struct launch launch = launch_for(kernel, problem->n, problem->group),
                                odd = launch_for(kernel, problem->n, ODD_GROUP);
            row.right = prefix_right(device, problem, type, inclusive, launch) &&
                        prefix_right(device, problem, type, inclusive, odd);
            row.time = time_launches(device, launch, report->options->repeats);
            row.right = row.right && right_again(prefix_left_right(
                                         device, problem, type, inclusive, launch));
            report_row(report, row);
        }
    }
}

/* The largest of each SIMD group, by local memory and barriers alone: did the last
 * launch tell every lane? */
static bool told_left_right(struct device *device, const struct problem *problem,
                            cl_uint lanes, struct launch launch) {
    const size_t group = launch.local[0];
    buffer_read(device, problem->results_buffer, problem->results,
                problem->n * sizeof *problem->results);
    bool right = true;
    int expected = 0;
    for (size_t i = 0; i < problem->n && right; i++) {
        const size_t id = i % group, left = group - id, most = problem->n - i;
        const size_t here = left < lanes ? left : lanes;
        if (id % lanes == 0)
            expected = reduce_on_host(&functions[MAX], problem->values + i,
                                      here < most ? here : most);
        right = equals(problem->results[i], false, MAX, expected,
                       element_of_item("told", i, &launch));
    }
    return right;
}

static bool told_right(struct device *device, const struct problem *problem,
                       cl_uint lanes, struct launch launch) {
    buffer_poison(device, problem->results_buffer);
    launch_ms(device, &launch);
    return told_left_right(device, problem, lanes, launch);
}

static struct timing by_hand(struct report *report, struct device *device,
                             struct problem *problem) {
    const cl_uint lanes =
        report->options->lanes ? (cl_uint)report->options->lanes : BY_HAND;
    cl_kernel kernel = kernel_load(device, report->options, "reduce_simd_max_by_hand");
    kernel_args(kernel, ARG(problem->x_buffer), ARG(problem->results_buffer),
                LOCAL(problem->group * sizeof(cl_int)), ARG(lanes), ARG(problem->n));
    fill(device, problem, MAX, false);
    struct row row = row_for(report, "max by hand, int", problem->n,
                             2.0 * problem->n * sizeof(cl_int));
    row.limit = report->limits.copy;
    const struct launch launch = launch_for(kernel, problem->n, problem->group),
                        odd = launch_for(kernel, problem->n, ODD_GROUP);
    row.right = told_right(device, problem, lanes, launch) &&
                told_right(device, problem, lanes, odd);
    row.time = time_launches(device, launch, report->options->repeats);
    row.right =
        row.right && right_again(told_left_right(device, problem, lanes, launch));
    report_row(report, row);
    return row.time;
}

/* The article's comparison: all that the host waits for, its own part included, against
 * one thread of the host. */
static void against_host(struct report *report, struct device *device,
                         struct problem *problem) {
    enum { PAIRS = 21 };
    double device_ms[PAIRS], host_ms[PAIRS];
    fill(device, problem, SUM, false);
    cl_kernel kernel = kernel_load(device, report->options, "reduce_simd_sum_int");
    kernel_args(kernel, ARG(problem->x_buffer), ARG(problem->results_buffer),
                LOCAL(problem->group * sizeof(cl_uint)), ARG(problem->n));
    const struct launch launch = launch_for(kernel, problem->n, problem->group);
    const size_t groups = launch.global[0] / problem->group;
    for (int pair = -3; pair < PAIRS; pair++) { /* the first three warm up */
        const int i = pair < 0 ? 0 : pair;
        const double start_ms = now_ms();
        launch_ms(device, &launch);
        CHECK(clEnqueueReadBuffer(device->queue, problem->results_buffer, CL_TRUE, 0,
                                  groups * sizeof *problem->results, problem->results,
                                  0, NULL, NULL));
        const int sum =
            reduce_on_host(&functions[SUM], (int *)problem->results, groups);
        const double middle_ms = now_ms();
        int host_sum = 0;
        for (size_t k = 0; k < problem->n; k++)
            host_sum += problem->values[k];
        host_ms[i] = now_ms() - middle_ms;
        device_ms[i] = middle_ms - start_ms;
        report->wrong += !equal_sum((double)sum, (double)host_sum);
    }
    const struct ratio ratio = ratio_of(device_ms, host_ms, PAIRS);
    report_say(
        report,
        "sum, int, by the host's clock: device, with reading the results %.3f ms,\n"
        "one CPU thread %.3f ms.  The device against the thread: %s;\n"
        "on the article's A14 8.4 to 9.1 times faster",
        timing_of(device_ms, PAIRS).median_ms, timing_of(host_ms, PAIRS).median_ms,
        in_words(ratio).text);
}

/* Many elements, the last group adds up: the sum as fast as memory allows. */
static void many(struct report *report, struct device *device, cl_uint n,
                 cl_mem results_buffer) {
    const size_t group =
        device->max_group < MANY_GROUP ? device->max_group : MANY_GROUP;
    float *x = small_numbers(n, report->options->seed + 1), result;
    double expected = 0.0;
    for (size_t i = 0; i < n; i++)
        expected += (double)x[i];
    cl_mem x_buffer = buffer_from(device, x, n * sizeof *x);
    cl_mem finished_buffer = buffer_from(device, &(cl_uint){0}, sizeof(cl_uint));
    cl_mem result_buffer = buffer_new(device, sizeof result);
    cl_kernel kernel = kernel_load(device, report->options, "reduce_simd_one_launch");
    kernel_args(kernel, ARG(x_buffer), ARG(results_buffer), ARG(finished_buffer),
                ARG(result_buffer), LOCAL(group * sizeof(float)), ARG(n));

    const size_t enough = device->units * (2048 / group), each = 16;
    const size_t wanted = (n + each * group - 1) / (each * group);
    const size_t groups = wanted < enough ? wanted : enough;
    const struct launch launch = launch_1d(kernel, groups * group, group);
    launch_ms(device, &launch);
    buffer_read(device, result_buffer, &result, sizeof result);
    struct row row =
        row_for(report, "many, the last adds up", n, (double)n * sizeof *x);
    row.right = equal_sum((double)result, expected);
    row.time = time_launches(device, launch, report->options->repeats);
    buffer_read(device, result_buffer, &result, sizeof result);
    row.right = row.right && right_again(equal_sum((double)result, expected));
    report_row(report, row);
    free(x);
}

static void say_way(struct report *report, struct device *device, size_t group) {
    static const char *const ways[] = {"local memory", "OpenCL's sub-groups",
                                       "NVIDIA's shfl.sync and redux.sync"};
    cl_uint facts[2];
    cl_mem buffer = buffer_new(device, sizeof facts);
    cl_kernel way = kernel_load(device, report->options, "reduce_simd_way");
    kernel_args(way, ARG(buffer));
    const struct launch launch = launch_1d(way, group, group);
    launch_ms(device, &launch);
    buffer_read(device, buffer, facts, sizeof facts);
    if (facts[0] > 2)
        die("the kernel file knows no way to reduce" HINT "see simd.clh, SIMD_WAY");
    report_say(report, "SIMD groups of %u lanes, by way of %s.", facts[1],
               ways[facts[0]]);
}

int main(int argc, char **argv) {
    struct options options = options_read(argc, argv, "step07_reduce_simd", 1 << 20);
    struct device device = device_open(options.device);
    struct report report = report_start(&options, &device);

    /* The article's problem: 1024 x 1024 values. */
    const cl_uint n = device_check_size(&device, options.size, 4, sizeof(cl_uint));
    const size_t bytes = n * sizeof(cl_uint);
    const size_t group = device.max_group < GROUP ? device.max_group : GROUP;
    struct problem problem = {.n = n,
                              .seed = options.seed,
                              .group = group,
                              .values = allocate(n, sizeof *problem.values),
                              .results = allocate(n, sizeof *problem.results),
                              .totals = allocate(n, sizeof *problem.totals),
                              .x_buffer = buffer_new(&device, bytes),
                              .results_buffer = buffer_new(&device, bytes),
                              .totals_buffer = buffer_new(&device, bytes)};
    const struct timing by_functions = reduce(&report, &device, &problem);
    prefix(&report, &device, &problem);
    const struct timing hand = by_hand(&report, &device, &problem);
    many(&report, &device, n, problem.results_buffer);
    say_way(&report, &device, group);
    report_headline(&report, "SIMD-group functions against by hand",
                    ratio_between(by_functions, hand));
    against_host(&report, &device, &problem);

    /* And so many that the launch no longer counts. */
    if (!options.size_given) {
        const size_t times = !device.is_cpu ? LARGER
                             : options.full ? LARGER_ON_CPU_FULL
                                            : LARGER_ON_CPU;
        const size_t large = n * times;
        const size_t room = device_capacity(&device, 5, sizeof(float));
        many(&report, &device, (cl_uint)(large < room ? large : room),
             problem.results_buffer);
    }

    device_close(&device);
    free(problem.totals);
    free(problem.results);
    free(problem.values);
    return report_end(&report);
}
