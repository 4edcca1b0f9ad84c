kernel void transpose_padded(global const float *restrict in,
                             global float *restrict out, uint pitch) {
    const uint x = get_group_id(0) * BLOCK, y = get_group_id(1) * BLOCK;
    const uint items = get_local_size(0) * get_local_size(1);
    const uint first = get_local_id(1) * get_local_size(0) + get_local_id(0);
    local float block[BLOCK][BLOCK + 1];

    /* A work-item moves four neighbours: of a row of in, then of a row of out. */
    for (uint i = first; i < BLOCK * BLOCK / 4; i += items) {
        const uint row = i / (BLOCK / 4), column = i % (BLOCK / 4) * 4;
        const float4 four = vload4(0, in + (y + row) * pitch + x + column);
        block[row][column] = four.x;
        block[row][column + 1] = four.y;
        block[row][column + 2] = four.z;
        block[row][column + 3] = four.w;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = first; i < BLOCK * BLOCK / 4; i += items) {
        const uint row = i / (BLOCK / 4), column = i % (BLOCK / 4) * 4;
        const float4 four = (float4)(block[column][row], block[column + 1][row],
                                     block[column + 2][row], block[column + 3][row]);
        vstore4(four, 0, out + (x + row) * pitch + y + column);
    }
}
