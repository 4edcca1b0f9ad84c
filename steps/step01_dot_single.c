/* Step 01: a dot product by one work-item, every OpenCL call written out
 *
 * This is the whole ceremony between a C program and a kernel, once, from top to
 * bottom.  Begin to read at main().  The names in brackets are those of the modules in
 * common/ that do the same for every later step: once read here, they hide nothing.
 *
 * Read with  kernels/step01_dot_single.cl, docs/step01_dot_single.md
 * Try        a spelling mistake in the kernel; another kernel name in main()
 * Lens       --size 16384
 */
#define _GNU_SOURCE /* getopt_long, strcasestr */
#include "compare.h"
#include "data.h"
#include "version.h"

#include <CL/cl.h>
#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { RIGHT = 0, WRONG = 1, CANNOT_RUN = 2, MOST_DEVICES = 64, SUMS = 8 };

/* [check] Every call tells how it went.  A program that does not listen finds out much
 * later, and somewhere else. */
static _Noreturn void stop(const char *problem, const char *fact, const char *hint) {
    fprintf(stderr, "error: %s: %s\n  hint    %s\n", problem, fact, hint);
    exit(CANNOT_RUN);
}

static void check(cl_int status, const char *call) {
    char fact[64];
    snprintf(fact, sizeof fact, "status %d", status);
    if (status != CL_SUCCESS)
        stop(call, fact, "CL/cl.h names that number; from step 02 on we do");
}

/* [options] The options of every step, as far as they mean something here. */
struct options {
    cl_uint n;
    unsigned seed;
    const char *device, *file, *format;
};

static struct options read_options(int argc, char **argv) {
    static const struct option known[] = {
        {"size", 1, NULL, 's'},   {"device", 1, NULL, 'd'},  {"kernel", 1, NULL, 'k'},
        {"format", 1, NULL, 'f'}, {"repeats", 1, NULL, 'r'}, {"full", 0, NULL, 'r'},
        {"seed", 1, NULL, 'S'},   {"help", 0, NULL, 'h'},    {"version", 0, NULL, 'v'},
        {NULL, 0, NULL, 0}};
    struct options options = {1 << 18, 0, getenv("DEVICE"), NULL, "table"};
    char *end;
    int letter;
    opterr = 0; /* we say ourselves what is wrong */
    while ((letter = getopt_long(argc, argv, "", known, NULL)) != -1) {
        if (letter == 's') {
            const long long n = strtoll(optarg, &end, 10);
            if (*end || n < 1 || n > 1 << 28)
                stop("--size cannot be", optarg, "try a number from 1 to 268435456");
            options.n = (cl_uint)n;
        } else if (letter == 'S') {
            const long long seed = strtoll(optarg, &end, 10);
            if (!*optarg || *end || seed < 0 || seed > 1000000)
                stop("--seed cannot be", optarg, "try a number from 0 to 1000000");
            options.seed = mix_seed((size_t)seed);
        } else if (letter == 'd') {
            options.device = optarg;
        } else if (letter == 'k') {
            options.file = optarg;
        } else if (letter == 'f') {
            options.format = optarg;
        } else if (letter == 'h') {
            printf("options: --size N, --seed N, --device D, --kernel FILE, --format F "
                   "(table, csv, json, tsv), --version\n");
            exit(RIGHT);
        } else if (letter == 'v') {
            printf("step01_dot_single, Lockstep %s\n", LOCKSTEP_VERSION);
            exit(RIGHT);
        } else if (letter != 'r') { /* 'r': nothing is timed here */
            stop("no option, or one without its value", argv[optind - 1],
                 "--help shows the options");
        }
    }
    if (optind < argc)
        stop("one word too many", argv[optind], "--help shows the options");
    if (strcmp(options.format, "table") != 0 && strcmp(options.format, "csv") != 0 &&
        strcmp(options.format, "json") != 0 && strcmp(options.format, "tsv") != 0)
        stop("--format cannot be", options.format, "try table, csv, json or tsv");
    return options;
}

/* [device] Is this the device that --device asks for: by number, kind or name? */
static bool is_wanted(cl_platform_id platform, cl_device_id id, int index,
                      const char *wish) {
    char name[256], driver[256];
    cl_device_type type;
    check(clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof name, name, NULL), "device name");
    check(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof driver, driver, NULL),
          "platform name");
    check(clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, NULL), "device type");
    if (!wish || !*wish || strcasecmp(wish, "gpu") == 0)
        return (type & CL_DEVICE_TYPE_GPU) != 0;
    if (strcasecmp(wish, "cpu") == 0)
        return (type & CL_DEVICE_TYPE_CPU) != 0;
    if (strspn(wish, "0123456789") == strlen(wish))
        return atoi(wish) == index;
    return strcasestr(name, wish) || strcasestr(driver, wish);
}

