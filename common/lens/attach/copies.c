/* copies: of buffers and images before a launch; and what becomes of them after it. */
#include "copies.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/rows.h"
#include "newer_opencl.h"
#include "report/view.h"
#include "svm.h"
#include "watch/banks.h"

#include <stdlib.h>
#include <string.h>

/* ---- Blocks of memory.  What a launch's copies had is there for the next one's: to
 * get memory from the system takes longer than to fill it. */
enum { SPARES = 8, MAX_SPARE = 1 << 28 }; /* blocks; bytes in all of them */
static struct {
    struct spare {
        char *bytes;
        size_t size;
    } all[SPARES];
    size_t count, bytes;
} spares;

static size_t room_for(size_t size) {
    return (size + PAGE) / PAGE * PAGE;
}

static char *block_take(size_t size) {
    for (size_t i = 0; i < spares.count; i++)
        if (spares.all[i].size == room_for(size)) {
            char *bytes = spares.all[i].bytes;
            spares.bytes -= spares.all[i].size;
            spares.all[i] = spares.all[--spares.count];
            return bytes;
        }
    char *bytes = aligned_alloc(PAGE, room_for(size));
    if (!bytes)
        lens_die("no memory for a copy of %zu bytes" HINT "try a smaller problem",
                 size);
    return bytes;
}

/* Where there are too many, the oldest is given back to the system. */
static void block_give(char *bytes, size_t size) {
    const size_t room = room_for(size);
    if (room > MAX_SPARE) {
        free(bytes);
        return;
    }
    while (spares.count == SPARES || spares.bytes + room > MAX_SPARE) {
        free(spares.all[0].bytes);
        spares.bytes -= spares.all[0].size;
        memmove(spares.all, spares.all + 1, --spares.count * sizeof *spares.all);
    }
    spares.all[spares.count++] = (struct spare){bytes, room};
    spares.bytes += room;
}

/* ---- Copies. */

/* What the device holds now. */
static bool fill(const struct copy *copy, cl_command_queue queue, char *bytes) {
    struct image image = copy->image;
    image.base = bytes;
    return (copy->is_image ? image_read(queue, copy->buffer, &image)
            : copy->shared
                ? clEnqueueSVMMemcpy(queue, CL_TRUE, bytes, copy->shared, copy->size, 0,
                                     NULL, NULL) == CL_SUCCESS
                : clEnqueueReadBuffer(queue, copy->buffer, CL_TRUE, 0, copy->size,
                                      bytes, 0, NULL, NULL) == CL_SUCCESS);
}

static bool put_back(const struct copy *copy, cl_command_queue queue) {
    return (copy->is_image ? image_write(queue, copy->buffer, &copy->image)
            : copy->shared
                ? clEnqueueSVMMemcpy(queue, CL_TRUE, copy->shared, copy->bytes,
                                     copy->size, 0, NULL, NULL) == CL_SUCCESS
                : clEnqueueWriteBuffer(queue, copy->buffer, CL_TRUE, 0, copy->size,
                                       copy->bytes, 0, NULL, NULL) == CL_SUCCESS);
}

/* `image` NULL: it is a buffer. */
static struct copy *copy_of(struct copies *copies, cl_command_queue queue,
                            cl_mem buffer, const struct image *image) {
    for (size_t i = 0; i < copies->count; i++)
        if (copies->all[i].buffer == buffer)
            return &copies->all[i];
    struct copy *copy = GROW(copies->all, copies->count);
    *copy = (struct copy){.buffer = buffer};
    if (image) {
        copy->is_image = true;
        copy->image = *image;
        copy->size = image_bytes(image);
    } else {
        clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof copy->size, &copy->size, NULL);
    }
    copy->bytes = block_take(copy->size);
    if (image) /* what lies between rows is always the same */
        memset(copy->bytes, 0, room_for(copy->size));
    copy->image.base = copy->bytes;
    fill(copy, queue, copy->bytes);
    return copy;
}

/* An image of a buffer is this buffer. */
static cl_mem memory_of(cl_mem part, const struct image *image) {
    cl_mem buffer = NULL;
    if (image && image->dimensions == 1)
        clGetImageInfo(part, CL_IMAGE_BUFFER, sizeof buffer, &buffer, NULL);
    return buffer ? buffer : part;
}

/* The replay's own description, with the memory that its texels lie in. */
static void add_image(struct object *object, const struct image *image) {
    struct image *own = lens_allocate(1, sizeof *own);
    *own = *image;
    own->base = object->base;
    object->image = own;
}

/* ---- Shared virtual memory. */

