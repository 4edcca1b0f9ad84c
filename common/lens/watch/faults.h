/* faults: what a kernel must not do even by itself. */
#ifndef FAULTS_H
#define FAULTS_H

#include "mistake.h"

/* Looks for CRASH, DIVISION, QUOTIENT, RECURSION and TOO_LARGE_GROUP, notes
 * LARGE_ANGLE, and, where the kernel `must_end`, finds STEP_LIMIT. */
struct faults {
    struct observer observer;
    struct mistakes *mistakes;
    bool must_end;
};
struct faults faults_observer(struct mistakes *mistakes, bool must_end);

#endif
