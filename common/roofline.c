#include "roofline.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* One line for each factor of two, from the roof of arithmetic down; three columns for
 * each factor of two, from 1/16 flop per byte up. */
enum { LINES = 13, LOWEST = -4, OCTAVES = 20, EACH = 3, COLUMNS = OCTAVES * EACH + 1 };

void roofline_add(struct roofline *roofline, const struct row *row, double bytes,
                  double flops) {
    if (roofline->count < (int)(sizeof roofline->points / sizeof *roofline->points))
        roofline->points[roofline->count++] = (struct roofline_point){
            row->variant, flops / bytes, flops * 1e-6 / row->time.median_ms};
}

static int rounded_within(int min, double number, int max) {
    return number < min ? min : number > max ? max : (int)lround(number);
}

static int choose_line(const struct limits *limits, double rate) {
    return rounded_within(0, log2(limits->fma / rate), LINES - 1);
}

static double memory_feeds(const struct limits *limits, double intensity) {
    return limits->copy * intensity;
}

static void draw(const struct roofline *roofline, const struct limits *limits) {
    char lines[LINES][COLUMNS + 1];
    memset(lines, ' ', sizeof lines);
    for (int line = 0; line < LINES; line++)
        lines[line][COLUMNS] = '\0';
    for (int column = 0; column < COLUMNS; column++) {
        const double feeds = memory_feeds(limits, exp2(LOWEST + (double)column / EACH));
        if (feeds >= limits->fma)
            lines[0][column] = '=';
        else if (feeds > limits->fma * exp2(0.5 - LINES))
            lines[choose_line(limits, feeds)][column] = '.';
    }
    for (int i = 0; i < roofline->count; i++) {
        const struct roofline_point *point = &roofline->points[i];
        const double octaves = log2(point->intensity) - LOWEST;
        lines[choose_line(limits, point->rate)]
             [rounded_within(0, octaves * EACH, COLUMNS - 1)] = (char)('a' + i);
    }
    for (int line = 0; line < LINES; line++) {
        int end = COLUMNS;
        while (end > 0 && lines[line][end - 1] == ' ')
            end--;
        const double rate = limits->fma * exp2(-line);
        report_say(roofline->report, "%9.*f |%s%.*s",
                   rate<10.0, rate, end> 0 ? " " : "", end, lines[line]);
    }
    report_say(roofline->report, "  GFLOP/s +--------------------------------------"
                                 "------------------------");
    report_say(roofline->report, "          1/16  1/4   1     4     16    64    256   "
                                 "1024  4096  16384 flop per byte");
}

void roofline_draw(const struct roofline *roofline) {
    struct report *report = roofline->report;
    const struct limits *limits = &report->limits;
    if (limits->fma <= 0.0 || limits->copy <= 0.0) {
        report_say(report, "No roofline: make step00 run measures the roofs.");
        return;
    }
    report_say(report,
               "\nUnder the roofs of memory (%.4g GB/s) and arithmetic "
               "(%.5g GFLOP/s), with the ridge point at %.3g flop/byte:",
               limits->copy, limits->fma, limits->fma / limits->copy);
    draw(roofline, limits);
    for (int i = 0; i < roofline->count; i++) {
        const struct roofline_point *point = &roofline->points[i];
        const double feeds = memory_feeds(limits, point->intensity);
        const bool memory = feeds < limits->fma;
        const double share = 100.0 * point->rate / (memory ? feeds : limits->fma);
        char words[32];
        snprintf(words, sizeof words, share > 100.0 ? "above" : "%.3g %% of", share);
        report_say(report, "  %c  %-26s %8.*f flop/byte, %s the roof of %s", 'a' + i,
                   point->variant, point->intensity < 100.0 ? 2 : 0, point->intensity,
                   words, memory ? "memory" : "arithmetic");
    }
}
