/* Step 18c's packed product beside OpenBLAS, alternating, by the host's clock:
 *
 *     matmul_packed SIDE PAIRS
 *
 * Both are compared element by element first.  Prints both medians, the fastest of
 * each, and how many times faster ours is, with its quartiles. */
#include "check.h"
#include "step.h"

#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 12, COLUMNS = 32, GROUP = 16, STRIP = 16, MAX_PAIRS = 1000 };

static double ours_ms(struct device *device, const struct launch *links) {
    const double began_ms = now_ms();
    for (const struct launch *link = links; link; link = link->then)
        CHECK(clReleaseEvent(launch_after(device, device->queue, link, 0, NULL)));
    CHECK(clFinish(device->queue));
    return now_ms() - began_ms;
}

static double theirs_ms(int m, int n, int k, const float *a, const float *b, float *c) {
    const double began_ms = now_ms();
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1.0f, a, k, b, n,
                0.0f, c, n);
    return now_ms() - began_ms;
}

int main(int argc, char **argv) {
    static double ours[MAX_PAIRS], theirs[MAX_PAIRS];
    const int side = argc > 1 ? atoi(argv[1]) : 1024;
    int pairs = argc > 2 ? atoi(argv[2]) : 21;
    pairs = pairs < 1 ? 1 : pairs < MAX_PAIRS ? pairs : MAX_PAIRS;
    struct step step;
    step_open(&step, 1, argv, &(struct usage){.step = "step18c_matmul_packed"});
    const cl_uint m = (cl_uint)(side + ROWS - 1) / ROWS * ROWS, k = (cl_uint)side;
    const cl_uint n = (cl_uint)(side + COLUMNS - 1) / COLUMNS * COLUMNS;
    const size_t a_count = (size_t)m * k, b_count = (size_t)k * n;
    const size_t c_count = (size_t)m * n, bytes = sizeof(float);
    const size_t group[] = {GROUP, 1};
    const float *a = step_numbers(&step, a_count, 1),
                *b = step_numbers(&step, b_count, 2);
    float *c = step_array(&step, c_count, bytes),
          *found = step_array(&step, c_count, bytes);
    cl_mem a_buffer = buffer_from(&step.device, a, a_count * bytes);
    cl_mem b_buffer = buffer_from(&step.device, b, b_count * bytes);
    cl_mem c_buffer = buffer_new(&step.device, c_count * bytes);
    cl_mem a_panels = buffer_new(&step.device, a_count * bytes);
    cl_mem b_panels = buffer_new(&step.device, b_count * bytes);

    struct launch links[] = {
        LAUNCH_2D(&step, "matmul_pack_b", k, 1, group, ARG(b_buffer), ARG(b_panels),
                  ARG(n), ARG(k)),
        LAUNCH_2D(&step, "matmul_pack_a", (k + STRIP - 1) / STRIP, m / ROWS, group,
                  ARG(a_buffer), ARG(a_panels), ARG(k)),
        LAUNCH_2D(&step, "matmul_packed", m / ROWS, n / COLUMNS, group, ARG(a_panels),
                  ARG(b_panels), ARG(c_buffer), ARG(m), ARG(n), ARG(k))};
    links[0].then = &links[1];
    links[1].then = &links[2];
    ours_ms(&step.device, links);
    theirs_ms((int)m, (int)n, (int)k, a, b, c);
    buffer_read(&step.device, c_buffer, found, c_count * bytes);
    for (size_t i = 0; i < c_count; i++)
        if (found[i] != c[i])
            die("C (%zu, %zu) is %g, and OpenBLAS has %g", i % n, i / n,
                (double)found[i], (double)c[i]);

    for (int i = -2; i < pairs; i++) { /* two pairs warm up */
        ours[i < 0 ? 0 : i] = ours_ms(&step.device, links);
        theirs[i < 0 ? 0 : i] = theirs_ms((int)m, (int)n, (int)k, a, b, c);
    }
    const struct ratio ratio = ratio_of(ours, theirs, pairs);
    const struct timing one = timing_of(ours, pairs), other = timing_of(theirs, pairs);
    const double flops = 2e-6 * m * n * k; /* in a millisecond: GFLOP/s */
    printf("%u x %u times %u x %u: ours %.1f GFLOP/s (at best %.1f), OpenBLAS %.1f "
           "(%.1f); "
           "ours is %s\n",
           m, k, k, n, flops / one.median_ms, flops / one.fastest_ms,
           flops / other.median_ms, flops / other.fastest_ms, in_words(ratio).text);
    device_close(&step.device);
    return 0;
}
