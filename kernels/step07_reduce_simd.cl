/* Step 07: the lanes of a warp add up their values, without memory and barriers.
 *
 * Two levels, here with warps of 4 lanes in a work-group of 8:
 *
 *     x               2   0   1   3     1   1   4   2
 *     after the loop  6   4   4   3     8   7   6   2    in registers
 *     slots           6   8                              local memory, one for a warp
 *     simd_sum       14  14  14  14    14  14  14  14    in registers again
 *
 * In names a warp is called SIMD group, which is Metal's word. */
#include "simd.clh"

/* The tree of step 06: every value passes through local memory, and all work-items of
 * the group wait at a barrier after each round. */
kernel void reduce_simd_tree(global const float *x, global float *sums, local float *t,
                             uint n) {
    const uint id = get_local_id(0), item = get_global_id(0);

    t[id] = item < n ? x[item] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint rest = get_local_size(0); rest > 1;) {
        const uint lower = (rest + 1) / 2; /* an odd one out stays where it is */
        if (id + lower < rest)
            t[id] += t[id + lower];
        rest = lower;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (id == 0)
        sums[get_group_id(0)] = t[0];
}

/* Each work-item of a warp begins with one element in a register.  In the round of
 * `far`, each lane adds what the lane `far` further on has summed up so far, so that
 * lane i then has the sum of the lanes i to i + 2 * far - 1.  In the end lane 0 has
 * the warp's sum.  Only these sums pass through local memory, and there is one
 * barrier. */
kernel void reduce_simd_float(global const float *x, global float *sums,
                              local float *slots, uint n) {
    SIMD_MEMORY; /* for devices whose lanes have no shuffle */
    const uint item = get_global_id(0), lane = simd_lane(), lanes = simd_lanes();

    float sum = item < n ? x[item] : 0.0f;
    /* exercise { */
    for (uint far = 1; far < simd_lanes_most(); far *= 2) {
        const float other = simd_shuffle(sum, lane + far);
        if (lane + far < lanes) /* the others have no partner */
            sum += other;
    }
    /* } exercise */
    if (lane == 0)
        slots[simd_group()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);

    float all = 0.0f; /* one round, unless there are more slots than lanes */
    for (uint i = lane; i < simd_groups(); i += lanes)
        all += slots[i];
    all = simd_sum(all);
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = all;
}

/* The same sum of ints, for which some devices have one instruction instead of the
 * loop: simd_sum() uses it. */
kernel void reduce_simd_int(global const int *x, global int *sums, local int *slots,
                            uint n) {
    SIMD_MEMORY;
    const uint item = get_global_id(0);

    const int sum = simd_sum(item < n ? x[item] : 0);
    if (simd_lane() == 0)
        slots[simd_group()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);

    int all = 0;
    for (uint i = simd_lane(); i < simd_groups(); i += simd_lanes())
        all += slots[i];
    all = simd_sum(all);
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = all;
}

/* What simd_max() does where lanes cannot exchange registers: each lane writes its
 * value into local memory, where the others read it.  A warp has `lanes` lanes here,
 * and the last one of a work-group may have fewer.  Every lane stores what it has
 * found in `largest`, so that every lane can be checked. */
kernel void reduce_simd_max_by_hand(global const int *x, global int *largest,
                                    local int *values, uint n, uint lanes) {
    const uint item = get_global_id(0), id = get_local_id(0), lane = id % lanes;
    const uint here = min(lanes, (uint)get_local_size(0) - (id - lane)); /* lanes */
    int most = item < n ? x[item] : INT_MIN;

    for (uint far = 1; far < lanes; far *= 2) {
        values[id] = most;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane + far < here) /* now of 2 * far lanes, beginning with this one */
            most = max(most, values[id + far]);
        barrier(CLK_LOCAL_MEM_FENCE); /* no lane writes before all have read */
    }
    values[id] = most;
    barrier(CLK_LOCAL_MEM_FENCE);
    most = values[id - lane]; /* lane 0 has the largest; every lane reads it there */
    if (item < n)
        largest[item] = most;
}

/* As in step 06, each work-item first adds up 64 elements, with four loads of 16 bytes
 * in flight: a group takes tile after tile, and of each tile a work-item adds up a
 * column of four float4.  Then there are few sums left for the lanes to exchange. */
