#include "fizzbuzz/writer.h"
#include "buffer.h"
#include "compare.h"
#include "data.h"

#include <stdlib.h>

/* Blocks of the longest pieces.  What comes to the host from a GPU has to fit into
 * pinned memory. */
enum { BLOCKS_ON_CPU = 64, BLOCKS_ON_GPU = 4096, BLOCKS_PINNED = 1024 };
enum { WRITERS = 3 }; /* that share a device's memory with each other, at least */
static const cl_uchar NO_TEXT = 0xff;

size_t writer_max_blocks(const struct writer *writer, bool fetch) {
    const struct device *device = &writer->backend->device;
    const cl_ulong share = device->memory / (2 * WRITERS);
    const size_t room = (share < device->largest ? share : device->largest) /
                        block_bytes(FIZZBUZZ_MAX_DIGITS);
    size_t wanted = BLOCKS_ON_GPU;
    if (device->is_cpu)
        wanted = BLOCKS_ON_CPU;
    else if (fetch)
        wanted = BLOCKS_PINNED;
    if (room == 0)
        return 1;
    return room < wanted ? room : wanted;
}

/* ---- The memory of the text. ---- */

/* The first `bytes` bytes, and the guards, hold no text. */
static cl_int poison(struct writer *writer, size_t bytes) {
    return clEnqueueFillBuffer(writer->queue, writer->whole, &NO_TEXT, 1, 0,
                               bytes + 2 * GUARD_BYTES, 0, NULL, NULL);
}

/* A launch may write to the buffer again.  (A copy can stay.) */
static cl_int release(struct writer *writer) {
    const bool mapped = writer->backend->device.is_cpu && writer->fetched > 0;
    writer->fetched = 0;
    if (!mapped)
        return CL_SUCCESS;
    return clEnqueueUnmapMemObject(writer->queue, writer->text_buffer, writer->text, 0,
                                   NULL, NULL);
}

