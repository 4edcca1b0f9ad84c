/* Step 07: shuffles: a warp adds up in registers
 *
 * The tree of step 06 passes every value through local memory, and after each round the
 * whole group waits at a barrier.  The lanes of a warp need neither, because each of
 * them can read the others' registers.  Is that faster?
 *
 * Read with  kernels/step07_reduce_simd.cl and simd.clh, docs/step07_reduce_simd.md
 * Try        --lanes 8: SIMD groups of 8 lanes, which exchange through local memory
 * Lens       --size 65536 reduce_simd_tree reduce_simd_float reduce_simd_int
 *            reduce_simd_max_by_hand reduce_simd_in_flight
 * Story      barriers reduce_simd_float reduce_simd_tree
 */
#include "check.h"
#include "contest.h"
#include "driver/driver_faults.h"

#include <limits.h>
#include <math.h>

enum { GROUP = 512, ODD_GROUP = 100, BY_HAND = 32 /* lanes */ };

static const struct sizes sizes = {.cpu = 1 << 21, .cpu_full = 1 << 24, .gpu = 1 << 28};

/* What a variant reads: odd quarters, or ints whose sums or whose maxima are wanted. */
enum numbers { FLOATS, INTS, EXTREMES, KINDS };

/* What a variant leaves: the sum of each group's elements; sums of other shares, which
 * together are the sum of all elements; or, for every lane, the largest value of its
 * SIMD group. */
enum left { GROUP_SUMS, SUMS, LARGEST };

enum { TREE, SIMD_GROUP, SIMD_INT, VARIANTS = 5 };
static const struct variant {
    const char *name, *kernel;
    enum numbers numbers;
    size_t each; /* elements for each work-item */
    enum left left;
} variants[VARIANTS] = {
    {"tree, float", "reduce_simd_tree", FLOATS, 1, GROUP_SUMS},
    {"SIMD group, float", "reduce_simd_float", FLOATS, 1, GROUP_SUMS},
    {"SIMD group, int", "reduce_simd_int", INTS, 1, GROUP_SUMS},
    {"maximum by hand, int", "reduce_simd_max_by_hand", EXTREMES, 1, LARGEST},
    {"64, four loads in flight", "reduce_simd_in_flight", FLOATS, 64, SUMS}};

/* ---- The numbers. */

/* An int of either sign and more than 16 bits.  In every other stretch of 256, counted
 * from the end, all are negative, so that a maximum that begins with 0 is wrong.  Each
 * 37th is larger than all around it, in another lane each time, so that a lost lane
 * shows. */
static int value_at(size_t i, size_t count, uint32_t random) {
    const int size = 1 + (int)(random >> 14);
    const int larger = i % 37 == 0 ? 1 << 19 : 0;
    if ((count - 1 - i) / 256 % 2 == 0)
        return larger - size - (1 << 20);
    return larger + (random >> 13 & 1 ? size : -size);
}

static cl_int *make_ints(struct step *step, size_t count, unsigned vector) {
    uint32_t random = step->options.seed + vector;
    cl_int *values = step_array(step, count, sizeof *values);
    for (size_t i = 0; i < count; i++)
        values[i] = value_at(i, count, random_next(&random));
    return values;
}

/* For a maximum only, because their sums overflow: where all of a stretch are negative,
 * they are close to INT_MIN, so that a maximum that begins with a much larger number is
 * wrong, and elsewhere they are far apart.  The last one is INT_MIN itself: where it is
 * alone in its SIMD group, a maximum that begins with any larger number is wrong. */
static cl_int *make_extremes(struct step *step, size_t count, unsigned vector) {
    cl_int *values = make_ints(step, count, vector);
    for (size_t i = 0; i < count; i++) {
        if ((count - 1 - i) / 256 % 2 == 0) /* from -5 * 2^18 upwards, and negative */
            values[i] = INT_MIN + (values[i] + (5 << 18));
        else /* from -2^18 to 3 * 2^18 */
            values[i] *= 1 << 11;
    }
    values[count - 1] = INT_MIN;
    return values;
}

/* ---- What is right. */

/* Element i of an array of ints or floats. */
static double number_at(const void *numbers, bool is_int, size_t i) {
    return is_int ? (double)((const cl_int *)numbers)[i]
                  : (double)((const cl_float *)numbers)[i];
}

