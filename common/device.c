#define _GNU_SOURCE /* strcasestr, _SC_PHYS_PAGES */
#include "device.h"

#include "buffer.h"
#include "check.h"
#include "data.h"
#include "driver/driver_cache.h"
#include "driver/driver_faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { MAX_PLATFORMS = 64 };

#define GET_INFO(id, what, answer)                                                     \
    CHECK(clGetDeviceInfo((id), (what), sizeof(answer), &(answer), NULL))

/* Texts are cut to fit: an over-long name is no reason to stop. */
static void get_text(cl_device_id id, cl_device_info what, char *text, size_t room) {
    char whole[4096] = "";
    CHECK(clGetDeviceInfo(id, what, sizeof whole, whole, NULL));
    snprintf(text, room, "%s", whole);
}

/* A platform may have no device, so all platforms are searched. */
static cl_uint devices_find(cl_device_id found[MAX_DEVICES]) {
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint platform_count = 0, count = 0;
    if (clGetPlatformIDs(MAX_PLATFORMS, platforms, &platform_count) != CL_SUCCESS)
        platform_count = 0;
    if (platform_count > MAX_PLATFORMS)
        platform_count = MAX_PLATFORMS;
    for (cl_uint p = 0; p < platform_count; p++) {
        cl_uint here = 0, room = MAX_DEVICES - count;
        driver_faults_avoid(platforms[p]);
        if (room > 0 && clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, room,
                                       found + count, &here) == CL_SUCCESS)
            count += here < room ? here : room;
    }
    for (cl_uint p = 0; p < platform_count && count == 0; p++) {
        char name[256] = "";
        clGetPlatformInfo(platforms[p], CL_PLATFORM_NAME, sizeof name, name, NULL);
        driver_cache_check(name);
    }
    return count;
}

bool device_has(cl_device_id id, const char *name) {
    char extensions[8192] = "";
    get_text(id, CL_DEVICE_EXTENSIONS, extensions, sizeof extensions);
    return strstr(extensions, name) != NULL;
}

/* With the extension, OpenCL C 1.2 has sub-groups.  Since OpenCL 3.0 a device may
 * report a number of sub-groups without the extension; then only OpenCL C 3.0 has them.
 */
static void find_sub_groups(struct device *device) {
    enum { MAX_NUM_SUB_GROUPS = 0x105C }; /* of OpenCL 2.1 and later */
    cl_uint max_sub_groups = 0;
    const bool extension = device_has(device->id, "cl_khr_subgroups");
    clGetDeviceInfo(device->id, MAX_NUM_SUB_GROUPS, sizeof max_sub_groups,
                    &max_sub_groups, NULL);
    device->has_sub_groups = extension || max_sub_groups > 0;
    device->standard = max_sub_groups > 0 && !extension ? "CL3.0" : "CL1.2";
}

static cl_uint compute_capability(cl_device_id id) {
    enum { MAJOR_NV = 0x4000, MINOR_NV = 0x4001 }; /* of cl_nv_device_attribute_query */
    cl_uint major = 0, minor = 0;
    if (!device_has(id, "cl_nv_device_attribute_query"))
        return 0;
    GET_INFO(id, MAJOR_NV, major);
    GET_INFO(id, MINOR_NV, minor);
    return 10 * major + minor;
}

/* LOCKSTEP_MAX_GROUP=100 shows how a step behaves on a device with smaller groups. */
static size_t find_max_group(cl_device_id id) {
    const char *text = getenv("LOCKSTEP_MAX_GROUP");
    const size_t wanted = text ? strtoul(text, NULL, 10) : 0;
    size_t offered;
    GET_INFO(id, CL_DEVICE_MAX_WORK_GROUP_SIZE, offered);
    if (text && (wanted == 0 || text[strspn(text, "0123456789")]))
        die("LOCKSTEP_MAX_GROUP cannot be '%s'" HINT
            "it is the largest number of work-items in a group, as in "
            "LOCKSTEP_MAX_GROUP=100",
            text);
    return text && wanted < offered ? wanted : offered;
}

