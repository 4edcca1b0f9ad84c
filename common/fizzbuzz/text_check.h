/* text_check: is a text of FizzBuzz right, to its last byte, as fast as memory is read?
 *
 * A page of 1200 lines is taken as whole numbers of eight bytes each, and compared by
 * one sum: each number times a random weight of its place, of eight bytes, too, in
 * integers of 16 bytes, so that nothing of a product is lost.  What the sum must be,
 * the digits tell, because it is linear in them: 12 numbers change on a page, not 9,000
 * bytes.  Whatever is wrong, only one of the 2^64 weights of a wrong place hides it, as
 * in Freivalds' check of a product. */
#ifndef TEXT_CHECK_H
#define TEXT_CHECK_H

#include "fizzbuzz/fizzbuzz.h"

__extension__ typedef unsigned __int128 weighed_sum; /* C11 has none of 16 bytes */

struct text_check {
    struct piece of; /* the layout of whose pages was weighed */
    cl_uint seed;    /* of the weights */
    cl_ulong weights[2 * (40 * FIZZBUZZ_MAX_DIGITS + 235)];
    weighed_sum fixed; /* of all that never changes */
    /* What a 1 at this place of the number without its last two digits adds, for the
     * numbers that have 0, 1, 2 ... hundreds more than the page's first line. */
    weighed_sum digit[PAGE_LINES / 100 + 1][FIZZBUZZ_MAX_DIGITS];
};

/* Is `text` this piece?  Whole pages are weighed.  Those that are wrong, and the lines
 * behind the last whole page, are compared character by character, and the first
 * wrong one is named. */
bool text_check_is_right(struct text_check *check, const char *text,
                         struct piece piece);

#endif
