/* Mistakes that `lens --races` must catch, and right kernels on which it must be
 * silent.  Many of the wrong ones give the right result on a CPU, every time. */

/* ======== Wrong: work-items race. */

/* Item 0 may add t[32] before item 32 has written it. */
kernel void no_barrier_before(global const float *in, global float *out) {
    local float t[64];
    const uint l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    for (uint s = 32; s > 0; s /= 2) {
        if (l < s)
            t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = t[0];
}

/* Item 0 may add t[16] in the second step before item 16 has finished the first. */
kernel void no_barrier_inside(global const float *in, global float *out) {
    local float t[64];
    const uint l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 32; s > 0; s /= 2)
        if (l < s)
            t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        out[get_group_id(0)] = t[0];
}

/* Sums up to each item.  All have come to the barrier, but one barrier is too few: item
 * 0 may be a step ahead, and write what item 1 has not read yet. */
kernel void one_barrier_of_two(global const float *in, global float *out) {
    local float t[64];
    const uint l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    for (uint s = 1; s < 64; s *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const float before = l >= s ? t[l - s] : 0.0f;
        t[l] += before;
    }
    out[get_global_id(0)] = t[l];
}

kernel void all_add_to_one(global float *out) {
    out[0] = out[0] + 1.0f;
}

kernel void two_write_one(global const float *in, global float *out) {
    const uint i = get_global_id(0);
    out[i / 2] = in[i];
}

/* Many a program does this to say that something was found. */
kernel void all_write_one_value(global const float *in, global int *found) {
    if (in[get_global_id(0)] > 3.0f)
        *found = 1;
}

/* The value is the launch's, at one place: no data can make two of it. */
kernel void all_write_an_argument(global int *found, int n) {
    *found = 3 * n + (int)get_num_groups(0);
}

/* Here it is one with these data, or these arguments, alone. */
kernel void all_write_what_they_read(global const int *in, global int *found) {
    *found = in[get_global_id(0)];
}

kernel void two_arguments(global int *found, int n, int m) {
    if (get_global_id(0) % 2)
        *found = n;
    else
        *found = m;
}

/* Item i reads what item i + 1 overwrites. */
kernel void moves_in_place(global float *x) {
    const uint i = get_global_id(0);
    if (i + 1 < get_global_size(0))
        x[i] = x[i + 1];
}

/* Within a group each item has an element of its own; other groups have the same. */
kernel void groups_add_to_same(global const float *in, global float *out) {
    const uint l = get_local_id(0);
    out[l] = in[get_global_id(0)] + out[l];
}

/* Right or wrong: that depends on the data, which one launch may prepare for
 * another. */
kernel void scatter(global const int *at, global float *out) {
    const uint i = get_global_id(0);
    out[at[i] - 1] = i;
}

kernel void join_pairs(global int *at) {
    const uint i = get_global_id(0);
    at[i] = i / 2 + 1;
}

kernel void add_to_all(global int *x, int number) {
    x[get_global_id(0)] += number;
}

/* The last item of a group writes the first element of the next group. */
kernel void writes_next_groups_first(global int *p) {
    const uint i = get_global_id(0);
    p[i] = i;
    barrier(CLK_GLOBAL_MEM_FENCE);
    p[i + 1] = i;
}

/* Item (x, y) writes the row below, too. */
kernel void writes_next_row(global int *p) {
    const uint i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    p[i] = i;
    barrier(CLK_GLOBAL_MEM_FENCE);
    p[i + get_global_size(0)] = i;
}

/* The barrier puts local memory in order, but what is exchanged is in global memory. */
kernel void wrong_fence(global const float *in, global float *shared,
                        global float *out) {
    const uint i = get_global_id(0);
    shared[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = shared[i ^ 1];
}

/* The counts are read while others still count. */
kernel void histogram_no_barrier(global const int *in, global int *counts) {
    local int bins[64];
    const uint l = get_local_id(0);
    bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[in[get_global_id(0)] % 64]);
    counts[get_global_id(0)] = bins[l];
}

