/* Kernels that race, for what `lens kernel` tries out then. */

/* A barrier at the head of the loop is enough, or one before it and one at its end. */
kernel void tree(global const float *x, global float *sums) {
    local float t[64];
    const int l = get_local_id(0);
    t[l] = x[get_global_id(0)];
    for (int far = 32; far > 0; far /= 2) { /* head */
        if (l < far)
            t[l] += t[l + far];
    }
    if (l == 0)
        sums[get_group_id(0)] = t[0];
}

/* As it would be right in a warp of 32 lanes. */
kernel void tree_of_warp(global const float *x, global float *sums) {
    local float t[32];
    const int l = get_local_id(0);
    t[l] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);           // the first round may begin
    for (int far = 16; far > 0; far /= 2) { // a round
        if (l < far)
            t[l] += t[l + far];
    }
    if (l == 0)
        sums[get_group_id(0)] = t[0];
}

/* There is no place in the loop for one more statement. */
kernel void tree_without_braces(global const float *x, global float *sums) {
    local float t[64];
    const int l = get_local_id(0);
    t[l] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int far = 32; far > 0; far /= 2)
        if (l < far)
            t[l] += t[l + far];
    if (l == 0)
        sums[get_group_id(0)] = t[0];
}

/* Needs two: when the tile is there, and when it is used up. */
kernel void tiles(global const float *x, global float *y, int n) {
    local float t[64];
    const int l = get_local_id(0);
    float sum = 0;
    for (int begin = 0; begin < n; begin += 64) {
        t[l] = x[begin + l]; /* loaded */
        for (int k = 0; k < 64; k++)
            sum += t[k]; /* used
                            up */
    }
    y[get_global_id(0)] = sum;
}

/* Both lie in branches that not all take. */
kernel void halves(global const float *x, global float *y) {
    local float t[64];
    const int l = get_local_id(0);
    if (l < 32)
        t[l] = x[l];
    else
        t[l] = -x[l]; /* the other half */
    if (l % 2)
        y[get_global_id(0)] = t[63 - l];
}

/* The read and the write are one statement, and the barrier belongs between them. */
kernel void scan_in_place(global const int *x, global int *y) {
    local int t[64];
    const int l = get_local_id(0);
    t[l] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int far = 1; far < 64; far *= 2) {
        if (l >= far)
            t[l] += t[l - far];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    y[get_global_id(0)] = t[l];
}

/* Not all come behind the guard, for some n. */
kernel void guarded(global const float *x, global float *y, int n) {
    local float t[64];
    const int i = get_global_id(0), l = get_local_id(0);
    if (i >= n)
        return;
    t[l] = x[i];
    y[i] = t[l ^ 1];
}

/* No barrier helps groups, nor items that add to one place. */
kernel void between_groups(global int *y) {
    y[get_local_id(0)] = get_group_id(0);
}

kernel void histogram(global const int *x, global int *bins) {
    bins[x[get_global_id(0)] & 3]++;
}

/* One barrier removes the race in local memory; the other one is between groups. */
kernel void two_kinds(global const float *x, global float *y) {
    local float t[64];
    const int l = get_local_id(0);
    t[l] = x[get_global_id(0)]; /* mine */
    y[l] = t[63 - l];
}

/* It is right with the barrier, but the places are given by turns. */
kernel void places(global const int *x, global int *y, global int *count) {
    local int t[64];
    const int l = get_local_id(0);
    t[l] = x[get_global_id(0)]; /* theirs */
    if (t[63 - l] > 0)
        y[atomic_inc(count)] = t[63 - l];
}

/* Two calls, and the race is between them. */
float total(local float *t, float mine) {
    t[get_local_id(0)] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int k = 0; k < 64; k++)
        sum += t[k]; /* of all */
    return sum;
}

kernel void calls(global const float *x, global float *y) {
    local float t[64];
    const float a = total(t, x[get_global_id(0)]);
    y[get_global_id(0)] = a + total(t, a * x[get_global_id(0)]);
}

/* A flag is all that is missing. */
kernel void other_flag(global const float *x, global float *y) {
    local float t[64];
    const int l = get_local_id(0);
    t[l] = x[l];
    barrier(CLK_GLOBAL_MEM_FENCE);
    y[get_global_id(0)] = t[63 - l];
}

/* Prints what must not be printed again. */
kernel void talks(global const float *x, global float *y) {
    local float t[64];
    const int l = get_local_id(0);
    t[l] = x[get_global_id(0)]; /* said */
    if (l == 0)
        printf("group %d\n", (int)get_group_id(0));
    y[get_global_id(0)] = t[63 - l];
}
