/* Step 14c: every load says where the next one goes.
 *
 * A ring of four lines, packed: each line holds the number of the next one, and the
 * rest of it is not used.  The chase goes from line 0 to 2, 1, 3, and back to 0.
 *
 *     line               0  1  2  3
 *     next               2  3  1  0
 *
 * The same ring with a line in each page, for pages of four lines.  The lines of a page
 * take turns: line i of the ring is in page i, and it is line i % 4 of that page.
 *
 *     page               0  0  0  0    1  1  1  1    2  2  2  2    3  3  3  3
 *     line               0  1  2  3    4  5  6  7    8  9 10 11   12 13 14 15
 *     next              10  .  .  .    . 15  .  .    .  .  5  .    .  .  .  0
 */

/* As long as a cache line of a GPU, and as two of most CPUs. */
struct line {
    uint next; /* the number of the line that is visited after this one */
    uint rest[31];
};

/* Where line i of a ring is, if its neighbours in memory are `apart` lines from each
 * other.  The lines of a page take turns: the first lines of all pages have the same
 * lower bits in their addresses, so they would compete for a few sets of a cache.
 */
static uint place_of(uint i, uint apart) {
    /* exercise { */
    return i * apart + i % apart;
    /* } exercise */
}

/* Before the rings: every line is followed by line 0, so that even a wrong ring does
 * not lead out of the buffer. */
kernel void clear_lines(global struct line *lines, uint n) {
    const uint i = get_global_id(0);
    if (i < n)
        lines[i].next = 0;
}

/* Lays a ring: line i is followed by line next[i]. */
kernel void lay_ring(global const uint *next, global struct line *lines, uint n,
                     uint apart) {
    const uint i = get_global_id(0);
    if (i < n)
        lines[place_of(i, apart)].next = place_of(next[i], apart);
}

/* Each work-item begins at a line of its own and makes `loads` loads.  It knows
 * where the next load goes only when the last one has arrived.  volatile: the L1
 * cache of a GPU may find a line without translating its address, so each load has
 * to go beyond it. */
kernel void chase(global const volatile struct line *lines, global uint *ends,
                  uint count, uint apart, uint loads) {
    const uint item = get_global_id(0);
    if (item < count) {
        uint at = place_of(item, apart);
        for (uint i = 0; i < loads; i++)
            at = lines[at].next;
        ends[item] = at;
    }
}

// lens: clear_lines(lines[128 * n]=unset, n=4096) --global 4096 --local 64
// lens: lay_ring(next[n]=index, lines[128 * n * apart], n=64, apart=33) --global 64 --local 64
// lens: chase(lines[128], ends[count], count=1, apart=1, loads=1024) --global 1
