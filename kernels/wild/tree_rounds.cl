/* The sum of each row, one group a row: a tree without barriers between its rounds, and
 * with them.  docs/wild.md tells where the first one was found. */

kernel void row_sum_hurried(global const float *x, global float *sums,
                            local float *part) {
    const uint i = get_local_id(0);
    part[i] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint far = get_local_size(0) / 2; far > 0; far /= 2) {
        if (i < far)
            part[i] += part[i + far];
    }
    if (i == 0)
        sums[get_group_id(0)] = part[0];
}

kernel void row_sum(global const float *x, global float *sums, local float *part) {
    const uint i = get_local_id(0);
    part[i] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint far = get_local_size(0) / 2; far > 0; far /= 2) {
        if (i < far)
            part[i] += part[i + far];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i == 0)
        sums[get_group_id(0)] = part[0];
}
