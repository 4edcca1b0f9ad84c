// right   1 1 1 7 0 0 0 0
// faulty  PoCL 7.1
//
// The number of a dimension need not be a constant.  Of this kernel, these drivers leave
// nothing at all, when they have unrolled the loop.  The same with get_group_id() and
// get_global_offset(); without optimization they are right.
kernel void shows(global int *out) {
    for (uint d = 0; d < 3; d++)
        out[d] = get_num_groups(d);
    out[3] = 7;
}
