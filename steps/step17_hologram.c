/* Step 17: when arithmetic is the limit
 *
 * The filter of step 16 was limited by memory.  Here little comes from there: 15,984
 * points shine on two million pixels, and each pixel adds up the light of all points.
 * That is a sine and a cosine for each of 33 billion pairs.  A GPU has units for them,
 * but few: so let other units work out some of them.
 *
 * Read with  kernels/step17_hologram.cl, common/data/light.h, docs/step17_hologram.md
 * Try        BY_POLYNOMIAL = 2 or 4 in the kernels: which is fastest here, and why?
 * Lens       --size 5184 hologram_direct hologram_native hologram_eight hologram_split
 * Races      --size 2103 --all
 * Story      busy_lanes hologram_split hologram_native
 */
#include "data/light.h"
#include "pictures/png.h"

#include <math.h>
#include <stdio.h>

static const cl_uint chains = 8, rounds = 1024; /* of nothing but sines */
static const struct sizes sizes = {.cpu = 5184, .cpu_full = 20736, .gpu = 1920 * 1080};

/* Each variant changes one thing.  A work-item has `across` pixels of a row.  Where
 * angles are large, native_sin may be less exact; but a lost point must show. */
enum { DIRECT, NATIVE, TURNS, LOCAL, EIGHT, SPLIT, VECTORS, VARIANTS };
static const struct variant {
    const char *name, *kernel;
    bool on_cpu, on_gpu; /* is it a row there, if right, without --all? */
    size_t across, group[2];
    double bound,
        of_one; /* see data/light.h; of one point, on a CPU, about 5 times ours */
} variants[VARIANTS] = {
    {"sin, cos of radians", "hologram_direct", true, true, 1, {32, 8}, 1e-3, 5e-6},
    {"native, of radians", "hologram_native", true, true, 1, {32, 8}, 4e-3, 5e-6},
    {"native, of turns", "hologram_turns", false, true, 1, {32, 8}, 1e-3, 5e-6},
    {"points in local memory", "hologram_local", false, false, 1, {32, 8}, 1e-3, 5e-6},
    {"8 pixels each", "hologram_eight", true, true, 8, {16, 8}, 1e-3, 5e-6},
    {"split between units", "hologram_split", true, true, 8, {16, 8}, 1e-3, 5e-5},
    {"vectors, polynomials", "hologram_vectors", true, false, 16, {4, 4}, 1e-3, 5e-5}};

/* Each group has the same sums of sines of sines ...; on a CPU a lost round shows. */
static bool sines_right(struct step *step, const struct launch *launch, cl_uint sines,
                        cl_mem buffer) {
    double expected[256] = {0.0};
    float *sums = step_array(step, launch->global[0], sizeof *sums);
    kernel_set_args(launch->kernel, (struct arg[]){ARG(buffer), ARG(sines)}, 2);
    buffer_poison(&step->device, buffer);
    launch_ms(&step->device, launch);
    buffer_read(&step->device, buffer, sums, launch->global[0] * sizeof *sums);
    for (size_t i = 0; i < launch->global[0]; i++) {
        const size_t id = i % launch->local[0];
        const double sum = (double)sums[i];
        for (cl_uint k = 0; i == id && k < chains; k++) {
            double x = k / (1.0 + (double)id);
            for (cl_uint round = 0; round < sines; round++)
                x = sin(x);
            expected[id] += x;
        }
        if (!(fabs(sum - expected[id]) <= (step->device.is_cpu ? 1e-5 : 1e-2)))
            return wrong_at(element_of_item("sums", i, launch), sum, expected[id]);
    }
    return true;
}

/* The baseline: no kernel with two native sines for each pair can be faster. */
static void measure_sines(struct step *step, double pairs) {
    const size_t group = step_group(step, 64),
                 items = step->device.units * group * (step->device.is_cpu ? 1 : 128);
    cl_mem buffer = buffer_new(&step->device, items * sizeof(float));
    const struct launch launch =
        LAUNCH(step, "hologram_sines", items, group, ARG(buffer), ARG(rounds));
    const bool right = sines_right(step, &launch, 4 + step->options.seed % 8, buffer) &&
                       sines_right(step, &launch, rounds, buffer);
    struct row row = step_time(step, "nothing but sines", &launch, items, 0.0,
                               step->report.limits.fma);
    row.flops = (double)items * chains * rounds; /* one each, as in a pair */
    row.right = right && right_again(sines_right(step, &launch, rounds, buffer));
    const double all_ms = 2.0 * pairs / row.flops * row.time.median_ms;
    char note[48];
    snprintf(note, sizeof note, "%.4g ms for all", all_ms);
    row.note = note;
    report_row(&step->report, row);
}

