/* Kernels on which the lens was silent though they are wrong, or complained though they
 * are right; and beside each its neighbour on the other side. */

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

/* ======== What a buffer holds. */

kernel void halves(global const half *in, global float *out) {
    const uint i = get_global_id(0);
    out[i] = vload_half(i, in);
}

enum color { RED, GREEN };

kernel void types(global half4 *h, global uchar3 *u, global size_t *s,
                  global ptrdiff_t *d, global enum color *c, global long2 *l) {
    const int i = (int)get_global_id(0);
    vstore_half4((float4)(i, 0.1f, -2, 65504), i, (global half *)h);
    u[i] = (uchar3)(1, 2, i);
    s[i] = i;
    d[i] = -i;
    c[i] = GREEN;
    l[i] = i;
}

/* ======== Divisions of whole numbers. */

kernel void divides(global int *x, int parts) {
    const uint i = get_global_id(0);
    const int all = x[i];
    x[i] = 0;
    x[i] = all / parts;
}

kernel void divides_four(global uchar4 *x) {
    const uint i = get_global_id(0);
    x[i] %= x[i].wxyz;
}

/* Right: nobody divides by 0, or looks for it with real numbers. */
kernel void divides_where_it_can(global int *x, global float *y) {
    const uint i = get_global_id(0);
    if (x[i] != 0)
        x[i] = 100 / x[i];
    y[i] = 1.0f / y[i];
}

/* ======== Recursion. */

static int steps(int n) {
    if (n <= 1)
        return 1;
    return steps(n - 1) + steps(n - 2);
}

kernel void recursion(global int *x) {
    const int i = (int)get_global_id(0);
    x[i] = steps(i + 1);
}

static int forever(int n) {
    return 1 + forever(n + 1);
}

kernel void endless_recursion(global int *x) {
    const uint i = get_global_id(0);
    x[i] = forever(x[i]);
}

/* ======== Loops without an end. */

/* The lane that has the lock waits for the others, which wait for the lock. */
kernel void spins_in_warp(global int *lock, global int *total) {
    while (atomic_cmpxchg(lock, 0, 1) != 0)
        ;
    total[0] += 1; /* guarded */
    atomic_xchg(lock, 0);
}

/* Here it depends on which lanes go first behind a branch. */
kernel void spins_beside(global int *lock, global int *total) {
    for (;;)
        if (atomic_xchg(lock, 1) == 0) {
            total[0] += 2;
            atomic_xchg(lock, 0);
            break;
        }
}

/* The first warp waits at the barrier, the second one for what comes behind that. */
kernel void spins_before_barrier(global int *flag) {
    if (get_local_id(0) >= 32)
        while (atomic_add(flag, 0) == 0)
            ;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_xchg(flag, 1);
}

/* Each item has the lock of its bin, and another one's comes after the loop. */
kernel void spins_by_bin(global int *locks, global int *sums) {
    const uint bin = get_local_id(0) % 4;
    while (atomic_cmpxchg(&locks[bin], 0, 1) != 0)
        ;
    sums[bin] += 1;
    atomic_xchg(&locks[bin], 0);
}

/* Two warps, and each has what the other one waits for. */
kernel void spins_crosswise(global int *locks) {
    const uint warp = get_local_id(0) / 32;
    if (get_local_id(0) % 32 != 0)
        return;
    while (atomic_cmpxchg(&locks[warp], 0, 1) != 0) /* the own one */
        ;
    while (atomic_cmpxchg(&locks[1 - warp], 0, 1) != 0) /* the other's */
        ;
    atomic_xchg(&locks[1 - warp], 0);
    atomic_xchg(&locks[warp], 0);
}

kernel void spins_for_itself(global int *lock, global int *total) {
    if (get_local_id(0) != 0)
        return;
    while (atomic_xchg(lock, 1) != 0) /* the first time */
        ;
    total[0] += 1;
    while (atomic_xchg(lock, 1) != 0) /* the second time */
        ;
    atomic_xchg(lock, 0);
}

/* The first warp keeps the lock, and has ended when the second one wants it. */
kernel void spins_for_the_dead(global int *lock, global int *total) {
    if (get_local_id(0) % 32 == 0) {
        while (atomic_cmpxchg(lock, 0, 7) != 0) /* kept */
            ;
        total[0] += 1;
    }
}

/* A barrier of all groups, whose count no group takes back. */
kernel void spins_for_all_groups(global int *count, global int *out) {
    if (get_local_id(0) == 0) {
        atomic_inc(count);
        while (atomic_add(count, 0) < (int)get_num_groups(0)) /* all groups */
            ;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = count[0];
}

/* One item of each warp takes the lock by turns, in memory of either kind. */
kernel void takes_turns(global int *total) {
    local int lock;
    if (get_local_id(0) == 0)
        lock = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) % 32 == 0) {
        while (atomic_cmpxchg(&lock, 0, 1) != 0)
            ;
        atomic_add(total, 1);
        atomic_xchg(&lock, 0);
    }
}

