/* equal_launches: launches with equal arguments.  Such a launch is worth another replay
 * if a buffer that its kernel reads holds something else by then. */
#ifndef EQUAL_LAUNCHES_H
#define EQUAL_LAUNCHES_H

#include "programs.h"

/* What a launch's buffers hold: a digest for each argument, 0 for those that are none;
 * the last one is also for memory that is no argument (SVM). */
struct contents {
    uint64_t digests[MAX_ARGUMENTS];
    size_t count, bytes; /* of digests; in all buffers */
};

/* The number of the launches that `key` describes, in words; it is taken over.  True:
 * there was one before. */
bool repeats_find(char *key, size_t *number);

/* Of a replay whose buffers are bound. */
struct contents contents_of(const struct run *run);

/* Was a launch of this number replayed with these contents, as far as its kernel read
 * them?  Then `shown` gets the number from repeats_keep(). */
bool repeats_equal(size_t number, const struct contents *contents, size_t *shown);

/* It is replayed with these contents now, and shown as launch `shown`.  Which arguments
 * are read is known afterwards. */
void repeats_keep(size_t number, const struct contents *contents, const struct run *run,
                  size_t shown);

/* A launch of this number took so long that no other one is replayed. */
void repeats_settle(size_t number);
bool repeats_settled(size_t number);

/* May the lens look at another repeat?  What one took, to look at its contents and, if
 * it has run, to replay it, is counted in steps, not in seconds, so that every machine
 * looks at the same launches. */
bool repeats_allowed(void);
void repeats_spend(const struct contents *contents, const struct run *run, bool again);

#endif
