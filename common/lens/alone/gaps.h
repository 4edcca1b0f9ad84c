/* gaps: where in a kernel file one more statement can go. */
#ifndef GAPS_H
#define GAPS_H

#include <stdbool.h>
#include <stddef.h>

/* A line that has code. */
struct code_line {
    unsigned line; /* its number, from 1 on */
    size_t end;    /* in the text: behind its last character of code */
    bool is_gap;   /* a statement, or a block, begins or ends there */
};

/* The lines of a text that have code, in their order; the caller frees them.  (What is
 * put into a gap may still be wrong there: before an `else`, say.  Then it does not
 * compile.)  The text may begin with "#line 1"; of one that has such a line
 * further on, 0 are returned. */
size_t gaps_find(const char *text, struct code_line **lines);

#endif
