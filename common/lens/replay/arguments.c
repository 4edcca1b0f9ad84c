/* arguments: writes those of a kernel as OpenCL C, and in words. */
#define _GNU_SOURCE /* open_memstream */
#include "arguments.h"
#include "elements.h"
#include "images.h"

#include <string.h>

/* ---- Callers, such as
 * "void lens_call_f(ulong *lens_a) { f((global void *)lens_a[0]); }". */
static bool is_among(const char *type, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(type, names[i]) == 0)
            return true;
    return false;
}

bool argument_is_image(const struct argument *argument) {
    static const char *const known[] = {"image1d_t",       "image1d_buffer_t",
                                        "image1d_array_t", "image2d_t",
                                        "image2d_array_t", "image3d_t"};
    return is_among(argument->type, known, sizeof known / sizeof *known);
}

bool argument_is_sampler(const struct argument *argument) {
    return strcmp(argument->type, "sampler_t") == 0;
}

bool argument_is_modelled(const struct argument *argument) {
    static const char *const unsupported[] = {"image", "pipe", "queue", "event"};
    if (argument_is_image(argument))
        return true;
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++)
        if (strncmp(argument->type, unsupported[i], strlen(unsupported[i])) == 0)
            return false;
    return true;
}

static bool is_opaque(const struct argument *argument) {
    return argument_is_image(argument) || argument_is_sampler(argument);
}

static void write_value(FILE *out, const struct argument *argument, cl_uint i) {
    const cl_uint space = argument->space;
    if (is_opaque(argument))
        fprintf(out, "lens_%u", i);
    else if (space == CL_KERNEL_ARG_ADDRESS_PRIVATE)
        fprintf(out, "*(private %s *)lens_a[%u]", argument->type, i);
    else
        fprintf(out, "(%s void *)lens_a[%u]",
                space == CL_KERNEL_ARG_ADDRESS_LOCAL      ? "local"
                : space == CL_KERNEL_ARG_ADDRESS_CONSTANT ? "constant"
                                                          : "global",
                i);
}

/* No pointer can be cast to an image or a sampler, but a function that takes one can be
 * called as one that takes a pointer: lens_typed_f(lens_a, image, sampler).  Since the
 * kernel itself may have another calling convention, it is called by that function. */
static void write_typed(FILE *out, const char *kernel, const struct argument *arguments,
                        cl_uint count) {
    fprintf(out,
            "void lens_call_%s(ulong *lens_a); static __attribute__((always_inline)) "
            "void lens_typed_%s(ulong *lens_a",
            kernel, kernel);
    for (cl_uint i = 0; i < count; i++)
        if (is_opaque(&arguments[i]))
            fprintf(out, ", %s %s lens_%u",
                    argument_is_sampler(&arguments[i]) ? ""
                    : arguments[i].written             ? "write_only"
                                                       : "read_only",
                    arguments[i].type, i);
    fprintf(out, ") { %s(", kernel);
    for (cl_uint i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        write_value(out, &arguments[i], i);
    }
    fprintf(out, "); } void lens_call_%s(ulong *lens_a) { ((void (*)(ulong *", kernel);
    for (cl_uint i = 0; i < count; i++)
        fputs(is_opaque(&arguments[i]) ? ", private void *" : "", out);
    fprintf(out, "))(ulong)lens_typed_%s)(lens_a", kernel);
    for (cl_uint i = 0; i < count; i++)
        if (is_opaque(&arguments[i]))
            fprintf(out, ", (private void *)lens_a[%u]", i);
    fputs("); }\n", out);
}

void arguments_write_caller(FILE *out, const char *kernel,
                            const struct argument *arguments, cl_uint count) {
    bool typed = false;
    for (cl_uint i = 0; i < count; i++) {
        typed |= is_opaque(&arguments[i]);
        if (!argument_is_modelled(&arguments[i]))
            return;
    }
    if (typed) {
        write_typed(out, kernel, arguments, count);
        return;
    }
    fprintf(out, "void lens_call_%s(ulong *lens_a) { %s(", kernel, kernel);
    for (cl_uint i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        write_value(out, &arguments[i], i);
    }
    fputs("); }\n", out);
}

/* Numbers of other types, and vectors.  The name of a type that a typedef made says
 * nothing of its kind: then these are the bytes. */
static void write_other(FILE *out, const struct argument *argument) {
    const struct element_type type =
        element_type(&(const struct object){.type = argument->type});
    uint64_t bits = 0;
    if (type.name && type.lanes * type.bytes <= argument->bytes) {
        fputs(type.lanes > 1 ? "(" : "", out);
        for (size_t lane = 0; lane < type.lanes; lane++) {
            fputs(lane ? "," : "", out);
            element_print(out, &type, argument->value + lane * type.bytes);
        }
        fputs(type.lanes > 1 ? ")" : "", out);
    } else if (argument->bytes <= sizeof bits) {
        memcpy(&bits, argument->value, argument->bytes);
        fprintf(out, "0x%llx", (unsigned long long)bits);
    } else {
        fprintf(out, "(%zu bytes)", argument->bytes);
    }
}

char *arguments_in_words(const struct argument *arguments, cl_uint count) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    for (cl_uint i = 0; i < count; i++) {
        const struct argument *argument = &arguments[i];
        const char *type = argument->type, *value = argument->value;
        if (argument->space != CL_KERNEL_ARG_ADDRESS_PRIVATE || !value)
            continue;
        fprintf(out, "%s%s=", ftell(out) > 0 ? " " : "", argument->name);
        if (argument_is_sampler(argument))
            sampler_write(out, *(const unsigned *)value);
        else if (strcmp(type, "float") == 0)
            fprintf(out, "%g", (double)*(const float *)value);
        else if (strcmp(type, "double") == 0)
            fprintf(out, "%g", *(const double *)value);
        else if (strcmp(type, "int") == 0)
            fprintf(out, "%d", *(const int *)value);
        else if (strcmp(type, "uint") == 0)
            fprintf(out, "%u", *(const unsigned *)value);
        else if (strcmp(type, "long") == 0 || strcmp(type, "ulong") == 0)
            fprintf(out, "%lld", *(const long long *)value);
        else
            write_other(out, argument);
    }
    fclose(out);
    return text;
}
