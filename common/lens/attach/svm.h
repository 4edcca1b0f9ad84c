/* svm: the program's shared virtual memory: allocations that host and kernels reach by
 * the same addresses, so that pointers may stand in them.  The caller holds the lock of
 * intercept.c. */
#ifndef SVM_H
#define SVM_H

#include "code/code.h"

struct svm {
    char *base;
    size_t bytes;
    char name[32];        /* "SVM 2": the second that the program made */
    struct object object; /* as a replay sees it */
};

/* The program allocated this memory; it freed what begins there. */
void svm_add(void *memory, size_t bytes);
void svm_remove(const void *memory);

/* The allocation that holds an address; NULL: none does.  It stays valid. */
const struct svm *svm_at(const void *address);

/* The same, as a replay asks for it (struct job). */
const struct object *svm_object_at(const void *address);

#endif
