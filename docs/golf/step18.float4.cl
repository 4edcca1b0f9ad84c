kernel void matmul_local(global const float *A, global const float *B, global float *C,
                         uint m, uint n, uint k) {
    local float4 a[TILE][TILE / 4];
    local float b[TILE][TILE];
    const uint x = get_local_id(0), y = get_local_id(1);
    const uint row = get_global_id(1), column = get_global_id(0);
    local float *own = (local float *)a[y] + x;
    float sum = 0.0f;
    for (uint slab = 0; slab < k; slab += TILE) {
        *own = row < m && slab + x < k ? A[row * k + slab + x] : 0.0f;
        b[y][x] = slab + y < k && column < n ? B[(slab + y) * n + column] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);

        /* Of a row of the square of A all work-items of a row read the same four. */
        for (uint i = 0; i < TILE / 4; i++) {
            const float4 four = a[y][i];
            sum += four.x * b[4 * i][x];
            sum += four.y * b[4 * i + 1][x];
            sum += four.z * b[4 * i + 2][x];
            sum += four.w * b[4 * i + 3][x];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < m && column < n)
        C[row * n + column] = sum;
}
