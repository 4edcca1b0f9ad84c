/* Step 12: concurrency: filling the holes with another image's work
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
#include "pictures/timeline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GROUP = 256, IMAGES = 3, ROUNDS = 15 };

static const struct sizes sizes = {
    .cpu = 400 * 400, .cpu_full = 1000 * 1000, .gpu = 1000 * 1000};

/* Ways to launch the kernels of several images; one image alone goes the first way. */
enum { IN_ORDER, QUEUES, EVENTS, BARRIERS, WAYS };
static const char *const ways[WAYS] = {"in order", "a queue each", "events",
                                       "barriers"};

/* Pixels that a blur adds up on either side of the one in the middle. */
enum { REACH = 2 };

/* The kernels in plain C, with the same arguments.  Beyond its border an image
 * continues with the nearest pixel. */
static int nearest(int i, int count) {
    if (i < 0)
        return 0;
    return i < count ? i : count - 1;
}

static void across_on_host(const cl_int *in, cl_int *out, int width, int height) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int sum = 0;
            for (int k = -REACH; k <= REACH; k++)
                sum += in[y * width + nearest(x + k, width)];
            out[y * width + x] = sum;
        }
}

static void down_on_host(const cl_int *in, cl_int *out, int width, int height) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int sum = 0;
            for (int k = -REACH; k <= REACH; k++)
                sum += in[nearest(y + k, height) * width + x];
            out[y * width + x] = sum;
        }
}

static void means_on_host(const cl_int *in, cl_int *out, int width, int height) {
    for (int y = 0; y < height; y++) {
        int sum = 0;
        for (int x = 0; x < width; x++)
            sum += in[y * width + x];
        out[y] = sum / width;
    }
}

/* The planes of an image; a kernel makes each of them from the one before it.  The last
 * one takes the means of the rows for a single row. */
enum { PIXELS, ACROSS, DOWN, ROWS, MEAN, PLANES };
static const struct plane {
    const char *name, *kernel;
    void (*on_host)(const cl_int *in, cl_int *out, int width, int height);
    bool from_one_row;
} planes[PLANES] = {
    [PIXELS] = {"pixels", NULL, NULL, false},
    [ACROSS] = {"across", "blur_across", across_on_host, false},
    [DOWN] = {"down", "blur_down", down_on_host, false},
    [ROWS] = {"rows", "mean_of_rows", means_on_host, false},
    [MEAN] = {"mean", "mean_of_rows", means_on_host, true},
};

struct image {
    size_t pixels; /* the elements of each plane */
    cl_int *expected[PLANES], *found;
    cl_mem buffers[PLANES];
    struct launch launches[PLANES];
    cl_event done[PLANES]; /* when each launch is complete */
    cl_command_queue queues[WAYS];
};

/* Pseudo-random pixels, of 19 bits with their sign: an int holds the sum of a row. */
static cl_int *make_pixels(struct step *step, size_t pixels, cl_uint state) {
    cl_int *numbers = step_array(step, pixels, sizeof *numbers);
    for (size_t i = 0; i < pixels; i++)
        numbers[i] = (cl_int)(random_next(&state) >> 13) - (1 << 18);
    return numbers;
}

/* What must become of the pixels, and the kernels that do it.  Each plane begins as a
 * copy of the pixels; the means replace only a part of it. */
static void make_planes(struct step *step, struct image *image, int width, int height,
                        size_t groups) {
    const size_t group = step_group(step, GROUP);
    const cl_int *pixels = image->expected[PIXELS];
    const size_t bytes = image->pixels * sizeof *pixels;
    image->buffers[PIXELS] = buffer_from(&step->device, pixels, bytes);
    for (int p = ACROSS; p < PLANES; p++) {
        const int row = planes[p].from_one_row ? height : width;
        const int rows = planes[p].from_one_row ? 1 : height;
        image->expected[p] = step_array(step, image->pixels, sizeof *pixels);
        memcpy(image->expected[p], pixels, bytes);
        planes[p].on_host(image->expected[p - 1], image->expected[p], row, rows);
        image->buffers[p] = buffer_from(&step->device, pixels, bytes);
        image->launches[p] = LAUNCH(step, planes[p].kernel, groups * group, group,
                                    ARG(image->buffers[p - 1]), ARG(image->buffers[p]),
                                    ARG(row), ARG(rows));
    }
}

