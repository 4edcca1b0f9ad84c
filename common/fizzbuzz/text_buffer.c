#include "fizzbuzz/text_buffer.h"
#include "buffer.h"
#include "compare.h"

static const cl_uchar NO_TEXT = 0xff;

cl_int text_buffer_poison(struct text_buffer *buffer, size_t bytes) {
    return clEnqueueFillBuffer(buffer->queue, buffer->whole, &NO_TEXT, 1, 0,
                               bytes + 2 * GUARD_BYTES, 0, NULL, NULL);
}

cl_int text_buffer_open(struct text_buffer *buffer, const struct device *device,
                        cl_command_queue queue, size_t bytes, size_t max_fetched) {
    cl_int status;
    const cl_buffer_region middle = {GUARD_BYTES, bytes};
    *buffer = (struct text_buffer){.queue = queue, .is_cpu = device->is_cpu};
    buffer->whole = clCreateBuffer(device->context, CL_MEM_READ_WRITE,
                                   bytes + 2 * GUARD_BYTES, NULL, &status);
    TRY(status);
    buffer->buffer = clCreateSubBuffer(buffer->whole, CL_MEM_READ_WRITE,
                                       CL_BUFFER_CREATE_TYPE_REGION, &middle, &status);
    TRY(status);
    TRY(text_buffer_poison(buffer, bytes));
    if (buffer->is_cpu)
        return CL_SUCCESS;
    buffer->pinned = clCreateBuffer(device->context, CL_MEM_ALLOC_HOST_PTR, max_fetched,
                                    NULL, &status);
    TRY(status);
    buffer->text =
        clEnqueueMapBuffer(queue, buffer->pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                           0, max_fetched, 0, NULL, NULL, &status);
    return status;
}

void text_buffer_close(struct text_buffer *buffer) {
    const cl_mem buffers[] = {buffer->pinned, buffer->buffer, buffer->whole};
    text_buffer_release(buffer);
    if (buffer->pinned && buffer->text)
        clEnqueueUnmapMemObject(buffer->queue, buffer->pinned, buffer->text, 0, NULL,
                                NULL);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
}

cl_int text_buffer_fetch(struct text_buffer *buffer, size_t first, size_t bytes) {
    cl_int status;
    TRY(text_buffer_release(buffer));
    if (buffer->is_cpu)
        buffer->text =
            clEnqueueMapBuffer(buffer->queue, buffer->buffer, CL_TRUE, CL_MAP_READ,
                               first, bytes, 0, NULL, NULL, &status);
    else
        status = clEnqueueReadBuffer(buffer->queue, buffer->buffer, CL_TRUE, first,
                                     bytes, buffer->text, 0, NULL, NULL);
    buffer->fetched = status == CL_SUCCESS ? bytes : 0;
    return status;
}

/* A copy can stay. */
cl_int text_buffer_release(struct text_buffer *buffer) {
    const bool mapped = buffer->is_cpu && buffer->fetched > 0;
    buffer->fetched = 0;
    return mapped ? clEnqueueUnmapMemObject(buffer->queue, buffer->buffer, buffer->text,
                                            0, NULL, NULL)
                  : CL_SUCCESS;
}

cl_int text_buffer_check(struct text_buffer *buffer, size_t bytes) {
    cl_uchar guard[GUARD_BYTES];
    const size_t first[] = {0, GUARD_BYTES + bytes};
    for (int side = 0; side < 2; side++) {
        TRY(clEnqueueReadBuffer(buffer->queue, buffer->whole, CL_TRUE, first[side],
                                sizeof guard, guard, 0, NULL, NULL));
        for (size_t i = 0; i < sizeof guard; i++)
            if (guard[i] != NO_TEXT && !wrong("a kernel wrote %s %zu bytes of text",
                                              side ? "beyond" : "in front of", bytes))
                return WRONG_TEXT;
    }
    return CL_SUCCESS;
}
