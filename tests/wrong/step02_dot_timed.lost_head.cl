/* Wrong on purpose: the first element is forgotten. */
kernel void dot_timed(global const float *x, global const float *y, global float *sum,
                      uint n) {
    float total = 0.0f;
    for (uint i = 1; i < n; i++)
        total += x[i] * y[i];
    *sum = total;
}
