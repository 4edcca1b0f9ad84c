#include "fizzbuzz/host_writer.h"
#include "data.h"
#include "fizzbuzz/text.h"

#include <poll.h>
#include <stdlib.h>

/* Blocks of the longest pieces.  What comes to the host from a GPU has to fit into
 * pinned memory. */
enum { BLOCKS_ON_CPU = 64, BLOCKS_ON_GPU = 4096, BLOCKS_PINNED = 1024 };
enum { WRITERS = 3 }; /* that share a device's memory with each other, at least */
enum { SLOW_MS = 20 };

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

cl_int writer_open(struct writer *writer, const struct backend *backend,
                   const char *name) {
    cl_int status;
    const size_t block = block_bytes(FIZZBUZZ_MAX_DIGITS);
    *writer = (struct writer){.backend = backend,
                              .pages = allocate(1, sizeof *writer->pages),
                              .weighed = allocate(1, sizeof *writer->weighed)};
    TRY(backend->status);
    writer->queue =
        clCreateCommandQueue(backend->device.context, backend->device.id, 0, &status);
    TRY(status);
    TRY(pages_open(writer->pages, backend, name));
    return text_buffer_open(&writer->memory, &backend->device, writer->queue,
                            block * writer_max_blocks(writer, false),
                            block * writer_max_blocks(writer, true));
}

void writer_close(struct writer *writer) {
    text_buffer_close(&writer->memory);
    pages_close(writer->pages);
    if (writer->queue)
        clReleaseCommandQueue(writer->queue);
    free(writer->pages);
    free(writer->weighed);
}

static size_t written_bytes(struct piece piece) {
    return piece_blocks(piece) * block_bytes(piece.digits);
}

static cl_int launch(struct writer *writer, struct piece piece) {
    const size_t vectors = page_vectors(piece.digits),
                 max_group = writer->backend->device.max_group,
                 group = vectors < max_group ? vectors : max_group,
                 items = piece_blocks(piece) * group;
    TRY(pages_set(writer->pages, writer->queue, writer->memory.buffer, piece));
    TRY(clEnqueueNDRangeKernel(writer->queue, writer->pages->kernel, 1, NULL, &items,
                               &group, 0, NULL, NULL));
    return clFinish(writer->queue);
}

static cl_int check(struct writer *writer, struct piece piece) {
    const size_t max_lines = BLOCK_LINES * writer_max_blocks(writer, true);
    const cl_ulong end = piece.first + piece.lines;
    size_t at = 0;
    for (cl_ulong line = piece.first; line < end;) {
        const struct piece part = piece_at(line, end, max_lines);
        if (writer->memory.fetched != piece.bytes)
            TRY(text_buffer_fetch(&writer->memory, at, part.bytes));
        if (!text_check_is_right(writer->weighed, writer->memory.text, part))
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
    TRY(text_buffer_release(&writer->memory));
    TRY(launch(writer, piece));
    if (fetches)
        TRY(text_buffer_fetch(&writer->memory, 0, piece.bytes));
    writer->text = writer->memory.text;
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
    TRY(text_buffer_release(&writer->memory));
    for (cl_ulong line = first; line < end;) {
        const struct piece piece = piece_at(line, end, max_lines);
        TRY(text_buffer_poison(&writer->memory, written_bytes(piece)));
        TRY(launch(writer, piece));
        TRY(text_buffer_check(&writer->memory, written_bytes(piece)));
        TRY(check(writer, piece));
        TRY(text_buffer_release(&writer->memory));
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
