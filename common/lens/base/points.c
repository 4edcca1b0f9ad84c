/* points: see points.h. */
#define _GNU_SOURCE /* newlocale */
#include "points.h"

locale_t points_begin(void) {
    static locale_t plain;
    if (!plain)
        plain = newlocale(LC_NUMERIC_MASK, "C", NULL);
    return uselocale(plain);
}

void points_end(locale_t before) {
    uselocale(before);
}
