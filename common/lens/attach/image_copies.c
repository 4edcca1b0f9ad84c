/* image_copies: see image_copies.h. */
#include "image_copies.h"
#include "base/memory.h"

#include <stdlib.h>

static size_t number_of(cl_mem memory, cl_image_info what) {
    size_t number = 0;
    clGetImageInfo(memory, what, sizeof number, &number, NULL);
    return number ? number : 1;
}

static void set_kind(struct image *image, cl_mem_object_type kind) {
    image->layered =
        kind == CL_MEM_OBJECT_IMAGE1D_ARRAY || kind == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    image->dimensions = kind == CL_MEM_OBJECT_IMAGE3D         ? 3
                        : kind == CL_MEM_OBJECT_IMAGE2D       ? 2
                        : kind == CL_MEM_OBJECT_IMAGE2D_ARRAY ? 2
                                                              : 1;
}

bool image_describe(cl_mem memory, struct image *image) {
    cl_mem_object_type kind = 0;
    cl_image_format format = {0, 0};
    clGetMemObjectInfo(memory, CL_MEM_TYPE, sizeof kind, &kind, NULL);
    clGetImageInfo(memory, CL_IMAGE_FORMAT, sizeof format, &format, NULL);
    *image = (struct image){.order = format.image_channel_order,
                            .type = format.image_channel_data_type,
                            .size = {number_of(memory, CL_IMAGE_WIDTH), 1, 1}};
    set_kind(image, kind);
    if (image->dimensions > 1)
        image->size[1] = number_of(memory, CL_IMAGE_HEIGHT);
    if (image->dimensions > 2)
        image->size[2] = number_of(memory, CL_IMAGE_DEPTH);
    if (image->layered)
        image->size[image->dimensions] = number_of(memory, CL_IMAGE_ARRAY_SIZE);
    return image_measure(image);
}

size_t image_wanted_bytes(const cl_image_format *format, const cl_image_desc *shape) {
    if (!format || !shape || shape->buffer)
        return 0;
    struct image image = {.order = format->image_channel_order,
                          .type = format->image_channel_data_type,
                          .size = {shape->image_width, 1, 1}};
    set_kind(&image, shape->image_type);
    if (image.dimensions > 1)
        image.size[1] = shape->image_height;
    if (image.dimensions > 2)
        image.size[2] = shape->image_depth;
    if (image.layered)
        image.size[image.dimensions] = shape->image_array_size;
    return image_measure(&image) ? image_host_bytes(&image) : 0;
}

bool image_read(cl_command_queue queue, cl_mem memory, const struct image *image) {
    const size_t origin[3] = {0, 0, 0};
    char *host = lens_allocate(image_host_bytes(image), 1);
    const bool done = clEnqueueReadImage(queue, memory, CL_TRUE, origin, image->size, 0,
                                         0, host, 0, NULL, NULL) == CL_SUCCESS;
    if (done)
        image_from_host(image, host);
    free(host);
    return done;
}

bool image_write(cl_command_queue queue, cl_mem memory, const struct image *image) {
    const size_t origin[3] = {0, 0, 0};
    char *host = lens_allocate(image_host_bytes(image), 1);
    image_to_host(image, host);
    const bool done = clEnqueueWriteImage(queue, memory, CL_TRUE, origin, image->size,
                                          0, 0, host, 0, NULL, NULL) == CL_SUCCESS;
    free(host);
    return done;
}

unsigned sampler_bits(cl_sampler sampler) {
    cl_bool normalized = CL_FALSE;
    cl_addressing_mode address = CL_ADDRESS_NONE;
    cl_filter_mode filter = CL_FILTER_NEAREST;
    clGetSamplerInfo(sampler, CL_SAMPLER_NORMALIZED_COORDS, sizeof normalized,
                     &normalized, NULL);
    clGetSamplerInfo(sampler, CL_SAMPLER_ADDRESSING_MODE, sizeof address, &address,
                     NULL);
    clGetSamplerInfo(sampler, CL_SAMPLER_FILTER_MODE, sizeof filter, &filter, NULL);
    return (normalized ? 1u : 0u) | (address - CL_ADDRESS_NONE) << 1 |
           (filter == CL_FILTER_LINEAR ? 0x20u : 0x10u);
}
