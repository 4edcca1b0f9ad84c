/* Wrong on purpose: the last element is forgotten. */
kernel void dot_single(global const float *x, global const float *y, global float *sum,
                       uint n) {
    float total = 0.0f;
    for (uint i = 0; i + 1 < n; i++)
        total += x[i] * y[i];
    *sum = total;
}
