/* Step 12: filling the holes with somebody else's work
 *
 * In step 11 the device waited for its host.  Here it waits for itself: small kernels,
 * each of which needs what the one before it wrote, leave most of the device idle.
 * Another image's kernels need none of that, and can run in the meantime.
 *
 * Read with  kernels/step12_concurrent_dispatch.cl, docs/step12_concurrent_dispatch.md
 * Try        --groups 1000: which ways still gain anything, and why?
 * Lens       --size 65536 --groups 4
 */
#include "check.h"
#include "step.h"
#include "timeline.h"

#include <math.h>
#include <stdio.h>

enum { GROUP = 256, IMAGES = 3, ROUNDS = 21, MAX_ROUNDS = 101, COLUMNS = 60 };
enum { NOT_WRITTEN = 1 << 30 }; /* more than any kernel writes */
static const struct sizes sizes = {500 * 500, 2000 * 2000, .cpu_full = 1000 * 1000};

/* Ways through the images; the last two have one queue, which is out of order. */
enum { IN_ORDER, QUEUES, EVENTS, BARRIERS, WAYS };
static const char *const ways[] = {"in order", "a queue each", "events", "barriers"};

/* The planes of an image, and the kernels between them. */
enum { PIXELS, ACROSS, DOWN, ROWS, MEAN, PLANES, CHAIN = MEAN };
static const char *const names[] = {"pixels", "across", "down", "rows", "mean"};
static const char *const kernels[] = {"", "blur_across", "blur_down", "mean_of_rows",
                                      "mean_of_rows"};
struct work {
    struct device *device;
    int side; /* of an image, in pixels */
    struct image {
        cl_command_queue queue;
        cl_int *expected[PLANES];
        cl_mem buffers[PLANES];
        struct launch launches[PLANES]; /* each makes its plane from the one before */
    } images[IMAGES];
    cl_command_queue unordered;
    cl_int *found; /* memory for a plane */
};
struct trial {
    int way, images;
    bool right;
    double ms[MAX_ROUNDS];
    struct ratio speed; /* of each image, if one alone in order has 1 */
};

static size_t count_of(int plane, int side) {
    return (size_t)(plane == MEAN ? 1 : plane == ROWS ? side : side * side);
}

static int clamp(int i, int side) {
    return i < 0 ? 0 : i < side ? i : side - 1;
}

/* What a kernel makes of `in` for (x, y). */
static int on_host(int plane, const cl_int *in, int side, int x, int y) {
    int sum = 0;
    for (int i = -2; plane == ACROSS && i <= 2; i++)
        sum += in[y * side + clamp(x + i, side)];
    for (int i = -2; plane == DOWN && i <= 2; i++)
        sum += in[clamp(y + i, side) * side + x];
    for (int i = 0; plane >= ROWS && i < side; i++)
        sum += in[x * side + i];
    return plane >= ROWS ? sum / side : sum;
}

/* Pseudo-random pixels, of 19 bits with their sign; all that must become of them; and
 * launches of `items` work-items that must compute the same. */
static void make_image(struct step *step, struct image *image, int side, size_t items,
                       cl_uint state) {
    image->queue = device_queue(&step->device, false);
    for (int plane = PIXELS; plane < PLANES; plane++) {
        const size_t count = count_of(plane, side), bytes = count * sizeof(cl_int);
        const int height = plane == MEAN ? 1 : side;
        cl_int *expected = image->expected[plane] = step_array(step, 1, bytes);
        for (int i = 0; i < (int)count; i++)
            expected[i] = plane == PIXELS ? (int)(random_next(&state) >> 13) - (1 << 18)
                                          : on_host(plane, image->expected[plane - 1],
                                                    side, i % side, i / side);
        image->buffers[plane] = plane > PIXELS
                                    ? buffer_new(&step->device, bytes)
                                    : buffer_from(&step->device, expected, bytes);
        if (plane > PIXELS)
            image->launches[plane] =
                LAUNCH(step, kernels[plane], items, step_group(step, GROUP),
                       ARG(image->buffers[plane - 1]), ARG(image->buffers[plane]),
                       ARG(side), ARG(height));
    }
}

