/* Step 17: instruction mix: sines against multiply-adds
 *
 * The filter of step 16 was limited by memory.  Here little comes from there: 15,984
 * points shine on two million pixels, and each pixel adds up the light of all points.
 * That is a sine and a cosine for each of 33 billion pairs.  A GPU has units for them,
 * but few: so let other units work out some of them.
 *
 * Read with  kernels/step17_hologram.cl, common/data/hologram.h,
 *            docs/step17_hologram.md
 * Try        BY_POLYNOMIAL = 2 or 4 in the kernels: which is fastest here, and why?
 * Lens       --size 5184 hologram_direct hologram_native hologram_eight hologram_split
 * Races      --size 2103 --all
 */
#include "contest.h"
#include "data/hologram.h"
#include "pictures/png.h"

#include <math.h>
#include <stdio.h>

static const struct sizes sizes = {.cpu = 5184, .cpu_full = 20736, .gpu = 1920 * 1080};

/* The baseline: in each work-item so many chains, of so many sines each.  (The kernel
 * has eight chains.) */
static const cl_uint chains = 8, rounds = 1024;

/* As many pairs of a pixel and a point as the host adds up in about two seconds. */
static const double host_pairs = 1e8;

static const double turn = 6.283185307179586; /* in radians */

/* As the paper counts: x and y times the distance of two pixels, two differences, two
 * squares and their sum, the product with the point's turns, a cosine, a sine, and two
 * sums. */
enum { FLOPS_PER_PAIR = 12 };

/* Kondo, Takeda and Sato's hologram, on an Intel HD Graphics 530 (the chapter links
 * to their paper). */
static const double paper_pairs = 1920.0 * 1080 * 15984, paper_ms = 1973.31;

enum { NOTE_LENGTH = 48 };

/* Each variant changes one thing.  A work-item has `across` pixels of a row.  `bound`
 * is explained in data/hologram.h: where angles are large, native_sin may be less
 * exact; but a lost point must show.  `bound_of_one` is that for the light of a single
 * point, on a CPU: about 5 times our error. */
enum { DIRECT, NATIVE, TURNS, LOCAL, EIGHT, SPLIT, VECTORS, VARIANTS };
enum shown { WITH_ALL, ON_CPU, ON_GPU, ALWAYS }; /* where it is a row */
static const struct variant {
    const char *name, *kernel;
    enum shown shown;
    size_t across, group[2];
    double bound, bound_of_one;
} variants[VARIANTS] = {
    /* name, kernel, shown, across, group, bound, bound_of_one */
    {"sin, cos of radians", "hologram_direct", ALWAYS, 1, {32, 8}, 1e-3, 5e-6},
    {"native, of radians", "hologram_native", ALWAYS, 1, {32, 8}, 4e-3, 5e-6},
    {"native, of turns", "hologram_turns", ON_GPU, 1, {32, 8}, 1e-3, 5e-6},
    {"points in local memory", "hologram_local", WITH_ALL, 1, {32, 8}, 1e-3, 5e-6},
    {"8 pixels each", "hologram_eight", ALWAYS, 8, {16, 8}, 1e-3, 5e-6},
    {"split between units", "hologram_split", ALWAYS, 8, {16, 8}, 1e-3, 5e-5},
    {"vectors, polynomials", "hologram_vectors", ON_CPU, 16, {4, 4}, 1e-3, 5e-5}};

static bool is_shown(const struct step *step, const struct variant *variant) {
    const enum shown here = step->device.is_cpu ? ON_CPU : ON_GPU;
    return step->options.all || variant->shown == ALWAYS || variant->shown == here;
}

/* ---- The light of the points ---- */

/* The host reference: what the light of all points adds up to at a pixel. */
static cl_double2 light_at(const struct hologram *hologram, size_t x, size_t y) {
    double re = 0.0, im = 0.0;
    for (cl_uint i = 0; i < hologram->point_count; i++) {
        const cl_float *point = hologram->points[i].s;
        const double dx = (double)point[0] - (double)x,
                     dy = (double)point[1] - (double)y;
        const double theta = turn * (double)point[2] * (dx * dx + dy * dy);
        re += cos(theta);
        im += sin(theta);
    }
    return (cl_double2){{re, im}};
}

static void light_on_host(struct hologram *hologram) {
    const size_t width = hologram->width, height = hologram->height;
    for (size_t y = hologram->first_row; y < height; y += hologram->every_rows)
        for (size_t x = 0; x < width; x++)
            hologram->expected[y * width + x] = light_at(hologram, x, y);
}

/* A variant that must find the light of a hologram, within a bound. */
struct attempt {
    struct hologram *hologram;
    double bound;
    char *note; /* its error */
};

/* Each time the light is worked out once more, `again` over other numbers. */
static bool is_right(const struct entry *entry, bool again) {
    const struct attempt *attempt = entry->of;
    struct hologram *hologram = attempt->hologram;
    attempt->note[0] = '\0';
    if (!hologram_right(hologram, &entry->launch, attempt->bound, again))
        return false;
    snprintf(attempt->note, NOTE_LENGTH, "error %.1e", hologram->error);
    return true;
}

