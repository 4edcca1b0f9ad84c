/* region: memory that can grow where it is, for a buffer whose size is guessed. */
#ifndef REGION_H
#define REGION_H

#include <stddef.h>

enum { MAX_REGION = 1 << 30 }; /* bytes */

/* The address of a new region.  It takes no memory before it is written, and as many
 * addresses on both sides of it belong to no buffer.  No room for it is an error. */
char *region_make(void);

#endif
