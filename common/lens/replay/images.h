/* images: where texels lie, what their bits mean, and which of them a sampler reads.
 *
 * Texels do not lie row by row.  On NVIDIA's GPUs, a sector of an image with two or
 * three dimensions is 16 bytes of one row and 16 bytes of the next; four sectors of a
 * Z-shape are a line, of 32 bytes by 4 rows; and 16 sectors are a "GOB" of 64 bytes by
 * 8 rows.  We keep images in this order, so that their sectors and lines are counted
 * like those of buffers.  Images with one dimension lie in a row.
 *
 * Sources: Linux, include/uapi/drm/drm_fourcc.h, "16Bx2 Block Linear layout"; NVIDIA,
 * Tegra X1 Technical Reference Manual, chapter 20. */
#ifndef IMAGES_H
#define IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { MAX_TAPS = 8 }; /* texels that one read combines: 2 in each dimension */

struct image {
    unsigned dimensions;  /* of a layer */
    bool layered;         /* it is an array of layers: the size behind the others */
    size_t size[3];       /* in texels; 1 where there is none */
    unsigned order, type; /* as in CL_RGBA, CL_FLOAT */
    size_t texel_bytes;
    char *base;     /* in the order above, except for the host's own copies */
    unsigned asked; /* a bit for each type, LENS_INT ..., that a kernel has asked for */
};

/* Fills in `texel_bytes`; false: this order or type is not modelled. */
bool image_measure(struct image *image);

/* In the order above, with what lies between rows; and as the host keeps it. */
size_t image_bytes(const struct image *image);
size_t image_host_bytes(const struct image *image);

/* Where a texel lies; which one lies there. */
size_t image_place(const struct image *image, const size_t texel[3]);
void image_texel_at(const struct image *image, size_t offset, size_t texel[3]);

/* Copies all texels from the host's order, or to it. */
void image_from_host(const struct image *image, const char *host);
void image_to_host(const struct image *image, char *host);

/* Four components of that type, LENS_FLOAT, LENS_INT or LENS_UINT, from the bits of a
 * texel, or NULL for what lies outside of the image; and back. */
void image_decode(const struct image *image, const char *bits, unsigned type,
                  uint32_t components[4]);
void image_encode(const struct image *image, char *bits, unsigned type,
                  const uint32_t components[4]);

/* Has the image numbers of this type, so that functions for it may be used? */
bool image_has_type(const struct image *image, unsigned type);

struct tap { /* a texel that is read */
    int64_t texel[3];
    float weight; /* 1: it is the only one */
    bool inside;
};

/* What a sampler with these bits (CLK_FILTER_LINEAR ...) reads at these coordinates;
 * returns how many texels.  OpenCL 1.2 specification, section 8.2. */
size_t image_taps(const struct image *image, unsigned sampler,
                  const float coordinates[3], struct tap taps[MAX_TAPS]);
/* The same for whole coordinates, of which the texel is always one. */
void image_tap(const struct image *image, unsigned sampler, const int coordinates[3],
               struct tap *tap);

/* "64 x 48", for the number of its dimensions and layers. */
void image_write_numbers(FILE *out, const struct image *image, const int64_t numbers[3],
                         const char *between);

/* "linear,clamp" for the bits of a sampler; and back, UINT32_MAX: it is none. */
void sampler_write(FILE *out, unsigned sampler);
unsigned sampler_read(const char *text);

#endif
