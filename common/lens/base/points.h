/* points: numbers with a point, whatever locale the program has set. */
#ifndef POINTS_H
#define POINTS_H

#include <locale.h>

/* From here on printf() writes 0.5, and strtod() reads it, where the program's language
 * has 0,5; until points_end() gets what this returns. */
locale_t points_begin(void);
void points_end(locale_t before);

#endif
