/* What is said of differences: sums, elements of several types, and lines of text. */
#include "compare.h"
#include "driver/poison.h"
#include "kernel.h"

#include <math.h>

/* All but the first two differ: the exit status is 0 if just these two are right. */
int main(void) {
    const struct launch line = {.local = {48, 1, 1}};
    const float tenth = 0.1f, next = nextafterf(tenth, 1.0f);
    const bool right[] = {
        equal_sum(2.5, 2.5),
        right_again(true),
        equal_sum(2393.5, 2400.25),
        equal_sum((double)NAN, 1.0),
        equal_sum(1.0, 1.0 + 0x1p-52),
        wrong_at(element("counts", 7), POISON, 4294967295.0),
        wrong_at(element("x", 1), (double)tenth, (double)next),
        wrong_at(element_of_group("results", 3), 15.5, 30.25),
        wrong_at(element_of_item("sums", 131, &line), -1.0, 1.0),
        wrong_at(element_2d("out", 3, 4), 1.0, 2.0),
        wrong_line(12, 100, "Fi\001z\n", "Fizz\n", 5),
        wrong_line(7, 0, "7x\n", "7\n", 2),
        right_again(false),
    };
    int count = 0;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        count += right[i];
    return !(right[0] && right[1] && count == 2);
}