/* As above, but each lane releases it within the loop: so all get it. */
kernel void takes_it_in_the_loop(global int *lock, global int *total) {
    for (bool done = false; !done;)
        if (atomic_cmpxchg(lock, 0, 1) == 0) {
            atomic_add(total, 1);
            atomic_xchg(lock, 0);
            done = true;
        }
}

/* Nobody ever sets it. */
kernel void spins_alone(volatile global int *flag) {
    while (flag[0] == 0)
        ;
}

kernel void spins_idle(global int *out) {
    out[get_global_id(0)] = 1;
    for (;;) /* idle */
        ;
}

/* (Of what stands behind the loop, nothing comes.) */
kernel void spins_on_argument(global int *out, int n) {
    const int before = out[get_global_id(0)];
    while (n)
        ;
    out[get_global_id(0)] = before + 1;
}

/* Each group waits for the one before it, by the number that it has ... */
kernel void waits_for_group_before(global int *done) {
    const uint group = get_group_id(0);
    if (get_local_id(0) > 0)
        return;
    while (group > 0 && atomic_or(&done[group - 1], 0) == 0)
        ;
    atomic_xchg(&done[group], 1);
}

/* ... or by the number that it has drawn, which is right. */
kernel void waits_for_number_before(global int *done) {
    if (get_local_id(0) > 0)
        return;
    const int number = atomic_inc(&done[get_num_groups(0)]);
    while (number > 0 && atomic_or(&done[number - 1], 0) == 0)
        ;
    atomic_xchg(&done[number], 1);
}

/* Right: the second warp waits for the first one, which does not wait for it. */
kernel void waits_for_warp_before(global int *flag, global int *out) {
    if (get_local_id(0) == 0)
        atomic_xchg(flag, 1);
    if (get_local_id(0) == 32)
        while (atomic_or(flag, 0) == 0)
            ;
    out[get_local_id(0)] = 1;
}

/* Right: its registers are the same in each round, and memory is not. */
kernel void counts_in_memory(global int *count) {
    while (atomic_inc(count) < 100000)
        ;
}

/* It never ends, but no state comes back: it counts. */
kernel void spins_and_counts(volatile global int *flag, global int *out) {
    int rounds = 0;
    while (flag[0] == 0)
        rounds++;
    out[get_global_id(0)] = rounds;
}

/* ======== What one order of warps and groups hides. */

/* An atomic gives out the places; the barrier fences the other memory. */
kernel void fences_other_memory(global int *out) {
    local int places[64], next;
    const int item = (int)get_local_id(0);
    if (item == 0)
        next = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    places[atomic_inc(&next)] = item;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = places[item];
}

kernel void fences_this_memory(global int *out) {
    local int places[64], next;
    const int item = (int)get_local_id(0);
    if (item == 0)
        next = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    places[atomic_inc(&next)] = item;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = places[item];
}

/* ======== Barriers. */

kernel void two_on_one_line(global int *out) {
    const int item = (int)get_local_id(0);
    // clang-format off
    if (item < 32) barrier(CLK_LOCAL_MEM_FENCE); else barrier(CLK_LOCAL_MEM_FENCE);
    // clang-format on
    out[get_global_id(0)] = item;
}

static void meet(void) {
    barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void two_calls(global int *out) {
    const int item = (int)get_local_id(0);
    if (item < 32)
        meet();
    else
        meet();
    out[get_global_id(0)] = item;
}

/* Right: all come to one barrier, as often, and it may be unrolled. */
kernel void one_barrier_often(global int *out) {
    local int t[64];
    const int item = (int)get_local_id(0);
    t[item] = item;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        meet();
        const int next = t[(item + 1) % 64];
        meet();
        t[item] = next;
    }
    out[get_global_id(0)] = t[item];
}

/* The barrier has no flag at all. */
kernel void fences_nothing(global int *out) {
    local int t[64];
    const int item = (int)get_local_id(0);
    t[item] = item;
    barrier(0);
    out[get_global_id(0)] = t[63 - item];
}

kernel void fences_local_alone(global int *t, global int *out) {
    const int item = (int)get_local_id(0);
    t[item] = item;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[63 - item];
}

/* The last steps of a sum without barriers, in one warp. */
kernel void sums_in_warp(global const float *x, global float *sum) {
    local volatile float part[32];
    const int lane = (int)get_local_id(0);
    part[lane] = x[lane];
    if (lane < 16)
        part[lane] += part[lane + 16];
    if (lane < 8)
        part[lane] += part[lane + 8];
    if (lane == 0)
        sum[0] = part[0];
}

/* One barrier is missing; what it would part are ten pairs of places. */
kernel void lacks_one_barrier(global int *out) {
    local int counts[64];
    const int item = (int)get_local_id(0);
    counts[item] = 0;
    int sum = counts[(item + 33) % 64];
    sum += counts[(item + 34) % 64];
    sum += counts[(item + 35) % 64];
    sum += counts[(item + 36) % 64];
    sum += counts[(item + 37) % 64];
    sum += counts[(item + 38) % 64];
    sum += counts[(item + 39) % 64];
    sum += counts[(item + 40) % 64];
    sum += counts[(item + 41) % 64];
    sum += counts[(item + 42) % 64];
    out[get_global_id(0)] = sum;
}

