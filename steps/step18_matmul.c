/* Step 18: reuse, registers, the roofline's corner
 *
 * In step 17 arithmetic was the limit from the start.  A product of matrices can get
 * there, too, but only if each number that was fetched is used again and again: from
 * rung to rung it stays nearer to the arithmetic.
 *
 * Read with  kernels/step18_matmul.cl, docs/step18_matmul.md
 * Try        --m 1 --k 4096 --n 4096: which roof does a row times a matrix stand under?
 * Lens       --size 16384
 * Story      passes matmul_square matmul_local
 */
#include "buffer.h"
#include "check.h"
#include "compare.h"
#include "data.h"
#include "report.h"
#include "roofline.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows and columns, unless told: on a GPU, on a CPU, and in the paper on C for Metal
 * (see the chapter). */
enum { GPU_SIDE = 4096, CPU_SIDE = 256, PAPER_SIDE = 1024 };

enum { MOST_SIDE = 1 << 20 };   /* so that sums of small numbers are exact */
enum { HOST_FLOPS = 1 << 24 };  /* what the host works out of each product */
enum { SLOW_FLOPS = 1 << 28 };  /* of a GPU's kernels on a CPU, at most */
enum { TILE = 128, DEPTH = 8 }; /* rows and columns of the largest; of a slab of k */
enum { ROWS = 12, COLUMNS = 32, STRIP = 128 }; /* of panels, as in the kernel file */
enum { BUFFERS = 10 };                         /* of a matrix, or of its panels */
enum { PAIRS = 21, SAMPLE_MS = 20 };           /* by the host's clock */

enum rung {
    NAIVE,
    COALESCED,
    LOCAL,
    COLUMN,
    SQUARE,
    VECTORS,
    BUFFERED,
    AHEAD,
    AHEAD_HALF,
    PACKED,
    RUNGS
};
static const struct {
    const char *name, *kernel;
    bool down;       /* do neighbours go down a column, or along a row? */
    size_t local[2]; /* work-items in a group */
    size_t each[2];  /* columns and rows of C for one work-item */
} rungs[RUNGS] = {{"naive", "matmul_naive", true, {32, 8}, {1, 1}},
                  {"coalesced", "matmul_coalesced", false, {32, 8}, {1, 1}},
                  {"local tile", "matmul_local", false, {16, 16}, {1, 1}},
                  {"8 of a column", "matmul_column", false, {32, 8}, {1, 8}},
                  {"8 x 8", "matmul_square", false, {16, 16}, {8, 8}},
                  {"vectors", "matmul_vectors", false, {16, 16}, {8, 8}},
                  {"two buffers", "matmul_buffered", false, {16, 16}, {8, 8}},
                  {"8 x 16, ahead", "matmul_ahead", false, {128, 1}, {16, 8}},
                  {"4 x 16, ahead", "matmul_ahead_half", false, {128, 1}, {16, 4}},
                  {"packed", "matmul_packed", true, {16, 1}, {COLUMNS, ROWS}}};

/* A is m x k, B is k x n, C is m x n. */
struct shape {
    cl_uint m, n, k;
};

/* Two matrices, and what the host knows of their product. */
struct product {
    float *a, *b;
    cl_mem a_buffer, b_buffer;
    double *rows, *sizes; /* the first rows of A B, and of |A| |B| */
    double *c_x;          /* A (B x) */
};

/* What stays the same from row to row of the report. */
struct problem {
    struct report *report;
    struct device *device;
    struct roofline *roofline;
    struct shape shape;
    const char *only; /* the rung that --rung names, or NULL */
    double flops, bytes;
    size_t rows;                /* that the host works out */
    double *x;                  /* n random whole numbers */
    struct product exact, real; /* of odd quarters, for ==; of real ones, for clocks */
    float *c, *c_again;         /* the second: as the last timed launch left it */
    cl_mem c_buffer;
    struct chain {
        struct launch links[4]; /* what is launched for a product, timed together */
        size_t count;
        cl_kernel reads_a, reads_b; /* A is argument 0; B, too, if not of the same */
    } chains[RUNGS];
    cl_mem a_resized, b_resized, c_resized;
    cl_command_queue quiet; /* writes down no times, which take some, too */
    struct timing times[RUNGS];
    enum rung best;
    double best_ms, best_error;
};

