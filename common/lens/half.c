/* half: see half.h. */
#include "half.h"

#include <math.h>

float half_read(uint16_t half) {
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    const float size = exponent == 31
                           ? (fraction ? NAN : INFINITY)
                           : ldexpf((float)(fraction + (exponent ? 1024 : 0)),
                                    (exponent ? exponent : 1) - 25);
    return half >> 15 ? -size : size;
}

uint16_t half_of(float number) {
    const unsigned sign = signbit(number) ? 1u << 15 : 0;
    const float size = fabsf(number);
    if (isnan(number))
        return 0x7e00;
    if (size >= 65520.0f)
        return (uint16_t)(sign | 0x7c00);
    const int own = size > 0.0f ? ilogbf(size) : -14, exponent = own > -14 ? own : -14;
    const unsigned fraction = (unsigned)rintf(ldexpf(size, 10 - exponent));
    return (uint16_t)(sign | ((unsigned)(exponent + 14) * 1024 + fraction));
}
