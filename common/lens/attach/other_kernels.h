/* other_kernels: replays a launch again with the kernels of other files, beside the
 * program's own (--ours, --mistake, --each). */
#ifndef OTHER_KERNELS_H
#define OTHER_KERNELS_H

#include "programs.h"

/* The program at the file of --instead, or at that of --ours. */
struct program *file_beside(const struct kernel *kernel, size_t file);

/* Compares the program's kernel with ours and with known mistakes. */
void beside_compare(const struct kernel *kernel, const struct run *own,
                    cl_command_queue queue);

/* --each: compares every file with the program's kernel, which must be ours and right;
 * a mistake in it is an error. */
void beside_compare_each(const struct kernel *kernel, const struct run *ours,
                         cl_command_queue queue);

/* Of a launch in which the program's own kernel went on for too long: does ours, too?
 * Then the launch is long, and nothing is wrong with the kernel. */
bool beside_is_long(const struct kernel *kernel, const struct run *own,
                    cl_command_queue queue);

#endif
