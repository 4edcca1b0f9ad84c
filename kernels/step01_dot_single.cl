/* Step 01: one work-item walks through both vectors. */
kernel void dot_single(global const float *x, global const float *y, global float *sum,
                       uint n) {
    /* exercise { */
    float total = 0.0f;
    for (uint i = 0; i < n; i++)
        total += x[i] * y[i];
    *sum = total;
    /* } exercise */
}

// lens: dot_single(x[n], y[n], sum[1], n=4096) --global 1
