/* Prints rows that are a quarter, all and more of a limit, and headlines of both ways.
 * For common.bats. */
#include "report.h"

static void say(struct report *report, const char *name, double gigaflops, double limit,
                struct timing time) {
    report_row(report, (struct row){.variant = name,
                                    .time = time,
                                    .flops = gigaflops * 1e6 * time.median_ms,
                                    .limit = limit,
                                    .right = true});
}

int main(int argc, char **argv) {
    const struct options options = options_read(
        argc, argv, &(struct usage){.step = "a step", .lesson = "a lesson", .size = 7});
    char nothing;
    const struct device device = {
        .name = "nothing", .driver = "1", .id = (cl_device_id)&nothing};
    struct report report = report_start(&options, &device);
    const struct timing one = {1.0, 1.0, 1.0, 1.0, 1.0, 3};
    say(&report, "a quarter", 25.0, 100.0, (struct timing){4.0, 2.0, 8.0, 3.0, 5.0, 3});
    say(&report, "all of it", 100.0, 100.0, one);
    say(&report, "more by 5 %", 105.0, 100.0, one);
    say(&report, "more by 20 %", 120.0, 100.0, one);
    report_headline(&report, "faster", (struct ratio){4.0, 3.0, 5.0, 9}, "A reason.");
    report_headline(&report, "slower", (struct ratio){0.25, 0.2, 0.3, 9}, "A reason.");
    report_headline(&report, "neither", (struct ratio){1.0, 0.9, 1.1, 9}, "A reason.");
    return report_end(&report);
}