/* Launches the chains of some images, and returns the milliseconds by the host's clock
 * until all of them are done. */
static double run(struct work *work, int way, int images, struct timeline *drawn) {
    cl_event done[PLANES][IMAGES];
    const double before_ms = now_ms();
    for (int i = 0; i < images * CHAIN; i++) {
        const int image = way == IN_ORDER ? i / CHAIN : i % images;
        const int plane = ACROSS + (way == IN_ORDER ? i % CHAIN : i / images);
        cl_command_queue queue = way == IN_ORDER ? work->images[0].queue
                                 : way == QUEUES ? work->images[image].queue
                                                 : work->unordered;
        if (way == BARRIERS && plane > ACROSS && image == 0)
            CHECK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
        const cl_uint waits = way == EVENTS && plane > ACROSS;
        done[plane][image] =
            launch_after(work->device, queue, &work->images[image].launches[plane],
                         waits, &done[plane - 1][image]);
        CHECK(clFlush(queue));
    }
    CHECK(clWaitForEvents((cl_uint)images, done[MEAN]));
    const double took_ms = now_ms() - before_ms;
    for (int plane = ACROSS; plane < PLANES; plane++)
        for (int image = 0; image < images; image++) {
            if (drawn)
                timeline_event(drawn, image, names[plane], done[plane][image], 0.0);
            CHECK(clReleaseEvent(done[plane][image]));
        }
    return took_ms;
}

/* Is all right that was written?  The next run has to write all of it again. */
static bool is_right(struct work *work, int images) {
    cl_int *found = work->found;
    bool right = true;
    for (int i = 0; i < images * CHAIN; i++) {
        const int plane = ACROSS + i % CHAIN;
        const struct image *image = &work->images[i / CHAIN];
        const size_t count = count_of(plane, work->side), side = (size_t)work->side;
        buffer_read(work->device, image->buffers[plane], found, count * sizeof *found);
        for (size_t k = 0; k < count; found[k++] = NOT_WRITTEN)
            if (right && found[k] != image->expected[plane][k])
                right = wrong_at(element_2d(names[plane], k % side, k / side), found[k],
                                 image->expected[plane][k]);
        buffer_write(work->device, image->buffers[plane], found, count * sizeof *found);
    }
    return right;
}

static bool try_out(struct work *work, const struct trial *trial) {
    run(work, trial->way, trial->images, NULL);
    return is_right(work, trial->images);
}

/* Times all trials, which alternate; the first is one image alone. */
static void measure(struct work *work, struct trial *trials, int count, int rounds) {
    double alone_ms[MAX_ROUNDS];
    for (int t = 0; t < count; t++)
        trials[t].right = try_out(work, &trials[t]);
    if (rounds > 1)
        warm_up(work->device, &work->images[0].launches[ACROSS]);
    for (int i = 0; i < rounds * count; i++) {
        struct trial *trial = &trials[i % count];
        trial->ms[i / count] = run(work, trial->way, trial->images, NULL);
    }
    struct trial *last = &trials[count - 1];
    last->right = last->right && right_again(is_right(work, last->images));
    for (int t = 0; t < count; t++) {
        trials[t].right = trials[t].right && right_again(try_out(work, &trials[t]));
        for (int i = 0; i < rounds; i++)
            alone_ms[i] = trials[t].images * trials[0].ms[i];
        trials[t].speed = ratio_of(trials[t].ms, alone_ms, rounds);
    }
}

/* A row; those of 1 and 2 images with --all, or if a program reads them. */
static void report_trial(struct report *report, struct trial *trial, size_t pixels,
                         int rounds) {
    char variant[64];
    const int images = trial->images;
    snprintf(variant, sizeof variant, "%s, %d image%s", ways[trial->way], images,
             images == 1 ? "" : "s");
    struct row row = {.variant = variant, .size = (size_t)images * pixels};
    row.time = timing_of(trial->ms, rounds);
    row.bytes = 5.0 * sizeof(cl_int) * (double)row.size; /* 3 reads, 2 writes */
    row.limit = report->limits.copy;
    row.right = trial->right;
    if (report->options->all || report->options->format != FORMAT_TABLE ||
        images == IMAGES || !row.right)
        report_row(report, row);
}

