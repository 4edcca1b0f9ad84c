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

enum { GROUP = 256, IMAGES = 3, ROUNDS = 15, MAX_ROUNDS = 101, COLUMNS = 60 };
enum { NOT_WRITTEN = 1 << 30 }; /* more than any kernel writes */
static const struct sizes sizes = {500 * 500, 2000 * 2000, .cpu_full = 1000 * 1000};

/* Ways through the images; the last two have one queue, which is out of order. */
enum { IN_ORDER, QUEUES, EVENTS, BARRIERS, WAYS };
static const char *const ways[] = {"in order", "a queue each", "events", "barriers"};
struct trial {
    int way, images;
    bool right;
    double ms[MAX_ROUNDS];
    struct ratio speed; /* of each image, if one alone in order has 1 */
};

/* The planes of an image, and the kernels between them. */
enum { PIXELS, ACROSS, DOWN, ROWS, MEAN, PLANES };
static const char *const names[] = {"pixels", "across", "down", "rows", "mean"};
static const char *const kernels[] = {"", "blur_across", "blur_down", "mean_of_rows",
                                      "mean_of_rows"};
struct plane {
    int width, height;
    size_t count;
    cl_int *expected;
    cl_mem buffer;
    struct launch launch; /* makes it from the plane before it */
};
struct work {
    struct device *device;
    struct plane planes[IMAGES][PLANES];
    cl_command_queue queues[IMAGES], unordered;
    cl_int *found; /* memory for any plane */
};

/* The value at (x, y), or beyond the border the nearest one. */
static int at(const struct plane *plane, int x, int y) {
    x = x < 0 ? 0 : x < plane->width ? x : plane->width - 1;
    y = y < 0 ? 0 : y < plane->height ? y : plane->height - 1;
    return plane->expected[y * plane->width + x];
}

/* What a kernel makes of `in` for (x, y). */
static int on_host(int name, const struct plane *in, int x, int y) {
    int sum = 0;
    for (int i = -2; name <= DOWN && i <= 2; i++)
        sum += name == ACROSS ? at(in, x + i, y) : at(in, x, y + i);
    for (int i = 0; name > DOWN && i < in->width; i++)
        sum += at(in, i, x);
    return name > DOWN ? sum / in->width : sum;
}

/* Pseudo-random pixels, of 19 bits with their sign; all that must become of them; and
 * launches of so many work-items that must compute the same. */
static void make_image(struct step *step, struct plane *planes, int width, int height,
                       size_t items, cl_uint state) {
    struct device *device = &step->device;
    for (int name = PIXELS; name < PLANES; name++) {
        struct plane *out = &planes[name], *in = out - 1;
        out->width = name < ROWS ? width : in->height;
        out->height = name < ROWS ? height : 1;
        out->count = (size_t)out->width * (size_t)out->height;
        const size_t bytes = out->count * sizeof *out->expected;
        out->expected = step_array(step, 1, bytes);
        for (int i = 0; i < (int)out->count; i++)
            out->expected[i] = name > PIXELS
                                   ? on_host(name, in, i % out->width, i / out->width)
                                   : (int)(random_next(&state) >> 13) - (1 << 18);
        out->buffer = name > PIXELS ? buffer_new(device, bytes)
                                    : buffer_from(device, out->expected, bytes);
        if (name > PIXELS)
            out->launch = LAUNCH(step, kernels[name], items, step_group(step, GROUP),
                                 ARG(in->buffer), ARG(out->buffer), ARG(in->width),
                                 ARG(in->height));
    }
}

/* Launches the chains of some images, and returns the milliseconds by the host's clock
 * until all of them are done. */
static double run(struct work *work, int way, int images, struct timeline *drawn) {
    enum { CHAIN = PLANES - ACROSS };
    cl_event done[PLANES][IMAGES];
    const double before_ms = now_ms();
    for (int i = 0; i < images * CHAIN; i++) {
        const int image = way == IN_ORDER ? i / CHAIN : i % images;
        const int name = ACROSS + (way == IN_ORDER ? i % CHAIN : i / images);
        cl_command_queue queue = way == IN_ORDER ? work->queues[0]
                                 : way == QUEUES ? work->queues[image]
                                                 : work->unordered;
        if (way == BARRIERS && name > ACROSS && image == 0)
            CHECK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
        const cl_uint waits = way == EVENTS && name > ACROSS;
        done[name][image] =
            launch_after(work->device, queue, &work->planes[image][name].launch, waits,
                         &done[name - 1][image]);
        CHECK(clFlush(queue));
    }
    CHECK(clWaitForEvents((cl_uint)images, done[MEAN]));
    const double took_ms = now_ms() - before_ms;
    for (int i = 0; i < images * CHAIN; i++) {
        const int image = i / CHAIN, name = ACROSS + i % CHAIN;
        if (drawn)
            timeline_event(drawn, image, names[name], done[name][image], 0.0);
        CHECK(clReleaseEvent(done[name][image]));
    }
    return took_ms;
}

