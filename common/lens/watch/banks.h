/* banks: in how many passes the banks serve an access of a warp.
 *
 * Local memory and the L1 cache, which are one memory on NVIDIA's GPUs, are divided
 * into 32 banks.  A pass takes one word of 4 bytes from each bank, and moves one
 * register of each of 32 lanes.  So an access of more than 4 bytes for each lane is
 * divided into parts: one of 8 bytes serves 16 lanes, one of 16 bytes 8 lanes.  A part
 * takes as many passes as there are different words of the bank of which most are
 * wanted.  Loads from local memory are better off if every lane n reads what lane n ^ 1
 * reads, or every lane n what lane n ^ 2 reads: then a part serves twice as many lanes.
 *
 * Sources: NVIDIA, CUDA C++ Best Practices Guide, on shared memory (32 banks, 4 bytes
 * wide).  The rest was measured by tests/peers/banks.sh, and docs/lens-rules.md shows
 * what. */
#ifndef BANKS_H
#define BANKS_H

#include "replay/observer.h"

enum { BANKS = 32, WORD = 4 };

/* The words of one part of an access. */
struct part {
    uint64_t words[2 * BANKS]; /* in ascending order, each once */
    size_t word_count;
    uint64_t passes;
};

/* Calls `use` for each part of an access, in the order of lanes.  The touches are in
 * the order of their offsets, and all have the same number of bytes; wider ones than 16
 * bytes are several accesses.  `shared`: it is a load from local memory. */
void banks_each_part(const struct touch *touches, size_t count, bool shared,
                     void (*use)(const struct part *part, void *data), void *data);

/* The passes of all parts; and how many parts there are, which is the least that this
 * access can take, whatever its addresses. */
struct passes {
    uint64_t is, ideal;
};
struct passes banks_passes(const struct touch *touches, size_t count, bool shared);

#endif
