/* restore: the compiler removes a load whose value is not used, and a store to local
 * memory that is never read.  That is right, and counts are those of what is left; but
 * a mistake in such a line is a mistake all the same, and another compiler may leave
 * it.
 *
 *     x = a[i];                 %1 = load i32, ptr %arrayidx, align 4
 *     (x is not used)           %1 = load volatile i32, ptr %arrayidx, align 4, ...
 *
 * Of a vector of which one component is used, it loads that one alone; another compiler
 * may load all, so that the vector must lie where its type must:
 *
 *     out[i] = four[i].y;       call void @lens_aligned(ptr %arrayidx, i32 16)
 *
 * What lines have lost is found by comparison with the text before.  There, private
 * variables are in memory, too, as allocas: those are let go.
 *
 * Source: LLVM Language Reference Manual, "Volatile Memory Accesses". */
#define _GNU_SOURCE /* open_memstream */
#include "restore.h"
#include "base/memory.h"
#include "code.h"
#include "llvm.h"
#include "uses.h"

#include <stdlib.h>
#include <string.h>

/* Values of a function that point into its private variables. */
struct names {
    const char **all;
    size_t count;
};

/* A line of the source that has a load or a store. */
struct access_line {
    const char *file;
    size_t file_length, line, column;
    bool stores, vector;
};

struct access_lines {
    struct access_line *all;
    size_t count;
};

static bool is_ours(const struct access_line *line) {
    static const char *const ours[] = {"builtins.cl", "conversions.cl", CALLER};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        const size_t length = strlen(ours[i]);
        if (line->file_length >= length &&
            strncmp(line->file + line->file_length - length, ours[i], length) == 0)
            return true;
    }
    return false;
}

/* Where the instruction is in the source; line 0: in no line of the reader's. */
static struct access_line place_of(const struct text *text, const char *instruction) {
    const char *location = llvm_refers(text, instruction, "!dbg !");
    struct access_line place = {.line = 0};
    place.file = llvm_file(text, location, &place.file_length);
    if (place.file && !is_ours(&place)) {
        place.line = llvm_number(location, "line: ", 0);
        place.column = llvm_number(location, "column: ", 0);
    }
    place.vector = strstr(instruction, "load <") || strstr(instruction, "store <");
    return place;
}

static bool is_load(const char *line) {
    const char *equals = strstr(line, " = ");
    return equals && strncmp(equals, " = load ", 8) == 0;
}

static bool is_store(const char *line) {
    return strncmp(line, "  store ", 8) == 0;
}

static void add_place(struct access_lines *lines, struct access_line place, bool load,
                      bool store) {
    for (int stores = 0; stores < 2 && place.line; stores++)
        if (stores ? store : load) {
            place.stores = stores;
            *GROW(lines->all, lines->count) = place;
        }
}

static struct access_lines lines_of(char *optimised) {
    struct text text = llvm_split(optimised);
    struct access_lines lines = {.count = 0};
    for (size_t i = 0; i < text.count; i++) {
        const char *line = text.lines[i];
        const bool both = strstr(line, "@llvm.mem") != NULL,
                   load = both || is_load(line), store = both || is_store(line);
        if (line[0] == ' ' && (load || store))
            add_place(&lines, place_of(&text, line), load, store);
    }
    llvm_free(&text);
    return lines;
}

static bool has(const struct access_lines *lines, const struct access_line *wanted) {
    for (size_t i = 0; i < lines->count; i++) {
        const struct access_line *line = &lines->all[i];
        const bool is_whole =
            !wanted->vector || (line->vector && line->column == wanted->column);
        if (line->line == wanted->line && line->stores == wanted->stores && is_whole &&
            line->file_length == wanted->file_length &&
            strncmp(line->file, wanted->file, line->file_length) == 0)
            return true;
    }
    return false;
}

/* ---- Private variables. */
static size_t name_length(const char *name) {
    return strcspn(name, " ,)");
}

static bool is_private(const struct names *names, const char *name) {
    for (size_t i = 0; i < names->count; i++)
        if (name_length(names->all[i]) == name_length(name) &&
            strncmp(names->all[i], name, name_length(name)) == 0)
            return true;
    return false;
}

/* The pointer of a load, of a store, or of an address that is computed. */
static const char *pointer_of(const char *line) {
    static const char word[] = ", ptr ";
    const char *found = strstr(line, word);
    return found ? found + strlen(word) : NULL;
}

static void find_private(struct names *names, const char *line) {
    const char *address = strstr(line, " = getelementptr "), *base = pointer_of(line);
    if (strncmp(line, "define ", 7) == 0)
        names->count = 0;
    else if (strstr(line, " = alloca ") || (address && base && is_private(names, base)))
        *GROW(names->all, names->count) = line + strspn(line, " ");
}

/* Is this access, at the first of these lines, gone, or one to a part of the vector? */
enum loss { NOTHING_LOST, NARROWED, LOST };
static enum loss loss_of(const struct text *raw, const struct access_lines *lines,
                         const struct names *names, char *const *at) {
    const char *line = *at, *pointer = pointer_of(line);
    const bool store = is_store(line);
    if (line[0] != ' ' || (!store && !is_load(line)) || !pointer ||
        is_private(names, pointer) || strstr(line, " volatile "))
        return NOTHING_LOST;
    struct access_line place = place_of(raw, line);
    place.stores = store;
    if (!place.line || has(lines, &place))
        return NOTHING_LOST;
    const bool narrowed = place.vector;
    place.vector = false;
    return !has(lines, &place) && !uses_for_component(at) ? LOST
           : narrowed                                     ? NARROWED
                                                          : NOTHING_LOST;
}

/* In front of it, what asks where the whole vector lies. */
static void write_asking(FILE *out, const char *line) {
    const char *pointer = pointer_of(line), *place = strstr(line, "!dbg !");
    fprintf(out, "  call void @lens_aligned(ptr %.*s, i32 %zu), !dbg !%zu\n",
            (int)(llvm_outside_brackets(pointer, ",") - pointer), pointer,
            llvm_number(line, ", align ", 1),
            place ? llvm_number(place, "!dbg !", 0) : 0);
}

static void write_marked(FILE *out, const char *line, size_t mark) {
    const char *word = is_store(line) ? "store " : " = load ";
    const char *type = strstr(line, word) + strlen(word);
    fprintf(out, "%.*svolatile %s, " RESTORED " !%zu\n", (int)(type - line), line, type,
            mark);
}

char *restore_accesses(char *raw, char *optimised) {
    struct text text = llvm_split(raw);
    struct access_lines lines = lines_of(optimised);
    struct names names = {.count = 0};
    char *marked = NULL;
    size_t bytes = 0, lost = 0;
    FILE *out = open_memstream(&marked, &bytes);
    for (size_t i = 0; i < text.count; i++) {
        find_private(&names, text.lines[i]);
        const enum loss loss = loss_of(&text, &lines, &names, &text.lines[i]);
        lost += loss != NOTHING_LOST;
        if (loss == NARROWED)
            write_asking(out, text.lines[i]);
        if (loss == LOST)
            write_marked(out, text.lines[i], text.metadata_count);
        else
            fprintf(out, "%s\n", text.lines[i]);
    }
    fputs("declare void @lens_aligned(ptr, i32) nounwind willreturn "
          "inaccessiblememonly\n",
          out);
    fprintf(out, "!%zu = !{i32 1}\n", text.metadata_count);
    fclose(out);
    llvm_free(&text);
    free(lines.all);
    free(names.all);
    if (!lost) {
        free(marked);
        return NULL;
    }
    return marked;
}
