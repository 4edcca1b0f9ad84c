/* next_functions: finds the OpenCL functions that the lens intercepts.  The loader has
 * told them to a layer; a library that was preloaded looks behind itself. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "next_functions.h"
#include "base/memory.h"
#include "layer.h"

#include <dlfcn.h>
#include <string.h>

void find_real(void *function, const char *name) {
    void (*const next)(void) = layer_next(name);
    void *found = next ? NULL : dlsym(RTLD_NEXT, name);
    if (!next && !found)
        lens_die("the program has no %s" HINT "is it linked with libOpenCL?", name);
    memcpy(function, next ? (const void *)&next : (const void *)&found, sizeof found);
}