/* Brings bytes to the host, which has them until they are released. */
static cl_int fetch_text(struct writer *writer, size_t first, size_t bytes) {
    cl_int status;
    TRY(release(writer));
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

/* Did a launch write its first `bytes` bytes at most?  The bytes in front of them and
 * behind them are looked at. */
static cl_int check_guards(struct writer *writer, size_t bytes) {
    cl_uchar guard[GUARD_BYTES];
    const size_t first[] = {0, GUARD_BYTES + bytes};
    const char *const where[] = {"in front of", "beyond"};
    for (int side = 0; side < 2; side++) {
        TRY(clEnqueueReadBuffer(writer->queue, writer->whole, CL_TRUE, first[side],
                                sizeof guard, guard, 0, NULL, NULL));
        for (size_t i = 0; i < sizeof guard; i++) {
            if (guard[i] != NO_TEXT) {
                wrong("a kernel wrote %s %zu bytes of text", where[side], bytes);
                return WRONG_TEXT;
            }
        }
    }
    return CL_SUCCESS;
}

/* Room for `bytes` bytes, of which at most `max_fetched` are fetched at once. */
static cl_int open_memory(struct writer *writer, size_t bytes, size_t max_fetched) {
    cl_int status;
    const struct device *device = &writer->backend->device;
    const cl_buffer_region middle = {GUARD_BYTES, bytes};
    writer->whole = clCreateBuffer(device->context, CL_MEM_READ_WRITE,
                                   bytes + 2 * GUARD_BYTES, NULL, &status);
    TRY(status);
    writer->text_buffer =
        clCreateSubBuffer(writer->whole, CL_MEM_READ_WRITE,
                          CL_BUFFER_CREATE_TYPE_REGION, &middle, &status);
    TRY(status);
    TRY(poison(writer, bytes));
    if (device->is_cpu)
        return CL_SUCCESS;
    writer->pinned_buffer = clCreateBuffer(device->context, CL_MEM_ALLOC_HOST_PTR,
                                           max_fetched, NULL, &status);
    TRY(status);
    writer->text = clEnqueueMapBuffer(writer->queue, writer->pinned_buffer, CL_TRUE,
                                      CL_MAP_READ | CL_MAP_WRITE, 0, max_fetched, 0,
                                      NULL, NULL, &status);
    return status;
}

static void close_memory(struct writer *writer) {
    const cl_mem buffers[] = {writer->pinned_buffer, writer->text_buffer,
                              writer->whole};
    release(writer);
    if (writer->pinned_buffer && writer->text)
        clEnqueueUnmapMemObject(writer->queue, writer->pinned_buffer, writer->text, 0,
                                NULL, NULL);
    for (size_t i = 0; i < COUNT(buffers); i++)
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
}

/* ---- The writer. ---- */

cl_int writer_open(struct writer *writer, const struct backend *backend,
                   const char *name) {
    cl_int status;
    const size_t block = block_bytes(FIZZBUZZ_MAX_DIGITS);
    *writer = (struct writer){.backend = backend,
                              .pages = allocate(1, sizeof *writer->pages),
                              .check = allocate(1, sizeof *writer->check)};
    TRY(backend->status);
    writer->queue =
        clCreateCommandQueue(backend->device.context, backend->device.id, 0, &status);
    TRY(status);
    TRY(pages_open(writer->pages, backend, name));
    return open_memory(writer, block * writer_max_blocks(writer, false),
                       block * writer_max_blocks(writer, true));
}

void writer_close(struct writer *writer) {
    close_memory(writer);
    pages_close(writer->pages);
    if (writer->queue)
        clReleaseCommandQueue(writer->queue);
    free(writer->pages);
    free(writer->check);
}

static size_t written_bytes(struct piece piece) {
    return piece_blocks(piece) * block_bytes(piece.digits);
}

static cl_int launch(struct writer *writer, struct piece piece) {
    const size_t vectors = page_vectors(piece.digits),
                 max_group = writer->backend->device.max_group,
                 group = vectors < max_group ? vectors : max_group,
                 items = piece_blocks(piece) * group;
    TRY(pages_set(writer->pages, writer->queue, writer->text_buffer, piece));
    TRY(clEnqueueNDRangeKernel(writer->queue, writer->pages->kernel, 1, NULL, &items,
                               &group, 0, NULL, NULL));
    return clFinish(writer->queue);
}

cl_int writer_write(struct writer *writer, struct piece piece, bool fetch) {
    TRY(release(writer));
    TRY(launch(writer, piece));
    return fetch ? fetch_text(writer, 0, piece.bytes) : CL_SUCCESS;
}

/* A piece that was not fetched comes to the host in parts. */
cl_int writer_check(struct writer *writer, struct piece piece) {
    const size_t max_lines = BLOCK_LINES * writer_max_blocks(writer, true);
    const cl_ulong end = piece.first + piece.lines;
    cl_ulong line = piece.first;
    size_t at = 0;
    while (line < end) {
        const struct piece part = piece_at(line, end, max_lines);
        if (writer->fetched != piece.bytes)
            TRY(fetch_text(writer, at, part.bytes));
        if (!text_check_is_right(writer->check, writer->text, part))
            return WRONG_TEXT;
        line += part.lines;
        at += part.bytes;
    }
    return CL_SUCCESS;
}

cl_int writer_try(struct writer *writer, cl_ulong first, cl_ulong end, bool fetch) {
    const size_t max_lines = BLOCK_LINES * writer_max_blocks(writer, fetch);
    cl_ulong line = first;
    TRY(release(writer));
    while (line < end) {
        const struct piece piece = piece_at(line, end, max_lines);
        TRY(poison(writer, written_bytes(piece)));
        TRY(launch(writer, piece));
        TRY(check_guards(writer, written_bytes(piece)));
        TRY(writer_check(writer, piece));
        TRY(release(writer));
        line += piece_at(line, end, SIZE_MAX).lines;
    }
    return CL_SUCCESS;
}
