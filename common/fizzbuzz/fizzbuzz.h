/* fizzbuzz: the lines of FizzBuzz, and where they stand in the text. */
#ifndef FIZZBUZZ_H
#define FIZZBUZZ_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

enum { FIZZBUZZ_LINE = 24, FIZZBUZZ_MAX_DIGITS = 13 };

/* Lines whose order of words repeats; whose text repeats but for the digits before the
 * last two; and that a work-group writes at once, in four pages. */
enum { WORD_LINES = 15, PAGE_LINES = 1200, BLOCK_LINES = 4 * PAGE_LINES };

/* The number behind the last one that a step may be asked for. */
static const size_t FIZZBUZZ_END = 2000000000001;

/* Writes the line of `number` with its '\n', and returns its length in bytes. */
size_t fizzbuzz_line(char line[FIZZBUZZ_LINE], cl_ulong number);

/* Does `text` begin with these lines?  If not, names the first wrong character. */
bool fizzbuzz_is_right(const char *text, cl_ulong first, size_t lines);

/* Lines that one launch writes.  Their numbers have equally many digits, and the same
 * digits above the tenth, so that only eight digits change from page to page: no piece
 * goes beyond a multiple of PIECE_SPAN. */
static const size_t PIECE_SPAN = 10000000000;
struct piece {
    cl_ulong first;
    size_t lines, bytes;
    cl_uint digits;
};

/* The longest piece from line `first` on: at most `max_lines`, and none from line
 * `end` on. */
struct piece piece_at(cl_ulong first, cl_ulong end, size_t max_lines);

/* Bytes of all lines from `first` to before `end`. */
size_t fizzbuzz_bytes(cl_ulong first, cl_ulong end);

/* Vectors of 16 bytes on a page whose numbers have so many digits. */
cl_uint page_vectors(cl_uint digits);

/* Blocks that write a piece, and bytes of a buffer for them: they write whole pages. */
size_t piece_blocks(struct piece piece);
size_t block_bytes(cl_uint digits);

#endif
