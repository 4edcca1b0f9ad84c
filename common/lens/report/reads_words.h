/* reads_words: which elements a kernel reads that another one does not, and which it
 * reads again. */
#ifndef READS_WORDS_H
#define READS_WORDS_H

#include "watch/run.h"

/* Says so of two replays of one launch, as rows where these are wanted, and returns the
 * lines that stand below a difference; the caller frees them.  NULL: nothing can be
 * said, because not all groups were replayed, or `ours` reads no buffer that it does
 * not write. */
char *reads_in_words(const struct run *own, const struct run *ours);

#endif
