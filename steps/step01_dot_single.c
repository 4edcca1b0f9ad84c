/* Step 01: host and device: a dot product, every OpenCL call written out
 *
 * This is everything that a C program has to do until a kernel has run on a device and
 * its result is back, once, from top to bottom.  Start reading at main().  The names in
 * brackets are those of the modules in common/ that do the same for every later step.
 *
 * Read with  kernels/step01_dot_single.cl, docs/step01_dot_single.md
 * Try        a spelling mistake in the kernel; another kernel name in main()
 * Lens       --size 16384
 */
#include "check.h"
#include "compare.h"
#include "data.h"
#include "report.h"

#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DOCTOR "`make doctor` says what is missing"
enum { SUMS = 8 };

/* [check] Every call that can fail reports a status, and every status is checked.  A
 * program that ignores it goes on, and fails much later, in another place. */
static _Noreturn void stop(const char *problem, const char *fact, const char *hint) {
    die("%s: %s" HINT "%s", problem, fact, hint); /* on stderr; the exit status is 2 */
}

static void check(cl_int status, const char *call) {
    char fact[64];
    snprintf(fact, sizeof fact, "status %d", status);
    if (status != CL_SUCCESS)
        stop(call, fact, "CL/cl.h has a name for that number; later steps print it");
}

/* [device] A platform is a driver, and a driver has devices.  Several platforms may be
 * installed, and some may have no device on this machine: clGetDeviceIDs() then returns
 * CL_DEVICE_NOT_FOUND.  We take the first GPU, or else the first device of any kind. */
static cl_device_id find_device(void) {
    cl_platform_id platforms[MAX_DEVICES];
    cl_device_id devices[MAX_DEVICES], first = NULL;
    cl_uint platform_count = 0, device_count;
    cl_device_type type;
    if (clGetPlatformIDs(MAX_DEVICES, platforms, &platform_count) != CL_SUCCESS)
        stop("no OpenCL platform", "no driver is installed", DOCTOR);
    for (cl_uint p = 0; p < platform_count && p < MAX_DEVICES; p++) {
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES, devices,
                           &device_count) != CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < device_count && d < MAX_DEVICES; d++) {
            check(clGetDeviceInfo(devices[d], CL_DEVICE_TYPE, sizeof type, &type, NULL),
                  "clGetDeviceInfo");
            if (type & CL_DEVICE_TYPE_GPU)
                return devices[d];
            first = first ? first : devices[d];
        }
    }
    if (!first)
        stop("no OpenCL device", "the drivers find none", DOCTOR);
    return first;
}

/* [kernel] The driver compiles the kernel from its text, while our program runs. */
static char *read_source(const char *path) {
    enum { MAX_BYTES = 1 << 20 };
    FILE *file = fopen(path, "rb");
    char *source = allocate(MAX_BYTES, 1);
    if (!file || fread(source, 1, MAX_BYTES - 1, file) == 0)
        stop("cannot read the kernel file", path, "does it exist, and is it a text?");
    fclose(file);
    return source;
}

static _Noreturn void stop_with_log(cl_program program, cl_device_id device) {
    static char log[1 << 16];
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    stop("the kernel does not compile", log, "fix the first line above first");
}

static double dot_on_host(const float *x, const float *y, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i] * (double)y[i];
    return sum;
}

/* The kernel may write sum[0] only: the numbers after it must still be NaN. */
static bool rest_is_untouched(const float sums[SUMS]) {
    for (size_t i = 1; i < SUMS; i++)
        if (!isnan(sums[i]))
            return wrong("the kernel wrote sum[%zu], but its result is sum[0] alone",
                         i);
    return true;
}

/* Launches the kernel again, with a y that is 2^60 times smaller.  The first launch
 * cannot show that a kernel adds to an old sum, keeps it, or rounds to quarters; this
 * one can. */
static bool is_right_again(cl_command_queue queue, cl_kernel kernel, cl_mem y_buffer,
                           float *y, cl_uint n, cl_mem sum_buffer, double expected) {
    const size_t one = 1;
    float sums[SUMS];
    make_tiny(y, n);
    check(clEnqueueWriteBuffer(queue, y_buffer, CL_TRUE, 0, n * sizeof *y, y, 0, NULL,
                               NULL),
          "clEnqueueWriteBuffer for y");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, sum_buffer, CL_TRUE, 0, sizeof sums, sums, 0, NULL,
                              NULL),
          "clEnqueueReadBuffer");
    return rest_is_untouched(sums) &&
           (equal_sum((double)sums[0], expected * (double)TINY) ||
            wrong("that was the second launch, whose y is 2^60 times smaller: does "
                  "the kernel round, or keep an old sum?"));
}

