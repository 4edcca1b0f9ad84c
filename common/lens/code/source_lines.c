/* source_lines: finds source lines by file and number. */
#define _POSIX_C_SOURCE 200809L /* strnlen */
#include "source_lines.h"

#include <string.h>

const char *const kind_names[] = {
    [LOAD] = "load",     [VOLATILE_LOAD] = "load", [STORE] = "store",
    [ATOMIC] = "atomic", [BRANCH] = "branch",      [BARRIER] = "barrier"};
const char *const space_names[] = {
    [GLOBAL] = "global", [CONSTANT] = "constant", [LOCAL] = "local"};

bool place_is_same(const struct place *one, const struct place *other) {
    return one->line == other->line && one->column == other->column &&
           one->file == other->file;
}

/* "#line 7 "name"".  (sscanf() measures all that follows before it reads any of it, so
 * that to ask it at each line would take the square of the text's length.) */
static bool read_directive(const char *text, unsigned *number, char name[256]) {
    char line[512];
    const char *first = text + strspn(text, " \t");
    if (*first != '#')
        return false;
    snprintf(line, sizeof line, "%.*s", (int)strcspn(first, "\n"), first);
    return sscanf(line, "# line %u \"%255[^\"]\"", number, name) == 2;
}

/* Finds a line in a text in which "#line 1 "name"" may name the file that follows. */
static bool find_line(const char *text, const char *file, struct place place,
                      char *line, size_t room) {
    char now_in[256];
    unsigned number = 1;
    snprintf(now_in, sizeof now_in, "%s", file);
    for (const char *end; *text; text = *end ? end + 1 : end, number++) {
        unsigned next;
        char name[256];
        end = text + strcspn(text, "\n");
        if (read_directive(text, &next, name)) {
            number = next - 1;
            snprintf(now_in, sizeof now_in, "%s", name);
        } else if (number == place.line && strcmp(now_in, place.file) == 0) {
            snprintf(line, room, "%.*s", (int)strcspn(text, "\r\n"), text);
            return true;
        }
    }
    return false;
}

const char *source_line(const char *source, struct place place) {
    static char line[1 << 16]; /* a whole kernel may stand in one */
    if (find_line(source, OWN_NAME, place, line, sizeof line))
        return line;
    FILE *file = fopen(place.file, "r");
    unsigned number = 0;
    while (file && fgets(line, sizeof line, file))
        if (++number == place.line)
            break;
    line[strcspn(line, "\r\n")] = '\0';
    if (!file || number != place.line)
        *line = '\0';
    if (file)
        fclose(file);
    return line;
}

/* Where to begin: a statement may be in the middle of a long line. */
static size_t excerpt_begin(const char *line, size_t column, size_t most) {
    enum { ENOUGH = 20 }; /* of an access, to see which one it is */
    size_t begin = column ? column - 1 : 0;
    if (begin + ENOUGH <= most || begin >= strlen(line) || strlen(line) <= 3 * most / 2)
        return 0;
    for (size_t i = 0; i < most - ENOUGH && !strchr(";{}", line[begin - 1]); i++)
        begin--;
    return begin + strspn(line + begin, " \t");
}

const char *source_excerpt(const char *source, struct place place, size_t most) {
    static const char gap[] = "... ";
    static char excerpt[MAX_EXCERPT + sizeof gap];
    const char *line = source_line(source, place);
    const size_t begin = excerpt_begin(line, place.column, most);
    size_t length = strnlen(line + begin, most < MAX_EXCERPT ? most : MAX_EXCERPT);
    while (length > 0 && line[begin + length - 1] == ' ')
        length--;
    snprintf(excerpt, sizeof excerpt, "%s%.*s", begin ? gap : "", (int)length,
             line + begin);
    return excerpt;
}

const char *source_text(const char *source, struct place place, size_t most) {
    static const char blanks[] = " \t";
    most += strspn(source_line(source, place), blanks);
    const char *text = source_excerpt(source, place, most);
    return text + strspn(text, blanks);
}
