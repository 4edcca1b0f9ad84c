/* sources: joins texts, and puts headers in their place. */
#define _GNU_SOURCE /* dl_iterate_phdr, open_memstream */
#include "sources.h"
#include "base/memory.h"
#include "code/code.h"

#include <link.h>
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
