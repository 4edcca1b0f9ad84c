/* arguments: writes those of a kernel as OpenCL C, and in words. */
#define _GNU_SOURCE /* open_memstream */
#include "arguments.h"

#include <string.h>

/* ---- Callers, such as
 * "void lens_call_f(ulong *lens_a) { f((global void *)lens_a[0]); }". */
bool argument_is_modelled(const struct argument *argument) {
    static const char *const unsupported[] = {"image", "sampler", "pipe", "queue",
                                              "event"};
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++)
        if (strncmp(argument->type, unsupported[i], strlen(unsupported[i])) == 0)
            return false;
    return true;
}

void arguments_write_caller(FILE *out, const char *kernel,
                            const struct argument *arguments, cl_uint count) {
    for (cl_uint i = 0; i < count; i++)
        if (!argument_is_modelled(&arguments[i]))
            return;
    fprintf(out, "void lens_call_%s(ulong *lens_a) { %s(", kernel, kernel);
    for (cl_uint i = 0; i < count; i++) {
        const struct argument *argument = &arguments[i];
        const cl_uint space = argument->space;
        if (space == CL_KERNEL_ARG_ADDRESS_PRIVATE)
            fprintf(out, "%s*(private %s *)lens_a[%u]", i ? ", " : "", argument->type,
                    i);
        else
            fprintf(out, "%s(%s void *)lens_a[%u]", i ? ", " : "",
                    space == CL_KERNEL_ARG_ADDRESS_LOCAL      ? "local"
                    : space == CL_KERNEL_ARG_ADDRESS_CONSTANT ? "constant"
                                                              : "global",
                    i);
    }
    fputs("); }\n", out);
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
        if (strcmp(type, "float") == 0)
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
            fprintf(out, "(%zu bytes)", argument->bytes);
    }
    fclose(out);
    return text;
}
