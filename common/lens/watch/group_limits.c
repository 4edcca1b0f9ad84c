/* group_limits: OpenCL 1.2 promises 32 KiB of local memory, and one work-item in a
 * group (specification, table 4.3); an embedded device may have 1 KiB.  GPUs have 32 to
 * 64 KiB, a few of them more, and groups of 256 to 1024 work-items.  CUDA allows blocks
 * of 1024 threads, and 48 KiB of shared memory; the host may ask for more of it
 * (Programming Guide, "Compute Capabilities"). */
#define _GNU_SOURCE /* strdup */
#include "group_limits.h"
#include "base/memory.h"
#include "base/rows.h"
#include "base/vocabulary.h"

#include <stdlib.h>
#include <string.h>

enum { PROMISED_LOCAL = 32768, SHARED_OF_CUDA = 49152, USUAL_ITEMS = 1024 };

/* A file's own arrays are those of all its kernels. */
size_t group_limits_local(const struct job *job) {
    size_t bytes = 0;
    for (size_t i = 0; i < job->object_count; i++) {
        const struct object *object = &job->objects[i];
        if (object->space == LOCAL &&
            (!object->kernel || strcmp(object->kernel, job->kernel) == 0))
            bytes += object->bytes;
    }
    return bytes;
}

static bool is_new(const char *kernel, size_t items, size_t bytes) {
    static struct noted {
        char *kernel;
        size_t items, bytes;
    } * noted;
    static size_t count;
    for (size_t i = 0; i < count; i++)
        if (noted[i].items == items && noted[i].bytes == bytes &&
            strcmp(noted[i].kernel, kernel) == 0)
            return false;
    *GROW(noted, count) = (struct noted){strdup(kernel), items, bytes};
    return true;
}

void group_limits_note(const struct job *job, uint64_t device_local,
                       uint64_t device_items) {
    const size_t bytes = group_limits_local(job),
                 items = job->local[0] * job->local[1] * job->local[2],
                 promised = vocabulary_is_cuda() ? SHARED_OF_CUDA : PROMISED_LOCAL;
    if ((bytes <= promised && items <= USUAL_ITEMS) ||
        !is_new(job->kernel, items, bytes))
        return;
    FILE *out = rows_readers();
    if (rows_wanted()) {
        row_begin("limits");
        row_text("kernel", job->kernel);
        row_number("group_items", items);
        row_number("group_bytes", bytes);
        row_end();
    }
    fprintf(out, "note: %s: a %s has %zu %s and %zu bytes of %s memory\n", job->kernel,
            term("group"), items, term("work-items"), bytes, term("local"));
    fprintf(
        out,
        vocabulary_is_cuda()
            ? "  limits  CUDA allows %d bytes, or more if the host asks for it, and "
              "blocks of %d\n"
            : "  limits  OpenCL promises %d bytes; most GPUs have at most 65536, and "
              "groups of %d\n",
        (int)promised, USUAL_ITEMS);
    if (device_items > 0)
        fprintf(out, "  device  this one has %llu bytes, and here groups of %llu\n",
                (unsigned long long)device_local, (unsigned long long)device_items);
    fputc('\n', out);
}
