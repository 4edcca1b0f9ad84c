/* contents: what memory holds, and what the host says of it. */
#ifndef CONTENTS_H
#define CONTENTS_H

#include "mistake.h"

/* Looks for UNINITIALISED and PRIVATE_UNINITIALISED reads, and for accesses
 * AGAINST_FLAGS of a buffer. */
struct contents_watch {
    struct observer observer;
    struct mistakes *mistakes;
};
struct contents_watch contents_observer(struct mistakes *mistakes);

#endif
