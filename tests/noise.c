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
    say((struct ratio){1.004, 1.0045, 1.0048, 50}); /* less than half a percent */
    say((struct ratio){1.2, 0.99, 1.4, 50});        /* on both sides of 1 */
    say((struct ratio){4.3, 4.3, 4.3, 2});

    /* Pairs that were taken alternately, and of which one was disturbed. */
    const double a[] = {2.0, 2.0, 2.0, 2.0, 9.0}, b[] = {4.0, 4.0, 4.0, 4.0, 4.0};
    say(ratio_of(a, b, 5));

    /* Twice and three times as slow as the same third launch; then too close. */
    const struct ratio two = {2.0, 1.9, 2.1, 5}, three = {3.0, 2.9, 3.1, 7};
    say(ratio_of_ratios(two, three));
    say(ratio_of_ratios(two, (struct ratio){2.1, 2.05, 2.2, 5}));

    const struct timing fast = {1.0, 0.9, 1.9, 0.95, 1.05, 9},
                        slow = {2.0, 1.8, 2.2, 1.90, 2.10, 9};
    say(ratio_between(fast, slow));
    say(ratio_between(slow, fast));
    say(ratio_between(fast, fast));
    return 0;
}
