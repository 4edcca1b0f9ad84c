/* cuda_kernel: LLVM's text form says of a kernel, with all that debuggers know,
 *
 *     @lens_chosen = ... global ptr @_Z5scalefPf
 *     define ... @_Z5scalefPf(float %0, ptr %1) section "lens_kernel" !dbg !74 {
 *     !74 = distinct !DISubprogram(name: "scale", linkageName: "_Z5scalefPf", ...)
 *     !76 = !DILocalVariable(name: "by", arg: 1, scope: !74, ..., type: !11)
 *     !11 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
 *
 * Source: LLVM Language Reference Manual, "Specialized Metadata Nodes". */
#define _GNU_SOURCE /* strdup */
#include "cuda_kernel.h"
#include "base/memory.h"
#include "base/starts.h"
#include "code/llvm.h"
#include "types.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void cuda_write_choice(FILE *out, const char *kernel) {
    fprintf(out, "__device__ __attribute__((used)) auto lens_chosen = &%s;\n", kernel);
}

/* ---- Types. */

/* "uint4", a structure of four numbers in CUDA; three of them have no padding there, so
 * that they are numbers one after another; a class with its own name otherwise. */
static void name_structure(char name[MAX_NAME], const char *type) {
    static const struct {
        const char *cuda, *opencl;
    } vectors[] = {{"char", "char"},     {"uchar", "uchar"},
                   {"short", "short"},   {"ushort", "ushort"},
                   {"int", "int"},       {"uint", "uint"},
                   {"long", "long"},     {"ulong", "ulong"},
                   {"longlong", "long"}, {"ulonglong", "ulong"},
                   {"float", "float"},   {"double", "double"},
                   {"__half", "half"},   {"__nv_bfloat16", "bfloat"}};
    char text[MAX_NAME] = "";
    type_copy_name(text, sizeof text, type);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        const char *numbers = text + strlen(vectors[i].cuda);
        if (!starts(text, vectors[i].cuda) || strlen(numbers) > 1)
            continue;
        const bool is_vector = *numbers == '2' || *numbers == '4';
        snprintf(name, MAX_NAME, "%s%s", vectors[i].opencl, is_vector ? numbers : "");
        return;
    }
    snprintf(name, MAX_NAME, "struct %.*s", MAX_NAME - 8, text);
}

/* What is behind names for types, const and volatile; is it const? */
static const char *plain_type(const struct text *text, const char *type,
                              bool *constant) {
    for (unsigned depth = 0; type && depth < TYPES_DEEPEST; depth++) {
        *constant |= type_is(type, "const_type");
        if (!type_is(type, "typedef") && !type_is(type, "const_type") &&
            !type_is(type, "volatile_type") && !type_is(type, "restrict_type"))
            return type;
        type = llvm_refers(text, type, "baseType: !");
    }
    return type;
}

static void name_type(char name[MAX_NAME], const char *type) {
    const char *number =
        type && strstr(type, "!DIBasicType(") ? type_of_number(type) : NULL;
    if (number)
        snprintf(name, MAX_NAME, "%s", number);
    else if (type && type_is(type, "enumeration_type"))
        snprintf(name, MAX_NAME, "enum");
    else if (type && !type_is(type, "pointer_type"))
        name_structure(name, type);
    else
        snprintf(name, MAX_NAME, type ? "ulong" : "uchar"); /* a pointer; void */
}

static void read_type(const struct text *text, struct signature *signature, cl_uint i,
                      const char *type) {
    struct argument *argument = &signature->arguments[i];
    bool constant = false;
    type = plain_type(text, type, &constant);
    argument->space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
    if (!type || !type_is(type, "pointer_type")) {
        name_type(argument->type, type);
        return;
    }
    argument->space = CL_KERNEL_ARG_ADDRESS_GLOBAL;
    constant = false;
    type = plain_type(text, llvm_refers(text, type, "baseType: !"), &constant);
    name_type(argument->type, type);
    strncat(argument->type, "*", MAX_NAME - strlen(argument->type) - 1);
    signature->constant[i] = constant;
}

/* ---- Kernels. */

/* "reduce<256U>" is what debuggers call reduce<256>. */
static void copy_as_written(char name[MAX_NAME], const char *described) {
    size_t length = 0;
    for (const char *p = described; *p && length < MAX_NAME - 1; p++) {
        const bool is_suffix =
            strchr("UL", *p) && p > described && isdigit((unsigned char)p[-1]);
        if (is_suffix)
            p += strspn(p, "UL") - 1;
        else
            name[length++] = *p;
    }
    name[length] = '\0';
}

