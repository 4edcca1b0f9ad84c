/* poison: the content of memory that is not written yet.
 *
 * As a float, and twice as a double, it is a NaN: every result computed from it becomes
 * NaN, too.  No arithmetic makes this very NaN, so a kernel that finds it has made an
 * uninitialised read. */
#ifndef POISON_H
#define POISON_H

#define POISON 0xfffadeadu

#endif
