/* Step 13c: images and samplers: a picture that knows its neighbours
 *
 * Steps 13 and 13b gave memory a shape that suits its readers.  An image is memory for
 * which the device has chosen that shape, and a sampler reads it at any place, not only
 * at whole pixels: it clamps, it weights, and it makes numbers of bytes.
 *
 * Read with  kernels/step13c_image_sampler.cl, docs/step13c_image_sampler.md
 * Try        --angle 0 and --angle 90: which sectors does a warp read in a buffer?
 * Lens       --size 147456 --width 384 --angle 90 buffer_nearest image_nearest
 */
#include "check.h"
#include "contest.h"
#include "pictures/test_picture.h"

#include <math.h>

enum { HD = 1920 * 1080, CHANNELS = 4 };
static const struct sizes sizes = {.cpu = HD / 4, .cpu_full = 2 * HD, .gpu = 8 * HD};
static const size_t group[2] = {32, 8};

/* A sampler keeps the place between two pixels, and so its weights, in few bits.
 * OpenCL gives the formula, but asks for no precision (OpenCL 1.2, section 8.2);
 * NVIDIA's GPUs keep 8 bits of the fraction (CUDA C++ Programming Guide, "Linear
 * Filtering").  To this adds, for each pixel of the picture's side, what the division
 * and the multiplication that normalised coordinates need may be wrong by: 2.5 and 0.5
 * units of 2^-23, and one to spare. */
#define FRACTION_ERROR (1.0 / 256.0)
#define SIDE_ERROR (4.0 * 0x1p-23)

/* Of a colour from 0 to 255: half a unit where it becomes a byte, and what floats may
 * lose of its weighted sums.  A sampler may also round the sums of two rows to bytes
 * before it weights these (Mesa's llvmpipe does), which is half a unit more.  Both are
 * less than any mistake. */
#define BYTE_ERROR (0.5 + 1.0 / 64.0)
#define ROW_ERROR 0.5

/* Each variant changes one thing: who weights the four pixels, and where they are. */
enum { NEAREST, BY_HAND, IMAGE_NEAREST, IMAGE_BY_HAND, SAMPLER, VARIANTS };
static const struct variant {
    const char *name, *kernel;
    bool is_image, is_bilinear, is_sampled; /* sampled: weighted by the device */
} variants[VARIANTS] = {
    {"buffer, nearest", "buffer_nearest", false, false, false},
    {"buffer, bilinear by hand", "buffer_bilinear", false, true, false},
    {"image, nearest", "image_nearest", true, false, false},
    {"image, bilinear by hand", "image_by_hand", true, true, false},
    {"image, bilinear sampler", "image_sampler", true, true, true}};

/* ---- The turned picture on the host ---- */

struct turn {
    struct step *step;
    size_t width, height, bytes;
    float cosine, sine;
    unsigned char *in, *found, *nearest, *bilinear; /* found; and what is expected */
    cl_mem in_buffer, out_buffer, image;            /* image: NULL if there is none */
};

struct point {
    double x, y;
};

/* Where pixel (x, y) of the new picture comes from, rounded as in the kernels. */
static struct point place_of(const struct turn *turn, size_t x, size_t y) {
    const float middle_x = (float)turn->width * 0.5f,
                middle_y = (float)turn->height * 0.5f,
                right = (float)x + 0.5f - middle_x, down = (float)y + 0.5f - middle_y;
    return (struct point){
        (double)fmaf(turn->cosine, right, fmaf(turn->sine, down, middle_x)),
        (double)fmaf(turn->cosine, down, fmaf(-turn->sine, right, middle_y))};
}

static size_t clamped(double at, size_t size) {
    return (size_t)fmin(fmax(at, 0.0), (double)(size - 1));
}

/* A channel of the pixel at these whole coordinates, or of the nearest at the edge. */
static double pixel_at(const struct turn *turn, double x, double y, size_t channel) {
    const size_t column = clamped(x, turn->width), row = clamped(y, turn->height);
    return turn->in[(row * turn->width + column) * CHANNELS + channel];
}

static double bilinear_at(const struct turn *turn, struct point place, size_t channel) {
    const double x = floor(place.x - 0.5), y = floor(place.y - 0.5),
                 right = place.x - 0.5 - x, down = place.y - 0.5 - y;
    const double above = (1.0 - right) * pixel_at(turn, x, y, channel) +
                         right * pixel_at(turn, x + 1.0, y, channel);
    const double below = (1.0 - right) * pixel_at(turn, x, y + 1.0, channel) +
                         right * pixel_at(turn, x + 1.0, y + 1.0, channel);
    return (1.0 - down) * above + down * below;
}