static double sum_on_host(const void *numbers, bool is_int, size_t begin, size_t end) {
    double sum = 0.0;
    for (size_t i = begin; i < end; i++)
        sum += number_at(numbers, is_int, i);
    return sum;
}

/* The end of the SIMD group that begins at work-item i, in work-groups of `group`,
 * whose last SIMD group may be short. */
static size_t end_of_lanes(size_t i, size_t lanes, size_t group) {
    const size_t left = group - i % group;
    return i + (left < lanes ? left : lanes);
}

/* What all variants have in common: n elements of each kind, and memory for what they
 * leave. */
struct problem {
    struct step *step;
    cl_uint n, lanes;
    const void *x[KINDS]; /* floats or ints */
    cl_mem x_buffers[KINDS];
    void *results;
};

/* One variant, in groups of one size. */
struct reduction {
    const struct problem *problem;
    const struct variant *variant;
    size_t group, items, count; /* work-items, in a group and in all; results */
    cl_mem results_buffer;
};

/* In groups of that size, or of as many as the device allows. */
static struct reduction *reduction_new(const struct problem *problem,
                                       const struct variant *variant, size_t wanted) {
    struct step *step = problem->step;
    const size_t group = step_group(step, wanted),
                 items = (problem->n + variant->each - 1) / variant->each,
                 groups = (items + group - 1) / group,
                 count = variant->left == LARGEST ? problem->n : groups;
    struct reduction *reduction = step_array(step, 1, sizeof *reduction);
    *reduction = (struct reduction){
        .problem = problem,
        .variant = variant,
        .group = group,
        .items = items,
        .count = count,
        .results_buffer = buffer_new(&step->device, count * sizeof(cl_int))};
    return reduction;
}

static bool group_sums_right(const struct reduction *reduction, const void *x,
                             bool is_int) {
    const struct problem *problem = reduction->problem;
    const size_t n = problem->n, group = reduction->group;
    for (size_t g = 0; g < reduction->count; g++) {
        const size_t first = g * group, rest = n - first;
        const double found = number_at(problem->results, is_int, g);
        const double expected =
            sum_on_host(x, is_int, first, first + (rest < group ? rest : group));
        if (found != expected)
            return wrong_at(element_of_group("sums", g), found, expected);
    }
    return true;
}

/* Has every lane received the largest of its SIMD group's values? */
static bool largest_right(const struct reduction *reduction, const cl_int *x,
                          const struct launch *launch) {
    const struct problem *problem = reduction->problem;
    const cl_int *results = problem->results;
    size_t begin = 0;
    while (begin < problem->n) {
        size_t end = end_of_lanes(begin, problem->lanes, reduction->group);
        if (end > problem->n)
            end = problem->n;
        cl_int largest = x[begin];
        for (size_t i = begin; i < end; i++)
            largest = x[i] > largest ? x[i] : largest;
        for (size_t i = begin; i < end; i++)
            if (results[i] != largest)
                return wrong_at(element_of_item("largest", i, launch), results[i],
                                largest);
        begin = end;
    }
    return true;
}

static bool is_right(const struct entry *entry, bool again) {
    const struct reduction *reduction = entry->of;
    const struct problem *problem = reduction->problem;
    const enum numbers kind = reduction->variant->numbers;
    const bool is_int = kind != FLOATS;
    const void *x = problem->x[kind];
    (void)again; /* x has been made tiny, and the sums are of what it is */
    buffer_read(&problem->step->device, entry->out, problem->results,
                reduction->count * sizeof(cl_int));
    switch (reduction->variant->left) {
    case GROUP_SUMS:
        return group_sums_right(reduction, x, is_int);
    case LARGEST:
        return largest_right(reduction, x, &entry->launch);
    default:
        return equal_sum(sum_on_host(problem->results, is_int, 0, reduction->count),
                         sum_on_host(x, is_int, 0, problem->n));
    }
}

