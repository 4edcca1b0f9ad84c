/* show: whether this device's driver has a known fault
 *
 *     show FILE.cl [BUILD_OPTION ...]     the files beside this one
 *
 * Launches the kernel `shows` in one group of 64 work-items, and prints the eight ints
 * that it leaves, or "not compiled".  The file's first lines say what is right, and
 * which drivers are known not to do it. */
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    static char text[1 << 16], build_options[1 << 12];
    const char *source = text;
    const size_t items = 64;
    cl_int left[8] = {0};
    cl_platform_id platform = NULL;
    cl_device_id device;
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (!file || fread(text, 1, sizeof text - 1, file) == 0)
        return 2;
    for (int i = 2; i < argc; i++)
        strcat(strcat(build_options, argv[i]), " ");
    clGetPlatformIDs(1, &platform, NULL);
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return 2;

    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    if (clBuildProgram(program, 1, &device, build_options, NULL, NULL) != CL_SUCCESS)
        return puts("not compiled") < 0;
    cl_kernel kernel = clCreateKernel(program, "shows", NULL);
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                sizeof left, left, NULL);
    clSetKernelArg(kernel, 0, sizeof out, &out);
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL);
    if (clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof left, left, 0, NULL, NULL))
        return 2;
    for (int i = 0; i < 8; i++)
        printf("%d%c", left[i], i < 7 ? ' ' : '\n');
    return 0;
}
