/* copies: of buffers and images before a launch; and what becomes of them after it. */
#include "copies.h"
#include "memory.h"
#include "options.h"

#include <stdlib.h>
#include <string.h>

static bool fill(const struct copy *copy, cl_command_queue queue, char *bytes) {
    struct image image = copy->image;
    image.base = bytes;
    return copy->is_image
               ? image_read(queue, copy->buffer, &image)
               : clEnqueueReadBuffer(queue, copy->buffer, CL_TRUE, 0, copy->size, bytes,
                                     0, NULL, NULL) == CL_SUCCESS;
}

/* `image` NULL: it is a buffer. */
static struct copy *copy_of(struct copies *copies, cl_command_queue queue,
                            cl_mem buffer, const struct image *image) {
    for (size_t i = 0; i < copies->count; i++)
        if (copies->all[i].buffer == buffer)
            return &copies->all[i];
    struct copy *copy = &copies->all[copies->count++];
    *copy = (struct copy){.buffer = buffer};
    if (image) {
        copy->is_image = true;
        copy->image = *image;
        copy->size = image_bytes(image);
    } else {
        clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof copy->size, &copy->size, NULL);
    }
    const size_t room = (copy->size + PAGE) / PAGE * PAGE;
    copy->bytes = aligned_alloc(PAGE, room);
    if (!copy->bytes)
        lens_die("no memory for a copy of %zu bytes" HINT "try a smaller problem",
                 copy->size);
    if (image) /* what lies between rows is always the same */
        memset(copy->bytes, 0, room);
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

void copies_bind(struct copies *copies, struct replay *replay,
                 const struct kernel *kernel, cl_command_queue queue) {
    const struct code *code = replay->code;
    replay->objects =
        lens_allocate(kernel->count + code->object_count, sizeof *replay->objects);
    replay->arguments = lens_allocate(kernel->count, sizeof *replay->arguments);
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
        } else {
            object = object_of(copies, queue, argument);
        }
        replay->arguments[i] = value_of(argument, &object);
        replay->objects[replay->object_count++] = object;
    }
    for (size_t i = 0; i < code->object_count; i++) {
        replay->objects[replay->object_count++] = code->objects[i];
        replay->whole |= code->objects[i].space == GLOBAL;
    }
}

void copies_release(struct copies *copies, struct replay *replay, bool keep) {
    const size_t own = replay->object_count - replay->code->object_count;
    for (size_t i = 0; i < own; i++)
        if (replay->objects[i].space == LOCAL)
            free(replay->objects[i].base);
        else
            free((struct image *)(uintptr_t)replay->objects[i].image);
    free(replay->objects);
    free(replay->arguments);
    while (copies->count > 0 && !keep)
        free(copies->all[--copies->count].bytes);
}

void copies_put_back(struct copies *copies, cl_command_queue queue) {
    clFinish(queue);
    while (copies->count > 0) {
        const struct copy *copy = &copies->all[--copies->count];
        const bool done =
            copy->is_image
                ? image_write(queue, copy->buffer, &copy->image)
                : clEnqueueWriteBuffer(queue, copy->buffer, CL_TRUE, 0, copy->size,
                                       copy->bytes, 0, NULL, NULL) == CL_SUCCESS;
        if (!done)
            lens_die("cannot write to a buffer" HINT "--instead replaces its contents");
        free(copy->bytes);
    }
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

bool copies_agree(struct copies *copies, cl_command_queue queue) {
    bool all_agree = true;
    while (copies->count > 0) {
        const struct copy *copy = &copies->all[--copies->count];
        char *found = lens_allocate(copy->size + 1, 1);
        size_t differ = 0, first = 0;
        fill(copy, queue, found);
        for (size_t i = copy->size / WORD; i-- > 0;)
            if (!agree(found + i * WORD, copy->bytes + i * WORD, copy->floats)) {
                differ++;
                first = i;
            }
        if (differ)
            fprintf(options->out,
                    "error: %zu words differ from the device's, first %zu\n", differ,
                    first);
        all_agree &= differ == 0;
        free(found);
        free(copy->bytes);
    }
    return all_agree;
}
