/* The mean of 3 x 3 pixels: with a sampler that does not say what is outside of the
 * image, and with one that does.  docs/wild.md tells where the first one was found. */

constant sampler_t unsaid = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST;
constant sampler_t edge =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void blur_unsaid(read_only image2d_t src, write_only image2d_t blurred) {
    const int2 here = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0.0f;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            sum += read_imagef(src, unsaid, here + (int2)(x, y));
    write_imagef(blurred, here, sum / 9.0f);
}

kernel void blur(read_only image2d_t src, write_only image2d_t blurred) {
    const int2 here = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0.0f;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            sum += read_imagef(src, edge, here + (int2)(x, y));
    write_imagef(blurred, here, sum / 9.0f);
}
