/* report: what was counted, along the lines of the kernel's source. */
#ifndef REPORT_H
#define REPORT_H

#include "lens.h"

/* Reports a launch.  Launches that differ in nothing that is looked at have the same
 * number; then it is launched again. */
void report_launch(const struct replay *replay, size_t number);
void report_again(size_t number);

/* The launches that were looked at: how many were replayed, and of those how many not
 * to the end of every group; `sampled`: not every group of them was. */
struct looked {
    size_t replayed, limited;
    bool sampled;
};

/* The last words: the table, what the model is, or that no mistake was found. */
void report_end(const struct looked *looked);

#endif