/* Images, nearly square, of at least `size` pixels.  Each has a queue of its own, and
 * all share one that is out of order. */
static void make_images(struct step *step, struct image *images, cl_uint size,
                        size_t groups, cl_command_queue unordered) {
    const int width = (int)ceil(sqrt(size)), height = ((int)size - 1) / width + 1;
    for (cl_uint i = 0; i < IMAGES; i++) {
        struct image *image = &images[i];
        image->queues[IN_ORDER] = step->device.queue;
        image->queues[QUEUES] = device_queue(&step->device, false);
        image->queues[EVENTS] = unordered;
        image->queues[BARRIERS] = unordered;
        image->pixels = (size_t)width * (size_t)height;
        image->found = step_array(step, image->pixels, sizeof *image->found);
        image->expected[PIXELS] =
            make_pixels(step, image->pixels, step->options.seed + i);
        make_planes(step, image, width, height, groups);
    }
}

/* Launches a kernel of an image, and does not wait for it.  In a queue that is out of
 * order the kernel may have to wait for the one that makes the plane it reads. */
static void launch_plane(struct device *device, struct image *image, int p, int way) {
    const cl_uint waits = way == EVENTS && p > ACROSS ? 1 : 0;
    image->done[p] = launch_after(device, image->queues[way], &image->launches[p],
                                  waits, &image->done[p - 1]);
    CHECK(clFlush(image->queues[way]));
}

/* The lesson: one image after the other, or the same kernel of all images and then the
 * next one? */
static void launch_images(struct device *device, struct image *images, int n, int way) {
    if (way == IN_ORDER) {
        for (int i = 0; i < n; i++)
            for (int p = ACROSS; p < PLANES; p++)
                launch_plane(device, &images[i], p, way);
        return;
    }
    for (int p = ACROSS; p < PLANES; p++) {
        if (way == BARRIERS && p > ACROSS)
            CHECK(clEnqueueBarrierWithWaitList(images[0].queues[way], 0, NULL, NULL));
        for (int i = 0; i < n; i++)
            launch_plane(device, &images[i], p, way);
    }
}

/* After how many milliseconds, by the host's clock, are n images done?  Their kernels
 * go into a timeline, if there is one. */
static double run(struct device *device, struct image *images, int n, int way,
                  struct timeline *timeline) {
    const double before_ms = now_ms();
    launch_images(device, images, n, way);
    for (int i = 0; i < n; i++)
        CHECK(clWaitForEvents(PLANES - ACROSS, &images[i].done[ACROSS]));
    const double took_ms = now_ms() - before_ms;

    for (int i = 0; i < n; i++)
        for (int p = ACROSS; p < PLANES; p++) {
            if (timeline)
                timeline_event(timeline, i, planes[p].name, images[i].done[p], 0.0);
            CHECK(clReleaseEvent(images[i].done[p]));
        }
    return took_ms;
}

static bool plane_is_right(const struct image *image, int p) {
    for (size_t i = 0; i < image->pixels; i++)
        if (image->found[i] != image->expected[p][i])
            return wrong_at(element(planes[p].name, i), image->found[i],
                            image->expected[p][i]);
    return true;
}

/* Is all right that was written?  Only the first difference is named.  Then all planes
 * become pixels again, so that the next run has to write all of them. */
static bool check_and_reset(struct device *device, const struct image *images, int n) {
    const size_t bytes = images->pixels * sizeof(cl_int);
    bool right = true;
    for (int i = 0; i < n; i++)
        for (int p = ACROSS; p < PLANES; p++) {
            const struct image *image = &images[i];
            buffer_read(device, image->buffers[p], image->found, bytes);
            right = right && plane_is_right(image, p);
            buffer_write(device, image->buffers[p], image->expected[PIXELS], bytes);
        }
    return right;
}

