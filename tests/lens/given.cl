// Arguments that are given in a call without a program.

typedef struct {
    int x;
    uchar2 c[2];
} inner;
typedef struct {
    int n;
    float factor;
    inner in[2];
    float3 v;
    union {
        float f;
        int i;
    } u;
    half h;
    ulong big;
    char letters[3];
} outer;
struct pair {
    short a, b;
};
enum mode { ONE, TWO };

kernel void first_members(global float *out, outer by) {
    out[0] = by.n, out[1] = by.factor;
    out[2] = by.in[0].x, out[3] = by.in[0].c[0].y, out[4] = by.in[0].c[1].x;
    out[5] = by.in[1].x, out[6] = by.in[1].c[1].y, out[7] = by.v.x;
}
kernel void other_members(global float *out, outer by, struct pair p, enum mode m) {
    out[0] = by.v.z, out[1] = by.u.f, out[2] = vload_half(0, &by.h), out[3] = by.big;
    out[4] = by.letters[2], out[5] = p.a, out[6] = p.b, out[7] = m;
}

struct shape {
    int n;
    float factor;
};
kernel void scale(global float *x, struct shape by) {
    int i = get_global_id(0);
    if (i < by.n)
        x[i] *= by.factor;
}

// As libraries do it: bytes, which are floats.
kernel void sum4(global const void *raw, global float *out) {
    int i = get_global_id(0);
    float4 four = ((global const float4 *)raw)[i];
    out[i] = four.x + four.y + four.z + four.w;
}
kernel void double_bytes(global uchar *raw) {
    ((global float *)raw)[get_global_id(0)] *= 2;
}

kernel void perhaps(global int *a, global int *b) {
    if (a)
        a[0] = 1;
    else
        b[0] = 2;
}
