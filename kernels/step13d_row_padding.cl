/* Step 13d: a small matrix times many vectors.
 *
 * Vector v has `columns` numbers in x, and becomes `rows` numbers of y.  Each is the
 * dot product of the vector and a row of the matrix, and a work-item makes one of them:
 * work-item (row, v).  Row r of the matrix begins at r * pitch.  So `pitch` is at least
 * `columns`, and the numbers from the end of a row to the next row are never read.
 *
 *     columns = 4, pitch = 5    0 1 2 3 .
 *                               4 5 6 7 .
 *                               8 9 a b .
 */

/* Each lane walks along a row of its own. */
kernel void multiply_rows(global const float *restrict matrix,
                          global const float *restrict x, global float *restrict y,
                          uint rows, uint columns, uint pitch) {
    const uint row = get_global_id(0), vector = get_global_id(1);
    if (row >= rows)
        return;

    float sum = 0.0f;
    for (uint k = 0; k < columns; k++)
        sum += matrix[row * pitch + k] * x[vector * columns + k];
    y[vector * rows + row] = sum;
}

/* The same with four numbers in each load: `columns` and `pitch` are multiples of 4. */
kernel void multiply_rows_float4(global const float4 *restrict matrix,
                                 global const float4 *restrict x,
                                 global float *restrict y, uint rows, uint columns,
                                 uint pitch) {
    const uint row = get_global_id(0), vector = get_global_id(1);
    if (row >= rows)
        return;

    float sum = 0.0f;
    for (uint k = 0; k < columns / 4; k++)
        sum += dot(matrix[row * (pitch / 4) + k], x[vector * (columns / 4) + k]);
    y[vector * rows + row] = sum;
}

/* Without any padding: each lane begins one column further to the right than its
 * neighbour, and goes back to the first column after the last. */
kernel void multiply_rotated(global const float *restrict matrix,
                             global const float *restrict x, global float *restrict y,
                             uint rows, uint columns, uint pitch) {
    const uint row = get_global_id(0), vector = get_global_id(1);
    if (row >= rows)
        return;

    float sum = 0.0f;
    /* exercise { */
    uint column = row % columns;
    for (uint k = 0; k < columns; k++) {
        sum += matrix[row * pitch + column] * x[vector * columns + column];
        column = column + 1 < columns ? column + 1 : 0;
    }
    /* } exercise */
    y[vector * rows + row] = sum;
}

/* The control: the matrix is transposed, so that neighbouring lanes read neighbouring
 * numbers.  `pitch` is now from one column of the matrix to the next. */
kernel void multiply_transposed(global const float *restrict matrix,
                                global const float *restrict x,
                                global float *restrict y, uint rows, uint columns,
                                uint pitch) {
    const uint row = get_global_id(0), vector = get_global_id(1);
    if (row >= rows)
        return;

    float sum = 0.0f;
    for (uint k = 0; k < columns; k++)
        sum += matrix[k * pitch + row] * x[vector * columns + k];
    y[vector * rows + row] = sum;
}

// lens: multiply_rows(matrix[rows * pitch], x[32 * columns], y[32 * rows], rows=64, columns=64, pitch=64) --global 64,32 --local 64,1
// lens: multiply_rows_float4(matrix[rows * pitch / 4], x[8 * columns], y[32 * rows], rows=64, columns=64, pitch=64) --global 64,32 --local 64,1
// lens: multiply_rotated(matrix[rows * pitch], x[32 * columns], y[32 * rows], rows=64, columns=64, pitch=64) --global 64,32 --local 64,1
// lens: multiply_transposed(matrix[columns * pitch], x[32 * columns], y[32 * rows], rows=64, columns=64, pitch=64) --global 64,32 --local 64,1
