#include "writer.h"
#include "buffer.h"
#include "compare.h"
#include "data.h"
#include "text.h"
#include "weighed.h"

#include <poll.h>
#include <stdlib.h>

/* Blocks of the longest pieces.  What comes to the host from a GPU has to fit into
 * pinned memory. */
enum { BLOCKS_ON_CPU = 64, BLOCKS_ON_GPU = 4096, BLOCKS_PINNED = 1024 };
enum { WRITERS = 3 }; /* that share a device's memory with each other, at least */
enum { SLOW_MS = 20 };
static const cl_uchar NO_TEXT = 0xff;

struct layout {
    struct table table;
    struct weighed weighed;
};

size_t writer_max_blocks(const struct writer *writer, bool fetch) {
    const struct device *device = &writer->backend->device;
    const cl_ulong all = device->memory / (2 * WRITERS);
    const size_t room = (all < device->largest ? all : device->largest) /
                        block_bytes(FIZZBUZZ_MAX_DIGITS);
    const size_t wanted = device->is_cpu ? BLOCKS_ON_CPU
                          : fetch        ? BLOCKS_PINNED
                                         : BLOCKS_ON_GPU;
    return room < wanted ? (room > 0 ? room : 1) : wanted;
}

static cl_int make_buffer(struct writer *writer, cl_mem_flags flags, size_t bytes,
                          cl_mem *buffer) {
    cl_int status;
    *buffer =
        clCreateBuffer(writer->backend->device.context, flags, bytes, NULL, &status);
    return status;
}

/* So many bytes of the buffer, and the guards, hold no text. */
static cl_int poison(struct writer *writer, size_t bytes) {
    return clEnqueueFillBuffer(writer->queue, writer->whole, &NO_TEXT, 1, 0,
                               bytes + 2 * GUARD_BYTES, 0, NULL, NULL);
}

/* A CPU's memory is the host's, so there is nothing to copy, and nothing to pin. */
static cl_int make_buffers(struct writer *writer) {
    cl_int status;
    const struct backend *backend = writer->backend;
    const size_t block = block_bytes(FIZZBUZZ_MAX_DIGITS);
    const cl_buffer_region middle = {GUARD_BYTES,
                                     block * writer_max_blocks(writer, false)};
    const size_t pinned = block * writer_max_blocks(writer, true);
    const struct layout *layout = writer->layout;
    TRY(make_buffer(writer, CL_MEM_READ_ONLY, sizeof layout->table.fixed,
                    &writer->fixed_buffer));
    TRY(make_buffer(writer, CL_MEM_READ_ONLY, sizeof layout->table.windows,
                    &writer->windows_buffer));
    TRY(make_buffer(writer, CL_MEM_READ_WRITE, middle.size + 2 * GUARD_BYTES,
                    &writer->whole));
    writer->text_buffer =
        clCreateSubBuffer(writer->whole, CL_MEM_READ_WRITE,
                          CL_BUFFER_CREATE_TYPE_REGION, &middle, &status);
    TRY(status);
    TRY(poison(writer, middle.size));
    if (backend->device.is_cpu)
        return CL_SUCCESS;
    TRY(make_buffer(writer, CL_MEM_ALLOC_HOST_PTR, pinned, &writer->pinned_buffer));
    writer->text = clEnqueueMapBuffer(writer->queue, writer->pinned_buffer, CL_TRUE,
                                      CL_MAP_READ | CL_MAP_WRITE, 0, pinned, 0, NULL,
                                      NULL, &status);
    return status;
}

cl_int writer_open(struct writer *writer, const struct backend *backend,
                   const char *name) {
    cl_int status;
    *writer = (struct writer){.backend = backend,
                              .layout = allocate(1, sizeof *writer->layout)};
    TRY(backend->status);
    writer->kernel = kernel_create(backend->program, name, &status);
    TRY(status);
    writer->queue =
        clCreateCommandQueue(backend->device.context, backend->device.id, 0, &status);
    TRY(status);
    return make_buffers(writer);
}

/* What was fetched from a GPU is a copy; a CPU's own memory is mapped. */
static cl_int release_text(struct writer *writer) {
    const bool mapped = writer->backend->device.is_cpu && writer->fetched > 0;
    writer->fetched = 0;
    return mapped ? clEnqueueUnmapMemObject(writer->queue, writer->text_buffer,
                                            writer->text, 0, NULL, NULL)
                  : CL_SUCCESS;
}

void writer_close(struct writer *writer) {
    const cl_mem buffers[] = {writer->pinned_buffer, writer->text_buffer, writer->whole,
                              writer->fixed_buffer, writer->windows_buffer};
    release_text(writer);
    if (writer->pinned_buffer && writer->text)
        clEnqueueUnmapMemObject(writer->queue, writer->pinned_buffer, writer->text, 0,
                                NULL, NULL);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
    if (writer->kernel)
        clReleaseKernel(writer->kernel);
    if (writer->queue)
        clReleaseCommandQueue(writer->queue);
    free(writer->layout);
}

static cl_int bring_table(struct writer *writer, struct piece piece) {
    struct table *table = &writer->layout->table;
    if (!table_renew(table, piece))
        return CL_SUCCESS;
    TRY(clEnqueueWriteBuffer(writer->queue, writer->fixed_buffer, CL_TRUE, 0,
                             sizeof table->fixed, table->fixed, 0, NULL, NULL));
    return clEnqueueWriteBuffer(writer->queue, writer->windows_buffer, CL_TRUE, 0,
                                sizeof table->windows, table->windows, 0, NULL, NULL);
}

