#include "buffer.h"

#include "check.h"
#include "data.h"
#include "driver/poison.h"
#include "driver/program_end.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t get_size(cl_mem buffer) {
    size_t bytes;
    CHECK(clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, NULL));
    return bytes;
}

/* MAX_POISON words of poison. */
enum { MAX_POISON = 1 << 18 };

static const cl_uint *poison(void) {
    static cl_uint words[MAX_POISON];
    if (words[MAX_POISON - 1] != POISON)
        for (size_t i = 0; i < MAX_POISON; i++)
            words[i] = POISON;
    return words;
}

/* Writes instead of filling: some drivers' clEnqueueFillBuffer fails beyond 2 GiB. */
static void fill_with_poison(struct device *device, cl_mem buffer, size_t first,
                             size_t bytes) {
    const size_t max_piece = MAX_POISON * sizeof(cl_uint);
    for (size_t done = 0; done < bytes; done += max_piece) {
        const size_t left = bytes - done, piece = left < max_piece ? left : max_piece;
        CHECK(clEnqueueWriteBuffer(device->queue, buffer, CL_TRUE, first + done, piece,
                                   poison(), 0, NULL, NULL));
    }
}

/* A guarded buffer whose middle is not written yet. */
static cl_mem make(struct device *device, size_t bytes) {
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
    *GROW(device->buffers, device->buffer_count) = buffer;
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
    *GROW(device->pinned, device->pinned_count) = pinned;
    return pinned.mapped;
}

void buffer_write(struct device *device, cl_mem buffer, const void *data,
                  size_t bytes) {
    CHECK(clEnqueueWriteBuffer(device->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL,
                               NULL));
}

void buffer_make_tiny(struct device *device, cl_mem buffer, float *numbers,
                      size_t count) {
    make_tiny(numbers, count);
    buffer_write(device, buffer, numbers, count * sizeof *numbers);
}

void buffer_poison(struct device *device, cl_mem buffer) {
    fill_with_poison(device, buffer, 0, get_size(buffer));
}

/* Enqueues the reads of all guards and waits only for the last one, because waiting
 * takes longer than reading. */
static void check_guards(struct device *device) {
    char(*found)[2][GUARD_BYTES] = allocate(device->buffer_count, sizeof *found);
    for (size_t i = 0; i < device->buffer_count; i++) {
        const struct guarded *buffer = &device->buffers[i];
        const size_t first[] = {0, GUARD_BYTES + get_size(buffer->middle)};
        for (int side = 0; side < 2; side++) {
            const bool last = i + 1 == device->buffer_count && side == 1;
            CHECK(clEnqueueReadBuffer(device->queue, buffer->whole, last, first[side],
                                      GUARD_BYTES, found[i][side], 0, NULL, NULL));
        }
    }
    for (size_t i = 0; i < device->buffer_count; i++)
        for (int side = 0; side < 2; side++)
            if (memcmp(found[i][side], poison(), GUARD_BYTES) != 0) {
                fflush(stdout);
                fprintf(stderr,
                        "error: a kernel wrote %s a buffer of %zu bytes" HINT
                        "compare its index with the number of elements\n",
                        side ? "beyond" : "in front of",
                        get_size(device->buffers[i].middle));
                program_end(WRONG);
            }
    free(found);
}

void buffer_read(struct device *device, cl_mem buffer, void *data, size_t bytes) {
    CHECK(clEnqueueReadBuffer(device->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL,
                              NULL));
    check_guards(device);
}
