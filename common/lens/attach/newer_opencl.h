/* newer_opencl: calls of OpenCL 2.0 and later, while our headers declare those of 1.2.
 */
#ifndef NEWER_OPENCL_H
#define NEWER_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

cl_command_queue clCreateCommandQueueWithProperties(cl_context context,
                                                    cl_device_id device,
                                                    const cl_ulong *properties,
                                                    cl_int *status);
cl_kernel clCloneKernel(cl_kernel kernel, cl_int *status);
void *clSVMAlloc(cl_context context, cl_bitfield flags, size_t bytes,
                 cl_uint alignment);
void clSVMFree(cl_context context, void *memory);
cl_int clEnqueueSVMFree(cl_command_queue queue, cl_uint count, void *memory[],
                        void(CL_CALLBACK *with)(cl_command_queue, cl_uint, void *[],
                                                void *),
                        void *data, cl_uint wait_count, const cl_event *waits,
                        cl_event *event);
cl_int clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking, cl_bitfield flags,
                       void *memory, size_t bytes, cl_uint wait_count,
                       const cl_event *waits, cl_event *event);
cl_int clEnqueueSVMUnmap(cl_command_queue queue, void *memory, cl_uint wait_count,
                         const cl_event *waits, cl_event *event);
cl_int clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking, void *to,
                          const void *from, size_t bytes, cl_uint wait_count,
                          const cl_event *waits, cl_event *event);
cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void *pointer);
cl_int clSetKernelExecInfo(cl_kernel kernel, cl_uint name, size_t bytes,
                           const void *value);

#endif
