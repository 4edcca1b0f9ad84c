#include "fizzbuzz/fizzbuzz.h"
#include "compare.h"

#include <string.h>

size_t fizzbuzz_line(char line[FIZZBUZZ_LINE], cl_ulong number) {
    if (number % 15 == 0)
        return strlen(strcpy(line, "FizzBuzz\n"));
    if (number % 5 == 0)
        return strlen(strcpy(line, "Buzz\n"));
    if (number % 3 == 0)
        return strlen(strcpy(line, "Fizz\n"));
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
    for (size_t i = 0; i < lines; i++) {
        const size_t length = fizzbuzz_line(line, first + i);
        if (memcmp(text + at, line, length) != 0)
            return wrong_line(first + i, at, text + at, line, length);
        at += length;
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
    while (limit <= first) {
        limit *= 10;
        piece.digits++;
    }
    const cl_ulong span_end = (first / PIECE_SPAN + 1) * PIECE_SPAN;
    limit = limit < span_end ? limit : span_end;
    limit = limit < end ? limit : end;
    piece.lines = limit - first < max_lines ? limit - first : max_lines;
    piece.bytes = bytes_of(piece);
    return piece;
}

size_t fizzbuzz_bytes(cl_ulong first, cl_ulong end) {
    size_t bytes = 0;
    while (first < end) {
        const struct piece piece = piece_at(first, end, SIZE_MAX);
        bytes += piece.bytes;
        first += piece.lines;
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
