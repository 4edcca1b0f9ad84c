/* Step 08: the order of a float sum
 *
 * The steps before added multiples of a quarter, which are exact in any order.  Most
 * floats are not: each addition rounds, and in another order it rounds elsewhere.  Who
 * is right?
 *
 * Read with  kernels/step08_sum_accuracy.cl, docs/step08_sum_accuracy.md
 * Try        1.5f, then 1.9f in equal_numbers(): which orders are exact, and why?
 * Lens       --size 65536
 * Story      busy_lanes sum_tree sum_single
 */
#include "buffer.h"
#include "check.h"
#include "compare.h"
#include "data.h"
#include "report.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, GROUP = 256, SHARE = 1024, MOST_ITEMS = 1 << 18, EACH = 64 };
enum { LARGER = 128, LARGER_ON_CPU = 16, RUNS = 10 };

/* ---- The numbers.  All are whole multiples of 2^-24 and less than 2^9, and there are
 * at most 2^30: in units of 2^-24, an int64_t holds their exact sum. */

static int64_t units(float x) {
    return (int64_t)(x * 0x1p24f);
}

static int64_t exact_sum(const float *x, size_t n) {
    int64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += units(x[i]);
    return sum;
}

static void equal_numbers(float *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        x[i] = 1.1f;
}

/* From 0 to 1, by xorshift.  (Source: G. Marsaglia, Xorshift RNGs, 2003.) */
static void random_numbers(float *x, size_t n, unsigned seed) {
    uint32_t state = seed + 8;
    for (size_t i = 0; i < n; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        x[i] = (float)(state >> 8) * 0x1p-24f;
    }
}

/* Of sizes up to 512; and what comes in goes out again, but for the last one or two. */
static void in_and_out(float *x, size_t n, unsigned seed) {
    const size_t half = (n - 1) / 2;
    random_numbers(x, n, seed);
    for (size_t i = 0; i < half; i++) {
        x[i] = ldexpf(x[i], (int)(i % 10));
        x[half + i] = -x[i];
    }
}

/* The lens looks at the first: with all sizes and both signs, a wrong order shows. */
enum { IN_AND_OUT, RANDOM, ARTICLE, KINDS };

/* How far a sum is off, in steps from one float to the next at the exact sum (ulp). */
static double ulps_off(float sum, int64_t exact) {
    int exponent;
    frexp((double)exact, &exponent);
    if (!(fabsf(sum) < 0x1p38f))
        return INFINITY;
    return fabs((double)(units(sum) - exact)) / ldexp(1.0, exponent - 24);
}

/* ---- The kernels' sums on the host, addition for addition. */

