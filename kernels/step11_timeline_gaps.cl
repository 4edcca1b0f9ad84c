/* Step 11: what the device does with each batch.
 *
 * A word is multiplied `rounds` times by the factor of a generator of pseudo-random
 * numbers (Numerical Recipes, section 7.1):
 *
 *     word    ->  word * 1664525  ->  ...
 *
 * So the rounds set how long a batch takes, and every word can be checked: products of
 * whole numbers wrap around in the same way on every device. */

/* A work-item takes every items-th word: a CPU has fewer work-items than words. */
kernel void timeline_gaps(global const uint *x, global uint *y, uint n, uint rounds) {
    const uint items = get_global_size(0);
    for (uint i = get_global_id(0); i < n; i += items) {
        uint word = x[i];
        for (uint round = 0; round < rounds; round++)
            word *= 1664525u;
        y[i] = word;
    }
}

// lens: timeline_gaps(x[n], y[n], n=4096, rounds=16) --global 4096 --local 256