static struct entry make_entry(struct step *step, const struct variant *variant,
                               struct hologram *hologram, double bound) {
    struct attempt *attempt = step_array(step, 1, sizeof *attempt);
    attempt->hologram = hologram;
    attempt->bound = bound;
    attempt->note = step_array(step, NOTE_LENGTH, 1);
    struct entry entry = {.of = attempt};
    entry.launch = LAUNCH_2D(
        step, variant->kernel,
        (hologram->width + variant->across - 1) / variant->across, hologram->height,
        variant->group, ARG(hologram->points_buffer), ARG(hologram->point_count),
        ARG(hologram->field_buffer), ARG(hologram->width), ARG(hologram->height));
    entry.row.variant = variant->name;
    entry.row.size = hologram->n;
    entry.row.flops = (double)FLOPS_PER_PAIR * hologram->n * hologram->point_count;
    entry.row.limit = step->report.limits.fma;
    entry.row.note = attempt->note;
    return entry;
}

/* The light of one point, whose phase goes through all that a turn has: in 25 columns
 * on each side it grows by more than one and a half turns, so that the first three
 * pixels of some work-item are near half a turn, where a wrong coefficient of a sine
 * shows.  Checks one point alone, because errors of many points would hide it.  (The
 * instructions of GPUs are less exact than a CPU's.) */
static struct entry make_entry_of_one(struct step *step,
                                      const struct variant *variant) {
    const double slack = step->device.is_cpu ? 1.0 : 20.0;
    const float left = (float)(step->options.seed % 16) / 16.0f, below = 0.5f;
    const float turns = 0.0026f; /* for each squared pixel of distance */
    struct hologram *one = step_array(step, 1, sizeof *one);
    *one = hologram_of_one(step, left, below, turns);
    light_on_host(one);
    return make_entry(step, variant, one, slack * variant->bound_of_one);
}

/* ---- The baseline: nothing but sines ---- */

/* The sum of what the chains of work-item `id` of a group end with, after `length`
 * sines each. */
static double sines_on_host(size_t id, cl_uint length) {
    double sum = 0.0;
    for (cl_uint chain = 0; chain < chains; chain++) {
        double x = chain / (1.0 + (double)id);
        for (cl_uint i = 0; i < length; i++)
            x = sin(x);
        sum += x;
    }
    return sum;
}

/* Launches over poison.  Are the sums those of chains of `length` sines?  Each group
 * has the same.  A CPU's sines are so exact that one sine fewer shows, however long the
 * chains are; on a GPU it shows if they are short. */
static bool sines_right(struct step *step, const struct launch *launch, cl_mem buffer,
                        cl_uint length) {
    const size_t items = launch->global[0], group = launch->local[0];
    const double max_error = step->device.is_cpu ? 1e-5 : 1e-2;
    double *expected = step_array(step, group, sizeof *expected);
    for (size_t id = 0; id < group; id++)
        expected[id] = sines_on_host(id, length);

    float *sums = step_array(step, items, sizeof *sums);
    buffer_poison(&step->device, buffer);
    launch_ms(&step->device, launch);
    buffer_read(&step->device, buffer, sums, items * sizeof *sums);
    for (size_t i = 0; i < items; i++)
        if (!(fabs((double)sums[i] - expected[i % group]) <= max_error))
            return wrong_at(element_of_item("sums", i, launch), (double)sums[i],
                            expected[i % group]);
    return true;
}

/* No kernel with two native sines for each pair can be faster. */
static void measure_sines(struct step *step, double pairs) {
    const size_t group = step_group(step, 64),
                 groups = step->device.units * (step->device.is_cpu ? 1 : 128),
                 items = groups * group;
    cl_mem buffer = buffer_new(&step->device, items * sizeof(float));

    /* Short chains, which show a sine too few; then those that are timed. */
    const cl_uint few = 4 + step->options.seed % 8;
    const struct launch launch =
        LAUNCH(step, "hologram_sines", items, group, ARG(buffer), ARG(few));
    const bool few_right = sines_right(step, &launch, buffer, few);
    kernel_args(launch.kernel, ARG(buffer), ARG(rounds));
    const bool right = sines_right(step, &launch, buffer, rounds) && few_right;

    const double sines = (double)items * chains * rounds;
    struct row row = step_time(step, "nothing but sines", &launch, items, 0.0,
                               step->report.limits.fma);
    row.flops = sines; /* one each, as in a pair */
    row.right = right && right_again(sines_right(step, &launch, buffer, rounds));

    char note[NOTE_LENGTH];
    snprintf(note, sizeof note, "%.4g ms for all",
             2.0 * pairs / sines * row.time.median_ms);
    row.note = note;
    report_row(&step->report, row);
}

/* ---- The hologram: the phase of the light ---- */

/* A turn has so many steps, of which the last one is the first one's neighbour. */
enum { PHASE_STEPS = 256 };

/* A phase is rounded to the nearest step, and the kernel's polynomial is wrong by less
 * than a thousandth of one. */
