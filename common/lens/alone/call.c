/* call: reads NAME(ARGUMENT[ELEMENTS]:TYPE=VALUE, ...). */
#define _GNU_SOURCE /* strndup */
#include "call.h"
#include "base/memory.h"

#include <ctype.h>
#include <string.h>

static const char blanks[] = " \t\n";

/* The call, as far as it can be shown, and below it a mark at `place`. */
static _Noreturn void refuse(const char *text, const char *place, const char *why) {
    char *shown = lens_allocate(strlen(text) + 1, 1);
    int column = 0;
    for (const char *p = text; *p; p++) {
        shown[p - text] = (unsigned char)*p < ' ' || *p == 0x7f ? '?' : *p;
        column +=
            p < place && ((unsigned char)*p & 0xc0) != 0x80; /* letters, not bytes */
    }
    lens_die("%s\n  call    %s\n          %*s^" HINT
             "for example: 'dot(x[4096]=random, y=1, n=4096)'",
             why, shown, column, "");
}

static void refuse_control_characters(const char *text) {
    for (const char *p = text; *p; p++)
        if (((unsigned char)*p < ' ' && !strchr(blanks, *p)) || *p == 0x7f)
            refuse(text, p, "there is a control character in the call");
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
        refuse(text, p, length ? "a name is too long" : "a name is missing");
    snprintf(name, MAX_NAME, "%.*s", (int)length, p);
    return p + length + strspn(p + length, blanks);
}

const char *call_value_end(const char *p) {
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
            refuse(text, p, "a ']' is missing");
        given->elements = copy_of(p + 1, end);
        p = end + 1 + strspn(end + 1, blanks);
    }
    if (*p == ':')
        p = read_name(text, p + 1, given->type);
    if (*p == '=') {
        const char *end = call_value_end(p + 1);
        given->value = copy_of(p + 1, end);
        if (!*given->value)
            refuse(text, p + 1, "a value is missing");
        p = end;
    }
    if (*p != ',' && *p != ')')
        refuse(text, p, *p ? "a comma is missing" : "a ')' is missing");
    return p;
}

/* The same for a kernel's: in C++ it may be a::b<256, float>. */
static const char *read_kernel_name(const char *text, char name[MAX_NAME]) {
    const char *begin = text + strspn(text, blanks), *end = begin;
    while (is_letter(*end) || (end[0] == ':' && end[1] == ':') ||
           (end > begin && end[0] == ':' && end[-1] == ':'))
        end++;
    if (*end != '<')
        return read_name(text, text, name);
    int depth = 0;
    do
        depth += (*end == '<') - (*end == '>');
    while (*end++ && depth > 0);
    if (depth > 0)
        refuse(text, begin, "a '>' is missing");
    if (end - begin >= MAX_NAME)
        refuse(text, begin, "a name is too long");
    snprintf(name, MAX_NAME, "%.*s", (int)(end - begin), begin);
    return end + strspn(end, blanks);
}

struct call call_read(const char *text) {
    struct call call = {.count = 0};
    if (!text)
        return call;
    refuse_control_characters(text);
    const char *p = read_kernel_name(text, call.kernel);
    if (*p && *p != '(')
        refuse(text, p, "a '(' is missing");
    if (!*p)
        return call;
    p += 1 + strspn(p + 1, blanks);
    while (*p != ')') {
        if (call.count == MAX_ARGUMENTS)
            refuse(text, p, "there are too many arguments");
        struct given *given = &call.given[call.count];
        const char *begin = p;
        p = read_given(text, p, given);
        if (call_given(&call, given->name))
            refuse(text, begin, "an argument is given twice");
        call.count++;
        p += *p == ',' ? 1 + strspn(p + 1, blanks) : 0;
    }
    if (p[1 + strspn(p + 1, blanks)])
        refuse(text, p + 1 + strspn(p + 1, blanks),
               "there is something behind the ')'");
    return call;
}

const struct given *call_given(const struct call *call, const char *name) {
    for (size_t i = 0; i < call->count; i++)
        if (strcmp(call->given[i].name, name) == 0)
            return &call->given[i];
    return NULL;
}