static struct entry make_entry(const struct reduction *reduction) {
    const struct problem *problem = reduction->problem;
    const struct variant *variant = reduction->variant;
    struct step *step = problem->step;
    const cl_mem x_buffer = problem->x_buffers[variant->numbers];
    const size_t group = reduction->group, slot_bytes = group * sizeof(cl_int);
    struct entry entry = {.out = reduction->results_buffer, .of = reduction};
    entry.not_tiny = variant->numbers != FLOATS;
    entry.row.variant = variant->name;
    entry.row.size = problem->n;
    if (variant->left == LARGEST) {
        entry.launch = LAUNCH(step, variant->kernel, reduction->items, group,
                              ARG(x_buffer), ARG(entry.out), LOCAL(slot_bytes),
                              ARG(problem->n), ARG(problem->lanes));
        entry.row.bytes = 2.0 * problem->n * sizeof(cl_int);
        entry.row.limit = step->report.limits.copy;
    } else {
        entry.launch =
            LAUNCH(step, variant->kernel, reduction->items, group, ARG(x_buffer),
                   ARG(entry.out), LOCAL(slot_bytes), ARG(problem->n));
        entry.row.bytes = (double)problem->n * sizeof(cl_int);
        entry.row.limit = step->report.limits.read;
    }
    return entry;
}

/* ---- All operations of simd.clh, in every lane: checked, and not timed. */

/* In the order of the kernels; the first six are for float, too. */
enum { SUM, PRODUCT, MIN, MAX, INCLUSIVE, EXCLUSIVE, AND, OR, XOR, SWAPPED, LAST };
enum { FLOAT_OPERATIONS = EXCLUSIVE + 1, INT_OPERATIONS = LAST + 1 };
static const struct {
    const char *name;
    double of_float, of_int; /* its identity */
} operations[INT_OPERATIONS] = {{"sum", 0, 0},
                                {"product", 1, 1},
                                {"min", INFINITY, INT_MAX},
                                {"max", -INFINITY, INT_MIN},
                                {"inclusive", 0, 0},
                                {"exclusive", 0, 0},
                                {"and", 0, -1},
                                {"or", 0, 0},
                                {"xor", 0, 0},
                                {"swapped", 0, 0},
                                {"last", 0, 0}};

/* The value that changes no result. */
static double identity(size_t operation, bool is_int) {
    return is_int ? operations[operation].of_int : operations[operation].of_float;
}

/* In work-groups of 512 or 100, most lanes of the last SIMD group have no value.  They
 * contribute the identity, and so the values are padded with it here. */
enum { VALUES = 3001, PADDED = VALUES + GROUP };

/* The last value is the identity itself: in groups of 100 it is alone, and all other
 * lanes contribute what the kernel takes for the identity, so a wrong one shows. */
