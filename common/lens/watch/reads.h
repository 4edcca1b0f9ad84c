/* reads: how often each element of a buffer is read, and by whom. */
#ifndef READS_H
#define READS_H

#include "mistake.h"

struct element_reads {
    uint32_t times;
    struct access_record first, second; /* as far as it was read so often */
};

/* What is known of a buffer.  An element is a number: a float4 has four. */
struct object_reads {
    struct element_reads *elements; /* NULL: no work-item read it, or it is too large */
    size_t count;
    bool written; /* by the kernel, so that it may be read again by right */
};

struct reads {
    struct observer observer;
    struct object_reads *objects; /* by their numbers; NULL: nothing was watched */
    size_t object_count;
};

/* Watches all buffers in global memory of at most MAX_ELEMENTS elements.  Its owner
 * ends it. */
enum { MAX_ELEMENTS = 1 << 20 };
struct reads reads_observer(void);
void reads_end(struct reads *reads);

#endif
