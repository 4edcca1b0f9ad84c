/* images: launches kernels of images.cl, so that the lens can compare what they do
 *
 *     images FILE.cl [NAME ...]
 *
 * Without a name: every kind of read and write, in each format that the device has.
 * Images hold random bits, or where a format has real numbers, such from 0 to 1;
 * coordinates are random from a half before the image to a half behind it.  Else
 * kernels NAME(src, to, out), in groups of 16 x 2, for two images of 16 x 8 texels, of
 * which "unwritten" gets one without contents. */
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 1 << 16, MAX_FORMATS = 256, ITEMS = 64 };
enum { WIDTH = 16, HEIGHT = 8, DEPTH = 4, MAX_TEXEL = 16 };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;

static void check(cl_int status, const char *what) {
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "error: %s: status %d\n", what, status);
    exit(2);
}

static void open_device(const char *path) {
    static char text[MAX_BYTES];
    const char *source = text;
    cl_platform_id platforms[16];
    cl_uint count = 0;
    cl_int status;
    FILE *file = fopen(path, "r");
    if (!file || fread(text, 1, sizeof text - 1, file) == 0)
        check(-1, path);
    fclose(file);
    clGetPlatformIDs(16, platforms, &count);
    for (cl_uint p = 0; p < count && !device; p++)
        clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    check(status, "clCreateProgramWithSource");
    /* PoCL 7.1 needs the macro (see tests/drivers/images.cl); others define it, too. */
    const char *build_options = "-cl-std=CL1.2 -D__opencl_c_images=1";
    check(clBuildProgram(program, 1, &device, build_options, NULL, NULL),
          "clBuildProgram");
}

/* The next 32 random bits; the same in each run. */
static cl_uint random_bits(void) {
    static cl_uint state = 1; /* xorshift: Marsaglia, "Xorshift RNGs", 2003 */
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}

static float fraction(void) {
    return (float)(random_bits() >> 8) / (float)(1 << 24);
}

/* Random texels: bits, or for floats and halves numbers from 0 to 1. */
static void fill(char *bytes, size_t count, cl_channel_type type) {
    for (size_t i = 0; i + 4 <= count; i += 4) {
        cl_uint word = random_bits();
        const float number = fraction();
        if (type == CL_HALF_FLOAT)
            word &= 0x3bff3bff;
        if (type == CL_FLOAT)
            memcpy(&word, &number, sizeof word);
        memcpy(bytes + i, &word, sizeof word);
    }
}

static cl_mem make_image(cl_mem_object_type kind, cl_image_format format, cl_mem of) {
    char bytes[MAX_TEXEL * WIDTH * HEIGHT * DEPTH];
    cl_image_desc shape = {.image_type = kind, .image_width = of ? 8 : WIDTH};
    cl_int status;
    if (kind != CL_MEM_OBJECT_IMAGE1D && kind != CL_MEM_OBJECT_IMAGE1D_ARRAY && !of)
        shape.image_height = HEIGHT;
    if (kind == CL_MEM_OBJECT_IMAGE3D)
        shape.image_depth = DEPTH;
    if (kind == CL_MEM_OBJECT_IMAGE1D_ARRAY || kind == CL_MEM_OBJECT_IMAGE2D_ARRAY)
        shape.image_array_size = DEPTH;
    shape.buffer = of;
    fill(bytes, sizeof bytes, format.image_channel_data_type);
    cl_mem image =
        clCreateImage(context, CL_MEM_READ_WRITE | (of ? 0 : CL_MEM_COPY_HOST_PTR),
                      &format, &shape, of ? NULL : bytes, &status);
    check(status, "clCreateImage");
    return image;
}

/* Random numbers: floats from -0.5 to 1.5, or any bits. */
static cl_mem make_buffer(size_t words, int bits) {
    cl_uint *data = calloc(words, sizeof *data);
    cl_int status;
    for (size_t i = 0; data && i < words; i++) {
        const float number = 2.0f * fraction() - 0.5f;
        data[i] = random_bits();
        if (!bits)
            memcpy(&data[i], &number, sizeof number);
    }
    cl_mem buffer =
        clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4 * words, data, &status);
    check(status, "clCreateBuffer");
    free(data);
    return buffer;
}

static cl_sampler make_sampler(cl_bool normalized, cl_addressing_mode address,
                               cl_filter_mode filter) {
    cl_int status;
    cl_sampler sampler = clCreateSampler(context, normalized, address, filter, &status);
    check(status, "clCreateSampler");
    return sampler;
}

struct call {
    const char *kernel;
    const void *handles[8]; /* each to a cl_mem or a cl_sampler; NULL ends them */
};

static void launch_groups(struct call call, size_t width, size_t height,
                          const size_t local[2]) {
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, call.kernel, &status);
    const size_t global[2] = {width, height};
    check(status, call.kernel);
    for (cl_uint i = 0; i < 8 && call.handles[i]; i++)
        check(clSetKernelArg(kernel, i, sizeof(void *), call.handles[i]), call.kernel);
    check(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL),
          call.kernel);
    check(clFinish(queue), call.kernel);
    clReleaseKernel(kernel);
}

static void launch(struct call call, size_t width, size_t height) {
    launch_groups(call, width, height, (const size_t[]){width < 8 ? 1 : 8, 1});
}

static char letter_of(cl_channel_type type) {
    return type >= CL_SIGNED_INT8 && type <= CL_SIGNED_INT32       ? 'i'
           : type >= CL_UNSIGNED_INT8 && type <= CL_UNSIGNED_INT32 ? 'u'
                                                                   : 'f';
}