/* Do its kernels want whole tiles, and groups in a line? */
static bool is_ahead(enum rung rung) {
    return rung == AHEAD || rung == AHEAD_HALF;
}

static size_t round_up(size_t n, size_t multiple) {
    return (n + multiple - 1) / multiple * multiple;
}

/* ---- On the host ---- */

/* Numbers from -1/2 to 1/2, never 0. */
static float *real_numbers(size_t count, cl_uint seed) {
    float *numbers = allocate(count, sizeof *numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = (float)(random_next(&seed) >> 8 | 1) * 0x1p-24f - 0.5f;
    return numbers;
}

/* The first rows by plain loops, in the order in which memory likes them. */
static void rows_on_host(const struct problem *problem, const float *a, const float *b,
                         float *c) {
    const size_t n = problem->shape.n, k = problem->shape.k;
    memset(c, 0, problem->rows * n * sizeof *c);
    for (size_t row = 0; row < problem->rows; row++)
        for (size_t i = 0; i < k; i++)
            for (size_t j = 0; j < n; j++)
                c[row * n + j] += a[row * k + i] * b[i * n + j];
}

/* The same in double; and of absolute values, by which rounding errors are measured. */
static void rows_in_double(const struct problem *problem, struct product *product) {
    const size_t n = problem->shape.n, k = problem->shape.k;
    for (size_t row = 0; row < problem->rows; row++)
        for (size_t i = 0; i < k; i++)
            for (size_t j = 0; j < n; j++) {
                const double ab =
                    (double)product->a[row * k + i] * (double)product->b[i * n + j];
                product->rows[row * n + j] += ab;
                product->sizes[row * n + j] += fabs(ab);
            }
}

/* y = M x */
static void times_vector(const float *M, size_t rows, size_t columns, const double *x,
                         double *y) {
    for (size_t i = 0; i < rows; i++) {
        y[i] = 0.0;
        for (size_t j = 0; j < columns; j++)
            y[i] += (double)M[i * columns + j] * x[j];
    }
}

static struct product product_of(const struct problem *problem, float *a, float *b) {
    const size_t m = problem->shape.m, n = problem->shape.n, k = problem->shape.k;
    struct product product = {.a = a, .b = b};
    product.a_buffer = buffer_from(problem->device, a, m * k * sizeof *a);
    product.b_buffer = buffer_from(problem->device, b, k * n * sizeof *b);
    product.rows = allocate(2 * problem->rows * n + m, sizeof(double));
    product.sizes = product.rows + problem->rows * n;
    product.c_x = product.sizes + problem->rows * n;
    rows_in_double(problem, &product);
    double *b_x = allocate(k, sizeof *b_x);
    times_vector(b, k, n, problem->x, b_x);
    times_vector(a, m, k, b_x, product.c_x);
    free(b_x);
    return product;
}

static void product_free(struct product *product) {
    free(product->rows);
    free(product->b);
    free(product->a);
}

/* How far are the first rows of C from those in double?  The largest error, relative to
 * |A| |B|. */
static double error_of(const struct problem *problem, const struct product *product) {
    double largest = 0.0;
    for (size_t i = 0; i < problem->rows * problem->shape.n; i++) {
        const double error = fabs((double)problem->c[i] - product->rows[i]);
        largest = isnan(error) ? INFINITY : fmax(largest, error / product->sizes[i]);
    }
    return largest;
}

/* Is the error allowed?  If not, names the first element whose error is not. */
static bool is_near(const struct problem *problem, const struct product *product,
                    double allowed) {
    for (size_t i = 0; i < problem->rows * problem->shape.n; i++) {
        const double found = (double)problem->c[i], wanted = product->rows[i];
        if (!(fabs(found - wanted) <= allowed * product->sizes[i]))
            return wrong_at(element_2d("C", i % problem->shape.n, i / problem->shape.n),
                            found, wanted);
    }
    return true;
}

/* A product and k additions, each rounded: no order of them errs by more (N. J. Higham,
 * "Accuracy and Stability of Numerical Algorithms", section 3.1). */
static double error_allowed(struct shape shape) {
    return ((double)shape.k + 1.0) * 0x1p-24;
}

/* Of odd quarters C is exact, whatever the order.  The first rows are compared element
 * by element; and all by C x = A (B x) for a random x (R. Freivalds, 1977), where each
 * number is a multiple of 1/16 and below 2^49: one wrong element of C, wherever, is
 * always found. */
static bool is_exact(const struct problem *problem) {
    const size_t m = problem->shape.m;
    double *c_x = allocate(m, sizeof *c_x);
    times_vector(problem->c, m, problem->shape.n, problem->x, c_x);
    size_t row = 0;
    while (row < m && c_x[row] == problem->exact.c_x[row])
        row++;
    free(c_x);
    return is_near(problem, &problem->exact, 0.0) &&
           (row == m || wrong("row %zu of C is wrong: times a vector it is not what A "
                              "times B is",
                              row));
}

/* ---- On the device ---- */

static cl_kernel load(const struct problem *problem, const char *name) {
    return kernel_load(problem->device, problem->report->options, name);
}

static void append(struct chain *chain, struct launch launch) {
    chain->links[chain->count] = launch;
    if (chain->count > 0)
        chain->links[chain->count - 1].then = &chain->links[chain->count];
    chain->count++;
}

/* The product itself, by as many groups as cover C. */
static void append_product(struct problem *problem, enum rung rung, struct shape shape,
                           cl_mem a, cl_mem b, cl_mem c) {
    struct chain *chain = &problem->chains[rung];
    const size_t *each = rungs[rung].each, *local = rungs[rung].local;
    const size_t wide = round_up(shape.n, each[0]) / each[0];
    const size_t high = round_up(shape.m, each[1]) / each[1];
    cl_kernel kernel = load(problem, rungs[rung].kernel);
    kernel_args(kernel, ARG(a), ARG(b), ARG(c), ARG(shape.m), ARG(shape.n),
                ARG(shape.k));
    append(chain, is_ahead(rung)     ? launch_1d(kernel, wide * high, local[0])
                  : rungs[rung].down ? launch_2d(kernel, high, wide, local)
                                     : launch_2d(kernel, wide, high, local));
    if (!chain->reads_a)
        chain->reads_a = chain->reads_b = kernel;
}

/* A and B are packed before each product. */
static void append_packing(struct problem *problem) {
    const struct shape shape = problem->shape;
    const size_t high = round_up(shape.m, ROWS), wide = round_up(shape.n, COLUMNS);
    const size_t strips = round_up(shape.k, STRIP) / STRIP, alone[] = {1, 1};
    struct chain *chain = &problem->chains[PACKED];
    cl_mem none = problem->c_buffer; /* until reads_a and reads_b are given some */
    cl_mem a_panels = buffer_new(problem->device, high * shape.k * sizeof(float));
    cl_mem b_panels = buffer_new(problem->device, wide * shape.k * sizeof(float));
    chain->reads_a = load(problem, "matmul_pack_a");
    chain->reads_b = load(problem, "matmul_pack_b");
    kernel_args(chain->reads_a, ARG(none), ARG(a_panels), ARG(shape.m), ARG(shape.k));
    kernel_args(chain->reads_b, ARG(none), ARG(b_panels), ARG(shape.n), ARG(shape.k));
    append(chain, launch_2d(chain->reads_a, high / ROWS, strips, alone));
    append(chain, launch_2d(chain->reads_b, wide / COLUMNS, strips, alone));
    append_product(problem, PACKED, shape, a_panels, b_panels, problem->c_buffer);
}

static cl_kernel append_resizing(struct problem *problem, struct chain *chain,
                                 cl_mem from, cl_uint rows, cl_uint columns, cl_mem to,
                                 cl_uint to_rows, cl_uint to_columns) {
    cl_kernel kernel = load(problem, "matmul_resize");
    kernel_args(kernel, ARG(from), ARG(to), ARG(rows), ARG(columns), ARG(to_rows),
                ARG(to_columns));
    append(chain, launch_2d(kernel, to_columns, to_rows, (size_t[]){32, 8}));
    return kernel;
}

/* For kernels that want whole tiles, A and B are enlarged by zeros before each product,
 * and what is more than C is cut off. */
static void append_ahead(struct problem *problem, enum rung rung) {
    const struct shape shape = problem->shape;
    const struct shape whole = {(cl_uint)round_up(shape.m, TILE),
                                (cl_uint)round_up(shape.n, TILE),
                                (cl_uint)round_up(shape.k, DEPTH)};
    struct chain *chain = &problem->chains[rung];
    struct device *device = problem->device;
    cl_mem none = problem->c_buffer;
    if (memcmp(&whole, &shape, sizeof shape) == 0) {
        append_product(problem, rung, shape, none, none, problem->c_buffer);
        return;
    }
    if (!problem->a_resized) {
        const size_t m = whole.m, n = whole.n, k = whole.k;
        problem->a_resized = buffer_new(device, m * k * sizeof(float));
        problem->b_resized = buffer_new(device, k * n * sizeof(float));
        problem->c_resized = buffer_new(device, m * n * sizeof(float));
    }
    chain->reads_a = append_resizing(problem, chain, none, shape.m, shape.k,
                                     problem->a_resized, whole.m, whole.k);
    chain->reads_b = append_resizing(problem, chain, none, shape.k, shape.n,
                                     problem->b_resized, whole.k, whole.n);
    append_product(problem, rung, whole, problem->a_resized, problem->b_resized,
                   problem->c_resized);
    append_resizing(problem, chain, problem->c_resized, whole.m, whole.n,
                    problem->c_buffer, shape.m, shape.n);
}

/* Has the last timed launch left C as the first one did, bit by bit? */
static bool is_left_same(const struct problem *problem) {
    const size_t n = problem->shape.n, count = problem->shape.m * n;
    buffer_read(problem->device, problem->c_buffer, problem->c_again,
                count * sizeof(float));
    for (size_t i = 0; i < count; i++)
        if (memcmp(&problem->c_again[i], &problem->c[i], sizeof(float)) != 0)
            return wrong_at(element_2d("C", i % n, i / n), (double)problem->c_again[i],
                            (double)problem->c[i]);
    return true;
}

/* Launches with these inputs, which later launches keep, and reads C. */
static void launch_with(struct problem *problem, enum rung rung,
                        const struct product *product) {
    struct chain *chain = &problem->chains[rung];
    if (chain->reads_a == chain->reads_b)
        kernel_args(chain->reads_a, ARG(product->a_buffer), ARG(product->b_buffer));
    else {
        kernel_args(chain->reads_a, ARG(product->a_buffer));
        kernel_args(chain->reads_b, ARG(product->b_buffer));
    }
    buffer_poison(problem->device, problem->c_buffer);
    launch_ms(problem->device, chain->links);
    buffer_read(problem->device, problem->c_buffer, problem->c,
                (size_t)problem->shape.m * problem->shape.n * sizeof(float));
}

/* On a CPU a GPU's kernels are for small products only, counted in whole tiles; and on
 * a GPU an item of the packed one would have more sums than registers. */
static bool suits(const struct problem *problem, enum rung rung) {
    if (problem->only)
        return strcmp(problem->only, rungs[rung].name) == 0;
    const double tiles = (double)round_up(problem->shape.m, TILE) *
                         (double)round_up(problem->shape.n, TILE);
    if (!problem->device->is_cpu)
        return rung != PACKED;
    return rung == PACKED || 2.0 * tiles * (double)problem->shape.k <= SLOW_FLOPS;
}

static struct row row_for(const struct problem *problem, const char *variant) {
    return (struct row){.variant = variant,
                        .size = (size_t)problem->shape.m * problem->shape.n,
                        .flops = problem->flops};
}

/* Each rung is timed in turn with the one before. */
static void climb(struct problem *problem) {
    const int repeats = problem->report->options->repeats;
    const struct launch *last = NULL;
    for (enum rung rung = NAIVE; rung < RUNGS; rung++) {
        if (!suits(problem, rung))
            continue;
        if (rung == PACKED)
            append_packing(problem);
        else if (is_ahead(rung))
            append_ahead(problem, rung);
        else
            append_product(problem, rung, problem->shape, problem->c_buffer,
                           problem->c_buffer, problem->c_buffer);
        const struct launch *launch = problem->chains[rung].links;
        struct row row = row_for(problem, rungs[rung].name);
        launch_with(problem, rung, &problem->exact);
        row.right = is_exact(problem);
        launch_with(problem, rung, &problem->real);
        const double error = error_of(problem, &problem->real);
        row.right = row.right &&
                    is_near(problem, &problem->real, error_allowed(problem->shape));

        char note[96] = "";
        struct timing times[2];
        if (last) {
            const struct ratio slower =
                time_pair(problem->device, *last, *launch, repeats, times);
            const struct ratio faster = {1.0 / slower.median, 1.0 / slower.upper,
                                         1.0 / slower.lower, slower.repeats};
            snprintf(note, sizeof note, "%s", in_words(faster).text);
        } else
            times[1] = time_launches(problem->device, *launch, repeats);
        row.time = problem->times[rung] = times[1];
        row.right = row.right && right_again(is_left_same(problem));
        row.limit = problem->report->limits.fma;
        row.note = note;
        report_row(problem->report, row);
        roofline_add(problem->roofline, &row, problem->bytes, problem->flops);
        if (!last || row.time.median_ms < problem->best_ms) {
            problem->best = rung;
            problem->best_ms = row.time.median_ms;
            problem->best_error = error;
        }
        last = launch;
    }
}

/* ---- Beside others: all by the host's clock ---- */

/* So many products one after the other: milliseconds for each. */
static double best_ms(const struct problem *problem, unsigned times) {
    const double began_ms = now_ms();
    for (unsigned i = 0; i < times; i++)
        for (const struct launch *launch = problem->chains[problem->best].links; launch;
             launch = launch->then)
            CHECK(clReleaseEvent(
                launch_after(problem->device, problem->quiet, launch, 0, NULL)));
    CHECK(clFinish(problem->quiet));
    return (now_ms() - began_ms) / times;
}

/* The first rows by plain loops on one core, in turn with the best. */
static void against_plain_c(struct problem *problem, int count) {
    const double share = (double)problem->rows / problem->shape.m;
    double plain[PAIRS], best[PAIRS];
    for (int i = 0; i < count; i++) {
        const double began_ms = now_ms();
        rows_on_host(problem, problem->exact.a, problem->exact.b, problem->c);
        plain[i] = now_ms() - began_ms;
        best[i] = best_ms(problem, 1) * share;
    }
    const struct ratio ratio = ratio_of(best, plain, count);
    struct row row = row_for(problem, "plain C, host clock");
    row.size = problem->rows * problem->shape.n;
    row.flops *= share;
    row.right = is_near(problem, &problem->exact, 0.0);
    row.time = timing_of(plain, count);
    report_row(problem->report, row);
    report_say(problem->report,
               "%28s Plain C computed %zu of %u rows.  For as many rows, %s\n"
               "%28s against it, by the host's clock: %s",
               "", problem->rows, problem->shape.m, rungs[problem->best].name, "",
               in_words(ratio).text);
}

/* Somebody else's product, from a shared library; see tests/peers/. */
struct peer {
    const char *(*name)(void);
    void (*open)(unsigned m, unsigned n, unsigned k, const float *a, const float *b);
    void (*multiply)(unsigned times); /* one after the other; waits for all */
    void (*read)(float *c);
    void (*close)(void);
};

static void find(void *library, const char *file, const char *symbol, void *function) {
    void *found = dlsym(library, symbol);
    if (!found)
        die("%s has no %s" HINT "make peers builds those of tests/peers/", file,
            symbol);
    memcpy(function, &found, sizeof found); /* ISO C has no cast for that */
}

static struct peer peer_load(const char *file) {
    char path[4096]; /* with a slash, or it is searched for elsewhere */
    snprintf(path, sizeof path, "%s%s", strchr(file, '/') ? "" : "./", file);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        die("cannot load %s" HINT "make peers builds those of tests/peers/", dlerror());
    struct peer peer;
    find(library, file, "peer_name", &peer.name);
    find(library, file, "peer_open", &peer.open);
    find(library, file, "peer_multiply", &peer.multiply);
    find(library, file, "peer_read", &peer.read);
    find(library, file, "peer_close", &peer.close);
    return peer;
}

static void peer_open(const struct problem *problem, const struct peer *peer,
                      const struct product *product) {
    const struct shape shape = problem->shape;
    memset(problem->c, 0xff, (size_t)shape.m * shape.n * sizeof(float)); /* NaN */
    peer->open(shape.m, shape.n, shape.k, product->a, product->b);
    peer->multiply(1);
    peer->read(problem->c);
}

static double peer_ms(const struct peer *peer, unsigned times) {
    const double began_ms = now_ms();
    peer->multiply(times);
    return (now_ms() - began_ms) / times;
}

/* Checked as our own, then timed in turn with our best. */
static void against_peer(struct problem *problem, const struct peer *peer, int count) {
    double peers[PAIRS], best[PAIRS];
    char variants[2][64], note[96];
    peer_open(problem, peer, &problem->exact);
    bool right = is_exact(problem);
    peer->close();
    peer_open(problem, peer, &problem->real);
    const double allowed = error_allowed(problem->shape);
    right = right && is_near(problem, &problem->real, allowed);

    const double slower_ms = fmax(best_ms(problem, 1), peer_ms(peer, 1));
    const unsigned times =
        slower_ms < SAMPLE_MS ? (unsigned)(SAMPLE_MS / slower_ms) : 1;
    if (slower_ms > 10.0 * SAMPLE_MS && count > 3)
        count = 3;
    for (int i = -1; i < count; i++) { /* the first pair is for warming up */
        peers[i < 0 ? 0 : i] = peer_ms(peer, times);
        best[i < 0 ? 0 : i] = best_ms(problem, times);
    }
    peer->read(problem->c);
    right = right && right_again(is_near(problem, &problem->real, allowed));
    buffer_read(problem->device, problem->c_buffer, problem->c,
                (size_t)problem->shape.m * problem->shape.n * sizeof(float));
    const bool best_right = right_again(is_near(problem, &problem->real, allowed));
    peer->close();
    const struct ratio ratio = ratio_of(best, peers, count);
    snprintf(variants[0], sizeof variants[0], "%.14s, host clock", peer->name());
    snprintf(variants[1], sizeof variants[1], "%s, host clock",
             rungs[problem->best].name);
    snprintf(note, sizeof note, "%s", in_words(ratio).text);
    struct row row = row_for(problem, variants[0]);
    row.limit = problem->report->limits.fma;
    row.right = right;
    row.time = timing_of(peers, count);
    report_row(problem->report, row);
    row.variant = variants[1];
    row.note = note;
    row.right = best_right;
    row.time = timing_of(best, count);
    report_row(problem->report, row);
}

/* ---- The lesson ---- */

static void say_best(const struct problem *problem) {
    struct report *report = problem->report;
    const double rate = problem->flops * 1e-6 / problem->best_ms;
    const double percent = 100.0 * rate / report->limits.fma;
    report_say(report, "%28s largest error: %.1e of |A| |B|; %.1e is allowed", "",
               problem->best_error, error_allowed(problem->shape));
    bool alone = true;
    for (enum rung rung = NAIVE; rung < RUNGS; rung++)
        if (rung != problem->best && problem->times[rung].repeats > 0)
            alone = alone && told_apart(ratio_between(problem->times[problem->best],
                                                      problem->times[rung]));
    if (report->limits.fma > 0.0)
        report_say(report, "%28s %s: %s, %.1f %% of the limit; the paper's: 81.6 %%",
                   "", alone ? "best" : "among the best, not told apart",
                   rungs[problem->best].name, percent);
}

/* Returns how many times faster 64 sums for each work-item are than one, if both were
 * measured: no repeats, if not. */
static struct ratio study(struct report *report, struct device *device,
                          struct roofline *roofline, const struct peer *peer,
                          const char *only, struct shape shape) {
    const size_t m = shape.m, n = shape.n, k = shape.k;
    struct problem problem = {.report = report,
                              .device = device,
                              .roofline = roofline,
                              .shape = shape,
                              .only = only};
    problem.flops = 2.0 * (double)m * (double)n * (double)k;
    problem.bytes = 4.0 * ((double)(m * k) + (double)(k * n) + (double)(m * n));
    const double rows = ceil(HOST_FLOPS / problem.flops * (double)m);
    problem.rows = rows < (double)m ? (size_t)rows : m;

    const unsigned seed = report->options->seed;
    cl_uint random = seed + 18;
    problem.x = allocate(n, sizeof *problem.x);
    for (size_t i = 0; i < n; i++)
        problem.x[i] = (double)(1 + (random_next(&random) >> 16));
    problem.c = allocate(m * n, sizeof *problem.c);
    problem.c_again = allocate(m * n, sizeof *problem.c_again);
    problem.c_buffer = buffer_new(device, m * n * sizeof *problem.c);
    problem.exact = product_of(&problem, small_numbers(m * k, seed + 1),
                               small_numbers(k * n, seed + 2));
    problem.real = product_of(&problem, real_numbers(m * k, seed + 3),
                              real_numbers(k * n, seed + 4));

    cl_int status;
    problem.quiet = clCreateCommandQueue(device->context, device->id, 0, &status);
    check_status(status, "clCreateCommandQueue");

    report_say(report, "\n%zu x %zu times %zu x %zu:", m, k, k, n);
    climb(&problem);
    say_best(&problem);
    const int repeats = report->options->repeats,
              pairs = repeats > 0 && repeats < PAIRS ? repeats : PAIRS;
    struct timing times[2];
    struct ratio ratio = {.repeats = 0};
    if (problem.chains[SQUARE].count > 0 && problem.chains[LOCAL].count > 0) {
        ratio = time_pair(device, *problem.chains[SQUARE].links,
                          *problem.chains[LOCAL].links, repeats, times);
        buffer_read(device, problem.c_buffer, problem.c, m * n * sizeof *problem.c);
        report->wrong +=
            !right_again(is_near(&problem, &problem.real, error_allowed(shape)));
    }
    against_plain_c(&problem, pairs);
    if (peer)
        against_peer(&problem, peer, pairs);

    CHECK(clReleaseCommandQueue(problem.quiet));
    product_free(&problem.real);
    product_free(&problem.exact);
    free(problem.c_again);
    free(problem.c);
    free(problem.x);
    return ratio;
}

/* What is left of a shape is filled in by the root of --size. */
static cl_uint side_or(const char *name, const char *text, size_t side) {
    return (cl_uint)(text ? option_number(name, text, 1, MOST_SIDE) : side);
}

static void check_rung(const char *name) {
    for (enum rung rung = NAIVE; rung < RUNGS; rung++)
        if (strcmp(name, rungs[rung].name) == 0)
            return;
    die("--rung wants the name of a row, such as '%s', not '%s'" HINT
        "without --rung you see them all",
        rungs[BUFFERED].name, name);
}

int main(int argc, char **argv) {
    const char *m = NULL, *n = NULL, *k = NULL, *file = NULL, *only = NULL;
    const struct own_option own[] = {
        {"m", "N", "rows of A and C: the root of --size unless told", .text = &m},
        {"n", "N", "columns of B and C: the same", .text = &n},
        {"k", "N", "columns of A, rows of B: the same", .text = &k},
        {"rung", "NAME", "only the row of this name", .text = &only},
        {"peer", "F.so", "compare with a product in a shared library", .text = &file}};
    const struct usage usage = {"step18_matmul", PAPER_SIDE * PAPER_SIDE, 1, own, 5};
    struct options options = options_read_own(argc, argv, &usage);
    if (only)
        check_rung(only);
    const struct peer peer = file ? peer_load(file) : (struct peer){0};
    struct device device = device_open(options.device);
    struct report report = report_start(&options, &device);

    const bool given = options.size_given || m || n || k;
    const size_t room = device_capacity(&device, BUFFERS, sizeof(float));
    if (!options.size_given && !device.is_cpu)
        options.size = room < GPU_SIDE * GPU_SIDE ? room : GPU_SIDE * GPU_SIDE;
    const size_t side = (size_t)sqrt((double)options.size);
    const struct shape shape = {side_or("--m", m, side), side_or("--n", n, side),
                                side_or("--k", k, side)};
    const size_t high = round_up(shape.m, device.is_cpu ? ROWS : TILE),
                 wide = round_up(shape.n, device.is_cpu ? COLUMNS : TILE);
    device_check_size(&device, high * shape.k, BUFFERS, sizeof(float));
    device_check_size(&device, wide * shape.k, BUFFERS, sizeof(float));
    device_check_size(&device, high * wide, BUFFERS, sizeof(float));

    /* The lesson, twice unless told: where a GPU's kernels are at their best, or else
     * where a CPU can bear them; and at the paper's size. */
    struct roofline roofline = {.report = &report};
    const struct peer *rival = file ? &peer : NULL;
    const struct shape small = {CPU_SIDE, CPU_SIDE, CPU_SIDE};
    const struct shape papers = {PAPER_SIDE, PAPER_SIDE, PAPER_SIDE};
    struct ratio first = {.repeats = 0};
    if (!given && device.is_cpu)
        first = study(&report, &device, &roofline, rival, only, small);
    const struct ratio ratio = study(&report, &device, &roofline, rival, only, shape);
    if (!given && !device.is_cpu)
        study(&report, &device, &roofline, rival, only, papers);
    roofline_draw(&roofline);
    if (first.repeats + ratio.repeats > 0)
        report_headline(&report, "8 x 8 sums per item against 1",
                        first.repeats > 0 ? first : ratio);

    device_close(&device);
    return report_end(&report);
}
