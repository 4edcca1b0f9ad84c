/* copies: a replay works on copies of the launch's buffers and images.  Parts of one
 * buffer share its copy.  Shared virtual memory may hold pointers into itself, so the
 * replay works on that memory itself, while what it held is kept; afterwards it holds
 * that again. */
#ifndef COPIES_H
#define COPIES_H

#include "image_copies.h"
#include "programs.h"

struct copy {
    cl_mem buffer; /* or `shared`, the memory itself */
    char *shared;
    char *bytes;
    size_t size;
    bool floats; /* rather than whole numbers */
    bool is_image;
    struct image image; /* if it is one; its texels are `bytes` */
};

struct copies {
    struct copy *all;
    size_t count;
    cl_command_queue queue; /* of the launch */
};

/* Gives a replay its arguments and the memory that it may touch: copies of the buffers
 * as they are now, local memory, and the arrays of the file. */
void copies_bind(struct copies *copies, struct run *run, const struct kernel *kernel,
                 cl_command_queue queue);

/* Releases that memory, and unless they are kept the copies as well. */
void copies_release(struct copies *copies, struct run *run, bool keep);

/* Overwrites the buffers with the copies, and releases them.  A failed write is an
 * error. */
void copies_put_back(struct copies *copies, cl_command_queue queue);

/* Compares the copies with the buffers after the launch, prints the first difference of
 * each, and releases them.  True: all agree. */
bool copies_agree(struct copies *copies, cl_command_queue queue);

#endif
