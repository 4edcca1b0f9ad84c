#include "fizzbuzz/fizzbuzz.h"
#include "compare.h"

#include <ctype.h>
#include <string.h>

static const cl_ulong TOP = 10000000000; /* the eleventh digit and those above it */

size_t fizzbuzz_line(char line[FIZZBUZZ_LINE], cl_ulong number) {
    const char *word = number % 15 == 0  ? "FizzBuzz\n"
                       : number % 5 == 0 ? "Buzz\n"
                       : number % 3 == 0 ? "Fizz\n"
                                         : NULL;
    if (word)
        return strlen(strcpy(line, word));
    size_t digits = 0;
    for (cl_ulong rest = number; rest > 0; rest /= 10)
        digits++;
    for (size_t i = digits; i-- > 0; number /= 10)
        line[i] = (char)('0' + number % 10);
    line[digits] = '\n';
    return digits + 1;
}

bool fizzbuzz_is_right(const char *text, cl_ulong first, size_t lines) {
    char line[FIZZBUZZ_LINE];
    size_t at = 0;
    for (size_t i = 0, length; i < lines; i++, at += length) {
        length = fizzbuzz_line(line, first + i);
        if (memcmp(text + at, line, length) != 0)
            return wrong_line(first + i, at, text + at, line, length);
    }
    return true;
}

/* 15 lines in a row are 8 numbers, 32 letters and 15 ends of lines, whichever comes
 * first. */
static size_t bytes_of(struct piece piece) {
    char line[FIZZBUZZ_LINE];
    const size_t odd = piece.lines % WORD_LINES;
    size_t bytes = piece.lines / WORD_LINES * (8 * piece.digits + 47);
    for (size_t i = piece.lines - odd; i < piece.lines; i++)
        bytes += fizzbuzz_line(line, piece.first + i);
    return bytes;
}

struct piece piece_at(cl_ulong first, cl_ulong end, size_t max_lines) {
    struct piece piece = {.first = first, .digits = 1};
    cl_ulong limit = 10;
    for (; limit <= first; limit *= 10)
        piece.digits++;
    const cl_ulong same_top = (first / TOP + 1) * TOP;
    limit = limit < same_top ? limit : same_top;
    limit = limit < end ? limit : end;
    piece.lines = limit - first < max_lines ? limit - first : max_lines;
    piece.bytes = bytes_of(piece);
    return piece;
}

size_t fizzbuzz_bytes(cl_ulong first, cl_ulong end) {
    size_t bytes = 0;
    for (struct piece piece; first < end; first += piece.lines) {
        piece = piece_at(first, end, SIZE_MAX);
        bytes += piece.bytes;
    }
    return bytes;
}

/* A page has 80 times 15 lines. */
cl_uint page_vectors(cl_uint digits) {
    return 80 * (8 * digits + 47) / 16;
}

size_t piece_blocks(struct piece piece) {
    return (piece.lines + BLOCK_LINES - 1) / BLOCK_LINES;
}

size_t block_bytes(cl_uint digits) {
    return (size_t)(BLOCK_LINES / PAGE_LINES) * 16 * page_vectors(digits);
}

/* Is this piece whole pages behind the one that the table was made for? */
static bool table_fits(const struct table *table, struct piece piece) {
    return table->of.digits == piece.digits &&
           table->of.first / TOP == piece.first / TOP &&
           piece.first >= table->of.first &&
           (piece.first - table->of.first) % PAGE_LINES == 0;
}

bool table_renew(struct table *table, struct piece piece) {
    if (table_fits(table, piece))
        return false;
    memset(table, 0, sizeof *table);
    table->of = piece;
    const size_t bytes = 16 * (size_t)page_vectors(piece.digits);
    size_t at = 0;
    for (cl_ulong number = piece.first; at < bytes; number++) {
        char line[FIZZBUZZ_LINE];
        const size_t length = fizzbuzz_line(line, number);
        const size_t hundreds = number / 100 - piece.first / 100;
        for (size_t i = 0; i < length && at < bytes; i++, at++) {
            const size_t digit = i + 11 - length; /* of the eight that change, 0 to 7 */
            if (isdigit((unsigned char)line[0]) && digit < 8)
                table->windows[at / 4] = (cl_uchar)(13 * hundreds + digit + 4 - at % 4);
            else
                table->fixed[at] = (cl_uchar)line[i];
        }
    }
    return true;
}

cl_uint piece_hundreds(struct piece piece) {
    return (cl_uint)(piece.first / 100 % (TOP / 100));
}

cl_ulong piece_used(struct piece piece) {
    const cl_uint unused = piece.digits < 10 ? 10 - piece.digits : 0;
    return unused < 8 ? ~(cl_ulong)0 << 8 * unused : 0;
}