/* That a group is the last one does not say that it sees what the others wrote. */
kernel void last_group_no_fence(global const float *in, global float *sums,
                                global uint *done, global float *out) {
    local uint is_last;
    const uint groups = get_num_groups(0);
    if (get_local_id(0) == 0) {
        sums[get_group_id(0)] = in[get_global_id(0)];
        is_last = atomic_inc(done) == groups - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    float total = 0.0f;
    for (uint g = 0; is_last && g < groups; g++)
        total += sums[g];
    if (is_last && get_local_id(0) == 0)
        *out = total;
}

/* ======== Wrong: atomics, and beside them plain accesses of the same place. */

/* The last item reads the count while others may still count. */
kernel void reads_after_own_atomic(global int *out) {
    local int count;
    const uint l = get_local_id(0);
    if (l == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&count);
    if (l == get_local_size(0) - 1)
        out[get_group_id(0)] = count;
}

/* The bins are cleared, and others may have counted by then. */
kernel void clears_before_atomics(global int *out) {
    local int h[64];
    const uint l = get_local_id(0);
    h[l] = 0;
    atomic_inc(&h[l]);
    atomic_inc(&h[l ^ 1]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = h[l];
}

/* The same of one count, within one warp. */
kernel void clears_one_count(global int *out) {
    local int count;
    const uint l = get_local_id(0);
    if (l == 0)
        count = 0;
    atomic_inc(&count);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        out[get_group_id(0)] = count;
}

/* Each group counts, and reads what others count meanwhile. */
kernel void reads_count_of_groups(global int *count, global int *out) {
    if (get_local_id(0) == 0) {
        atomic_inc(count);
        out[get_group_id(0)] = *count;
    }
}

/* Item 0 sets a flag plainly; others exchange it. */
kernel void writes_beside_exchange(global int *flag, global int *out) {
    const uint i = get_global_id(0);
    if (i == 0)
        *flag = 5;
    out[i] = atomic_cmpxchg(flag, 5, 6);
}

/* A compare-exchange that fails reads all the same. */
kernel void writes_beside_failed_exchange(global int *flag, global int *out) {
    const uint i = get_global_id(0);
    out[i] = atomic_cmpxchg(flag, 100, 101);
    if (i == 63)
        *flag = 5;
}

/* Atomics by one group alone, plain by the other. */
kernel void one_group_without_atomics(global int *sum) {
    if (get_local_id(0) == 0 && get_group_id(0) == 0)
        atomic_add(sum, 1);
    if (get_local_id(0) == 0 && get_group_id(0) == 1)
        *sum += 1;
}

/* Behind the barrier all add; before it one has read, which is in order, and one reads
 * between them, which is not. */
kernel void reads_between_atomics(global int *out) {
    local int count;
    const uint l = get_local_id(0);
    if (l == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&count, 2);
    if (l == 7)
        out[get_group_id(0)] = count;
    atomic_add(&count, 3);
}

/* ======== Wrong: an access is out of bounds. */

kernel void reads_past_end(global const float *in, global float *out) {
    const int i = (int)get_global_id(0);
    out[i] = in[i + 1];
}

kernel void reads_before_begin(global const float *in, global float *out) {
    const int i = (int)get_global_id(0);
    out[i] = in[i - 1];
}

kernel void writes_past_end(global const float *in, global float *out) {
    const int i = (int)get_global_id(0);
    out[i + 1] = in[i];
}

/* The last float4 begins inside the buffer, and ends behind it. */
kernel void reaches_past_end(global const float *in, global float4 *out) {
    const int i = (int)get_global_id(0);
    out[i] = vload4(0, in + 2 + 4 * i);
}

kernel void past_local_argument(local float *t, global float *out) {
    const int l = (int)get_local_id(0);
    t[l + 1] = 1.0f;
    out[l] = t[l + 1];
}

kernel void past_local_array(global float *out) {
    local float t[64];
    const int l = (int)get_local_id(0);
    t[l + 1] = 1.0f;
    out[l] = t[l + 1];
}

kernel void past_private_array(global const int *in, global int *out) {
    const int i = (int)get_global_id(0);
    int digits[8] = {0};
    digits[in[i]] = 1;
    out[i] = digits[i % 8];
}

kernel void reads_unwritten_local(global const float *in, global float *out) {
    local float t[64];
    const uint l = get_local_id(0);
    if (l < 63)
        t[l] = in[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void reads_unwritten_buffer(global const float *in, global float *out) {
    const uint i = get_global_id(0);
    out[i] = in[i];
}

/* The loop looks at the exchange's result when it comes around. */
kernel void exchanges_unwritten_local(global int *out, uint n) {
    local int flag;
    int before = 0;
    for (uint i = 0; i < n; i++) {
        out[get_global_id(0)] = before;
        before = atomic_xchg(&flag, i);
    }
}

/* ======== Wrong: the barrier is not reached by all work-items. */

kernel void barrier_in_branch(global float *out) {
    const uint l = get_local_id(0);
    if (l < 32)
        barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = l;
}

kernel void barrier_after_return(global float *out) {
    const uint l = get_local_id(0);
    if (l == 63)
        return;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = l;
}

kernel void two_barriers(global float *out) {
    const uint l = get_local_id(0);
    if (l < 32) {
        out[l] = l;
        barrier(CLK_LOCAL_MEM_FENCE);
    } else {
        out[l] = 2 * l;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* The first group clears the count, behind a fence, but other groups may have counted
 * before that: what the atomic tells them comes too late. */
kernel void clears_for_all_groups(global int *count) {
    if (get_global_id(0) == 0)
        *count = 0;
    barrier(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(count);
}

/* ======== Wrong: elements that do not lie where their type must. */

/* Byte 4 is no place for an int4: on a device that looks only at the upper bits, it
 * reads elements 0 to 3. */
kernel void casts_to_int4(global int *in, global int *out) {
    const uint i = get_global_id(0);
    const int4 sum = *(global int4 *)(in + 4 * i + 1);
    out[i] = sum.x + sum.w;
}

kernel void casts_to_int(global int *in, global int *out) {
    out[get_global_id(0)] = *(global int *)((global char *)(in + get_global_id(0)) + 2);
}

/* ======== Wrong, though the compiler removes what is wrong. */

/* Local memory that is never read need not be written. */
kernel void stores_unread(global int *out) {
    local int last;
    last = get_local_id(0);
    out[get_global_id(0)] = 1;
}

static int fetch(global const int *in, uint i) {
    return in[i];
}

/* The call's result is not used, so that nothing has to be loaded. */
kernel void loads_unused(global const int *in, global int *out) {
    fetch(in, get_global_id(0) + 1);
    out[get_global_id(0)] = 1;
}

/* ======== Right. */

/* vload4 needs the alignment of one int, and a packed structure that of a byte. */
struct __attribute__((packed)) packed {
    char tag;
    int value;
};

kernel void loads_four_anywhere(global int *in, global int *out) {
    const uint i = get_global_id(0);
    const int4 sum = vload4(0, in + i + 1);
    const global struct packed *packed = (const global struct packed *)in;
    vstore2(sum.xw + packed[i].value, i, out + 1);
}

kernel void tree(global const float *in, global float *out) {
    local float t[64];
    const uint l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 32; s > 0; s /= 2) {
        if (l < s)
            t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = t[0];
}

kernel void tree_in_argument(global const float *in, global float *out,
                             local float *t) {
    const uint l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    for (uint s = 1; s < 64; s *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l % (2 * s) == 0)
            t[l] += t[l + s];
    }
    if (l == 0)
        out[get_group_id(0)] = t[0];
}

kernel void histogram(global const int *in, global int *counts) {
    local int bins[64];
    const uint l = get_local_id(0);
    bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[in[get_global_id(0)] % 64]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&counts[l], bins[l]);
}

/* A compare-exchange that fails writes nothing, so that others may read. */
kernel void failed_exchange(global int *flag, global int *out) {
    const uint i = get_global_id(0);
    out[i] = *flag + atomic_cmpxchg(flag, 100, 101);
}

/* What is cleared, counted and read is so on three sides of two barriers. */
kernel void count_in_order(global int *out) {
    local int count;
    const uint l = get_local_id(0);
    if (l == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&count);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = count;
}

kernel void counter(global const int *in, global int *count) {
    if (in[get_global_id(0)] % 2)
        atomic_inc(count);
}

/* What another item has changed meanwhile shows in the compare-exchange. */
kernel void float_add(global const float *in, volatile global uint *sum) {
    const float mine = in[get_global_id(0)];
    uint old;
    do {
        old = *sum;
    } while (atomic_cmpxchg(sum, old, as_uint(as_float(old) + mine)) != old);
}

/* From one array into the other, and back: one barrier in each step is enough. */
kernel void ping_pong(global const float *in, global float *out) {
    local float t[2][64];
    const uint l = get_local_id(0);
    uint from = 0;
    t[0][l] = in[get_global_id(0)];
    for (uint s = 1; s < 64; s *= 2, from = !from) {
        barrier(CLK_LOCAL_MEM_FENCE);
        t[!from][l] = t[from][l] + (l >= s ? t[from][l - s] : 0.0f);
    }
    out[get_global_id(0)] = t[from][l];
}

/* A fence before the atomic: whoever counts after this item sees what it wrote.  The
 * barrier hands is_last on, and what item 0 sees. */
kernel void last_group(global const float *in, global float *sums, global uint *done,
                       global float *out) {
    local uint is_last;
    local float t[64];
    const uint l = get_local_id(0), groups = get_num_groups(0);
    if (l == 0) {
        sums[get_group_id(0)] = in[get_global_id(0)];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        is_last = atomic_inc(done) == groups - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (!is_last) /* all of the group, or nobody */
        return;
    t[l] = l < groups ? sums[l] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    float total = 0.0f;
    for (uint g = 0; g < groups; g++)
        total += t[g];
    if (l == 0)
        *out = total;
}

/* Bytes of one word, each with its own item. */
kernel void bytes(global const char *in, global char *out) {
    const uint i = get_global_id(0);
    out[i] = in[i];
}

kernel void in_place(global float *x) {
    const uint i = get_global_id(0);
    x[i] = x[i] * x[i];
}

kernel void right_fence(global const float *in, global float *shared,
                        global float *out) {
    const uint i = get_global_id(0);
    shared[i] = in[i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = shared[i ^ 1];
}

/* All come to the barrier, or nobody: the branch is the group's. */
kernel void branch_of_group(global const float *in, global float *out) {
    local float t[64];
    const uint l = get_local_id(0);
    if (get_group_id(0) % 2) {
        t[l] = in[get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = t[63 - l];
    }
}

/* Item 0 reads what it wrote itself; the others do not even look. */
kernel void reads_own(global const float *in, global float *out) {
    local float t[2];
    const uint i = get_global_id(0);
    float value = in[i];
    if (i < 2)
        t[i] = value;
    mem_fence(CLK_LOCAL_MEM_FENCE);
    if (i == 0)
        value = t[0];
    out[i] = value;
}

/* Many set one place at once, as atomic_store does in later versions of OpenCL. */
kernel void sets_by_exchange(global float *in, global int *out) {
    local int flag;
    local float last;
    atomic_xchg(&flag, 7);
    atomic_xchg(&last, 1.5f);
    atomic_xchg(in + get_global_id(0), 2.0f);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = flag + (int)last + (int)in[get_global_id(0)];
}

/* ======== Long, and perhaps without an end: the lens stops looking, and says so. */

kernel void takes_long(global uint *out, uint rounds) {
    uint x = out[get_global_id(0)];
    for (uint i = 0; i < rounds; i++)
        x = x * 1664525 + 1013904223;
    out[get_global_id(0)] = x;
}

/* Right: components are set one by one.  Compilers load the whole vector for that. */
kernel void sets_components(global float4 *out) {
    const uint i = get_global_id(0);
    out[i].x = 1;
    out[i].yz = (float2)(2, 3);
    out[i].w = i;
}

/* Wrong: it reads what it has not set. */
kernel void turns_components(global float4 *out) {
    const uint i = get_global_id(0);
    out[i].xy = out[i].yx;
}