static void read_argument(const struct text *text, struct signature *signature,
                          const char *variable) {
    const size_t number = llvm_number(variable, "arg: ", 0);
    if (number == 0)
        return; /* a variable of the kernel's own */
    struct argument *argument = signature_argument(signature, number - 1);
    type_copy_name(argument->name, sizeof argument->name, variable);
    read_type(text, signature, (cl_uint)number - 1,
              llvm_refers(text, variable, " type: !"));
}

/* `raw` is the text itself from this line on. */
static struct signature read_kernel(const struct text *text, const char *line,
                                    const char *raw) {
    struct signature signature = {.dimensions = signature_dimensions(raw)};
    const char *name = strchr(line, '@') + 1,
               *described = llvm_refers(text, line, " !dbg !");
    char *linkage = llvm_name(name, strcspn(name, "("));
    snprintf(signature.linkage, sizeof signature.linkage, "%s", linkage);
    free(linkage);
    if (described)
        type_copy_name(signature.described, sizeof signature.described, described);
    copy_as_written(signature.name, signature.described);
    char scope[32];
    snprintf(scope, sizeof scope, "scope: !%zu,", llvm_number(line, " !dbg !", 0));
    for (size_t i = 0; i < text->metadata_count; i++) {
        const char *variable = text->metadata[i];
        if (variable && strstr(variable, "!DILocalVariable(") &&
            strstr(variable, scope))
            read_argument(text, &signature, variable);
    }
    return signature;
}

static bool is_kernel(const char *line) {
    return starts(line, "define ") && strstr(line, " section \"lens_kernel\"");
}

struct signatures cuda_signatures(const char *text) {
    struct signatures found = {NULL, 0};
    char *copy = strdup(text);
    struct text split = llvm_split(copy);
    for (size_t i = 0; i < split.count; i++) {
        const char *line = split.lines[i];
        if (is_kernel(line))
            *GROW(found.all, found.count) =
                read_kernel(&split, line, text + (line - copy));
    }
    llvm_free(&split);
    free(copy);
    return found;
}

bool cuda_chosen(const char *text, struct signature *signature) {
    static const char head[] = "\n@lens_chosen = ", mark[] = "global ptr @";
    const char *line = strstr(text, head), *begin = line ? strstr(line, mark) : NULL;
    if (!begin)
        return false;
    begin += strlen(mark);
    char *name = llvm_name(begin, strcspn(begin, ",\n"));
    struct signatures all = cuda_signatures(text);
    bool found = false;
    for (size_t i = 0; i < all.count && !found; i++)
        if (strcmp(all.all[i].linkage, name) == 0) {
            *signature = all.all[i];
            found = true;
        }
    free(all.all);
    free(name);
    return found;
}

void cuda_write_caller(FILE *out, const struct signature *signature, size_t shared) {
    cuda_write_choice(out, signature->name);
    fprintf(out, "typedef decltype(&%s) lens_type;\nextern \"C\" {\n", signature->name);
    if (shared > 0)
        fprintf(
            out,
            "__shared__ __attribute__((used, aligned(16))) char lens_shared[%zu];\n",
            shared);
    fputs("__device__ void lens_kernel(", out);
    for (cl_uint i = 0; i < signature->count; i++)
        fprintf(out, "%slens_argument<%u, lens_type>::type", i ? ", " : "", i);
    fprintf(
        out,
        ") __asm__(\"%s\");\n"
        "__device__ void lens_call(unsigned long *lens_a) __asm__(\"lens_call_%s\");\n"
        "__device__ void lens_call(unsigned long *lens_a) { lens_kernel(",
        signature->linkage, signature->name);
    for (cl_uint i = 0; i < signature->count; i++)
        fprintf(
            out, "%s%s(lens_argument<%u, lens_type>::type%s)lens_a[%u]", i ? ", " : "",
            signature->arguments[i].space == CL_KERNEL_ARG_ADDRESS_PRIVATE ? "*" : "",
            i,
            signature->arguments[i].space == CL_KERNEL_ARG_ADDRESS_PRIVATE ? " *" : "",
            i);
    fputs("); }\n}\n", out);
}
