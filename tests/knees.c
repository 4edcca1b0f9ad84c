/* Which knees step 14c finds in prices that are made up.  For its tests. */
#define main step_main
/* The step itself.  NOLINTNEXTLINE(bugprone-suspicious-include) */
#include "../steps/step14c_address_translation.c"
#undef main

int main(void) {
    const struct {
        int number;
        struct ratio price;
    } prices[] = {
        {10, {1.0, 0.9, 1.1, 9}},  /* the same */
        {11, {1.3, 1.2, 1.4, 9}},  /* less than a quarter, perhaps */
        {12, {1.4, 1.3, 1.5, 2}},  /* too few launches */
        {13, {1.4, 1.3, 1.5, 9}},  /* a knee */
        {14, {1.9, 1.8, 2.0, 9}},  /* a quarter more than the worst of that is 1.875 */
        {15, {1.15, 1.1, 1.2, 9}}, /* lines have become slower, too */
        {16, {1.95, 1.9, 2.0, 9}}, /* a knee, beside that of 13 */
        {17, {5.0, 1.0, 9.0, 9}}}; /* noise */
    struct rings rings = {.plateau = {1.0, 1.0, 1.0, INT_MAX}};
    for (size_t i = 0; i < COUNT(prices); i++)
        if (is_knee(&rings, prices[i].price))
            printf("%d is a knee\n", prices[i].number);
    return rings.has_knee ? 0 : 1;
}