static float one_by_one(const float *x, size_t n) {
    float sum = 0.0f;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

static float in_stages(const float *x, size_t n) {
    float sums[LANES] = {0};
    for (size_t i = 0; i < n; i++)
        sums[i % LANES] += x[i];
    return one_by_one(sums, LANES);
}

static float as_tree(const float *x, size_t n) {
    float tree[SHARE] = {0};
    memcpy(tree, x, n * sizeof *x);
    for (size_t width = SHARE / 2; width > 0; width /= 2)
        for (size_t i = 0; i < width; i++)
            tree[i] += tree[i + width];
    return tree[0];
}

/* What a work-item keeps while it adds with care. */
union careful {
    struct {
        float sum, rest;
    };
    int64_t units;
    double number;
};

static void kahan_add(union careful *to, float x) {
    const float y = x + to->rest, total = to->sum + y;
    to->rest = y - (total - to->sum);
    to->sum = total;
}

static void neumaier_add(union careful *to, float x) {
    const float total = to->sum + x;
    to->rest +=
        fabsf(to->sum) >= fabsf(x) ? (to->sum - total) + x : (x - total) + to->sum;
    to->sum = total;
}

static void pair_add(union careful *to, float x) {
    const float total = to->sum + x, part = total - to->sum;
    const float rest = to->rest + ((to->sum - (total - part)) + (x - part));
    to->sum = total + rest;
    to->rest = rest - (to->sum - total);
}

static void fixed_add(union careful *to, float x) {
    to->units += units(x);
}

static void double_add(union careful *to, float x) {
    to->number += (double)x;
}

/* ---- The ways to add.  A plain pass leaves a sum of each SHARE elements; what is left
 * is added one by one, or in more passes.  With care, each work-item leaves a sum. */

static const struct way {
    const char *name, *kernel;
    char letter;                              /* in the plot */
    size_t group;                             /* work-items for a share */
    float (*share)(const float *x, size_t n); /* a share's sum */
    bool to_the_end;
    void (*add)(union careful *to, float x);
} ways[] = {
    {"one after another", "sum_single", 's', 1, NULL, false, NULL},
    {"32 x 32, then the rest", "sum_stages", 'g', LANES, in_stages, false, NULL},
    {"tree, then the rest", "sum_tree", '\0', GROUP, as_tree, false, NULL},
    {"tree to the end", "sum_tree", 't', GROUP, as_tree, true, NULL},
    {"Kahan", "sum_kahan", 'k', GROUP, NULL, false, kahan_add},
    {"Neumaier", "sum_neumaier", 'p', GROUP, NULL, false, neumaier_add},
    {"float pairs", "sum_pairs", 'p', GROUP, NULL, false, pair_add},
    {"fixed point", "sum_fixed", 'p', GROUP, NULL, false, fixed_add},
    {"double", "sum_double", 'p', GROUP, NULL, false, double_add},
};
enum {
    LONG = 0,
    STAGES = 1,
    PAIRWISE = 3,
    PLAIN = 4,
    FIXED = 7,
    WAYS = sizeof ways / sizeof *ways
};

/* The most that a sum of n positive numbers may be off, in 2^-24 of itself: as many as
 * additions follow each other, or Kahan's 2.  (Source: N. J. Higham, The accuracy of
 * floating point summation, SIAM J. Sci. Comput. 14, 1993.) */
static double bound(char letter, double n) {
    const double lanes = fmin(n, LANES), rounds = ceil(fmin(n, SHARE) / LANES);
    switch (letter) {
    case 's':
        return n - 1.0;
    case 'g':
        return (rounds - 1.0) + (lanes - 1.0) + (ceil(n / SHARE) - 1.0);
    case 't':
        return ceil(log2(n));
    default:
        return 2.0;
    }
}

/* What became of a sum. */
struct outcome {
    float sum;   /* the device's */
    double ulps; /* off the exact sum */
    bool same;   /* bits as on the host, of each work-item's sum, too */
};

/* What every sum needs: the elements, and room for what a pass leaves. */
struct problem {
    struct device *device;
    unsigned seed;
    size_t ways; /* that this device knows */
    float *x, *sums;
    union careful *ours, *theirs; /* on the host, and read from the device */
    cl_mem x_buffer, sums_buffers[2], careful_buffer, cell_buffer;
    cl_kernel kernels[WAYS], any_order, fixed_any_order;
    struct outcome outcomes[KINDS][WAYS];
};

static size_t shares(size_t n) {
    return (n + SHARE - 1) / SHARE;
}

/* Work-items for a careful sum: a power of two, with about EACH elements for each. */
static size_t items_for(size_t n) {
    size_t items = GROUP;
    while (items < MOST_ITEMS && items * EACH < n)
        items *= 2;
    return items;
}

/* Adds what the work-items of a careful sum left, with the same care. */
static float total(const struct way *way, const union careful *sums, size_t items) {
    union careful all = {0};
    for (size_t i = 0; i < items; i++) {
        if (way->add == fixed_add)
            all.units += sums[i].units;
        else if (way->add == double_add)
            all.number += sums[i].number;
        else {
            way->add(&all, sums[i].sum);
            way->add(&all, sums[i].rest);
        }
    }
    if (way->add == fixed_add)
        return (float)all.units * 0x1p-24f;
    return way->add == double_add ? (float)all.number : all.sum + all.rest;
}

static float sum_on_host(const struct problem *problem, const struct way *way,
                         const float *x, size_t n) {
    if (way->add) {
        const size_t items = items_for(n);
        memset(problem->ours, 0, items * sizeof *problem->ours);
        for (size_t i = 0; i < n; i++)
            way->add(&problem->ours[i & (items - 1)], x[i]);
        return total(way, problem->ours, items);
    }
    for (bool more = way->share; more; more = way->to_the_end && n > 1) {
        for (size_t i = 0; i < n; i += SHARE)
            problem->sums[i / SHARE] = way->share(x + i, n - i < SHARE ? n - i : SHARE);
        x = problem->sums;
        n = shares(n);
    }
    return one_by_one(x, n);
}

static struct launch pass(const struct problem *problem, const struct way *way,
                          cl_mem from, cl_mem to, cl_uint n) {
    const size_t groups = way->add ? items_for(n) / GROUP : way->share ? shares(n) : 1;
    cl_kernel kernel = problem->kernels[way - ways];
    kernel_args(kernel, ARG(from), ARG(to), ARG(n));
    return launch_1d(kernel, groups * way->group, way->group);
}

/* The pass that reads all the elements, and is timed. */
static struct launch first_pass(const struct problem *problem, const struct way *way,
                                cl_uint n) {
    return pass(problem, way, problem->x_buffer,
                way->add ? problem->careful_buffer : problem->sums_buffers[0], n);
}

/* The sum, from what the last launch of the first pass has left. */
static float sum_left(const struct problem *problem, const struct way *way, cl_uint n) {
    struct device *device = problem->device;
    if (way->add) {
        const size_t items = items_for(n);
        buffer_read(device, problem->careful_buffer, problem->theirs,
                    items * sizeof *problem->theirs);
        return total(way, problem->theirs, items);
    }
    float sum;
    cl_mem from = problem->sums_buffers[0], to = problem->sums_buffers[1];
    n = way->share ? (cl_uint)shares(n) : 1;
    while (way->to_the_end && n > 1) {
        const struct launch launch = pass(problem, way, from, to, n);
        launch_ms(device, &launch);
        from = to;
        to = problem->sums_buffers[from == problem->sums_buffers[0]];
        n = (cl_uint)shares(n);
    }
    if (way->share) {
        const struct launch launch = pass(problem, &ways[0], from, to, n);
        launch_ms(device, &launch);
        from = to;
    }
    buffer_read(device, from, &sum, sizeof sum);
    return sum;
}

static float sum_on_device(const struct problem *problem, const struct way *way,
                           cl_uint n) {
    buffer_poison(problem->device, problem->sums_buffers[0]);
    buffer_poison(problem->device, problem->sums_buffers[1]);
    buffer_poison(problem->device, problem->careful_buffer);
    const struct launch launch = first_pass(problem, way, n);
    launch_ms(problem->device, &launch);
    return sum_left(problem, way, n);
}

static bool same_bits(float found, float expected) {
    return !memcmp(&found, &expected, sizeof found) ||
           wrong_at(element("sum", 0), (double)found, (double)expected);
}

/* What each work-item of a careful sum left, bit by bit. */
static bool same_items(const struct problem *problem, const struct way *way,
                       size_t items) {
    for (size_t i = 0; i < items; i++) {
        const union careful *ours = &problem->ours[i], *theirs = &problem->theirs[i];
        if (memcmp(ours, theirs, sizeof *ours) == 0)
            continue;
        if (way->add == fixed_add)
            return wrong_at(element("units", i), (double)theirs->units,
                            (double)ours->units);
        if (way->add == double_add)
            return wrong_at(element("numbers", i), theirs->number, ours->number);
        const bool same_sum = memcmp(&ours->sum, &theirs->sum, sizeof ours->sum) == 0;
        return wrong_at(element(same_sum ? "rests" : "sums", i),
                        (double)(same_sum ? theirs->rest : theirs->sum),
                        (double)(same_sum ? ours->rest : ours->sum));
    }
    return true;
}

static struct outcome compare(const struct problem *problem, const struct way *way,
                              cl_uint n) {
    const float ours = sum_on_host(problem, way, problem->x, n);
    const float theirs = sum_on_device(problem, way, n);
    const size_t items = way->add ? items_for(n) : 0;
    struct outcome outcome = {.sum = theirs};
    outcome.ulps = ulps_off(theirs, exact_sum(problem->x, n));
    outcome.same = same_bits(theirs, ours) && same_items(problem, way, items);
    return outcome;
}

static void fill(const struct problem *problem, int kind, size_t n) {
    if (kind == RANDOM)
        random_numbers(problem->x, n, problem->seed);
    else if (kind == IN_AND_OUT)
        in_and_out(problem->x, n, problem->seed);
    else
        equal_numbers(problem->x, n);
    buffer_write(problem->device, problem->x_buffer, problem->x,
                 n * sizeof *problem->x);
}

static void compare_all(struct problem *problem, cl_uint n) {
    for (int kind = 0; kind < KINDS; kind++) {
        fill(problem, kind, n);
        for (size_t w = 0; w < problem->ways; w++)
            problem->outcomes[kind][w] = compare(problem, &ways[w], n);
    }
}

/* ---- What is shown. */

/* A row is right if the device does as the host, with numbers of all kinds; and if the
 * last timed launch leaves the same sum as the first.  Returns the time. */
static struct timing show_row(struct report *report, const struct problem *problem,
                              const struct way *way, cl_uint n, float sum,
                              struct row row) {
    for (int kind = 0; kind < KINDS; kind++)
        row.right = row.right && problem->outcomes[kind][way - ways].same;
    row.variant = way->name;
    row.size = n;
    row.limit = report->limits.read;
    row.time = time_launches(problem->device, first_pass(problem, way, n),
                             report->options->repeats);
    row.right =
        row.right && right_again(same_bits(sum_left(problem, way, n), sum) &&
                                 (!way->add || same_items(problem, way, items_for(n))));
    report_row(report, row);
    return row.time;
}

/* The article's sum.  What is left after a pass is not timed: for the pairwise sum that
 * is a thousandth of all additions. */
static void show_sums(struct report *report, const struct problem *problem, cl_uint n) {
    const double one = (double)*problem->x;
    struct timing times[PLAIN];
    for (size_t w = 0; w < PLAIN; w++) {
        char note[32];
        const float sum = problem->outcomes[ARTICLE][w].sum;
        snprintf(note, sizeof note, "%.10g", (double)sum);
        times[w] = show_row(report, problem, &ways[w], n, sum,
                            (struct row){.right = true, .note = note});
    }
    report_say(report, "%u times %.10g is %.10g.", n, one, n * one);
    report_headline(report, "pairwise pass against one long sum",
                    ratio_between(times[PAIRWISE], times[LONG]));
}

/* What care costs, in a larger problem.  The first way's time was shown above; trees
 * differ only in what follows the pass. */
static void show_costs(struct report *report, const struct problem *problem,
                       cl_uint n) {
    report_say(report, "\n%u random numbers from 0 to 1:", n);
    fill(problem, RANDOM, n);
    for (size_t w = 1; w < problem->ways; w++) {
        if (!ways[w].letter)
            continue;
        const struct outcome outcome = compare(problem, &ways[w], n);
        char note[32];
        snprintf(note, sizeof note, "error %.2f ulp", outcome.ulps);
        show_row(report, problem, &ways[w], n, outcome.sum,
                 (struct row){.bytes = (double)n * sizeof(float),
                              .right = outcome.same,
                              .note = note});
    }
    if (problem->ways < WAYS)
        report_say(report, "This device has no double.");
}

static void show_errors(struct report *report, const struct problem *problem,
                        cl_uint n) {
    const struct outcome(*outcomes)[WAYS] = problem->outcomes;
    char heading[64];
    snprintf(heading, sizeof heading, "error in ulp, %u numbers", n);
    report_say(report, "\n%-30s%14s%14s%14s", heading, "all equal", "random",
               "in and out");
    for (size_t w = 0; w < problem->ways; w++)
        report_say(report, "%-30s%14.2f%14.2f%14.2f", ways[w].name,
                   outcomes[ARTICLE][w].ulps, outcomes[RANDOM][w].ulps,
                   outcomes[IN_AND_OUT][w].ulps);
}

/* The way's pass, RUNS times, but all add to one cell, as they happen to come. */
static void any_order(struct report *report, const struct problem *problem,
                      const struct way *way, cl_kernel kernel, const char *name,
                      cl_uint n) {
    struct launch launch = first_pass(problem, way, n);
    launch.kernel = kernel;
    kernel_args(kernel, ARG(problem->x_buffer), ARG(problem->cell_buffer), ARG(n));

    struct row row = {.variant = name, .size = n, .right = true};
    const int64_t exact = exact_sum(problem->x, n);
    uint64_t answers[RUNS];
    double samples_ms[RUNS];
    int different = 0;
    for (int run = 0; run < RUNS; run++) {
        union {
            cl_uint words[2];
            float sum;
        } cell = {{0, 0}};
        buffer_write(problem->device, problem->cell_buffer, &cell, sizeof cell);
        samples_ms[run] = launch_ms(problem->device, &launch);
        buffer_read(problem->device, problem->cell_buffer, &cell, sizeof cell);

        answers[run] = (uint64_t)cell.words[1] << 32 | cell.words[0];
        if (way->add)
            row.right = row.right &&
                        equal_sum((double)(int64_t)answers[run], (double)exact) &&
                        answers[run] == (uint64_t)exact;
        else if (row.right && !(ulps_off(cell.sum, exact) <= bound(way->letter, n)))
            row.right = wrong("the sum is %.9g, %.3g ulp off; %.3g are allowed",
                              (double)cell.sum, ulps_off(cell.sum, exact),
                              bound(way->letter, n));
        int first = 0;
        while (answers[first] != answers[run])
            first++;
        different += first == run;
    }
    char note[64];
    snprintf(note, sizeof note, "%d answer%s in %d runs", different,
             different > 1 ? "s" : "", RUNS);
    row.note = note;
    row.time = timing_of(samples_ms, RUNS);
    report_row(report, row);
}

/* ---- The plot: errors upwards, and n to the right, both in powers of 4. */

enum { SMALLEST = 16, COLUMNS = 9, WIDTH = 8, LEVELS = 19, ONE_ULP = 3 };
enum { TRIES = 16, ENOUGH = 1 << 22 };

typedef char letters[WIDTH + 1];

/* Writes a letter at the level of its error, if it does not stand there yet. */
static void mark(letters plot[LEVELS][COLUMNS], size_t column, double ulps,
                 char letter) {
    const double level = floor(log2(ulps) / 2.0 + 0.5) + ONE_ULP; /* of 0: -infinity */
    char *there = plot[(int)fmin(fmax(level, 0.0), LEVELS - 1)][column];
    if (!strchr(there, letter) && strlen(there) < WIDTH)
        there[strlen(there)] = letter;
}

/* The worst of some stretches of n elements, out of `size`, and what is possible. */
static void mark_column(letters plot[LEVELS][COLUMNS], size_t column,
                        const struct problem *problem, size_t n, size_t size) {
    double errors[WAYS] = {0}, bounds[WAYS] = {0};
    for (size_t i = 0; (i + 1) * n <= size && i < TRIES && (i == 0 || i * n < ENOUGH);
         i++) {
        const float *x = problem->x + i * n;
        const int64_t exact = exact_sum(x, n);
        const double one = ulps_off(0.0f, exact) * 0x1p-24;
        for (size_t w = 0; w < problem->ways; w++) {
            const float sum = sum_on_host(problem, &ways[w], x, n);
            errors[w] = fmax(errors[w], ulps_off(sum, exact));
            bounds[w] = fmax(bounds[w], bound(ways[w].letter, (double)n) * one);
        }
    }
    for (size_t w = 0; w < problem->ways; w++)
        if (ways[w].letter)
            mark(plot, column, errors[w], ways[w].letter);
    for (size_t w = 0; w < problem->ways; w++)
        if (ways[w].letter && ways[w].letter != 'p')
            mark(plot, column, bounds[w], (char)(ways[w].letter - 'a' + 'A'));
}

static void show_line(struct report *report, const char *label, letters line[COLUMNS]) {
    char text[16 + COLUMNS * WIDTH];
    int used = sprintf(text, "%7s ", label);
    for (int column = 0; column < COLUMNS; column++)
        used += sprintf(text + used, "%-*s", WIDTH, line[column]);
    while (text[used - 1] == ' ')
        used--;
    report_say(report, "%.*s", used, text);
}

static void show_plot(struct report *report, const struct problem *problem, size_t n,
                      size_t size) {
    letters plot[LEVELS][COLUMNS] = {0}, axis[COLUMNS] = {0};
    size_t smallest = SMALLEST, column = 0;
    while (smallest << 2 * COLUMNS <= n)
        smallest *= 4;
    for (size_t m = smallest; m <= n; m *= 4, column++) {
        snprintf(axis[column], sizeof axis[column], "%u", (cl_uint)m);
        mark_column(plot, column, problem, m, size);
    }
    report_say(report, "\nerror in ulp, n random numbers:");
    bool begun = false;
    for (int level = LEVELS - 1; level >= 0; level--) {
        char label[16];
        snprintf(label, sizeof label, level < ONE_ULP ? "1/%d" : "%d",
                 1 << 2 * abs(level - ONE_ULP));
        for (column = 0; column < COLUMNS; column++)
            begun = begun || *plot[level][column];
        if (begun)
            show_line(report, level ? label : "less", plot[level]);
    }
    show_line(report, "n =", axis);
    report_say(
        report,
        "s one after another, g 32 x 32 and the rest, t tree, k Kahan, "
        "p the others;\nS G T K: the most that these may be off; p: 1/2, the last "
        "rounding");
}

static bool has_double(const struct device *device) {
    cl_device_fp_config config = 0;
    clGetDeviceInfo(device->id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof config, &config,
                    NULL);
    return config != 0;
}

static struct problem problem_new(struct device *device, const struct options *options,
                                  size_t n) {
    struct problem problem = {
        .device = device, .seed = options->seed, .ways = WAYS - !has_double(device)};
    problem.x = allocate(n, sizeof *problem.x);
    problem.sums = allocate(shares(n), sizeof *problem.sums);
    problem.ours = allocate(MOST_ITEMS, sizeof *problem.ours);
    problem.theirs = allocate(MOST_ITEMS, sizeof *problem.theirs);
    problem.x_buffer = buffer_new(device, n * sizeof *problem.x);
    problem.sums_buffers[0] = buffer_new(device, shares(n) * sizeof *problem.sums);
    problem.sums_buffers[1] = buffer_new(device, shares(n) * sizeof *problem.sums);
    problem.careful_buffer = buffer_new(device, MOST_ITEMS * sizeof *problem.theirs);
    problem.cell_buffer = buffer_new(device, 2 * sizeof(cl_uint));
    for (size_t w = 0; w < problem.ways; w++)
        problem.kernels[w] = kernel_load(device, options, ways[w].kernel);
    problem.any_order = kernel_load(device, options, "sum_any_order");
    problem.fixed_any_order = kernel_load(device, options, "sum_fixed_any_order");
    return problem;
}

int main(int argc, char **argv) {
    struct options options = options_read(argc, argv, "step08_sum_accuracy", 1 << 20);
    struct device device = device_open(options.device);
    struct report report = report_start(&options, &device);

    /* Accuracy is asked of n elements; speed, of more. */
    const cl_uint n = device_check_size(&device, options.size, 2, sizeof(float));
    const size_t room = device_capacity(&device, 2, sizeof(float));
    const size_t times = device.is_cpu && !options.full ? LARGER_ON_CPU : LARGER;
    const size_t wanted = options.size_given ? n : n * times;
    const cl_uint large = (cl_uint)(wanted < room ? wanted : room);
    struct problem problem = problem_new(&device, &options, large);

    /* The lesson: the same order gives the same bits, and another order other bits. */
    compare_all(&problem, n);
    show_sums(&report, &problem, n);
    show_costs(&report, &problem, large);

    /* And if the order is whatever it happens to be? */
    report_say(&report, "\nThe first %u of them, by atomics:", n);
    any_order(&report, &problem, &ways[STAGES], problem.any_order, "floats, any order",
              n);
    any_order(&report, &problem, &ways[FIXED], problem.fixed_any_order,
              "fixed point, any order", n);

    /* How far off is each, and how does that grow? */
    show_errors(&report, &problem, n);
    if (options.format == FORMAT_TABLE && n >= SMALLEST)
        show_plot(&report, &problem, n, large);

    device_close(&device);
    free(problem.theirs);
    free(problem.ours);
    free(problem.sums);
    free(problem.x);
    return report_end(&report);
}
