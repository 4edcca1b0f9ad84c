// OpenCL's built-in functions, family by family, for a test that runs each kernel on a
// device and in the lens, and compares what they wrote. A work-item reads a row of 16
// numbers and writes a row of 64:
//
//     out[64 * n]   in[16 * n]   n work-items, in groups of any size that divides n
//
// Integers may be any, real numbers multiples of 1/16 from -4 to 4. What the kernels
// math, math_vectors, math_doubles and geometric write differs between devices in its
// last bits; all else is exact.

#define ROW_OF(out) ((out) + 64 * get_global_id(0))
#define INPUT_OF(in) ((in) + 16 * get_global_id(0))

kernel void work_items(global int *out, global const int *in, uint n) {
    global int *row = ROW_OF(out);
    // `n`, so that no loop is unrolled: PoCL 7.1 would leave nothing of this one (see
    // tests/drivers/dimension.cl).
    for (uint d = 0; d < min(n, 3u); d++) {
        row[8 * d] = get_global_id(d);
        row[8 * d + 1] = get_local_id(d);
        row[8 * d + 2] = get_group_id(d);
        row[8 * d + 3] = get_global_size(d);
        row[8 * d + 4] = get_local_size(d);
        row[8 * d + 5] = get_num_groups(d);
        row[8 * d + 6] = get_global_offset(d);
        row[8 * d + 7] = get_work_dim();
    }
}

kernel void math(global float *out, global const float *in, uint n) {
    global float *row = ROW_OF(out);
    float x = INPUT_OF(in)[0], y = INPUT_OF(in)[1];
    float part = 0.1f + fabs(x) / 5, more = 1 + fabs(x);
    int i = 0;
    row[i++] = sin(x);
    row[i++] = cos(x);
    row[i++] = tan(part);
    row[i++] = asin(part);
    row[i++] = acos(part);
    row[i++] = atan(x);
    row[i++] = sinh(x);
    row[i++] = cosh(x);
    row[i++] = tanh(x);
    row[i++] = asinh(x);
    row[i++] = acosh(more);
    row[i++] = atanh(part);
    row[i++] = sinpi(part);
    row[i++] = cospi(part / 2);
    row[i++] = tanpi(part / 4);
    row[i++] = asinpi(part);
    row[i++] = acospi(part);
    row[i++] = atanpi(x);
    row[i++] = exp(x);
    row[i++] = exp2(x);
    row[i++] = exp10(x);
    row[i++] = expm1(x);
    row[i++] = log(more + 1);
    row[i++] = log2(more + 1);
    row[i++] = log10(more + 1);
    row[i++] = log1p(more);
    row[i++] = sqrt(more);
    row[i++] = rsqrt(more);
    row[i++] = cbrt(more);
    row[i++] = erf(x);
    row[i++] = erfc(part);
    row[i++] = tgamma(more);
    row[i++] = lgamma(more + 2);
    row[i++] = pow(more, y);
    row[i++] = powr(more, y);
    row[i++] = pown(more, 3);
    row[i++] = rootn(more, 3);
    row[i++] = rootn(-more, 3);
    row[i++] = atan2(y, more);
    row[i++] = atan2pi(y, more);
    row[i++] = hypot(more, y);
    row[i++] = mad(x, y, 16.0f);
    row[i++] = native_sin(part) + native_cos(part) + native_tan(part);
    row[i++] = native_exp(x) + native_exp2(x) + native_exp10(part);
    row[i++] = native_log(more) + native_log2(more) + native_log10(more);
    row[i++] = native_sqrt(more) + native_rsqrt(more) + native_recip(more);
    row[i++] = native_divide(x, more) + native_powr(more, y);
    row[i++] = half_sin(part) + half_cos(part) + half_divide(x, more);
    float cosine;
    row[i++] = sincos(x, &cosine);
    row[i++] = cosine;
}

