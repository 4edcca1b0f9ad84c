/* The forms of UTF-8 are those of RFC 3629, section 4. */
#include "text/utf8.h"

#include <stdbool.h>
#include <stddef.h>

static bool is_between(char byte, unsigned from, unsigned to) {
    return (unsigned char)byte >= from && (unsigned char)byte <= to;
}

/* How many bytes the character has that begins here; 0: it is no UTF-8. */
static size_t length_of(const char *text) {
    static const struct {
        unsigned first, last, from, to; /* its first byte; its second one */
        size_t length;
    } forms[] = {{0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
                 {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
                 {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
                 {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    if (is_between(*text, 0, 0x7f))
        return 1;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        size_t length = 2;
        if (!is_between(*text, forms[i].first, forms[i].last) ||
            !is_between(text[1], forms[i].from, forms[i].to))
            continue;
        while (length < forms[i].length && is_between(text[length], 0x80, 0xbf))
            length++;
        return length == forms[i].length ? length : 0;
    }
    return 0;
}

const char *utf8_character(FILE *out, const char *text) {
    const size_t length = length_of(text);
    if (length)
        fwrite(text, 1, length, out);
    else
        fputs(UTF8_UNKNOWN, out);
    return text + (length ? length : 1);
}
