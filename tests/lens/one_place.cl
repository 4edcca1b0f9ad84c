// Several branches at one place of the source: all that a macro stands for is where the
// macro is.  The first diverges in each warp; the second goes round 8 times for lanes
// that remain, and never diverges.
#define SOME_LANES_AGAIN(condition, i, rounds)                                         \
    if (condition)                                                                     \
        for (uint i = 0; i < rounds; i++)

kernel void one_place(global uint *out, uint n) {
    const uint id = get_global_id(0);
    uint sum = id;
    SOME_LANES_AGAIN(id % 2 == 0, i, 8 * n) {
        sum = sum * 3 ^ i;
    }
    out[id] = sum;
}
