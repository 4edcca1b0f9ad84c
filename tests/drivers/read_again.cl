// right   1 1 1 1 1 1 1 1
// faulty  PoCL 7.0, PoCL 7.1
//
// A work-item reads 1, and waits at a barrier.  Then others write 2, and what it has read is
// still 1.  These drivers do not keep it: they read again behind the barrier.
// https://github.com/pocl/pocl/pull/2269
kernel void shows(global int *out) {
    local int memory[64];
    const uint id = get_local_id(0);

    memory[id] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int read = memory[id / 32];
    barrier(CLK_LOCAL_MEM_FENCE);
    memory[id] = 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < 8)
        out[id] = read;
}
