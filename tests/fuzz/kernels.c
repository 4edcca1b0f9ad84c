/* kernels: what the lens itself reads of kernel files: what a text includes, what is
 * left of it without comments, and, of LLVM's text form, what tells functions apart.
 * The second file, if there is one, begins behind a line of its own, "%%". */
#define _GNU_SOURCE /* open_memstream, strndup, strdup */
#include "target.h"

#include "attach/sources.h"
#include "code/digests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void try_digests(const char *text) {
    char *lines = NULL, *again = NULL;
    size_t bytes = 0;
    struct digests digests = digests_of(text);
    FILE *out = open_memstream(&lines, &bytes);
    digests_write(&digests, out);
    fclose(out);
    digests_free(&digests);
    digests = digests_read(lines);
    out = open_memstream(&again, &bytes);
    digests_write(&digests, out);
    fclose(out);
    must_hold(strcmp(lines, again) == 0, "digests are read as they were written");
    digests_free(&digests);
    free(lines);
    free(again);
}

void try_text(const char *text) {
    const struct header headers[] = {{"next.h", "int next;\n"}, {"empty.h", ""}};
    const char *end = strstr(text, "\n%%\n");
    char *one = end ? strndup(text, (size_t)(end - text)) : strdup(text);
    const char *other = end ? end + 4 : text;

    char *plain = sources_plain(one), *again = sources_plain(plain);
    must_hold(strchr(plain, '\\') || strcmp(plain, again) == 0,
              "plain text stays plain, where no backslash joins its lines anew");
    try_digests(one);
    free(sources_include(one, headers, 2));
    free(sources_join((const char *const[]){one, other}, 2));
    free(again);
    free(plain);
    free(one);
}
