/* Wrong on purpose: takes the word of its neighbour, who may have gone on with it. */
/* Step 11: what the device does with each batch: a chain of launches, link by link.
 *
 * A word goes through `rounds` steps of a generator of random numbers:
 *
 *     word    ->  word * 1664525 + add  ->  ...
 *
 * No round can begin before the last has ended, and every device finds the same words:
 * whole numbers wrap around everywhere alike (Numerical Recipes, section 7.1). */

/* x and y may be the same words: nobody looks at another's. */
kernel void timeline_gaps(global const uint *x, global uint *y, uint n, uint rounds,
                          uint link) {
    const uint items = get_global_size(0), add = 2 * link + 1;
    for (uint i = get_global_id(0); i < n; i += items) {
        uint word = x[i + 1 < n ? i + 1 : i];
        for (uint round = 0; round < rounds; round++)
            word = word * 1664525u + add;
        y[i] = word;
    }
}
