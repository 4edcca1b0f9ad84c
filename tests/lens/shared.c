/* shared: a list in shared virtual memory, whose nodes the host links and a kernel adds
 * up, so that a test can watch it
 *
 *     shared FILE.cl KERNEL MODE
 *
 * The kernel gets the lists' heads, their number and the sums, in this order.  MODE is
 *
 *     told     the host names the nodes, which the kernel reaches through pointers
 * alone untold   it does not later    it does, and between two launches the host links
 * other nodes
 *
 * Sums are checked: status 1 and a message if one is wrong. */
#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LISTS = 64, NODES = 3, BOTH = CL_MAP_READ | CL_MAP_WRITE };

struct node {
    cl_int value, unused;
    struct node *next;
};

struct head {
    struct node *first;
};

static void check(cl_int status, const char *what) {
    if (status != CL_SUCCESS) {
        fprintf(stderr, "error: %s: status %d\n", what, status);
        exit(2);
    }
}

static cl_program build(cl_context context, const char *path) {
    static char text[1 << 16];
    const char *source = text;
    FILE *file = fopen(path, "r");
    cl_int status = CL_INVALID_VALUE;
    if (!file || fread(text, 1, sizeof text - 1, file) == 0)
        check(status, path);
    fclose(file);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 0, NULL, "-cl-std=CL2.0", NULL, NULL), "build");
    return program;
}

/* Each list has NODES nodes, which lie LISTS apart, from `first` on. */
static void link(struct head *heads, struct node *nodes, int first) {
    for (int i = 0; i < LISTS; i++) {
        heads[i].first = &nodes[first + i];
        for (int n = 0; n < NODES; n++)
            nodes[first + i + n * LISTS] = (struct node){
                first + i, 0,
                n + 1 < NODES ? &nodes[first + i + (n + 1) * LISTS] : NULL};
    }
}

static int compare(const cl_int *sums, int first) {
    for (int i = 0; i < LISTS; i++)
        if (sums[i] != NODES * (first + i)) {
            fprintf(stderr, "error: sum %d is %d\n", i, sums[i]);
            return 1;
        }
    return 0;
}

int main(int argc, char **argv) {
    cl_platform_id platforms[16];
    cl_device_id device = NULL;
    cl_uint count = 0, lists = LISTS;
    cl_int status;
    const size_t items = LISTS;
    const int first = 2 * NODES; /* of the other nodes */
    if (argc != 4)
        check(CL_INVALID_VALUE, "shared FILE.cl KERNEL told|untold|later");
    clGetPlatformIDs(16, platforms, &count);
    for (cl_uint p = 0; p < count && p < 16 && !device; p++)
        clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    cl_program program = build(context, argv[1]);
    cl_kernel kernel = clCreateKernel(program, argv[2], &status);
    check(status, argv[2]);

    const size_t node_bytes = 2 * NODES * LISTS * sizeof(struct node),
                 head_bytes = LISTS * sizeof(struct head),
                 sum_bytes = LISTS * sizeof(cl_int);
    struct node *nodes = clSVMAlloc(context, CL_MEM_READ_WRITE, node_bytes, 0);
    struct head *heads = clSVMAlloc(context, CL_MEM_READ_WRITE, head_bytes, 0);
    cl_int *sums = clSVMAlloc(context, CL_MEM_READ_WRITE, sum_bytes, 0), found[LISTS];
    if (!nodes || !heads || !sums)
        check(CL_OUT_OF_RESOURCES, "clSVMAlloc");
    check(clEnqueueSVMMap(queue, CL_TRUE, BOTH, nodes, node_bytes, 0, NULL, NULL),
          "map");
    check(clEnqueueSVMMap(queue, CL_TRUE, BOTH, heads, head_bytes, 0, NULL, NULL),
          "map");
    link(heads, nodes, 0);
    check(clEnqueueSVMUnmap(queue, nodes, 0, NULL, NULL), "unmap");
    check(clEnqueueSVMUnmap(queue, heads, 0, NULL, NULL), "unmap");
    const cl_int nothing = -1;
    check(clEnqueueSVMMemFill(queue, sums, &nothing, sizeof nothing, sum_bytes, 0, NULL,
                              NULL),
          "fill");
    check(clSetKernelArgSVMPointer(kernel, 0, heads), "heads");
    check(clSetKernelArg(kernel, 1, sizeof lists, &lists), "number");
    check(clSetKernelArgSVMPointer(kernel, 2, sums), "sums");
    if (strcmp(argv[3], "untold") != 0)
        check(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof nodes,
                                  &nodes),
              "clSetKernelExecInfo");
    int wrong = 0;
    for (int round = 0; round < (strcmp(argv[3], "later") == 0 ? 2 : 1); round++) {
        if (round > 0)
            link(heads, nodes, first); /* of fine grain, or on a CPU: nothing to map */
        check(
            clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
            "launch");
        check(clEnqueueSVMMemcpy(queue, CL_TRUE, found, sums, sum_bytes, 0, NULL, NULL),
              "copy");
        wrong |= compare(found, round * first);
    }
    clReleaseKernel(kernel);
    clSVMFree(context, nodes);
    clSVMFree(context, heads);
    clSVMFree(context, sums);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return wrong;
}
