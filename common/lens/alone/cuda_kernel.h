/* cuda_kernel: kernels in CUDA: what one wants to be launched with, and the text that
 * calls it.
 *
 * clang compiles the device's half of the file as functions of this processor. To be
 * found, the kernel that is meant is the value of a variable, lens_chosen; so a
 * template is made for the arguments that its name has, as in reduce<256>. */
#ifndef CUDA_KERNEL_H
#define CUDA_KERNEL_H

#include "signature.h"

/* Text behind the file that chooses a kernel by its name in C++. */
void cuda_write_choice(FILE *out, const char *kernel);

/* The kernels of a file, from LLVM's text form of it with all that debuggers know.
 * `text` is kept. */
struct signatures cuda_signatures(const char *text);

/* The one that was chosen; false: none was. */
bool cuda_chosen(const char *text, struct signature *signature);

/* Text behind the file that calls the kernel with the arguments that are behind the
 * pointers of an array; with so many bytes of `extern __shared__` memory. */
void cuda_write_caller(FILE *out, const struct signature *signature, size_t shared);

#endif
