/* Step 12: filling the holes with somebody else's work
 *
 * In step 11 the device waited for its host.  Here it waits for itself: small kernels,
 * each of which needs what the one before it wrote, leave most of the device idle.
 * Another image's kernels need none of that, and can run in the meantime.
 *
 * Read with  kernels/step12_concurrent_dispatch.cl, docs/step12_concurrent_dispatch.md
 * Try        --groups 1000: which ways still gain anything, and why?
 * Lens       --size 65536 --groups 4
 * Races      LOCKSTEP_MAX_GROUP=100 --size 10007 --groups 7 --all
 */
#include "check.h"
#include "step.h"

#include <math.h>
#include <stdio.h>

enum { GROUP = 256, IMAGES = 3, ROUNDS = 15 };
static const struct sizes sizes = {400 * 400, 1000 * 1000, .cpu_full = 1000 * 1000};

/* Ways to launch the kernels of several images; one image alone goes the first way. */
enum { IN_ORDER, QUEUES, EVENTS, BARRIERS, WAYS };
static const char *const ways[] = {"in order", "a queue each", "events", "barriers"};

/* The planes of an image; a kernel makes each of them from the one before it. */
enum { PIXELS, ACROSS, DOWN, ROWS, MEAN, PLANES, CHAIN = MEAN };
static const char *const names[] = {"pixels", "across", "down", "rows", "mean"};
static const char *const kernels[] = {"", "blur_across", "blur_down", "mean_of_rows",
                                      "mean_of_rows"};
struct image {
    size_t bytes; /* of each plane */
    cl_int *expected[PLANES], *found;
    cl_mem buffers[PLANES];
    struct launch launches[PLANES];
    cl_command_queue queues[WAYS];
};

/* Element i of a plane, made from the plane before it. */
static int on_host(int plane, const cl_int *in, int width, int height, int i) {
    int x = i % width, y = i / width, sum = 0;
    for (int k = -2; plane < ROWS && k <= 2; k++) {
        const int near = (int)fmin(fmax((plane == ACROSS ? x : y) + k, 0),
                                   (plane == ACROSS ? width : height) - 1);
        sum += in[plane == ACROSS ? y * width + near : near * width + x];
    }
    for (int k = 0; plane >= ROWS && k < width; k++)
        sum += in[i * width + k];
    return plane < ROWS ? sum : sum / width;
}

/* Pseudo-random pixels, of 19 bits with their sign, and what must become of them.  Each
 * plane begins as a copy of the pixels; the means replace only a part of it. */
static void make_image(struct step *step, struct image *image, int width, int height,
                       size_t groups, cl_uint state) {
    const size_t group = step_group(step, GROUP);
    image->found = step_array(step, 1, image->bytes);
    for (int p = PIXELS; p < PLANES; p++) {
        const int row = p == MEAN ? height : width, rows = p == MEAN ? 1 : height;
        cl_int *expected = image->expected[p] = step_array(step, 1, image->bytes);
        for (int i = 0; i < width * height; i++)
            expected[i] = p == PIXELS ? (int)(random_next(&state) >> 13) - (1 << 18)
                          : p < ROWS || i < rows
                              ? on_host(p, image->expected[p - 1], row, rows, i)
                              : image->expected[PIXELS][i];
        image->buffers[p] =
            buffer_from(&step->device, image->expected[PIXELS], image->bytes);
        if (p > PIXELS)
            image->launches[p] = LAUNCH(step, kernels[p], groups * group, group,
                                        ARG(image->buffers[p - 1]),
                                        ARG(image->buffers[p]), ARG(row), ARG(rows));
    }
}

/* The lesson: after how many milliseconds, by the host's clock, are n images done? */
static double run(struct device *device, struct image *images, int n, int way,
                  struct timeline *timeline) {
    cl_event done[PLANES][IMAGES];
    const double before_ms = now_ms();
    for (int i = 0; i < n * CHAIN; i++) {
        const int image = way == IN_ORDER ? i / CHAIN : i % n;
        const int plane = ACROSS + (way == IN_ORDER ? i % CHAIN : i / n);
        cl_command_queue queue = images[image].queues[way];
        if (way == BARRIERS && plane > ACROSS && image == 0)
            CHECK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
        const cl_uint waits = way == EVENTS && plane > ACROSS;
        done[plane][image] =
            launch_after(device, queue, &images[image].launches[plane], waits,
                         &done[plane - 1][image]); /* what made the plane it reads */
        CHECK(clFlush(queue));
    }
    for (int plane = ACROSS; plane < PLANES; plane++)
        CHECK(clWaitForEvents((cl_uint)n, done[plane]));
    const double took_ms = now_ms() - before_ms;
    for (int plane = ACROSS; plane < PLANES; plane++)
        for (int image = 0; image < n; image++) {
            if (timeline)
                timeline_event(timeline, image, names[plane], done[plane][image], 0.0);
            CHECK(clReleaseEvent(done[plane][image]));
        }
    return took_ms;
}

