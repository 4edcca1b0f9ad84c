/* launch: runs kernels of any file once, so that a test can watch them
 *
 *     launch FILE.cl KERNEL GLOBAL LOCAL [ARGUMENT ...] [, KERNEL GLOBAL LOCAL ...]
 *
 * Sizes are work-items: 64, 64x8 or 16x4x2.  A letter begins each argument:
 *
 *     f1024  1024 floats: 1, 2, 3 ... 97, 1, 2 ...     l256   256 bytes of local memory
 *     i1024  the same as ints                          n=5    a uint; n=5,2: two of
 * them, z1024  1024 ints, all of them 0                         for a uint2 or a struct
 *     x1024  1024 words of random bits                 s1024  1024 words of SVM
 *     e1024  1024 floats, uninitialised                r1024, w1024: z1024, which
 * kernels may only read, or only write
 *     b0     the buffer of argument 0 of the launch before
 *
 * LAUNCH_OPTIONS are the options to build with, if not "-cl-std=CL1.2 -I .".
 *
 * Nothing is read back: what kernels do is for the lens to see, or for Oclgrind. */
#define _POSIX_C_SOURCE 200809L /* chdir */
#include <CL/cl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CANNOT_RUN = 2, MOST_PLATFORMS = 16, MOST_ARGUMENTS = 16 };
enum { MOST_BYTES = 1 << 20, MOST_ELEMENTS = 1 << 24 };

__attribute__((format(printf, 1, 2))) static _Noreturn void stop(const char *format,
                                                                 ...) {
    va_list facts;
    va_start(facts, format);
    fputs("error: ", stderr);
    vfprintf(stderr, format, facts);
    fputs("\n  hint    tests/lens/launch.c begins with its usage\n", stderr);
    exit(CANNOT_RUN);
}

static void check(cl_int status, const char *what) {
    if (status != CL_SUCCESS)
        stop("%s: status %d", what, status);
}

/* Platforms without devices exist: the first that has one will do. */
static cl_device_id find_device(void) {
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_device_id device;
    cl_uint count = 0;
    clGetPlatformIDs(MOST_PLATFORMS, platforms, &count);
    for (cl_uint p = 0; p < count && p < MOST_PLATFORMS; p++)
        if (!clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 1, &device, NULL))
            return device;
    stop("no OpenCL device");
}

/* We go to the file's folder, and look there for what it includes: not every driver
 * takes a name with a blank in it behind -I. */
static cl_program build(cl_context context, cl_device_id device, char *path) {
    static char text[MOST_BYTES], log[MOST_BYTES];
    const char *source = text;
    char *slash = strrchr(path, '/');
    FILE *file = fopen(path, "r");
    if (!file || fread(text, 1, sizeof text - 1, file) == 0)
        stop("cannot read %s", path);
    fclose(file);
    if (slash) {
        *slash = '\0';
        if (chdir(path) != 0)
            stop("cannot go to %s", path);
    }
    cl_int status;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    check(status, "clCreateProgramWithSource");
    const char *options = getenv("LAUNCH_OPTIONS");
    if (clBuildProgram(program, 1, &device, options ? options : "-cl-std=CL1.2 -I .",
                       NULL, NULL)) {
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log,
                              NULL);
        stop("the kernel file does not compile:\n%s", log);
    }
    return program;
}

/* "16x4x2": up to three numbers; returns how many there are. */
static cl_uint read_size(const char *text, size_t size[3]) {
    int end = 0;
    const int count = sscanf(text, "%zu%nx%zu%nx%zu%n", &size[0], &end, &size[1], &end,
                             &size[2], &end);
    if (count < 1 || text[end])
        stop("'%s' is no size: 64, 64x8 and 16x4x2 are", text);
    return (cl_uint)count;
}

/* The next 32 random bits; the same in each run. */
static cl_uint random_bits(void) {
    static cl_uint state = 1; /* xorshift: Marsaglia, "Xorshift RNGs", 2003 */
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}

/* A buffer of ints or floats, both 4 bytes; e's flags leave it as it is. */
static cl_mem make_buffer(cl_context context, char kind, size_t count) {
    const cl_mem_flags copy = kind == 'e' ? 0 : CL_MEM_COPY_HOST_PTR,
                       use = kind == 'r'   ? CL_MEM_READ_ONLY
                             : kind == 'w' ? CL_MEM_WRITE_ONLY
                                           : CL_MEM_READ_WRITE;
    union {
        cl_float f;
        cl_int i;
    } *data = calloc(count, sizeof *data);
    cl_int status;
    if (!data)
        stop("no memory for %zu elements", count);
    for (size_t i = 0; i < count && !strchr("zrw", kind); i++)
        if (kind == 'x')
            data[i].i = (cl_int)random_bits();
        else if (kind == 'f')
            data[i].f = (cl_float)(i % 97 + 1);
        else
            data[i].i = (cl_int)(i % 97 + 1);
    cl_mem buffer = clCreateBuffer(context, use | copy, count * sizeof *data,
                                   copy ? data : NULL, &status);
    check(status, "clCreateBuffer");
    free(data);
    return buffer;
}

