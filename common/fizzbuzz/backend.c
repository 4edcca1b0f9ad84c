#include "fizzbuzz/backend.h"
#include "check.h"

#include <stdio.h>

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Divides a CPU into parts that differ by one compute unit at most. */
static size_t divide(const struct device *cpu, size_t parts,
                     cl_device_id found[MAX_BACKENDS]) {
    cl_device_partition_property units[MAX_BACKENDS + 3] = {
        CL_DEVICE_PARTITION_BY_COUNTS};
    for (size_t i = 0; i < parts; i++)
        units[i + 1] = (cl_device_partition_property)((cpu->units + i) / parts);
    units[parts + 1] = CL_DEVICE_PARTITION_BY_COUNTS_LIST_END;
    cl_uint count = 0, most = 0;
    cl_int status = clGetDeviceInfo(cpu->id, CL_DEVICE_PARTITION_MAX_SUB_DEVICES,
                                    sizeof most, &most, NULL);
    if (status == CL_SUCCESS && most < parts) /* not asked: a driver may crash */
        status = CL_DEVICE_PARTITION_FAILED;
    if (status == CL_SUCCESS)
        status = clCreateSubDevices(cpu->id, units, MAX_BACKENDS, found, &count);
    if (status == CL_SUCCESS && count > 0)
        return count;
    fprintf(stderr, "this device cannot be divided: %s\n", status_name(status));
    found[0] = cpu->id;
    return 1;
}

static cl_int open_one(struct backend *backend, const struct options *options) {
    cl_int status;
    struct device *device = &backend->device;
    device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &status);
    if (status == CL_SUCCESS)
        backend->program = kernel_program(device, options);
    return status;
}

size_t backends_open(struct backend backends[MAX_BACKENDS],
                     const struct options *options, size_t parts) {
    cl_device_id devices[MAX_DEVICES], ids[MAX_BACKENDS];
    const cl_uint found = device_find(options->device, devices);
    size_t count = 0;
    if (parts == 0)
        parts = found == 1 ? 2 : 1;
    for (cl_uint i = 0; i < found && count < MAX_BACKENDS; i++) {
        const struct device device = device_info(devices[i]);
        size_t wanted = smaller(parts, MAX_BACKENDS - count);
        wanted = device.is_cpu ? smaller(wanted, device.units) : 1;
        ids[0] = device.id;
        if (wanted > 1)
            wanted = divide(&device, wanted, ids);
        for (size_t part = 0; part < wanted; part++)
            backends[count++] = (struct backend){.device = device_info(ids[part]),
                                                 .is_part = ids[part] != device.id};
    }
    for (size_t i = 0; i < count; i++)
        backends[i].status = open_one(&backends[i], options);
    return count;
}

/* A device that has failed may not be able to release what it has, either. */
void backends_close(struct backend *backends, size_t count) {
    for (struct backend *backend = backends; backend < backends + count; backend++) {
        if (backend->program)
            clReleaseProgram(backend->program);
        if (backend->device.context)
            clReleaseContext(backend->device.context);
        if (backend->is_part)
            clReleaseDevice(backend->device.id);
    }
}
