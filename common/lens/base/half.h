/* half: numbers of 16 bits, which C lacks, and what compiled kernels call for them. */
#ifndef HALF_H
#define HALF_H

#include <stdint.h>

/* The number that these bits are. */
double half_value(uint16_t bits);

/* The bits of the nearest one; of two that are as near, the even one. */
uint16_t half_of(double number);

/* The same of CUDA's __nv_bfloat16, whose bits are the upper half of a float's. */
double bfloat_value(uint16_t bits);
uint16_t bfloat_of(double number);

#endif
