/* device_macros: what the device's own compiler defines. */
#ifndef DEVICE_MACROS_H
#define DEVICE_MACROS_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

/* Lines with #define and #undef: after them, the conditions of a source mean in the
 * replay what they mean on the device of a program.  "": there is nothing to say, or
 * the device's compiler does not answer.  The caller frees them. */
char *device_macros(cl_program program, const char *build_options, const char *source);

#endif
