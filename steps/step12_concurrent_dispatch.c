/* Step 12: concurrency: filling the holes with another image's work
 *
 * In step 11 the device waited for its host.  Here it waits for itself: each kernel of
 * a chain is small and needs the result of the last one, so most of the device idles.
 * The kernels of another image need none of these results, and can run in the meantime.
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

/* To imitate small images, a kernel gets a quarter of the groups that it could have. */
enum { UNITS_FOR_EACH_GROUP = 4 };

static const struct sizes sizes = {
    .cpu = 400 * 400, .cpu_full = 1000 * 1000, .gpu = 1000 * 1000};

/* Ways to launch the kernels of several images; one image alone is always in order. */
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

/* The planes of an image.  A kernel reads one of them and makes the next.  For the last
 * one, the means of the rows are a single row. */
enum { PIXELS, ACROSS, DOWN, ROWS, MEAN, PLANES };
static const struct plane {
    const char *name, *kernel;
    void (*on_host)(const cl_int *in, cl_int *out, int width, int height);
} planes[PLANES] = {
    [PIXELS] = {"pixels", NULL, NULL},
    [ACROSS] = {"across", "blur_across", across_on_host},
    [DOWN] = {"down", "blur_down", down_on_host},
    [ROWS] = {"rows", "mean_of_rows", means_on_host},
    [MEAN] = {"mean", "mean_of_rows", means_on_host},
};

struct work {
    struct step *step;
    int width, height;
    size_t pixels; /* of an image, and the elements of each of its planes */
    cl_int *expected[PLANES][IMAGES], *found;
    cl_mem buffers[PLANES][IMAGES];
    struct launch launches[PLANES][IMAGES];
    cl_command_queue queues[WAYS][IMAGES];

    int images;                    /* that take part in this run */
    cl_event done[PLANES][IMAGES]; /* when each launch of it is complete */
    bool waits_are_right;          /* in all runs so far */
};

/* ---- The data. */

/* Pseudo-random pixels, of 19 bits with their sign: an int holds the sum of a row. */
static cl_int *make_pixels(struct step *step, size_t pixels, cl_uint state) {
    cl_int *numbers = step_array(step, pixels, sizeof *numbers);
    for (size_t i = 0; i < pixels; i++)
        numbers[i] = (cl_int)(random_next(&state) >> 13) - (1 << 18);
    return numbers;
}

/* What must become of an image, and the launches that do it.  Each plane begins as a
 * copy of the pixels; the means replace only a part of it. */
static void make_planes(struct work *work, int image, size_t groups) {
    struct step *step = work->step;
    const size_t group = step_group(step, GROUP);
    const size_t bytes = work->pixels * sizeof(cl_int);
    cl_int *pixels =
        make_pixels(step, work->pixels, step->options.seed + (cl_uint)image);
    work->expected[PIXELS][image] = pixels;
    work->buffers[PIXELS][image] = buffer_from(&step->device, pixels, bytes);

    for (int plane = ACROSS; plane < PLANES; plane++) {
        const int width = plane == MEAN ? work->height : work->width;
        const int height = plane == MEAN ? 1 : work->height;
        cl_int *expected = step_array(step, work->pixels, sizeof *expected);
        memcpy(expected, pixels, bytes);
        planes[plane].on_host(work->expected[plane - 1][image], expected, width,
                              height);
        work->expected[plane][image] = expected;
        work->buffers[plane][image] = buffer_from(&step->device, pixels, bytes);
        work->launches[plane][image] =
            LAUNCH(step, planes[plane].kernel, groups * group, group,
                   ARG(work->buffers[plane - 1][image]),
                   ARG(work->buffers[plane][image]), ARG(width), ARG(height));
    }
}

/* Images, nearly square, of at least `size` pixels.  Each has a queue of its own, and
 * all share one that is in order and one that is out of order. */
static struct work make_work(struct step *step, cl_uint size, size_t groups,
                             cl_command_queue unordered) {
    struct work work = {.step = step, .waits_are_right = true};
    work.width = (int)ceil(sqrt(size));
    work.height = ((int)size - 1) / work.width + 1;
    work.pixels = (size_t)work.width * (size_t)work.height;
    work.found = step_array(step, work.pixels, sizeof *work.found);
    for (int image = 0; image < IMAGES; image++) {
        work.queues[IN_ORDER][image] = step->device.queue;
        work.queues[QUEUES][image] = device_queue(&step->device, false);
        work.queues[EVENTS][image] = unordered;
        work.queues[BARRIERS][image] = unordered;
        make_planes(&work, image, groups);
    }
    return work;
}

