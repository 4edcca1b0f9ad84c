/* Two things that Mesa's llvmpipe does with right programs (rusticl, Mesa 22.3.6):
 *
 *     cc tests/llvmpipe.c -o llvmpipe -lOpenCL && RUSTICL_ENABLE=llvmpipe ./llvmpipe
 *     70000 rounds: 65535
 *     clFinish: 70000
 *     clFlush, clFinish: 0
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

int main(void) {
    enum { N = 1 << 20, ROUNDS = 70000 };
    static cl_uint counts[N];
    const char *text = "kernel void count(global uint *n, uint m) {"
                       "    for (uint i = 0; i < m; i++) if (*n == i) *n = i + 1; }"
                       "kernel void store(global uint *n, uint m) {"
                       "    n[get_global_id(0)] = m; }";
    const char *names[] = {"70000 rounds", "clFinish", "clFlush, clFinish"};
    const cl_uint rounds = ROUNDS;
    const size_t items[] = {1, N, N}, group[] = {1, 64, 64};
    cl_platform_id platform;
    cl_device_id device;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    clBuildProgram(program, 1, &device, NULL, NULL, NULL);
    for (int i = 0; i < 3; i++) {
        for (int word = 0; word < N; word++)
            counts[word] = 0;
        cl_kernel kernel = clCreateKernel(program, i == 0 ? "count" : "store", NULL);
        cl_mem buffer =
            clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof counts, counts, NULL);
        clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
        clSetKernelArg(kernel, 1, sizeof rounds, &rounds);
        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items[i], &group[i], 0, NULL,
                               NULL);
        clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, sizeof counts, counts, 0, NULL,
                            NULL);
        if (i == 2)
            clFlush(queue);
        clFinish(queue);
        printf("%s: %u\n", names[i], counts[i == 0 ? 0 : N - 1]);
        clFinish(queue);
    }
    return 0;
}
