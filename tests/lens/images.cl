// Kernels with images, for tests that compare with a device, or with counts by hand.

constant sampler_t nearest =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

// ---- Every kind of read and write: launched by images.c for each format.

#define READ(kind, vector)                                                             \
    kernel void read_##kind(read_only image2d_t src, sampler_t how,                    \
                            global const float2 *at, global vector *out) {             \
        const size_t i = get_global_id(0);                                             \
        const int2 whole = convert_int2_rtn(at[i] * 16.0f);                            \
        out[3 * i] = read_image##kind(src, how, at[i]);                                \
        out[3 * i + 1] = read_image##kind(src, nearest, whole);                        \
        out[3 * i + 2] = read_image##kind(src, whole & 7);                             \
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
