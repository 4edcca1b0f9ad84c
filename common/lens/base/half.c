/* half: converts numbers of 16 bits: a sign, 5 bits for the exponent, 10 for the rest.
 *
 * Where a processor has no instructions for them, the compiler calls functions of its
 * own library.  compile.c links without that, so they are here, and `ld --wrap` finds
 * them: nothing else in this program is meant to.  Source: IEEE 754-2019, 3.4. */
#include "half.h"
#include "machine.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { SIGN = 0x8000, INFINITE = 0x7c00, QUIET = 0x200, FRACTION = 0x3ff };

double half_value(uint16_t bits) {
    const int exponent = (bits & INFINITE) >> 10, fraction = bits & FRACTION;
    const double size = exponent == 0 ? ldexp(fraction, -24)
                                      : ldexp(fraction + FRACTION + 1, exponent - 25);
    if (exponent < 31)
        return bits & SIGN ? -size : size;
    uint64_t wide = (uint64_t)(bits & SIGN) << 48 | 0x7ffull << 52;
    if (fraction)
        wide |= (uint64_t)(fraction | QUIET) << 42;
    double number;
    memcpy(&number, &wide, sizeof number);
    return number;
}

uint16_t half_of(double number) {
    uint64_t wide;
    memcpy(&wide, &number, sizeof wide);
    const unsigned sign = wide >> 63 ? SIGN : 0;
    const double size = fabs(number);
    int exponent;
    if (number != number)
        return (uint16_t)(sign | INFINITE | QUIET | (wide >> 42 & FRACTION));
    if (size >= 65520) /* halfway between the largest and the one that would follow */
        return (uint16_t)(sign | INFINITE);
    if (size < 0x1p-14)
        return (uint16_t)(sign | (unsigned)lrint(ldexp(size, 24)));
    const double part = frexp(size, &exponent); /* from 1/2 to 1 */
    const unsigned fraction = (unsigned)lrint(ldexp(part, 11));
    return (uint16_t)(sign | (((unsigned)(exponent + 13) << 10) + fraction));
}

double bfloat_value(uint16_t bits) {
    const uint32_t wide = (uint32_t)bits << 16;
    float number;
    memcpy(&number, &wide, sizeof number);
    return (double)number;
}

uint16_t bfloat_of(double number) {
    const float narrow = (float)number;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    if (number != number)
        return (uint16_t)(bits >> 16 | 0x40); /* a NaN stays one */
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

#ifdef __x86_64__
/* Since LLVM 15 a half is in the register of a float; before, in that of an integer.
 * A result is in both: a structure of these two has its members in these registers. */
struct in_both {
    double vector;
    uint64_t whole;
};

static struct in_both in_both(uint16_t bits) {
    struct in_both both = {.whole = bits};
    memcpy(&both.vector, &both.whole, sizeof both.vector);
    return both;
}

VISIBLE struct in_both lens_narrow_float(float x) __asm__("__wrap___truncsfhf2");
struct in_both lens_narrow_float(float x) {
    return in_both(half_of((double)x));
}

VISIBLE struct in_both lens_narrow_double(double x) __asm__("__wrap___truncdfhf2");
struct in_both lens_narrow_double(double x) {
    return in_both(half_of(x));
}

VISIBLE float lens_widen_half(float bits) __asm__("__wrap___extendhfsf2");
float lens_widen_half(float bits) {
    uint16_t low;
    memcpy(&low, &bits, sizeof low);
    return (float)half_value(low);
}

VISIBLE uint16_t lens_narrow_old(float x) __asm__("__wrap___gnu_f2h_ieee");
uint16_t lens_narrow_old(float x) {
    return half_of((double)x);
}

VISIBLE float lens_widen_old(uint16_t bits) __asm__("__wrap___gnu_h2f_ieee");
float lens_widen_old(uint16_t bits) {
    return (float)half_value(bits);
}
#endif
