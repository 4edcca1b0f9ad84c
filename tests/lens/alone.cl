/* Kernels that `lens kernel` launches without a program; tests/lens/kernel.bats says
 * what must come out. */
typedef float real;
struct body {
    float4 place;
    float mass;
};

/* 64 x 64 items make the matrix of 64 rows; row k of `a` holds 64 k to 64 k + 63. */
kernel void product(global const real *a, global const float *b, global float *c,
                    uint n) {
    const uint column = get_global_id(0), row = get_global_id(1);
    float sum = 0.0f;
    for (uint k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

/* The sum of each group; `sums` has an element for each, `part` one for each item. */
kernel void tree(global const float *x, local float *part, global float *sums) {
    const uint item = get_local_id(0);
    part[item] = x[get_global_id(0)];
    for (uint half_way = get_local_size(0) / 2; half_way > 0; half_way /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < half_way)
            part[item] += part[item + half_way];
    }
    if (item == 0)
        sums[get_group_id(0)] = part[0];
}

/* Reads 3 elements for each work-item: 3 * items - 2 is the last. */
kernel void wide(global const int *in, global int *out) {
    out[get_global_id(0)] = in[3 * get_global_id(0)];
}

/* A race if two of the places are the same. */
kernel void scatter(global const uint *places, global uint *out) {
    out[places[get_global_id(0)]] = get_global_id(0);
}

/* Arguments of many types: (1 + 2 + 3 + 4) * 2 + 0.5 - 3 = 17.5, plus COUNT. */
kernel void types(float4 v, real two, double half_of, char minus, ulong large,
                  global const struct body *bodies, global float *out,
                  global ulong *copy) {
    const uint i = get_global_id(0);
    out[i] = (v.x + v.y + v.z + v.w) * two + (float)half_of + minus + bodies[i].mass +
             COUNT;
    copy[i] = large;
}

__attribute__((reqd_work_group_size(8, 4, 1))) kernel void shaped(global uint *out) {
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = get_local_id(1);
}

#pragma OPENCL EXTENSION cl_khr_depth_images : enable
kernel void depth(read_only image2d_depth_t image, global int *out) {
    out[0] = 1;
}
