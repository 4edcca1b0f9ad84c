/* digests: reads LLVM's text form of a kernel file definition by definition.
 *
 *     @_ZL7weights = internal constant [3 x float] ...     @_ZL7weights
 *     define spir_kernel void @edges(ptr %x) #0 !k !5 {    @edges, until "}"
 *     attributes #0 = { convergent nounwind }              #0
 *     !5 = !{i32 1, i32 0}                                 !5
 *
 * LLVM counts attributes, metadata and constants without a name through the whole file,
 * and types of one name, as in "%struct.pair.1", through all files that one clang
 * reads. So of these not the number counts, but in which order a function comes to
 * them, and what they are.
 *
 * Source: LLVM Language Reference Manual, "Module Structure". */
#define _GNU_SOURCE /* strchrnul, strndup */
#include "digests.h"
#include "base/memory.h"
#include "base/starts.h"
#include "llvm.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct piece {
    const char *text;
    size_t length;
};

struct definition {
    struct piece name, text;
    size_t order; /* in which it was met; 0: not yet */
};

struct walk {
    struct definition *all; /* sorted by name */
    size_t count;
    size_t *met; /* which ones the function at hand comes to, in order */
    size_t met_count;
    uint64_t sum;
};

/* ---- Names: "@sum", "@.str.3", "@"a b"", "%struct.pair", "!7", "#0". */

static size_t quoted_length(const char *text) {
    const char *end = strchr(text + 1, '"');
    return end ? (size_t)(end + 1 - text) : strlen(text);
}

/* How long the name is that begins here; 0: none does. */
static size_t name_length(const char *text) {
    static const char digits[] = "0123456789",
                      letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789._$-";
    size_t length = 0;
    if (*text == '!' || *text == '#')
        length = strspn(text + 1, digits);
    else if ((*text == '@' || *text == '%') && text[1] == '"')
        length = quoted_length(text + 1);
    else if (*text == '@' || *text == '%')
        length = strspn(text + 1, letters);
    return length > 0 ? length + 1 : 0;
}

/* How much of the name of a definition is not counted: "%struct.pair" of a type, "!"
 * of metadata, "@." of a text of the compiler's own. */
static size_t length_uncounted(const char *name, size_t length) {
    const bool of_compiler = starts(name, "@.") || isdigit((unsigned char)name[1]);
    if (*name == '!' || *name == '#' || of_compiler)
        return 1;
    if (*name != '%')
        return length;
    size_t digits = length;
    while (digits > 0 && isdigit((unsigned char)name[digits - 1]))
        digits--;
    return digits > 0 && name[digits - 1] == '.' ? digits - 1 : length;
}

/* ---- Definitions. */
static int by_name(const void *one, const void *other) {
    const struct piece *a = &((const struct definition *)one)->name,
                       *b = &((const struct definition *)other)->name;
    const int order =
        memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
    return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

/* The name of what a line that is not indented defines or declares; NULL: none. */
static const char *defined_in(const char *line) {
    const char *end = strchrnul(line, '\n'), *name = line;
    if (starts(line, "define ") || starts(line, "declare "))
        name = strchr(line, '@');
    else if (starts(line, "attributes "))
        name = strchr(line, '#');
    return name && name < end && name_length(name) > 0 ? name : NULL;
}

static const char *definition_end(const char *line) {
    const char *end = starts(line, "define ") ? strstr(line, "\n}") : NULL;
    return strchrnul(end ? end + 1 : line, '\n');
}

static struct walk begin(const char *text) {
    struct walk walk = {.count = 0};
    for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
        const char *name = defined_in(line);
        end = definition_end(line);
        if (name)
            *GROW(walk.all, walk.count) =
                (struct definition){.name = {name, name_length(name)},
                                    .text = {line, (size_t)(end - line)}};
    }
    if (walk.count > 0)
        qsort(walk.all, walk.count, sizeof *walk.all, by_name);
    walk.met = lens_allocate(walk.count + 1, sizeof *walk.met);
    return walk;
}

/* ---- The way through them. */

/* FNV-1a, 64 bits. */
static void add(struct walk *walk, const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        walk->sum = (walk->sum ^ (unsigned char)bytes[i]) * 1099511628211u;
}

static void meet(struct walk *walk, const char *name, size_t length) {
    const struct definition wanted = {.name = {name, length}};
    struct definition *found =
        walk->count > 0
            ? bsearch(&wanted, walk->all, walk->count, sizeof wanted, by_name)
            : NULL;
    if (found && found->order == 0) {
        walk->met[walk->met_count++] = (size_t)(found - walk->all);
        found->order = walk->met_count;
    }
    if (found) {
        length = length_uncounted(name, length);
        add(walk, (const char *)&found->order, sizeof found->order);
    }
    add(walk, name, length);
}

static void go_through(struct walk *walk, struct piece piece) {
    for (const char *p = piece.text, *end = p + piece.length; p < end;) {
        size_t length = name_length(p);
        if (length > 0) {
            meet(walk, p, length);
        } else {
            length = *p == '"' ? quoted_length(p) : 1;
            add(walk, p, length);
        }
        p += length;
    }
}

static uint64_t digest_from(struct walk *walk, const struct definition *function) {
    for (size_t i = 0; i < walk->met_count; i++)
        walk->all[walk->met[i]].order = 0;
    walk->met_count = 0;
    walk->sum = 14695981039346656037u;
    meet(walk, function->name.text, function->name.length);
    for (size_t i = 0; i < walk->met_count; i++)
        go_through(walk, walk->all[walk->met[i]].text);
    return walk->sum;
}

struct digests digests_of(const char *text) {
    struct digests digests = {.count = 0};
    struct walk walk = begin(text);
    for (size_t i = 0; i < walk.count; i++) {
        const struct definition *one = &walk.all[i];
        if (!starts(one->text.text, "define "))
            continue;
        char *name = llvm_name(one->name.text + 1, one->name.length - 1);
        if (strchr(name, '\n')) /* no language has such a name, and no line could */
            free(name);
        else
            *GROW(digests.all, digests.count) =
                (struct digest){name, digest_from(&walk, one)};
    }
    free(walk.all);
    free(walk.met);
    return digests;
}

const struct digest *digests_find(const struct digests *digests, const char *function) {
    for (size_t i = 0; i < digests->count; i++)
        if (strcmp(digests->all[i].function, function) == 0)
            return &digests->all[i];
    return NULL;
}

/* ---- As lines: "0123456789abcdef edges". */
void digests_write(const struct digests *digests, FILE *out) {
    for (size_t i = 0; i < digests->count; i++)
        fprintf(out, "%016" PRIx64 " %s\n", digests->all[i].number,
                digests->all[i].function);
}

struct digests digests_read(const char *lines) {
    struct digests digests = {.count = 0};
    for (const char *line = lines, *end; *line; line = *end ? end + 1 : end) {
        char *name;
        const uint64_t number = strtoull(line, &name, 16);
        end = strchrnul(line, '\n');
        if (*name == ' ')
            *GROW(digests.all, digests.count) =
                (struct digest){strndup(name + 1, (size_t)(end - name - 1)), number};
    }
    return digests;
}

void digests_free(struct digests *digests) {
    for (size_t i = 0; i < digests->count; i++)
        free(digests->all[i].function);
    free(digests->all);
    *digests = (struct digests){.count = 0};
}