struct device device_info(cl_device_id id) {
    struct device device = {.id = id};
    cl_platform_id platform;
    cl_device_type type;
    size_t tick_ns;
    get_text(id, CL_DEVICE_NAME, device.name, sizeof device.name);
    get_text(id, CL_DRIVER_VERSION, device.driver, sizeof device.driver);
    GET_INFO(id, CL_DEVICE_PLATFORM, platform);
    CHECK(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof device.platform,
                            device.platform, NULL));
    GET_INFO(id, CL_DEVICE_TYPE, type);
    GET_INFO(id, CL_DEVICE_MAX_COMPUTE_UNITS, device.units);
    device.max_group = find_max_group(id);
    GET_INFO(id, CL_DEVICE_GLOBAL_MEM_SIZE, device.memory);
    GET_INFO(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, device.largest);
    GET_INFO(id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, device.cache);
    GET_INFO(id, CL_DEVICE_PROFILING_TIMER_RESOLUTION, tick_ns);
    find_sub_groups(&device);
    device.compute_capability = compute_capability(id);
    device.is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    device.tick_ms = (double)tick_ns * 1e-6;
    return device;
}

static bool is_gpu(cl_device_id id) {
    cl_device_type type;
    GET_INFO(id, CL_DEVICE_TYPE, type);
    return (type & CL_DEVICE_TYPE_GPU) != 0;
}

static bool matches(cl_device_id id, cl_uint index, const char *choice) {
    const struct device device = device_info(id);
    char *end;
    const unsigned long number = strtoul(choice, &end, 10);
    if (end != choice && !*end)
        return number == index;
    if (strcasecmp(choice, "gpu") == 0)
        return is_gpu(id);
    if (strcasecmp(choice, "cpu") == 0)
        return device.is_cpu;
    return strcasestr(device.name, choice) || strcasestr(device.platform, choice);
}

static _Noreturn void die_listing(const char *choice, const cl_device_id *ids,
                                  cl_uint count) {
    char there[2048] = "";
    for (cl_uint i = 0; i < count; i++) {
        const size_t used = strlen(there);
        snprintf(there + used, sizeof there - used, "\n  there   %u  %s", i,
                 device_info(ids[i]).name);
    }
    die("no device matches '%s'%s" HINT
        "give a number, a part of a name, gpu or cpu; `make devices` shows them",
        choice, there);
}

cl_uint device_find(const char *choice, cl_device_id found[MAX_DEVICES]) {
    cl_device_id ids[MAX_DEVICES];
    const cl_uint count = devices_find(ids);
    if (count == 0)
        die("no OpenCL device on this machine" HINT
            "`make doctor` finds what is missing; PoCL turns any CPU into a device");
    cl_uint matching = 0;
    for (cl_uint i = 0; i < count; i++)
        if (!choice || matches(ids[i], i, choice))
            found[matching++] = ids[i];
    if (matching == 0)
        die_listing(choice, ids, count);
    return matching;
}

cl_uint device_choices(const char *choice, cl_device_id found[MAX_DEVICES]) {
    const cl_uint count = device_find(choice, found);
    cl_uint gpus = 0;
    for (cl_uint i = 0; i < count && !choice; i++)
        if (is_gpu(found[i]))
            found[gpus++] = found[i];
    return gpus > 0 ? gpus : count;
}

struct device device_open(const char *choice) {
    return device_open_number(choice, 0);
}

struct device device_open_number(const char *choice, size_t number) {
    cl_device_id found[MAX_DEVICES];
    const cl_uint count = device_choices(choice, found);

    struct device device = device_info(found[number % count]);
    cl_int status;
    device.context = clCreateContext(NULL, 1, &device.id, NULL, NULL, &status);
    check_status(status, "clCreateContext");
    device.queue = clCreateCommandQueue(device.context, device.id,
                                        CL_QUEUE_PROFILING_ENABLE, &status);
    check_status(status, "clCreateCommandQueue");
    return device;
}

