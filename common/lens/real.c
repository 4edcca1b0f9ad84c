/* real: finds the OpenCL functions that the lens intercepts. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "real.h"
#include "memory.h"

#include <dlfcn.h>
#include <string.h>

void find_real(void *function, const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        lens_die("the program has no %s" HINT "is it linked with libOpenCL?", name);
    memcpy(function, &found, sizeof found);
}
