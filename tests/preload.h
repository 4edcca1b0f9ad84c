/* preload: what libraries for LD_PRELOAD that stand between a program and OpenCL share.
 */
#ifndef LOCKSTEP_TESTS_PRELOAD_H
#define LOCKSTEP_TESTS_PRELOAD_H

#include <CL/cl.h>

#include <dlfcn.h> /* RTLD_NEXT: a library defines _GNU_SOURCE before its first include */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VISIBLE __attribute__((visibility("default")))

/* REAL(clFinish) declares real_clFinish, which the program would call without us. */
#define REAL(name)                                                                     \
    __typeof__(&name) real_##name;                                                     \
    find_real(&real_##name, #name)

/* Ends the program: a library that cannot do its work must not let a test pass. */
_Noreturn static void stop(const char *problem, const char *what) {
    fprintf(stderr, "error: " LIBRARY ": %s %s\n", problem, what);
    exit(2);
}

static void check(cl_int status, const char *call) {
    if (status != CL_SUCCESS)
        stop("OpenCL fails in", call);
}

static void find_real(void *function, const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        stop("there is no", name);
    memcpy(function, &found, sizeof found); /* C has no cast from data to functions */
}

#endif
