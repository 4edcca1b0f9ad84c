/* Step 09c: how many elements are in each of `bins` equal ranges of the 32-bit numbers?
 *
 * mul_hi(x, bins) is x * bins / 2^32, rounded down, which is the bin of x.  For 4 bins,
 * with the numbers as shares of 2^32:
 *
 *     x          0.1   0.8   0.3   0.15   0.9   0.2   0.6   0.35
 *     bin         0     3     1     0      3     0     2     1
 *
 *     counts      3     2     1     2
 */

/* All work-items count in one table in global memory, with an atomic for each element.
 * A load has 16 bytes, so a work-item counts four elements in a round. */
kernel void histogram_global(global const uint4 *restrict x,
                             volatile global uint *counts, uint n, uint bins) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / 4 / items;

    uint i = item;
    for (uint round = 0; round < rounds; round++, i += items) {
        const uint4 bin = mul_hi(x[i], (uint4)bins);
        atomic_inc(&counts[bin.x]);
        atomic_inc(&counts[bin.y]);
        atomic_inc(&counts[bin.z]);
        atomic_inc(&counts[bin.w]);
    }
    /* What no full round covers, one element at a time. */
    for (i = rounds * items * 4 + item; i < n; i += items)
        atomic_inc(&counts[mul_hi(((global const uint *)x)[i], bins)]);
}

/* Each group counts in a private copy of the table in local memory, and adds it to the
 * table when all of its work-items have counted. */
kernel void histogram_private(global const uint4 *restrict x,
                              volatile global uint *counts, uint n, uint bins,
                              local uint *group_counts) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint id = get_local_id(0), size = get_local_size(0);
    const uint rounds = n / 4 / items;

    /* exercise { */
    for (uint bin = id; bin < bins; bin += size)
        group_counts[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    uint i = item;
    for (uint round = 0; round < rounds; round++, i += items) {
        const uint4 bin = mul_hi(x[i], (uint4)bins);
        atomic_inc(&group_counts[bin.x]);
        atomic_inc(&group_counts[bin.y]);
        atomic_inc(&group_counts[bin.z]);
        atomic_inc(&group_counts[bin.w]);
    }
    for (i = rounds * items * 4 + item; i < n; i += items)
        atomic_inc(&group_counts[mul_hi(((global const uint *)x)[i], bins)]);
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint bin = id; bin < bins; bin += size)
        atomic_add(&counts[bin], group_counts[bin]);
    /* } exercise */
}

// lens: histogram_global(x[n / 4]=0..4294967295, counts[bins], n=65536, bins=256) --global 4096 --local 256
// lens: histogram_private(x[n / 4]=0..4294967295, counts[bins], n=65536, bins=256, group_counts[bins]) --global 4096 --local 256
