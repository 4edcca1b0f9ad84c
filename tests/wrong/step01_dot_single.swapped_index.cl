/* Wrong on purpose: y is read from the far end. */
kernel void dot_single(global const float *x, global const float *y, global float *sum,
                       uint n) {
    float total = 0.0f;
    for (uint i = 0; i < n; i++)
        total += x[i] * y[n - 1 - i];
    *sum = total;
}