/* ---- The lesson: what must wait for what? */

struct wait_list {
    cl_event events[PLANES * IMAGES];
    cl_uint count;
};

static bool waits_for(const struct wait_list *list, cl_event event) {
    for (cl_uint i = 0; i < list->count; i++)
        if (list->events[i] == event)
            return true;
    return false;
}

static void add_wait(struct wait_list *list, cl_event event) {
    if (!event)
        die("a launch cannot wait for one that is enqueued after it" HINT
            "events are in done[plane][image], from ACROSS on");
    if (!waits_for(list, event))
        list->events[list->count++] = event;
}

/* Which launches must be complete before the one that makes this plane of this image?
 * An out-of-order queue keeps no other order. */
static struct wait_list events_before(const struct work *work, int plane, int image) {
    struct wait_list list = {.count = 0};
    /* exercise { */
    if (plane > ACROSS)
        add_wait(&list, work->done[plane - 1][image]);
    /* } exercise */
    return list;
}

/* A launch that does not wait for the plane that it reads may be right by luck, so we
 * look at its list, too. */
static void check_list(struct work *work, const struct wait_list *list, int plane,
                       int image) {
    if (plane == ACROSS || waits_for(list, work->done[plane - 1][image]))
        return;
    if (work->waits_are_right)
        work->waits_are_right =
            wrong("events, %d images: \"%s\" of image %d does not wait for its \"%s\"",
                  work->images, planes[plane].name, image + 1, planes[plane - 1].name);
}

/* Launches the kernel that makes a plane, and does not wait for it. */
static void launch_plane(struct work *work, int way, int plane, int image) {
    const cl_command_queue queue = work->queues[way][image];
    struct wait_list list = {.count = 0};
    if (way == EVENTS) {
        list = events_before(work, plane, image);
        check_list(work, &list, plane, image);
    }
    work->done[plane][image] =
        launch_after(&work->step->device, queue, &work->launches[plane][image],
                     list.count, list.events);
    CHECK(clFlush(queue));
}

/* One image after the other. */
static void launch_in_order(struct work *work) {
    for (int image = 0; image < work->images; image++)
        for (int plane = ACROSS; plane < PLANES; plane++)
            launch_plane(work, IN_ORDER, plane, image);
}

/* The same kernel of all images, and then the next kernel. */
static void launch_interleaved(struct work *work, int way) {
    for (int plane = ACROSS; plane < PLANES; plane++) {
        if (way == BARRIERS && plane > ACROSS)
            CHECK(clEnqueueBarrierWithWaitList(work->queues[way][0], 0, NULL, NULL));
        for (int image = 0; image < work->images; image++)
            launch_plane(work, way, plane, image);
    }
}

/* Until all images are done: their queues are empty, or, with events, the last launch
 * of each is complete. */
static void wait_for_images(struct work *work, int way) {
    for (int image = 0; image < work->images; image++) {
        if (way == EVENTS)
            CHECK(clWaitForEvents(1, &work->done[MEAN][image]));
        else
            CHECK(clFinish(work->queues[way][image]));
    }
}

/* After how many milliseconds, by the host's clock, are so many images done?  Their
 * kernels go into a timeline, if there is one. */
static double run(struct work *work, int images, int way, struct timeline *timeline) {
    work->images = images;
    const double before_ms = now_ms();
    if (way == IN_ORDER)
        launch_in_order(work);
    else
        launch_interleaved(work, way);
    wait_for_images(work, way);
    const double took_ms = now_ms() - before_ms;

    /* If a wait list lacks an event, a launch may still be running. */
    CHECK(clFinish(work->queues[way][0]));
    for (int image = 0; image < images; image++)
        for (int plane = ACROSS; plane < PLANES; plane++) {
            cl_event *done = &work->done[plane][image];
            if (timeline)
                timeline_event(timeline, image, planes[plane].name, *done, 0.0);
            CHECK(clReleaseEvent(*done));
            *done = NULL;
        }
    return took_ms;
}

/* ---- Right first, then timed, then right again. */

static bool plane_is_right(const struct work *work, int plane, int image) {
    const cl_int *expected = work->expected[plane][image];
    for (size_t i = 0; i < work->pixels; i++)
        if (work->found[i] != expected[i])
            return wrong_at(element(planes[plane].name, i), work->found[i],
                            expected[i]);
    return true;
}

/* Is all right that was written?  Only the first difference is named.  Then all planes
 * become pixels again, so that the next run has to write all of them. */
