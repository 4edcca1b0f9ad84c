/* half: OpenCL's half, which is IEEE 754's binary16: 10 bits of the fraction, exponents
 * from -14 on. */
#ifndef HALF_H
#define HALF_H

#include <stdint.h>

float half_read(uint16_t half);
uint16_t half_of(float number); /* the nearest one */

#endif
