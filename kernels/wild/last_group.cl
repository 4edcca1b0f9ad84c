/* A histogram in one launch, whose last group adds up the counts of all groups: with
 * barriers that are for local memory alone, and with a fence for global memory.
 * docs/wild.md tells where the first one was found. */

#define BINS 8

/* The group's own counts, in its part of `parts`. */
static void count_own(global const uint *x, volatile global uint *parts,
                      local uint *bins) {
    const uint items = get_local_size(0);
    for (uint bin = get_local_id(0); bin < BINS; bin += items)
        bins[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[x[get_global_id(0)] % BINS]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = get_local_id(0); bin < BINS; bin += items)
        parts[BINS * get_group_id(0) + bin] = bins[bin];
}

/* The counts of all groups together. */
static void add_up(volatile global uint *parts, global uint *total) {
    for (uint bin = get_local_id(0); bin < BINS; bin += get_local_size(0)) {
        uint sum = 0;
        for (uint group = 0; group < get_num_groups(0); group++)
            sum += parts[BINS * group + bin];
        total[bin] = sum;
    }
}

/* Has every other group finished?  The barriers are for local memory alone. */
static bool is_last_unfenced(volatile global uint *finished, local uint *last) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        *last = atomic_inc(finished) == get_num_groups(0) - 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    return *last;
}

/* The same question, with the group's counts made visible first. */
static bool is_last(volatile global uint *finished, local uint *last) {
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        write_mem_fence(CLK_GLOBAL_MEM_FENCE); /* the counts first, then the ticket */
        *last = atomic_inc(finished) == get_num_groups(0) - 1;
        read_mem_fence(CLK_GLOBAL_MEM_FENCE); /* the ticket first, then the counts */
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return *last;
}

kernel void histogram_unfenced(global const uint *x, volatile global uint *parts,
                               volatile global uint *finished, global uint *total) {
    local uint bins[BINS], last;
    count_own(x, parts, bins);
    if (is_last_unfenced(finished, &last))
        add_up(parts, total);
}

kernel void histogram(global const uint *x, volatile global uint *parts,
                      volatile global uint *finished, global uint *total) {
    local uint bins[BINS], last;
    count_own(x, parts, bins);
    if (is_last(finished, &last))
        add_up(parts, total);
}
