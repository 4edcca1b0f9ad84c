/* leave_out: what a kernel does not need, and does not compile here, is removed.
 *
 * clang writes the file with all that it includes as one text, and once more as it is
 * behind the preprocessor; in that the items of the file are found (items.h).  Then the
 * text is compiled, each item that has an error and is not needed gives way to blanks,
 * and so on until there is no error, or only some in what the kernel needs.  Lines keep
 * their numbers, and no directive is removed. */
#define _GNU_SOURCE /* open_memstream */
#include "leave_out.h"
#include "base/memory.h"
#include "base/starts.h"
#include "base/temporary.h"
#include "complaint.h"
#include "items.h"
#include "steps.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH = TEMPORARY_PATH };

/* ---- Files that are not found. */
struct missing {
    char **names;
    size_t count;
};

/* "fatal error: 'torch/extension.h' file not found". */
static char *missing_in(const char *log) {
    static const char mark[] = "fatal error: '", end[] = "' file not found";
    const char *begin = strstr(log, mark), *last = begin ? strstr(begin, end) : NULL;
    if (!last)
        return NULL;
    begin += strlen(mark);
    return strndup(begin, (size_t)(last - begin));
}

/* An empty file of this name, with the folders that are in it; false: it must not be.
 */
static bool make_empty(const char *folder, const char *name) {
    char path[PATH];
    if (strstr(name, "..") || *name == '/' ||
        snprintf(path, sizeof path, "%s/none/%s", folder, name) >= PATH)
        return false;
    for (char *p = path + strlen(folder) + 1; (p = strchr(p, '/')); p++) {
        *p = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return false;
        *p = '/';
    }
    FILE *file = fopen(path, "wx");
    return file && fclose(file) == 0;
}

/* The file and all that it includes as one text, "joined". */
static bool join(const char *folder, const struct source *source,
                 struct missing *missing) {
    enum { MOST = 64 };
    char also[PATH + 64];
    snprintf(also, sizeof also, "-E -frewrite-includes -idirafter \"%s/none\"", folder);
    while (!step_clang(folder, source, "", also, "joined")) {
        char *log = step_read(folder, "log");
        char *name = missing_in(log);
        free(log);
        if (!name || missing->count == MOST || !make_empty(folder, name))
            return false;
        *GROW(missing->names, missing->count) = name;
    }
    return true;
}

