#include "driver/source.h"

#include "check.h"
#include "data.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Text that grows at its end. */
struct text {
    char *begin;
    size_t used, room;
};

static void append(struct text *text, const char *piece, size_t bytes) {
    if (text->used + bytes + 1 > text->room) {
        text->room = 2 * (text->used + bytes + 1);
        text->begin = realloc(text->begin, text->room);
        if (!text->begin)
            die("the host has no room for a kernel file" HINT "is it very long?");
    }
    memcpy(text->begin + text->used, piece, bytes);
    text->used += bytes;
    text->begin[text->used] = '\0';
}

static char *file_read(const char *path) {
    enum {
        MAX_BYTES = 1 << 24
    }; /* a folder claims to be longer than any kernel file */
    FILE *file = fopen(path, "rb");
    if (!file)
        die("cannot open the kernel file %s: %s" HINT
            "compare the name with those in kernels/",
            path, strerror(errno));
    const long bytes = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
    if (bytes < 0 || bytes > MAX_BYTES)
        die("%s is not a kernel file" HINT "--kernel needs a text file ending in .cl",
            path);
    rewind(file);
    char *content = allocate((size_t)bytes + 1, 1);
    if (fread(content, 1, (size_t)bytes, file) != (size_t)bytes)
        die("cannot read %s" HINT "is the disk in order?", path);
    if (strlen(content) != (size_t)bytes)
        die("%s has a byte 0, so it is no text" HINT "save it as UTF-8", path);
    fclose(file);
    return content;
}

static void append_line_number(struct text *text, size_t number, const char *name) {
    char directive[4200];
    snprintf(directive, sizeof directive, "#line %zu \"%s\"\n", number, name);
    append(text, directive, strlen(directive));
}

static void append_file(struct text *text, const char *path, const char *name,
                        bool lines, int depth) {
    if (depth > 8)
        die("%s and the files it includes include each other" HINT
            "one of them must not include the others",
            name);
    if (lines)
        append_line_number(text, 1, name);
    char *content = file_read(path);
    size_t number = 1;
    for (const char *line = without_mark(content), *next; *line;
         line = next, number++) {
        char included[256], included_path[4096], included_name[300];
        next = line + strcspn(line, "\n");
        next += *next == '\n';
        if (strncmp(line, "#include", 8) != 0 ||
            sscanf(line, "#include \"%255[^\"\n]\"", included) != 1) {
            append(text, line, (size_t)(next - line));
            continue;
        }
        snprintf(included_path, sizeof included_path, "%s/%s", KERNEL_DIR, included);
        snprintf(included_name, sizeof included_name, "kernels/%s", included);
        append_file(text, included_path, included_name, lines, depth + 1);
        if (lines)
            append_line_number(text, number + 1, name);
    }
    if (text->used > 0 && text->begin[text->used - 1] != '\n')
        append(text, "\n", 1); /* the last line had no end */
    free(content);
}

char *source_read(const char *path, const char *name, bool lines) {
    struct text text = {0};
    append_file(&text, path, name, lines, 0);
    append(&text, "", 0);
    return text.begin;
}
