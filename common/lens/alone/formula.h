/* formula: whole numbers that depend on the size of a problem, as in "(n + 3) / 4". */
#ifndef FORMULA_H
#define FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Finds the number that a name stands for, `length` letters from there on; false: it
 * stands for none.  `of` is what formula_read() was given. */
typedef bool formula_names(const void *of, const char *name, size_t length,
                           int64_t *number);

/* Reads + - * / %, parentheses, whole numbers and names, as C does.  False: the text is
 * no formula, divides by 0, or its number does not fit. */
bool formula_read(const char *text, formula_names *names, const void *of,
                  int64_t *number);

#endif
