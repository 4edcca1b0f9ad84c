/* formulas: whole numbers that depend on the size of a problem, as in "(n + 3) / 4". */
#include "target.h"

#include "alone/formula.h"

#include <stdlib.h>
#include <string.h>

static bool find(const void *of, const char *name, size_t length, int64_t *number) {
    (void)of;
    *number = length == 1 ? 1003 : INT64_MAX;
    return *name != 'z';
}

void try_text(const char *text) {
    int64_t number = 0, again = 0;
    if (!formula_read(text, find, NULL, &number))
        return;
    char *inside = malloc(strlen(text) + 5);
    strcat(strcat(strcpy(inside, "0+("), text), ")");
    if (formula_read(inside, find, NULL, &again)) /* it may be too deep now */
        must_hold(again == number, "parentheses around a formula change nothing");
    free(inside);
}
