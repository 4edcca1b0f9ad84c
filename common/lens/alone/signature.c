/* signature: LLVM's text form says of a kernel, in numbered lists,
 *
 *     define ... void @scale(...) !kernel_arg_addr_space !6 !kernel_arg_type !8 ... {
 *     !6 = !{i32 1, i32 0}
 *     !8 = !{!"float*", !"uint"}
 */
#define _GNU_SOURCE /* strndup */
#include "signature.h"
#include "base/memory.h"
#include "base/vocabulary.h"
#include "code/llvm.h"
#include "replay/elements.h"

#include <stdlib.h>
#include <string.h>

/* What follows "= !{" in the list that a definition gives this name; NULL: it has none.
 */
static const char *list_of(const char *text, const char *definition, const char *name) {
    char wanted[64];
    const size_t length = strcspn(definition, "\n");
    const char *tag = memmem(definition, length, name, strlen(name));
    if (!tag || snprintf(wanted, sizeof wanted, "\n!%lu = !{",
                         strtoul(tag + strlen(name), NULL, 10)) < 0)
        return NULL;
    const char *list = strstr(text, wanted);
    return list ? list + strlen(wanted) : NULL;
}

static void copy_name(char copy[MAX_NAME], const char *text, size_t length) {
    char *name = llvm_name(text, length);
    snprintf(copy, MAX_NAME, "%s", name);
    free(name);
}

/* The entry of a list: !"float*" without what is around it, or i32 1; returns what
 * follows it, NULL: there is no more. */
static const char *next_entry(const char *list, char entry[MAX_NAME]) {
    if (!list || *list == '}' || *list == '\n' || !*list)
        return NULL;
    const bool quoted = strncmp(list, "!\"", 2) == 0;
    list += quoted ? 2 : 0;
    const size_t length = strcspn(list, quoted ? "\"\n" : ",}\n");
    copy_name(entry, list, length);
    list += length;
    list += *list == '"';
    return list + strspn(list, ", ");
}

/* "float __attribute__((ext_vector_type(4)))*" is what others write as "float4*". */
static void shorten(char type[MAX_NAME]) {
    static const char words[] = " __attribute__((ext_vector_type(";
    char *begin = strstr(type, words), rest[MAX_NAME];
    if (!begin)
        return;
    const char *end = begin + strlen(words);
    const int digits = (int)strspn(end, "0123456789");
    snprintf(rest, sizeof rest, "%.*s%s", digits, end,
             strlen(end + digits) > 3 ? end + digits + 3 : "");
    strcpy(begin, rest);
}

/* The type as it is written, if that is one of OpenCL's; or what it is a name for. */
static void choose_type(char type[MAX_NAME], char base[MAX_NAME]) {
    shorten(type);
    const struct object written = {.type = type};
    shorten(base);
    const struct object meant = {.type = base};
    if (!element_type(&written).name && element_type(&meant).name)
        strcpy(type, base);
}

static cl_kernel_arg_address_qualifier space_of(const char *entry) {
    static const cl_kernel_arg_address_qualifier spaces[] = {
        CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ADDRESS_GLOBAL,
        CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_ADDRESS_LOCAL};
    const unsigned long number = strtoul(entry + strcspn(entry, " "), NULL, 10);
    return spaces[number < 4 ? number : 1];
}

static void read_required(struct signature *signature, const char *list) {
    char entry[MAX_NAME];
    for (int d = 0; d < 3 && (list = next_entry(list, entry)); d++)
        signature->required[d] = strtoul(entry + strcspn(entry, " "), NULL, 10);
}

/* From clang 21 on a kernel only calls a clone of itself, which has its body. */
static const char clone[] = "__clang_ocl_kern_imp_";

static bool is_clone(const char *definition) {
    return strncmp(strchr(definition, '@') + 1, clone, strlen(clone)) == 0;
}

/* The definition that has the kernel's body: its clone's, if it has one. */
static const char *body_of(const char *text, const char *definition) {
    static const char head[] = "\ndefine ";
    const char *name = strchr(definition, '@') + 1;
    const size_t length = strcspn(name, "(") + 1;
    for (const char *p = text; (p = strstr(p, head)); p += strlen(head))
        if (is_clone(p) &&
            strncmp(strchr(p, '@') + 1 + strlen(clone), name, length) == 0)
            return p + 1;
    return definition;
}

struct argument *signature_argument(struct signature *signature, size_t number) {
    if (number >= MAX_ARGUMENTS)
        lens_die("%s has more than %d arguments" HINT "%s", signature->name,
                 MAX_ARGUMENTS, term("put some into a buffer"));
    if (signature->count <= number)
        signature->count = (cl_uint)number + 1;
    return &signature->arguments[number];
}

/* It calls "@lens_local_id(i32 noundef 1)", or that of the group or of the launch. */
unsigned signature_dimensions(const char *definition) {
    static const char *const calls[] = {"@lens_global_id(i32 noundef ",
                                        "@lens_local_id(i32 noundef ",
                                        "@lens_group_id(i32 noundef "};
    const char *end = strstr(definition, "\n}");
    const size_t length = end ? (size_t)(end - definition) : strlen(definition);
    unsigned dimensions = 1;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const size_t call = strlen(calls[i]);
        const char *p = definition, *rest = definition + length;
        while ((p = memmem(p, (size_t)(rest - p), calls[i], call))) {
            const unsigned long number = strtoul(p += call, NULL, 10);
            if (number < 3 && number + 1 > dimensions)
                dimensions = (unsigned)number + 1;
        }
    }
    return dimensions;
}

static struct signature signature_of(const char *text, const char *definition) {
    struct signature signature = {.dimensions =
                                      signature_dimensions(body_of(text, definition))};
    const char *name = strchr(definition, '@') + 1,
               *spaces = list_of(text, definition, "!kernel_arg_addr_space !"),
               *accesses = list_of(text, definition, "!kernel_arg_access_qual !"),
               *types = list_of(text, definition, "!kernel_arg_type !"),
               *bases = list_of(text, definition, "!kernel_arg_base_type !"),
               *qualities = list_of(text, definition, "!kernel_arg_type_qual !"),
               *names = list_of(text, definition, "!kernel_arg_name !");
    copy_name(signature.name, name, strcspn(name, "("));
    strcpy(signature.described, signature.name);
    read_required(&signature, list_of(text, definition, "!reqd_work_group_size !"));
    char entry[MAX_NAME], base[MAX_NAME];
    while ((spaces = next_entry(spaces, entry))) {
        const cl_uint i = signature.count;
        struct argument *argument = signature_argument(&signature, i);
        argument->space = space_of(entry);
        accesses = next_entry(accesses, entry);
        argument->written = accesses && strcmp(entry, "write_only") == 0;
        types = next_entry(types, argument->type);
        bases = next_entry(bases, base);
        qualities = next_entry(qualities, entry);
        signature.constant[i] = qualities && strstr(entry, "const");
        names = next_entry(names, argument->name);
        choose_type(argument->type, base);
    }
    return signature;
}

struct signatures signatures_of(const char *text) {
    static const char head[] = "\ndefine ";
    struct signatures found = {NULL, 0};
    for (const char *p = text; (p = strstr(p, head)); p += strlen(head))
        if (list_of(text, p + 1, "!kernel_arg_addr_space !") && !is_clone(p + 1))
            *GROW(found.all, found.count) = signature_of(text, p + 1);
    return found;
}
