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
