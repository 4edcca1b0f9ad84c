#include "compare.h"

#include "driver/poison.h"
#include "kernel.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LANES = 32 }; /* of the warps that the lens counts */

/* Printed by one call, because several threads may find something wrong. */
bool wrong(const char *format, ...) {
    char text[1024];
    va_list facts;
    fflush(stdout); /* what was printed so far comes first */
    va_start(facts, format);
    vsnprintf(text, sizeof text, format, facts);
    va_end(facts);
    fprintf(stderr, "wrong: %s\n", text);
    return false;
}

struct number {
    char text[64];
};

/* Ten digits show every int and are enough to tell two floats apart; doubles may need
 * more. */
static struct number number(double value, int digits) {
    struct number number;
    if (isnan(value))
        snprintf(number.text, sizeof number.text,
                 "NaN (unwritten, or computed from such)");
    else if (value == (double)POISON || value == (double)(cl_int)POISON)
        snprintf(number.text, sizeof number.text, "unwritten (0x%x)", POISON);
    else
        snprintf(number.text, sizeof number.text, "%.*g", digits, value);
    return number;
}

static int choose_digits(double found, double expected) {
    char a[64], b[64];
    snprintf(a, sizeof a, "%.10g", found);
    snprintf(b, sizeof b, "%.10g", expected);
    return strcmp(a, b) == 0 ? 17 : 10;
}

bool equal_sum(double found, double expected) {
    if (found == expected)
        return true;
    const int digits = choose_digits(found, expected);
    if (isnan(found))
        return wrong("the sum is %s, expected %s", number(found, digits).text,
                     number(expected, digits).text);
    return wrong("the sum is %s, expected %s (difference %s)",
                 number(found, digits).text, number(expected, digits).text,
                 number(found - expected, digits).text);
}

struct place element(const char *name, size_t i) {
    struct place place = {.writer = ""};
    snprintf(place.what, sizeof place.what, "%s[%zu]", name, i);
    return place;
}

struct place element_of_item(const char *name, size_t i, const struct launch *launch) {
    struct place place = element(name, i);
    const size_t group = launch->local[0], left = group - i % group / LANES * LANES;
    snprintf(place.writer, sizeof place.writer,
             " (work-item %zu: group %zu, lane %zu of %zu)", i, i / group,
             i % group % LANES, left < LANES ? left : LANES);
    return place;
}

struct place element_of_group(const char *name, size_t i) {
    struct place place = element(name, i);
    snprintf(place.writer, sizeof place.writer, " (group %zu)", i);
    return place;
}

struct place element_2d(const char *name, size_t x, size_t y) {
    struct place place = {.writer = ""};
    snprintf(place.what, sizeof place.what, "%s (%zu, %zu)", name, x, y);
    return place;
}

bool wrong_at(struct place place, double found, double expected) {
    const int digits = choose_digits(found, expected);
    return wrong("%s is %s, expected %s%s", place.what, number(found, digits).text,
                 number(expected, digits).text, place.writer);
}

/* A line's characters up to its end, and those that cannot be printed as \x00. */
static struct number characters(const char *text, size_t bytes) {
    struct number shown = {""};
    size_t used = 0;
    for (size_t i = 0; i < bytes && used < sizeof shown.text - 5; i++) {
        if (i > 0 && text[i - 1] == '\n')
            break;
        if (text[i] == '\n')
            used += (size_t)sprintf(shown.text + used, "\\n");
        else if (isprint((unsigned char)text[i]))
            shown.text[used++] = text[i];
        else
            used += (size_t)sprintf(shown.text + used, "\\x%02x",
                                    (unsigned)(unsigned char)text[i]);
    }
    shown.text[used] = '\0';
    return shown;
}

bool wrong_line(size_t number, size_t offset, const char *found, const char *expected,
                size_t bytes) {
    size_t at = 0;
    while (at + 1 < bytes && found[at] == expected[at])
        at++;
    return wrong("line %zu, character %zu (byte %zu) is '%s', expected '%s';"
                 " the line is '%s', expected '%s'",
                 number, at + 1, offset + at, characters(found + at, 1).text,
                 characters(expected + at, 1).text, characters(found, bytes).text,
                 characters(expected, bytes).text);
}

bool right_again(bool right) {
    return right || wrong("this is the result after the timed launches; that of the "
                          "first launch was right: does the kernel read what was there "
                          "before?");
}

bool right_when_tiny(bool right) {
    return right ||
           wrong("this is the result after the timed launches, of numbers 2^60 "
                 "times smaller than those of the first launch, which was "
                 "right: does the kernel round, or read what was there "
                 "before?");
}