static const double max_steps_off = 0.501;

static bool phases_right(const struct hologram *hologram, const unsigned char *phases) {
    const size_t width = hologram->width;
    for (size_t i = 0; i < hologram->n; i++) {
        const double re = (double)hologram->field[i].s[0],
                     im = (double)hologram->field[i].s[1];
        const double steps = atan2(im, re) / turn * PHASE_STEPS;
        if (!(fabs(remainder(steps - phases[i], PHASE_STEPS)) <= max_steps_off))
            return wrong_at(element_2d("phase", i % width, i / width), phases[i],
                            steps < 0.0 ? steps + PHASE_STEPS : steps);
    }
    return true;
}

static void turn_each_by_half(unsigned char *phases, size_t n) {
    for (size_t i = 0; i < n; i++)
        phases[i] = (unsigned char)(phases[i] + PHASE_STEPS / 2); /* modulo a turn */
}

/* The phases of the light that is in the field.  The kernel must replace what it finds,
 * so it is launched over zeros turned by half a turn, and then over its own phases
 * turned likewise. */
static bool find_phases(struct step *step, struct hologram *hologram,
                        unsigned char *phases) {
    const cl_uint n = hologram->n;
    cl_mem buffer = buffer_new(&step->device, n);
    const struct launch launch =
        LAUNCH(step, "hologram_phase", n, step_group(step, 64),
               ARG(hologram->field_buffer), ARG(buffer), ARG(n));
    for (int time = 0; time < 2; time++) {
        turn_each_by_half(phases, n);
        buffer_write(&step->device, buffer, phases, n);
        launch_ms(&step->device, &launch);
        buffer_read(&step->device, buffer, phases, n);
    }
    buffer_read(&step->device, hologram->field_buffer, hologram->field,
                n * sizeof *hologram->field);
    return phases_right(hologram, phases);
}

/* The phases are found fast, so they are a row only if they are wrong. */
static void make_picture(struct step *step, struct hologram *hologram,
                         const char *path) {
    const struct picture picture = {hologram->width, hologram->height, 1,
                                    step_array(step, hologram->n, 1)};
    if (!find_phases(step, hologram, picture.pixels))
        report_row(
            &step->report,
            (struct row){.variant = "phase", .size = hologram->n, .right = false});
    else if (path)
        png_write(path, &picture);
}

/* ---- The experiment ---- */

/* What a CPU has in place of units for sines; and the paper's hologram, at the rate of
 * the row made for this kind of device. */
static void say_result(const struct contest *contest, const size_t places[VARIANTS],
                       double pairs) {
    struct step *step = contest->step;
    const struct entry *entries = contest->entries;
    const char *name = "split";
    double median_ms = entries[places[SPLIT]].row.time.median_ms;
    if (step->device.is_cpu) {
        const struct timing direct = entries[places[DIRECT]].row.time,
                            vectors = entries[places[VECTORS]].row.time;
        report_say(&step->report, "Vectors, not sin and cos: %s",
                   in_words(ratio_between(vectors, direct)).text);
        name = "vectors";
        median_ms = vectors.median_ms;
    }
    report_say(
        &step->report,
        "All of the paper's pairs, at the rate of %s: %.4g ms; on its GPU: %.0f ms.",
        name, paper_pairs / pairs * median_ms, paper_ms);
}

int main(int argc, char **argv) {
    struct step step;
    const char *file = NULL, *output = NULL;
    const struct own_option own[] = {
        {"points", "FILE", "other points: lines \"x y z\" in mm", .text = &file},
        {"output", "FILE", "write the hologram to a PNG file", .file = &output}};
    step_open(
        &step, argc, argv,
        &(struct usage){
            .step = "step17_hologram",
            .lesson = "the same hologram; only how its sines are computed differs",
            .own = own,
            .own_count = COUNT(own)});

    /* The points, and the light that is expected. */
    struct hologram hologram = hologram_make(&step, &sizes, file, host_pairs);
    light_on_host(&hologram);
    const double pairs = (double)hologram.n * hologram.point_count;

    /* The lesson: what limits the same sums? */
    measure_sines(&step, pairs);
    struct contest contest = contest_begin(&step, is_right);
    size_t places[VARIANTS]; /* in the contest, of those that are shown */
    for (int v = 0; v < VARIANTS; v++) {
        const struct variant *variant = &variants[v];
        const struct entry entry =
            make_entry(&step, variant, &hologram, variant->bound);
        if (is_shown(&step, variant)) {
            places[v] = contest.count;
            contest_add(&contest, entry);
        } else {
            contest_check(&contest, entry);
        }
        if (step.options.all)
            contest_check(&contest, make_entry_of_one(&step, variant));
    }
    const struct ratio ratio = contest_time(&contest, places[SPLIT], places[NATIVE]);

    /* The result: what the other units save; and the hologram. */
    report_headline(&step.report, "split between units, not native", ratio,
                    "A CPU has no units for sines.");
    say_result(&contest, places, pairs);
    make_picture(&step, &hologram, output);
    return step_close(&step);
}
