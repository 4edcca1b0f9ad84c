/* sources: joins texts, puts headers in their place, and takes comments out. */
#define _GNU_SOURCE /* dl_iterate_phdr, open_memstream */
#include "sources.h"
#include "base/memory.h"
#include "base/starts.h"
#include "code/code.h"

#include <ctype.h>
#include <link.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 32 }; /* headers in headers; one that includes itself has to end */

static const struct header *header_of(const char *line, const struct header *headers,
                                      size_t count) {
    char name[256];
    line += strspn(line, " \t");
    if (*line != '#') /* sscanf() would measure all of the text at each line */
        return NULL;
    if (sscanf(line, "# include %*[\"<]%255[^\">\n]", name) == 1)
        for (size_t i = 0; i < count; i++)
            if (strcmp(headers[i].name, name) == 0)
                return &headers[i];
    return NULL;
}

static void include(FILE *out, const char *name, const char *text,
                    const struct header *headers, size_t count, int depth) {
    unsigned number = 1;
    for (const char *end; *text; text = *end ? end + 1 : end, number++) {
        const struct header *header =
            depth < DEEPEST ? header_of(text, headers, count) : NULL;
        end = text + strcspn(text, "\n");
        if (!header) {
            fprintf(out, "%.*s\n", (int)(end - text), text);
            continue;
        }
        fprintf(out, "#line 1 \"%s\"\n", header->name);
        include(out, header->name, header->text, headers, count, depth + 1);
        fprintf(out, "#line %u \"%s\"\n", number + 1, name);
    }
}

char *sources_include(const char *source, const struct header *headers, size_t count) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    include(out, OWN_NAME, source, headers, count, 0);
    fclose(out);
    return text;
}

char *sources_join(const char *const *parts, size_t count) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            fprintf(out, "\n#line 1 \"part%zu.cl\"\n", i + 1);
        fputs(parts[i], out);
    }
    fclose(out);
    return text;
}

/* ---- Without comments, needless blanks, and directives that only number the lines. */

/* Behind a comment that begins here; or NULL. */
static const char *comment_end(const char *text) {
    if (starts(text, "//"))
        return text + strcspn(text, "\n");
    if (!starts(text, "/*"))
        return NULL;
    const char *end = strstr(text + 2, "*/");
    return end ? end + 2 : text + strlen(text);
}

/* Behind a text in quotes. */
static const char *quotes_end(const char *text) {
    const char quote = *text++;
    while (*text && *text != quote && *text != '\n')
        text += *text == '\\' && text[1] ? 2 : 1;
    return *text ? text + 1 : text;
}

/* Lines that end in a backslash go on, for clang even if blanks are behind it. */
static char *join_lines(const char *source) {
    char *joined = lens_allocate(strlen(source) + 1, 1), *end = joined;
    for (; *source; source++) {
        const char *next = source + 1 + strspn(source + 1, " \t\r\f\v");
        if (*source == '\\' && *next == '\n')
            source = next;
        else
            *end++ = *source;
    }
    return joined;
}

char *sources_plain(const char *source) {
    char *joined = join_lines(source), *plain = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&plain, &bytes);
    bool blank = false, line_begins = true, directive = false;
    for (const char *p = joined; *p;) {
        const char *end = comment_end(p);
        if (end || isspace((unsigned char)*p)) {
            if (!end && *p == '\n') {
                if (directive)
                    fputc('\n', out);
                directive = false;
                line_begins = true;
            }
            blank = true;
            p = end ? end : p + 1;
            continue;
        }
        if (*p == '#' && line_begins) {
            const char *word = p + 1 + strspn(p + 1, " \t");
            if (starts(word, "line") && !isalnum((unsigned char)word[4]) &&
                word[4] != '_') {
                p += strcspn(p, "\n");
                continue;
            }
            directive = true;
            fputc('\n', out);
        } else if (blank) {
            fputc(' ', out);
        }
        end = *p == '"' || *p == '\'' ? quotes_end(p) : p + 1;
        fwrite(p, 1, (size_t)(end - p), out);
        p = end;
        blank = line_begins = false;
    }
    fclose(out);
    free(joined);
    return plain;
}

/* ---- A cache that is in the way. */
static int is_pyopencl(struct dl_phdr_info *library, size_t bytes, void *unused) {
    (void)bytes, (void)unused;
    return strstr(library->dlpi_name, "/pyopencl/") != NULL;
}

void sources_tell_cache(void) {
    static bool told;
    if (!told && getenv("LENS_NO_CACHE") && dl_iterate_phdr(is_pyopencl, NULL))
        lens_say("PyOpenCL's cache, which hides sources, is off for this run "
                 "(PYOPENCL_NO_CACHE=1)\n");
    told = true;
}
