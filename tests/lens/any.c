/* any: runs a kernel that others wrote, so that the lens can judge it
 *
 *     any FILE.sim                        in the form of Oclgrind's tests
 *     any FILE.cl GLOBAL LOCAL            every kernel of the file, its arguments
 * guessed
 *
 * Sizes are work-items: 64 or 64,8.  Guessed are 8 MiB of zeros for each global
 * argument, 16 KiB for each local one, and zeros but for the lowest byte, an 8, for
 * each other.  A kernel that has such others is launched again, with zeros for them.
 *
 * A .sim file names a .cl file beside it, a kernel, the global and the local size, and
 * then describes each argument: <size=BYTES [char|int|float] [fill=V|range=A:STEP:B]>,
 * followed by its values where it has neither; <null> is no buffer.
 *
 * Exit status 77: the device's compiler does not know the kernel, or cannot launch it.
 */
#define _POSIX_C_SOURCE 200809L /* chdir */
#include <CL/cl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CANNOT_RUN = 2, SKIPPED = 77, MOST = 16, TEXT = 1 << 20 };
enum { GLOBAL_BYTES = 8 << 20, LOCAL_BYTES = 16 << 10 };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

__attribute__((format(printf, 2, 3))) static _Noreturn void
stop(int status, const char *format, ...) {
    va_list facts;
    va_start(facts, format);
    fputs("error: ", stderr);
    vfprintf(stderr, format, facts);
    fputs("\n  hint    tests/lens/any.c begins with its usage\n", stderr);
    exit(status);
}

static void check(cl_int status, const char *what) {
    if (status != CL_SUCCESS)
        stop(SKIPPED, "%s: status %d", what, status);
}

static void open_device(void) {
    cl_platform_id platforms[MOST];
    cl_uint count = 0;
    cl_int status;
    clGetPlatformIDs(MOST, platforms, &count);
    for (cl_uint p = 0; p < count && p < MOST && !device; p++)
        clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    if (!device)
        stop(SKIPPED, "no OpenCL device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
}

static char *read_text(const char *path) {
    char *text = calloc(1, TEXT);
    FILE *file = fopen(path, "r");
    if (!file || !text || fread(text, 1, TEXT - 1, file) == 0)
        stop(CANNOT_RUN, "cannot read %s", path);
    fclose(file);
    return text;
}

/* In the file's folder, where it looks for what it includes. */
static cl_program build(const char *path, const char *options) {
    static char log[TEXT];
    char words[4096];
    cl_int status;
    const char *source = read_text(path);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    check(status, "clCreateProgramWithSource");
    snprintf(words, sizeof words, "-cl-kernel-arg-info -I . %s", options);
    if (clBuildProgram(program, 1, &device, words, NULL, NULL)) {
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log,
                              NULL);
        stop(SKIPPED, "the kernel file does not compile:\n%s", log);
    }
    return program;
}

static void go_to_folder(char **path) {
    char *slash = strrchr(*path, '/');
    if (!slash)
        return;
    *slash = '\0';
    if (chdir(*path) != 0)
        stop(CANNOT_RUN, "cannot go to %s", *path);
    *path = slash + 1;
}

static void launch(cl_kernel kernel, const char *name, cl_uint dimensions,
                   const size_t global[3], const size_t local[3]) {
    check(clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL, global, local, 0,
                                 NULL, NULL),
          name);
    check(clFinish(queue), name);
}

/* ---- Arguments that are guessed. */

static cl_mem buffer_of(cl_mem_flags flags, size_t bytes, void *data) {
    cl_int status;
    cl_mem buffer =
        clCreateBuffer(context, flags | CL_MEM_COPY_HOST_PTR, bytes, data, &status);
    check(status, "clCreateBuffer");
    return buffer;
}

/* The type tells nothing of its size: the driver takes the one that is right. */
static void guess_value(cl_kernel kernel, cl_uint index, unsigned char lowest) {
    static const size_t sizes[] = {4, 8, 1, 2, 16, 32, 64, 128, 12, 24, 48};
    unsigned char value[128] = {lowest};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (clSetKernelArg(kernel, index, sizes[i], value) == CL_SUCCESS)
            return;
    stop(SKIPPED, "argument %u has a size that is not known", index);
}

