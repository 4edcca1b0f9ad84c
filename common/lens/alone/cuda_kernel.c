/* cuda_kernel: LLVM's text form says of a kernel, with all that debuggers know,
 *
 *     @lens_chosen = ... global ptr @_Z5scalefPf
 *     define ... @_Z5scalefPf(float %0, ptr %1) section "lens_kernel" !dbg !74 {
 *     !74 = distinct !DISubprogram(name: "scale", linkageName: "_Z5scalefPf", ...)
 *     !76 = !DILocalVariable(name: "by", arg: 1, scope: !74, ..., type: !11)
 *     !11 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
 *
 * Source: LLVM Language Reference Manual, "Specialized Metadata Nodes". */
#define _GNU_SOURCE /* memmem */
#include "cuda_kernel.h"
#include "base/memory.h"
#include "base/starts.h"
#include "code/llvm.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 32 };

void cuda_write_choice(FILE *out, const char *kernel) {
    fprintf(out, "__device__ __attribute__((used)) auto lens_chosen = &%s;\n", kernel);
}

/* ---- Types. */
static bool is_tag(const char *type, const char *tag) {
    const char *found = strstr(type, "tag: DW_TAG_");
    return found && starts(found + strlen("tag: DW_TAG_"), tag);
}

/* Copies what stands between quotes behind `name: "`. */
static bool copy_name(char *copy, size_t room, const char *line) {
    const char *name = strstr(line, "name: \"");
    if (!name)
        return false;
    name += strlen("name: \"");
    snprintf(copy, room, "%.*s", (int)strcspn(name, "\""), name);
    return true;
}

/* The numbers' names in OpenCL C, which the rest of the lens knows. */
static const char *number_name(const char *type) {
    static const char *const names[][9] = {
        {NULL, "char", "short", NULL, "int", NULL, NULL, NULL, "long"},
        {NULL, "uchar", "ushort", NULL, "uint", NULL, NULL, NULL, "ulong"},
        {NULL, NULL, "half", NULL, "float", NULL, NULL, NULL, "double"}};
    const size_t bytes = llvm_number(type, "size: ", 0) / 8;
    const bool is_signed = strstr(type, "encoding: DW_ATE_signed") != NULL,
               is_real = strstr(type, "encoding: DW_ATE_float") != NULL;
    return bytes > 8 ? NULL : names[is_real ? 2 : !is_signed][bytes];
}

/* "uint4", a structure of four numbers in CUDA; three of them have no padding there, so
 * that they are numbers one after another; a class with its own name otherwise. */
static void name_structure(char name[MAX_NAME], const char *type) {
    static const char *const vectors[] = {"char", "uchar", "short", "ushort",
                                          "int",  "uint",  "long",  "ulong",
                                          "half", "float", "double"};
    char text[MAX_NAME] = "", *written = text;
    copy_name(text, sizeof text, type);
    if (starts(written, "__"))
        written += 2;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        const size_t letters = strlen(vectors[i]);
        if (!starts(written, vectors[i]) || strlen(written) != letters + 1)
            continue;
        if (written[letters] == '1' || written[letters] == '3')
            written[letters] = '\0';
        snprintf(name, MAX_NAME, "%s", written);
        return;
    }
    snprintf(name, MAX_NAME, "struct %.*s", MAX_NAME - 8, text);
}

/* What is behind names for types, const and volatile; is it const? */
static const char *plain_type(const struct text *text, const char *type,
                              bool *constant) {
    for (unsigned depth = 0; type && depth < DEEPEST; depth++) {
        *constant |= is_tag(type, "const_type");
        if (!is_tag(type, "typedef") && !is_tag(type, "const_type") &&
            !is_tag(type, "volatile_type") && !is_tag(type, "restrict_type"))
            return type;
        type = llvm_refers(text, type, "baseType: !");
    }
    return type;
}

static void name_type(char name[MAX_NAME], const char *type) {
    const char *number =
        type && strstr(type, "!DIBasicType(") ? number_name(type) : NULL;
    if (number)
        snprintf(name, MAX_NAME, "%s", number);
    else if (type && is_tag(type, "enumeration_type"))
        snprintf(name, MAX_NAME, "enum");
    else if (type && !is_tag(type, "pointer_type"))
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
    if (!type || !is_tag(type, "pointer_type")) {
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

/* The number behind "!dbg !" of a definition. */
static size_t number_of(const char *definition) {
    const char *found = strstr(definition, " !dbg !");
    return found ? strtoul(found + strlen(" !dbg !"), NULL, 10) : 0;
}

static void read_argument(const struct text *text, struct signature *signature,
                          const char *variable) {
    const size_t number = llvm_number(variable, "arg: ", 0);
    if (number == 0 || number > MAX_ARGUMENTS)
        return;
    struct argument *argument = &signature->arguments[number - 1];
    if (signature->count < number)
        signature->count = (cl_uint)number;
    copy_name(argument->name, sizeof argument->name, variable);
    read_type(text, signature, (cl_uint)number - 1,
              llvm_refers(text, variable, " type: !"));
}

/* In which it asks where a thread is. */
static unsigned dimensions_in(const struct text *text, size_t line) {
    unsigned dimensions = 1;
    for (size_t i = line; strcmp(text->lines[i], "}") != 0; i++)
        for (unsigned d = 1; d < 3; d++) {
            char local[64], group[64];
            snprintf(local, sizeof local, "@lens_local_id(i32 noundef %u)", d);
            snprintf(group, sizeof group, "@lens_group_id(i32 noundef %u)", d);
            if (strstr(text->lines[i], local) || strstr(text->lines[i], group))
                dimensions = d + 1 > dimensions ? d + 1 : dimensions;
        }
    return dimensions;
}

static struct signature read_kernel(const struct text *text, size_t line) {
    struct signature signature = {.dimensions = dimensions_in(text, line)};
    const char *definition = text->lines[line], *name = strchr(definition, '@') + 1;
    const size_t number = number_of(definition);
    char scope[32];
    snprintf(signature.linkage, sizeof signature.linkage, "%.*s",
             (int)strcspn(name, "("), name);
    if (number < text->metadata_count && text->metadata[number])
        copy_name(signature.described, sizeof signature.described,
                  text->metadata[number]);
    copy_as_written(signature.name, signature.described);
    snprintf(scope, sizeof scope, "scope: !%zu,", number);
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
    for (size_t i = 0; i < split.count; i++)
        if (is_kernel(split.lines[i]))
            *GROW(found.all, found.count) = read_kernel(&split, i);
    llvm_free(&split);
    free(copy);
    return found;
}

bool cuda_chosen(const char *text, struct signature *signature) {
    static const char head[] = "\n@lens_chosen = ", mark[] = "global ptr @";
    const char *line = strstr(text, head), *name = line ? strstr(line, mark) : NULL;
    if (!name)
        return false;
    name += strlen(mark);
    const size_t length = strcspn(name, ",\n");
    struct signatures all = cuda_signatures(text);
    bool found = false;
    for (size_t i = 0; i < all.count && !found; i++)
        if (strlen(all.all[i].linkage) == length &&
            strncmp(all.all[i].linkage, name, length) == 0) {
            *signature = all.all[i];
            found = true;
        }
    free(all.all);
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
