#define _GNU_SOURCE /* strcasestr, _SC_PHYS_PAGES */
#include "device.h"

#include "buffer.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { MOST = MOST_DEVICES }; /* platforms, too */

#define ASK(id, what, answer)                                                          \
    CHECK(clGetDeviceInfo((id), (what), sizeof(answer), &(answer), NULL))

/* Texts are cut to fit: an over-long name is no reason to stop. */
static void ask_text(cl_device_id id, cl_device_info what, char *text, size_t room) {
    char whole[4096] = "";
    CHECK(clGetDeviceInfo(id, what, sizeof whole, whole, NULL));
    snprintf(text, room, "%s", whole);
}

/* A platform may well have no device, so every platform is asked. */
static cl_uint devices_find(cl_device_id found[MOST]) {
    cl_platform_id platforms[MOST];
    cl_uint platform_count = 0, count = 0;
    if (clGetPlatformIDs(MOST, platforms, &platform_count) != CL_SUCCESS)
        platform_count = 0;
    for (cl_uint p = 0; p < platform_count && p < MOST && count < MOST; p++) {
        cl_uint here = 0, room = MOST - count;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, room, found + count,
                           &here) == CL_SUCCESS)
            count += here < room ? here : room;
    }
    return count;
}

static bool has_extension(cl_device_id id, const char *name) {
    char extensions[8192] = "";
    ask_text(id, CL_DEVICE_EXTENSIONS, extensions, sizeof extensions);
    return strstr(extensions, name) != NULL;
}

/* With the extension, OpenCL C 1.2 has sub-groups; from OpenCL 3.0 on a count may stand
 * alone, and then only OpenCL C 3.0 has them. */
static void find_sub_groups(struct device *device) {
    enum { MAX_NUM_SUB_GROUPS = 0x105C }; /* of OpenCL 2.1 and later */
    cl_uint most = 0;
    const bool extension = has_extension(device->id, "cl_khr_subgroups");
    clGetDeviceInfo(device->id, MAX_NUM_SUB_GROUPS, sizeof most, &most, NULL);
    device->has_sub_groups = extension || most > 0;
    device->standard = most > 0 && !extension ? "CL3.0" : "CL1.2";
}

static cl_uint compute_capability(cl_device_id id) {
    enum { MAJOR_NV = 0x4000, MINOR_NV = 0x4001 }; /* of cl_nv_device_attribute_query */
    cl_uint major = 0, minor = 0;
    if (!has_extension(id, "cl_nv_device_attribute_query"))
        return 0;
    ASK(id, MAJOR_NV, major);
    ASK(id, MINOR_NV, minor);
    return 10 * major + minor;
}

/* LOCKSTEP_GROUP_MOST=100 shows how a step does with smaller groups. */
static size_t group_most(cl_device_id id) {
    const char *asked = getenv("LOCKSTEP_GROUP_MOST");
    const size_t wanted = asked ? strtoul(asked, NULL, 10) : 0;
    size_t most;
    ASK(id, CL_DEVICE_MAX_WORK_GROUP_SIZE, most);
    if (asked && (wanted == 0 || asked[strspn(asked, "0123456789")]))
        die("LOCKSTEP_GROUP_MOST cannot be '%s'" HINT
            "it is how many work-items a group may have, as in "
            "LOCKSTEP_GROUP_MOST=100",
            asked);
    return asked && wanted < most ? wanted : most;
}

struct device device_about(cl_device_id id) {
    struct device device = {.id = id};
    cl_platform_id platform;
    cl_device_type type;
    size_t tick_ns;
    ask_text(id, CL_DEVICE_NAME, device.name, sizeof device.name);
    ask_text(id, CL_DRIVER_VERSION, device.driver, sizeof device.driver);
    ASK(id, CL_DEVICE_PLATFORM, platform);
    CHECK(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof device.platform,
                            device.platform, NULL));
    ASK(id, CL_DEVICE_TYPE, type);
    ASK(id, CL_DEVICE_MAX_COMPUTE_UNITS, device.units);
    device.group_most = group_most(id);
    ASK(id, CL_DEVICE_GLOBAL_MEM_SIZE, device.memory);
    ASK(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, device.largest);
    ASK(id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, device.cache);
    ASK(id, CL_DEVICE_PROFILING_TIMER_RESOLUTION, tick_ns);
    find_sub_groups(&device);
    device.compute_capability = compute_capability(id);
    device.is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    device.tick_ms = (double)tick_ns * 1e-6;
    return device;
}

static bool is_gpu(cl_device_id id) {
    cl_device_type type;
    ASK(id, CL_DEVICE_TYPE, type);
    return (type & CL_DEVICE_TYPE_GPU) != 0;
}

static bool matches(cl_device_id id, cl_uint index, const char *wish) {
    const struct device device = device_about(id);
    char *end;
    const unsigned long number = strtoul(wish, &end, 10);
    if (end != wish && !*end)
        return number == index;
    if (strcasecmp(wish, "gpu") == 0)
        return is_gpu(id);
    if (strcasecmp(wish, "cpu") == 0)
        return device.is_cpu;
    return strcasestr(device.name, wish) || strcasestr(device.platform, wish);
}

