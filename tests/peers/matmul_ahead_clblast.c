/* matmul_ahead_clblast: CLBlast's product of two square matrices on the device that
 * $DEVICE means, by the device's clock, as a row that matmul_ahead.sh compares:
 *
 *     name size median_ms fastest_ms slowest_ms
 *
 * A product is all that CLBlast launches for it, between two markers of the queue.  The
 * numbers have few bits, so that the check is exact; chips are if anything faster. */
#include "check.h"
#include "step.h"

#include <clblast_c.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WARM_UP = 20, MAX_REPEATS = 1000 };

static double end_ms(cl_event event) {
    cl_ulong ns;
    CHECK(
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof ns, &ns, NULL));
    CHECK(clReleaseEvent(event));
    return (double)ns * 1e-6;
}

/* Is the first row of C that of A B? */
static void check_row(const float *a, const float *b, const float *c, size_t side) {
    for (size_t x = 0; x < side; x++) {
        double sum = 0.0;
        for (size_t i = 0; i < side; i++)
            sum += (double)a[i] * (double)b[i * side + x];
        if ((double)c[x] != sum)
            die("CLBlast's C (%zu, 0) is %g, expected %g", x, (double)c[x], sum);
    }
}

int main(int argc, char **argv) {
    const size_t size = argc > 1 ? strtoull(argv[1], NULL, 10) : 1 << 24;
    int repeats = argc > 2 ? atoi(argv[2]) : 51;
    repeats = repeats < 1 ? 1 : repeats < MAX_REPEATS ? repeats : MAX_REPEATS;
    struct step step;
    step_open(&step, 1, argv, &(struct usage){.step = "step18b_matmul_ahead"});
    struct device *device = &step.device;
    const size_t side = (size_t)sqrt((double)size), bytes = size * sizeof(float);
    const float *a = step_numbers(&step, size, 1), *b = step_numbers(&step, size, 2);
    float *c = step_array(&step, size, sizeof *c);
    cl_mem a_buffer = buffer_from(device, a, bytes),
           b_buffer = buffer_from(device, b, bytes),
           c_buffer = buffer_new(device, bytes);
    double times[MAX_REPEATS];
    for (int i = -WARM_UP; i < repeats; i++) {
        cl_event before, after;
        CHECK(clEnqueueMarkerWithWaitList(device->queue, 0, NULL, &before));
        if (CLBlastSgemm(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeNo,
                         side, side, side, 1.0f, a_buffer, 0, side, b_buffer, 0, side,
                         0.0f, c_buffer, 0, side, &device->queue,
                         NULL) != CLBlastSuccess)
            die("CLBlast does not multiply here");
        CHECK(clEnqueueMarkerWithWaitList(device->queue, 0, NULL, &after));
        CHECK(clFinish(device->queue));
        const double began_ms = end_ms(before);
        times[i < 0 ? 0 : i] = end_ms(after) - began_ms;
    }
    buffer_read(device, c_buffer, c, bytes);
    check_row(a, b, c, side);
    const struct timing time = timing_of(times, repeats);
    printf("clblast %zu %.6g %.6g %.6g\n", size, time.median_ms, time.fastest_ms,
           time.slowest_ms);
    device_close(device);
    return 0;
}