static bool check_and_reset(struct work *work, int images) {
    struct device *device = &work->step->device;
    const size_t bytes = work->pixels * sizeof(cl_int);
    bool right = true;
    for (int image = 0; image < images; image++)
        for (int plane = ACROSS; plane < PLANES; plane++) {
            const cl_mem buffer = work->buffers[plane][image];
            buffer_read(device, buffer, work->found, bytes);
            right = right && plane_is_right(work, plane, image);
            buffer_write(device, buffer, work->expected[PIXELS][image], bytes);
        }
    return right;
}

/* A way and the same images in order, which alternate. */
struct outcome {
    double *ms, *in_order_ms;
    int rounds;
    bool right;
};

static struct outcome time_way(struct work *work, int images, int way) {
    struct step *step = work->step;
    struct outcome outcome;
    outcome.rounds = step->options.repeats ? step->options.repeats : ROUNDS;
    outcome.ms = step_array(step, (size_t)outcome.rounds, sizeof(double));
    outcome.in_order_ms = step_array(step, (size_t)outcome.rounds, sizeof(double));

    run(work, images, way, NULL);
    outcome.right = check_and_reset(work, images);
    if (outcome.rounds > 1)
        warm_up(&step->device, &work->launches[ACROSS][0]);
    for (int round = 0; round < outcome.rounds; round++) {
        outcome.in_order_ms[round] = run(work, images, IN_ORDER, NULL);
        if (round + 1 == outcome.rounds) /* or the last run might write nothing */
            check_and_reset(work, images);
        outcome.ms[round] = run(work, images, way, NULL);
    }
    const bool right_at_last = check_and_reset(work, images);
    outcome.right = outcome.right && right_again(right_at_last);
    if (way == EVENTS)
        outcome.right = outcome.right && work->waits_are_right;
    return outcome;
}

/* Prints the row of so many images in a way, and returns how many times faster they are
 * than in order.  What is in order alternated with itself, and has no speed. */
static struct ratio report_way(struct work *work, int images, int way) {
    const struct outcome outcome = time_way(work, images, way);
    const struct ratio faster =
        ratio_of(outcome.ms, outcome.in_order_ms, outcome.rounds);
    const char *plural = images > 1 ? "s" : "";
    struct row row = {.time = timing_of(outcome.ms, outcome.rounds)};
    row.variant = step_text(work->step, "%s, %d image%s", ways[way], images, plural);
    row.size = (size_t)images * work->pixels;
    row.bytes = 5.0 * (double)row.size * sizeof(cl_int); /* 3 reads, 2 writes */
    row.right = outcome.right;
    if (way != IN_ORDER && told_apart(faster))
        row.note = step_text(work->step, "speed %.2f-%.2f", faster.lower, faster.upper);
    report_row(&work->step->report, row);
    return faster;
}

/* What the device did, in one more run of each way. */
static void draw(struct work *work, const char *path) {
    static const char *const rows[IMAGES] = {"image 1", "image 2", "image 3"};
    struct timeline timelines[WAYS] = {{0}};
    for (int way = 0; way < WAYS; way++) {
        timelines[way].name = ways[way];
        for (int image = 0; image < IMAGES; image++)
            timeline_row(&timelines[way], rows[image]);
        run(work, IMAGES, way, &timelines[way]);
    }
    timelines_show(work->step, timelines, WAYS, 2, 0.0, path);
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

    /* Images and queues.  Without a queue that is out of order, the ways that need one
     * are in order, too. */
    const cl_uint size = step_size(&step, &sizes, IMAGES * PLANES, sizeof(cl_int));
    if (groups == 0)
        groups = (device->units + UNITS_FOR_EACH_GROUP - 1) / UNITS_FOR_EACH_GROUP;
    cl_command_queue unordered = device_queue(device, true);
    struct work work =
        make_work(&step, size, groups, unordered ? unordered : device->queue);

    /* One image in order, two also in two queues, and three in all ways. */
    struct ratio faster[WAYS];
    report_way(&work, 1, IN_ORDER);
    for (int way = 0; way < WAYS; way++)
        if (way == IN_ORDER || way == QUEUES || step.options.all)
            report_way(&work, 2, way);
    for (int way = 0; way < WAYS; way++)
        faster[way] = report_way(&work, IMAGES, way);

    /* The result. */
    report_headline(&step.report, "3 images in 3 queues, not in 1", faster[QUEUES],
                    NULL);
    report_say(&step.report, "Speed: how many times faster than in order.  The WWDC22 "
                             "session: 1.30 for 2, 1.70 for 3.");
    report_say(&step.report, "Groups in a kernel: %zu; compute units: %u.%s", groups,
               device->units, unordered ? "" : "  No queue here is out of order.");
    draw(&work, path);
    return step_close(&step);
}