/* Here two are: one before the sum, and one behind it. */
kernel void lacks_two_barriers(global int *out) {
    local int counts[64];
    const int item = (int)get_local_id(0);
    counts[item] = 1;
    const int one = counts[(item + 33) % 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    counts[item] = 2;
    out[get_global_id(0)] = one + counts[(item + 34) % 64];
}

/* ======== Values that must be the same. */

/* Item 0 reads the constant that it has written itself, as all others have. */
kernel void reads_own_constant(global int *x) {
    local int count;
    count = 0;
    if (get_local_id(0) == 0)
        x[get_group_id(0)] = count;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&count);
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0) + get_num_groups(0)] = count;
}

/* It has not written it. */
kernel void reads_others_constant(global int *x) {
    local int count;
    if (get_local_id(0) > 0)
        count = 0;
    else
        x[get_group_id(0)] = count;
}

/* All load one value, which nobody changes, and store that. */
kernel void seeds(global const int *in, global int *out) {
    local int seed;
    seed = in[get_group_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = seed;
}

/* Each group has another one. */
kernel void seeds_for_all(global const int *in, global int *out) {
    out[0] = in[get_group_id(0)];
}

/* ======== What few devices have. */

kernel void wide(global int *x) {
    local int part[50000];
    part[get_local_id(0)] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] = part[get_local_size(0) - 1 - get_local_id(0)];
}

kernel void takes_local(global int *x, local int *part) {
    part[get_local_id(0)] = 1;
    x[get_global_id(0)] = part[get_local_id(0)];
}

/* ======== Private variables that one way through the kernel does not set. */

kernel void unset_in_branch(global float *out, int limit) {
    const int item = (int)get_global_id(0);
    float mark;
    if (item >= limit)
        mark = 1;
    out[item] = mark;
}

/* With what it computes of it, the pattern is gone. */
kernel void unset_in_sum(global int *out, int limit) {
    const int item = (int)get_global_id(0);
    int mark;
    if (item >= limit)
        mark = 1;
    out[item] = 3 * mark + item;
}

kernel void unset_in_loop(global const int *in, global int *out, int n) {
    int best;
    for (int i = 0; i < n; i++)
        if (in[i] > 2)
            best = i;
    out[get_global_id(0)] = best;
}

kernel void unset_decides(global int *out, int limit) {
    const int item = (int)get_global_id(0);
    int mark;
    if (item >= limit)
        mark = item;
    if (mark > 7)
        out[item] = 1;
}

kernel void unset_switch(global int *out, int limit) {
    const int item = (int)get_global_id(0);
    int mark;
    if (item >= limit)
        mark = item;
    switch (mark) {
    case 60:
        out[1] = 7;
        break;
    case 13:
        out[3] = 8;
        break;
    case 14:
        out[5] = out[6];
        break;
    default:
        break;
    }
}

kernel void unset_index(global int *out, int limit) {
    const int item = (int)get_global_id(0);
    int place;
    if (item >= limit)
        place = item;
    out[place & 63] = 1;
}

struct pair {
    int is_set;
    float value;
};

/* Right: what it stores was set, and what was not set decides nothing. */
kernel void sets_what_it_uses(global float *out, global struct pair *pairs, int limit) {
    const int item = (int)get_global_id(0);
    float mark, best;
    int is_set = 0, first = 1;
    struct pair pair;
    pair.is_set = 0;
    if (item >= limit) {
        mark = 1;
        is_set = 1;
        pair.value = 2;
        pair.is_set = 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_set && mark * 2 > 1)
        out[item] = mark + 1;
    for (int i = 0; i < item; i++) {
        if (first || best < i)
            best = i;
        first = 0;
    }
    if (item > 0)
        out[item] += best;
    pairs[item] = pair; /* a member that was not set comes along */
    out[item] += is_set ? mark : 0;
}

/* ======== Vectors of which one component is used, in places that are no vector's. */

kernel void second_of_four(global const float *p, global float *out) {
    const uint i = get_global_id(0);
    global const float4 *four = (global const float4 *)(p + 1);
    out[i] = four[i].y;
}

kernel void sets_second_of_four(global float *p) {
    const uint i = get_global_id(0);
    global float4 *four = (global float4 *)(p + 1);
    four[i].y = i;
}

/* Right: these lie where they must, or need not. */
kernel void components(global float4 *p, global const float *q, global float *out) {
    const uint i = get_global_id(0);
    out[i] = p[i].y + vload4(i, q + 1).y;
    p[i].x = 1;
    p[i].zw = (float2)(1, 2);
}

/* Right, and the address is a constant. */
kernel void component_of_local(global int *out) {
    local int4 t[2];
    const int item = (int)get_local_id(0);
    if (item == 0)
        t[1].x = 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[item] = t[1].x;
}

/* ======== A native function is exact here, and is not on a GPU. */

kernel void waves(global float *out, float far) {
    const uint i = get_global_id(0);
    out[i] = native_sin(far * i) + cos(1e6f * i);
}

kernel void waves_of_two(global float2 *out, float far) {
    const uint i = get_global_id(0);
    out[i] = native_cos(far * (float2)(i, 2 * i));
}
