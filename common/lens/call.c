/* call: reads NAME(ARGUMENT[ELEMENTS]=VALUE, ...). */
#define _GNU_SOURCE /* strndup */
#include "call.h"
#include "memory.h"

#include <ctype.h>
#include <string.h>

static const char blanks[] = " \t\n";

static _Noreturn void refuse(const char *text, const char *why) {
    lens_die("%s in the call %s" HINT "for example: 'dot(x[4096]=random, y=1, n=4096)'",
             why, text);
}

/* Letters beyond ASCII are several bytes, all of them beyond ASCII. */
static bool is_letter(char c) {
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Copies a name; returns what follows it and the blanks behind it. */
static const char *read_name(const char *text, const char *p, char name[MAX_NAME]) {
    size_t length = 0;
    p += strspn(p, blanks);
    while (is_letter(p[length]))
        length++;
    if (length == 0 || length >= MAX_NAME)
        refuse(text, "a name is missing or too long");
    snprintf(name, MAX_NAME, "%.*s", (int)length, p);
    return p + length + strspn(p + length, blanks);
}

/* Where a value ends: at a comma or at the parenthesis, but (1, 2, 3) is one value. */
static const char *value_end(const char *p) {
    for (int depth = 0; *p; p++)
        if (*p == '(')
            depth++;
        else if (depth == 0 && (*p == ',' || *p == ')'))
            break;
        else if (*p == ')')
            depth--;
    return p;
}

static char *copy_of(const char *begin, const char *end) {
    begin += strspn(begin, blanks);
    while (end > begin && strchr(blanks, end[-1]))
        end--;
    return strndup(begin, (size_t)(end - begin));
}

static const char *read_given(const char *text, const char *p, struct given *given) {
    p = read_name(text, p, given->name);
    if (*p == '[') {
        const char *end = strchr(p, ']');
        if (!end)
            refuse(text, "a ']' is missing");
        given->elements = copy_of(p + 1, end);
        p = end + 1 + strspn(end + 1, blanks);
    }
    if (*p == '=') {
        const char *end = value_end(p + 1);
        given->value = copy_of(p + 1, end);
        if (!*given->value)
            refuse(text, "a value is missing");
        p = end;
    }
    if (*p != ',' && *p != ')')
        refuse(text, *p ? "a comma is missing" : "a ')' is missing");
    return p;
}

struct call call_read(const char *text) {
    struct call call = {.count = 0};
    if (!text)
        return call;
    const char *p = read_name(text, text, call.kernel);
    if (*p && *p != '(')
        refuse(text, "a '(' is missing");
    if (!*p)
        return call;
    p += 1 + strspn(p + 1, blanks);
    while (*p != ')') {
        if (call.count == MAX_ARGUMENTS)
            refuse(text, "there are too many arguments");
        struct given *given = &call.given[call.count];
        p = read_given(text, p, given);
        if (call_given(&call, given->name))
            refuse(text, "an argument is given twice");
        call.count++;
        p += *p == ',' ? 1 + strspn(p + 1, blanks) : 0;
    }
    if (p[1 + strspn(p + 1, blanks)])
        refuse(text, "there is something behind the ')'");
    return call;
}

const struct given *call_given(const struct call *call, const char *name) {
    for (size_t i = 0; i < call->count; i++)
        if (strcmp(call->given[i].name, name) == 0)
            return &call->given[i];
    return NULL;
}