cl_command_queue device_queue(struct device *device, bool out_of_order) {
    cl_command_queue_properties wanted = CL_QUEUE_PROFILING_ENABLE, offered;
    if (out_of_order)
        wanted |= CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    GET_INFO(device->id, CL_DEVICE_QUEUE_PROPERTIES, offered);
    if (out_of_order && !(offered & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
        return NULL;
    cl_int status;
    cl_command_queue queue =
        clCreateCommandQueue(device->context, device->id, wanted, &status);
    check_status(status, "clCreateCommandQueue");
    return *GROW(device->queues, device->queue_count) = queue;
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
    free(device->queues);
    free(device->pinned);
    free(device->kernels);
    free(device->buffers);
    CHECK(clReleaseCommandQueue(device->queue));
    CHECK(clReleaseContext(device->context));
}

void device_show(const struct device *device) {
    cl_uint mhz, width;
    cl_ulong local;
    char version[256];
    GET_INFO(device->id, CL_DEVICE_MAX_CLOCK_FREQUENCY, mhz);
    GET_INFO(device->id, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, width);
    GET_INFO(device->id, CL_DEVICE_LOCAL_MEM_SIZE, local);
    get_text(device->id, CL_DEVICE_VERSION, version, sizeof version);
    const double kib = 1 << 10, mib = 1 << 20;
    printf("device          %s (%s)\n", device->name, device->is_cpu ? "CPU" : "GPU");
    printf("platform        %s, driver %s\n", device->platform, device->driver);
    printf("version         %s\n", version);
    printf("compute units   %u, at most %u MHz\n", device->units, mhz);
    printf("work-group      at most %zu work-items, %.0f KiB of local memory\n",
           device->max_group, (double)local / kib);
    printf("memory          %.0f MiB, one buffer at most %.0f MiB, cache %.1f MiB\n",
           (double)device->memory / mib, (double)device->largest / mib,
           (double)device->cache / mib);
    printf("float vectors   %u elements\n", width);
    printf("clock           ticks every %.0f ns\n", device->tick_ms * 1e6);
    struct driver_fault fault;
    if (driver_fault_find(device->id, &fault))
        printf("known fault     %s\navoided by      %s\n", fault.what, fault.setting);
    puts("");
}

void device_list(void) {
    cl_device_id ids[MAX_DEVICES];
    const cl_uint count = devices_find(ids);
    if (count == 0)
        device_open(NULL); /* ends with the hint on what to do */
    printf("%5s  %-34s %-5s %-22s %5s %9s  %s\n", "index", "name", "type", "driver",
           "units", "memory", "sub-groups");
    for (cl_uint i = 0; i < count; i++) {
        const struct device device = device_info(ids[i]);
        printf("%5u  %-34s %-5s %-22s %5u %5.1f GiB  %s\n", i, device.name,
               device.is_cpu ? "cpu" : (is_gpu(ids[i]) ? "gpu" : "other"),
               device.driver, device.units, (double)device.memory / (1 << 30),
               device.has_sub_groups ? "yes" : "no");
    }
}

/* The buffers of a CPU device lie in the host's memory, where the host's own copies
 * are, too.  Kernels count elements in 32 bits, with room for sums that go beyond the
 * end. */
size_t device_capacity(const struct device *device, size_t buffers, size_t bytes) {
    const size_t max_elements = (size_t)1 << 30;
    const size_t host =
        (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE) / 2;
    const size_t memory = device->is_cpu ? device->memory / 2 : device->memory / 10 * 9;
    size_t room = (memory < host ? memory : host) / buffers;
    if (room > device->largest)
        room = device->largest;
    room = (room - 2 * GUARD_BYTES) / bytes;
    return room < max_elements ? room : max_elements;
}

cl_uint device_check_size(const struct device *device, size_t size, size_t buffers,
                          size_t bytes) {
    const size_t room = device_capacity(device, buffers, bytes);
    if (size > room)
        die("%zu elements are too many for %s" HINT "at most %zu fit: try --size %zu",
            size, device->name, room, room);
    return (cl_uint)size;
}
