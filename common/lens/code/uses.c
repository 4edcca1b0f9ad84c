/* uses: finds what becomes of a value.  To set some components of a vector, clang loads
 * all of it, puts them in, and stores it back to where it was:
 *
 *     %1 = load <4 x float>, ptr %p, align 16               p->y = y;
 *     %2 = insertelement <4 x float> %1, float %y, i64 1
 *     store <4 x float> %2, ptr %p, align 16
 *
 * Several components are set by a shufflevector, in which the others stay in their
 * places.
 *
 * Source: LLVM Language Reference Manual, "Vector Operations". */
#include "uses.h"

#include <stdlib.h>
#include <string.h>

struct word {
    const char *text;
    size_t length;
};

/* The name "%5" of a value, where it begins. */
static struct word name_at(const char *text) {
    return (struct word){text, strcspn(text, " ,)")};
}

static bool is_equal(struct word one, struct word other) {
    return one.length == other.length && strncmp(one.text, other.text, one.length) == 0;
}

static const char *find(const char *line, struct word word) {
    for (const char *at = strchr(line, '%'); at; at = strchr(at + 1, '%'))
        if (is_equal(name_at(at), word))
            return at;
    return NULL;
}

/* Do the elements of an operand that a shuffle takes stay where they are?  The mask is
 * the last pair of angle brackets, as in "<4 x i32> <i32 0, i32 5, i32 2, i32 poison>".
 */
static bool stay_in_place(const char *line, bool second) {
    const char *mask = strrchr(line, '<');
    const char *type = mask;
    while (mask && type > line && *--type != '<') {
    }
    const long count = type ? strtol(type + 1, NULL, 10) : 0;
    long place = 0;
    for (const char *at = mask; at && (at = strstr(at, "i32 ")); at++, place++) {
        char *end;
        const long from = strtol(at + 4, &end, 10);
        if (end != at + 4 && (from >= count) == second &&
            from != place + (second ? count : 0))
            return false;
    }
    return count > 0 && place == count;
}

/* Does a line that uses the vector only put components in? */
static bool puts_in(const char *line, const char *use) {
    const char *insert = strstr(line, " = insertelement <");
    const char *shuffle = strstr(line, " = shufflevector <");
    const char *comma = strchr(line, ',');
    if (insert)
        return use < comma;
    return shuffle && stay_in_place(line, use > comma);
}

static bool is_debugging(const char *line) {
    return strstr(line, "@llvm.dbg.") || strncmp(line, "    #dbg", 8) == 0;
}

/* Is a vector only stored to where it came from, with or without other components? */
static bool goes_back(char *const *lines, struct word pointer) {
    const struct word vector = name_at(*lines + strspn(*lines, " "));
    bool is_used = false;
    for (lines++; strcmp(*lines, "}") != 0; lines++) {
        const char *use = is_debugging(*lines) ? NULL : find(*lines, vector);
        const char *to = strstr(*lines, ", ptr ");
        if (!use)
            continue;
        is_used = true;
        if (strncmp(*lines, "  store ", 8) == 0
                ? !to || !is_equal(name_at(to + strlen(", ptr ")), pointer)
                : !puts_in(*lines, use) || !goes_back(lines, pointer))
            return false;
    }
    return is_used;
}

bool uses_for_component(char *const *lines) {
    const char *load = strstr(*lines, " = load <"), *to = strstr(*lines, ", ptr ");
    return load && to && goes_back(lines, name_at(to + strlen(", ptr ")));
}

/* A loop may use it further up, in a phi: the search begins where the function does. */
bool uses_any(char *const *lines) {
    const struct word result = name_at(*lines + strspn(*lines, " "));
    char *const *line = lines;
    while (strncmp(*line, "define ", strlen("define ")) != 0)
        line--;
    for (; strcmp(*line, "}") != 0; line++)
        if (line != lines && !is_debugging(*line) && find(*line, result))
            return true;
    return false;
}
