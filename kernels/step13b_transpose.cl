/* Step 13b: a matrix is transposed, so that row y of `in` becomes column y of `out`.
 *
 *     in   0 1 2 3      out  0 4 8 c
 *          4 5 6 7           1 5 9 d
 *          8 9 a b           2 6 a e
 *          c d e f           3 7 b f
 *
 * A row has `pitch` elements, and there are as many rows.  `pitch` is a multiple of 64,
 * so that blocks of 32 x 32 and of 64 x 64 elements fit without a rest. */

#define BLOCK 32

/* The bound: the same bytes, and each element keeps its place. */
kernel void transpose_copy(global const float4 *restrict in,
                           global float4 *restrict out) {
    out[get_global_id(0)] = in[get_global_id(0)];
}

/* A work-item for each element.  Lanes in a row read neighbouring elements, but write
 * elements that lie `pitch` apart.  Groups that are wider than 64 may reach beyond the
 * last column.  No group reaches beyond the last row: their heights divide 64. */
kernel void transpose_rows(global const float *restrict in, global float *restrict out,
                           uint pitch) {
    const uint x = get_global_id(0), y = get_global_id(1);
    if (x < pitch)
        out[x * pitch + y] = in[y * pitch + x];
}

/* A group reads rows of `in` into a block in local memory, and writes rows of `out`.
 * Only the block is read by columns; all elements of a column are in one bank. */
kernel void transpose_local(global const float *restrict in, global float *restrict out,
                            uint pitch) {
    local float block[BLOCK][BLOCK];
    const uint x = get_group_id(0) * BLOCK, y = get_group_id(1) * BLOCK;
    const uint lane = get_local_id(0), rows = get_local_size(1);
    for (uint row = get_local_id(1); row < BLOCK; row += rows)
        block[row][lane] = in[(y + row) * pitch + x + lane];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint row = get_local_id(1); row < BLOCK; row += rows)
        out[(x + row) * pitch + y + lane] = block[lane][row];
}

/* The same, but each row of the block has one element more, which is never used.  The
 * elements of a column are in 32 different banks. */
kernel void transpose_padded(global const float *restrict in,
                             global float *restrict out, uint pitch) {
    const uint x = get_group_id(0) * BLOCK, y = get_group_id(1) * BLOCK;
    const uint lane = get_local_id(0), rows = get_local_size(1);
    /* exercise { */
    local float block[BLOCK][BLOCK + 1];
    for (uint row = get_local_id(1); row < BLOCK; row += rows)
        block[row][lane] = in[(y + row) * pitch + x + lane];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint row = get_local_id(1); row < BLOCK; row += rows)
        out[(x + row) * pitch + y + lane] = block[lane][row];
    /* } exercise */
}

/* The control: the same loads, the same block and the same barrier, but each element
 * goes back to its place.  What transpose_padded takes longer than this is the price of
 * transposing. */
kernel void transpose_copy_local(global const float *restrict in,
                                 global float *restrict out, uint pitch) {
    local float block[BLOCK][BLOCK + 1];
    const uint x = get_group_id(0) * BLOCK, y = get_group_id(1) * BLOCK;
    const uint lane = get_local_id(0), rows = get_local_size(1);
    for (uint row = get_local_id(1); row < BLOCK; row += rows)
        block[row][lane] = in[(y + row) * pitch + x + lane];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint row = get_local_id(1); row < BLOCK; row += rows)
        out[(y + row) * pitch + x + lane] = block[row][lane];
}

/* As transpose_padded, but each work-item issues four loads before it stores the first
 * element.  A group has 1, 2, 4 or 8 rows, so four of its rows are never more than a
 * block has. */
kernel void transpose_padded_four(global const float *restrict in,
                                  global float *restrict out, uint pitch) {
    local float block[BLOCK][BLOCK + 1];
    const uint x = get_group_id(0) * BLOCK, y = get_group_id(1) * BLOCK;
    const uint lane = get_local_id(0), rows = get_local_size(1);
    for (uint row = get_local_id(1); row < BLOCK; row += 4 * rows) {
        global const float *from = in + (y + row) * pitch + x + lane;
        const float a = from[0];
        const float b = from[rows * pitch];
        const float c = from[2 * rows * pitch];
        const float d = from[3 * rows * pitch];
        block[row][lane] = a;
        block[row + rows][lane] = b;
        block[row + 2 * rows][lane] = c;
        block[row + 3 * rows][lane] = d;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint row = get_local_id(1); row < BLOCK; row += rows)
        out[(x + row) * pitch + y + lane] = block[lane][row];
}

/* A block of 64 x 64.  Each work-item transposes 4 x 4 of it in its registers, so that
 * all accesses move 16 bytes.  In row r of the block, the 4 elements that belong at
 * place j are kept at place j ^ (r / 4): a swizzle.  What lanes write together, or read
 * together, is then spread evenly over the banks, and the block needs no padding. */
#define PLACES 16 /* of 4 elements, in a row of the block */

kernel void transpose_quads(global const float4 *restrict in,
                            global float4 *restrict out, uint pitch) {
    local float4 block[4 * PLACES][PLACES];
    const uint row4 = pitch / 4, i = get_local_id(0);
    const uint x = get_group_id(0) * PLACES, y = get_group_id(1) * PLACES;

    for (uint j = get_local_id(1); j < PLACES; j += get_local_size(1)) {
        global const float4 *from = in + 4 * (y + j) * row4 + x + i;
        const float4 a = from[0];
        const float4 b = from[row4];
        const float4 c = from[2 * row4];
        const float4 d = from[3 * row4];
        block[4 * i][j ^ i] = (float4)(a.x, b.x, c.x, d.x);
        block[4 * i + 1][j ^ i] = (float4)(a.y, b.y, c.y, d.y);
        block[4 * i + 2][j ^ i] = (float4)(a.z, b.z, c.z, d.z);
        block[4 * i + 3][j ^ i] = (float4)(a.w, b.w, c.w, d.w);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = get_local_id(1); j < PLACES; j += get_local_size(1)) {
        global float4 *to = out + 4 * (x + j) * row4 + y + i;
        for (uint k = 0; k < 4; k++)
            to[k * row4] = block[4 * j + k][i ^ j];
    }
}

// lens: transpose_copy(in[items], out[items]) --global 4096 --local 256
// lens: transpose_rows(in[pitch * pitch], out[pitch * pitch], pitch=128) --global 128,128 --local 32,8
// lens: transpose_local(in[pitch * pitch], out[pitch * pitch], pitch=128) --global 128,32 --local 32,8
// lens: transpose_padded(in[pitch * pitch], out[pitch * pitch], pitch=128) --global 128,32 --local 32,8
// lens: transpose_copy_local(in[pitch * pitch], out[pitch * pitch], pitch=128) --global 128,32 --local 32,8
// lens: transpose_padded_four(in[pitch * pitch], out[pitch * pitch], pitch=128) --global 128,32 --local 32,8
// lens: transpose_quads(in[pitch * pitch / 4], out[pitch * pitch / 4], pitch=128) --global 32,32 --local 16,16
