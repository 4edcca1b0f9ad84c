/* json: writes JSON (RFC 8259): commas where they belong, and valid texts whatever
 * bytes they have.
 *
 *     struct json json = {.out = stdout};
 *     json_open(&json, '{');
 *     json_field(&json, "kernel", "dot");
 *     json_name(&json, "sizes");
 *     json_print(&json, "[%d,%d]", 64, 4);
 *     json_close(&json, '}');                {"kernel":"dot","sizes":[64,4]} */
#ifndef TEXT_JSON_H
#define TEXT_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *out;
    bool spaced;      /* a blank behind commas and colons */
    bool in_html;     /* nothing in a text ends the script element around it */
    bool comma, line; /* what comes next needs a comma; begins a line: json's own */
};

/* '{' or '[', and what closes it. */
void json_open(struct json *json, char bracket);
void json_close(struct json *json, char bracket);

/* The name of the value that follows. */
void json_name(struct json *json, const char *name);

/* A text in quotation marks; what is no UTF-8 in it becomes U+FFFD. */
void json_text(struct json *json, const char *text);

/* A number that printf() has made.  What JSON has no number for, such as "" or "inf",
 * becomes null. */
void json_number(struct json *json, const char *text);

/* What is JSON as it is: a number, a list of numbers, true, false or null. */
__attribute__((format(printf, 2, 3))) void json_print(struct json *json,
                                                      const char *format, ...);

/* A name and its value: a text, or a whole number. */
void json_field(struct json *json, const char *name, const char *text);
void json_count(struct json *json, const char *name, uint64_t count);

/* What comes next, a bracket that closes, too, begins a line. */
void json_line(struct json *json);

#endif
