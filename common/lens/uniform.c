/* uniform: a value is the same for all work-items if it is computed of constants, of
 * plain arguments and of the launch's size alone:
 *
 *     %n = load i32, ptr %1          by lens_call_<kernel>, which reads the arguments
 *     %twice = shl i32 %n, 1         the same for all, because %n and 1 are
 *     store i32 %twice, ptr %found   so that all write one value
 *
 * What is loaded from the kernel's memory is not, and neither is what a loop or a
 * branch may change (a phi), even where it happens to be. */
#include "uniform.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

static const char argument[] = "%lens_a"; /* of the function that calls the kernel */
static const char name_characters[] = "abcdefghijklmnopqrstuvwxyz"
                                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._$-";

static size_t name_length(const char *name) {
    return 1 + strspn(name + 1, name_characters);
}

void uniform_end(struct uniform *uniform) {
    free(uniform->names);
    *uniform = (struct uniform){.count = 0};
}

void uniform_begin(struct uniform *uniform) {
    uniform_end(uniform);
    *GROW(uniform->names, uniform->count) = argument;
}

static bool is_known(const struct uniform *uniform, const char *name) {
    const size_t length = name_length(name);
    for (size_t i = 0; i < uniform->count; i++)
        if (strncmp(uniform->names[i], name, length) == 0 &&
            name_length(uniform->names[i]) == length)
            return true;
    return false;
}

bool uniform_are(const struct uniform *uniform, const char *text, const char *end) {
    for (const char *p = text; p < end && (p = strchr(p, '%')) && p < end; p++)
        if (!is_known(uniform, p))
            return false;
    return true;
}

/* Does the result follow from the values in the line alone? */
static bool follows(const char *operation) {
    static const char *const others[] = {"load ", "phi ", "alloca ", "atomicrmw ",
                                         "cmpxchg "};
    static const char *const calls[] = {"@llvm.",
                                        "@lens_global_size(",
                                        "@lens_global_offset(",
                                        "@lens_enqueued_local_size(",
                                        "@lens_num_groups(",
                                        "@lens_work_dim("};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(operation, others[i], strlen(others[i])) == 0)
            return false;
    if (!strstr(operation, "call "))
        return true;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strstr(operation, calls[i]))
            return true;
    return false;
}

void uniform_line(struct uniform *uniform, const char *line, bool given) {
    static const char equals[] = " = ";
    const char *name = line + strspn(line, " ");
    const char *operation = *name == '%' ? strstr(name, equals) : NULL;
    if (!operation)
        return;
    operation += strlen(equals);
    if (given || (follows(operation) &&
                  uniform_are(uniform, operation, operation + strlen(operation))))
        *GROW(uniform->names, uniform->count) = name;
}
