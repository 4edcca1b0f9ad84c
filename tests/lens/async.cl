/* Asynchronous copies: right ones, on which `lens --races` must be silent, and wrong
 * ones, which it must name.  What a device makes of the wrong ones is right by luck:
 * most copy at once. */

/* ======== Right. */

kernel void waits_then_reads(global const int *in, global int *out) {
    local int tile[64];
    const uint l = get_local_id(0), first = get_group_id(0) * 64;
    event_t copied = async_work_group_copy(tile, in + first, 64, 0);
    wait_group_events(1, &copied);
    out[first + l] = tile[63 - l];
}

/* Two copies share an event; a third one goes on beside what keeps off it. */
kernel void shares_an_event(global const int *in, global int *out) {
    local int tile[256];
    const uint l = get_local_id(0);
    event_t copied[2];
    copied[0] = async_work_group_copy(tile, in, 64, 0);
    copied[0] = async_work_group_strided_copy(tile + 64, in, 64, 2, copied[0]);
    copied[1] = async_work_group_copy(tile + 128, in, 64, 0);
    tile[192 + l] = in[l];
    wait_group_events(1, copied);
    const int sum = tile[l] + tile[64 + l];
    wait_group_events(1, copied + 1);
    out[l] = sum + tile[128 + l] + tile[192 + l];
}

/* In a loop the event is passed on after the wait, as many programs do; every second
 * element of `out` is the copy's, the others are the items'. */
kernel void copies_every_second(global const int *in, global int *out) {
    local int tile[64];
    const uint l = get_local_id(0);
    event_t copied = 0;
    for (uint round = 0; round < 2; round++) {
        tile[l] = in[l] + round;
        barrier(CLK_LOCAL_MEM_FENCE);
        copied = async_work_group_strided_copy(out + 128 * round, tile, 64, 2, copied);
        out[128 * round + 2 * l + 1] = 0;
        wait_group_events(1, &copied);
    }
}

/* ======== Wrong: a copy beside accesses of the items. */

kernel void reads_before_wait(global const int *in, global int *out) {
    local int tile[64];
    const uint l = get_local_id(0);
    event_t copied = async_work_group_copy(tile, in, 64, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = tile[l];
    wait_group_events(1, &copied);
}

/* The copy does not wait for what the items write: there is no barrier before it. */
kernel void copies_before_barrier(global const int *in, global int *out) {
    local int tile[64];
    const uint l = get_local_id(0);
    tile[l] = in[l];
    event_t copied = async_work_group_copy(out, tile, 64, 0);
    wait_group_events(1, &copied);
}

/* The copy still reads the tile. */
kernel void overwrites_source(global const int *in, global int *out) {
    local int tile[64];
    const uint l = get_local_id(0);
    tile[l] = in[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t copied = async_work_group_copy(out, tile, 64, 0);
    tile[l] = 0;
    wait_group_events(1, &copied);
}

kernel void strided_beside_writes(global const int *in, global int *out) {
    local int tile[64];
    const uint l = get_local_id(0);
    tile[l] = in[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t copied = async_work_group_strided_copy(out, tile, 32, 2, 0);
    out[2 * (l % 32)] = 1;
    wait_group_events(1, &copied);
}

kernel void two_copies_to_one_place(global const int *in, global int *out) {
    local int tile[64];
    event_t copied = async_work_group_copy(tile, in, 64, 0);
    copied = async_work_group_copy(tile + 32, in, 32, copied);
    wait_group_events(1, &copied);
    out[get_local_id(0)] = tile[get_local_id(0)];
}

kernel void waits_for_one_of_two(global const int *in, global int *out) {
    local int tile[128];
    const uint l = get_local_id(0);
    event_t copied[2];
    copied[0] = async_work_group_copy(tile, in, 64, 0);
    copied[1] = async_work_group_copy(tile + 64, in, 64, 0);
    wait_group_events(1, copied);
    out[l] = tile[l] + tile[l + 64];
}

kernel void groups_copy_to_one_place(global const int *in, global int *out) {
    local int tile[64];
    tile[get_local_id(0)] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t copied = async_work_group_copy(out, tile, 64, 0);
    wait_group_events(1, &copied);
}

/* ======== Wrong: calls that are not the group's, and events. */

kernel void some_items_copy(global const int *in, global int *out) {
    local int tile[64];
    const uint l = get_local_id(0);
    event_t copied = async_work_group_copy(tile, in, 32, 0);
    if (l < 48)
        copied = async_work_group_copy(tile + 32, in, 32, copied);
    wait_group_events(1, &copied);
    out[l] = tile[l];
}

kernel void each_item_copies_its_own(global const int *in, global int *out) {
    local int tile[64];
    const uint l = get_local_id(0);
    event_t copied = async_work_group_copy(tile + l, in + l, 1, 0);
    wait_group_events(1, &copied);
    out[l] = tile[l];
}

kernel void waits_for_different(global const int *in, global int *out) {
    local int tile[64];
    const uint l = get_local_id(0);
    event_t copied[2];
    copied[0] = async_work_group_copy(tile, in, 32, 0);
    copied[1] = async_work_group_copy(tile + 32, in, 32, 0);
    wait_group_events(1, copied + l / 32);
    out[l] = tile[l];
}

kernel void waits_for_no_copy(global const int *in, global int *out) {
    event_t copied = 0;
    wait_group_events(1, &copied);
    out[get_local_id(0)] = in[get_local_id(0)];
}

kernel void never_waits(global const int *in, global int *out) {
    local int tile[64];
    async_work_group_copy(tile, in, 64, 0);
    out[get_local_id(0)] = in[get_local_id(0)];
}

kernel void copies_past_end(global const int *in, global int *out) {
    local int tile[64];
    event_t copied = async_work_group_copy(tile, in, 65, 0);
    wait_group_events(1, &copied);
    out[get_local_id(0)] = tile[get_local_id(0)];
}
