/* members: follows metadata from a kernel to the types of its arguments:
 *
 *     !17 = distinct !DISubprogram(name: "scale", ..., type: !18, ...)
 *     !18 = !DISubroutineType(..., types: !19)
 *     !19 = !{null, !20, !22}
 *     !22 = !DICompositeType(tag: DW_TAG_structure_type, ..., size: 64, elements: !24)
 *     !24 = !{!25, !27}
 *     !25 = !DIDerivedType(tag: DW_TAG_member, name: "n", ..., baseType: !26, size: 32)
 *     !26 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
 *
 * Source: LLVM Language Reference Manual, "Specialized Metadata Nodes". */
#include "members.h"
#include "base/memory.h"
#include "code/llvm.h"
#include "types.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_MEMBERS = 4096 };

/* The number in a list such as "= !{null, !20, !22}". */
static const char *entry_of(const struct text *text, const char *list, size_t number) {
    list = list ? strchr(list, '{') : NULL;
    for (size_t i = 0; list && i < number; i++)
        list = strchr(list + 1, ',');
    if (!list)
        return NULL;
    list += 1 + strspn(list + 1, " ");
    const size_t entry = *list == '!' ? strtoul(list + 1, NULL, 10) : SIZE_MAX;
    return entry < text->metadata_count ? text->metadata[entry] : NULL;
}

static size_t entries_in(const char *list) {
    size_t count = 0;
    for (const char *p = list ? strchr(list, '{') : NULL; p && p[1] != '}';
         p = strchr(p + 1, ','))
        count++;
    return count;
}

static void add_type(const struct text *text, struct members *members, const char *type,
                     size_t offset, unsigned depth);

/* The elements of an array, or of a vector, whose fourth may be padding. */
static void add_array(const struct text *text, struct members *members,
                      const char *type, size_t offset, unsigned depth) {
    const char *element = llvm_refers(text, type, "baseType: !"),
               *sizes = llvm_refers(text, type, "elements: !");
    size_t count = 1;
    for (size_t i = 0; i < entries_in(sizes); i++)
        count *= llvm_number(entry_of(text, sizes, i), "count: ", 0);
    const size_t bytes = llvm_number(type, "size: ", 0) / 8,
                 places = count == 3 && strstr(type, "DIFlagVector") ? 4 : count;
    for (size_t i = 0; i < count && members->count < MAX_MEMBERS; i++)
        add_type(text, members, element, offset + i * (bytes / places), depth);
}

static void add_members(const struct text *text, struct members *members,
                        const char *type, size_t offset, unsigned depth) {
    const char *list = llvm_refers(text, type, "elements: !");
    const size_t count = type_is(type, "union") ? 1 : entries_in(list);
    for (size_t i = 0; i < count; i++) {
        const char *member = entry_of(text, list, i);
        add_type(text, members, llvm_refers(text, member, "baseType: !"),
                 offset + llvm_number(member, "offset: ", 0) / 8, depth);
    }
}

static void add_type(const struct text *text, struct members *members, const char *type,
                     size_t offset, unsigned depth) {
    const char *name = NULL;
    if (!type || depth == TYPES_DEEPEST || members->count == MAX_MEMBERS)
        return;
    if (type_is(type, "array_type"))
        add_array(text, members, type, offset, depth + 1);
    else if (type_is(type, "structure_type") || type_is(type, "union_type"))
        add_members(text, members, type, offset, depth + 1);
    else if (type_is(type, "pointer_type"))
        name = "ulong";
    else if (type_is(type, "enumeration_type") || strstr(type, "!DIBasicType("))
        name = type_of_number(type);
    else /* another name for a type, or a const one */
        add_type(text, members, llvm_refers(text, type, "baseType: !"), offset,
                 depth + 1);
    if (name)
        *GROW(members->all, members->count) =
            (struct member){.offset = offset, .type = name};
}

/* Names for types, and "const", have no size of their own. */
static size_t bytes_of(const struct text *text, const char *type) {
    size_t bytes = 0;
    for (unsigned depth = 0; type && !bytes && depth < TYPES_DEEPEST; depth++) {
        bytes = llvm_number(type, "size: ", 0) / 8;
        type = llvm_refers(text, type, "baseType: !");
    }
    return bytes;
}

struct members members_of(char *text, const char *kernel, unsigned argument) {
    struct members members = {.count = 0};
    struct text split = llvm_split(text);
    bool is_known =
        false; /* clang 21 has a function beside a kernel, of the same name */
    for (size_t i = 0; i < split.metadata_count && !is_known; i++) {
        static const char head[] = "!DISubprogram(name: \"";
        const char *found = split.metadata[i] ? strstr(split.metadata[i], head) : NULL;
        if (!found)
            continue;
        found += strlen(head);
        char *name = llvm_name(found, strcspn(found, "\""));
        is_known = strcmp(name, kernel) == 0;
        if (is_known) {
            const char *types =
                llvm_refers(&split, llvm_refers(&split, found, " type: !"), "types: !");
            const char *type = entry_of(&split, types, argument + 1);
            members.bytes = bytes_of(&split, type);
            add_type(&split, &members, type, 0, 0);
        }
        free(name);
    }
    llvm_free(&split);
    return members;
}
