/* Draws a roofline whose roofs and points are known by hand: roofs of 64 GB/s and 1024
 * GFLOP/s meet at 16 flop for each byte. */
#include "roofline.h"

int main(int argc, char **argv) {
    const struct options options = options_read(argc, argv, "step99_roofline", 1);
    const struct device device = {.name = "a device"};
    struct report report = report_start(&options, &device);
    struct roofline roofline = {.report = &report};
    const struct row low = {.variant = "low", .time = {.median_ms = 1.0}};
    const struct row high = {.variant = "high", .time = {.median_ms = 2.0}};

    roofline_draw(&roofline); /* nothing is measured yet */
    report.limits.copy = 64.0;
    report.limits.fma = 1024.0;
    roofline_add(&roofline, &low, 32e6, 32e6);   /* 1 flop/byte, 32 GFLOP/s */
    roofline_add(&roofline, &high, 1e6, 1024e6); /* 1024 flop/byte, 512 GFLOP/s */
    roofline_add(&roofline, &low, 128e6, 128e6); /* 128 GFLOP/s: from a cache */
    roofline_draw(&roofline);
    return report_end(&report);
}