static void turn_on_host(const struct turn *turn) {
    for (size_t i = 0; i < turn->bytes; i++) {
        const size_t pixel = i / CHANNELS, channel = i % CHANNELS;
        const struct point place =
            place_of(turn, pixel % turn->width, pixel / turn->width);
        turn->nearest[i] =
            (unsigned char)pixel_at(turn, floor(place.x), floor(place.y), channel);
        turn->bilinear[i] = (unsigned char)lrint(bilinear_at(turn, place, channel));
    }
}

/* ---- Is a pixel right? ---- */

/* Between four centres, a step of `error` to the right changes a colour by no more than
 * `error` times the difference of two pixels, and a step down by no more than that.
 * Differences are those of all pixels around all places that are wrong by `error`.
 * Only a sampler's places may be wrong. */
static bool is_between(const struct turn *turn, struct point place, double error,
                       size_t channel, double found) {
    const double rounded = error > 0.0 ? BYTE_ERROR + ROW_ERROR : BYTE_ERROR;
    double least = 255.0, most = 0.0;
    for (double y = floor(place.y - 0.5 - error);
         y <= floor(place.y - 0.5 + error) + 1.0; y++)
        for (double x = floor(place.x - 0.5 - error);
             x <= floor(place.x - 0.5 + error) + 1.0; x++) {
            const double pixel = pixel_at(turn, x, y, channel);
            least = fmin(least, pixel);
            most = fmax(most, pixel);
        }
    return fabs(found - bilinear_at(turn, place, channel)) <=
           2.0 * error * (most - least) + rounded;
}

struct work {
    const struct turn *turn;
    const struct variant *variant;
};

/* Is this byte right, although it is not what the host expects?  The nearest pixel is
 * exact, also in an image: OpenCL finds it without any loss of precision, if
 * coordinates are in pixels. */
static bool is_weighted_right(const struct work *work, size_t i) {
    const struct turn *turn = work->turn;
    const size_t pixel = i / CHANNELS, channel = i % CHANNELS;
    const double side = fmax((double)turn->width, (double)turn->height),
                 error = work->variant->is_sampled ? FRACTION_ERROR + side * SIDE_ERROR
                                                   : 0.0;
    return work->variant->is_bilinear &&
           is_between(turn, place_of(turn, pixel % turn->width, pixel / turn->width),
                      error, channel, turn->found[i]);
}

/* Launches over bytes that are all wrong by 128, and looks at every byte. */
static bool is_right(const struct entry *entry, bool again) {
    (void)again;
    const struct work *work = entry->of;
    const struct turn *turn = work->turn;
    struct device *device = &turn->step->device;
    const unsigned char *expected =
        work->variant->is_bilinear ? turn->bilinear : turn->nearest;
    for (size_t i = 0; i < turn->bytes; i++)
        turn->found[i] = expected[i] ^ 128;
    buffer_write(device, turn->out_buffer, turn->found, turn->bytes);
    launch_ms(device, &entry->launch);
    buffer_read(device, turn->out_buffer, turn->found, turn->bytes);
    for (size_t i = 0; i < turn->bytes; i++)
        if (turn->found[i] != expected[i] && !is_weighted_right(work, i)) {
            const size_t pixel = i / CHANNELS;
            return wrong_at(element_2d("out", pixel % turn->width, pixel / turn->width),
                            turn->found[i], expected[i]);
        }
    return true;
}

/* ---- The picture ---- */

/* Red, green, blue, and one more byte; of a grey picture each is another number. */
static void take_colours(const struct picture *picture, unsigned char *colours) {
    for (size_t i = 0; i < picture->width * picture->height; i++) {
        const unsigned char *from = &picture->pixels[i * picture->channels];
        unsigned char *to = &colours[i * CHANNELS];
        const unsigned char grey = from[0];
        to[0] = grey;
        to[1] = picture->channels == 3 ? from[1] : (unsigned char)(grey / 4 * 3);
        to[2] = picture->channels == 3 ? from[2] : (unsigned char)(255 - grey);
        to[3] = (unsigned char)(255 - grey / 2);
    }
}

static void write_colours(const struct turn *turn, const char *path) {
    struct picture picture = {.width = turn->width, .height = turn->height};
    picture.channels = 3;
    picture.pixels = step_array(turn->step, turn->width * turn->height, 3);
    for (size_t i = 0; i < turn->width * turn->height * 3; i++)
        picture.pixels[i] = turn->found[i / 3 * CHANNELS + i % 3];
    png_write(path, &picture);
}