int main(int argc, char **argv) {
    struct options options = options_read(
        argc, argv,
        &(struct usage){
            .step = "step01_dot_single",
            .lesson = "a dot product by one work-item, every OpenCL call written out",
            .size = 1 << 18});
    cl_int status;
    if (options.binary || options.lanes)
        stop("no such option", "--binary or --lanes", "later steps have them");

    /* [device] A device executes kernels.  A context holds all that we create for it,
     * and a queue takes our commands to it, one after another. */
    cl_device_id devices[MAX_DEVICES] = {options.device ? NULL : find_device()};
    if (options.device) /* --device nvidia: common/device.h looks for that name */
        device_find(options.device, devices);
    const cl_device_id device = devices[0];
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    const struct device about = device_info(device); /* its name, for the report */
    struct report report = report_start(&options, &about);

    /* [data] Two vectors of odd quarters, so that every sum of their products is exact.
     * A NaN follows the last element: a kernel that reads too far gets NaN.  Its sign
     * distinguishes it from the NaN in the buffer for the sum. */
    const cl_uint n = device_check_size(&about, options.size, 2, sizeof(float));
    const size_t bytes = ((size_t)n + 1) * sizeof(float);
    float *x = small_numbers((size_t)n + 1, options.seed + 1);
    float *y = small_numbers((size_t)n + 1, options.seed + 2);
    x[n] = y[n] = -NAN;

    /* [kernel] The driver compiles the text to a program, which contains kernels. */
    const char *file = KERNEL_DIR "/step01_dot_single.cl";
    char *source = read_source(options.kernel ? options.kernel : file);
    const char *texts[] = {source};
    cl_program program = clCreateProgramWithSource(context, 1, texts, NULL, &status);
    check(status, "clCreateProgramWithSource");
    if (clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL) != CL_SUCCESS)
        stop_with_log(program, device);
    cl_kernel kernel = clCreateKernel(program, "dot_single", &status);
    check(status, "clCreateKernel(dot_single)");

    /* [buffer] A device has memory of its own, and a kernel reads and writes only that.
     * (PoCL runs kernels in the host's memory, but a program cannot rely on it, and
     * copies there, too.)  The buffer for the sum is longer than needed and full of
     * NaN, so that a kernel that writes nothing, or too much, is noticed. */
    float sums[SUMS];
    for (int i = 0; i < SUMS; i++)
        sums[i] = NAN;
    cl_mem x_buffer = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, &status);
    check(status, "clCreateBuffer for x");
    cl_mem y_buffer = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, &status);
    check(status, "clCreateBuffer for y");
    cl_mem sum_buffer =
        clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof sums, NULL, &status);
    check(status, "clCreateBuffer for the sum");
    /* CL_TRUE: the call returns only when the copy is finished. */
    check(clEnqueueWriteBuffer(queue, x_buffer, CL_TRUE, 0, bytes, x, 0, NULL, NULL),
          "clEnqueueWriteBuffer for x");
    check(clEnqueueWriteBuffer(queue, y_buffer, CL_TRUE, 0, bytes, y, 0, NULL, NULL),
          "clEnqueueWriteBuffer for y");
    check(clEnqueueWriteBuffer(queue, sum_buffer, CL_TRUE, 0, sizeof sums, sums, 0,
                               NULL, NULL),
          "clEnqueueWriteBuffer for the sum");

    /* [kernel] Arguments are set by number.  The call copies the argument's value, so
     * it needs a size and an address: for a buffer, those of its handle. */
    check(clSetKernelArg(kernel, 0, sizeof x_buffer, &x_buffer), "clSetKernelArg(0)");
    check(clSetKernelArg(kernel, 1, sizeof y_buffer, &y_buffer), "clSetKernelArg(1)");
    check(clSetKernelArg(kernel, 2, sizeof sum_buffer, &sum_buffer),
          "clSetKernelArg(2)");
    check(clSetKernelArg(kernel, 3, sizeof n, &n), "clSetKernelArg(3)");

    /* [kernel] One work-item, in a group of one.  The call only puts the launch into
     * the queue; reading with CL_TRUE waits until the sum is there. */
    const size_t items = 1, group = 1;
    status =
        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL);
    check(status, "clEnqueueNDRangeKernel");
    status = clEnqueueReadBuffer(queue, sum_buffer, CL_TRUE, 0, sizeof sums, sums, 0,
                                 NULL, NULL);
    check(status, "clEnqueueReadBuffer");

    /* [report] Is it the sum that the host finds? */
    struct row row = {.variant = "1 work-item", .size = n};
    const double expected = dot_on_host(x, y, n);
    row.right = equal_sum((double)sums[0], expected) && rest_is_untouched(sums) &&
                is_right_again(queue, kernel, y_buffer, y, n, sum_buffer, expected);
    report_row(&report, row);
    report_say(&report, "x . y = %.4f", (double)sums[0]);

    /* What was created is released, in reverse order.  These calls can only fail if
     * they are given something else, so there is nothing to check. */
    clReleaseMemObject(sum_buffer);
    clReleaseMemObject(y_buffer);
    clReleaseMemObject(x_buffer);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(source);
    free(y);
    free(x);
    return report_end(&report);
}
