/* Step 12: filling the holes with somebody else's work
 *
 * In step 11 the device waited for its host.  Here it waits for itself: small kernels,
 * each of which needs what the one before it wrote, leave most of the device idle.
 * Another image's kernels need none of that, and can run in the meantime.
 *
 * Read with  kernels/step12_concurrent_dispatch.cl, docs/step12_concurrent_dispatch.md
 * Try        --forget edges; and who still profits from --groups 1000?
 * Lens       --size 65536 --groups 4
 */
#include "buffer.h"
#include "check.h"
#include "compare.h"
#include "data.h"
#include "report.h"
#include "timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 2000 * 2000, ON_CPU = 600 * 600, FULL_ON_CPU = 1000 * 1000 };
enum { GROUP = 256, IMAGES = 4 };
enum { ROUNDS = 9, DRAWN = 3, COLUMNS = 60, PATIENCE_MS = 2000 };

/* The stages of an image, and the kernels between them.  A timeline shows the first
 * letters. */
enum stage { PIXELS, ACROSS, DOWN, EDGES, ROWS, MEAN, PAINT, STAGES };
static const struct {
    const char *name, *kernel;
} stages[STAGES] = {
    [ACROSS] = {"across", "blur_across"}, [DOWN] = {"down", "blur_down"},
    [EDGES] = {"edges", "find_edges"},    [ROWS] = {"rows", "mean_of_rows"},
    [MEAN] = {"mean", "mean_of_rows"},    [PAINT] = {"paint", "paint"}};

struct image {
    struct plane {
        int width, height;
        size_t bytes;
        cl_int *values; /* what the host expects in the buffer */
        cl_mem buffer;
    } planes[STAGES];
    struct launch chain[STAGES]; /* from ACROSS on: the kernel that writes the plane */
    double bytes;                /* that they must read and write */
};

/* A value; beyond the border, the nearest that there is. */
static int at(const struct plane *plane, int x, int y) {
    x = x < 0 ? 0 : x < plane->width ? x : plane->width - 1;
    y = y < 0 ? 0 : y < plane->height ? y : plane->height - 1;
    return plane->values[y * plane->width + x];
}

/* What stands at (x, y), made from the planes before. */
static int on_host(const struct plane planes[STAGES], enum stage stage, int x, int y) {
    const struct plane *in = &planes[stage - 1];
    int sum = 0;
    switch (stage) {
    case ACROSS:
        for (int i = -2; i <= 2; i++)
            sum += at(in, x + i, y);
        return sum;
    case DOWN:
        for (int i = -2; i <= 2; i++)
            sum += at(in, x, y + i);
        return sum;
    case EDGES:
        return abs(at(in, x + 1, y) - at(in, x - 1, y)) +
               abs(at(in, x, y + 1) - at(in, x, y - 1));
    case ROWS:
    case MEAN: /* of row x */
        for (int i = 0; i < in->width; i++)
            sum += at(in, i, x);
        return sum / in->width;
    default:
        return at(&planes[EDGES], x, y) > at(&planes[MEAN], 0, 0)
                   ? at(&planes[PIXELS], x, y)
                   : at(&planes[DOWN], x, y) / 25;
    }
}

/* A plane as the host makes it; the device has only the pixels yet.  They are numbers
 * from 0 to 255, as good as random. */
static void plane_make(struct device *device, struct plane planes[STAGES],
                       enum stage stage, int width, int height, cl_uint seed) {
    struct plane *plane = &planes[stage];
    const size_t bytes = (size_t)width * (size_t)height * sizeof(cl_int);
    *plane = (struct plane){width, height, bytes, allocate(bytes, 1), NULL};
    for (int y = 0, i = 0; y < height; y++)
        for (int x = 0; x < width; x++, i++)
            plane->values[i] = stage == PIXELS ? (int)(random_next(&seed) >> 24)
                                               : on_host(planes, stage, x, y);
    plane->buffer = stage == PIXELS ? buffer_from(device, plane->values, bytes)
                                    : buffer_new(device, bytes);
}

/* An image, all that shall become of it, and its launches.  The kernels are its own, so
 * that their arguments are set once. */
