/* For the page of --html: kernels that the others do not stand for. */

/* With one item and n = 5,000,000 ten million steps: a store and a branch each round. */
kernel void long_loop(global volatile uint *out, uint n) {
    for (uint i = 0; i < n; i++)
        out[i & 7] = i;
}

/* Only group 2 of 4 has an access that is worse than its ideal: 32 lanes, 32 sectors. */
kernel void one_bad_group(global const float *in, global float *out) {
    const uint i = get_global_id(0), lane = get_local_id(0);
    out[i] = in[get_group_id(0) == 2 ? 8 * lane : lane];
}
