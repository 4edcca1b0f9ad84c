/* kernels: what the lens itself reads of kernel files: what two have in common, and
 * what a text includes.  The second file, if there is one, begins behind a line of its
 * own, "%%". */
#define _GNU_SOURCE /* strndup, strdup */
#include "target.h"

#include "attach/sources.h"
#include "code/changes.h"

#include <stdlib.h>
#include <string.h>

void try_text(const char *text) {
    const struct header headers[] = {{"next.h", "int next;\n"}, {"empty.h", ""}};
    const char *end = strstr(text, "\n%%\n");
    char *one = end ? strndup(text, (size_t)(end - text)) : strdup(text);
    const char *other = end ? end + 4 : text;

    char *plain = plain_text(one), *again = plain_text(plain);
    must_hold(strchr(plain, '\\') || strcmp(plain, again) == 0,
              "plain text stays plain, where no backslash joins its lines anew");
    must_hold(same_code(one, other, "k") == same_code(other, one, "k"),
              "what is the same is so both ways");
    names_word(one, "k");
    free(sources_include(one, headers, 2));
    free(sources_join((const char *const[]){one, other}, 2));
    free(again);
    free(plain);
    free(one);
}
