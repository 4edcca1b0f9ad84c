// Kernels with images, for tests that compare with a device, or with counts by hand.

constant sampler_t nearest =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

// ---- Every kind of read and write: launched by images.c for each format.

// Three is added, so that a result near zero has no smaller tolerance than others;
// and the last component, which PoCL 3 does not fill in for one channel, is left out
// there.
#define READ(kind, vector)                                                             \
    kernel void read_##kind(read_only image2d_t src, sampler_t how,                    \
                            global const float2 *at, global vector *out) {             \
        const size_t i = 3 * get_global_id(0);                                         \
        const int2 whole = convert_int2_rtn(at[i / 3] * 16.0f);                        \
        out[i] = 3 + read_image##kind(src, how, at[i / 3]);                            \
        out[i + 1] = 3 + read_image##kind(src, nearest, whole);                        \
        out[i + 2] = 3 + read_image##kind(src, whole & 7);                             \
        for (size_t k = i; k < i + 3 && get_image_channel_order(src) == CLK_R; k++)    \
            out[k].w = 0;                                                              \
    }
READ(f, float4)
READ(i, int4)
READ(ui, uint4)

#define WRITE(kind, vector)                                                            \
    kernel void write_##kind(write_only image2d_t to, global const vector *in) {       \
        const int2 at = (int2)(get_global_id(0), get_global_id(1));                    \
        write_image##kind(to, at, in[at.y * get_global_size(0) + at.x]);               \
    }
WRITE(f, float4)
WRITE(i, int4)
WRITE(ui, uint4)

// Images with other dimensions; item i also writes a texel.
kernel void lines(read_only image1d_t src, write_only image1d_t to, sampler_t how,
                  global const float2 *at, global float4 *out) {
    const int i = get_global_id(0);
    out[2 * i] = read_imagef(src, how, at[i].x);
    out[2 * i + 1] = read_imagef(src, nearest, i);
    write_imagef(to, i % get_image_width(to), out[2 * i]);
}
kernel void solids(read_only image3d_t src, sampler_t how, global const float2 *at,
                   global float4 *out) {
    const int i = get_global_id(0);
    out[2 * i] = read_imagef(src, how, (float4)(at[i], at[i].y, 0.0f));
    out[2 * i + 1] = read_imagef(src, (int4)(i & 3, i / 4 & 1, i & 1, 0));
}
kernel void layers(read_only image2d_array_t src, write_only image2d_array_t to,
                   sampler_t how, global const float2 *at, global float4 *out) {
    const int i = get_global_id(0);
    out[i] = read_imagef(src, how, (float4)(at[i], i % 5, 0.0f));
    write_imagef(to, (int4)(i & 7, i / 8, i % 2, 0), out[i]);
}
kernel void rows(read_only image1d_array_t src, sampler_t how, global const float2 *at,
                 global float4 *out) {
    const int i = get_global_id(0);
    out[i] = read_imagef(src, how, (float2)(at[i].x, i % 5));
}
kernel void elements(read_only image1d_buffer_t src, global float4 *out) {
    out[get_global_id(0)] = read_imagef(src, (int)get_global_id(0) % 8);
}

kernel void asks(read_only image2d_t flat, write_only image2d_t to,
                 read_only image3d_t solid, read_only image2d_array_t layered,
                 global int *out) {
    vstore2(get_image_dim(flat), 0, out);
    vstore2(get_image_dim(to), 1, out);
    vstore4(get_image_dim(solid), 1, out);
    out[8] = get_image_width(flat);
    out[9] = get_image_height(to);
    out[10] = get_image_depth(solid);
    out[11] = get_image_array_size(layered);
    out[12] = get_image_channel_order(flat);
    out[13] = get_image_channel_data_type(flat);
    out[14] = get_image_channel_order(flat) == CLK_RGBA;
    out[15] = get_image_channel_data_type(flat) == CLK_FLOAT;
}

// ---- Counts by hand: 16 x 8 texels of 16 bytes, in groups of 16 x 2, a warp each. A
// sector is 16 bytes of one row and 16 of the next, so here two texels, one below the
// other.

#define HERE (int2)(get_global_id(0), get_global_id(1))

// A warp reads and writes two rows of 16 texels: 32 texels, 16 sectors, all of them
// used.
kernel void copy_texels(read_only image2d_t src, write_only image2d_t to,
                        global float4 *out) {
    write_imagef(to, HERE, read_imagef(src, nearest, HERE));
}

// In the middle of four texels. Three warps read three rows of 16, 48 of their 128
// texels being different, in 32 sectors; the last one reads two rows, 32 texels in 16
// sectors.
kernel void between_texels(read_only image2d_t src, write_only image2d_t to,
                           global float4 *out) {
    const sampler_t linear =
        CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
    const float2 at = (float2)(get_global_id(0) + 1, get_global_id(1) + 1);
    write_imagef(to, HERE, read_imagef(src, linear, at));
}

// ---- Mistakes.

kernel void same_texel(read_only image2d_t src, write_only image2d_t to,
                       global float4 *out) {
    write_imagef(to, HERE / 2, read_imagef(src, nearest, HERE));
}

kernel void behind_image(read_only image2d_t src, write_only image2d_t to,
                         global float4 *out) {
    write_imagef(to, HERE + (int2)(1, 0), read_imagef(src, nearest, HERE));
}

kernel void before_image(read_only image2d_t src, write_only image2d_t to,
                         global float4 *out) {
    write_imagef(to, HERE, read_imagef(src, HERE - (int2)(0, 1)));
}

kernel void other_numbers(read_only image2d_t src, write_only image2d_t to,
                          global int4 *out) {
    write_imageui(to, HERE, read_imageui(src, nearest, HERE));
}

kernel void unwritten(read_only image2d_t src, write_only image2d_t to,
                      global float4 *out) {
    write_imagef(to, HERE, read_imagef(src, nearest, HERE));
}

// Right: outside of the image a sampler has a border, or the nearest texel.
kernel void around_image(read_only image2d_t src, write_only image2d_t to,
                         global float4 *out) {
    const sampler_t border =
        CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
    float4 sum = read_imagef(src, border, convert_float2(HERE) - 3.0f);
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += read_imagef(src, nearest, HERE + (int2)(dx, dy));
    write_imagef(to, HERE, sum / 10.0f);
}
