// The test removes the places of the load, the store and the end of the block.
kernel void no_place(global const float *x, global float *out, uint n) {
    const uint i = get_global_id(0);
    if (i < n)
        out[i] = x[i];
}
