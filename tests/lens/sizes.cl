/* Kernels that `lens kernel --all-sizes` launches with every size up to 300; what must
 * come out stands in tests/lens/all_sizes.bats. */

/* Right at every size: a tree that also works in groups that 2 does not divide. */
kernel void right_tree(global const float *x, global float *sums, local float *t,
                       uint n) {
    const uint i = get_local_id(0), item = get_global_id(0);
    t[i] = item < n ? x[item] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint rest = get_local_size(0); rest > 1; rest = (rest + 1) / 2) {
        const uint lower = (rest + 1) / 2;
        if (i + lower < rest)
            t[i] += t[i + lower];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i == 0)
        sums[get_group_id(0)] = t[0];
}

/* The guard is off by one: right where the group divides n. */
kernel void off_by_one(global const float *x, global float *y, uint n) {
    if (get_global_id(0) <= n)
        y[get_global_id(0)] = x[get_global_id(0)];
}

/* From the 33rd element on, it reads the one behind it: right up to n = 32. */
kernel void far_neighbour(global const float *x, global float *y, uint n) {
    const uint item = get_global_id(0);
    if (item < n)
        y[item] = item < 32 ? x[item] : x[item + 1];
}

/* Without a size: it has as many elements as work-items, and needs no guard. */
kernel void no_size(global const float *x, global float *y) {
    y[get_global_id(0)] = x[get_global_id(0)];
}

/* A barrier of the warp where the group needs one: enough if it is one warp. */
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__attribute__((reqd_work_group_size(32, 1, 1))) kernel void
one_warp(global const float *x, global float *y, uint n) {
    local float t[32];
    const uint i = get_local_id(0), item = get_global_id(0);
    t[i] = item < n ? x[item] : 0.0f;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (item < n)
        y[item] = t[31 - i];
}

/* The last work-item shows the first one a number after a while, by atomics that order
 * nothing in the group.  The first one reads it only if it comes late: by turns, or if
 * its warp is the first, it is too early. */
kernel void late_reader(global int *y, uint n) {
    local int number;
    local uint count;
    const uint i = get_local_id(0);
    if (i == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == get_local_size(0) - 1) {
        number = (int)n;
        while (atomic_inc(&count) < 100)
            ;
    }
    if (i == 0 && get_global_id(0) < n)
        y[get_global_id(0)] = atomic_add(&count, 0) > 100 ? number : 0;
}

/* Adds each element to its neighbour, which no work-item has loaded if n = 1. */
kernel void neighbour(global const float *x, global float *y, local float *t, uint n) {
    const uint i = get_local_id(0), item = get_global_id(0);
    if (item < n)
        t[i] = x[item];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < n && i + 1 < get_local_size(0))
        y[item] = t[i] + t[i + 1];
}

/* Atomics give places by turns, so that the order of warps decides. */
kernel void places(global uint *places, global uint *count, uint n) {
    if (get_global_id(0) < n)
        places[get_global_id(0)] = atomic_inc(count);
}

/* Waits for the warp behind it, which may never get its turn. */
kernel void waits(global uint *y, volatile global uint *flag, uint n) {
    if (get_local_id(0) == get_local_size(0) - 1)
        atomic_inc(flag);
    else
        while (atomic_add(flag, 0) == 0)
            ;
    if (get_global_id(0) < n)
        y[get_global_id(0)] = 1;
}

/* An image of two sizes. */
kernel void two_sizes(global float *y, uint width, uint height) {
    const uint column = get_global_id(0), row = get_global_id(1);
    if (column < width && row < height)
        y[row * width + column] = 1.0f;
}
