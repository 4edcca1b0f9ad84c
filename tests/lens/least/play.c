/* play: launches one kernel of a file that has no program here, many times, so that the
 * lens can count it and time it:
 *
 *     play FILE KERNEL GLOBAL LOCAL OPTIONS ARGUMENT ...
 *     play scan.cl scan_L1 65536 256 '-D SIZE=4' float:65536=random local:2048 uint=256
 *
 * GLOBAL and LOCAL are work-items, as 1024 or 64,64.  An argument is
 *     TYPE:COUNT=FILL   a buffer; FILL is zero, random, index, step16 (0, 16, 32 ...),
 *                       or below8 (random whole numbers from 0 to 7)
 *     TYPE=NUMBERS      a scalar or a vector, its numbers with commas between
 *     local:BYTES       local memory
 * and TYPE is char, uchar, short, int, uint, long, ulong, float or double.  $LAUNCHES
 * is how many launches there are, 28 if it is not set; $DEVICE names the device. */
#include "buffer.h"
#include "check.h"
#include "data.h"
#include "device.h"

#include <stdlib.h>
#include <string.h>

enum { LAUNCHES = 28, NUMBERS = 16, MAX_TEXT = 1 << 24 };

static const struct type {
    const char *name;
    size_t bytes;
    enum { SIGNED, UNSIGNED, REAL } kind;
} types[] = {{"char", 1, SIGNED},    {"uchar", 1, UNSIGNED}, {"short", 2, SIGNED},
             {"int", 4, SIGNED},     {"uint", 4, UNSIGNED},  {"long", 8, SIGNED},
             {"ulong", 8, UNSIGNED}, {"float", 4, REAL},     {"double", 8, REAL}};

static const struct type *type_called(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == length &&
            strncmp(types[i].name, name, length) == 0)
            return &types[i];
    die("there is no type %.*s" HINT "as in float:1024=random or uint=5", (int)length,
        name);
}

static void put(const struct type *type, char *to, double value) {
    const float single = (float)value;
    const long long whole = (long long)value;
    if (type->kind == REAL)
        memcpy(to, type->bytes == 4 ? (const void *)&single : (const void *)&value,
               type->bytes);
    else
        memcpy(to, &whole, type->bytes); /* little end first */
}

static void fill(const struct type *type, char *bytes, size_t count, const char *how) {
    cl_uint random = mix_seed(1);
    const double below = strncmp(how, "below", 5) == 0 ? strtod(how + 5, NULL) : 0.0;
    const double step = strcmp(how, "index") == 0      ? 1.0
                        : strncmp(how, "step", 4) == 0 ? strtod(how + 4, NULL)
                                                       : 0.0;
    const bool is_random = strcmp(how, "random") == 0;
    if (!is_random && below == 0.0 && step == 0.0 && strcmp(how, "zero") != 0)
        die("a buffer cannot be filled with '%s'" HINT
            "choose zero, random, index, step16 or below8",
            how);
    for (size_t i = 0; i < count; i++) {
        double value = step * (double)i;
        if (is_random || below > 0.0)
            value = (random_next(&random) >> 8) * 0x1p-24;
        if (below > 0.0)
            value = (double)(long long)(value * below);
        if (is_random && type->kind != REAL)
            value *= 256.0;
        put(type, bytes + i * type->bytes, value);
    }
}

static void set_argument(struct device *device, cl_kernel kernel, cl_uint number,
                         const char *text) {
    char value[NUMBERS * 8];
    const char *equals = strchr(text, '='), *colon = strchr(text, ':');
    if (strncmp(text, "local:", 6) == 0) {
        CHECK(clSetKernelArg(kernel, number, strtoul(text + 6, NULL, 10), NULL));
        return;
    }
    if (!equals)
        die("'%s' has no value" HINT "as in float:1024=random or uint=5", text);
    colon = colon && colon < equals ? colon : NULL;
    const struct type *type =
        type_called(text, (size_t)((colon ? colon : equals) - text));
    if (colon) {
        const size_t count = strtoul(colon + 1, NULL, 10);
        char *bytes = malloc(count * type->bytes);
        if (!bytes || count == 0)
            die("no memory for %s" HINT "give a smaller size", text);
        fill(type, bytes, count, equals + 1);
        cl_mem buffer = buffer_from(device, bytes, count * type->bytes);
        free(bytes);
        CHECK(clSetKernelArg(kernel, number, sizeof buffer, &buffer));
        return;
    }
    size_t count = 0;
    for (const char *p = equals + 1; *p && count < NUMBERS; count++) {
        char *end;
        put(type, value + count * type->bytes, strtod(p, &end));
        p = *end ? end + 1 : end;
    }
    CHECK(clSetKernelArg(kernel, number, count * type->bytes, value));
}

static cl_uint read_range(size_t range[3], const char *text) {
    cl_uint dimensions = 0;
    for (const char *p = text; *p && dimensions < 3; dimensions++) {
        char *end;
        range[dimensions] = strtoul(p, &end, 10);
        if (range[dimensions] == 0)
            die("'%s' is no range" HINT "as in 1024 or 64,64", text);
        p = *end ? end + 1 : end;
    }
    return dimensions;
}

static cl_kernel build(struct device *device, const char *path, const char *name,
                       const char *options) {
    static char text[MAX_TEXT], log[1 << 16];
    const char *texts[] = {text};
    FILE *file = fopen(path, "r");
    if (!file || fread(text, 1, sizeof text - 1, file) == 0)
        die("cannot read %s" HINT "give the path of a kernel file", path);
    fclose(file);
    cl_int status;
    cl_program program =
        clCreateProgramWithSource(device->context, 1, texts, NULL, &status);
    CHECK(status);
    if (clBuildProgram(program, 1, &device->id, options, NULL, NULL) != CL_SUCCESS) {
        clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, sizeof log,
                              log, NULL);
        die("%s does not compile:\n%s", path, log);
    }
    cl_kernel kernel = clCreateKernel(program, name, &status);
    if (status != CL_SUCCESS)
        die("%s has no kernel %s" HINT "is its name right?", path, name);
    return kernel;
}

int main(int argc, char **argv) {
    size_t global[3] = {0}, local[3] = {0};
    if (argc < 6)
        die("usage: play FILE KERNEL GLOBAL LOCAL OPTIONS ARGUMENT ...");
    struct device device = device_open(getenv("DEVICE"));
    cl_kernel kernel = build(&device, argv[1], argv[2], argv[5]);
    const cl_uint dimensions = read_range(global, argv[3]);
    read_range(local, argv[4]);
    for (int i = 6; i < argc; i++)
        set_argument(&device, kernel, (cl_uint)(i - 6), argv[i]);
    const char *launches = getenv("LAUNCHES");
    for (int i = launches ? atoi(launches) : LAUNCHES; i > 0; i--) {
        CHECK(clEnqueueNDRangeKernel(device.queue, kernel, dimensions, NULL, global,
                                     local, 0, NULL, NULL));
        CHECK(clFinish(device.queue));
    }
    return 0;
}
