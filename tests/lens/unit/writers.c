/* writers: JSON and SVG as other programs read them. */
#define _GNU_SOURCE /* open_memstream */
#include "unit.h"

#include "text/json.h"
#include "text/svg.h"

#include <stdlib.h>

/* What is written since begin_writing(); is_written() frees it. */
static char *written;
static FILE *out;

static void begin_writing(void) {
    static size_t bytes;
    out = open_memstream(&written, &bytes);
}

static void is_written(const char *here, const char *what, const char *wanted) {
    fclose(out);
    is_text(here, what, written, wanted);
    free(written);
}

/* ---- Texts. */
static const struct {
    const char *here, *text, *json, *in_html, *svg;
} texts[] = {
    {HERE, "", "\"\"", "\"\"", ""},
    {HERE, "a b", "\"a b\"", "\"a b\"", "a b"},
    {HERE, "\"\\/'", "\"\\\"\\\\/'\"", "\"\\u0022\\u005c/'\"", "\"\\/'"},
    {HERE, "</script>&", "\"</script>&\"", "\"\\u003c/script\\u003e\\u0026\"",
     "&lt;/script&gt;&amp;"},
    {HERE, "\t\n\r", "\"\\u0009\\u000a\\u000d\"", "\"\\u0009\\u000a\\u000d\"",
     "\t\n\r"},
    {HERE, "\x01\x1f\x7f", "\"\\u0001\\u001f\x7f\"", "\"\\u0001\\u001f\\u007f\"",
     "\ufffd\ufffd\x7f"},
    {HERE, "é€😀", "\"é€😀\"", "\"é€😀\"", "é€😀"},
    {HERE, "\ufffe\uffff!", "\"\ufffe\uffff!\"", "\"\ufffe\uffff!\"", "\ufffd\ufffd!"},
    /* no UTF-8: a byte alone, one that never comes, a character cut short, before a
     * quotation mark and at the end */
    {HERE, "\x80z", "\"\ufffdz\"", "\"\ufffdz\"", "\ufffdz"},
    {HERE, "\xff\xfe", "\"\ufffd\ufffd\"", "\"\ufffd\ufffd\"", "\ufffd\ufffd"},
    {HERE, "\xc3\"", "\"\ufffd\\\"\"", "\"\ufffd\\u0022\"", "\ufffd\""},
    {HERE, "\xf0\x9f\x98", "\"\ufffd\ufffd\ufffd\"", "\"\ufffd\ufffd\ufffd\"",
     "\ufffd\ufffd\ufffd"},
    /* too long for what they say, a half of a pair, beyond the last character */
    {HERE, "\xc0\xaf", "\"\ufffd\ufffd\"", "\"\ufffd\ufffd\"", "\ufffd\ufffd"},
    {HERE, "\xed\xa0\x80", "\"\ufffd\ufffd\ufffd\"", "\"\ufffd\ufffd\ufffd\"",
     "\ufffd\ufffd\ufffd"},
    {HERE, "\xf4\x90\x80\x80", "\"\ufffd\ufffd\ufffd\ufffd\"",
     "\"\ufffd\ufffd\ufffd\ufffd\"", "\ufffd\ufffd\ufffd\ufffd"},
};

/* ---- JSON. */
static void write_values(struct json *json) {
    json_open(json, '{');
    json_field(json, "a", "x");
    json_count(json, "b\"", 18446744073709551615u);
    json_name(json, "c");
    json_open(json, '[');
    json_close(json, ']');
    json_line(json);
    json_name(json, "d");
    json_open(json, '[');
    json_line(json);
    json_open(json, '[');
    json_print(json, "%d,%d", 1, -2);
    json_text(json, "y");
    json_close(json, ']');
    json_line(json);
    json_open(json, '{');
    json_close(json, '}');
    json_line(json);
    json_close(json, ']');
    json_close(json, '}');
}

static void test_numbers(void) {
    static const char *const numbers[][2] = {{"0", "0"},       {"-1.5e+3", "-1.5e+3"},
                                             {"", "null"},     {"inf", "null"},
                                             {"-nan", "null"}, {"-", "null"}};
    for (size_t i = 0; i < COUNT(numbers); i++) {
        begin_writing();
        json_number(&(struct json){.out = out}, numbers[i][0]);
        is_written(HERE, numbers[i][0], numbers[i][1]);
    }
}

void test_json(void) {
    for (size_t i = 0; i < COUNT(texts); i++) {
        begin_writing();
        json_text(&(struct json){.out = out}, texts[i].text);
        is_written(texts[i].here, "as JSON", texts[i].json);
        begin_writing();
        json_text(&(struct json){.out = out, .in_html = true}, texts[i].text);
        is_written(texts[i].here, "as JSON in a page", texts[i].in_html);
    }
    begin_writing();
    write_values(&(struct json){.out = out});
    is_written(HERE, "values",
               "{\"a\":\"x\",\"b\\\"\":18446744073709551615,\"c\":[],\n\"d\":[\n"
               "[1,-2,\"y\"],\n{}\n]}");
    begin_writing();
    write_values(&(struct json){.out = out, .spaced = true});
    is_written(HERE, "values with blanks",
               "{\"a\": \"x\", \"b\\\"\": 18446744073709551615, \"c\": [],\n\"d\": [\n"
               "[1,-2, \"y\"],\n{}\n]}");
    test_numbers();
}

/* ---- SVG. */
void test_svg(void) {
    for (size_t i = 0; i < COUNT(texts); i++) {
        begin_writing();
        svg_escaped(out, texts[i].text);
        is_written(texts[i].here, "as SVG", texts[i].svg);
    }
    begin_writing();
    svg_text(out, 12345, 2, "", "<");
    svg_text(out, 0.123456, 7, " class=\"a\"", "b");
    is_written(HERE, "texts",
               "<text x=\"12345\" y=\"2\">&lt;</text>\n"
               "<text x=\"0.1235\" y=\"7\" class=\"a\">b</text>\n");
    begin_writing();
    svg_begin(out, (struct svg_head){.width = 8, .height = 9});
    is_written(HERE, "without colours",
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"8\" height=\"9\" "
               "font-family=\"monospace\" font-size=\"13\">\n");
    begin_writing();
    svg_begin(out, (struct svg_head){8, 9, true, ".a{fill:#000}", ".a{fill:#fff}"});
    is_written(HERE, "with colours",
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 9\" "
               "width=\"8\" height=\"9\" font-family=\"monospace\" font-size=\"13\">\n"
               "<style>:root{color-scheme:light dark}text{fill:#000}"
               ".idle{fill:#e4e4e4}.a{fill:#000}\n"
               "@media(prefers-color-scheme:dark){text{fill:#ddd}.idle{fill:#333}"
               ".a{fill:#fff}}</style>\n");
}
