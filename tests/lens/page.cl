/* For the page of --html: kernels that the others do not stand for. */

/* With one item and n = 5,000,000 ten million steps: in each round a store and a
 * branch. */
kernel void long_loop(global volatile uint *out, uint n) {
    for (uint i = 0; i < n; i++)
        out[i & 7] = i;
}

/* Only group 2 of 4 has an access that is worse than its ideal: 32 lanes, 32
 * sectors. */
kernel void one_bad_group(global const float *in, global float *out) {
    const uint i = get_global_id(0), lane = get_local_id(0);
    out[i] = in[get_group_id(0) == 2 ? 8 * lane : lane];
}

/* A name and arguments that are wider than a telephone. */
kernel void wider_than_a_telephone_is_even_if_it_is_turned_on_its_side(
    global float *x, uint the_first_of_several_numbers,
    uint the_second_of_several_numbers) {
    const uint i = get_global_id(0);
    x[i] += the_first_of_several_numbers * the_second_of_several_numbers;
}

/* What i begins with is computed where the loop is entered, though it stands above the
 * loop; and 32 lanes read 32 sectors. */
kernel void chunks(global const float *x, global float *sums, uint rounds) {
    float sum = 0.0f;
    uint i = get_global_id(0) * rounds;
    for (uint round = 0; round < rounds; round++, i++)
        sum += x[i];
    sums[get_global_id(0)] = sum;
}
