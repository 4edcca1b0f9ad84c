/* product: two matrices to be multiplied, and whether C is their product.
 *
 * Steps 18, 18b and 18c multiply the same matrices, A of m x k numbers and B of k x n,
 * in rows, and C is checked the same way. */
#ifndef PRODUCT_H
#define PRODUCT_H

#include "step.h"

struct product {
    struct device *device;
    cl_uint m, n, k;
    size_t elements; /* of C, without the zeros that fill it up */
    double flops;    /* without them, too */
    /* Exact: A has odd 1/1024ths below 4, B odd halves below 4.  For k up to 2^16 a
     * float holds their sums exactly, in every order; but A has more bits than the 11
     * of TF32.  Realistic: numbers below 4 with all 24 bits, which keep a GPU as busy
     * as those of an actual problem, for the clocks. */
    struct factors {
        const float *a, *b;
        cl_mem a_buffer, b_buffer;
        double *c_x, *sizes_x; /* A (B x), and |A| (|B| x) */
        double allowed;        /* error of an element, relative to |A| |B| */
    } exact, realistic;
    cl_mem c_buffer;
    float *c;
    double *x, *host_row;
};

enum { PRODUCT_MAX_K = 1 << 16 };
enum { PRODUCT_BUFFERS = 5 }; /* A and B, exact and realistic, and C */

struct product product_new(struct step *step, size_t m, size_t n, size_t k);

/* The same, with zeros that fill m and n up to multiples of `side`, and k up to one of
 * `depth`, so that kernels need no edges. */
struct product product_in_tiles(struct step *step, size_t m, size_t n, size_t k,
                                size_t side, size_t depth);

/* Launches into a C of NaN or of other numbers; is it right? */
bool product_launch_is_right(const struct product *p, const struct factors *factors,
                             const struct launch *launch);

/* Is what the last launch has left in C right?  The first rows are compared element by
 * element with the host's, and all rows as C x = A (B x) for a random x, which a wrong
 * element almost surely changes (Freivalds) and which takes only n steps for each row,
 * not n k.  A row that differs there is compared element by element, too.
 *
 * A sum of k products in float may be wrong by k 2^-24 |A| |B|, in every order
 * (Jeannerod and Rump, "Improved error bounds for inner products", 2013). */
bool product_in_c_is_right(const struct product *p, const struct factors *factors);

#endif
