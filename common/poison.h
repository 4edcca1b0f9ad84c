/* poison: what stands in memory that nothing has been written to yet.
 *
 * As a float, and twice as a double, it is a NaN: whatever is computed with it becomes
 * NaN, too.  No arithmetic makes this one, so whoever reads it has read too early. */
#ifndef POISON_H
#define POISON_H

#define POISON 0xfffadeadu

#endif
