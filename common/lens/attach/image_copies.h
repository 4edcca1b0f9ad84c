/* image_copies: images and samplers of the program, as the replay knows them, and what
 * images hold. */
#ifndef IMAGE_COPIES_H
#define IMAGE_COPIES_H

#include "replay/images.h"

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

/* What the host says of an image; its texels are not there yet.  False: its format is
 * not modelled. */
bool image_describe(cl_mem memory, struct image *image);

/* Its bytes, as the host keeps them, by what clCreateImage gets; 0: its format is not
 * modelled, or it is made of a buffer. */
size_t image_wanted_bytes(const cl_image_format *format, const cl_image_desc *shape);

/* Reads all texels into the image's memory; writes them back.  False: it failed. */
bool image_read(cl_command_queue queue, cl_mem memory, const struct image *image);
bool image_write(cl_command_queue queue, cl_mem memory, const struct image *image);

/* A sampler as OpenCL C's constants: CLK_FILTER_LINEAR and others. */
unsigned sampler_bits(cl_sampler sampler);

#endif