static void image_make(struct device *device, const struct options *options,
                       struct image *image, int width, int height, size_t groups,
                       cl_uint seed) {
    const size_t group = GROUP < device->max_group ? GROUP : device->max_group;
    struct plane *planes = image->planes;
    plane_make(device, planes, PIXELS, width, height, seed);
    for (enum stage stage = ACROSS; stage < STAGES; stage++) {
        const struct plane *in = &planes[stage - 1], *out = &planes[stage];
        const bool rows = stage == ROWS || stage == MEAN;
        plane_make(device, planes, stage, rows ? in->height : width, rows ? 1 : height,
                   0);
        cl_kernel kernel = kernel_load(device, options, stages[stage].kernel);
        kernel_args(kernel, ARG(in->buffer), ARG(out->buffer), ARG(in->width),
                    ARG(in->height));
        if (stage == PAINT)
            kernel_args(kernel, ARG(in->buffer), ARG(out->buffer), ARG(width),
                        ARG(height), ARG(planes[PIXELS].buffer),
                        ARG(planes[DOWN].buffer), ARG(planes[EDGES].buffer));
        image->chain[stage] = launch_1d(kernel, groups * group, group);
        image->bytes += (double)(in->bytes + out->bytes);
    }
    image->bytes += 3.0 * (double)planes[PIXELS].bytes; /* PAINT reads three more */
}

static size_t size_of(const struct image *image) {
    return image->planes[PIXELS].bytes / sizeof(cl_int);
}

static void image_poison(struct device *device, const struct image *image) {
    for (enum stage stage = ACROSS; stage < STAGES; stage++)
        buffer_poison(device, image->planes[stage].buffer);
}

static bool image_is_right(struct device *device, const struct image *image) {
    bool right = true;
    cl_int *values = allocate(image->planes[PIXELS].bytes, 1);
    for (enum stage stage = ACROSS; stage < STAGES; stage++) {
        const struct plane *plane = &image->planes[stage];
        buffer_read(device, plane->buffer, values, plane->bytes);
        for (size_t i = 0; i < plane->bytes / sizeof *values && right; i++) {
            const size_t width = (size_t)plane->width;
            right = values[i] == plane->values[i] ||
                    wrong_at(element_2d(stages[stage].name, i % width, i / width),
                             values[i], plane->values[i]);
        }
    }
    free(values);
    return right;
}

/* Four ways through the chains of several images. */
enum way { IN_ORDER, INTERLEAVED, QUEUES, OUT_OF_ORDER, WAYS };
static const char *const ways[WAYS] = {"in order", "interleaved", "a queue each",
                                       "out of order"};
struct work {
    struct device *device;
    struct image images[IMAGES];
    cl_command_queue queues[IMAGES], unordered;
    enum way ways; /* one less where no queue is out of order */
};

static struct work work_of(struct device *device, const struct options *options,
                           int width, int height, size_t groups) {
    struct work work = {.device = device, .unordered = device_queue(device, true)};
    work.ways = work.unordered ? WAYS : OUT_OF_ORDER;
    for (cl_uint i = 0; i < IMAGES; i++) {
        image_make(device, options, &work.images[i], width, height, groups,
                   options->seed + i + 1);
        work.queues[i] = device_queue(device, false);
    }
    return work;
}

/* Launches the chains of some images, and returns the milliseconds by the host's clock
 * until all is done.  In an in-order queue a kernel waits for all that was launched
 * before it.  In the other it waits for the events that it is told of; it need not wait
 * for more, but a driver may keep the order all the same. */
static double run(struct work *work, enum way way, int images,
                  struct timeline *timeline) {
    enum { KERNELS = STAGES - ACROSS };
    cl_event done[STAGES][IMAGES];
    const double before_ms = now_ms();
    for (int i = 0; i < images * KERNELS; i++) {
        const int image = way == IN_ORDER ? i / KERNELS : i % images;
        const int stage = ACROSS + (way == IN_ORDER ? i % KERNELS : i / images);
        cl_command_queue queue = way == QUEUES         ? work->queues[image]
                                 : way == OUT_OF_ORDER ? work->unordered
                                                       : work->device->queue;
        const bool waits = way == OUT_OF_ORDER && stage > ACROSS;
        done[stage][image] =
            launch_after(work->device, queue, &work->images[image].chain[stage],
                         waits ? 1 : 0, &done[stage - 1][image]);
        CHECK(clFlush(queue));
    }
    CHECK(clWaitForEvents((cl_uint)images, done[PAINT]));
    const double took_ms = now_ms() - before_ms;

    for (int stage = ACROSS; stage < STAGES; stage++)
        for (int image = 0; image < images; image++) {
            if (timeline)
                timeline_event(timeline, image, stages[stage].name, done[stage][image],
                               0.0);
            CHECK(clReleaseEvent(done[stage][image]));
        }
    return took_ms;
}

