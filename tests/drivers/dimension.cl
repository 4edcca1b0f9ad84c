// right   1 1 1 7 0 0 0 0
// faulty  PoCL 6.0, PoCL 7.1
//
// The number of a dimension need not be a constant.  Of this kernel, PoCL 7.1 leaves nothing
// at all when it has unrolled the loop, and PoCL 6.0 cannot load what it has compiled
// (undefined symbol: _num_groups_y), which ends the program.
kernel void shows(global int *out) {
    for (uint d = 0; d < 3; d++)
        out[d] = get_num_groups(d);
    out[3] = 7;
}