kernel void math_vectors(global float *out, global const float *in, uint n) {
    global float *row = ROW_OF(out);
    float16 x = vload16(0, INPUT_OF(in));
    float4 more = 1 + fabs(x.lo.lo);
    float4 cosine;
    vstore16(sin(x), 0, row);
    vstore8(exp(x.hi), 2, row);
    vstore3(atan2(x.s012, x.s345), 8, row);
    vstore2(pow(more.xy, x.s45), 14, row);
    vstore4(pown(more, (int4)(1, 2, 3, -1)), 8, row);
    vstore4(rootn(more, (int4)(1, 2, 3, 4)), 9, row);
    vstore4(rsqrt(more), 10, row);
    vstore4(native_log(more), 11, row);
    vstore4(sincos(x.s4567, &cosine), 12, row);
    vstore4(cosine, 13, row);
    vstore4(half_sqrt(more), 14, row);
    vstore4(log2(more + 1), 15, row);
}

kernel void math_doubles(global float *out, global const float *in, uint n) {
    global float *row = ROW_OF(out);
    double4 x = convert_double4(vload4(0, INPUT_OF(in))), more = 1 + fabs(x), rest;
    int4 exponent;
    vstore4(convert_float4(sin(x)), 0, row);
    vstore4(convert_float4(exp(x)), 1, row);
    vstore4(convert_float4(pow(more, x)), 2, row);
    vstore4(convert_float4(log(more + 1)), 3, row);
    vstore4(convert_float4(rsqrt(more)), 4, row);
    vstore4(convert_float4(fma(x, x, more)), 5, row);
    vstore4(convert_float4(modf(x, &rest)), 6, row);
    vstore4(convert_float4(rest), 7, row);
    vstore4(convert_float4(frexp(more, &exponent)), 8, row);
    vstore4(convert_float4(exponent), 9, row);
    vstore4(convert_float4(clamp(x, -1.0, 1.0)), 10, row);
    vstore4(convert_float4(mix(x, more, 0.25)), 11, row);
    vstore4(convert_float4(normalize(more)), 12, row);
    row[52] = dot(x, more);
    row[53] = length(more);
    row[54] = distance(x, more);
    row[55] = sqrt(more.x);
}

kernel void exact_math(global float *out, global const float *in, uint n) {
    global float *row = ROW_OF(out);
    float x = INPUT_OF(in)[0], y = INPUT_OF(in)[1], z = INPUT_OF(in)[2];
    float first, whole;
    int exponent;
    int i = 0;
    row[i++] = fabs(x);
    row[i++] = floor(x);
    row[i++] = ceil(x);
    row[i++] = trunc(x);
    row[i++] = rint(x);
    row[i++] = round(x);
    row[i++] = fmod(x, 1.5f);
    row[i++] = remainder(x, 1.5f);
    row[i++] = fmin(x, y);
    row[i++] = fmax(x, y);
    row[i++] = fmin(x, NAN);
    row[i++] = fma(x, y, z);
    row[i++] = mad(x, y, z);
    row[i++] = fdim(x, y);
    row[i++] = copysign(x, y);
    row[i++] = ldexp(x, 3);
    row[i++] = nextafter(x, 9.0f);
    row[i++] = maxmag(x, y);
    row[i++] = minmag(x, y);
    row[i++] = logb(fabs(x) + 1);
    row[i++] = ilogb(fabs(x) + 1);
    row[i++] = fract(x, &whole);
    row[i++] = whole;
    row[i++] = modf(x, &whole);
    row[i++] = whole;
    row[i++] = frexp(x, &exponent);
    row[i++] = exponent;
    row[i++] = frexp(0.0f, &exponent);
    row[i++] = exponent;
    row[i++] = min(x, y);
    row[i++] = max(x, y);
    row[i++] = clamp(x, -1.0f, 1.0f);
    row[i++] = mix(x, y, 0.5f);
    row[i++] = step(x, y);
    row[i++] = smoothstep(-4.0f, 4.0f, x);
    row[i++] = sign(x);
    row[i++] = sign(-0.0f);
    row[i++] = sign(NAN);
    row[i++] = sqrt(x * x);
    row[i++] = isnan(nan(1u));
    vstore4(min(vload4(0, INPUT_OF(in)), 0.5f), 10, row);
    vstore4(clamp(vload4(0, INPUT_OF(in)), -0.5f, 0.5f), 11, row);
    vstore4(mix(vload4(0, INPUT_OF(in)), vload4(1, INPUT_OF(in)), 0.25f), 12, row);
    vstore4(step(0.0f, vload4(0, INPUT_OF(in))), 13, row);
    vstore4(sign(vload4(0, INPUT_OF(in))), 14, row);
    vstore4(fmax(vload4(0, INPUT_OF(in)), 0.25f), 15, row);
}