static const char *next_line(const char *line) {
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

/* "# 12 "kernel.cl" 2": what follows is line 12 of a file. */
struct marker {
    unsigned line;
    const char *name, *end; /* of the name, without its quotes; NULL: it is no marker */
};

static struct marker marker_at(const char *line) {
    char *rest;
    const char *digits =
        starts(line, "#line ") ? line + 6 : line + 1 + (line[0] != '\0');
    if (line[0] != '#' || (digits == line + 2 && line[1] != ' '))
        return (struct marker){.name = NULL};
    const unsigned long number = strtoul(digits, &rest, 10);
    if (rest == digits || !starts(rest, " \""))
        return (struct marker){.name = NULL};
    return (struct marker){(unsigned)number, rest + 2,
                           rest + 2 + strcspn(rest + 2, "\"")};
}

static bool names(struct marker marker, const char *folder, const char *file) {
    const size_t length = strlen(folder);
    return marker.name && starts(marker.name, folder) && marker.name[length] == '/' &&
           starts(marker.name + length + 1, file) &&
           marker.name + length + 1 + strlen(file) == marker.end;
}

/* clang's markers name kernel.cl, and main.cl around it; the file's own name is said in
 * its first lines. */
static void write_marked(FILE *out, const char *line, struct marker own, unsigned above,
                         const char *folder) {
    const struct marker marker = marker_at(line);
    const bool is_own = names(marker, folder, "kernel.cl");
    if (is_own && marker.line > above)
        fprintf(out, "# %u \"%.*s%.*s\n", marker.line - above,
                (int)(own.end - own.name), own.name,
                (int)(next_line(line) - 1 - marker.end), marker.end);
    else if (!is_own && !names(marker, folder, "main.cl"))
        fprintf(out, "%.*s", (int)(next_line(line) - line), line);
}

/* The part of the joined text that kernel.cl is. */
static char *cut(const char *folder, const struct source *source, const char *joined) {
    const char *begin = strstr(joined, "#include \"kernel.cl\"\n"), *end = NULL;
    for (const char *p = begin; p && (p = strstr(p, "#pragma clang attribute pop"));
         p++)
        end = p;
    if (!end)
        return NULL;
    begin = next_line(next_line(begin)); /* behind the #endif */
    char *text = NULL;
    size_t bytes = 0;
    unsigned above = 1; /* lines of ours, in kernel.cl */
    struct marker own = {1, OWN_NAME, &OWN_NAME[strlen(OWN_NAME)]};
    if (marker_at(source->text).name) {
        own = marker_at(source->text);
        above = 2;
    }
    FILE *out = open_memstream(&text, &bytes);
    for (; begin < end; begin = next_line(begin))
        write_marked(out, begin, own, above, folder);
    fclose(out);
    return text;
}

/* ---- Items with errors. */

/* The place of a diagnostic: its file, as long as this, and its line. */
static size_t place_of(const char *line, struct diagnostic here, unsigned *number) {
    size_t length = here.place;
    while (length > 0 && line[length - 1] != ':')
        length--;
    *number = (unsigned)strtoul(line + length, NULL, 10);
    return length - 1;
}

static bool is_at(const struct item *item, const char *file, size_t length,
                  unsigned line) {
    return strlen(item->file) == length && strncmp(item->file, file, length) == 0 &&
           item->first <= line && line <= item->last;
}

static bool share_lines(const struct item *one, const struct item *other) {
    return one->file == other->file && one->first <= other->last &&
           other->first <= one->last;
}

/* Leaves the item out, with all that begins or ends in one of its lines; false: the
 * kernel needs something there, or it is left out by now. */
static bool leave(const struct items *items, bool *left, size_t number) {
    const struct item *item = &items->all[number];
    if (left[number])
        return false;
    for (size_t i = 0; i < items->count; i++)
        if (share_lines(item, &items->all[i]) && items->all[i].needed)
            return false;
    for (size_t i = 0; i < items->count; i++)
        left[i] |= share_lines(item, &items->all[i]);
    return true;
}

/* The arguments of a macro over several lines are all in the first one behind the
 * preprocessor: what is between two items belongs to the one before. */
static bool leave_at(const struct items *items, bool *left, const char *line,
                     struct diagnostic here) {
    unsigned number;
    const size_t length = place_of(line, here, &number);
    struct item *before = NULL;
    for (size_t i = 0; i < items->count; i++) {
        struct item *item = &items->all[i];
        if (is_at(item, line, length, number))
            return leave(items, left, i);
        if (strlen(item->file) != length || strncmp(item->file, line, length) != 0)
            continue;
        if (item->last < number && (!before || item->last > before->last))
            before = item;
    }
    if (!before || before->needed)
        return false;
    before->last = number;
    return left[before - items->all] ||
           leave(items, left, (size_t)(before - items->all));
}

/* Leaves out what has errors, or has asked for what has them: of a template, that is a
 * note below the error.  False: there is nothing more to leave out. */
static bool leave_errors(const struct items *items, bool *left, const char *log) {
    bool changed = false, open = false;
    for (const char *line = log; *line; line = next_line(line)) {
        const struct diagnostic here = complaint_at(line);
        const char *asked = strstr(line, "requested here");
        const bool is_error = here.severity == ERROR,
                   asks = here.severity == NOTE && asked && asked < next_line(line);
        if (!is_error && !(asks && open))
            continue;
        open = !leave_at(items, left, line, here);
        changed |= !open;
    }
    return changed;
}

/* ---- The text without them. */

/* Replaces a line by blanks, but for comments, and for directives other than pragmas;
 * both may go on in the next one. */
struct blanking {
    bool in_comment, in_directive;
};

static const char *behind_literal(const char *p) {
    const char quote = *p++;
    while (*p && *p != quote && *p != '\n')
        p += *p == '\\' && p[1] && p[1] != '\n' ? 2 : 1;
    return p + (*p == quote);
}

static bool is_directive(const char *line) {
    line += strspn(line, " \t");
    return *line == '#' && !starts(line + 1 + strspn(line + 1, " \t"), "pragma");
}

static void write_line(FILE *out, const char *line, bool blank,
                       struct blanking *blanking) {
    const char *end = next_line(line), *p = line;
    if (!blanking->in_comment && !blanking->in_directive)
        blanking->in_directive = is_directive(line);
    blank &= !blanking->in_directive;
    while (p < end) {
        const char *begin = p;
        if (blanking->in_comment || starts(p, "/*")) {
            const char *close = strstr(p + (blanking->in_comment ? 0 : 2), "*/");
            blanking->in_comment = !close || close >= end;
            p = blanking->in_comment ? end : close + 2;
            fwrite(begin, 1, (size_t)(p - begin), out);
            continue;
        }
        if (starts(p, "//"))
            p = end - (end[-1] == '\n');
        else
            p = *p == '"' || *p == '\'' ? behind_literal(p) : p + 1;
        for (; begin < p; begin++)
            fputc(blank && *begin != '\n' ? ' ' : *begin, out);
    }
    const bool goes_on = end - line >= 2 && end[-1] == '\n' && end[-2] == '\\';
    blanking->in_directive &= goes_on || blanking->in_comment;
}

static bool is_left(const struct items *items, const bool *left,
                    const struct marker *file, unsigned line) {
    for (size_t i = 0; i < items->count; i++)
        if (left[i] &&
            is_at(&items->all[i], file->name, (size_t)(file->end - file->name), line))
            return true;
    return false;
}

static char *text_without(const struct items *items, const bool *left,
                          const char *text) {
    char *rest = NULL;
    size_t bytes = 0;
    unsigned line = 1;
    struct blanking blanking = {.in_comment = false};
    struct marker file = {.name = "", .end = ""};
    file.end = file.name;
    FILE *out = open_memstream(&rest, &bytes);
    for (; *text; text = next_line(text)) {
        const struct marker marker = marker_at(text);
        write_line(out, text, is_left(items, left, &file, line), &blanking);
        line = marker.name ? marker.line : line + 1;
        file = marker.name ? marker : file;
    }
    fclose(out);
    return rest;
}

/* ---- What is said of it. */

/* The lines of one file; between two parts that are joined here, nothing is kept. */
static bool write_lines(FILE *out, const struct items *items, const bool *left,
                        const char *file, bool is_own) {
    char *numbers = NULL;
    size_t bytes = 0;
    FILE *parts = open_memstream(&numbers, &bytes);
    unsigned first = 0, last = 0;
    bool any = false;
    for (size_t i = 0; i <= items->count; i++) {
        const struct item *item = i < items->count ? &items->all[i] : NULL;
        if (item && item->file != file)
            continue;
        if (item && left[i]) {
            first = first ? first : item->first;
            last = item->last;
            continue;
        }
        if (first)
            fprintf(parts, first == last ? "%s%u" : "%s%u to %u", any ? ", " : "",
                    first, last);
        any |= first > 0;
        first = 0;
    }
    fclose(parts);
    if (any)
        fprintf(out, "line%s %s", strpbrk(numbers, " ,") ? "s" : "", numbers);
    if (any && !is_own)
        fprintf(out, " of %s", file);
    free(numbers);
    return any;
}

static char *in_words(const struct items *items, const bool *left,
                      const struct missing *missing, const char *own) {
    char *words = NULL;
    size_t bytes = 0;
    bool any = false;
    FILE *out = open_memstream(&words, &bytes);
    for (size_t f = 0; f < items->file_count; f++) {
        bool here = false;
        for (size_t i = 0; i < items->count; i++)
            here |= left[i] && items->all[i].file == items->files[f];
        if (!here)
            continue;
        fputs(any ? "; " : "", out);
        any |= write_lines(out, items, left, items->files[f],
                           strcmp(items->files[f], own) == 0);
    }
    fputs(any ? ", which the kernel does not need" : "", out);
    for (size_t i = 0; i < missing->count; i++)
        fprintf(out, "%s%s", i ? ", " : any ? "; " : "", missing->names[i]);
    if (missing->count > 0)
        fputs(missing->count > 1 ? ", which are not found" : ", which is not found",
              out);
    fclose(out);
    return words;
}

/* ---- All together. */

/* Until it compiles, or nothing more can be left out.  The source's text becomes what
 * is left of `text`. */
static bool compile_without(const char *folder, struct source *source, const char *also,
                            const struct items *items, bool *left, const char *text) {
    enum { ROUNDS = 24 };
    char options[PATH], *rest = NULL;
    snprintf(options, sizeof options, "-ferror-limit=0 %s", also);
    for (int round = 0; round < ROUNDS; round++) {
        if (step_clang(folder, source, "", options, "kernel.ll"))
            return true;
        char *log = step_read(folder, "log");
        const bool changed = leave_errors(items, left, log);
        free(log);
        if (!changed)
            break;
        free(rest);
        source->text = rest = text_without(items, left, text);
        step_write_kernel(folder, source);
    }
    return false;
}

/* The file and all that it includes, as one text and behind the preprocessor; false: it
 * cannot be had. */
static bool preprocess(const char *folder, struct source *source,
                       struct missing *missing, char **text, char **preprocessed) {
    *text = *preprocessed = NULL;
    if (!join(folder, source, missing))
        return false;
    char *joined = step_read(folder, "joined");
    *text = cut(folder, source, joined);
    free(joined);
    if (!*text)
        return false;
    source->text = *text;
    step_write_kernel(folder, source);
    if (step_clang(folder, source, "", "-E", "preprocessed"))
        *preprocessed = step_read(folder, "preprocessed");
    return *preprocessed;
}

/* Is there an error in the file, and not in its callers alone? */
static bool is_of_file(const char *folder) {
    bool found = false;
    char *log = step_read(folder, "log");
    for (const char *line = log; *line && !found; line = next_line(line))
        found = complaint_at(line).severity == ERROR && !starts(line, CALLER ":");
    free(log);
    return found;
}

bool leave_out(const char *folder, struct source *source, const char *also) {
    if (!is_of_file(folder))
        return false;
    struct missing missing = {.count = 0};
    const struct marker marker = marker_at(source->text);
    char *own = marker.name ? strndup(marker.name, (size_t)(marker.end - marker.name))
                            : strdup(OWN_NAME),
         *text, *preprocessed;
    bool made = false;
    if (preprocess(folder, source, &missing, &text, &preprocessed)) {
        struct items items = items_read(preprocessed);
        bool *left = lens_allocate(items.count, sizeof *left);
        items_find_needed(&items, source->kernel);
        for (size_t i = 0; i < items.count; i++)
            items.all[i].needed |= strcmp(items.all[i].file, CALLER) == 0;
        made = compile_without(folder, source, also, &items, left, text);
        source->left_out = in_words(&items, left, &missing, own);
        free(left);
        items_free(&items);
        free(source->text != text ? text : NULL);
    }
    for (size_t i = 0; i < missing.count; i++)
        free(missing.names[i]);
    free(missing.names);
    free(preprocessed);
    free(own);
    return made;
}
