#include "data/product.h"

#include <math.h>

enum { HOST_PRODUCTS = 1 << 22 }; /* so many the host multiplies for each check */
enum { EXACT_A_BITS = 13, EXACT_B_BITS = 4, REALISTIC_BITS = 25 };

/* Odd multiples of 2^(3 - bits) between -4 and 4, with zeros to their right and below
 * that fill the rows up to `wide` numbers, and the matrix up to `tall` rows. */
static const float *random_numbers(struct step *step, size_t rows, size_t tall,
                                   size_t columns, size_t wide, cl_uint seed,
                                   int bits) {
    float *numbers = step_array(step, tall * wide, sizeof *numbers);
    cl_uint state = step->options.seed + seed;
    for (size_t i = 0; i < tall * wide; i++) {
        const cl_int odd = (cl_int)(random_next(&state) >> (32 - bits) | 1);
        const bool inside = i / wide < rows && i % wide < columns;
        numbers[i] = inside ? ldexpf((float)(odd - (1 << (bits - 1))), 3 - bits) : 0.0f;
    }
    return numbers;
}

/* y = M x, with the absolute values of M if `absolute`. */
static void multiply_vector(const float *M, size_t rows, size_t columns,
                            const double *x, double *y, bool absolute) {
    for (size_t i = 0; i < rows; i++) {
        y[i] = 0.0;
        for (size_t j = 0; j < columns; j++) {
            const double number = (double)M[i * columns + j];
            y[i] += (absolute ? fabs(number) : number) * x[j];
        }
    }
}

/* A, B, and what the host knows of C. */
static struct factors make_factors(struct step *step, const struct product *p,
                                   const float *a, const float *b, double allowed) {
    const size_t m = p->m, n = p->n, k = p->k;
    struct factors factors = {.a = a, .b = b, .allowed = allowed};
    double *b_x = step_array(step, k, sizeof *b_x);
    factors.a_buffer = buffer_from(p->device, a, m * k * sizeof *a);
    factors.b_buffer = buffer_from(p->device, b, k * n * sizeof *b);
    factors.c_x = step_array(step, m, sizeof *factors.c_x);
    factors.sizes_x = step_array(step, m, sizeof *factors.sizes_x);
    multiply_vector(b, k, n, p->x, b_x, false);
    multiply_vector(a, m, k, b_x, factors.c_x, false);
    multiply_vector(b, k, n, p->x, b_x, true);
    multiply_vector(a, m, k, b_x, factors.sizes_x, true);
    return factors;
}

struct product product_in_tiles(struct step *step, size_t m, size_t n, size_t k,
                                size_t side, size_t depth) {
    const size_t tall = (m + side - 1) / side * side,
                 wide = (n + side - 1) / side * side,
                 deep = (k + depth - 1) / depth * depth;
    const size_t larger = tall > wide ? tall : wide,
                 smaller = tall > wide ? wide : tall;
    struct product p = {.device = &step->device};
    device_check_size(p.device, larger * (deep > smaller ? deep : smaller),
                      PRODUCT_BUFFERS, sizeof(float));
    p.m = (cl_uint)tall;
    p.n = (cl_uint)wide;
    p.k = (cl_uint)deep;
    p.elements = m * n;
    p.flops = 2.0 * (double)m * (double)n * (double)k;
    p.c = step_array(step, tall * wide, sizeof *p.c);
    p.c_buffer = buffer_new(p.device, tall * wide * sizeof *p.c);
    p.host_row = step_array(step, 2 * wide, sizeof *p.host_row);
    p.x = step_array(step, wide, sizeof *p.x);
    cl_uint state = step->options.seed + 18;
    for (size_t i = 0; i < wide; i++)
        p.x[i] = (double)(1 + (random_next(&state) >> 20));
    p.exact =
        make_factors(step, &p, random_numbers(step, m, tall, k, deep, 1, EXACT_A_BITS),
                     random_numbers(step, k, deep, n, wide, 2, EXACT_B_BITS), 0.0);
    p.realistic = make_factors(
        step, &p, random_numbers(step, m, tall, k, deep, 3, REALISTIC_BITS),
        random_numbers(step, k, deep, n, wide, 4, REALISTIC_BITS),
        (double)(k + 1) * 0x1p-24);
    return p;
}

struct product product_new(struct step *step, size_t m, size_t n, size_t k) {
    return product_in_tiles(step, m, n, k, 1, 1);
}

/* One row of C against the host's, element by element. */
static bool is_row_right(const struct product *p, const struct factors *factors,
                         size_t row) {
    double *sums = p->host_row, *absolute = p->host_row + p->n;
    for (size_t j = 0; j < 2 * p->n; j++)
        p->host_row[j] = 0.0;
    for (size_t i = 0; i < p->k; i++)
        for (size_t j = 0; j < p->n; j++) {
            const double ab =
                (double)factors->a[row * p->k + i] * (double)factors->b[i * p->n + j];
            sums[j] += ab;
            absolute[j] += fabs(ab);
        }
    for (size_t j = 0; j < p->n; j++) {
        const double found = (double)p->c[row * p->n + j];
        if (!(fabs(found - sums[j]) <= factors->allowed * absolute[j])) /* or NaN */
            return wrong_at(element_2d("C", j, row), found, sums[j]);
    }
    return true;
}

bool product_in_c_is_right(const struct product *p, const struct factors *factors) {
    const size_t rows = HOST_PRODUCTS / ((size_t)p->n * p->k) + 1;
    buffer_read(p->device, p->c_buffer, p->c, (size_t)p->m * p->n * sizeof *p->c);
    for (size_t row = 0; row < p->m; row++) {
        double found;
        multiply_vector(p->c + row * p->n, 1, p->n, p->x, &found, false);
        const double wanted = factors->c_x[row],
                     allowed = factors->allowed * factors->sizes_x[row];
        const bool is_same = fabs(found - wanted) <= allowed;
        if ((row < rows || !is_same) && !is_row_right(p, factors, row))
            return false;
        if (!is_same)
            return wrong_at(element("(C x)", row), found, wanted);
    }
    return true;
}

bool product_launch_is_right(const struct product *p, const struct factors *factors,
                             const struct launch *launch) {
    if (factors == &p->exact)
        buffer_poison(p->device, p->c_buffer);
    launch_ms(p->device, launch);
    return product_in_c_is_right(p, factors);
}
