/* Step 17b: the algorithm wins
 *
 * In step 17 all units of a GPU shared the work of a sine and a cosine for each pair of
 * a pixel and a point.  Most of these can be left out: the phase is a sum of an x part
 * and a y part, so that the light is a product of a factor for the column and one for
 * the row.  That it is a hologram shows when its light goes back to the points.
 *
 * Read with  kernels/step17b_hologram_separable.cl, docs/step17b_hologram_separable.md
 * Try        --reconstruction seen.png, and then with --depth 20, or FEW = 4
 * Lens       --size 2304 hologram_pairs hologram_factors hologram_separable
 * Races      --size 1003 --all
 * Story      barriers hologram_separable hologram_factors
 */
#include "data/reconstruction.h"

#include <stdio.h>

static const struct sizes sizes = {.cpu = 5304, .cpu_full = 20740, .gpu = 1920 * 1080};

/* A pair takes 12 operations in the paper, and a product of factors is 4 multiply-adds.
 * A work-item has across x down pixels. */
enum { PAIRWISE, SEPARABLE = 2, FOR_GPU, PAIRWISE_CPU = 3, SEPARABLE_CPU };
static const struct variant {
    const char *name, *kernel;
    size_t across, down, group[2];
    double flops;
    double of_one; /* the bound for one point, on a CPU: about 5 times our error */
} variants[] = {{"pairs", "hologram_pairs", 1, 1, {32, 8}, 12, 5e-6},
                {"factors, 1 pixel", "hologram_factors", 1, 1, {16, 16}, 8, 5e-6},
                {"factors, 32 pixels", "hologram_separable", 8, 4, {16, 16}, 8, 5e-6},
                {"pairs, vectors", "hologram_pairs_wide", 16, 1, {1, 1}, 12, 5e-5},
                {"factors, vectors", "hologram_wide", 32, 32, {1, 1}, 8, 1e-4}};

static struct launch make_launch(struct step *step, const struct light *light,
                                 size_t v) {
    const struct variant *variant = &variants[v];
    size_t group[] = {variant->group[0], variant->group[1]};
    step_shape(step, group);
    return LAUNCH_2D(step, variant->kernel,
                     (light->points.width + variant->across - 1) / variant->across,
                     (light->points.height + variant->down - 1) / variant->down, group,
                     ARG(light->points_buffer), ARG(light->points.count),
                     ARG(light->field_buffer), ARG(light->points.width),
                     ARG(light->points.height));
}

/* Is the light of one point right?  And, with factors, that of one so far off that it
 * has turned thousands of times: only exact products then tell which part of a turn is
 * left.  (The instructions of GPUs are less exact than a CPU's.) */
static bool one_right(struct step *step, size_t v) {
    const double most = variants[v].of_one * (step->device.is_cpu ? 1.0 : 20.0);
    const float aside = (float)(step->options.seed % 16) / 16.0f;
    struct light near = light_of_one(step, aside, 0.5f, 0.0031f),
                 far = light_of_one(step, 2e5f + aside, 1e5f, 1.234e-6f);
    const struct launch to_near = make_launch(step, &near, v),
                        to_far = make_launch(step, &far, v);
    return light_right(&near, &to_near, most, false) &&
           (variants[v].flops > 8 || light_right(&far, &to_far, most, false));
}

int main(int argc, char **argv) {
    const char *path = NULL, *picture = NULL;
    size_t depth = 0;
    const struct own_option own[] = {
        {"points", "FILE", "points of your own: lines \"x y z\", in millimetres",
         .text = &path},
        {"reconstruction", "FILE", "write what is seen to a PNG file",
         .file = &picture},
        {"depth", "MM", "of what is seen (by default the points' own)",
         .number = &depth, .min = 1, .max = 1000000}};
    struct step step;
    step_open(&step, argc, argv,
              &(struct usage){.step = "step17b_hologram_separable",
                              .own = own,
                              .own_count = COUNT(own)});
    step_need_group(&step, variants[SEPARABLE].group[0]);
    struct light light = light_make(&step, points_make(&step, &sizes, path));
    const double pairs = (double)light.n * light.points.count;

    /* The lesson: a sine for each pair, for each row and column of a group, and of a
     * larger group; in vectors, which a CPU needs if there are many pairs. */
    const bool is_cpu = step.device.is_cpu;
    const size_t count = is_cpu ? COUNT(variants) : FOR_GPU;
    struct launch launches[COUNT(variants)];
    const bool slow = is_cpu && pairs > 2e8 && !step.options.all;
    for (size_t v = slow ? PAIRWISE_CPU : PAIRWISE; v < count; v++) {
        launches[v] = make_launch(&step, &light, v);
        const bool right = light_right(&light, &launches[v], 1e-3, false) &&
                           (!step.options.all || one_right(&step, v));
        struct row row = step_time(&step, variants[v].name, &launches[v], light.n, 0.0,
                                   step.report.limits.fma);
        row.flops = variants[v].flops * pairs;
        row.right = right && right_again(light_right(&light, &launches[v], 1e-3, true));
        row.note = light.note;
        report_row(&step.report, row);
    }

    /* The proof: light with these phases goes back to the points. */
    if (step.report.wrong == 0)
        reconstruct(&step, &light, 1e-3 * (double)depth, picture);

    /* The result: the same two once more, alternating. */
    struct timing pair[2];
    report_headline(&step.report, "factors against pairs",
                    time_pair(&step.device,
                              launches[is_cpu ? SEPARABLE_CPU : SEPARABLE],
                              launches[is_cpu ? PAIRWISE_CPU : PAIRWISE],
                              step.options.repeats, pair));
    if (is_cpu)
        report_say(&step.report, "On a CPU, too, sines are long and multiply-adds are "
                                 "short; vectors do 16 of either at once.");
    return step_close(&step);
}