/* The picture as an image; NULL, and a sentence, if the device cannot have it. */
static cl_mem make_image(struct turn *turn) {
    const struct device *device = &turn->step->device;
    cl_bool has_images = CL_FALSE;
    size_t width = 0, height = 0;
    CHECK(clGetDeviceInfo(device->id, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images,
                          &has_images, NULL));
    CHECK(clGetDeviceInfo(device->id, CL_DEVICE_IMAGE2D_MAX_WIDTH, sizeof width, &width,
                          NULL));
    CHECK(clGetDeviceInfo(device->id, CL_DEVICE_IMAGE2D_MAX_HEIGHT, sizeof height,
                          &height, NULL));
    if (!has_images || turn->width > width || turn->height > height) {
        report_say(&turn->step->report, "No rows with images: this device has none%s.",
                   has_images ? " of this size" : "");
        return NULL;
    }
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = turn->width,
                                 .image_height = turn->height};
    cl_int status;
    const cl_mem image =
        clCreateImage(device->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format,
                      &shape, turn->in, &status);
    check_status(status, "clCreateImage");
    return image;
}

static struct turn make_turn(struct step *step, const struct picture *picture,
                             size_t degrees) {
    const double angle = (double)degrees * acos(-1.0) / 180.0;
    struct turn turn = {.step = step,
                        .width = picture->width,
                        .height = picture->height,
                        .cosine = (float)cos(angle),
                        .sine = (float)sin(angle)};
    turn.bytes = turn.width * turn.height * CHANNELS;
    device_check_size(&step->device, turn.bytes, 3, 1);
    turn.in = step_array(step, turn.bytes, 1);
    turn.found = step_array(step, turn.bytes, 1);
    turn.nearest = step_array(step, turn.bytes, 1);
    turn.bilinear = step_array(step, turn.bytes, 1);
    take_colours(picture, turn.in);
    turn_on_host(&turn);
    turn.in_buffer = buffer_from(&step->device, turn.in, turn.bytes);
    turn.out_buffer = buffer_new(&step->device, turn.bytes);
    turn.image = make_image(&turn);
    return turn;
}

static struct entry make_entry(const struct turn *turn, const struct variant *variant) {
    const cl_int width = (cl_int)turn->width, height = (cl_int)turn->height;
    const cl_mem in = variant->is_image ? turn->image : turn->in_buffer;
    struct work *work = step_array(turn->step, 1, sizeof *work);
    work->turn = turn;
    work->variant = variant;

    struct entry entry = {.of = work};
    entry.launch = LAUNCH_2D(turn->step, variant->kernel, turn->width, turn->height,
                             group, ARG(in), ARG(turn->out_buffer), ARG(width),
                             ARG(height), ARG(turn->cosine), ARG(turn->sine));
    entry.row.variant = variant->name;
    entry.row.size = turn->width * turn->height;
    entry.row.bytes = 2.0 * (double)turn->bytes;
    entry.row.limit = turn->step->report.limits.copy;
    return entry;
}

int main(int argc, char **argv) {
    const char *input = NULL, *output = NULL, *width = NULL;
    size_t degrees = 30;
    const struct own_option own[] = {
        {"angle", "DEGREES", "turn the picture by so much", .number = &degrees,
         .max = 359},
        {"input", "FILE", "turn this PNG file, not our own picture", .text = &input},
        {"output", "FILE", "write the turned picture to a PNG file", .file = &output},
        {"width", "N", "pixels in a row of our own picture", .text = &width}};
    struct step step;
    step_open(&step, argc, argv,
              &(struct usage){.step = "step13c_image_sampler",
                              .lesson = "the same turned picture; who reads between "
                                        "its pixels differs",
                              .own = own,
                              .own_count = COUNT(own)});
    if (input && (step.options.size_given || width))
        die("a picture that is read has a size of its own" HINT
            "--input goes without --size and --width");

    /* The picture, in a buffer and as an image, and what is expected of it. */
    const cl_uint n = step_size(&step, &sizes, 3, CHANNELS);
    const struct picture picture =
        input ? png_read(input) : test_picture(&step, n, width);
    const struct turn turn = make_turn(&step, &picture, degrees);

    /* The lesson: who clamps, weights and makes numbers of bytes? */
    struct contest contest = contest_begin(&step, is_right);
    for (size_t v = 0; v < VARIANTS; v++)
        if (turn.image || !variants[v].is_image)
            contest_add(&contest, make_entry(&turn, &variants[v]));
    const struct ratio ratio =
        contest_time(&contest, turn.image ? SAMPLER : NEAREST, BY_HAND);

    /* The result, and the last picture that was made. */
    if (turn.image)
        report_headline(&step.report, "sampler, not bilinear by hand", ratio,
                        "A CPU has no sampler: a function reads and weights as we do.");
    if (output && step.report.wrong == 0)
        write_colours(&turn, output);
    if (turn.image)
        CHECK(clReleaseMemObject(turn.image));
    return step_close(&step);
}