/* Prints the row of n images in a way, and returns how many times faster they are than
 * in order; the two alternate. */
static struct ratio report_way(struct step *step, struct image *images, int n,
                               int way) {
    struct device *device = &step->device;
    const int rounds = step->options.repeats ? step->options.repeats : ROUNDS;
    double *ms = step_array(step, (size_t)rounds, sizeof *ms);
    double *in_order_ms = step_array(step, (size_t)rounds, sizeof *in_order_ms);

    /* Right first, then timed, then right again. */
    run(device, images, n, way, NULL);
    const bool first_right = check_and_reset(device, images, n);
    if (rounds > 1)
        warm_up(device, &images->launches[ACROSS]);
    for (int i = 0; i < rounds; i++) {
        in_order_ms[i] = run(device, images, n, IN_ORDER, NULL);
        if (i + 1 == rounds) /* or its planes would be right without the last run */
            check_and_reset(device, images, n);
        ms[i] = run(device, images, n, way, NULL);
    }
    const bool last_right = check_and_reset(device, images, n);

    /* Its row.  (What is in order alternated with itself, and has no speed.) */
    const struct ratio faster = ratio_of(ms, in_order_ms, rounds);
    char name[64], note[64];
    snprintf(name, sizeof name, "%s, %d image%s", ways[way], n, n > 1 ? "s" : "");
    snprintf(note, sizeof note, "speed %.2f-%.2f", faster.lower, faster.upper);
    struct row row = {.variant = name, .time = timing_of(ms, rounds)};
    row.size = (size_t)n * images->pixels;
    row.bytes = 5.0 * (double)row.size * sizeof(cl_int); /* 3 reads, 2 writes */
    row.right = first_right && right_again(last_right);
    if (way != IN_ORDER && told_apart(faster))
        row.note = note;
    report_row(&step->report, row);
    return faster;
}

/* What the device did, in one more run of each way. */
static void draw(struct step *step, struct image *images, const char *path) {
    static const char *const rows[IMAGES] = {"image 1", "image 2", "image 3"};
    struct timeline timelines[WAYS] = {{0}};
    for (int way = 0; way < WAYS; way++) {
        timelines[way].name = ways[way];
        for (int i = 0; i < IMAGES; i++)
            timeline_row(&timelines[way], rows[i]);
        run(&step->device, images, IMAGES, way, &timelines[way]);
    }
    timelines_show(step, timelines, WAYS, 2, 0.0, path);
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
                              .lesson = "the same passes, in order or at the same time",
                              .own = own,
                              .own_count = COUNT(own)});
    struct device *device = &step.device;

    /* Kernels of so few groups that most compute units idle.  Without a queue that is
     * out of order, the ways that need one are in order, too. */
    const cl_uint size = step_size(&step, &sizes, IMAGES * PLANES, sizeof(cl_int));
    if (groups == 0)
        groups = (device->units + 3) / 4;
    cl_command_queue unordered = device_queue(device, true);
    struct image images[IMAGES] = {{0}};
    make_images(&step, images, size, groups, unordered ? unordered : device->queue);

    /* One image in order, and then two and three in all ways. */
    struct ratio faster[WAYS];
    report_way(&step, images, 1, IN_ORDER);
    for (int n = 2; n <= IMAGES; n++)
        for (int way = 0; way < WAYS; way++)
            faster[way] = report_way(&step, images, n, way);

    /* The result. */
    report_headline(&step.report, "3 images in 3 queues, not in 1", faster[QUEUES],
                    NULL);
    report_say(&step.report, "Speed: how many times faster than in order.  The WWDC22 "
                             "session: 1.30 for 2, 1.70 for 3.");
    report_say(&step.report, "Groups in a kernel: %zu; compute units: %u.%s", groups,
               device->units, unordered ? "" : "  No queue here is out of order.");
    draw(&step, images, path);
    return step_close(&step);
}
