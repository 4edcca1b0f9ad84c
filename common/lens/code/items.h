/* items: what a file in CUDA declares, and what of that a kernel may need.
 *
 * An item is a function, a class, a variable, or what else stands between two
 * semicolons outside of all braces but those of namespaces.  The kernel needs an item
 * that declares a name which the kernel uses, or which another item does that the
 * kernel needs.  It never needs a function of the host, which no device can call. */
#ifndef ITEMS_H
#define ITEMS_H

#include <stdbool.h>
#include <stddef.h>

struct word { /* of the preprocessed text */
    const char *text;
    size_t length;
    bool declares; /* the item declares it */
};

struct item {
    const char *file;
    unsigned first, last; /* its lines */
    struct word *words;   /* all names in it */
    size_t word_count;
    bool of_host;   /* a function that runs on the host alone */
    bool of_device; /* a kernel, or what kernels call or have in memory */
    bool needed;
};

struct items {
    struct item *all;
    size_t count;
    char **files; /* their names, each once */
    size_t file_count;
};

/* Of a text that clang has preprocessed, which has to live as long, all items but those
 * of system headers. */
struct items items_read(const char *preprocessed);

/* Finds out what a kernel needs, as in "reduce<float, 256>".  Without a name, or if no
 * item is of this name, it is what any kernel may need. */
void items_find_needed(struct items *items, const char *kernel);

void items_free(struct items *items);

#endif
