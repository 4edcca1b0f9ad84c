/* What timing.c concludes, and does not, from ratios with quartiles.  For common.bats.
 */
#include "timing.h"

#include <stdio.h>

static void say(struct ratio ratio) {
    puts(in_words(ratio).text);
}

int main(void) {
    say((struct ratio){4.3, 4.28, 4.33, 21});
    say((struct ratio){0.25, 0.2, 0.5, 3});
    say((struct ratio){1511.3, 1470.2, 1702.9, 21});
    say((struct ratio){1.0047, 1.0045, 1.0048, 50}); /* less than half a percent */
    say((struct ratio){1.008, 1.006, 1.009, 50});
    say((struct ratio){0.997, 0.996, 0.998, 50});
    say((struct ratio){1.2, 0.99, 1.4, 50}); /* on both sides of 1 */
    say((struct ratio){4.3, 4.3, 4.3, 2});

    /* Each time stays with its partner: sorted, these would all be the same. */
    const double a[] = {1.0, 2.0, 4.0, 8.0, 16.0}, b[] = {16.0, 8.0, 4.0, 2.0, 1.0};
    say(ratio_of(a, b, 5));
    /* 9, 2, 3 ... 8 times as fast: of eight, one on each side is left out. */
    const double c[] = {1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0},
                 d[] = {9.0, 4.0, 12.0, 32.0, 80.0, 192.0, 448.0, 1024.0};
    say(ratio_of(c, d, 8));
    say(ratio_of(d, c, 8));
    /* Of five, none: four of them agree by chance in every third case. */
    const double e[] = {1.0, 1.0, 1.0, 1.0, 1.0}, f[] = {2.0, 2.0, 0.5, 2.0, 2.0};
    say(ratio_of(e, f, 5));

    /* Twice and three times as slow as the same third launch; then too close. */
    const struct ratio two = {2.0, 1.9, 2.1, 5}, three = {3.0, 2.9, 3.1, 7};
    say(ratio_of_ratios(two, three));
    say(ratio_of_ratios(two, (struct ratio){2.1, 2.05, 2.2, 5}));
    say(ratio_of_ratios(two, (struct ratio){9.0, 8.9, 9.1, 2}));

    const struct timing fast = {1.0, 0.9, 1.9, 0.95, 1.05, 9},
                        slow = {2.0, 1.8, 2.2, 1.90, 2.10, 9};
    say(ratio_between(fast, slow));
    say(ratio_between(slow, fast));
    say(ratio_between(fast, fast));
    return 0;
}