static double value_for(size_t operation, bool is_int, size_t i, uint32_t random) {
    const int value = value_at(i, VALUES, random), bit = (int)(1u << (random >> 27));
    const bool is_37th = i % 37 == 0;
    const double unit = is_int ? 1.0 : 0.5; /* halves: an int cannot keep their sum */
    const double two_or_half = is_int ? 2.0 : 0.5;
    if (i == VALUES - 1)
        return identity(operation, is_int);
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

static double combine(size_t operation, double a, double b) {
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

/* What the lanes of one SIMD group must receive if they contribute x[0] to
 * x[lanes - 1]. */
static void expect(size_t operation, const double *x, size_t lanes, double *expected) {
    double together = x[0], before = 0.0;
    for (size_t i = 1; i < lanes; i++)
        together = combine(operation, together, x[i]);
    for (size_t i = 0; i < lanes; i++) {
        const size_t partner = i ^ 1, last = lanes - 1;
        switch (operation) {
        case INCLUSIVE:
            expected[i] = before + x[i];
            break;
        case EXCLUSIVE:
            expected[i] = before;
            break;
        case SWAPPED: /* a lane without a partner receives the last lane's */
            expected[i] = x[partner < last ? partner : last];
            break;
        case LAST:
            expected[i] = x[last];
            break;
        default:
            expected[i] = together;
        }
        before += x[i];
    }
}

/* The operations on ints or on floats: what the lanes contribute, one operation after
 * another, and what they receive. */
struct trial {
    struct step *step;
    bool is_int;
    size_t operations;
    double *values; /* PADDED for each operation */
    void *results;  /* VALUES for each operation, then the number of lanes */
    cl_mem x_buffer, results_buffer;
};

static struct trial make_trial(struct step *step, bool is_int) {
    struct trial trial = {.step = step, .is_int = is_int};
    trial.operations = is_int ? INT_OPERATIONS : FLOAT_OPERATIONS;
    trial.values = step_array(step, trial.operations * PADDED, sizeof *trial.values);
    const size_t count = trial.operations * VALUES;
    cl_int *ints = step_array(step, count, sizeof *ints);
    cl_float *floats = step_array(step, count, sizeof *floats);
    uint32_t random = step->options.seed + 3;
    for (size_t k = 0; k < trial.operations; k++) {
        double *values = trial.values + k * PADDED;
        for (size_t i = 0; i < VALUES; i++) {
            values[i] = value_for(k, is_int, i, random_next(&random));
            if (is_int)
                ints[k * VALUES + i] = (cl_int)values[i];
            else
                floats[k * VALUES + i] = (cl_float)values[i];
        }
        for (size_t i = VALUES; i < PADDED; i++)
            values[i] = identity(k, is_int);
    }
    if (is_int)
        trial.x_buffer = buffer_from(&step->device, ints, count * sizeof *ints);
    else
        trial.x_buffer = buffer_from(&step->device, floats, count * sizeof *floats);
    const size_t result_bytes = (count + 1) * sizeof(cl_int);
    trial.results = step_array(step, 1, result_bytes);
    trial.results_buffer = buffer_new(&step->device, result_bytes);
    return trial;
}

/* Has every lane received the right result of operation number k? */
static bool operation_right(const struct trial *trial, size_t k, size_t lanes,
                            const struct launch *launch) {
    const double *values = trial->values + k * PADDED;
    double expected[PADDED];
    size_t begin = 0;
    while (begin < VALUES) {
        const size_t end = end_of_lanes(begin, lanes, launch->local[0]);
        expect(k, values + begin, end - begin, expected + begin);
        begin = end;
    }
    for (size_t i = 0; i < VALUES; i++) {
        const double result = number_at(trial->results, trial->is_int, k * VALUES + i);
        if (result != expected[i])
            return wrong_at(element_of_item(operations[k].name, i, launch), result,
                            expected[i]);
    }
    return true;
}

static bool trial_right(const struct trial *trial, size_t group) {
    struct device *device = &trial->step->device;
    const size_t count = trial->operations * VALUES;
    const cl_uint n = VALUES;
    const char *kernel =
        trial->is_int ? "reduce_simd_all_int" : "reduce_simd_all_float";
    const struct launch launch =
        LAUNCH(trial->step, kernel, n, step_group(trial->step, group),
               ARG(trial->x_buffer), ARG(trial->results_buffer), ARG(n));
    buffer_poison(device, trial->results_buffer);
    launch_ms(device, &launch);
    buffer_read(device, trial->results_buffer, trial->results,
                (count + 1) * sizeof(cl_int));

    const double lanes = number_at(trial->results, trial->is_int, count);
    if (!(lanes >= 1 && lanes <= 1024))
        die("a kernel does not say how many lanes its SIMD groups have" HINT
            "see step07_reduce_simd.cl, simd_lanes_most()");
    for (size_t k = 0; k < trial->operations; k++)
        if (!operation_right(trial, k, (size_t)lanes, &launch))
            return false;
    return true;
}

static void report_operations(struct step *step) {
    struct row row = {.variant = "7 operations, every lane", .size = VALUES};
    row.note = "int, float";
    const struct trial ints = make_trial(step, true), floats = make_trial(step, false);
    const bool ints_right = trial_right(&ints, GROUP),
               odd_ints_right = trial_right(&ints, ODD_GROUP),
               floats_right = trial_right(&floats, GROUP),
               odd_floats_right = trial_right(&floats, ODD_GROUP);
    row.right = ints_right && odd_ints_right && floats_right && odd_floats_right;
    report_row(&step->report, row);
}

/* ---- How the lanes of this device exchange values. */

struct exchange {
    cl_uint way, lanes;
};

static const char *const ways[] = {"local memory", "OpenCL's sub-groups",
                                   "NVIDIA's shfl.sync and redux.sync"};

static struct exchange ask_device(struct step *step) {
    struct exchange exchange;
    const size_t group = step_group(step, GROUP);
    cl_mem buffer = buffer_new(&step->device, sizeof exchange);
    const struct launch launch =
        LAUNCH(step, "reduce_simd_way", group, group, ARG(buffer));
    launch_ms(&step->device, &launch);
    buffer_read(&step->device, buffer, &exchange, sizeof exchange);
    if (exchange.way >= COUNT(ways) || exchange.lanes == 0)
        die("reduce_simd_way knows no way for lanes to exchange values" HINT
            "see simd.clh, SIMD_WAY");
    return exchange;
}

static void say_exchange(struct step *step, struct exchange exchange) {
    report_say(&step->report, "SIMD groups of %u lanes, by way of %s.", exchange.lanes,
               ways[exchange.way]);
    struct driver_fault fault; /* exchanges through local memory would be wrong */
    if (driver_fault_find(step->device.id, &fault))
        report_say(&step->report, "Known fault: %s.\nAvoided here, by %s.", fault.what,
                   fault.setting);
}

/* ---- The device against one thread of the host. */

/* The sum as an unsigned number, which may wrap around. */
static cl_uint wrapping_sum(const cl_int *x, size_t n) {
    cl_uint sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (cl_uint)x[i];
    return sum;
}

/* The comparison of the A14 article (docs/sources.md), by the host's clock.  The
 * device's time ends when the host has read the groups' sums and added them up. */
static void compare_with_thread(struct step *step, const struct entry *entry) {
    enum { PAIRS = 9 };
    const struct reduction *reduction = entry->of;
    const struct problem *problem = reduction->problem;
    const size_t groups = reduction->count;
    double device_ms[PAIRS], thread_ms[PAIRS];
    bool same = true;
    for (int i = 0; i < PAIRS; i++) {
        const double begin_ms = now_ms();
        launch_ms(&step->device, &entry->launch);
        buffer_read(&step->device, entry->out, problem->results,
                    groups * sizeof(cl_int));
        const cl_uint of_device = wrapping_sum(problem->results, groups);
        const double middle_ms = now_ms();
        const cl_uint of_thread = wrapping_sum(problem->x[INTS], problem->n);
        thread_ms[i] = now_ms() - middle_ms;
        device_ms[i] = middle_ms - begin_ms;
        if (!equal_sum(of_device, of_thread))
            same = false;
    }
    if (!same)
        step->report.wrong++;
    report_say(&step->report, "int, until the host has the sum, against one thread: %s",
               in_words(ratio_of(device_ms, thread_ms, PAIRS)).text);
}

int main(int argc, char **argv) {
    struct step step;
    step_open(
        &step, argc, argv,
        &(struct usage){
            .step = "step07_reduce_simd",
            .lesson = "the same sum; lanes exchange by local memory, or directly"});

    /* Odd quarters, and ints of both signs: any order of adding gives the same sum. */
    const cl_uint n = step_size(&step, &sizes, 5, sizeof(float));
    float *floats = step_numbers(&step, n, 1);
    struct problem problem = {.step = &step, .n = n, .lanes = BY_HAND};
    problem.x[FLOATS] = floats;
    problem.x[INTS] = make_ints(&step, n, 2);
    problem.x[EXTREMES] = make_extremes(&step, n, 3);
    for (size_t kind = 0; kind < KINDS; kind++)
        problem.x_buffers[kind] =
            buffer_from(&step.device, problem.x[kind], n * sizeof(cl_int));
    problem.results = step_array(&step, n, sizeof(cl_int));
    if (step.options.lanes)
        problem.lanes = (cl_uint)step.options.lanes;

    /* The lesson: the same sum by a tree, and by SIMD groups.  First of all, every
     * variant has to be right, also in groups of 100: there a tree has values without a
     * partner, and the last SIMD group is short. */
    struct contest contest = contest_begin(&step, is_right);
    for (size_t v = 0; v < VARIANTS; v++) {
        contest_add(&contest, make_entry(reduction_new(&problem, &variants[v], GROUP)));
        contest_check(&contest,
                      make_entry(reduction_new(&problem, &variants[v], ODD_GROUP)));
    }

    /* The timed launches get floats of which a sum in quarters would keep nothing. */
    contest_make_tiny(&contest, problem.x_buffers[FLOATS], floats, n);
    const struct ratio ratio = contest_time(&contest, SIMD_GROUP, TREE);

    /* All operations of simd.clh, and how lanes exchange values on this device. */
    const struct exchange exchange = ask_device(&step);
    report_operations(&step);
    say_exchange(&step, exchange);

    /* The result. */
    report_headline(
        &step.report, "SIMD-group functions, not a tree", ratio,
        "A core runs one work-item after another, and has to emulate lanes.");
    compare_with_thread(&step, &contest.entries[SIMD_INT]);
    return step_close(&step);
}
