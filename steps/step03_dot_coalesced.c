/* Step 03: warps: 32 work-items side by side
 *
 * In step 02 one work-item waited for its data, again and again.  Here 32 of them share
 * the work: in every round they read 32 neighbouring elements, and wait together.
 *
 * How two launches are checked, timed and shown is written out here.  Later steps leave
 * that to common/contest.h.
 *
 * Read with  kernels/step03_dot_coalesced.cl, docs/step03_dot_coalesced.md
 * Try        other values of ITEMS.  When does it stop getting faster, and why?
 * Lens       --size 16384
 * Story      busy_lanes dot_coalesced dot_single
 */
#include "step.h"

enum { ITEMS = 32 };
enum { REPEATS = 21, FEW_REPEATS = 3 }; /* few, if a launch takes a second */

static const struct sizes sizes = {.cpu = 1 << 18, .gpu = 1 << 18};

static double dot_on_host(const float *x, const float *y, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i] * (double)y[i];
    return sum;
}

/* Every work-item of a launch has left one sum, which the host adds up. */
static double sum_of_items(struct device *device, const struct launch *launch,
                           cl_mem sums_buffer) {
    float sums[ITEMS];
    double sum = 0.0;
    buffer_read(device, sums_buffer, sums, launch->global[0] * sizeof *sums);
    for (size_t i = 0; i < launch->global[0]; i++)
        sum += (double)sums[i];
    return sum;
}

/* Launches once.  The sums are NaN before that, so that an old sum cannot be mistaken
 * for a new one. */
static bool is_right(struct device *device, const struct launch *launch,
                     cl_mem sums_buffer, double expected) {
    buffer_poison(device, sums_buffer);
    launch_ms(device, launch);
    return equal_sum(sum_of_items(device, launch, sums_buffer), expected);
}

/* Times both.  First come some launches that do not count, so that the device can raise
 * its clock rate.  Then the two alternate, so that whatever disturbs the machine
 * disturbs both.  launch_ms() asks the device's own clock, as step 02 does. */
static struct ratio time_both(struct step *step, const struct launch *alone,
                              const struct launch *together, struct timing times[2]) {
    int repeats = step->options.repeats;
    if (repeats != 1) { /* 1 is a quick look, without warming up */
        const double usual_ms = warm_up(&step->device, alone);
        if (repeats == 0)
            repeats = usual_ms > 1000.0 ? FEW_REPEATS : REPEATS;
    }
    double *alone_ms = step_array(step, (size_t)repeats, sizeof *alone_ms);
    double *together_ms = step_array(step, (size_t)repeats, sizeof *together_ms);
    for (int i = 0; i < repeats; i++) {
        alone_ms[i] = launch_ms(&step->device, alone);
        together_ms[i] = launch_ms(&step->device, together);
    }
    times[0] = timing_of(alone_ms, repeats);
    times[1] = timing_of(together_ms, repeats);
    return ratio_of(together_ms, alone_ms, repeats);
}

/* A row: the median, and the share of what this device can read at best. */
static void print_row(struct step *step, const char *variant, size_t n,
                      struct timing time, double bytes, bool right) {
    struct row row = {.variant = variant, .size = n, .time = time, .right = right};
    row.bytes = bytes; /* that a launch has to read */
    row.limit = step->report.limits.read;
    report_row(&step->report, row);
}

int main(int argc, char **argv) {
    /* Options and device: step 02 did this in three lines, all later steps in one. */
    struct step step;
    step_open(
        &step, argc, argv,
        &(struct usage){.step = "step03_dot_coalesced",
                        .lesson = "the same dot product, by 1 work-item and by 32"});
    struct device *device = &step.device;

    /* Data: two vectors of odd quarters, so that every order of adding them up gives
     * the same sum. */
    const cl_uint n = step_size(&step, &sizes, 2, sizeof(float));
    float *x = step_numbers(&step, n, 1), *y = step_numbers(&step, n, 2);
    double expected = dot_on_host(x, y, n);
    cl_mem x_buffer = buffer_from(device, x, n * sizeof *x);
    cl_mem y_buffer = buffer_from(device, y, n * sizeof *y);
    cl_mem sum_buffer = buffer_new(device, sizeof(float));
    cl_mem sums_buffer = buffer_new(device, ITEMS * sizeof(float));

    /* The lesson: the same arguments and the same work, for 1 work-item and for 32. */
    const struct launch alone = LAUNCH(&step, "dot_single", 1, 1, ARG(x_buffer),
                                       ARG(y_buffer), ARG(sum_buffer), ARG(n));
    const struct launch together =
        LAUNCH(&step, "dot_coalesced", ITEMS, ITEMS, ARG(x_buffer), ARG(y_buffer),
               ARG(sums_buffer), ARG(n));

    /* First, both must be right. */
    bool alone_right = is_right(device, &alone, sum_buffer, expected);
    bool together_right = is_right(device, &together, sums_buffer, expected);

    /* Only then are they timed, with an x that is 2^60 times smaller: a kernel that
     * adds in fixed point now finds 0. */
    buffer_make_tiny(device, x_buffer, x, n);
    expected *= (double)TINY;
    struct timing times[2];
    const struct ratio ratio = time_both(&step, &alone, &together, times);

    /* The last launches must have left the right sums, too. */
    alone_right =
        alone_right &&
        right_when_tiny(equal_sum(sum_of_items(device, &alone, sum_buffer), expected));
    together_right =
        together_right && right_when_tiny(equal_sum(
                              sum_of_items(device, &together, sums_buffer), expected));

    /* The result. */
    const double bytes = 2.0 * n * sizeof *x;
    char together_name[32], lesson[48];
    snprintf(together_name, sizeof together_name, "%d work-items", ITEMS);
    snprintf(lesson, sizeof lesson, "%d work-items, not 1", ITEMS);
    print_row(&step, "1 work-item", n, times[0], bytes, alone_right);
    print_row(&step, together_name, n, times[1], bytes, together_right);
    report_headline(&step.report, lesson, ratio,
                    "A core runs one work-item after another, each from its first "
                    "round to its last.");
    return step_close(&step);
}
