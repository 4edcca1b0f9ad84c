/* Step 07d: the sum of every rectangle, from one table.
 *
 * An element of `table` is the sum of all pixels above it and to the left of it, and of
 * its own pixel.  Rows follow each other, and each has `width` elements.
 *
 *     image   3  1  2  2      table    3   4   6   8
 *             4  0  1  5               7   8  11  18
 *             1  2  0  3               8  11  14  24
 *
 * Sums are uint: they wrap around, and so do their differences. */
#include "simd.clh"

/* Functions that receive a pointer to local memory are inlined (step 06 says why). */
#define INLINE static inline __attribute__((always_inline))

/* ---- Diagonals: a launch for all tiles that do not need each other ---- */

/* A tile has SIDE x SIDE elements, and a group of SIDE work-items. */
enum { SIDE = 32 };

/* In local memory a tile has its neighbours' sums around it: the row above it is row 0,
 * and the column to the left of it is column 0.  Rows are `pitch` apart. */
INLINE void load_tile(global const uint *image, global const uint *table, uint2 corner,
                      uint width, uint height, local uint *tile, uint pitch) {
    const uint lane = get_local_id(0), x = corner.x + lane;
    for (uint y = 0; y < SIDE; y++) {
        const bool inside = x < width && corner.y + y < height;
        tile[(y + 1) * pitch + lane + 1] =
            inside ? image[(corner.y + y) * width + x] : 0;
    }

    const bool above = corner.y > 0, left = corner.x > 0;
    const uint row = corner.y + lane;
    tile[lane + 1] = above && x < width ? table[(corner.y - 1) * width + x] : 0;
    tile[(lane + 1) * pitch] =
        left && row < height ? table[row * width + corner.x - 1] : 0;
    if (lane == 0)
        tile[0] = above && left ? table[(corner.y - 1) * width + corner.x - 1] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* The first tile of the diagonal is the one at (right, top), in tiles; each further
 * group has the tile below it and to the left of it. */
INLINE uint2 corner_of_tile(uint right, uint top) {
    const uint i = get_group_id(0);
    return (uint2)(right - i, top + i) * SIDE;
}

/* In a tile the lanes work along diagonals, too: each has a row, and is one column
 * later than the lane above it.  In each diagonal all lanes use different banks. */
kernel void integral_image_lanes(global const uint *image, global uint *table,
                                 uint width, uint height, uint right, uint top) {
    enum { PITCH = SIDE + 2 };
    local uint tile[(SIDE + 1) * PITCH];
    const uint2 corner = corner_of_tile(right, top);
    const uint lane = get_local_id(0);
    load_tile(image, table, corner, width, height, tile, PITCH);

    for (uint round = 0; round < 2 * SIDE - 1; round++) {
        const uint x = round - lane; /* huge, before it is this lane's turn */
        if (x < SIDE) {
            local uint *left = &tile[(lane + 1) * PITCH + x];
            local uint *above = left - PITCH;
            left[1] += left[0] + above[1] - above[0];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (uint y = 0; y < SIDE; y++)
        if (corner.x + lane < width && corner.y + y < height)
            table[(corner.y + y) * width + corner.x + lane] =
                tile[(y + 1) * PITCH + lane + 1];
}

/* In a tile each lane adds up a row, and then a column.  What is to the left of its
 * row is the difference between two sums. */
kernel void integral_image_tiles(global const uint *image, global uint *table,
                                 uint width, uint height, uint right, uint top) {
    enum { PITCH = SIDE + 1 };
    local uint tile[(SIDE + 1) * PITCH];
    const uint2 corner = corner_of_tile(right, top);
    const uint lane = get_local_id(0), x = corner.x + lane;
    load_tile(image, table, corner, width, height, tile, PITCH);

    local uint *row = &tile[(lane + 1) * PITCH];
    uint sum = row[0] - tile[lane * PITCH];
    for (uint i = 1; i <= SIDE; i++)
        row[i] = sum += row[i];
    barrier(CLK_LOCAL_MEM_FENCE);

    sum = tile[lane + 1];
    for (uint y = 0; y < SIDE && corner.y + y < height; y++) {
        sum += tile[(y + 1) * PITCH + lane + 1];
        if (x < width)
            table[(corner.y + y) * width + x] = sum;
    }
}

/* ---- Rows, then columns: two launches ---- */

/* A work-item for each row: neighbouring lanes read elements that are a row apart. */
kernel void integral_image_row_each(global const uint *restrict image,
                                    global uint *restrict table, uint width,
                                    uint height) {
    const uint y = get_global_id(0);
    if (y >= height)
        return;
    uint sum = 0;
    for (uint x = 0; x < width; x++)
        table[y * width + x] = sum += image[y * width + x];
}

/* A work-item for each column: neighbouring lanes read neighbouring elements. */
kernel void integral_image_column_each(global uint *table, uint width, uint height) {
    const uint x = get_global_id(0);
    if (x >= width)
        return;
    uint sum = 0;
    for (uint y = 0; y < height; y++)
        table[y * width + x] = sum += table[y * width + x];
}

/* Of the stretch that a group adds up at once, a work-item has so many elements. */
enum { EACH_OF_ROW = 4, EACH_OF_COLUMN = 8 };

/* A group walks along its row.  Of each stretch, a SIMD group has neighbouring
 * elements, one row of its lanes after another, and finds their sums as in step 07b. */
kernel void integral_image_rows(global const uint *image, global uint *table,
                                uint width, local uint *slots) {
    SIMD_MEMORY;
    const uint row = get_group_id(0) * width, lanes = simd_lanes();
    const uint first = EACH_OF_ROW * simd_group() * simd_lanes_most() + simd_lane();
    uint before = 0; /* the sum of all earlier stretches */

    for (uint start = 0; start < width; start += EACH_OF_ROW * get_local_size(0)) {
        uint sums[EACH_OF_ROW], all = 0;
        for (uint i = 0; i < EACH_OF_ROW; i++) {
            const uint x = start + first + i * lanes;
            sums[i] = x < width ? image[row + x] : 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* slots are free; for PoCL 6, see step 07 */

        for (uint i = 0; i < EACH_OF_ROW; i++) {
            sums[i] = all + simd_prefix_inclusive_sum(sums[i]);
            all = simd_broadcast(sums[i], lanes - 1);
        }
        if (simd_lane() == 0)
            slots[simd_group()] = all;
        barrier(CLK_LOCAL_MEM_FENCE);

        uint earlier = before;
        for (uint i = 0; i < simd_groups(); i++) {
            earlier += i < simd_group() ? slots[i] : 0;
            before += slots[i];
        }
        for (uint i = 0; i < EACH_OF_ROW; i++) {
            const uint x = start + first + i * lanes;
            if (x < width)
                table[row + x] = earlier + sums[i];
        }
    }
}

/* A group walks down a strip, which has a column for each lane.  Each row of the group
 * has a few rows of the stretch, and leaves their sums for the rows below. */
kernel void integral_image_columns(global uint *table, uint width, uint height,
                                   local uint *totals) {
    const uint lane = get_local_id(0), lanes = get_local_size(0);
    const uint part = get_local_id(1), parts = get_local_size(1);
    const uint x = get_global_id(0);
    uint before = 0; /* the sum of all stretches above */

    for (uint start = 0; start < height; start += EACH_OF_COLUMN * parts) {
        const uint y = start + EACH_OF_COLUMN * part;
        uint sums[EACH_OF_COLUMN], all = 0;
        for (uint i = 0; i < EACH_OF_COLUMN; i++)
            sums[i] = x < width && y + i < height ? table[(y + i) * width + x] : 0;
        barrier(CLK_LOCAL_MEM_FENCE); /* totals are free */

        for (uint i = 0; i < EACH_OF_COLUMN; i++)
            sums[i] = all += sums[i];
        totals[part * lanes + lane] = all;
        barrier(CLK_LOCAL_MEM_FENCE);

        uint above = before;
        for (uint i = 0; i < parts; i++) {
            above += i < part ? totals[i * lanes + lane] : 0;
            before += totals[i * lanes + lane];
        }
        for (uint i = 0; i < EACH_OF_COLUMN; i++)
            if (x < width && y + i < height)
                table[(y + i) * width + x] = above + sums[i];
    }
}

/* ---- What the table is for ---- */

/* The sum of columns 0 to x and rows 0 to y; -1 is before the first of them. */
INLINE uint sum_to(global const uint *table, uint width, int x, int y) {
    return x < 0 || y < 0 ? 0 : table[(uint)y * width + (uint)x];
}

/* Each element of `sums` is the sum of a box: of the pixels that are at most `radius`
 * columns and `radius` rows away, as far as there are any. */
kernel void integral_image_boxes(global const uint *table, global uint *sums,
                                 uint width, uint height, uint radius) {
    const uint x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    const int r = (int)radius;
    const int left = (int)x - r - 1, right = (int)min(x + radius, width - 1);
    const int above = (int)y - r - 1, below = (int)min(y + radius, height - 1);
    /* exercise { */
    uint sum = sum_to(table, width, right, below);
    sum -= sum_to(table, width, left, below);
    sum -= sum_to(table, width, right, above);
    sum += sum_to(table, width, left, above);
    /* } exercise */
    sums[y * width + x] = sum;
}

// lens: integral_image_lanes(image[width * height]=0..255, table[width * height], width=128, height=128, right=3, top=0) --global 128 --local 32
// lens: integral_image_tiles(image[width * height]=0..255, table[width * height], width=128, height=128, right=3, top=0) --global 128 --local 32
// lens: integral_image_row_each(image[width * height]=0..255, table[width * height], width=128, height=128) --global 128 --local 64
// lens: integral_image_column_each(table[width * height]=0..255, width=128, height=128) --global 128 --local 64
// lens: integral_image_rows(image[width * groups]=0..255, table[width * groups], width=512, slots[local / 32]) --global 2048 --local 64
// lens: integral_image_columns(table[width * height]=0..255, width=128, height=128, totals[local]) --global 128,8 --local 32,8
// lens: integral_image_boxes(table[width * height]=index, sums[width * height], width=128, height=128, radius=15) --global 128,128 --local 32,8
