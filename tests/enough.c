/* Which row is enough, if rows are noisy and if they are not.  For common.bats. */
#include "report.h"

enum { ROWS = 4 };

/* Rows that work 1, 2, 3 and 4 times as much, in these milliseconds; a launch may take
 * `noise` times longer or shorter. */
static int enough(const double median_ms[ROWS], double noise, int repeats) {
    struct row rows[ROWS];
    for (int i = 0; i < ROWS; i++)
        rows[i] = (struct row){.flops = 1e9 * (i + 1),
                               .time = {.median_ms = median_ms[i],
                                        .lower_ms = median_ms[i] / noise,
                                        .upper_ms = median_ms[i] * noise,
                                        .repeats = repeats}};
    return row_that_is_enough(rows, ROWS);
}

int main(void) {
    const double no_gain[] = {1.0, 2.02, 3.01, 4.0}, /* the first is the best */
        two_units[] = {1.0, 2.0, 1.5, 2.0},          /* the third doubles the rate */
        in_flight[] = {1.0, 1.0, 1.5, 2.0};          /* the second does */
    printf("%d %d %d %d %d\n", enough(no_gain, 1.2, 21), enough(two_units, 1.5, 21),
           enough(two_units, 1.0, 1), enough(two_units, 1.1, 21),
           enough(in_flight, 1.01, 5));
    return 0;
}
