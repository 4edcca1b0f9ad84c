/* vocabulary: OpenCL's words for what a kernel is made of, or CUDA's. */
#ifndef VOCABULARY_H
#define VOCABULARY_H

#include <stdbool.h>

/* From now on the words are CUDA's, or OpenCL's, which they are at first. */
void vocabulary_use(bool of_cuda);

/* A word or a sentence that OpenCL's words are in, in the words that are used: "block"
 * for "group".  One that the list in vocabulary.c does not have stays as it is. */
const char *term(const char *opencl);

bool vocabulary_is_cuda(void);

#endif