kernel void reduce_simd_in_flight(global const float4 *x, global float *sums,
                                  local float *slots, uint n) {
    SIMD_MEMORY;
    const uint row = get_local_size(0), tile = 4 * row, tiles = n / 4 / tile;

    float4 sum4 = 0.0f;
    for (uint k = get_group_id(0); k < tiles; k += get_num_groups(0)) {
        const uint i = k * tile + get_local_id(0);
        sum4 += (x[i] + x[i + row]) + (x[i + 2 * row] + x[i + 3 * row]);
    }
    float own = sum4.x + sum4.y + sum4.z + sum4.w;
    uint rest = tiles * tile * 4 + get_global_id(0);
    for (; rest < n; rest += get_global_size(0)) /* what no tile covers */
        own += ((global const float *)x)[rest];

    /* For PoCL 6, where a SIMD-group function right after a loop that may have no round
     * receives wrong values. */
    barrier(CLK_LOCAL_MEM_FENCE);
    const float sum = simd_sum(own);
    if (simd_lane() == 0)
        slots[simd_group()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);

    float all = 0.0f;
    for (uint i = simd_lane(); i < simd_groups(); i += simd_lanes())
        all += slots[i];
    all = simd_sum(all);
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = all;
}

/* The way in which lanes exchange values on this device, and how many a warp has. */
kernel void reduce_simd_way(global uint *way_and_lanes) {
    if (get_global_id(0) == 0) {
        way_and_lanes[0] = SIMD_WAY;
        way_and_lanes[1] = simd_lanes_most();
    }
}

/* The seven operations, two prefix sums and two exchanges of simd.clh: x has n values
 * for each of them, and results has what every lane receives.  A lane without an
 * element contributes the identity, the value that changes no result.  The last result
 * is the number of lanes of a warp, since a compiler may choose it for each kernel. */
#define OWN(operation, identity) (item < n ? x[operation * n + item] : identity)
kernel void reduce_simd_all_int(global const int *x, global int *results, uint n) {
    SIMD_MEMORY;
    const uint item = get_global_id(0);

    const int sum = simd_sum(OWN(0, 0));
    const int product = simd_product(OWN(1, 1));
    const int smallest = simd_min(OWN(2, INT_MAX));
    const int largest = simd_max(OWN(3, INT_MIN));
    const int inclusive = simd_prefix_inclusive_sum(OWN(4, 0));
    const int exclusive = simd_prefix_exclusive_sum(OWN(5, 0));
    const int and_ = simd_and(OWN(6, ~0));
    const int or_ = simd_or(OWN(7, 0));
    const int xor_ = simd_xor(OWN(8, 0));
    const int swapped = simd_shuffle_xor(OWN(9, 0), 1);
    const int last = simd_broadcast(OWN(10, 0), simd_lanes() - 1);
    if (item < n) {
        results[0 * n + item] = sum;
        results[1 * n + item] = product;
        results[2 * n + item] = smallest;
        results[3 * n + item] = largest;
        results[4 * n + item] = inclusive;
        results[5 * n + item] = exclusive;
        results[6 * n + item] = and_;
        results[7 * n + item] = or_;
        results[8 * n + item] = xor_;
        results[9 * n + item] = swapped;
        results[10 * n + item] = last;
    }
    if (item == 0)
        results[11 * n] = simd_lanes_most();
}

kernel void reduce_simd_all_float(global const float *x, global float *results,
                                  uint n) {
    SIMD_MEMORY;
    const uint item = get_global_id(0);

    const float sum = simd_sum(OWN(0, 0.0f));
    const float product = simd_product(OWN(1, 1.0f));
    const float smallest = simd_min(OWN(2, INFINITY));
    const float largest = simd_max(OWN(3, -INFINITY));
    const float inclusive = simd_prefix_inclusive_sum(OWN(4, 0.0f));
    const float exclusive = simd_prefix_exclusive_sum(OWN(5, 0.0f));
    if (item < n) {
        results[0 * n + item] = sum;
        results[1 * n + item] = product;
        results[2 * n + item] = smallest;
        results[3 * n + item] = largest;
        results[4 * n + item] = inclusive;
        results[5 * n + item] = exclusive;
    }
    if (item == 0)
        results[6 * n] = simd_lanes_most();
}

// lens: reduce_simd_tree(x[n], sums[groups], t[local], n=4096) --global 4096 --local 256
// lens: reduce_simd_float(x[n], sums[groups], slots[local / 32], n=4096) --global 4096 --local 256
// lens: reduce_simd_int(x[n], sums[groups], slots[local / 32], n=4096) --global 4096 --local 256
// lens: reduce_simd_max_by_hand(x[n], largest[n], values[local], n=4096, lanes=32) --global 4096 --local 256
// lens: reduce_simd_in_flight(x[n / 4], sums[groups], slots[local / 32], n=65536) --global 4096 --local 256
// lens: reduce_simd_way(way_and_lanes[2]) --global 256 --local 256
// lens: reduce_simd_all_int(x[11 * n]=1..9, results[11 * n + 1], n=1024) --global 1024 --local 256
// lens: reduce_simd_all_float(x[6 * n], results[6 * n + 1], n=1024) --global 1024 --local 256
