/* Colours come from a style sheet, once for light and once for dark grounds. */
#include "text/svg.h"

#include "text/utf8.h"

#include <math.h>
#include <string.h>

/* Light first, because a viewer that knows no dark grounds ignores the second part. */
static void write_style(FILE *out, const char *light, const char *dark) {
    fprintf(
        out,
        "<style>:root{color-scheme:light dark}text{fill:#000}.idle{fill:#e4e4e4}%s\n"
        "@media(prefers-color-scheme:dark){text{fill:#ddd}.idle{fill:#333}%s}"
        "</style>\n",
        light, dark);
}

void svg_begin(FILE *out, struct svg_head head) {
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\"", out);
    if (head.scales)
        fprintf(out, " viewBox=\"0 0 %u %u\"", head.width, head.height);
    fprintf(out,
            " width=\"%u\" height=\"%u\" font-family=\"monospace\" font-size=\"13\">\n",
            head.width, head.height);
    if (head.light)
        write_style(out, head.light, head.dark);
}

static void write_number(FILE *out, double number) {
    fprintf(out, number == floor(number) ? "%.0f" : "%.4g", number);
}

void svg_text(FILE *out, double x, double y, const char *attributes, const char *text) {
    fputs("<text x=\"", out);
    write_number(out, x);
    fputs("\" y=\"", out);
    write_number(out, y);
    fprintf(out, "\"%s>", attributes);
    svg_escaped(out, text);
    fputs("</text>\n", out);
}

/* XML lacks most control characters, and U+FFFE and U+FFFF (XML 1.0, section 2.2). */
static size_t length_unknown(const char *text) {
    if ((unsigned char)*text < ' ' && !strchr("\t\n\r", *text))
        return 1;
    return strncmp(text, "\xef\xbf\xbe", 3) == 0 ||
                   strncmp(text, "\xef\xbf\xbf", 3) == 0
               ? 3
               : 0;
}

void svg_escaped(FILE *out, const char *text) {
    while (*text) {
        const char *escape = *text == '<'   ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '&' ? "&amp;"
                                            : NULL;
        const size_t unknown = length_unknown(text);
        if (escape || unknown) {
            fputs(escape ? escape : UTF8_UNKNOWN, out);
            text += escape ? 1 : unknown;
        } else {
            text = utf8_character(out, text);
        }
    }
}
