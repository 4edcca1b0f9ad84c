/* unset: a variable that one way through the kernel never sets becomes a choice:
 *
 *     float mark;                      %0 = call float @lens_unset_float()
 *     if (item >= limit) mark = 1;     %mark = phi float [ 1.0, %if ], [ %0, %entry ]
 *     out[item] = mark;                store float %mark, ptr %p
 *
 * Beside each value that may never have been set goes another one, which says whether
 * it was not:
 *
 *     %lens_w.mark = phi i1 [ false, %if ], [ true, %entry ]
 *     call void @lens_use(i1 %lens_w.mark, ptr %p, i32 7)
 *
 * To compute with such a value is no use of it, since the compiler may do that where
 * the source does not: a store, an address, an atomic and a branch are uses.  Vectors
 * are not followed.  Source: Stepanov and Serebryany, "MemorySanitizer: fast detector
 * of uninitialized memory use in C++", CGO 2015, section 3. */
#define _GNU_SOURCE /* open_memstream, asprintf */
#include "unset.h"
#include "base/memory.h"
#include "base/starts.h"
#include "llvm.h"

#include <stdlib.h>
#include <string.h>

static const char source[] = "@lens_unset_";
static const char *const types[] = {"float", "double", "i8", "i16",
                                    "i32",   "i64",    "ptr"};
enum { TYPES = sizeof types / sizeof *types };

const char unset_declarations[] = "declare void @lens_use(i1 zeroext, ptr, i32)\n";

/* ---- Marks. */

/* The number of the type that a line of clang's fills with its pattern; TYPES: none. */
static size_t type_filled(const char *line) {
    static const char store[] = "  store ";
    size_t type = 0;
    if (strncmp(line, store, strlen(store)) != 0 || !strstr(line, "!annotation !"))
        return TYPES;
    line += strlen(store);
    for (; type < TYPES; type++)
        if (strncmp(line, types[type], strlen(types[type])) == 0 &&
            line[strlen(types[type])] == ' ')
            break;
    return type;
}

char *unset_mark(char *raw) {
    struct text text = llvm_split(raw);
    char *marked = NULL;
    size_t bytes = 0;
    bool all = true;
    FILE *out = open_memstream(&marked, &bytes);
    for (size_t i = 0; i < text.count; i++) {
        const char *line = text.lines[i];
        const size_t type = type_filled(line);
        all &=
            type < TYPES || !strstr(line, "!annotation !") || !strstr(line, "!dbg !");
        if (type == TYPES) {
            fprintf(out, "%s\n", line);
            continue;
        }
        fprintf(out, "  %%lens_unset.%zu = call %s %s%s()\n", i, types[type], source,
                types[type]);
        fprintf(out, "  store %s %%lens_unset.%zu%s\n", types[type], i,
                strstr(line, ", ptr "));
    }
    for (size_t t = 0; t < TYPES; t++)
        fprintf(out, "declare %s %s%s() nounwind readnone willreturn\n", types[t],
                source, types[t]);
    if (all)
        fputs(UNSET_ALL " = !{}\n", out);
    fclose(out);
    llvm_free(&text);
    return marked;
}