/* Is all right that the last run of so many images left? */
static bool is_left_right(struct work *work, int images) {
    bool right = true;
    for (int i = 0; i < images; i++)
        right = right && image_is_right(work->device, &work->images[i]);
    return right;
}

static bool is_right(struct work *work, enum way way, int images) {
    for (int i = 0; i < images; i++)
        image_poison(work->device, &work->images[i]);
    run(work, way, images, NULL);
    return is_left_right(work, images);
}

/* So many images in every way, in turn with one alone; and how many times as fast each
 * of them is done as that one.  Returns how many times faster they are with a queue
 * each than in order. */
static struct ratio compare(struct report *report, struct work *work, int images,
                            struct ratio speeds[WAYS]) {
    enum { MOST_ROUNDS = 101 };
    double alone_ms[MOST_ROUNDS], ms[WAYS][MOST_ROUNDS];
    bool right[WAYS];
    int rounds = report->options->repeats ? report->options->repeats : ROUNDS;
    rounds = rounds < MOST_ROUNDS ? rounds : MOST_ROUNDS;
    for (enum way way = IN_ORDER; way < work->ways; way++)
        right[way] = is_right(work, way, images);
    for (int i = 0; i < rounds; i++) {
        alone_ms[i] = run(work, IN_ORDER, 1, NULL) * images;
        for (enum way way = IN_ORDER; way < work->ways; way++) {
            ms[way][i] = run(work, way, images, NULL);
            if (i == rounds - 1 && right[way])
                right[way] = right_again(is_left_right(work, images));
        }
    }

    const struct ratio gain = ratio_of(ms[QUEUES], ms[IN_ORDER], rounds);
    for (enum way way = IN_ORDER; way < work->ways; way++) {
        char variant[64];
        snprintf(variant, sizeof variant, "%s, %d image%s", ways[way], images,
                 images == 1 ? "" : "s");
        struct row row = {.variant = variant, .right = right[way]};
        row.size = (size_t)images * size_of(&work->images[0]);
        row.bytes = images * work->images[0].bytes;
        row.limit = report->limits.copy;
        speeds[way] = ratio_of(ms[way], alone_ms, rounds);
        row.time = timing_of(ms[way], rounds);
        report_row(report, row);
    }
    return gain;
}

/* The lesson: one image after the other, or all at a time? */
static void compare_all(struct report *report, struct work *work) {
    struct ratio speeds[IMAGES + 1][WAYS], gain = {0};
    const double end_ms = now_ms() + 200.0; /* an idle GPU has a low clock */
    while (report->options->repeats != 1 && now_ms() < end_ms)
        run(work, IN_ORDER, IMAGES, NULL);
    for (int images = 1; images <= IMAGES; images++)
        gain = compare(report, work, images, speeds[images]);
    report_headline(report, "4 images in 4 queues against in 1", gain);
    report_say(report, "\nSpeed of each image, if one alone in order has 1:\n"
                       "  images               1       2       3       4");
    for (enum way way = IN_ORDER; way < work->ways; way++)
        report_say(report, "  %-14s %7.2f %7.2f %7.2f %7.2f   (of 3: %.2f to %.2f)",
                   ways[way], speeds[1][way].median, speeds[2][way].median,
                   speeds[3][way].median, speeds[4][way].median, speeds[3][way].lower,
                   speeds[3][way].upper);
    report_say(report, "  Apple's session           1.30    1.70");
}

/* Who ran when, in one more run of each way. */
static void draw(struct report *report, struct work *work, const char *trace) {
    static const char *const names[DRAWN] = {"image 1", "image 2", "image 3"};
    struct timeline timelines[WAYS] = {{0}};
    double longest_ms = 0.0;
    for (enum way way = IN_ORDER; way < work->ways; way++) {
        timelines[way].name = ways[way];
        for (int image = 0; image < DRAWN; image++)
            timeline_row(&timelines[way], names[image]);
        run(work, way, DRAWN, &timelines[way]);
        const double ms = timeline_ms(&timelines[way]);
        longest_ms = ms > longest_ms ? ms : longest_ms;
    }
    for (enum way way = IN_ORDER; way < work->ways; way++) {
        double busy = 0.0;
        for (int image = 0; image < DRAWN; image++)
            busy += 1.0 - timeline_idle(&timelines[way], image);
        report_say(report, "\n%s, %.2f kernels at a time:", ways[way], busy);
        if (report->options->format == FORMAT_TABLE)
            timeline_draw(&timelines[way], report->out, COLUMNS, longest_ms);
    }
    if (trace)
        timeline_write(timelines, (int)work->ways, trace);
    for (enum way way = IN_ORDER; way < work->ways; way++)
        timeline_free(&timelines[way]);
}

