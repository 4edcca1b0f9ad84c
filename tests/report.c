/* Prints one row for a device whose name means harm to CSV, JSON and TSV. */
#include "report.h"

int main(int argc, char **argv) {
    const struct options options =
        options_read(argc, argv, &(struct usage){.step = "a step", .size = 7});
    const struct device device = {.name = "Q\\\"\t, 5\001", .driver = "1"};
    struct report report = report_start(&options, &device);
    report_row(&report, (struct row){.variant = "a, \"b\"",
                                     .size = 7,
                                     .time = {2.0, 1.0, 4.0, 1.5, 3.0, 3},
                                     .bytes = 1e6,
                                     .right = true,
                                     .note = "none"});
    return report_end(&report);
}
