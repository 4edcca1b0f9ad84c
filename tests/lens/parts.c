/* parts: launches a kernel that came about in some other way than by clCreateKernel of
 * a program built from source, or that waits for the program, so that a test can see
 * what the lens says: parts linked|unlike|binary|cloned|beside|behind|after [KERNEL]
 *
 *   linked   of two parts, each compiled with a header     unlike  with other options
 *   cloned   by clCloneKernel, with its arguments          binary  from a binary
 *   beside   while a user event is open, in no one's way   behind  waiting for it
 *   after    beside, but behind a launch that waits for it */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cl_kernel clCloneKernel(cl_kernel kernel, cl_int *status); /* of OpenCL 2.1 */

enum { CANNOT_RUN = 2, ITEMS = 64, MAX_BYTES = 1 << 20 };

static const char header[] = "#ifndef HEADER\n#define HEADER\n"
                             "int next(int i);\n#endif\n";
static const char kernels[] =
    "#include \"next.h\"\n"
    "kernel void shifted(global const float *in, global float *out) {\n"
    "    out[get_global_id(0)] = in[next(get_global_id(0))];\n"
    "}\n"
    "kernel void racy(global const float *in, global float *out) {\n"
    "    out[0] = in[next(get_global_id(0))] + get_global_id(0);\n"
    "}\n";
static const char function[] = "#include <next.h>\n"
                               "int next(int i) { return (i + 1) % 64; }\n";

static cl_context context;
static cl_device_id device;

static void check(cl_int status) {
    if (status != CL_SUCCESS) {
        fprintf(stderr, "error: status %d\n  hint    is there a device?\n", status);
        exit(CANNOT_RUN);
    }
}

static cl_program program_of(const char *text) {
    cl_int status;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    check(status);
    return program;
}

static cl_program compiled(const char *text, const char *options) {
    const char *name = "next.h";
    cl_program included = program_of(header), program = program_of(text);
    check(clCompileProgram(program, 1, &device, options, 1, &included, &name, NULL,
                           NULL));
    return program;
}

static cl_program linked(const char *options) {
    cl_int status;
    cl_program parts[] = {compiled(kernels, ""), compiled(function, options)};
    cl_program whole =
        clLinkProgram(context, 1, &device, "", 2, parts, NULL, NULL, &status);
    check(status);
    return whole;
}

static cl_program built(void) {
    static char text[MAX_BYTES];
    snprintf(text, sizeof text, "%s%s", function + strlen("#include <next.h>\n"),
             kernels + strlen("#include \"next.h\"\n"));
    cl_program program = program_of(text);
    check(clBuildProgram(program, 1, &device, "", NULL, NULL));
    return program;
}

static cl_program from_binary(void) {
    cl_int status;
    size_t bytes = 0;
    cl_program program = built();
    check(
        clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    unsigned char *binary = malloc(bytes);
    check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    const unsigned char *whole = binary;
    program =
        clCreateProgramWithBinary(context, 1, &device, &bytes, &whole, NULL, &status);
    check(status);
    check(clBuildProgram(program, 1, &device, "", NULL, NULL));
    return program;
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "linked";
    const char *name = argc > 2 ? argv[2] : "shifted";
    const size_t items = ITEMS;
    float numbers[ITEMS] = {0};
    cl_platform_id platform;
    cl_int status;
    cl_event gate = NULL;
    check(clGetPlatformIDs(1, &platform, NULL));
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status);
    cl_program program = strcmp(way, "linked") == 0   ? linked("")
                         : strcmp(way, "unlike") == 0 ? linked("-DUNLIKE")
                         : strcmp(way, "binary") == 0 ? from_binary()
                                                      : built();
    cl_kernel kernel = clCreateKernel(program, name, &status);
    check(status);
    for (cl_uint i = 0; i < 2; i++) {
        cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers,
                                       numbers, &status);
        check(status);
        check(clSetKernelArg(kernel, i, sizeof buffer, &buffer));
    }
    if (strcmp(way, "cloned") == 0)
        kernel = clCloneKernel(kernel, &status);
    check(status);
    if (strcmp(way, "beside") == 0 || strcmp(way, "behind") == 0 ||
        strcmp(way, "after") == 0)
        gate = clCreateUserEvent(context, &status);
    check(status);
    if (strcmp(way, "after") == 0)
        check(clEnqueueMarkerWithWaitList(queue, 1, &gate, NULL));
    const cl_uint waits = strcmp(way, "behind") == 0;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, waits,
                                 waits ? &gate : NULL, NULL));
    if (gate)
        check(clSetUserEventStatus(gate, CL_COMPLETE));
    check(clFinish(queue));
    return 0;
}