/* What a hologram keeps of the light.  It is found fast, so a row only if wrong. */
static void make_phase(struct step *step, struct light *light, const char *path) {
    const cl_uint n = light->n;
    const struct picture picture = {light->points.width, light->points.height, 1,
                                    step_array(step, n, 1)};
    cl_mem buffer = buffer_new(&step->device, n);
    const struct launch launch = LAUNCH(step, "hologram_phase", n, step_group(step, 64),
                                        ARG(light->field_buffer), ARG(buffer), ARG(n));
    if (!light_phase_right(light, &launch, buffer, picture.pixels))
        report_row(&step->report, (struct row){.variant = "phase", .size = n});
    else if (path)
        png_write(path, &picture);
}

static struct launch make_launch(struct step *step, const struct light *light, int v) {
    const struct variant *variant = &variants[v];
    const struct points *points = &light->points;
    return LAUNCH_2D(
        step, variant->kernel, (points->width + variant->across - 1) / variant->across,
        points->height, variant->group, ARG(light->points_buffer), ARG(points->count),
        ARG(light->field_buffer), ARG(points->width), ARG(points->height));
}

/* Is the light of one point right, whose phase goes through all that a turn has?  In
 * the light of many a wrong digit of a polynomial would hide.  (The instructions of
 * GPUs are less exact than a CPU's.) */
static bool one_right(struct step *step, int v) {
    const float aside = (float)(step->options.seed % 16) / 16.0f;
    struct light one = light_of_one(step, aside, 0.5f, 0.0031f);
    const struct launch launch = make_launch(step, &one, v);
    return light_right(&one, &launch,
                       variants[v].of_one * (step->device.is_cpu ? 1.0 : 20.0), false);
}

int main(int argc, char **argv) {
    struct step step;
    const char *file = NULL, *output = NULL;
    const struct own_option own[] = {
        {"points", "FILE", "other points: lines \"x y z\" in mm", .text = &file},
        {"output", "FILE", "write the hologram to a PNG file", .file = &output}};
    step_open(&step, argc, argv,
              &(struct usage){
                  .step = "step17_hologram", .own = own, .own_count = COUNT(own)});
    struct light light = light_make(&step, points_make(&step, &sizes, file));
    const struct points *points = &light.points;
    const double pairs = (double)light.n * points->count;

    /* The lesson: what limits the same sums? */
    measure_sines(&step, pairs);
    const bool cpu = step.device.is_cpu;
    struct launch launches[VARIANTS];
    struct timing times[VARIANTS], pair[2];
    for (int v = 0; v < VARIANTS; v++) {
        const struct variant *variant = &variants[v];
        launches[v] = make_launch(&step, &light, v);
        const bool right = light_right(&light, &launches[v], variant->bound, false) &&
                           (!step.options.all || one_right(&step, v));
        if (right && !(cpu ? variant->on_cpu : variant->on_gpu) && !step.options.all)
            continue;
        struct row row = step_time(&step, variant->name, &launches[v], light.n, 0.0,
                                   step.report.limits.fma);
        row.flops = 12.0 * pairs;
        row.right = right && right_again(light_right(&light, &launches[v],
                                                     variant->bound, true));
        row.note = light.note;
        times[v] = row.time;
        report_row(&step.report, row);
    }

    /* The result: what the other units save; and the hologram. */
    report_headline(&step.report, "split between units against native",
                    time_pair(&step.device, launches[SPLIT], launches[NATIVE],
                              step.options.repeats, pair));
    if (cpu)
        report_say(&step.report,
                   "A CPU has no units for sines.  Vectors against sin and cos: %s",
                   in_words(ratio_between(times[VECTORS], times[DIRECT])).text);
    report_say(
        &step.report,
        "All of the paper's pairs, at the rate of %s: %.4g ms; on its GPU: 1973 ms.",
        cpu ? "vectors" : "split",
        33.1444224e9 / pairs * times[cpu ? VECTORS : SPLIT].median_ms);
    make_phase(&step, &light, output);
    return step_close(&step);
}