/* Draws one more run of each way: two of them here, and all of them into a file. */
static void draw(struct report *report, struct work *work, int count,
                 const char *path) {
    static const char *const rows[] = {"image 1", "image 2", "image 3"};
    struct timeline timelines[WAYS] = {{0}};
    for (int way = 0; way < count; way++) {
        timelines[way].name = ways[way];
        for (int image = 0; image < IMAGES; image++)
            timeline_row(&timelines[way], rows[image]);
        run(work, way, IMAGES, &timelines[way]);
        if (way > QUEUES || report->options->format != FORMAT_TABLE)
            continue;
        report_say(report, "\n%s:", ways[way]);
        timeline_draw(&timelines[way], report->out, COLUMNS,
                      timeline_ms(&timelines[IN_ORDER]));
    }
    if (path)
        timeline_write(timelines, count, path);
    for (int way = 0; way < count; way++)
        timeline_free(&timelines[way]);
}

int main(int argc, char **argv) {
    struct step step;
    const char *path = NULL;
    size_t groups = 0;
    const struct own_option own[] = {
        {"groups", "N", "groups in each kernel (a quarter of the device's units)",
         .number = &groups, .min = 1, .max = 1 << 16},
        {"timeline", "FILE", "draw all timelines: as SVG, or as JSON for trace viewers",
         .text = &path}};
    step_open_own(&step, argc, argv,
                  &(struct usage){"step12_concurrent_dispatch", 0, 1, own, COUNT(own)});
    struct device *device = &step.device;
    struct report *report = &step.report;

    /* Kernels of so few groups that most of the device idles. */
    if (groups == 0)
        groups = device->units > 4 ? device->units / 4 : 1;

    /* Square images that differ. */
    const double pixels = step_size(&step, &sizes, IMAGES * PLANES, sizeof(cl_int));
    struct work work = {.device = device, .side = (int)ceil(sqrt(pixels))};
    for (cl_uint i = 0; i < IMAGES; i++)
        make_image(&step, &work.images[i], work.side, groups * step_group(&step, GROUP),
                   step.options.seed + i);
    work.unordered = device_queue(device, true);
    work.found = step_array(&step, count_of(DOWN, work.side), sizeof *work.found);

    /* The lesson: all ways, with 1, 2 and 3 images. */
    const int count = work.unordered ? WAYS : EVENTS, repeats = step.options.repeats,
              rounds = repeats > 0 && repeats < MAX_ROUNDS ? repeats : ROUNDS;
    struct trial trials[IMAGES * WAYS], *two = &trials[count], *three = &two[count];
    for (int t = 0; t < IMAGES * count; t++)
        trials[t] = (struct trial){.way = t % count, .images = 1 + t / count};
    measure(&work, trials, IMAGES * count, rounds);
    const struct ratio gain = ratio_of(three[QUEUES].ms, three[IN_ORDER].ms, rounds);
    for (int t = 0; t < IMAGES * count; t++)
        report_trial(report, &trials[t], count_of(DOWN, work.side), rounds);
    report_headline(report, "3 images in 3 queues against in 1", gain);

    /* The result, and what the device did. */
    if (rounds >= 3) { /* else there are no quartiles */
        report_say(report, "\nSpeed of each image, if one alone in order has 1:\n"
                           "images                  2                    3");
        for (int way = 0; way < count; way++)
            report_say(report, "%-15s %.2f (%.2f to %.2f)  %.2f (%.2f to %.2f)",
                       ways[way], two[way].speed.median, two[way].speed.lower,
                       two[way].speed.upper, three[way].speed.median,
                       three[way].speed.lower, three[way].speed.upper);
        report_say(report,
                   "WWDC22 session  1.30                 1.70  (its own images)");
    }
    draw(report, &work, count, path);
    report_say(report, "\nA kernel has %zu group%s for %u compute units.%s", groups,
               groups == 1 ? "" : "s", device->units,
               count == WAYS ? "" : "  This device has no queue that is out of order.");
    return step_close(&step);
}