/* It is mapped, or the host might not reach it, as long as the replay works on it. */
static struct copy *keep_shared(struct copies *copies, const struct svm *svm) {
    for (size_t i = 0; i < copies->count; i++)
        if (copies->all[i].shared == svm->base)
            return &copies->all[i];
    struct copy *copy = GROW(copies->all, copies->count);
    *copy = (struct copy){.shared = svm->base, .size = svm->bytes};
    copy->bytes = block_take(copy->size);
    if (clEnqueueSVMMap(copies->queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, svm->base,
                        svm->bytes, 0, NULL, NULL) != CL_SUCCESS)
        lens_die("cannot map %s, shared virtual memory of %zu bytes" HINT
                 "has the program freed it?",
                 svm->name, svm->bytes);
    memcpy(copy->bytes, svm->base, svm->bytes);
    return copy;
}

/* The memory gets back what it held, and the copy what the replay made of that. */
static void exchange(const struct copies *copies, struct copy *copy) {
    enum { AT_ONCE = 4096 };
    char piece[AT_ONCE];
    for (size_t i = 0; i < copy->size; i += AT_ONCE) {
        const size_t bytes = copy->size - i < AT_ONCE ? copy->size - i : AT_ONCE;
        memcpy(piece, copy->shared + i, bytes);
        memcpy(copy->shared + i, copy->bytes + i, bytes);
        memcpy(copy->bytes + i, piece, bytes);
    }
    clEnqueueSVMUnmap(copies->queue, copy->shared, 0, NULL, NULL);
    clFinish(copies->queue);
}

static struct object shared_object(struct copies *copies,
                                   const struct argument *argument) {
    const struct svm *svm = svm_at(argument->pointer);
    struct object object = {
        .name = argument->name, .type = argument->type, .space = GLOBAL};
    if (!svm)
        return object; /* a null pointer */
    if (argument->space == CL_KERNEL_ARG_ADDRESS_CONSTANT)
        object.space = CONSTANT;
    keep_shared(copies, svm)->floats |= strncmp(argument->type, "float", 5) == 0;
    object.base = svm->base;
    object.bytes = svm->bytes;
    return object;
}

/* What the kernel reaches through pointers alone. */
static void bind_reached(struct copies *copies, struct run *run,
                         const struct kernel *kernel) {
    for (size_t i = 0; i < kernel->reached_count; i++) {
        const struct svm *svm = svm_at(kernel->reached[i]);
        bool known = !svm;
        for (size_t o = 0; o < run->job.object_count && !known; o++)
            known = run->job.objects[o].base == svm->base;
        if (known)
            continue;
        keep_shared(copies, svm);
        run->job.objects[run->job.object_count++] = (struct object){
            .name = svm->name, .space = GLOBAL, .base = svm->base, .bytes = svm->bytes};
    }
}

/* ---- Buffers. */

/* The part of a copy that replaces a buffer, or a part of one. */
static struct object object_of(struct copies *copies, cl_command_queue queue,
                               const struct argument *argument) {
    struct object object = {
        .name = argument->name, .type = argument->type, .space = GLOBAL};
    cl_mem part = NULL, whole = NULL;
    size_t offset = 0;
    cl_mem_flags flags = 0;
    if (argument->value)
        memcpy(&part, argument->value, sizeof part);
    if (!part)
        return object; /* a null pointer */
    clGetMemObjectInfo(part, CL_MEM_FLAGS, sizeof flags, &flags, NULL);
    object.read_only = flags & CL_MEM_READ_ONLY;
    object.write_only = flags & CL_MEM_WRITE_ONLY;
    struct image description, *image = NULL;
    if (argument_is_image(argument) && image_describe(part, &description))
        image = &description;
    cl_mem memory = memory_of(part, image);
    if (image && memory == part) {
        struct copy *copy = copy_of(copies, queue, part, image);
        copy->floats |= image->type == CL_FLOAT;
        object.base = copy->bytes;
        object.bytes = copy->size;
        add_image(&object, image);
        return object;
    }
    part = memory;
    clGetMemObjectInfo(part, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof whole, &whole, NULL);
    clGetMemObjectInfo(part, CL_MEM_OFFSET, sizeof offset, &offset, NULL);
    clGetMemObjectInfo(part, CL_MEM_SIZE, sizeof object.bytes, &object.bytes, NULL);
    if (argument->space == CL_KERNEL_ARG_ADDRESS_CONSTANT)
        object.space = CONSTANT;
    struct copy *copy = copy_of(copies, queue, whole ? whole : part, NULL);
    copy->floats |=
        strncmp(argument->type, "float", 5) == 0 || (image && image->type == CL_FLOAT);
    object.base = copy->bytes + offset;
    if (image)
        add_image(&object, image);
    return object;
}

/* What the kernel gets: the bits of a sampler; or an address, of an image that of its
 * description. */
