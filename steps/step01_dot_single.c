/* Step 01: a dot product by one work-item, every OpenCL call written out
 *
 * This is everything that stands between a C program and a kernel on a device, once,
 * from top to bottom.  Start reading at main().  The names in brackets are those of the
 * modules in common/ that make the same calls for every later step.
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

/* [check] Every call that can fail returns a status, and every status is checked.  A
 * program that ignores it fails much later, and in another place. */
static _Noreturn void stop(const char *problem, const char *fact, const char *hint) {
    die("%s: %s" HINT "%s", problem, fact, hint); /* on stderr; the exit status is 2 */
}

static void check(cl_int status, const char *call) {
    char fact[64];
    snprintf(fact, sizeof fact, "status %d", status);
    if (status != CL_SUCCESS)
        stop(call, fact, "CL/cl.h has a name for that number; later steps print it");
}

/* [device] A platform is a driver, and has devices.  Several platforms may be
 * installed, and some of them may have no device on this machine (the call then returns
 * CL_DEVICE_NOT_FOUND).  We take the first GPU, or else the first device of any kind.
 */
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

/* [kernel] The driver compiles the kernel while our program runs, from its text. */
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

/* Only sum[0] is the kernel's to write: the numbers after it must still be NaN. */
static bool rest_is_untouched(const float sums[SUMS]) {
    for (size_t i = 1; i < SUMS; i++)
        if (!isnan(sums[i]))
            return wrong("the kernel wrote sum[%zu], but its result is sum[0] alone",
                         i);
    return true;
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

    /* [device] A device executes kernels.  A context holds the objects that we make for
     * it, and a queue takes our commands to it, one after another. */
    cl_device_id devices[MAX_DEVICES] = {options.device ? NULL : find_device()};
    if (options.device) /* --device nvidia: what common/device.h makes of the name */
        device_find(options.device, devices);
    const cl_device_id device = devices[0];
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    const struct device about = device_info(device); /* what the report prints of it */
    struct report report = report_start(&options, &about);

    /* [data] Two vectors of odd quarters, whose sum is exact.  After the last element
     * comes a NaN, whose sign tells it from the NaN in the buffer for the sum. */
    const cl_uint n = device_check_size(&about, options.size, 2, sizeof(float));
    const size_t bytes = ((size_t)n + 1) * sizeof(float);
    float *x = small_numbers((size_t)n + 1, options.seed + 1);
    float *y = small_numbers((size_t)n + 1, options.seed + 2);
    x[n] = y[n] = -NAN;

    /* [kernel] From the text the driver makes a program, which has kernels. */
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
     * (PoCL runs kernels in the host's memory, but a program cannot rely on that, and
     * so it copies there, too.)  The buffer for the sum is longer than needed and full
     * of NaN, so that a kernel that writes nothing, or too much, is noticed. */
    float sums[SUMS], results[2]; /* sums[0], after each of two launches */
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
    check(clEnqueueWriteBuffer(queue, sum_buffer, CL_TRUE, 0, sizeof sums, sums, 0,
                               NULL, NULL),
          "clEnqueueWriteBuffer for the sum");

    /* [kernel] Arguments are set by number.  The call copies an argument from where it
     * lies, so it needs its size and its address: for a buffer, those of its handle. */
    check(clSetKernelArg(kernel, 0, sizeof x_buffer, &x_buffer), "clSetKernelArg(0)");
    check(clSetKernelArg(kernel, 1, sizeof y_buffer, &y_buffer), "clSetKernelArg(1)");
    check(clSetKernelArg(kernel, 2, sizeof sum_buffer, &sum_buffer),
          "clSetKernelArg(2)");
    check(clSetKernelArg(kernel, 3, sizeof n, &n), "clSetKernelArg(3)");

    /* [kernel] One work-item, in a group of one, twice, and the second time with a y
     * that is 2^60 times smaller: so a kernel that keeps an old sum, adds to it, or
     * rounds to quarters, is wrong.  The call only puts the launch into the queue;
     * reading with CL_TRUE waits until it has finished. */
    const size_t items = 1, group = 1;
    for (int launch = 0; launch < 2; launch++) {
        if (launch == 1)
            make_tiny(y, n);
        status =
            clEnqueueWriteBuffer(queue, y_buffer, CL_TRUE, 0, bytes, y, 0, NULL, NULL);
        check(status, "clEnqueueWriteBuffer for y");
        status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL,
                                        NULL);
        check(status, "clEnqueueNDRangeKernel");
        status = clEnqueueReadBuffer(queue, sum_buffer, CL_TRUE, 0, sizeof sums, sums,
                                     0, NULL, NULL);
        check(status, "clEnqueueReadBuffer");
        results[launch] = sums[0];
    }

    /* [report] Is it what the host gets, each time? */
    struct row row = {.variant = "1 work-item", .size = n};
    const double expected = dot_on_host(x, y, n);
    row.right =
        equal_sum((double)results[0], expected / (double)TINY) &&
        rest_is_untouched(sums) &&
        (equal_sum((double)results[1], expected) ||
         wrong("that was the second launch, whose y is 2^60 times smaller: does "
               "the kernel round, or keep an old sum?"));
    report_row(&report, row);
    report_say(&report, "x . y = %.4f", (double)results[0]);

    /* What was created is released, in reverse order.  These calls cannot fail with
     * what we have created, so there is nothing to check. */
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