kernel void integers(global int *out, global const int *in, uint n) {
    global int *row = ROW_OF(out);
    int x = INPUT_OF(in)[0], y = INPUT_OF(in)[1];
    uint u = x, v = y;
    char c = x, e = y;
    ushort s = x, t = y;
    long l = (long)x << 32 | v, m = (long)y << 32 | u;
    int i = 0;
    row[i++] = abs(x);
    row[i++] = abs(c);
    row[i++] = abs_diff(x, y);
    row[i++] = abs_diff(c, e);
    row[i++] = abs_diff(s, t);
    row[i++] = add_sat(x, y);
    row[i++] = add_sat(c, e);
    row[i++] = add_sat(u, v);
    row[i++] = add_sat(l, m) >> 32;
    row[i++] = sub_sat(x, y);
    row[i++] = sub_sat(c, e);
    row[i++] = sub_sat(s, t);
    row[i++] = sub_sat(u, v);
    row[i++] = hadd(x, y);
    row[i++] = hadd(u, v);
    row[i++] = rhadd(x, y);
    row[i++] = rhadd(c, e);
    row[i++] = mul_hi(x, y);
    row[i++] = mul_hi(u, v);
    row[i++] = mul_hi(c, e);
    row[i++] = mul_hi(s, t);
    row[i++] = mul_hi(l, m);
    row[i++] = mul_hi((ulong)l, (ulong)m);
    row[i++] = mad_hi(x, y, 5);
    row[i++] = rotate(x, 5);
    row[i++] = rotate(u, 33u);
    row[i++] = rotate(c, (char)3);
    row[i++] = rotate(s, (ushort)0);
    row[i++] = rotate(l, 40L);
    row[i++] = popcount(x);
    row[i++] = popcount(c);
    row[i++] = popcount(l);
    row[i++] = clz(x);
    row[i++] = clz(0);
    row[i++] = clz(s);
    row[i++] = clz((char)1);
    row[i++] = clz(m);
    row[i++] = mul24(x >> 8, y >> 24);
    row[i++] = mad24(x >> 8, y >> 24, x);
    row[i++] = min(x, y);
    row[i++] = max(x, y);
    row[i++] = min(u, v);
    row[i++] = max(c, e);
    row[i++] = clamp(x, -9, 9);
    row[i++] = clamp(s, (ushort)3, (ushort)5);
    row[i++] = bitselect(x, y, 0xff00);
    row[i++] = select(x, y, u & 1);
    row[i++] = select(c, e, (char)(x & 1));
}

kernel void integer_vectors(global int *out, global const int *in, uint n) {
    global int *row = ROW_OF(out);
    int4 x = vload4(0, INPUT_OF(in)), y = vload4(1, INPUT_OF(in));
    uint4 u = as_uint4(x), v = as_uint4(y);
    char16 c = as_char16(x), e = as_char16(y);
    vstore4(as_int4(abs(x)), 0, row);
    vstore4(as_int4(add_sat(c, e)), 1, row);
    vstore4(as_int4(sub_sat(c, e)), 2, row);
    vstore4(as_int4(mul_hi(u, v)), 3, row);
    vstore4(rotate(x, y), 4, row);
    vstore4(popcount(x) + clz(y), 5, row);
    vstore4(as_int4(popcount(c)), 6, row);
    vstore4(min(x, y), 7, row);
    vstore4(max(x, 7), 8, row);
    vstore4(clamp(x, -9, 9), 9, row);
    vstore4(as_int4(abs_diff(x, y)), 10, row);
    vstore4(hadd(x, y) ^ rhadd(x, y), 11, row);
    vstore4(as_int4(max(c, e)), 12, row);
    vstore3(mul24(x.xyz >> 24, y.xyz >> 24), 13, row);
    vstore2(mad24(x.xy >> 24, y.xy >> 24, x.zw), 26, row);
    vstore4(select(x, y, y > x), 14, row);
    vstore4(bitselect(x, y, (int4)(0xf0f0f0f0)), 15, row);
}