/* Returns whether it is a plain argument. */
static int guess(cl_kernel kernel, cl_uint index, void *zeros, unsigned char lowest) {
    cl_kernel_arg_address_qualifier where;
    check(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
                             sizeof where, &where, NULL),
          "clGetKernelArgInfo");
    if (where == CL_KERNEL_ARG_ADDRESS_LOCAL) {
        check(clSetKernelArg(kernel, index, LOCAL_BYTES, NULL), "clSetKernelArg");
    } else if (where == CL_KERNEL_ARG_ADDRESS_PRIVATE) {
        guess_value(kernel, index, lowest);
        return 1;
    } else {
        cl_mem buffer = buffer_of(CL_MEM_READ_WRITE, GLOBAL_BYTES, zeros);
        check(clSetKernelArg(kernel, index, sizeof buffer, &buffer), "clSetKernelArg");
    }
    return 0;
}

static int guess_all(cl_kernel kernel, cl_uint arguments, void *zeros,
                     unsigned char lowest) {
    int plain = 0;
    for (cl_uint i = 0; i < arguments; i++)
        plain += guess(kernel, i, zeros, lowest);
    return plain;
}

static cl_uint read_sizes(const char *text, size_t size[3]) {
    const int count = sscanf(text, "%zu,%zu,%zu", &size[0], &size[1], &size[2]);
    if (count < 1)
        stop(CANNOT_RUN, "'%s' is no size", text);
    return (cl_uint)count;
}

static void run_guessed(char *path, const char *global_text, const char *local_text) {
    size_t global[3], local[3];
    const cl_uint dimensions = read_sizes(global_text, global);
    if (read_sizes(local_text, local) != dimensions)
        stop(CANNOT_RUN, "%s and %s differ in their dimensions", global_text,
             local_text);
    go_to_folder(&path);
    cl_program program =
        build(path, getenv("ANY_OPTIONS") ? getenv("ANY_OPTIONS") : "");
    cl_kernel kernels[MOST];
    cl_uint count = 0, arguments = 0;
    void *zeros = calloc(1, GLOBAL_BYTES);
    check(clCreateKernelsInProgram(program, MOST, kernels, &count),
          "clCreateKernelsInProgram");
    for (cl_uint k = 0; k < count && k < MOST; k++) {
        char name[256];
        clGetKernelInfo(kernels[k], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
        clGetKernelInfo(kernels[k], CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments,
                        NULL);
        const int plain = guess_all(kernels[k], arguments, zeros, 8);
        launch(kernels[k], name, dimensions, global, local);
        if (plain == 0)
            continue;
        guess_all(kernels[k], arguments, zeros, 0);
        launch(kernels[k], name, dimensions, global, local);
    }
}

/* ---- Arguments that a .sim file describes. */

struct reader {
    char *at; /* what is left of the text, without comments */
};

/* The next word, or <...>; NULL: the text has ended. */
static char *next(struct reader *reader) {
    char *p = reader->at + strspn(reader->at, " \t\r\n"), *end;
    if (!*p)
        return NULL;
    end = *p == '<' ? strchr(p, '>') : p + strcspn(p, " \t\r\n");
    if (!end)
        stop(CANNOT_RUN, "a '<' without its '>'");
    if (*end) /* the '>', or a blank */
        *end++ = '\0';
    reader->at = end;
    return p;
}

static char *need(struct reader *reader) {
    char *word = next(reader);
    if (!word)
        stop(CANNOT_RUN, "the .sim file ends too early");
    return word;
}

/* Of what type the values are: f, c or i, for 4, 1 and 4 bytes; s and l for 2 and 8. */
static char kind_of(cl_kernel kernel, cl_uint index, const char *words) {
    char type[256] = "";
    if (strstr(words, "float"))
        return 'f';
    if (strstr(words, "char"))
        return 'c';
    if (strstr(words, "int"))
        return 'i';
    clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL);
    return strstr(type, "float")                            ? 'f'
           : strstr(type, "double")                         ? 'd'
           : strstr(type, "char")                           ? 'c'
           : strstr(type, "short")                          ? 's'
           : strstr(type, "long") || strstr(type, "size_t") ? 'l'
                                                            : 'i';
}

