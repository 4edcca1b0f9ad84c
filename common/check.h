/* check: stop with a message worth reading. */
#ifndef CHECK_H
#define CHECK_H

#include "driver/crash.h"

#include <CL/cl.h>
#include <stdio.h>

/* What a step's exit status means. */
enum { RIGHT = 0, WRONG = 1, CANNOT_RUN = 2, SKIPPED = 77 };

/* Begins the line of advice at the end of a message. */
#define HINT "\n  hint    "

/* CHECK(clFinish(queue)) stops the program, naming the call, unless it succeeds; if it
 * does not return, see driver/crash.h. */
#define CHECK(call) (call_begins(#call), check_status(call_ends(call), #call))

/* The same for a status that a call hands back through a pointer. */
void check_status(cl_int status, const char *what);

/* The name of an OpenCL status, such as CL_INVALID_VALUE, and its usual cause. */
const char *status_name(cl_int status);
const char *status_cause(cl_int status);

/* Prints "error: " and the message, then ends with CANNOT_RUN.  Control characters of
 * the message, and bytes that are no UTF-8, are shown as \x1b: they come from a broken
 * file, and a terminal would obey them. */
_Noreturn __attribute__((format(printf, 1, 2))) void die(const char *format, ...);

/* The same with "skipped: " and SKIPPED. */
_Noreturn __attribute__((format(printf, 1, 2))) void skip(const char *format, ...);

/* Stops the program if what was printed has not arrived, as on a full disk. */
void check_printed(FILE *out);

#endif
