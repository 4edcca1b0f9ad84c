/* uniform: a value is the same for all work-items if it is computed of constants, of
 * plain arguments and of the launch's size alone:
 *
 *     %n = load i32, ptr %1          by lens_call_<kernel>, which reads the arguments
 *     %twice = shl i32 %n, 1         the same for all, because %n and 1 are
 *     store i32 %twice, ptr %found   so that all write one value
 *
 * What is loaded from one address is the same for all items of a group: if another one
 * could change it meanwhile, that is a race of its own.  Other groups may find another
 * value there.  What a loop or a branch may change (a phi) is not known to be the same,
 * even where it happens to be. */
#include "uniform.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const char argument[] = "%lens_a"; /* of the function that calls the kernel */
static const char name_characters[] = "abcdefghijklmnopqrstuvwxyz"
                                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._$-";

static size_t name_length(const char *name) {
    return 1 + strspn(name + 1, name_characters);
}

void uniform_end(struct uniform *uniform) {
    free(uniform->all);
    *uniform = (struct uniform){.count = 0};
}

void uniform_begin(struct uniform *uniform) {
    uniform_end(uniform);
    *GROW(uniform->all, uniform->count) = (struct same){argument, ONE_OF_LAUNCH};
}

static enum stored value_named(const struct uniform *uniform, const char *name) {
    const size_t length = name_length(name);
    for (size_t i = 0; i < uniform->count; i++)
        if (strncmp(uniform->all[i].name, name, length) == 0 &&
            name_length(uniform->all[i].name) == length)
            return uniform->all[i].value;
    return VARIES;
}

enum stored uniform_of(const struct uniform *uniform, const char *text,
                       const char *end) {
    enum stored all = CONSTANT_VALUE;
    for (const char *p = text; p < end && (p = strchr(p, '%')) && p < end; p++) {
        const enum stored one = value_named(uniform, p);
        all = one < all ? one : all;
    }
    return all;
}

static bool is_one_of(const char *operation, const char *const *calls, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strstr(operation, calls[i]))
            return true;
    return false;
}

/* What the result is at most, if the values in the line are the same. */
static enum stored at_most(const char *operation) {
    static const char *const others[] = {"load volatile ", "load atomic ", "phi ",
                                         "alloca ",        "atomicrmw ",   "cmpxchg "};
    static const char *const of_launch[] = {
        "@llvm.",          "@lens_global_size(", "@lens_global_offset(",
        "@lens_work_dim(", "@lens_num_groups(",  "@lens_enqueued_local_size("};
    static const char *const of_group[] = {"@lens_group_id(", "@lens_local_size("};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(operation, others[i], strlen(others[i])) == 0)
            return VARIES;
    if (strncmp(operation, "load ", strlen("load ")) == 0)
        return ONE_OF_GROUP;
    if (!strstr(operation, "call ") ||
        is_one_of(operation, of_launch, sizeof of_launch / sizeof *of_launch))
        return ONE_OF_LAUNCH;
    return is_one_of(operation, of_group, sizeof of_group / sizeof *of_group)
               ? ONE_OF_GROUP
               : VARIES;
}

void uniform_line(struct uniform *uniform, const char *line, bool given) {
    static const char equals[] = " = ";
    const char *name = line + strspn(line, " ");
    const char *operation = *name == '%' ? strstr(name, equals) : NULL;
    if (!operation)
        return;
    operation += strlen(equals);
    const enum stored most = at_most(operation);
    const enum stored operands =
        uniform_of(uniform, operation, operation + strlen(operation));
    const enum stored value = given ? ONE_OF_LAUNCH : operands < most ? operands : most;
    if (value != VARIES)
        *GROW(uniform->all, uniform->count) = (struct same){name, value};
}
