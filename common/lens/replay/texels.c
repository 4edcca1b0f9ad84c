/* texels: what an instrumented kernel calls for images, as builtins.cl declares it.  An
 * image is the address of a struct image, and a sampler is its bits. */
#include "base/machine.h"
#include "code/operations.h"
#include "images.h"
#include "running.h"

#include <string.h>

/* Both compilers pass vectors of 8 and of 16 bytes in the same registers. */
typedef int32_t int2 __attribute__((vector_size(8)));
typedef int32_t int4 __attribute__((vector_size(16)));
typedef uint32_t uint4 __attribute__((vector_size(16)));
typedef float float2 __attribute__((vector_size(8)));
typedef float float4 __attribute__((vector_size(16)));

enum { ADDRESS_MODE = 0xE }; /* 0: CLK_ADDRESS_NONE */

/* A constant of the file becomes a sampler: clang calls this. */
VISIBLE void *__translate_sampler_initializer(unsigned bits) {
    return (void *)(uintptr_t)bits;
}

/* The texel in memory, which this lane accesses; NULL: it lies outside. */
static char *texel_of(struct image *image, const struct tap *tap, unsigned type) {
    size_t place[3];
    image->asked |= 1u << type;
    if (!tap->inside)
        return NULL;
    for (int d = 0; d < 3; d++)
        place[d] = (size_t)tap->texel[d];
    char *texel = image->base + image_place(image, place);
    lane_access(texel, image->texel_bytes, running.lane->site);
    return texel;
}

static void complain(const struct image *image, const struct tap *tap) {
    struct fault fault = fault_here(FAULT_TEXEL);
    fault.image = image;
    for (int d = 0; d < 3; d++)
        fault.texel[d] = tap->texel[d];
    fault_tell(fault);
}

/* A wrong function for a format gives any numbers; but bits stay bits. */
static void look_at_type(const struct image *image, unsigned type) {
    struct fault fault = fault_here(FAULT_TYPE);
    fault.image = image;
    if (!image_has_type(image, type))
        fault_tell(fault);
}

static uint4 combine(struct image *image, unsigned type, unsigned sampler,
                     const struct tap *taps, size_t count) {
    uint32_t components[4];
    uint4 result;
    float sums[4] = {0.0f, 0.0f, 0.0f, 0.0f}, number;
    look_at_type(image, type);
    for (size_t i = 0; i < count; i++) {
        if (!taps[i].inside && !(sampler & ADDRESS_MODE) && taps[i].weight != 0.0f)
            complain(image, &taps[i]);
        image_decode(image, texel_of(image, &taps[i], type), type, components);
        for (int c = 0; c < 4 && count > 1; c++) {
            memcpy(&number, &components[c], sizeof number);
            sums[c] += taps[i].weight * number;
        }
    }
    memcpy(&result, count > 1 ? (const void *)sums : (const void *)components,
           sizeof result);
    return result;
}

static uint4 sample(struct image *image, unsigned type, const void *sampler, float x,
                    float y, float z) {
    struct tap taps[MAX_TAPS];
    unsigned bits = (unsigned)(uintptr_t)sampler;
    if (type != LENS_FLOAT) /* whole numbers are not combined */
        bits &= ~0x20u;
    const size_t count = image_taps(image, bits, (const float[]){x, y, z}, taps);
    return combine(image, type, bits, taps, count);
}

static uint4 fetch(struct image *image, unsigned type, unsigned sampler, int x, int y,
                   int z) {
    struct tap tap;
    image_tap(image, sampler, (const int[]){x, y, z}, &tap);
    return combine(image, type, sampler, &tap, 1);
}

static void put(struct image *image, unsigned type, int x, int y, int z, uint4 value) {
    struct tap tap;
    uint32_t components[4];
    image_tap(image, 0, (const int[]){x, y, z}, &tap);
    look_at_type(image, type);
    if (!tap.inside)
        complain(image, &tap);
    char *texel = texel_of(image, &tap, type);
    memcpy(components, &value, sizeof components);
    if (texel)
        image_encode(image, texel, type, components);
}

#define BITS(sampler) ((unsigned)(uintptr_t)(sampler))

VISIBLE uint4 lens_image_read_f1(unsigned type, struct image *image,
                                 const void *sampler, float x) {
    return sample(image, type, sampler, x, 0.0f, 0.0f);
}
VISIBLE uint4 lens_image_read_f2(unsigned type, struct image *image,
                                 const void *sampler, float2 at) {
    return sample(image, type, sampler, at[0], at[1], 0.0f);
}
VISIBLE uint4 lens_image_read_f4(unsigned type, struct image *image,
                                 const void *sampler, float4 at) {
    return sample(image, type, sampler, at[0], at[1], at[2]);
}
VISIBLE uint4 lens_image_read_i1(unsigned type, struct image *image,
                                 const void *sampler, int x) {
    return fetch(image, type, BITS(sampler), x, 0, 0);
}
VISIBLE uint4 lens_image_read_i2(unsigned type, struct image *image,
                                 const void *sampler, int2 at) {
    return fetch(image, type, BITS(sampler), at[0], at[1], 0);
}
VISIBLE uint4 lens_image_read_i4(unsigned type, struct image *image,
                                 const void *sampler, int4 at) {
    return fetch(image, type, BITS(sampler), at[0], at[1], at[2]);
}
VISIBLE uint4 lens_image_read_1(unsigned type, struct image *image, int x) {
    return fetch(image, type, 0, x, 0, 0);
}
VISIBLE uint4 lens_image_read_2(unsigned type, struct image *image, int2 at) {
    return fetch(image, type, 0, at[0], at[1], 0);
}
VISIBLE uint4 lens_image_read_4(unsigned type, struct image *image, int4 at) {
    return fetch(image, type, 0, at[0], at[1], at[2]);
}
VISIBLE void lens_image_write_1(unsigned type, struct image *image, int x,
                                uint4 value) {
    put(image, type, x, 0, 0, value);
}
VISIBLE void lens_image_write_2(unsigned type, struct image *image, int2 at,
                                uint4 value) {
    put(image, type, at[0], at[1], 0, value);
}
VISIBLE void lens_image_write_4(unsigned type, struct image *image, int4 at,
                                uint4 value) {
    put(image, type, at[0], at[1], at[2], value);
}

/* ---- What an image is.  Orders and types have the same numbers in OpenCL C. */
VISIBLE int lens_image_asked(const struct image *image, unsigned what) {
    const size_t answers[] = {[LENS_WIDTH] = image->size[0],
                              [LENS_HEIGHT] = image->size[1],
                              [LENS_DEPTH] = image->size[2],
                              [LENS_LAYERS] = image->size[image->dimensions % 3],
                              [LENS_ORDER] = image->order,
                              [LENS_TYPE] = image->type};
    return (int)answers[what];
}
