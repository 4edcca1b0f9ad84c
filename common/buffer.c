#include "buffer.h"

#include "check.h"
#include "poison.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t size_of(cl_mem buffer) {
    size_t bytes;
    CHECK(clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, NULL));
    return bytes;
}

static void poison(cl_uint *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        words[i] = POISON;
}

/* It is written, since not every driver's fill command reaches beyond 2 GiB. */
static void fill_with_poison(struct device *device, cl_mem buffer, size_t first,
                             size_t bytes) {
    static cl_uint words[1 << 18];
    poison(words, sizeof words / sizeof *words);
    for (size_t done = 0; done < bytes; done += sizeof words) {
        const size_t left = bytes - done,
                     piece = left < sizeof words ? left : sizeof words;
        CHECK(clEnqueueWriteBuffer(device->queue, buffer, CL_TRUE, first + done, piece,
                                   words, 0, NULL, NULL));
    }
}

/* A guarded buffer whose middle is not written yet. */
static cl_mem make(struct device *device, size_t bytes) {
    if (device->buffer_count == sizeof device->buffers / sizeof *device->buffers)
        die("too many buffers" HINT "raise the array in common/device.h");
    cl_int status;
    struct guarded buffer;
    buffer.whole = clCreateBuffer(device->context, CL_MEM_READ_WRITE,
                                  bytes + 2 * GUARD_BYTES, NULL, &status);
    check_status(status, "clCreateBuffer");
    buffer.middle = clCreateSubBuffer(
        buffer.whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
        &(cl_buffer_region){.origin = GUARD_BYTES, .size = bytes}, &status);
    check_status(status, "clCreateSubBuffer");
    fill_with_poison(device, buffer.whole, 0, GUARD_BYTES);
    fill_with_poison(device, buffer.whole, GUARD_BYTES + bytes, GUARD_BYTES);
    device->buffers[device->buffer_count++] = buffer;
    return buffer.middle;
}

cl_mem buffer_new(struct device *device, size_t bytes) {
    cl_mem buffer = make(device, bytes);
    buffer_poison(device, buffer);
    return buffer;
}

cl_mem buffer_from(struct device *device, const void *data, size_t bytes) {
    cl_mem buffer = make(device, bytes);
    buffer_write(device, buffer, data, bytes);
    return buffer;
}

void *buffer_pinned(struct device *device, size_t bytes) {
    if (device->pinned_count == sizeof device->pinned / sizeof *device->pinned)
        die("too much pinned memory" HINT "raise the array in common/device.h");
    cl_int status;
    struct pinned pinned;
    pinned.buffer =
        clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                       bytes, NULL, &status);
    check_status(status, "clCreateBuffer with CL_MEM_ALLOC_HOST_PTR");
    pinned.mapped = clEnqueueMapBuffer(device->queue, pinned.buffer, CL_TRUE,
                                       CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL,
                                       NULL, &status);
    check_status(status, "clEnqueueMapBuffer");
    device->pinned[device->pinned_count++] = pinned;
    return pinned.mapped;
}

void buffer_write(struct device *device, cl_mem buffer, const void *data,
                  size_t bytes) {
    CHECK(clEnqueueWriteBuffer(device->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL,
                               NULL));
}

void buffer_poison(struct device *device, cl_mem buffer) {
    fill_with_poison(device, buffer, 0, size_of(buffer));
}

static void check_guard(struct device *device, cl_mem whole, size_t first,
                        const char *side) {
    static cl_uint found[GUARD_BYTES / 4], words[GUARD_BYTES / 4];
    poison(words, GUARD_BYTES / 4);
    CHECK(clEnqueueReadBuffer(device->queue, whole, CL_TRUE, first, sizeof found, found,
                              0, NULL, NULL));
    if (memcmp(found, words, sizeof words) == 0)
        return;
    fflush(stdout);
    fprintf(stderr,
            "error: a kernel wrote %s a buffer of %zu bytes" HINT
            "compare its index with the number of elements\n",
            side, size_of(whole) - 2 * GUARD_BYTES);
    exit(WRONG);
}

void buffer_read(struct device *device, cl_mem buffer, void *data, size_t bytes) {
    CHECK(clEnqueueReadBuffer(device->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL,
                              NULL));
    for (size_t i = 0; i < device->buffer_count; i++) {
        const struct guarded *other = &device->buffers[i];
        check_guard(device, other->whole, 0, "in front of");
        check_guard(device, other->whole, GUARD_BYTES + size_of(other->middle),
                    "beyond");
    }
}