static _Noreturn void die_listing(const char *wish, const cl_device_id *ids,
                                  cl_uint count) {
    char there[2048] = "";
    for (cl_uint i = 0; i < count; i++) {
        const size_t used = strlen(there);
        snprintf(there + used, sizeof there - used, "\n  there   %u  %s", i,
                 device_about(ids[i]).name);
    }
    die("no device matches '%s'%s" HINT
        "give a number, a part of a name, gpu or cpu; `make devices` tells more",
        wish, there);
}

cl_uint device_find(const char *wish, cl_device_id found[MOST_DEVICES]) {
    cl_device_id ids[MOST];
    const cl_uint count = devices_find(ids);
    if (count == 0)
        die("no OpenCL device on this machine" HINT
            "`make doctor` finds out what is missing; PoCL makes a device of any CPU");
    cl_uint matching = 0;
    for (cl_uint i = 0; i < count; i++)
        if (!wish || matches(ids[i], i, wish))
            found[matching++] = ids[i];
    if (matching == 0)
        die_listing(wish, ids, count);
    return matching;
}

struct device device_open(const char *wish) {
    cl_device_id found[MOST_DEVICES];
    const cl_uint count = device_find(wish, found);
    cl_device_id chosen = found[0];
    for (cl_uint i = count; i-- > 0 && !wish;) /* backwards: the first GPU stays */
        if (is_gpu(found[i]))
            chosen = found[i];

    struct device device = device_about(chosen);
    cl_int status;
    device.context = clCreateContext(NULL, 1, &device.id, NULL, NULL, &status);
    check_status(status, "clCreateContext");
    device.queue = clCreateCommandQueue(device.context, device.id,
                                        CL_QUEUE_PROFILING_ENABLE, &status);
    check_status(status, "clCreateCommandQueue");
    return device;
}

cl_command_queue device_queue(struct device *device, bool out_of_order) {
    if (device->queue_count == sizeof device->queues / sizeof *device->queues)
        die("too many queues" HINT "raise the array in common/device.h");
    cl_command_queue_properties wanted = CL_QUEUE_PROFILING_ENABLE, offered;
    if (out_of_order)
        wanted |= CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    ASK(device->id, CL_DEVICE_QUEUE_PROPERTIES, offered);
    if (out_of_order && !(offered & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
        return NULL;
    cl_int status;
    cl_command_queue queue =
        clCreateCommandQueue(device->context, device->id, wanted, &status);
    check_status(status, "clCreateCommandQueue");
    return device->queues[device->queue_count++] = queue;
}

void device_close(struct device *device) {
    CHECK(clFinish(device->queue));
    while (device->queue_count > 0) {
        CHECK(clFinish(device->queues[--device->queue_count]));
        CHECK(clReleaseCommandQueue(device->queues[device->queue_count]));
    }
    while (device->pinned_count > 0) {
        const struct pinned pinned = device->pinned[--device->pinned_count];
        CHECK(clEnqueueUnmapMemObject(device->queue, pinned.buffer, pinned.mapped, 0,
                                      NULL, NULL));
        CHECK(clReleaseMemObject(pinned.buffer));
    }
    while (device->kernel_count > 0)
        CHECK(clReleaseKernel(device->kernels[--device->kernel_count]));
    if (device->program)
        CHECK(clReleaseProgram(device->program));
    while (device->buffer_count > 0) {
        const struct guarded buffer = device->buffers[--device->buffer_count];
        CHECK(clReleaseMemObject(buffer.middle));
        CHECK(clReleaseMemObject(buffer.whole));
    }
    CHECK(clReleaseCommandQueue(device->queue));
    CHECK(clReleaseContext(device->context));
}

void device_list(void) {
    cl_device_id ids[MOST];
    const cl_uint count = devices_find(ids);
    if (count == 0)
        device_open(NULL); /* says what to do */
    printf("%5s  %-34s %-5s %-22s %5s %9s  %s\n", "index", "name", "type", "driver",
           "units", "memory", "sub-groups");
    for (cl_uint i = 0; i < count; i++) {
        const struct device device = device_about(ids[i]);
        printf("%5u  %-34s %-5s %-22s %5u %5.1f GiB  %s\n", i, device.name,
               device.is_cpu ? "cpu" : (is_gpu(ids[i]) ? "gpu" : "other"),
               device.driver, device.units, (double)device.memory / (1 << 30),
               device.has_sub_groups ? "yes" : "no");
    }
}

/* A CPU device takes its buffers from the host's memory, where the host's own copies
 * are too; kernels count elements in 32 bits, and add a little without overflow. */
size_t device_room(const struct device *device, size_t buffers, size_t bytes) {
    const size_t most_elements = (size_t)1 << 30;
    const size_t host =
        (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE) / 2;
    const size_t memory = device->is_cpu ? device->memory / 2 : device->memory / 10 * 9;
    size_t room = (memory < host ? memory : host) / buffers;
    if (room > device->largest)
        room = device->largest;
    room = (room - 2 * GUARD_BYTES) / bytes;
    return room < most_elements ? room : most_elements;
}

cl_uint device_fits(const struct device *device, size_t size, size_t buffers,
                    size_t bytes) {
    const size_t room = device_room(device, buffers, bytes);
    if (size > room)
        die("%zu elements are too many for %s" HINT "at most %zu fit: try --size %zu",
            size, device->name, room, room);
    return (cl_uint)size;
}
