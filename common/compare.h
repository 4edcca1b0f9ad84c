/* compare: what a kernel has written against what is expected.  The first difference is
 * named on stderr, in the same form in every step:
 *
 *     wrong: results[3] is 15.5, expected 30.25 (work-item 3: group 0, lane 3 of 32)
 */
#ifndef COMPARE_H
#define COMPARE_H

#include <stdbool.h>
#include <stddef.h>

struct launch; /* see kernel.h */

/* Are they the same?  If not, names both sums and their difference. */
bool equal_sum(double found, double expected);

/* An element's name, and the work-item or the group that had to write it. */
struct place {
    char what[96], writer[96];
};

/* name[i], without its writer; written by work-item i of a launch that has one
 * work-item for each element; or written by group i. */
struct place element(const char *name, size_t i);
struct place element_of_item(const char *name, size_t i, const struct launch *launch);
struct place element_of_group(const char *name, size_t i);

/* Pixel or matrix element (x, y), x to the right. */
struct place element_2d(const char *name, size_t x, size_t y);

/* Names an element that is wrong; returns false. */
bool wrong_at(struct place place, double found, double expected);

/* Names the first character that is wrong in a line of text, which begins `offset`
 * bytes after the first; `expected` has `bytes` bytes, and `found` at least as many.
 * Returns false. */
bool wrong_line(size_t number, size_t offset, const char *found, const char *expected,
                size_t bytes);

/* Is the result right after the timed launches, too?  If not, says that the first one
 * was: row.right = row.right && right_again(is_right(...)); */
bool right_again(bool right);

/* The same where timed launches had make_tiny()'s numbers. */
bool right_when_tiny(bool right);

/* The same sentence for any other fault: wrong("batch %u is missing", batch). */
__attribute__((format(printf, 1, 2))) bool wrong(const char *format, ...);

#endif
