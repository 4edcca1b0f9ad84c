/* backend: a device that shares some work with others, and may fail.
 *
 * Elsewhere a call that fails ends the program.  Here it must end the part of one
 * device only, so the functions return the status of the first call that failed. */
#ifndef BACKEND_H
#define BACKEND_H

#include "kernel.h"

/* TRY(clFinish(queue)) returns the call's status from the function around it, unless
 * the call succeeds. */
#define TRY(call)                                                                      \
    do {                                                                               \
        const cl_int status_ = (call);                                                 \
        if (status_ != CL_SUCCESS)                                                     \
            return status_;                                                            \
    } while (0)

enum { MAX_BACKENDS = 16 };

struct backend {
    struct device device;
    cl_program program; /* the step's kernel file, compiled for this device */
    bool is_part;       /* a CPU's part, which counts as a device of its own */
    cl_int status;      /* of opening it */
};

/* Opens the devices that options->device names, or all of the machine, MAX_BACKENDS at
 * most, each with a context and a program of its own.  A CPU is divided into `parts`
 * parts, as far as it has compute units; 0 means 2 if it is alone, and else 1.  Returns
 * how many there are.  A kernel file that does not compile is no device's fault, and an
 * error. */
size_t backends_open(struct backend backends[MAX_BACKENDS],
                     const struct options *options, size_t parts);
void backends_close(struct backend *backends, size_t count);

#endif