/* One image, whose `hasty` kernel has a queue of its own and waits for nobody.  Luck
 * could hide that; so the kernel before it is held back until it has run, or until our
 * patience ends, should this driver keep the order all the same. */
static void forget(struct report *report, struct work *work, enum stage hasty) {
    const struct image *image = &work->images[0];
    cl_event done[STAGES];
    cl_int status, state = CL_QUEUED;
    cl_event gate = clCreateUserEvent(work->device->context, &status);
    check_status(status, "clCreateUserEvent");
    image_poison(work->device, image);
    const double before_ms = now_ms();
    for (enum stage stage = ACROSS; stage < STAGES; stage++) {
        cl_command_queue queue = work->queues[stage == hasty];
        done[stage] = launch_after(work->device, queue, &image->chain[stage],
                                   stage == hasty - 1, &gate);
        CHECK(clFlush(queue));
    }
    while (state != CL_COMPLETE && now_ms() < before_ms + PATIENCE_MS)
        CHECK(clGetEventInfo(done[hasty], CL_EVENT_COMMAND_EXECUTION_STATUS,
                             sizeof state, &state, NULL));
    CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK(clWaitForEvents(STAGES - ACROSS, done + ACROSS));
    double took_ms = now_ms() - before_ms;
    for (enum stage stage = ACROSS; stage < STAGES; stage++)
        CHECK(clReleaseEvent(done[stage]));
    CHECK(clReleaseEvent(gate));

    const bool right = image_is_right(work->device, image);
    struct row row = {.variant = "one forgets to wait", .right = right};
    row.size = size_of(image);
    row.time = timing_of(&took_ms, 1);
    report_row(report, row);
    report_say(report, "'%s' did not wait for '%s'%s.", stages[hasty].name,
               stages[hasty - 1].name, right ? ", and was lucky" : "");
}

/* The kernel that --forget names.  The first has nothing to wait for. */
static enum stage stage_named(const char *name) {
    for (enum stage stage = DOWN; stage < STAGES; stage++)
        if (strcmp(name, stages[stage].name) == 0)
            return stage;
    die("--forget wants a kernel that waits for another, not '%s'" HINT
        "these do: down, edges, rows, mean, paint",
        name);
}

int main(int argc, char **argv) {
    const char *hasty = NULL, *asked = NULL, *trace = NULL;
    const struct own_option own[] = {
        {"forget", "NAME", "this kernel does not wait for the one before it",
         .text = &hasty},
        {"groups", "N", "groups in each kernel (a quarter of the device's units)",
         .text = &asked},
        {"trace", "FILE", "write the timelines for Perfetto or chrome://tracing",
         .text = &trace}};
    const struct usage usage = {"step12_concurrent_dispatch", SIZE, 1, own, 3};
    struct options options = options_read_own(argc, argv, &usage);
    const enum stage hasty_stage = hasty ? stage_named(hasty) : STAGES;
    size_t groups = asked ? option_number("--groups", asked, 1, 1 << 16) : 0;
    struct device device = device_open(options.device);
    struct report report = report_start(&options, &device);

    /* Kernels of so few groups that most of the device stays idle. */
    if (!asked)
        groups = device.units > 4 ? device.units / 4 : 1;

    /* Images that are as good as square, and differ. */
    if (device.is_cpu && !options.size_given)
        options.size = options.full ? FULL_ON_CPU : ON_CPU;
    const cl_uint pixels =
        device_check_size(&device, options.size, IMAGES * STAGES, sizeof(cl_int));
    int width = 1;
    while ((cl_uint)width * (cl_uint)width < pixels)
        width++;
    const int height = ((int)pixels + width - 1) / width;
    struct work work = work_of(&device, &options, width, height, groups);
    report_say(&report,
               "Images of %d x %d, %zu group%s in each kernel, host's clock:", width,
               height, groups, groups == 1 ? "" : "s");

    if (hasty) {
        forget(&report, &work, hasty_stage);
    } else {
        compare_all(&report, &work);
        draw(&report, &work, trace);
    }
    if (!work.unordered)
        report_say(&report, "This device has no queue that is out of order.");

    for (int i = 0; i < IMAGES; i++)
        for (enum stage stage = PIXELS; stage < STAGES; stage++)
            free(work.images[i].planes[stage].values);
    device_close(&device);
    return report_end(&report);
}