/* With two samplers, of which the first does not filter. */
static void try_format(cl_image_format format, cl_sampler *samplers, cl_mem at,
                       cl_mem out, cl_mem reals, cl_mem bits) {
    const char letter = letter_of(format.image_channel_data_type);
    cl_mem src = make_image(CL_MEM_OBJECT_IMAGE2D, format, NULL),
           to = make_image(CL_MEM_OBJECT_IMAGE2D, format, NULL);
    for (size_t s = 0; s < (letter == 'f' ? 2 : 1); s++)
        launch((struct call){letter == 'f'   ? "read_f"
                             : letter == 'i' ? "read_i"
                                             : "read_ui",
                             {&src, &samplers[s], &at, &out}},
               ITEMS, 1);
    launch((struct call){letter == 'f'   ? "write_f"
                         : letter == 'i' ? "write_i"
                                         : "write_ui",
                         {&to, letter == 'f' ? &reals : &bits}},
           WIDTH, HEIGHT);
    clReleaseMemObject(src);
    clReleaseMemObject(to);
}

/* PoCL 3 reads a lone half as a byte.  PoCL 6 has formats of two channels, of which
 * some give other results than ours; which of both is right is not found out yet. */
static bool is_tried(cl_image_format format) {
    char version[256] = "";
    cl_platform_id platform;
    clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
    clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version, version, NULL);
    if (format.image_channel_order == CL_RG && strstr(version, "PoCL 6"))
        return false;
    return format.image_channel_data_type != CL_HALF_FLOAT ||
           format.image_channel_order == CL_RGBA;
}

/* Each format with one of the modes, and floats once more with all of them. */
static void try_each(void) {
    static const cl_addressing_mode modes[] = {CL_ADDRESS_CLAMP_TO_EDGE,
                                               CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT,
                                               CL_ADDRESS_MIRRORED_REPEAT};
    cl_image_format formats[MAX_FORMATS];
    const cl_image_format rgba = {CL_RGBA, CL_FLOAT};
    cl_sampler samplers[8], unnormalized[4];
    cl_uint count = 0;
    for (int i = 0; i < 8; i++)
        samplers[i] = make_sampler(CL_TRUE, modes[i / 2],
                                   i % 2 ? CL_FILTER_LINEAR : CL_FILTER_NEAREST);
    for (int i = 0; i < 4; i++) /* PoCL 3 multiplies the layer's number, too */
        unnormalized[i] = make_sampler(CL_FALSE, modes[i / 2],
                                       i % 2 ? CL_FILTER_LINEAR : CL_FILTER_NEAREST);
    cl_mem at = make_buffer(2 * ITEMS, 0), out = make_buffer(12 * ITEMS, 0),
           reals = make_buffer(4 * WIDTH * HEIGHT, 0),
           bits = make_buffer(4 * WIDTH * HEIGHT, 1);
    clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D,
                               MAX_FORMATS, formats, &count);
    for (cl_uint f = 0; f < count; f++)
        if (is_tried(formats[f]))
            try_format(formats[f], &samplers[f % 4 * 2], at, out, reals, bits);
    for (int i = 0; i < 8; i += 2)
        try_format(rgba, &samplers[i], at, out, reals, bits);
    cl_mem line = make_image(CL_MEM_OBJECT_IMAGE1D, rgba, NULL),
           to = make_image(CL_MEM_OBJECT_IMAGE1D, rgba, NULL),
           flat = make_image(CL_MEM_OBJECT_IMAGE2D, rgba, NULL),
           solid = make_image(CL_MEM_OBJECT_IMAGE3D, rgba, NULL),
           layers = make_image(CL_MEM_OBJECT_IMAGE2D_ARRAY, rgba, NULL),
           others = make_image(CL_MEM_OBJECT_IMAGE2D_ARRAY, rgba, NULL),
           rows = make_image(CL_MEM_OBJECT_IMAGE1D_ARRAY, rgba, NULL),
           elements = make_image(CL_MEM_OBJECT_IMAGE1D_BUFFER, rgba, reals);
    for (int i = 0; i < 4; i++) {
        launch((struct call){"lines", {&line, &to, &samplers[i], &at, &out}}, WIDTH, 1);
        launch((struct call){"solids", {&solid, &samplers[i], &at, &out}}, ITEMS, 1);
        launch((struct call){"layers", {&layers, &others, &unnormalized[i], &at, &out}},
               ITEMS, 1);
        launch((struct call){"rows", {&rows, &unnormalized[i], &at, &out}}, ITEMS, 1);
    }
    launch((struct call){"elements", {&elements, &out}}, ITEMS, 1);
    launch((struct call){"asks", {&flat, &flat, &solid, &layers, &out}}, 1, 1);
}

static void try_named(char **names, int count) {
    const cl_image_format rgba = {CL_RGBA, CL_FLOAT};
    cl_mem src = make_image(CL_MEM_OBJECT_IMAGE2D, rgba, NULL),
           to = make_image(CL_MEM_OBJECT_IMAGE2D, rgba, NULL),
           out = make_buffer(4 * WIDTH * HEIGHT, 0);
    const cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = WIDTH,
                                 .image_height = HEIGHT};
    cl_int status;
    cl_mem new =
        clCreateImage(context, CL_MEM_HOST_NO_ACCESS, &rgba, &shape, NULL, &status);
    check(status, "clCreateImage");
    for (int i = 0; i < count; i++)
        launch_groups((struct call){names[i],
                                    {strcmp(names[i], "unwritten") == 0 ? &new : &src,
                                     &to, &out}},
                      WIDTH, HEIGHT, (const size_t[]){WIDTH, 2});
}

int main(int argc, char **argv) {
    if (argc < 2)
        check(-1, "no kernel file");
    open_device(argv[1]);
    if (argc == 2)
        try_each();
    else
        try_named(argv + 2, argc - 2);
    return 0;
}
