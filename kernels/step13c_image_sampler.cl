/* Step 13c: a picture is turned, and each pixel of the result asks where it comes from.
 *
 * A pixel is a square, and its colour belongs to its centre: that of pixel (x, y) is
 * at (x + 0.5, y + 0.5).  A place is rarely such a centre.  The nearest pixel is the
 * one in whose square the place is; bilinear means that the four centres around it
 * share it, and the nearer one has the greater weight:
 *
 *         +---------+---------+
 *         |    a . . . . b    |      b has the weight  right * (1 - down)
 *         |    .    |    .    |      d has the weight  right * down
 *         +----.----+----.----+
 *         |    . . . . x .    |      x: the place
 *         |    c . . . . d    |
 *         +---------+---------+
 *
 * Beyond its edge the picture goes on with the pixels of the edge. */

/* The turn back from the new picture to the old one, around the middle of both. */
struct turn {
    float cosine, sine;
    int2 size;
};

static float2 place_of(struct turn turn, int2 pixel) {
    const float2 middle = convert_float2(turn.size) * 0.5f;
    const float2 from = convert_float2(pixel) + 0.5f - middle;
    return (float2)(fma(turn.cosine, from.x, fma(turn.sine, from.y, middle.x)),
                    fma(turn.cosine, from.y, fma(-turn.sine, from.x, middle.y)));
}

/* A colour is four numbers from 0 to 1, and four bytes in memory. */
static uchar4 bytes_of(float4 colour) {
    return convert_uchar4_sat_rte(colour * 255.0f);
}

/* ---- A buffer: clamps, addresses, weights and numbers are ours ---- */

static uchar4 pixel_at(global const uchar4 *in, int2 size, int2 pixel) {
    const int2 inside = clamp(pixel, (int2)(0), size - 1);
    return in[inside.y * size.x + inside.x];
}

static float4 colour_at(global const uchar4 *in, int2 size, int2 pixel) {
    return convert_float4(pixel_at(in, size, pixel)) * (1.0f / 255.0f);
}

kernel void buffer_nearest(global const uchar4 *restrict in,
                           global uchar4 *restrict out, int width, int height,
                           float cosine, float sine) {
    const struct turn turn = {cosine, sine, (int2)(width, height)};
    const int2 pixel = (int2)(get_global_id(0), get_global_id(1));
    if (pixel.x >= width || pixel.y >= height)
        return;
    const int2 nearest = convert_int2(floor(place_of(turn, pixel)));
    out[pixel.y * width + pixel.x] = pixel_at(in, turn.size, nearest);
}

kernel void buffer_bilinear(global const uchar4 *restrict in,
                            global uchar4 *restrict out, int width, int height,
                            float cosine, float sine) {
    const struct turn turn = {cosine, sine, (int2)(width, height)};
    const int2 pixel = (int2)(get_global_id(0), get_global_id(1));
    if (pixel.x >= width || pixel.y >= height)
        return;
    const float2 place = place_of(turn, pixel) - 0.5f; /* centres are whole now */
    const float2 weight = place - floor(place);
    const int2 first = convert_int2(floor(place));
    const float4 a = colour_at(in, turn.size, first),
                 b = colour_at(in, turn.size, first + (int2)(1, 0)),
                 c = colour_at(in, turn.size, first + (int2)(0, 1)),
                 d = colour_at(in, turn.size, first + (int2)(1, 1));
    const float4 colour = mix(mix(a, b, weight.x), mix(c, d, weight.x), weight.y);
    out[pixel.y * width + pixel.x] = bytes_of(colour);
}

/* ---- An image: the sampler knows where pixels are, and what is beyond an edge ---- */

#ifdef __IMAGE_SUPPORT__

constant sampler_t nearest_pixel =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t bilinear =
    CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

kernel void image_nearest(read_only image2d_t in, global uchar4 *restrict out,
                          int width, int height, float cosine, float sine) {
    const struct turn turn = {cosine, sine, (int2)(width, height)};
    const int2 pixel = (int2)(get_global_id(0), get_global_id(1));
    if (pixel.x >= width || pixel.y >= height)
        return;
    const float4 colour = read_imagef(in, nearest_pixel, place_of(turn, pixel));
    out[pixel.y * width + pixel.x] = bytes_of(colour);
}

/* As in the buffer, with four reads and our weights. */
kernel void image_by_hand(read_only image2d_t in, global uchar4 *restrict out,
                          int width, int height, float cosine, float sine) {
    const struct turn turn = {cosine, sine, (int2)(width, height)};
    const int2 pixel = (int2)(get_global_id(0), get_global_id(1));
    if (pixel.x >= width || pixel.y >= height)
        return;
    const float2 place = place_of(turn, pixel) - 0.5f;
    const float2 weight = place - floor(place);
    const int2 first = convert_int2(floor(place));
    const float4 a = read_imagef(in, nearest_pixel, first),
                 b = read_imagef(in, nearest_pixel, first + (int2)(1, 0)),
                 c = read_imagef(in, nearest_pixel, first + (int2)(0, 1)),
                 d = read_imagef(in, nearest_pixel, first + (int2)(1, 1));
    const float4 colour = mix(mix(a, b, weight.x), mix(c, d, weight.x), weight.y);
    out[pixel.y * width + pixel.x] = bytes_of(colour);
}

/* Normalised coordinates are from 0 to 1, whatever the size of the picture. */
kernel void image_sampler(read_only image2d_t in, global uchar4 *restrict out,
                          int width, int height, float cosine, float sine) {
    const struct turn turn = {cosine, sine, (int2)(width, height)};
    const int2 pixel = (int2)(get_global_id(0), get_global_id(1));
    if (pixel.x >= width || pixel.y >= height)
        return;
    /* exercise { */
    const float2 place = place_of(turn, pixel) / convert_float2(turn.size);
    const float4 colour = read_imagef(in, bilinear, place);
    /* } exercise */
    out[pixel.y * width + pixel.x] = bytes_of(colour);
}
#endif

// lens: buffer_nearest(in[width * height], out[width * height], width=128, height=32, cosine=0.866, sine=0.5) --global 128,32 --local 32,8
// lens: buffer_bilinear(in[width * height], out[width * height], width=128, height=32, cosine=0.866, sine=0.5) --global 128,32 --local 32,8
// lens: image_nearest(in[128x32], out[width * height], width=128, height=32, cosine=0.866, sine=0.5) --global 128,32 --local 32,8 -D __IMAGE_SUPPORT__
// lens: image_by_hand(in[128x32], out[width * height], width=128, height=32, cosine=0.866, sine=0.5) --global 128,32 --local 32,8 -D __IMAGE_SUPPORT__
// lens: image_sampler(in[128x32], out[width * height], width=128, height=32, cosine=0.866, sine=0.5) --global 128,32 --local 32,8 -D __IMAGE_SUPPORT__
