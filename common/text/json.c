/* One bit is enough to know where a comma is needed: behind a value or a bracket that
 * closes, but not behind a bracket that opens or a name. */
#include "text/json.h"

#include "text/utf8.h"

#include <stdarg.h>
#include <string.h>

/* What has to stand in front of a value, a name or a closing bracket. */
static void begin(struct json *json, bool comma) {
    if (comma)
        fputs(json->spaced && !json->line ? ", " : ",", json->out);
    if (json->line)
        fputc('\n', json->out);
    json->line = false;
}

static void begin_value(struct json *json) {
    begin(json, json->comma);
    json->comma = true;
}

void json_open(struct json *json, char bracket) {
    begin_value(json);
    fputc(bracket, json->out);
    json->comma = false;
}

void json_close(struct json *json, char bracket) {
    begin(json, false);
    fputc(bracket, json->out);
    json->comma = true;
}

void json_name(struct json *json, const char *name) {
    json_text(json, name);
    fputs(json->spaced ? ": " : ":", json->out);
    json->comma = false;
}

void json_text(struct json *json, const char *text) {
    begin_value(json);
    fputc('"', json->out);
    while (*text) {
        const unsigned char byte = (unsigned char)*text;
        if (byte < ' ' || (json->in_html && strchr("\"\\<>&\x7f", byte)))
            fprintf(json->out, "\\u%04x", (unsigned)*text++);
        else if (byte == '"' || byte == '\\')
            fprintf(json->out, "\\%c", *text++);
        else
            text = utf8_character(json->out, text);
    }
    fputc('"', json->out);
}

/* Of what printf() makes of a number, only infinities and NaNs are no JSON. */
void json_number(struct json *json, const char *text) {
    const char first = text[*text == '-'];
    json_print(json, "%s", first >= '0' && first <= '9' ? text : "null");
}

void json_print(struct json *json, const char *format, ...) {
    va_list values;
    begin_value(json);
    va_start(values, format);
    vfprintf(json->out, format, values);
    va_end(values);
}

void json_field(struct json *json, const char *name, const char *text) {
    json_name(json, name);
    json_text(json, text);
}

void json_count(struct json *json, const char *name, uint64_t count) {
    json_name(json, name);
    json_print(json, "%llu", (unsigned long long)count);
}

void json_line(struct json *json) {
    json->line = true;
}
