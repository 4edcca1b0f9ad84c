/* fizzbuzz: the lines of FizzBuzz, where they stand in the text, and step 20's table.
 *
 * Steps 20, 20b and 21 write the same text with the same table. */
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
 * digits above the tenth, so that only eight digits change from page to page. */
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

/* The table: the bytes of a page that never change, and for each four of them the
 * window through which they show changing digits; step 20's kernels say how it is
 * used. */
struct table {
    struct piece of;
    cl_uchar fixed[16 * (40 * FIZZBUZZ_MAX_DIGITS + 235)];
    cl_uchar windows[4 * (40 * FIZZBUZZ_MAX_DIGITS + 235)];
};

/* Makes the table for this piece, and for all that begin whole pages behind it; returns
 * false if it is already there. */
bool table_renew(struct table *table, struct piece piece);

/* What a launch says of its piece: the first line's number without its last two digits,
 * cut to the eight digits that change; and a mask of those of the eight that a number
 * of so many digits has, the highest digit in the lowest byte. */
cl_uint piece_hundreds(struct piece piece);
cl_ulong piece_used(struct piece piece);

#endif