/* Of OpenCL 2.0: the program is also linked where these are not there. */
void *clSVMAlloc(cl_context context, cl_bitfield flags, size_t bytes, cl_uint alignment)
    __attribute__((weak));
cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void *pointer)
    __attribute__((weak));

static void set_shared(cl_context context, cl_kernel kernel, cl_uint index,
                       size_t count) {
    void *memory =
        clSVMAlloc ? clSVMAlloc(context, CL_MEM_READ_WRITE, 4 * count, 0) : NULL;
    if (!memory)
        stop("no shared virtual memory");
    check(clSetKernelArgSVMPointer(kernel, index, memory), "clSetKernelArgSVMPointer");
}

/* Returns the buffer that the argument is; NULL: it is something else.  `before` are
 * those of the launch before. */
static cl_mem set_argument(cl_context context, cl_kernel kernel, cl_uint index,
                           const char *text, cl_mem *before) {
    cl_mem buffer = NULL;
    cl_uint numbers[2] = {0};
    int end = 0;
    if (strlen(text) < 2)
        stop("'%s' is no argument", text);
    const int count =
        sscanf(text + 1, "=%u%n,%u%n", &numbers[0], &end, &numbers[1], &end);
    if (*text == 'n' && count > 0 && !text[1 + end]) {
        check(clSetKernelArg(kernel, index, (size_t)count * sizeof *numbers, numbers),
              text);
        return NULL;
    }
    if (!strchr("fizelrwxsb", *text) || sscanf(text + 1, "%u%n", numbers, &end) != 1 ||
        text[1 + end] || numbers[0] < (*text != 'b') || numbers[0] > MOST_ELEMENTS)
        stop("'%s' is no argument", text);
    if (*text == 'b') {
        if (numbers[0] >= MOST_ARGUMENTS || !before[numbers[0]])
            stop("'%s': the launch before has no such buffer", text);
        buffer = before[numbers[0]];
        check(clRetainMemObject(buffer), text);
        check(clSetKernelArg(kernel, index, sizeof buffer, &buffer), text);
    } else if (*text == 'l') {
        check(clSetKernelArg(kernel, index, numbers[0], NULL), text);
    } else if (*text == 's') {
        set_shared(context, kernel, index, numbers[0]);
    } else {
        buffer = make_buffer(context, *text, numbers[0]);
        check(clSetKernelArg(kernel, index, sizeof buffer, &buffer), text);
    }
    return buffer;
}

static void release(cl_mem buffers[MOST_ARGUMENTS]) {
    for (int i = 0; i < MOST_ARGUMENTS; i++)
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
}

/* KERNEL GLOBAL LOCAL ARGUMENT ... : launches it, and waits for its end.  `before` are
 * the buffers of the launch before, and then those of this one. */
static void launch(cl_context context, cl_command_queue queue, cl_program program,
                   char **words, int count, cl_mem before[MOST_ARGUMENTS]) {
    cl_mem buffers[MOST_ARGUMENTS] = {NULL};
    size_t global[3], local[3];
    cl_int status;
    if (count < 3 || count - 3 > MOST_ARGUMENTS)
        stop("a launch wants a kernel, two sizes and up to %d arguments",
             MOST_ARGUMENTS);
    const cl_uint dimensions = read_size(words[1], global);
    if (read_size(words[2], local) != dimensions)
        stop("%s and %s differ in their dimensions", words[1], words[2]);
    cl_kernel kernel = clCreateKernel(program, words[0], &status);
    check(status, words[0]);
    for (int i = 3; i < count; i++)
        buffers[i - 3] =
            set_argument(context, kernel, (cl_uint)i - 3, words[i], before);
    check(clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL, global, local, 0,
                                 NULL, NULL),
          words[0]);
    check(clFinish(queue), words[0]);
    release(before);
    memcpy(before, buffers, sizeof buffers);
    clReleaseKernel(kernel);
}

int main(int argc, char **argv) {
    if (argc < 2)
        stop("no kernel file");
    cl_device_id device = find_device();
    cl_int status;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    cl_program program = build(context, device, argv[1]);

    cl_mem buffers[MOST_ARGUMENTS] = {NULL};

    /* A comma that stands alone sets launches apart. */
    for (int begin = 2, end; begin <= argc; begin = end + 1) {
        for (end = begin; end < argc && strcmp(argv[end], ",") != 0;)
            end++;
        launch(context, queue, program, argv + begin, end - begin, buffers);
    }
    release(buffers);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
