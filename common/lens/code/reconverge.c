/* reconverge: where lanes that diverge at a branch reconverge. */
#include "base/memory.h"
#include "code.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool is_between(int block, size_t begin, size_t end) {
    return block >= 0 && begin <= (size_t)block && (size_t)block < end;
}

/* A block's immediate post-dominator: the nearest block that every way from here to the
 * end goes through.  Source: Fung et al., "Dynamic Warp Formation", MICRO 2007, for its
 * use in GPUs.
 *
 * always[i][j]: a lane that leaves block i comes by block j.  At first we believe it of
 * all pairs; then each block keeps what all its successors agree on, until nothing
 * changes.  (A block whose end no lane reaches, as behind a switch that has all cases,
 * is on no way, so that all is believed of it.) */
void find_reconvergence(struct block *blocks, size_t first, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < blocks[first + i].successor_count; k++)
            assert(is_between(blocks[first + i].successors[k], first, first + count));
    bool *always = lens_allocate(count * count, 1);
    memset(always, true, count * count);
    for (bool changes = true; changes;) {
        changes = false;
        for (size_t i = count; i-- > 0;)
            for (size_t j = 0; j < count; j++) {
                const struct block *block = &blocks[first + i];
                bool agreed =
                    block->successor_count > 0 || block->reconverge == NOWHERE;
                for (size_t k = 0; k < block->successor_count; k++) {
                    const size_t next = (size_t)block->successors[k] - first;
                    agreed = agreed && always[next * count + j];
                }
                if (i == j || agreed == always[i * count + j])
                    continue;
                always[i * count + j] = agreed;
                changes = true;
            }
    }
    /* Of the blocks that always follow, the nearest has the most that always follow. */
    size_t *behind = lens_allocate(count, sizeof *behind);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            behind[i] += always[i * count + j];
    for (size_t i = 0; i < count; i++) {
        size_t most = 0;
        const bool is_end = blocks[first + i].successor_count == 0;
        blocks[first + i].reconverge = EXIT;
        for (size_t j = 0; j < count && !is_end; j++)
            if (i != j && always[i * count + j] && behind[j] > most) {
                most = behind[j];
                blocks[first + i].reconverge = (int)(first + j);
            }
    }
    free(behind);
    free(always);
}
