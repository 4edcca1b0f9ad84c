/* wide: for clang, a float4 is a structure, which it copies number by number as soon as
 * one of them is used alone.  NVIDIA's compiler copies all of it by one instruction, so
 * a copy becomes a vector's before clang takes it apart:
 *
 *     call void @llvm.memcpy...(ptr align 16 %v, ptr align 16 %p, i64 16, i1 false)
 *
 *     %lens_wide.7 = load <4 x float>, ptr %p, align 16
 *     store <4 x float> %lens_wide.7, ptr %v, align 16
 *
 * What the copy consists of is said behind it: "!tbaa.struct !59", and
 *
 *     !59 = !{i64 0, i64 4, !60, i64 4, i64 4, !60, i64 8, i64 4, !60, ...}
 *     !60 = !{!61, !61, i64 0}
 *     !61 = !{!"float", !62, i64 0}
 *
 * Sources: LLVM Language Reference Manual, "'tbaa.struct' Metadata"; CUDA C++
 * Programming Guide, "Device Memory Accesses": an instruction moves 1, 2, 4, 8 or 16
 * bytes, and the address must be a multiple of that. */
#define _GNU_SOURCE /* open_memstream */
#include "wide.h"
#include "base/memory.h"
#include "llvm.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST = 16 };

/* A place as LLVM writes it, and to how many bytes it is aligned. */
struct place {
    const char *name;
    int length;
    size_t alignment;
};

/* A copy of `bytes` from one place to another. */
struct copy {
    struct place to, from;
    size_t bytes;
};

/* Reads "ptr align 16 %p". */
static struct place place_of(const char *operand, const char *end) {
    static const char mark[] = " align ";
    const char *aligned = strstr(operand, mark);
    struct place place = {.alignment = 1};
    if (!aligned || aligned > end)
        return place;
    char *name;
    place.alignment = strtoul(aligned + strlen(mark), &name, 10);
    place.name = name + 1;
    place.length = (int)(end - place.name);
    return place;
}

/* Reads a line that copies as many bytes as an instruction may move.  One of the places
 * may be an array of single numbers that the kernel casts: of that clang knows only how
 * the array is declared, while CUDA expects it to lie as the other place does. */
static bool read_copy(const char *line, struct copy *copy) {
    static const char name[] = "@llvm.memcpy.p0.p0.i64(";
    const char *to = strstr(line, name);
    if (!to)
        return false;
    to += strlen(name);
    const char *to_end = llvm_outside_brackets(to, ",");
    const char *from = to_end + strspn(to_end, ", ");
    const char *from_end = llvm_outside_brackets(from, ",");
    copy->bytes = llvm_number(from_end, "i64 ", 0);
    const bool is_power = (copy->bytes & (copy->bytes - 1)) == 0;
    if (copy->bytes == 0 || copy->bytes > WIDEST || !is_power ||
        !strstr(from_end, "i1 false"))
        return false;
    copy->to = place_of(to, to_end);
    copy->from = place_of(from, from_end);
    return copy->to.name && copy->from.name &&
           (copy->to.alignment >= copy->bytes || copy->from.alignment >= copy->bytes);
}

/* How many bytes each number of the copy has; 0: they are not all the same.  Of an
 * array its bytes alone are known, and any numbers will do. */
static size_t number_bytes(const char *members, size_t all) {
    static const char name[] = "i64 ";
    size_t bytes = 0;
    if (!members || llvm_number(members, ", i64 ", 0) == all)
        return all > sizeof(float) ? sizeof(float) : all;
    while ((members = strstr(members, name))) {
        members = strstr(members + strlen(name), name); /* behind its offset */
        const size_t next = llvm_number(members, name, 0);
        if (!members || (bytes > 0 && next != bytes))
            return 0;
        bytes = next;
        members += strlen(name);
    }
    return bytes;
}

/* Is the first number of the copy a float, or a double? */
static bool is_floating(const struct text *text, const char *members) {
    const char *access = llvm_refers(text, members, ", !");
    const char *type = llvm_refers(text, access, "!{!");
    return type && (strstr(type, "!{!\"float\"") || strstr(type, "!{!\"double\""));
}

/* "float", "double" or "i16". */
static void write_number(FILE *out, size_t bytes, bool floating) {
    if (floating)
        fputs(bytes == sizeof(float) ? "float" : "double", out);
    else
        fprintf(out, "i%zu", 8 * bytes);
}

static void write_vector(FILE *out, const struct copy *copy, size_t bytes,
                         bool floating) {
    fprintf(out, "<%zu x ", copy->bytes / bytes);
    write_number(out, bytes, floating);
    fputc('>', out);
}

/* Writes the copy of this line as that of a vector, if it is one. */
static bool write_wide(FILE *out, const struct text *text, size_t line) {
    const char *location = strstr(text->lines[line], ", !dbg !"),
               *members = llvm_refers(text, text->lines[line], "!tbaa.struct !");
    struct copy copy;
    if (!read_copy(text->lines[line], &copy))
        return false;
    const size_t bytes = number_bytes(members, copy.bytes);
    if (bytes == 0 || bytes == copy.bytes || copy.bytes % bytes != 0)
        return false;
    const bool floating = members && is_floating(text, members);
    const int located = location ? 8 + (int)strspn(location + 8, "0123456789") : 0;
    fprintf(out, "  %%lens_wide.%zu = load ", line);
    write_vector(out, &copy, bytes, floating);
    fprintf(out, ", ptr %.*s, align %zu%.*s\n  store ", copy.from.length,
            copy.from.name, copy.from.alignment, located, location ? location : "");
    write_vector(out, &copy, bytes, floating);
    fprintf(out, " %%lens_wide.%zu, ptr %.*s, align %zu%.*s\n", line, copy.to.length,
            copy.to.name, copy.to.alignment, located, location ? location : "");
    return true;
}

char *wide_copies(char *raw) {
    struct text text = llvm_split(raw);
    char *wide = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&wide, &bytes);
    for (size_t i = 0; i < text.count; i++)
        if (!write_wide(out, &text, i))
            fprintf(out, "%s\n", text.lines[i]);
    fclose(out);
    llvm_free(&text);
    return wide;
}
