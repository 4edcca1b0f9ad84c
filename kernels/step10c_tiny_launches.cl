/* Step 10c: the same sum by many tiny launches, and by few.
 *
 * Numbers have 32 bits, and so do their sums.  Overflow wraps around, equally in every
 * order, so the host can compare exactly. */

/* One launch of many: adds the upper half of n numbers to the lower half.  If n is odd,
 * the number in the middle goes on alone:
 *
 *     from   3 1 2 4 2 1 1        to   5 2 3 4
 */
kernel void halve(global const uint *from, global uint *to, uint n) {
    const uint item = get_global_id(0), lower = (n + 1) / 2;
    if (item < lower)
        to[item] = from[item] + (item + lower < n ? from[item + lower] : 0);
}

/* Here each work-item first adds up `each` numbers alone, and then its group adds up
 * these sums in a tree, as in step 06.  A group leaves one number. */
kernel void sum_groups(global const uint *x, global uint *sums, uint n, uint each,
                       local uint *t) {
    const uint items = get_global_size(0), id = get_local_id(0);
    /* exercise { */
    uint own = 0; /* first each work-item adds up some alone */
    uint i = get_global_id(0);
    for (uint k = 0; k < each; k++, i += items)
        own += i < n ? x[i] : 0;
    t[id] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint rest = get_local_size(0); rest > 1;) {
        const uint lower = (rest + 1) / 2; /* an odd one out stays where it is */
        if (id + lower < rest)
            t[id] += t[id + lower];
        rest = lower;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    /* } exercise */
    if (id == 0)
        sums[get_group_id(0)] = t[0];
}

// lens: halve(from[n], to[n / 2], n=4096) --global 2048 --local 256
// lens: sum_groups(x[n], sums[groups], n=4096, each=4, t[local]) --global 1024 --local 256
