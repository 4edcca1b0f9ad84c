/* llvm: splits LLVM's text form into lines, and follows its metadata. */
#define _GNU_SOURCE /* strchrnul */
#include "llvm.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void add_metadata(struct text *text, char *line) {
    char *end;
    const size_t number = strtoul(line + 1, &end, 10);
    if (end == line + 1)
        return; /* a named one */
    while (text->metadata_count <= number)
        *GROW(text->metadata, text->metadata_count) = NULL;
    text->metadata[number] = end;
}

struct text llvm_split(char *text) {
    struct text split = {.count = 0};
    for (char *line = text, *end; *line; line = end) {
        end = strchrnul(line, '\n');
        if (*end)
            *end++ = '\0';
        if (!*line)
            continue;
        *GROW(split.lines, split.count) = line;
        if (line[0] == '!')
            add_metadata(&split, line);
    }
    return split;
}

void llvm_free(struct text *text) {
    free(text->lines);
    free(text->metadata);
}

size_t llvm_number(const char *line, const char *name, size_t otherwise) {
    const char *found = line ? strstr(line, name) : NULL;
    return found ? strtoul(found + strlen(name), NULL, 10) : otherwise;
}

const char *llvm_refers(const struct text *text, const char *line, const char *name) {
    const size_t number = llvm_number(line, name, SIZE_MAX);
    return number < text->metadata_count ? text->metadata[number] : NULL;
}

char *llvm_name(const char *text, size_t length) {
    const char *end = text + length;
    char *name = lens_allocate(length + 1, 1), *to = name;
    if (length > 1 && *text == '"') {
        text++;
        end--;
    }
    while (text < end) {
        const char digits[] = {text[0] == '\\' && end - text > 2 ? text[1] : '\0',
                               text[0] == '\\' && end - text > 2 ? text[2] : '\0',
                               '\0'};
        char *rest;
        const unsigned long byte = strtoul(digits, &rest, 16);
        const bool escaped = rest == digits + 2;
        *to++ = escaped ? (char)byte : *text;
        text += escaped ? 3 : 1;
    }
    return name;
}

const char *llvm_file(const struct text *text, const char *location, size_t *length) {
    static const char name[] = "filename: \"";
    const char *scope = llvm_refers(text, location, "scope: !");
    const char *file = llvm_refers(text, scope, "file: !");
    if (!file || !(file = strstr(file, name)))
        return NULL;
    file += strlen(name);
    *length = strcspn(file, "\"");
    return file;
}

const char *llvm_outside_brackets(const char *text, const char *characters) {
    for (int depth = 0; *text && (depth > 0 || !strchr(characters, *text)); text++) {
        depth += strchr("<[{(", *text) != NULL;
        depth -= strchr(">]})", *text) != NULL;
    }
    return text;
}
