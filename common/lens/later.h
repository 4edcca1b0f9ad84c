/* later: calls of OpenCL 2.0 and later, while our headers declare those of 1.2. */
#ifndef LATER_H
#define LATER_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

cl_command_queue clCreateCommandQueueWithProperties(cl_context context,
                                                    cl_device_id device,
                                                    const cl_ulong *properties,
                                                    cl_int *status);
cl_kernel clCloneKernel(cl_kernel kernel, cl_int *status);
cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void *pointer);
cl_int clSetKernelExecInfo(cl_kernel kernel, cl_uint name, size_t bytes,
                           const void *value);

#endif