/* Is all right that the last run wrote?  The next one has to write everything again. */
static bool is_right(struct work *work, int images) {
    cl_int *found = work->found;
    bool right = true;
    for (int i = 0; i < images * PLANES; i++) {
        const struct plane *plane = &work->planes[i / PLANES][i % PLANES];
        if (i % PLANES == PIXELS)
            continue;
        const size_t width = (size_t)plane->width, bytes = plane->count * sizeof *found;
        buffer_read(work->device, plane->buffer, found, bytes);
        for (size_t k = 0; k < plane->count; found[k++] = NOT_WRITTEN)
            if (right && found[k] != plane->expected[k])
                right = wrong_at(element_2d(names[i % PLANES], k % width, k / width),
                                 found[k], plane->expected[k]);
        buffer_write(work->device, plane->buffer, found, bytes);
    }
    return right;
}

static bool try_out(struct work *work, const struct trial *trial) {
    run(work, trial->way, trial->images, NULL);
    return is_right(work, trial->images);
}

/* Times all trials, which alternate; what they write is checked before and afterwards.
 */
static void measure(struct work *work, struct trial *trials, int count, int rounds) {
    double alone_ms[MAX_ROUNDS];
    for (int t = 0; t < count; t++)
        trials[t].right = try_out(work, &trials[t]);
    if (rounds > 1)
        warm_up(work->device, &work->planes[0][ACROSS].launch);
    for (int i = 0; i < rounds * count; i++)
        trials[i % count].ms[i / count] =
            run(work, trials[i % count].way, trials[i % count].images, NULL);
    bool right = is_right(work, IMAGES); /* the last one */
    for (int t = count - 1; t >= 0; t--) {
        right = try_out(work, &trials[t]) && right;
        trials[t].right = trials[t].right && right_again(right);
        right = true;
        for (int i = 0; i < rounds; i++) /* the first one is one image alone */
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
    struct timeline timelines[WAYS] = {{0}};
    for (int way = 0; way < count; way++) {
        timelines[way].name = ways[way];
        for (int image = 0; image < IMAGES; image++)
            timeline_row(&timelines[way],
                         (const char *[]){"image 1", "image 2", "image 3"}[image]);
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

    /* Images that are nearly square, and differ. */
    const size_t pixels = step_size(&step, &sizes, IMAGES * PLANES, sizeof(cl_int));
    const size_t width = (size_t)ceil(sqrt((double)pixels)),
                 height = (pixels + width - 1) / width;
    struct work work = {.device = device, .unordered = device_queue(device, true)};
    work.found = step_array(&step, width * height, sizeof *work.found);
    for (cl_uint i = 0; i < IMAGES; i++) {
        work.queues[i] = device_queue(device, false);
        make_image(&step, work.planes[i], (int)width, (int)height,
                   groups * step_group(&step, GROUP), step.options.seed + i);
    }

    /* The lesson: all ways, with 1, 2 and 3 images. */
    const int count = work.unordered ? WAYS : EVENTS, repeats = step.options.repeats,
              rounds = repeats > 0 && repeats < MAX_ROUNDS ? repeats : ROUNDS;
    struct trial trials[IMAGES * WAYS], *two = &trials[count], *three = &two[count];
    for (int t = 0; t < IMAGES * count; t++)
        trials[t] = (struct trial){.way = t % count, .images = 1 + t / count};
    measure(&work, trials, IMAGES * count, rounds);
    const struct ratio gain = ratio_of(three[QUEUES].ms, three[IN_ORDER].ms, rounds);
    for (int t = 0; t < IMAGES * count; t++)
        report_trial(report, &trials[t], width * height, rounds);
    report_headline(report, "3 images in 3 queues against in 1", gain);

    /* The result, and what the device did. */
    report_say(report, "\nSpeed of each image, if one alone in order has 1:\n"
                       "images                  2                    3");
    for (int way = 0; way < count; way++)
        report_say(report, "%-15s %.2f (%.2f to %.2f)  %.2f (%.2f to %.2f)", ways[way],
                   two[way].speed.median, two[way].speed.lower, two[way].speed.upper,
                   three[way].speed.median, three[way].speed.lower,
                   three[way].speed.upper);
    report_say(report, "WWDC22 session  1.30                 1.70");
    draw(report, &work, count, path);
    report_say(report, "\nA kernel has %zu group%s for %u compute units.%s", groups,
               groups == 1 ? "" : "s", device->units,
               count == WAYS ? "" : "  This device has no queue that is out of order.");
    return step_close(&step);
}