/* ---- Values. */
static size_t name_length(const char *name) {
    return 1 + strspn(name + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789._$-");
}

static bool is_known(const struct unset *unset, const char *name) {
    const size_t length = name_length(name);
    for (size_t i = 0; i < unset->count; i++)
        if (strncmp(unset->names[i], name, length) == 0 && !unset->names[i][length])
            return true;
    return false;
}

bool unset_is_any(const struct unset *unset, const char *text, const char *end) {
    for (const char *p = text;
         unset->count && p < end && (p = strchr(p, '%')) && p < end; p++)
        if (is_known(unset, p))
            return true;
    return false;
}

/* What follows " = "; NULL: the line has no result. */
static const char *operation_of(const char *line) {
    const char *equals = strstr(line, " = ");
    return line[strspn(line, " ")] == '%' && equals ? equals + 3 : NULL;
}

static const char *end_of(const char *operation) {
    const char *metadata = strstr(operation, ", !");
    return metadata ? metadata : operation + strlen(operation);
}

/* Does the result follow from the operands, one number from others? */
static bool follows(const char *operation) {
    static const char *const others[] = {"load ",    "alloca ",        "extract",
                                         "insert",   "shufflevector ", "atomicrmw ",
                                         "cmpxchg ", "freeze "};
    const char *end = end_of(operation), *call = strstr(operation, "call ");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (starts(operation, others[i]))
            return false;
    return !memchr(operation, '<', (size_t)(end - operation)) &&
           (!call || call > end || strstr(operation, "@llvm."));
}

static void add(struct unset *unset, const char *line) {
    const char *name = line + strspn(line, " ");
    *GROW(unset->names, unset->count) = strndup(name, name_length(name));
}

void unset_begin(struct unset *unset, char *const *lines, size_t begin, size_t end) {
    size_t before;
    unset_end(unset);
    for (size_t i = begin; i < end; i++)
        if (operation_of(lines[i]) && strstr(lines[i], source))
            add(unset, lines[i]);
    do { /* a loop may hand one on to what stands before it */
        before = unset->count;
        for (size_t i = begin; i < end && before > 0; i++) {
            const char *operation = operation_of(lines[i]);
            if (operation && follows(operation) &&
                unset_is_any(unset, operation, end_of(operation)) &&
                !is_known(unset, lines[i] + strspn(lines[i], " ")))
                add(unset, lines[i]);
        }
    } while (unset->count > before);
}

void unset_end(struct unset *unset) {
    for (size_t i = 0; i < unset->count; i++)
        free(unset->names[i]);
    free(unset->names);
    *unset = (struct unset){.count = 0};
}

/* ---- What stands beside values. */

/* That of an operand, which begins here. */
static void write_beside(const struct unset *unset, const char *operand, FILE *out) {
    if (*operand == '%' && is_known(unset, operand))
        fprintf(out, "%%lens_w.%.*s", (int)name_length(operand) - 1, operand + 1);
    else
        fputs("false", out);
}

/* "phi float [ 1.0, %if ], [ %0, %entry ]". */
static void follow_phi(const struct unset *unset, const char *operation, FILE *out) {
    const char *end = end_of(operation);
    const char *separator = "phi i1 ";
    for (const char *p = operation; (p = strchr(p, '[')) && p < end; p++) {
        const char *value = p + 2, *comma = llvm_outside_brackets(value, ",");
        fprintf(out, "%s[ ", separator);
        write_beside(unset, value, out);
        p = strchr(comma, ']');
        fprintf(out, "%.*s]", (int)(p - comma), comma);
        separator = ", ";
    }
    fputc('\n', out);
}

/* The operands behind the type of the first one: "i1 %a, float %b, float %c", or "i1
 * %a, %b". */
struct operands {
    const char *all[3];
    size_t count;
};

static struct operands operands_of(const char *text, const char *end) {
    struct operands operands = {.count = 0};
    while (text < end && operands.count < 3) {
        const char *next = llvm_outside_brackets(text, ",");
        next = next < end ? next : end;
        const char *value = next;
        while (value > text && value[-1] != ' ')
            value--;
        operands.all[operands.count++] = value;
        text = next + 2;
    }
    return operands;
}

/* Of what a condition chooses, that one counts. */
static void follow_select(const struct unset *unset, const char *name, int length,
                          const char *operation, FILE *out) {
    const struct operands three =
        operands_of(operation + strlen("select "), end_of(operation));
    fprintf(out, "  %%lens_x.%.*s = select i1 %.*s, i1 ", length, name,
            (int)(llvm_outside_brackets(three.all[0], ",") - three.all[0]),
            three.all[0]);
    write_beside(unset, three.all[1], out);
    fputs(", i1 ", out);
    write_beside(unset, three.all[2], out);
    fprintf(out, "\n  %%lens_w.%.*s = or i1 %%lens_x.%.*s, ", length, name, length,
            name);
    write_beside(unset, three.all[0], out);
    fputc('\n', out);
}

/* Of "and" and "or", one operand may decide alone: false & x, true | x. */
static void follow_logic(const struct unset *unset, const char *name, int length,
                         const char *operation, FILE *out) {
    const bool is_or = starts(operation, "or ");
    const struct operands two =
        operands_of(operation + (is_or ? 3 : 4), end_of(operation));
    for (int i = 0; i < 2; i++) {
        const char *other = two.all[1 - i];
        const int other_length = (int)strcspn(other, ", ");
        fprintf(out, "  %%lens_x%d.%.*s = xor i1 %.*s, %s\n", i, length, name,
                other_length, other, is_or ? "true" : "false");
        fprintf(out, "  %%lens_y%d.%.*s = or i1 %%lens_x%d.%.*s, ", i, length, name, i,
                length, name);
        write_beside(unset, other, out);
        fprintf(out, "\n  %%lens_z%d.%.*s = and i1 %%lens_y%d.%.*s, ", i, length, name,
                i, length, name);
        write_beside(unset, two.all[i], out);
        fputc('\n', out);
    }
    fprintf(out, "  %%lens_w.%.*s = or i1 %%lens_z0.%.*s, %%lens_z1.%.*s\n", length,
            name, length, name, length, name);
}

/* One of them is enough.  Returns how many there are. */
static size_t write_any(const struct unset *unset, const char *name, int length,
                        const char *text, const char *end, FILE *out) {
    size_t count = 0;
    for (const char *p = text; p < end && (p = strchr(p, '%')) && p < end; p++) {
        if (!is_known(unset, p))
            continue;
        fprintf(out, "  %%lens_v%zu.%.*s = or i1 ", count, length, name);
        write_beside(unset, p, out);
        if (count == 0)
            fputs(", false\n", out);
        else
            fprintf(out, ", %%lens_v%zu.%.*s\n", count - 1, length, name);
        count++;
    }
    return count;
}

void unset_follow(const struct unset *unset, const char *line, FILE *out) {
    const char *operation = operation_of(line), *name = line + strspn(line, " ");
    if (!operation || !is_known(unset, name))
        return;
    const int length = (int)name_length(name) - 1;
    const char *end = end_of(operation);
    name++;
    if (strstr(line, source)) {
        fprintf(out, "  %%lens_w.%.*s = or i1 true, true\n", length, name);
    } else if (starts(operation, "phi ")) {
        fprintf(out, "  %%lens_w.%.*s = ", length, name);
        follow_phi(unset, operation, out);
    } else if (starts(operation, "select ")) {
        follow_select(unset, name, length, operation, out);
    } else if (starts(operation, "and i1 ") || starts(operation, "or i1 ")) {
        follow_logic(unset, name, length, operation, out);
    } else {
        const size_t count = write_any(unset, name, length, operation, end, out);
        fprintf(out, "  %%lens_w.%.*s = or i1 %%lens_v%zu.%.*s, false\n", length, name,
                count - 1, length, name);
    }
}

void unset_ask(const struct unset *unset, const char *text, const char *end,
               const char *place, int place_length, unsigned site, FILE *out) {
    char number[32];
    const int length = snprintf(number, sizeof number, "ask%u", site);
    const size_t count = write_any(unset, number, length, text, end, out);
    if (count > 0)
        fprintf(out,
                "  call void @lens_use(i1 zeroext %%lens_v%zu.%s, ptr %.*s, i32 %u)\n",
                count - 1, number, place_length, place, site);
}