/* Is all right that was written?  The next run has to write all of it again. */
static bool is_right(struct device *device, const struct image *images, int n) {
    const size_t bytes = images->bytes;
    bool right = true;
    for (const struct image *image = images; image < images + n; image++)
        for (int p = ACROSS; p < PLANES; p++) {
            const cl_int *expected = image->expected[p], *found = image->found;
            buffer_read(device, image->buffers[p], image->found, bytes);
            for (size_t i = 0; i < bytes / sizeof *found && right; i++)
                if (found[i] != expected[i])
                    right = wrong_at(element(names[p], i), found[i], expected[i]);
            buffer_write(device, image->buffers[p], image->expected[PIXELS], bytes);
        }
    return right;
}

/* How many times faster n images are in a way than in order; the two alternate. */
static struct ratio measure(struct step *step, struct image *images, int n, int way) {
    struct device *device = &step->device;
    const int rounds = step->options.repeats ? step->options.repeats : ROUNDS;
    double *ms = step_array(step, (size_t)rounds, sizeof *ms),
           *in_order_ms = step_array(step, (size_t)rounds, sizeof *ms);
    run(device, images, n, way, NULL);
    const bool first = is_right(device, images, n);
    if (rounds > 1)
        warm_up(device, &images->launches[ACROSS]);
    for (int i = 0; i < rounds; i++) {
        in_order_ms[i] = run(device, images, n, IN_ORDER, NULL);
        ms[i] = run(device, images, n, way, NULL);
    }
    const struct ratio faster = ratio_of(ms, in_order_ms, rounds);
    char name[64], note[64];
    snprintf(name, sizeof name, "%s, %d image%s", ways[way], n, n > 1 ? "s" : "");
    snprintf(note, sizeof note, "speed %.2f-%.2f", faster.lower, faster.upper);
    struct row row = {.variant = name, .time = timing_of(ms, rounds)};
    row.size = (size_t)n * images->bytes / sizeof(cl_int);
    row.bytes = 5.0 * (double)row.size * sizeof(cl_int); /* 3 reads, 2 writes */
    row.right = is_right(device, images, n) ? first : first && right_again(false);
    row.note = way != IN_ORDER && told_apart(faster) ? note : NULL;
    report_row(&step->report, row);
    return faster;
}

int main(int argc, char **argv) {
    struct step step;
    const char *path = NULL;
    size_t groups = 0;
    const struct own_option own[] = {
        {"groups", "N", "groups in each kernel (a quarter of the device's units)",
         .number = &groups, .min = 1, .max = 1 << 16},
        {"timeline", "FILE", "draw all ways as SVG, or .json", .file = &path}};
    step_open(&step, argc, argv,
              &(struct usage){.step = "step12_concurrent_dispatch",
                              .own = own,
                              .own_count = COUNT(own)});
    struct device *device = &step.device;

    /* Images, nearly square, and kernels of so few groups that most units idle. */
    const cl_uint size = step_size(&step, &sizes, IMAGES * PLANES, sizeof(cl_int));
    const int width = (int)ceil(sqrt(size)), height = ((int)size - 1) / width + 1;
    groups = groups ? groups : (device->units + 3) / 4;
    cl_command_queue unordered = device_queue(device, true),
                     last = unordered ? unordered : device->queue;
    struct image images[IMAGES];
    for (cl_uint i = 0; i < IMAGES; i++) {
        cl_command_queue each = device_queue(device, false);
        images[i] = (struct image){(size_t)(width * height) * sizeof(cl_int),
                                   .queues = {device->queue, each, last, last}};
        make_image(&step, &images[i], width, height, groups, step.options.seed + i);
    }

    /* One image in order, and then two and three in all ways. */
    struct ratio faster[WAYS];
    for (int n = 1; n <= IMAGES; n++)
        for (int way = 0; way < (n > 1 ? WAYS : 1); way++)
            faster[way] = measure(&step, images, n, way);
    report_headline(&step.report, "3 images in 3 queues against in 1", faster[QUEUES]);
    report_say(&step.report, "Speed: how many times faster than in order.  The WWDC22 "
                             "session: 1.30 for 2, 1.70 for 3.");
    report_say(&step.report, "Groups in a kernel: %zu; compute units: %u.%s", groups,
               device->units, unordered ? "" : "  No queue here is out of order.");

    /* What the device did, in one more run of each way. */
    static const char *const rows[] = {"image 1", "image 2", "image 3"};
    struct timeline timelines[WAYS] = {{0}};
    for (int way = 0; way < WAYS; way++) {
        timelines[way].name = ways[way];
        for (int i = 0; i < IMAGES; i++)
            timeline_row(&timelines[way], rows[i]);
        run(device, images, IMAGES, way, &timelines[way]);
    }
    step_timelines(&step, timelines, WAYS, 2, 0.0, path);
    return step_close(&step);
}