static size_t written_bytes(struct piece piece) {
    return piece_blocks(piece) * block_bytes(piece.digits);
}

static cl_int launch(struct writer *writer, struct piece piece) {
    TRY(bring_table(writer, piece));
    const cl_uint positions = page_vectors(piece.digits);
    const cl_uint hundreds = piece_hundreds(piece);
    const cl_ulong used = piece_used(piece);
    const struct arg args[] = {ARG(writer->text_buffer),
                               ARG(writer->fixed_buffer),
                               ARG(writer->windows_buffer),
                               ARG(positions),
                               ARG(hundreds),
                               ARG(used)};
    for (cl_uint i = 0; i < sizeof args / sizeof *args; i++)
        TRY(clSetKernelArg(writer->kernel, i, args[i].size, args[i].value));
    const size_t max_group = writer->backend->device.max_group;
    const size_t group = positions < max_group ? positions : max_group;
    const size_t items = piece_blocks(piece) * group;
    TRY(clEnqueueNDRangeKernel(writer->queue, writer->kernel, 1, NULL, &items, &group,
                               0, NULL, NULL));
    return clFinish(writer->queue);
}

static cl_int fetch(struct writer *writer, size_t first, size_t bytes) {
    cl_int status;
    TRY(release_text(writer));
    if (writer->backend->device.is_cpu)
        writer->text =
            clEnqueueMapBuffer(writer->queue, writer->text_buffer, CL_TRUE, CL_MAP_READ,
                               first, bytes, 0, NULL, NULL, &status);
    else
        status = clEnqueueReadBuffer(writer->queue, writer->text_buffer, CL_TRUE, first,
                                     bytes, writer->text, 0, NULL, NULL);
    writer->fetched = status == CL_SUCCESS ? bytes : 0;
    return status;
}

static cl_int check_guards(struct writer *writer, struct piece piece) {
    cl_uchar guard[GUARD_BYTES];
    const size_t first[] = {0, GUARD_BYTES + written_bytes(piece)};
    for (int side = 0; side < 2; side++) {
        TRY(clEnqueueReadBuffer(writer->queue, writer->whole, CL_TRUE, first[side],
                                sizeof guard, guard, 0, NULL, NULL));
        for (size_t i = 0; i < sizeof guard; i++)
            if (guard[i] != NO_TEXT &&
                !wrong("a kernel wrote %s %zu bytes of text",
                       side ? "beyond" : "in front of", written_bytes(piece)))
                return WRONG_TEXT;
    }
    return CL_SUCCESS;
}

static cl_int check(struct writer *writer, struct piece piece) {
    const size_t max_lines = BLOCK_LINES * writer_max_blocks(writer, true);
    const cl_ulong end = piece.first + piece.lines;
    size_t at = 0;
    for (cl_ulong line = piece.first; line < end;) {
        const struct piece part = piece_at(line, end, max_lines);
        if (writer->fetched != piece.bytes)
            TRY(fetch(writer, at, part.bytes));
        if (!weighed_is_right(&writer->layout->weighed, writer->text, part))
            return WRONG_TEXT;
        line += part.lines;
        at += part.bytes;
    }
    return CL_SUCCESS;
}

cl_int writer_write(struct writer *writer, struct piece piece, bool fetches,
                    bool checks) {
    const double before_ms = now_ms();
    if (writer->breaks && writer->pieces > 0)
        return CL_OUT_OF_RESOURCES;
    if (writer->slow)
        poll(NULL, 0, SLOW_MS);
    TRY(release_text(writer));
    TRY(launch(writer, piece));
    if (fetches)
        TRY(fetch(writer, 0, piece.bytes));
    writer->block_ms = (now_ms() - before_ms) / (double)piece_blocks(piece);
    if (checks)
        TRY(check(writer, piece));
    writer->pieces++;
    writer->lines += piece.lines;
    return CL_SUCCESS;
}

/* These pieces do not count, for they are no part of the text. */
cl_int writer_try(struct writer *writer, cl_ulong first, cl_ulong end, bool fetches) {
    const size_t max_lines = BLOCK_LINES * writer_max_blocks(writer, fetches);
    TRY(release_text(writer));
    for (cl_ulong line = first; line < end;) {
        const struct piece piece = piece_at(line, end, max_lines);
        TRY(poison(writer, written_bytes(piece)));
        TRY(launch(writer, piece));
        TRY(check_guards(writer, piece));
        TRY(check(writer, piece));
        TRY(release_text(writer));
        line += piece_at(line, end, SIZE_MAX).lines;
    }
    return CL_SUCCESS;
}

bool writer_on_host(int out, struct piece piece) {
    enum { ROOM = 1 << 16 };
    char text[ROOM];
    size_t used = 0;
    for (size_t i = 0; i < piece.lines; i++) {
        used += fizzbuzz_line(text + used, piece.first + i);
        if (used > ROOM - FIZZBUZZ_LINE || i + 1 == piece.lines) {
            if (!text_write(out, text, used))
                return false;
            used = 0;
        }
    }
    return true;
}
