/* digits: puts commas between thousands. */
#include "measure/digits.h"

#include <stdio.h>
#include <string.h>

const char *digits_write(char text[MAX_DIGITS], uint64_t number) {
    char digits[MAX_DIGITS];
    const int length =
        snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    char *end = text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *end++ = ',';
        *end++ = digits[i];
    }
    *end = '\0';
    return text;
}