/* A platform is a driver; it has devices.  Several platforms may be installed, and some
 * of them may have no device on this machine. */
static cl_device_id find_device(const char *wish) {
    cl_platform_id platforms[MOST_DEVICES];
    cl_device_id devices[MOST_DEVICES], first = NULL;
    cl_uint platform_count = 0, device_count;
    int index = 0;
    clGetPlatformIDs(MOST_DEVICES, platforms, &platform_count);
    for (cl_uint p = 0; p < platform_count && p < MOST_DEVICES; p++) {
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices,
                           &device_count) != CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < device_count && d < MOST_DEVICES; d++, index++) {
            if (is_wanted(platforms[p], devices[d], index, wish))
                return devices[d];
            first = first ? first : devices[d];
        }
    }
    if (!first)
        stop("no OpenCL device", "none found", "`make doctor` tells what is missing");
    if (wish && *wish)
        stop("no device matches", wish, "`make devices` shows those there are");
    return first; /* no GPU here, and nobody asked for one */
}

/* [kernel] The driver compiles a kernel while we run, from its source text. */
static char *read_source(const char *path) {
    FILE *file = fopen(path, "rb");
    char *source = calloc(1, 1 << 20);
    if (!file || !source || fread(source, 1, (1 << 20) - 1, file) == 0)
        stop("cannot read the kernel file", path, "is it there, and a text file?");
    fclose(file);
    return source;
}

static _Noreturn void stop_with_log(cl_program program, cl_device_id device) {
    static char log[1 << 16];
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    stop("the kernel does not compile", log, "mend the first line above first");
}

/* [buffer] [launch] Copy both vectors to the device, run one work-item, fetch the sum.
 * `sums` receives all of a buffer that is longer than the one sum. */
struct machine {
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem x_buffer, y_buffer, sum_buffer;
};

static float run(const struct machine *to, const float *x, const float *y, cl_uint n,
                 float sums[SUMS]) {
    const size_t one = 1, bytes = ((size_t)n + 1) * sizeof *x;
    check(clEnqueueWriteBuffer(to->queue, to->x_buffer, CL_TRUE, 0, bytes, x, 0, NULL,
                               NULL),
          "clEnqueueWriteBuffer");
    check(clEnqueueWriteBuffer(to->queue, to->y_buffer, CL_TRUE, 0, bytes, y, 0, NULL,
                               NULL),
          "clEnqueueWriteBuffer");
    check(clEnqueueNDRangeKernel(to->queue, to->kernel, 1, NULL, &one, &one, 0, NULL,
                                 NULL),
          "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(to->queue, to->sum_buffer, CL_TRUE, 0,
                              SUMS * sizeof *sums, sums, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    return sums[0];
}

/* Behind the one sum nothing may have been written: all is NaN still. */
static bool rest_is_untouched(const float sums[SUMS]) {
    for (size_t i = 1; i < SUMS; i++)
        if (!isnan(sums[i]))
            return wrong("the kernel wrote sum[%zu], but its result is sum[0] alone",
                         i);
    return true;
}

static double dot_on_host(const float *x, const float *y, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i] * (double)y[i];
    return sum;
}

/* [report] A sentence for people, a row for programs: in TSV there is a tab where CSV
 * has a comma. */
static void print_row(const struct options *options, char *device, bool right) {
    for (char *c = device; *c; c++) /* neither JSON nor CSV must stumble over a name */
        if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ')
            *c = '?';
    const char *result = right ? "ok" : "WRONG";
    if (strcmp(options->format, "tsv") == 0)
        printf("step\tvariant\tdevice\tsize\trepeats\tmedian_ms\tfastest_ms\t"
               "slowest_ms\trate\tunit\tpercent_of_limit\tresult\tnote\n"
               "step01_dot_single\t1 work-item\t%s\t%u\t1\t\t\t\t\t\t\t%s\t\n",
               device, options->n, result);
    else if (strcmp(options->format, "csv") == 0)
        printf("step,variant,device,size,repeats,median_ms,fastest_ms,slowest_ms,rate,"
               "unit,percent_of_limit,result,note\n"
               "\"step01_dot_single\",\"1 work-item\",\"%s\",%u,1,,,,,,,\"%s\",\"\"\n",
               device, options->n, result);
    else if (strcmp(options->format, "json") == 0)
        printf("{\"step\": \"step01_dot_single\", \"variant\": \"1 work-item\", "
               "\"device\": \"%s\", \"size\": %u, \"repeats\": 1, \"median_ms\": null, "
               "\"fastest_ms\": null, \"slowest_ms\": null, \"rate\": null, "
               "\"unit\": \"\", \"percent_of_limit\": null, \"result\": \"%s\", "
               "\"note\": \"\"}\n",
               device, options->n, result);
}

