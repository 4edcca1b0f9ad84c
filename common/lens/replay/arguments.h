/* arguments: those of a kernel: what they are called, where they lie, what they are. */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <stdbool.h>
#include <stdio.h>

enum { MAX_ARGUMENTS = 64, MAX_NAME = 128 };
enum { SPARE = 64 }; /* bytes behind an argument: it may be read in larger pieces */

struct argument {
    cl_kernel_arg_address_qualifier space;
    bool written; /* an image that the kernel may only write */
    char name[MAX_NAME], type[MAX_NAME];
    size_t bytes;
    char *value; /* NULL: local memory of `bytes` bytes, or not set */
    bool set;
    bool shared; /* it is `pointer`, into shared virtual memory (svm.h) */
    char *pointer;
};

/* Does the replay know arguments of this type?  Pipes it does not. */
bool argument_is_modelled(const struct argument *argument);

/* Images are arguments in global memory by their space alone; samplers are private, and
 * their value is their bits, an unsigned int. */
bool argument_is_image(const struct argument *argument);
bool argument_is_sampler(const struct argument *argument);

/* Writes OpenCL C on one line that calls the kernel with arguments from an array of
 * addresses; nothing if one of them is not modelled. */
void arguments_write_caller(FILE *out, const char *kernel,
                            const struct argument *arguments, cl_uint count);

/* "n=4096 stride=2": those that are plain numbers; the caller frees it. */
char *arguments_in_words(const struct argument *arguments, cl_uint count);

#endif