constant float table[8] = {1, 2, 3, 4, 5, 6, 7, 8};

kernel void loads(global float *out, global const float *in, uint n) {
    global float *row = ROW_OF(out);
    global const float *input = INPUT_OF(in);
    local float shared[16];
    float own[8];
    for (int i = 0; i < 8; i++)
        own[i] = input[i] * i;
    vstore2(vload2(1, input + 1), 0, row);
    vstore3(vload3(2, input), 1, row);
    vstore4(vload4(1, input + 3), 2, row);
    vstore8(vload8(0, input + 5), 2, row);
    vstore16(vload16(0, input), 2, row);
    vstore4(vload4(1, table), 12, row);
    vstore4(vload4(0, own + 1), 13, row);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        vstore4(vload4(3, in), 2, shared);
    barrier(CLK_LOCAL_MEM_FENCE);
    vstore4(vload4(2, shared), 14, row);
    vstore4(convert_float4(vload4(1, (global const uchar *)input)), 15, row);
    row[6] = vload2(3, (global const short *)input).y;
    row[7] = vload2(1, (global const uint *)input).x >> 24;
}

kernel void halves(global float *out, global const float *in, uint n) {
    global float *row = ROW_OF(out);
    global const half *bits = (global const half *)INPUT_OF(in);
    float x = INPUT_OF(in)[0];
    for (int i = 0; i < 8; i++)
        row[i] = 0;
    vstore_half(x / 3, 0, (global half *)row);
    vstore_half(x * 1e6f, 1, (global half *)row);
    vstore_half(x * 1e-6f, 2, (global half *)row);
    vstore_half(x * 1e-9f, 3, (global half *)row);
    vstore_half(INFINITY, 4, (global half *)row);
    vstore_half4(vload4(0, INPUT_OF(in)) / 7, 2, (global half *)row);
    for (int i = 0; i < 12; i++)
        row[8 + i] = vload_half(i, (global const half *)row);
    vstore4(vload_half4(2, (global const half *)row), 5, row);
    vstore2(vload_half2(1, bits + 2), 12, row);
    vstore_half8(vload8(1, INPUT_OF(in)), 4, (global half *)row);
}

kernel void conversions(global int *out, global const float *in, uint n) {
    global int *row = ROW_OF(out);
    float x = INPUT_OF(in)[0];
    float4 v = vload4(0, INPUT_OF(in));
    int i = 0;
    row[i++] = convert_int(x);
    row[i++] = convert_int_rte(x);
    row[i++] = convert_int_rtz(x);
    row[i++] = convert_int_rtp(x);
    row[i++] = convert_int_rtn(x);
    row[i++] = convert_uchar_sat(x);
    row[i++] = convert_uchar_sat(x * 100);
    row[i++] = convert_char_sat(x * 100);
    row[i++] = convert_uchar_sat_rte(x * 10);
    row[i++] = convert_int_sat(x * 1e9f);
    row[i++] = convert_uint_sat(x * 2e9f);
    row[i++] = convert_long_sat(x * 5e18f) >> 32;
    row[i++] = convert_ulong_sat(x * 1e19f) >> 32;
    row[i++] = convert_int_sat((double)x * 1e9);
    row[i++] = convert_short_sat(convert_int(x * 20000));
    row[i++] = convert_uint_sat(convert_long(x * 1e10f));
    row[i++] = convert_char(convert_int(x * 100));
    row[i++] = convert_ushort_sat(-5);
    row[i++] = as_int(convert_float(convert_int(x * 1e9f) | 1));
    row[i++] = as_int(convert_float(ULONG_MAX));
    row[i++] = convert_double(x) * 16;
    row[i++] = convert_uchar(convert_long(3));
    vstore4(convert_int4(v), 6, row);
    vstore4(convert_int4_rte(v), 7, row);
    vstore4(convert_int4_rtp(v), 8, row);
    vstore4(convert_int4_rtn(v), 9, row);
    vstore4(convert_int4(convert_uchar4_sat(v * 100)), 10, row);
    vstore4(convert_int4(convert_char4_sat(convert_int4(v * 100))), 11, row);
    vstore4(convert_int4(convert_uchar4_sat_rte(v * 10)), 12, row);
    vstore4(convert_int4_sat(v * 1e9f), 13, row);
    vstore4(as_int4(convert_float4(convert_uint4_sat(v * 1e9f) | 1)), 14, row);
    vstore3(convert_int3(convert_short3(v.xyz)), 20, row);
    row[63] = convert_int2(convert_double2(v.zw)).y;
}

