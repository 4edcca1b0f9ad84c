/* Prints rows and the headline of step 05 for a device that is a CPU, or a GPU if $KIND
 * says so.  For common.bats. */
#include "report.h"

#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    const struct options options = options_read(
        argc, argv,
        &(struct usage){
            .step = "step05_dot_strided", .lesson = "the lesson", .size = 16777216});
    const char *kind = getenv("KIND");
    const struct device device = {
        .name = "nothing", .driver = "1", .is_cpu = !kind || strcmp(kind, "gpu") != 0};
    struct report report = report_start(&options, &device);
    struct row row = {.variant = "coalesced", .size = options.size};
    row.time = (struct timing){2.0, 1.0, 4.0, 1.5, 3.0, 3};
    row.bytes = 1e8;
    row.limit = 40.0; /* GB/s: more than that is read */
    row.right = true;
    report_row(&report, row);
    row.variant = "contiguous";
    row.bytes = 1e7;
    row.note = "a note";
    report_row(&report, row);
    row.variant = "nowhere else";
    report_row(&report, row);
    report_headline(&report, "coalesced, not contiguous chunks",
                    (struct ratio){0.4, 0.39, 0.41, 9}, "A reason.");
    return report_end(&report);
}