static uint64_t value_of(const struct argument *argument, const struct object *object) {
    if (argument_is_sampler(argument))
        return *(const unsigned *)argument->value;
    return object->image ? (uint64_t)(uintptr_t)object->image
                         : (uint64_t)(uintptr_t)object->base;
}

void copies_bind(struct copies *copies, struct run *run, const struct kernel *kernel,
                 cl_command_queue queue) {
    const struct code *code = run->job.code;
    copies->queue = queue;
    run->job.objects =
        lens_allocate(kernel->count + kernel->reached_count + code->object_count,
                      sizeof *run->job.objects);
    run->job.arguments = lens_allocate(kernel->count, sizeof *run->job.arguments);
    run->job.shared = svm_object_at;
    for (cl_uint i = 0; i < kernel->count; i++) {
        const struct argument *argument = &kernel->arguments[i];
        struct object object = {.name = argument->name, .space = LOCAL};
        if (argument->space == CL_KERNEL_ARG_ADDRESS_PRIVATE) {
            object.space = PRIVATE;
            object.bytes = argument->bytes + SPARE;
            object.base = argument->value;
        } else if (argument->space == CL_KERNEL_ARG_ADDRESS_LOCAL) {
            object.bytes = argument->bytes;
            object.base = aligned_alloc(LINE, (argument->bytes + LINE) / LINE * LINE);
        } else if (argument->shared) {
            object = shared_object(copies, argument);
        } else {
            object = object_of(copies, queue, argument);
        }
        run->job.arguments[i] = argument->shared
                                    ? (uint64_t)(uintptr_t)argument->pointer
                                    : value_of(argument, &object);
        run->job.objects[run->job.object_count++] = object;
    }
    bind_reached(copies, run, kernel);
    for (size_t i = 0; i < code->object_count; i++) {
        run->job.objects[run->job.object_count++] = code->objects[i];
        run->model.whole |= code->objects[i].space == GLOBAL;
    }
}

static void forget_all(struct copies *copies) {
    while (copies->count > 0) {
        const struct copy *copy = &copies->all[--copies->count];
        block_give(copy->bytes, copy->size);
    }
    free(copies->all);
    copies->all = NULL;
}

void copies_release(struct copies *copies, struct run *run, bool keep) {
    const size_t own = run->job.object_count - run->job.code->object_count;
    for (size_t i = 0; i < own; i++)
        if (run->job.objects[i].space == LOCAL)
            free(run->job.objects[i].base);
        else
            free((struct image *)(uintptr_t)run->job.objects[i].image);
    free(run->job.objects);
    free(run->job.arguments);
    for (size_t i = 0; i < copies->count; i++)
        if (copies->all[i].shared)
            exchange(copies, &copies->all[i]);
    if (!keep)
        forget_all(copies);
}

void copies_put_back(struct copies *copies, cl_command_queue queue) {
    clFinish(queue);
    for (size_t i = copies->count; i-- > 0;)
        if (!put_back(&copies->all[i], queue))
            lens_die("cannot write to a buffer" HINT "--instead replaces its contents");
    forget_all(copies);
}

/* Floats may differ in their last bits: mathematical functions do. */
static bool agree(const char *one, const char *other, bool floats) {
    float x, y;
    memcpy(&x, one, sizeof x);
    memcpy(&y, other, sizeof y);
    const float sum = (x < 0 ? -x : x) + (y < 0 ? -y : y),
                apart = x < y ? y - x : x - y;
    return memcmp(one, other, sizeof x) == 0 ||
           (floats && ((x != x && y != y) || apart <= 1e-6f * sum));
}

static void report_difference(size_t words, size_t first) {
    char report[96];
    snprintf(report, sizeof report,
             "error: %zu words differ from the device's, first %zu\n", words, first);
    if (!rows_wanted()) {
        fputs(report, view.out);
        return;
    }
    row_begin("difference");
    row_text("kind", "from the device");
    row_number("words", words);
    row_number("first_word", first);
    row_text("report", report);
    row_end();
}

bool copies_agree(struct copies *copies, cl_command_queue queue) {
    bool all_agree = true;
    for (size_t c = copies->count; c-- > 0;) {
        const struct copy *copy = &copies->all[c];
        char *found = lens_allocate(copy->size + 1, 1);
        size_t differ = 0, first = 0;
        fill(copy, queue, found);
        for (size_t i = copy->size / WORD; i-- > 0;)
            if (!agree(found + i * WORD, copy->bytes + i * WORD, copy->floats)) {
                differ++;
                first = i;
            }
        if (differ)
            report_difference(differ, first);
        all_agree &= differ == 0;
        free(found);
    }
    forget_all(copies);
    return all_agree;
}