static size_t store(unsigned char *at, char kind, const char *text) {
    const long long whole = strtoll(text, NULL, 0);
    const double number = strtod(text, NULL);
    const float single = (float)number;
    const int word = (int)whole;
    const short half = (short)whole;
    const char byte = (char)whole;
    const void *value = kind == 'f'   ? (const void *)&single
                        : kind == 'd' ? (const void *)&number
                        : kind == 'c' ? (const void *)&byte
                        : kind == 's' ? (const void *)&half
                        : kind == 'l' ? (const void *)&whole
                                      : (const void *)&word;
    const size_t bytes = kind == 'c'                  ? 1
                         : kind == 's'                ? 2
                         : kind == 'l' || kind == 'd' ? 8
                                                      : 4;
    memcpy(at, value, bytes);
    return bytes;
}

static void fill(unsigned char *data, size_t bytes, char kind, const char *words,
                 struct reader *reader) {
    const char *value = strstr(words, "fill="), *range = strstr(words, "range=");
    double from = 0.0, step = 1.0;
    char text[64];
    if (range)
        sscanf(range, "range=%lf:%lf", &from, &step);
    for (size_t used = 0; used < bytes;) {
        if (range) {
            snprintf(text, sizeof text, "%.17g", from);
            from += step;
        }
        used += store(data + used, kind,
                      range   ? text
                      : value ? value + 5
                              : need(reader));
    }
}

static void describe(cl_kernel kernel, cl_uint index, struct reader *reader) {
    cl_kernel_arg_address_qualifier where;
    const char *words = need(reader);
    size_t bytes = 0;
    check(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
                             sizeof where, &where, NULL),
          "clGetKernelArgInfo");
    if (strstr(words, "<null")) {
        check(clSetKernelArg(kernel, index, sizeof(cl_mem), NULL), "clSetKernelArg");
        return;
    }
    if (!strstr(words, "size=") ||
        sscanf(strstr(words, "size="), "size=%zu", &bytes) != 1)
        stop(CANNOT_RUN, "'%s>' has no size", words);
    if (where == CL_KERNEL_ARG_ADDRESS_LOCAL) {
        check(clSetKernelArg(kernel, index, bytes, NULL), "clSetKernelArg");
        return;
    }
    unsigned char *data = calloc(1, bytes + 8);
    if (!strstr(words, "noinit"))
        fill(data, bytes, kind_of(kernel, index, words), words, reader);
    if (where == CL_KERNEL_ARG_ADDRESS_PRIVATE) {
        check(clSetKernelArg(kernel, index, bytes, data), "clSetKernelArg");
    } else {
        const cl_mem_flags flags = strstr(words, " ro")   ? CL_MEM_READ_ONLY
                                   : strstr(words, " wo") ? CL_MEM_WRITE_ONLY
                                                          : CL_MEM_READ_WRITE;
        cl_int status;
        bytes += bytes == 0; /* no buffer can be empty */
        cl_mem buffer = strstr(words, "noinit")
                            ? clCreateBuffer(context, flags, bytes, NULL, &status)
                            : buffer_of(flags, bytes, data);
        check(clSetKernelArg(kernel, index, sizeof buffer, &buffer), "clSetKernelArg");
    }
    free(data);
}

static void drop_comments(char *text, char *options, size_t room) {
    const char *given = strstr(text, "--build-options ");
    if (given)
        snprintf(options, room, "%.*s", (int)strcspn(given + 16, "\n"), given + 16);
    for (char *p = strchr(text, '#'); p; p = strchr(p, '#'))
        memset(p, ' ', strcspn(p, "\n"));
}

static void run_described(char *path) {
    char options[1024] = "";
    go_to_folder(&path);
    struct reader reader = {read_text(path)};
    drop_comments(reader.at, options, sizeof options);
    const char *file = need(&reader), *name = need(&reader);
    size_t global[3], local[3];
    for (int d = 0; d < 3; d++)
        global[d] = strtoul(need(&reader), NULL, 0);
    for (int d = 0; d < 3; d++)
        local[d] = strtoul(need(&reader), NULL, 0);
    cl_int status;
    cl_uint arguments = 0;
    cl_kernel kernel = clCreateKernel(build(file, options), name, &status);
    check(status, name);
    clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL);
    for (cl_uint i = 0; i < arguments; i++)
        describe(kernel, i, &reader);
    launch(kernel, name, 3, global, local);
}

int main(int argc, char **argv) {
    if (argc != 2 && argc != 4)
        stop(CANNOT_RUN, "FILE.sim, or FILE.cl GLOBAL LOCAL");
    open_device();
    if (argc == 2)
        run_described(argv[1]);
    else
        run_guessed(argv[1], argv[2], argv[3]);
    return 0;
}