kernel void relational(global int *out, global const float *in, uint n) {
    global int *row = ROW_OF(out);
    float x = INPUT_OF(in)[0], y = INPUT_OF(in)[1];
    float4 v = vload4(0, INPUT_OF(in)), w = vload4(1, INPUT_OF(in));
    float4 odd = (float4)(NAN, INFINITY, 1e-40f, -0.0f);
    double2 d = convert_double2(v.xy), e = convert_double2(w.xy);
    int i = 0;
    row[i++] = isequal(x, y);
    row[i++] = isnotequal(x, y);
    row[i++] = isgreater(x, y);
    row[i++] = isgreaterequal(x, y);
    row[i++] = isless(x, y);
    row[i++] = islessequal(x, y);
    row[i++] = islessgreater(x, y);
    row[i++] = isordered(x, NAN);
    row[i++] = isunordered(x, NAN);
    row[i++] = isnan(x) + 2 * isinf(x) + 4 * isfinite(x);
    row[i++] = isnormal(x);
    row[i++] = signbit(x);
    row[i++] = any(v < w) + 2 * all(v < w);
    row[i++] = any(-1) + 2 * all(1);
    row[i++] = as_int(select(x, y, x < y));
    row[i++] = as_int(bitselect(x, y, 1.0f));
    vstore4(isless(v, w), 4, row);
    vstore4(isequal(v, w) | isgreater(v, w), 5, row);
    vstore4(isnan(odd), 6, row);
    vstore4(isinf(odd), 7, row);
    vstore4(isfinite(odd), 8, row);
    vstore4(isnormal(odd), 9, row);
    vstore4(signbit(odd), 10, row);
    vstore4(isordered(odd, v), 11, row);
    vstore4(as_int4(select(v, w, v < w)), 12, row);
    vstore4(as_int4(isless(d, e)), 13, row);
    vstore4(as_int4(select(d, e, d < e)), 14, row);
    vstore4(as_int4(bitselect(v, w, odd)), 15, row);
}

kernel void geometric(global float *out, global const float *in, uint n) {
    global float *row = ROW_OF(out);
    float4 v = vload4(0, INPUT_OF(in)) + 5, w = vload4(1, INPUT_OF(in)) + 5;
    vstore4(normalize(v), 0, row);
    vstore4(fast_normalize(v), 1, row);
    vstore4(cross(v, w), 2, row);
    vstore3(cross(v.xyz, w.xyz), 4, row);
    row[15] = dot(v, w);
    row[16] = dot(v.xyz, w.xyz);
    row[17] = dot(v.xy, w.xy);
    row[18] = dot(v.x, w.x);
    row[19] = length(v);
    row[20] = length(v.xyz);
    row[21] = distance(v, w + 20);
    row[22] = fast_length(v.xy);
    row[23] = fast_distance(v.xy, w.xy + 20);
    row[24] = degrees(v.x);
    row[25] = radians(v.x);
    vstore4(degrees(v), 7, row);
    vstore4(smoothstep(0.0f, 10.0f, v), 8, row);
    vstore3(normalize((float3)(0)), 12, row);
}

