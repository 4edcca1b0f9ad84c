/* apart: a library for LD_PRELOAD that lets a device which shares its host's memory do
 * what one with a memory of its own may do: a map hands the host a copy, and an unmap
 * copies it back.  So a test sees whether a program maps and unmaps when it must.
 *
 *     FORGET=unmap  No unmap happens.
 *     APART=no      Nothing is copied: the memory is shared, as it is.
 *
 * Until a map that wants the buffer's words has copied them, and after each unmap, the
 * host's memory holds no words: a program that relies on them is wrong.  When the
 * program ends, stderr says how often it has mapped and unmapped, and how many unmaps
 * were forgotten. */
#define _GNU_SOURCE /* RTLD_NEXT */
#define LIBRARY "tests/apart.c"
#include "preload.h"

#include <stdbool.h>

enum { MAX_MAPPED = 64, NO_WORDS = 0xAB };

static struct {
    struct mapped {
        cl_mem buffer;
        size_t offset, bytes;
        char *memory;
    } mapped[MAX_MAPPED];
    size_t maps, unmaps, forgotten;
} all;

static bool asks(const char *variable, const char *value) {
    const char *given = getenv(variable);
    if (given && strcmp(given, value) != 0)
        stop("this value is not known:", given);
    return given != NULL;
}

__attribute__((constructor)) static void begin(void) {
    asks("FORGET", "unmap");
    asks("APART", "no");
}

__attribute__((destructor)) static void end(void) {
    if (all.maps > 0)
        fprintf(stderr, "apart: %zu maps, %zu unmaps, %zu of them forgotten\n",
                all.maps, all.unmaps, all.forgotten);
}

/* A buffer is never in the host's memory. */
VISIBLE cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes,
                              void *memory, cl_int *status) {
    REAL(clCreateBuffer);
    if (flags & CL_MEM_USE_HOST_PTR)
        stop("this kind of buffer is not known:", "CL_MEM_USE_HOST_PTR");
    if (!asks("APART", "no"))
        flags &= ~(cl_mem_flags)CL_MEM_ALLOC_HOST_PTR;
    return real_clCreateBuffer(context, flags, bytes, memory, status);
}

static void remember(struct mapped mapped) {
    for (size_t i = 0; i < MAX_MAPPED; i++)
        if (!all.mapped[i].memory) {
            all.mapped[i] = mapped;
            return;
        }
    stop("there is too much", "mapped");
}

VISIBLE void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer,
                                 cl_bool blocking, cl_map_flags flags, size_t offset,
                                 size_t bytes, cl_uint count, const cl_event *waits,
                                 cl_event *event, cl_int *status) {
    REAL(clEnqueueMapBuffer);
    all.maps++;
    if (asks("APART", "no"))
        return real_clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, bytes,
                                       count, waits, event, status);
    if (!blocking || count > 0 || event)
        stop("only a map that waits, without events, is known, not", "this one");
    char *memory = malloc(bytes); /* and never freed: it may be used by mistake */
    if (!memory)
        stop("there is no", "memory");
    check(clFinish(queue), "clFinish");
    if (flags & CL_MAP_WRITE_INVALIDATE_REGION)
        memset(memory, NO_WORDS, bytes);
    else
        check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset, bytes, memory, 0,
                                  NULL, NULL),
              "clEnqueueReadBuffer");
    remember((struct mapped){buffer, offset, bytes, memory});
    if (status)
        *status = CL_SUCCESS;
    return memory;
}

VISIBLE cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem buffer,
                                       void *memory, cl_uint count,
                                       const cl_event *waits, cl_event *event) {
    REAL(clEnqueueUnmapMemObject);
    const bool forgets = asks("FORGET", "unmap");
    all.unmaps++;
    all.forgotten += forgets;
    if (asks("APART", "no"))
        return forgets ? CL_SUCCESS
                       : real_clEnqueueUnmapMemObject(queue, buffer, memory, count,
                                                      waits, event);
    if (count > 0 || event)
        stop("only an unmap without events is known, not", "this one");
    for (size_t i = 0; i < MAX_MAPPED; i++) {
        struct mapped *mapped = &all.mapped[i];
        if (mapped->buffer != buffer || mapped->memory != memory || !memory)
            continue;
        if (!forgets)
            check(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, mapped->offset,
                                       mapped->bytes, memory, 0, NULL, NULL),
                  "clEnqueueWriteBuffer");
        memset(memory, NO_WORDS, mapped->bytes);
        mapped->memory = NULL;
        return CL_SUCCESS;
    }
    return CL_INVALID_VALUE;
}
