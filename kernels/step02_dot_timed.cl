/* Step 02: the kernel of step 01, unchanged; this step looks at the clocks. */
kernel void dot_timed(global const float *x, global const float *y, global float *sum,
                      uint n) {
    float total = 0.0f;
    for (uint i = 0; i < n; i++)
        total += x[i] * y[i];
    *sum = total;
}

// lens: dot_timed(x[n], y[n], sum[1], n=4096) --global 1
