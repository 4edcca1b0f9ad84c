/* device: choose a device, open a queue to it, and own what is made for it. */
#ifndef DEVICE_H
#define DEVICE_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

struct device {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue; /* in order, with profiling */

    char name[128], platform[128], driver[128];
    bool is_cpu, has_sub_groups;
    const char *standard;       /* of OpenCL C: "CL1.2", and see device_open() */
    cl_uint compute_capability; /* NVIDIA's; 90 is 9.0, 0 is another maker's device */
    cl_uint units;              /* compute units */
    size_t max_group;           /* work-items in one work-group, at most */
    cl_ulong memory, largest;   /* bytes in all, and in one buffer */
    cl_ulong cache;             /* bytes of the cache that the device reports */
    double tick_ms;             /* resolution of its clock */
    bool warm;                  /* has it been kept busy long enough to clock up? */

    /* What buffer_*(), kernel_load() and device_queue() make, in arrays that grow;
     * device_close() releases all of it. */
    struct guarded {
        cl_mem whole, middle; /* `middle` is what kernels see; see buffer.h */
    } * buffers;
    cl_kernel *kernels;
    struct pinned {
        cl_mem buffer;
        void *mapped;
    } * pinned;
    cl_command_queue *queues;
    size_t buffer_count, kernel_count, pinned_count, queue_count;
    cl_program program; /* what the step's kernel file was compiled to */
};

/* Opens the device that `choice` names: by its number in device_list(), by "gpu" or
 * "cpu", or by a part of its name or of its platform's.  NULL means the first GPU, or
 * the first device if there is no GPU.  No such device is an error that names those
 * there are.
 * Kernels are OpenCL C 1.2, except where only OpenCL C 3.0 has sub-groups. */
struct device device_open(const char *choice);

/* All devices that `choice` names, of every platform, in the order of device_list();
 * NULL means all of them.  Returns how many; none at all is an error, as above. */
enum { MAX_DEVICES = 64 };
cl_uint device_find(const char *choice, cl_device_id found[MAX_DEVICES]);

/* The devices that device_open() chooses the first of: those that `choice` names; NULL
 * means all GPUs, or all devices if there is no GPU.  Returns how many; none at all is
 * an error, as above. */
cl_uint device_choices(const char *choice, cl_device_id found[MAX_DEVICES]);

/* Opens number 0, 1 ... of these; after the last one they are counted from 0 again. */
struct device device_open_number(const char *choice, size_t number);

/* The properties of a device (or of a sub-device), which is not opened. */
struct device device_info(cl_device_id id);

/* Does the device offer this extension of OpenCL, such as "cl_khr_fp64"? */
bool device_has(cl_device_id id, const char *name);

/* Waits for the device, and releases everything made for it. */
void device_close(struct device *device);

/* One more queue, with profiling, in order or out of order; device_close() releases it.
 * NULL where the device has no queue that is out of order. */
cl_command_queue device_queue(struct device *device, bool out_of_order);

/* Prints the properties of a device, a line for each. */
void device_show(const struct device *device);

/* Prints every device of every platform, one line each, with its number. */
void device_list(void);

/* Checks that `buffers` buffers of `size` elements of `bytes` bytes each fit the device
 * and the host, and returns `size` as a kernel's argument; otherwise an error that says
 * how many would fit. */
cl_uint device_check_size(const struct device *device, size_t size, size_t buffers,
                          size_t bytes);

/* The largest size that passes this check. */
size_t device_capacity(const struct device *device, size_t buffers, size_t bytes);

#endif
