/* svm: remembers allocations of shared virtual memory. */
#include "svm.h"
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>

static struct {
    struct svm **all;
    size_t count, made;
} known;

/* Its description may be in use by a report, so it is never freed. */
static void forget(size_t i) {
    known.all[i] = known.all[--known.count];
}

/* What was freed in a way that we do not see may be given out again. */
void svm_add(void *memory, size_t bytes) {
    char *base = memory;
    for (size_t i = known.count; i-- > 0;)
        if (known.all[i]->base < base + bytes &&
            base < known.all[i]->base + known.all[i]->bytes)
            forget(i);
    struct svm *svm = lens_allocate(1, sizeof *svm);
    *svm = (struct svm){.base = base, .bytes = bytes};
    snprintf(svm->name, sizeof svm->name, "SVM %zu", ++known.made);
    svm->object = (struct object){
        .name = svm->name, .space = GLOBAL, .base = base, .bytes = bytes};
    *GROW(known.all, known.count) = svm;
}

void svm_remove(const void *memory) {
    for (size_t i = 0; i < known.count; i++)
        if (known.all[i]->base == memory) {
            forget(i);
            return;
        }
}

const struct svm *svm_at(const void *address) {
    for (size_t i = 0; i < known.count; i++)
        if ((uintptr_t)address - (uintptr_t)known.all[i]->base < known.all[i]->bytes)
            return known.all[i];
    return NULL;
}

const struct object *svm_object_at(const void *address) {
    const struct svm *svm = svm_at(address);
    return svm ? &svm->object : NULL;
}
