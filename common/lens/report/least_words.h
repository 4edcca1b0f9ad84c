/* least_words: the time that a GPU cannot beat with a launch, for readers and as rows.
 */
#ifndef AT_LEAST_WORDS_H
#define AT_LEAST_WORDS_H

#include "watch/run.h"

/* "at least 0.24 ms, bound by memory", or why that is not known; the caller frees it.
 * NULL: there is nothing to say, because no device is to be thought of, or its launch
 * alone takes longer than all that this one does. */
char *least_in_words(const struct run *run);

/* The same time in seconds; 0: it is not known. */
double least_seconds(const struct run *run);

/* Writes it as "0.24 ms", with three digits. */
void least_write(char text[32], double seconds);

/* The device that is spoken of: "an NVIDIA H200". */
const char *least_device(void);

/* What holds for all such times of a launch, behind them: how near they are to what is
 * measured.  Nothing if none of them was said. */
void least_habits(void);

/* A row "least"; with view.all also what the launch needs, as each half of a sample
 * says it. */
void least_rows(const struct run *run);

#endif
