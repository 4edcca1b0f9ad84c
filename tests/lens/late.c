/* late: finds OpenCL only when it runs, as hashcat and darktable do: late FILE.cl
 * KERNEL launches the kernel once, for two buffers of 64 floats, with 64 items in one
 * group. */
#define _POSIX_C_SOURCE 200809L
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>

enum { ITEMS = 64, MAX_BYTES = 1 << 16 };

/* CALL(clFinish)(queue) calls what is found by that name. */
#define CALL(name) (*(__typeof__(&name) *)find(#name))
static void *found, *library;
static void *find(const char *name) {
    found = dlsym(library, name);
    return &found;
}

int main(int argc, char **argv) {
    static char text[MAX_BYTES];
    const char *source = text;
    float numbers[ITEMS] = {0};
    const size_t items = ITEMS;
    cl_platform_id platform;
    cl_device_id device;
    FILE *file = argc == 3 ? fopen(argv[1], "r") : NULL;
    library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!file || !library || fread(text, 1, sizeof text - 1, file) == 0)
        return 2;
    CALL(clGetPlatformIDs)(1, &platform, NULL);
    CALL(clGetDeviceIDs)(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = CALL(clCreateContext)(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = CALL(clCreateCommandQueue)(context, device, 0, NULL);
    cl_program program =
        CALL(clCreateProgramWithSource)(context, 1, &source, NULL, NULL);
    CALL(clBuildProgram)(program, 1, &device, "", NULL, NULL);
    cl_kernel kernel = CALL(clCreateKernel)(program, argv[2], NULL);
    for (cl_uint i = 0; i < 2; i++) {
        cl_mem buffer = CALL(clCreateBuffer)(context, CL_MEM_COPY_HOST_PTR,
                                             sizeof numbers, numbers, NULL);
        CALL(clSetKernelArg)(kernel, i, sizeof buffer, &buffer);
    }
    CALL(clEnqueueNDRangeKernel)
    (queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL);
    return CALL(clFinish)(queue) == CL_SUCCESS ? 0 : 1;
}
