/* spelling: counts how many letters must be changed, added, left out, or exchanged with
 * their neighbours (Damerau, "A technique for computer detection and correction of
 * spelling errors", 1964; here the restricted distance). */
#include "spelling.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 63 };

static size_t least(size_t one, size_t other) {
    return one < other ? one : other;
}

static int letter(const char *word, size_t i) {
    return tolower((unsigned char)word[i]);
}

static size_t distance(const char *word, const char *name) {
    const size_t length = strlen(word), other = strlen(name);
    size_t steps[LONGEST + 1][LONGEST + 1];
    if (length > LONGEST || other > LONGEST)
        return LONGEST;
    for (size_t i = 0; i <= length; i++)
        for (size_t k = 0; k <= other; k++) {
            if (i == 0 || k == 0) {
                steps[i][k] = i + k;
                continue;
            }
            const size_t same = letter(word, i - 1) == letter(name, k - 1);
            steps[i][k] = least(least(steps[i - 1][k], steps[i][k - 1]) + 1,
                                steps[i - 1][k - 1] + !same);
            if (i > 1 && k > 1 && letter(word, i - 1) == letter(name, k - 2) &&
                letter(word, i - 2) == letter(name, k - 1))
                steps[i][k] = least(steps[i][k], steps[i - 2][k - 2] + 1);
        }
    return steps[length][other];
}

const char *spelling_meant(const char *word, const char *const *names, size_t count) {
    const char *meant = NULL;
    const size_t letters = strlen(word), third = letters / 3;
    size_t nearest = (third > 1 ? third : 1) + 1; /* farther is another word */
    for (size_t i = 0; i < count; i++) {
        const size_t far = distance(word, names[i]);
        if (far < nearest && far < letters) {
            nearest = far;
            meant = names[i];
        }
    }
    return meant;
}
