/* Step 11c: a device uses words that the host has written.
 *
 * It adds them up, so every word counts, and sums of whole numbers wrap around in the
 * same way on every device and in every order. */

/* A work-item takes a chunk of neighbouring words, then the one that is `items` chunks
 * further on, and so on:
 *
 *     chunk 1, as a GPU likes it     item  0 1 2 3 0 1 2 3 0 1 2 3
 *     chunk 3, as a CPU likes it     item  0 0 0 1 1 1 2 2 2 3 3 3
 *
 * The first use stores its sum, and every later use adds the same sum once more, so a
 * use that is missing shows. */
kernel void zero_copy(global const uint *words, global uint *sums, uint n, uint chunk,
                      uint again) {
    const uint item = get_global_id(0), items = get_global_size(0);
    uint sum = 0;
    for (uint first = item * chunk; first < n; first += items * chunk)
        for (uint i = first; i < min(first + chunk, n); i++)
            sum += words[i];
    sums[item] = again ? sums[item] + sum : sum;
}

/* Does the device see the words at the address that the host knows?  Then they are the
 * host's, and no copy of them. */
kernel void sees_address(global const uint *words, global const ulong *address,
                         global uint *same) {
    same[0] = (ulong)(uintptr_t)words == address[0];
}

// lens: zero_copy(words[n], sums[items], n=65536, chunk=16, again=0) --global 4096 --local 32
// lens: sees_address(words[1], address[1], same[1]) --global 1
