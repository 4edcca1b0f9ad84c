/* against: see against.h.  Arguments are matched by their names, so that a kernel in
 * CUDA can be set against one in OpenCL C: `float *` there is `global float *` here,
 * and an array that the one declares is an argument of the other. */
#define _GNU_SOURCE /* open_memstream */
#include "against.h"
#include "base/memory.h"
#include "call_words.h"
#include "sizes.h"

#include <stdlib.h>
#include <string.h>

static bool is_local(const struct argument *argument) {
    return argument->space == CL_KERNEL_ARG_ADDRESS_LOCAL;
}

/* Its number in a kernel's list; -1: it is not there. */
static int number_of(const struct signature *signature, const char *name) {
    for (cl_uint i = 0; i < signature->count; i++)
        if (strcmp(signature->arguments[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* Constant memory is a buffer as well. */
static bool same_space(const struct argument *one, const struct argument *other) {
    const bool is_private = one->space == CL_KERNEL_ARG_ADDRESS_PRIVATE;
    return is_local(one) == is_local(other) &&
           is_private == (other->space == CL_KERNEL_ARG_ADDRESS_PRIVATE);
}

/* `uint` in OpenCL C is what CUDA calls `unsigned int`, so the numbers count. */
static bool same_type(const struct argument *one, const struct argument *other) {
    const struct object first = {.type = one->type}, second = {.type = other->type};
    const struct element_type own = element_type(&first), its = element_type(&second);
    if (!own.name || !its.name)
        return strcmp(one->type, other->type) == 0;
    return own.kind == its.kind && own.bytes == its.bytes && own.lanes == its.lanes;
}

static _Noreturn void refuse(const struct single *single, const struct argument *own,
                             const struct single *other, const struct argument *its) {
    static const char hint[] =
        "both must have the same arguments, apart from local memory";
    if (!its)
        lens_die("%s of %s has an argument %s %s, and that of %s has none" HINT "%s",
                 single->signature.name, single->version->file, own->type, own->name,
                 other->version->file, hint);
    lens_die("%s is of type %s in %s, and of type %s in %s" HINT "%s", own->name,
             own->type, single->version->file, its->type, other->version->file, hint);
}

static void check_arguments(const struct single *single, const struct single *other) {
    for (cl_uint i = 0; i < single->signature.count; i++) {
        const struct argument *own = &single->signature.arguments[i];
        const int number = number_of(&other->signature, own->name);
        const struct argument *its =
            number < 0 ? NULL : &other->signature.arguments[number];
        if (its ? !same_space(own, its) || !same_type(own, its) : !is_local(own))
            refuse(single, own, other, its);
    }
}

void against_check(const struct single *before, const struct single *after) {
    check_arguments(after, before);
    check_arguments(before, after);
}

/* A template's arguments mean nothing in OpenCL C: there, reduce<256> is reduce. */
void against_name(char name[MAX_NAME], const struct single *after, enum language in) {
    snprintf(name, MAX_NAME, "%s", after->signature.name);
    if (in == OPENCL_C)
        name[strcspn(name, "<")] = '\0';
}

void against_range(struct single *before, const struct single *after,
                   const char *build) {
    struct job *job = &before->run.job;
    const size_t *required = before->signature.required;
    job->dimensions = after->run.job.dimensions;
    job->local_chosen = after->run.job.local_chosen && !required[0];
    memcpy(job->global, after->run.job.global, sizeof job->global);
    memcpy(job->local, required[0] ? required : after->run.job.local,
           sizeof job->local);
    range_check(job, build, required);
}

/* Random numbers are those of the argument that has the same name. */
void against_data(struct single *before, const struct single *after) {
    for (cl_uint i = 0; i < before->signature.count; i++) {
        const int number =
            number_of(&after->signature, before->signature.arguments[i].name);
        if (number >= 0)
            before->slots[i].seed = after->slots[number].seed;
    }
}

static char *launch_in_words(const struct single *single) {
    char *words = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&words, &bytes);
    call_print(single, out, false);
    call_print_range(single, out);
    fclose(out);
    return words;
}

void against_print(const struct single *before, const struct single *after, FILE *out) {
    char *own = launch_in_words(before), *other = launch_in_words(after);
    fprintf(out, "before   %s\n", before->version->file);
    if (strcmp(own, other) != 0)
        fprintf(out, "         %s\n", own);
    fprintf(out, "after    %s\n", after->version->file);
    free(own);
    free(other);
}
