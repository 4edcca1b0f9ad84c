// Arithmetic on numbers of 16 bits. The first two kernels count in `right` which of all
// halves are as IEEE 754 says; they are launched with 65536 work-items.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// Both ways, and the same numbers as vload_half() makes of them in another way.
kernel void there_and_back(global ushort *bits, global uint *right) {
    uint i = get_global_id(0);
    half h = as_half((ushort)i);
    float f = h;
    double d = h;
    bits[i] = i;
    float loaded = vload_half(i, (global half *)bits);
    bool same = f == loaded && d == loaded && as_ushort((half)f) == i &&
                as_ushort((half)d) == i;
    bool none = isnan(h) && isnan(f) && isnan(d) && isnan(loaded) && isnan((half)f);
    bool is_nan = (i & 0x7c00) == 0x7c00 && (i & 0x3ff);
    if (is_nan ? none : same)
        atomic_inc(right);
}

// Halfway to the next half the even one is chosen, and beside that the nearer one: as a
// float, and as a double, which is closer to the middle than a float can be. The
// largest half has no next: 2 x 31743 have one.
kernel void rounds(global uint *right) {
    uint i = get_global_id(0), even = i + (i & 1);
    float middle = ((float)as_half((ushort)i) + as_half((ushort)(i + 1))) / 2;
    double wide = middle;
    float above = as_float(as_uint(middle) + 1), below = as_float(as_uint(middle) - 1);
    double beyond = as_double(as_ulong(wide) + 1);
    double before = as_double(as_ulong(wide) - 1);
    if ((i & 0x7fff) < 0x7bff && as_ushort((half)middle) == even &&
        as_ushort((half)above) == i + 1 && as_ushort((half)below) == i &&
        as_ushort((half)wide) == even && as_ushort((half)beyond) == i + 1 &&
        as_ushort((half)before) == i)
        atomic_inc(right);
}

// At and beyond the largest half, 65504: 65520 is halfway to what would follow.
kernel void limits(global float *out) {
    out[0] = (half)65519.996f;
    out[1] = (half)65520.0f;
    out[2] = (half)-1e30f;
    out[3] = (half)0x1p-25f; // halfway to the smallest
    out[4] = (half)0x1.000002p-25f;
    out[5] = convert_half_rtz(65535.0f);
    out[6] = convert_half_rtp(0x1p-30);
    out[7] = convert_int_sat_rte((half)2.5);
}

// As libraries for linear algebra have them: alpha is a half by value.
kernel void axpy(global half *y, global const half4 *x, half alpha, int n) {
    int i = get_global_id(0);
    if (i < n) {
        half4 four = mad(x[i], alpha, vload4(i, y));
        vstore4(clamp(fma(four, (half4)2, (half4)0.5h), (half)-8, (half)8), i, y);
    }
}

// And for language models: a row's squares in a half buffer, its root mean in floats.
kernel void norm(global const half *x, global float *y, int n) {
    float sum = 0;
    for (int i = 0; i < n; i += 4) {
        float4 v = convert_float4(vload4(0, x + i));
        sum += dot(v, v);
    }
    half scale = convert_half(rsqrt(sum / n));
    y[get_global_id(0)] = x[get_global_id(0)] * scale + exp(sqrt((half)0));
}