kernel void atomics(global int *out, global const int *in, uint n) {
    global int *row = ROW_OF(out);
    volatile global uint *unsigned_row = (volatile global uint *)row;
    volatile global float *real_row = (volatile global float *)row;
    int x = INPUT_OF(in)[0], y = INPUT_OF(in)[1];
    local int sum;
    local uint most;
    for (int i = 0; i < 16; i++)
        row[i] = x;
    row[16] = atomic_add(row, y);
    row[17] = atomic_sub(row + 1, y);
    row[18] = atomic_xchg(row + 2, y);
    row[19] = atomic_inc(row + 3);
    row[20] = atomic_dec(row + 4);
    row[21] = atomic_cmpxchg(row + 5, x, y);
    row[22] = atomic_cmpxchg(row + 6, ~x, y);
    row[23] = atomic_min(row + 7, y);
    row[24] = atomic_max(row + 8, y);
    row[25] = atomic_and(row + 9, y);
    row[26] = atomic_or(row + 10, y);
    row[27] = atomic_xor(row + 11, y);
    row[28] = atomic_min(unsigned_row + 12, (uint)y);
    row[29] = atomic_max(unsigned_row + 13, (uint)y);
    row[30] = as_int(atomic_xchg(real_row + 14, 1.5f));
    row[31] = atom_add(row + 15, 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        sum = 0;
        most = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sum, x);
    atomic_max(&most, (uint)y);
    barrier(CLK_LOCAL_MEM_FENCE);
    row[32] = sum;
    row[33] = most;
}

// Halves that are rounded in one direction, also of doubles, and three of them aligned.
kernel void directed_halves(global float *out, global const float *in, uint n) {
    global float *row = ROW_OF(out);
    ushort2 bits;
    private half *room = (private half *)&bits;
    for (int i = 0; i < 8; i++) {
        float x = (INPUT_OF(in)[i] - 48) * 0.0123456f;
        double wide = x * (1 + 0x1p-40);
        vstore_half_rte(x, 0, room);
        row[i] = vload_half(0, room);
        vstore_half_rtz(x, 0, room);
        row[8 + i] = vload_half(0, room);
        vstore_half2_rtp((float2)(x, -x), 0, room);
        row[16 + i] = vload_half(0, room);
        row[24 + i] = vload_half(1, room);
        vstore_half2_rtn((double2)(wide, -wide), 0, room);
        row[32 + i] = vload_half(0, room);
        row[40 + i] = vload_half(1, room);
    }
    global half *halves = (global half *)(row + 48);
    vstorea_half3_rtz((float3)(in[0], 1.0f / 3, -70000), 1, halves);
    float3 three = vloada_half3(1, halves);
    row[51] = three.x + three.y + three.z;
    vstore_half3_rte((double3)(65519, 65520, 0x1p-25), 0, halves);
}

// Those with a second result. In C the first is the same; the device's differ in their
// last bits.
kernel void second_results(global float *out, global const float *in, uint n) {
    global float *row = ROW_OF(out);
    for (int i = 0; i < 8; i++) {
        float x = (INPUT_OF(in)[i] - 48) * 0.37f;
        float y = (INPUT_OF(in)[i + 1] - 50.5f) * 0.11f;
        int bits, sign;
        row[i] = remquo(x, y, &bits);
        row[8 + i] = bits;
        row[16 + i] = lgamma_r(x + 40, &sign);
        row[24 + i] = sign;
        lgamma_r(x / 4 + 0.01f, &sign);
        row[32 + i] = sign;
        row[40 + i] = sincos((int)x, row + 48 + i);
    }
}

kernel void copies(global float *out, global const float *in, uint n) {
    local float tile[32];
    local float4 tile4[4];
    size_t first = get_group_id(0) * get_local_size(0);
    event_t copied = async_work_group_copy(tile, in + 16 * first, 16, 0);
    copied = async_work_group_strided_copy(tile + 16, in + 16 * first, 8, 2, copied);
    global const float4 *in4 = (global const float4 *)in;
    copied = async_work_group_copy(tile4, in4 + 4 * first, 4, copied);
    wait_group_events(1, &copied);
    prefetch(in, 16);
    global float *row = ROW_OF(out);
    for (int i = 0; i < 24; i++)
        row[i] = tile[i] * (get_local_id(0) + 1);
    vstore4(tile4[3], 6, row);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    copied = async_work_group_strided_copy(out + 64 * first + 32, tile, 16, 2, 0);
    wait_group_events(1, &copied);
}

// The one thing that differs between a device and the lens: what the file is called. It
// shows that differences are noticed.
kernel void file_name(global int *out) {
    out[get_global_id(0)] = sizeof(__FILE__);
}