int main(int argc, char **argv) {
    const struct options options = read_options(argc, argv);
    const cl_uint n = options.n;
    const size_t bytes = ((size_t)n + 1) * sizeof(float);
    cl_int status;

    /* Two pairs of vectors: random odd halves, whose sum is exact in float, to check
     * with; and the article's 1/1, 1/2, 1/3 ..., which lead to pi.  Behind the last
     * element stands a NaN: a kernel that reads too far cannot get the sum right. */
    float *x = small_numbers((size_t)n + 1, options.seed + 1);
    float *y = small_numbers((size_t)n + 1, options.seed + 2);
    float *series = reciprocals((size_t)n + 1);
    x[n] = y[n] = series[n] = NAN;

    /* [device] A context holds our objects; a queue takes commands to one device. */
    cl_device_id device = find_device(options.device);
    cl_ulong most;
    check(
        clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL),
        "size of the largest buffer");
    if (bytes > most) {
        char fits[32];
        snprintf(fits, sizeof fits, "%llu", (unsigned long long)(most / 4 - 1));
        stop("--size is too large for this device, which can hold at most", fits,
             "try that number");
    }
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");

    /* [kernel] Source text becomes a program, and a program has kernels. */
    const char *file = KERNEL_DIR "/step01_dot_single.cl";
    char *source = read_source(options.file ? options.file : file);
    cl_program program =
        clCreateProgramWithSource(context, 1, (const char *[]){source}, NULL, &status);
    check(status, "clCreateProgramWithSource");
    if (clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL) != CL_SUCCESS)
        stop_with_log(program, device);
    cl_kernel kernel = clCreateKernel(program, "dot_single", &status);
    check(status, "clCreateKernel(dot_single)");

    /* [buffer] The device has a memory of its own.  The one for the sum is longer, and
     * full of NaN: a kernel that writes nothing, or too much, shows. */
    float sums[SUMS];
    for (int i = 0; i < SUMS; i++)
        sums[i] = NAN;
    cl_mem x_buffer = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, &status);
    check(status, "clCreateBuffer for x");
    cl_mem y_buffer = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, &status);
    check(status, "clCreateBuffer for y");
    cl_mem sum_buffer = clCreateBuffer(
        context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof sums, sums, &status);
    check(status, "clCreateBuffer for the sum");

    /* [kernel] Arguments are set by number, and stay set from launch to launch. */
    check(clSetKernelArg(kernel, 0, sizeof x_buffer, &x_buffer), "clSetKernelArg(0)");
    check(clSetKernelArg(kernel, 1, sizeof y_buffer, &y_buffer), "clSetKernelArg(1)");
    check(clSetKernelArg(kernel, 2, sizeof sum_buffer, &sum_buffer),
          "clSetKernelArg(2)");
    check(clSetKernelArg(kernel, 3, sizeof n, &n), "clSetKernelArg(3)");

    /* [launch] First the series, then the numbers whose sum we know for certain: what
     * the first launch left behind must not matter to the second. */
    const struct machine to = {queue, kernel, x_buffer, y_buffer, sum_buffer};
    const double float_pi = sqrt(6.0 * (double)run(&to, series, series, n, sums));
    const double sum = (double)run(&to, x, y, n, sums);
    const bool right = equal_sum(sum, dot_on_host(x, y, n)) && rest_is_untouched(sums);
    const double double_pi = sqrt(6.0 * dot_on_host(series, series, n));

    /* [report] */
    char name[256];
    check(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL), "name");
    print_row(&options, name, right);
    if (strcmp(options.format, "table") == 0)
        printf("step01_dot_single on %s\n"
               "dot product of %u random halves: %s\n"
               "pi from %u terms, added in float on the device: %.7f\n"
               "pi from %u terms, added in double on the host:  %.7f\n",
               name, n, right ? "ok" : "WRONG", n, float_pi, n, double_pi);
    if (strcmp(options.format, "table") == 0 && n > 4096 && !options.file)
        printf(
            "From term 4,097 on, each is under half a unit in the sum's last place:\n"
            "in float nothing is added any more, however many terms follow.\n");

    cl_device_type type;
    check(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL), "type");
    if (strcmp(options.format, "table") == 0 && type & CL_DEVICE_TYPE_CPU)
        printf("What 32 lanes of a GPU would do with it: make step01 lens\n");

    /* What was created is released, in reverse order. */
    clReleaseMemObject(sum_buffer);
    clReleaseMemObject(y_buffer);
    clReleaseMemObject(x_buffer);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(source);
    free(series);
    free(y);
    free(x);
    return right ? RIGHT : WRONG;
}
