/* restore: the compiler removes a load whose value is not used, and a store to local
 * memory that is never read.  That is right, and counts are those of what is left; but
 * a mistake in such a line is a mistake all the same, and another compiler may leave
 * it.
 *
 *     x = a[i];                 %1 = load i32, ptr %arrayidx, align 4
 *     (x is not used)           %1 = load volatile i32, ptr %arrayidx, align 4, ...
 *
 * What lines have lost is found by comparison with the text before.  There, private
 * variables are in memory, too, as allocas: those are let go.
 *
 * Source: LLVM Language Reference Manual, "Volatile Memory Accesses". */
#define _GNU_SOURCE /* open_memstream */
#include "restore.h"

#include "lens.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

/* A text, and where its metadata begin. */
struct text {
    const char **metadata; /* by number */
    size_t count;
};

/* Values of a function that point into its private variables. */
struct names {
    const char **all;
    size_t count;
};

/* A line of the source that has a load or a store. */
struct access_line {
    const char *file;
    size_t file_length, line;
    bool stores;
};

struct access_lines {
    struct access_line *all;
    size_t count;
};

static const char *next_line(const char *line) {
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

static struct text read_metadata(const char *from) {
    struct text text = {.count = 0};
    for (const char *line = from; *line; line = next_line(line)) {
        char *end;
        const size_t number = *line == '!' ? strtoul(line + 1, &end, 10) : 0;
        if (*line != '!' || end == line + 1)
            continue;
        while (text.count <= number)
            *GROW(text.metadata, text.count) = NULL;
        text.metadata[number] = line;
    }
    return text;
}

/* Finds a word in a line. */
static const char *in_line(const char *line, const char *word) {
    return line ? memmem(line, strcspn(line, "\n"), word, strlen(word)) : NULL;
}

/* The metadata that "name!41" refers to. */
static const char *refers(const struct text *text, const char *line, const char *name) {
    const char *found = in_line(line, name);
    const size_t number = found ? strtoul(found + strlen(name), NULL, 10) : SIZE_MAX;
    return number < text->count ? text->metadata[number] : NULL;
}

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
    static const char name[] = "filename: \"", line_name[] = "line: ";
    const char *location = refers(text, instruction, "!dbg !");
    const char *line = in_line(location, line_name);
    const char *scope = refers(text, location, "scope: !");
    const char *file = in_line(refers(text, scope, "file: !"), name);
    struct access_line place = {.file = "", .line = 0};
    if (!line || !file)
        return place;
    place.file = file + strlen(name);
    place.file_length = strcspn(place.file, "\"");
    place.line = strtoul(line + strlen(line_name), NULL, 10);
    if (is_ours(&place))
        place.line = 0;
    return place;
}

static bool is_load(const char *line) {
    const char *equals = in_line(line, " = ");
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

static struct access_lines lines_of(const char *optimised) {
    const struct text text = read_metadata(optimised);
    struct access_lines lines = {.count = 0};
    for (const char *line = optimised; *line; line = next_line(line)) {
        const bool both = in_line(line, "@llvm.mem") != NULL,
                   load = both || is_load(line), store = both || is_store(line);
        if (line[0] == ' ' && (load || store))
            add_place(&lines, place_of(&text, line), load, store);
    }
    free(text.metadata);
    return lines;
}

static bool has(const struct access_lines *lines, const struct access_line *wanted) {
    for (size_t i = 0; i < lines->count; i++) {
        const struct access_line *line = &lines->all[i];
        if (line->line == wanted->line && line->stores == wanted->stores &&
            line->file_length == wanted->file_length &&
            strncmp(line->file, wanted->file, line->file_length) == 0)
            return true;
    }
    return false;
}

/* ---- Private variables. */
static size_t name_length(const char *name) {
    return strcspn(name, " ,)\n");
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
    const char *found = in_line(line, word);
    return found ? found + strlen(word) : NULL;
}

static void find_private(struct names *names, const char *line) {
    const char *address = in_line(line, " = getelementptr "), *base = pointer_of(line);
    if (strncmp(line, "define ", 7) == 0)
        names->count = 0;
    else if (in_line(line, " = alloca ") ||
             (address && base && is_private(names, base)))
        *GROW(names->all, names->count) = line + strspn(line, " ");
}

/* To set a component of a vector clang loads the whole vector, and stores it back to
 * where it was; the source does not read it. */
static bool is_for_component(const char *load, const char *pointer) {
    const size_t length = name_length(pointer);
    if (!in_line(load, " = load <"))
        return false;
    for (const char *line = next_line(load); line[0] == ' '; line = next_line(line)) {
        const char *to = is_store(line) ? pointer_of(line) : NULL;
        if (to && name_length(to) == length && strncmp(to, pointer, length) == 0)
            return true;
        if (is_load(line))
            return false;
    }
    return false;
}

/* Is this access gone? */
static bool is_lost(const struct text *raw, const struct access_lines *lines,
                    const struct names *names, const char *line) {
    const char *pointer = pointer_of(line);
    const bool store = is_store(line);
    if (line[0] != ' ' || (!store && !is_load(line)) || !pointer ||
        is_private(names, pointer) || in_line(line, " volatile ") ||
        is_for_component(line, pointer))
        return false;
    struct access_line place = place_of(raw, line);
    place.stores = store;
    return place.line && !has(lines, &place);
}

static void write_marked(FILE *out, const char *line, size_t mark) {
    const char *word = is_store(line) ? "store " : " = load ";
    const char *type = in_line(line, word) + strlen(word);
    fprintf(out, "%.*svolatile %.*s, " RESTORED " !%zu\n", (int)(type - line), line,
            (int)strcspn(type, "\n"), type, mark);
}

char *restore_accesses(const char *raw, const char *optimised) {
    const struct text text = read_metadata(raw);
    struct access_lines lines = lines_of(optimised);
    struct names names = {.count = 0};
    char *marked = NULL;
    size_t bytes = 0, lost = 0;
    FILE *out = open_memstream(&marked, &bytes);
    for (const char *line = raw; *line; line = next_line(line)) {
        find_private(&names, line);
        if (is_lost(&text, &lines, &names, line)) {
            write_marked(out, line, text.count);
            lost++;
        } else {
            fprintf(out, "%.*s\n", (int)strcspn(line, "\n"), line);
        }
    }
    fprintf(out, "!%zu = !{i32 1}\n", text.count);
    fclose(out);
    free(text.metadata);
    free(lines.all);
    free(names.all);
    if (!lost) {
        free(marked);
        return NULL;
    }
    return marked;
}
