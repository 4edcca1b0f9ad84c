/* Rows of rectangles, one for each span; all timelines begin at the left, and have one
 * scale. */
#define _GNU_SOURCE /* open_memstream */
#include "pictures/timeline_svg.h"

#include "check.h"
#include "data.h"
#include "text/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 960, LEFT = 120, FULL = 720 };
enum { ROW = 22, BAR = 16, HEADING = 34, LETTER = 8, LABEL = 180 };
enum { MAX_ROWS = 16, MAX_TICKS = 8, COLORS = 8, MAX_KEYS = 16 };

/* Pixels: narrower spans, and narrower gaps, cannot be seen apart. */
static const double NARROW = 0.5, GAP = 1.0;

/* The colours c0 to c7 differ for colour-blind readers, too (Okabe and Ito, 2008). */
static const char light[] =
    ".tick{stroke:#bbb}.edge{stroke:#fff;stroke-width:.6}.end{text-anchor:end}"
    ".key{fill:#666}.tag{text-anchor:middle;fill:#000;pointer-events:none}"
    ".axis{text-anchor:middle;fill:#666}\n"
    ".c0{fill:#56b4e9}.c1{fill:#e69f00}.c2{fill:#009e73}.c3{fill:#cc79a7}"
    ".c4{fill:#f0e442}.c5{fill:#d55e00}.c6{fill:#4b8fdc}.c7{fill:#999}";
static const char dark[] =
    ".tick{stroke:#555}.edge{stroke:#111}.key,.axis{fill:#999}.tag{fill:#000}";

/* The whole is written at the end, when its height is known. */
struct svg {
    FILE *body;
    int y;              /* where the next part begins */
    double scale;       /* pixels for a millisecond */
    double narrow_ms;   /* spans that are shorter may share a rectangle */
    const char **names; /* of spans, in the order of their colours */
    size_t name_count;
};

static size_t name_index(struct svg *svg, const char *name) {
    size_t i = 0;
    while (i < svg->name_count && strcmp(svg->names[i], name) != 0)
        i++;
    if (i == svg->name_count)
        *GROW(svg->names, svg->name_count) = name;
    return i;
}

/* In a unit that suits it. */
static void duration_text(char text[32], double ms) {
    if (ms < 1.0 && ms > 0.0)
        snprintf(text, 32, "%.4g us", ms * 1e3);
    else
        snprintf(text, 32, ms < 1000.0 ? "%.4g ms" : "%.0f ms", ms);
}

/* A rectangle; some spans that are too narrow to be told apart may share it. */
struct bar {
    const char *name;
    double start_ms, end_ms, busy_ms;
    size_t spans;
};

/* Draws a bar, with its name in it if there is room. */
static void svg_bar(struct svg *svg, const struct bar *bar, double begin_ms) {
    const double x = LEFT + (bar->start_ms - begin_ms) * svg->scale;
    const double width = fmax((bar->end_ms - bar->start_ms) * svg->scale, NARROW);
    const int length = (int)strlen(bar->name);
    char duration[32], count[32] = "";
    duration_text(duration, bar->busy_ms);
    if (bar->spans > 1)
        snprintf(count, sizeof count, " %zu times", bar->spans);
    fprintf(svg->body,
            "<rect class=\"c%zu%s\" x=\"%.4g\" y=\"%d\" width=\"%.4g\" height=\"%d\">"
            "<title>",
            name_index(svg, bar->name) % COLORS, width > 3.0 ? " edge" : "", x, svg->y,
            width, BAR);
    svg_escaped(svg->body, bar->name);
    fprintf(svg->body, "%s, %s</title></rect>\n", count, duration);
    if (width >= LETTER * length + 4)
        svg_text(svg->body, x + 0.5 * width, svg->y + 12, " class=\"tag\"", bar->name);
}

/* The bar of the same name that ends less than `gap_ms` before a span, among the last
 * few; NULL if there is none. */
static struct bar *bar_before(struct bar *bars, size_t count, const struct span *span,
                              double gap_ms) {
    for (size_t i = count; i > 0 && count - i < COLORS; i--) {
        struct bar *bar = &bars[i - 1];
        if (strcmp(bar->name, span->name) == 0)
            return span->start_ms - bar->end_ms < gap_ms ? bar : NULL;
    }
    return NULL;
}

/* The bars of a row: a narrow span joins its neighbour of the same name, so that files
 * stay small; but a gap that can be seen stays. */
static struct bar *bars_of(const struct svg *svg, const struct timeline *timeline,
                           int row, size_t *bar_count) {
    const double narrow_ms = NARROW / svg->scale, gap_ms = GAP / svg->scale;
    size_t count;
    struct span *spans = timeline_sorted(timeline, row, &count);
    struct bar *bars = NULL;
    *bar_count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct span *span = &spans[i];
        const double ms = span->end_ms - span->start_ms;
        struct bar *before = bar_before(bars, *bar_count, span, gap_ms);
        if (before && ms < narrow_ms) {
            before->end_ms = fmax(before->end_ms, span->end_ms);
            before->busy_ms += ms;
            before->spans++;
        } else {
            *GROW(bars, *bar_count) =
                (struct bar){span->name, span->start_ms, span->end_ms, ms, 1};
        }
    }
    free(spans);
    return bars;
}

static void svg_row(struct svg *svg, const struct timeline *timeline, int row) {
    const char *name = timeline->rows[row];
    char idle[32], style[64];
    snprintf(style, sizeof style, " class=\"end\" font-size=\"%.3g\"",
             fmin(13.0, LABEL / (double)strlen(name)));
    svg_text(svg->body, LEFT - 8, svg->y + 12, style, name);
    snprintf(idle, sizeof idle, "idle %.1f %%", 100.0 * timeline_idle(timeline, row));
    svg_text(svg->body, WIDTH - 10, svg->y + 12, " class=\"end\"", idle);
    fprintf(svg->body,
            "<rect class=\"idle\" x=\"%d\" y=\"%d\" width=\"%.4g\" height=\"%d\"/>\n",
            LEFT, svg->y, timeline_ms(timeline) * svg->scale, BAR);

    size_t count;
    struct bar *bars = bars_of(svg, timeline, row, &count);
    for (size_t i = 0; i < count; i++)
        svg_bar(svg, &bars[i], timeline_first_ms(timeline));
    free(bars);
    svg->y += ROW;
}

static void svg_timeline(struct svg *svg, const struct timeline *timeline) {
    char text[64];
    svg->y += HEADING;
    svg_text(svg->body, 10, svg->y - 8, " font-weight=\"bold\"", timeline->name);
    duration_text(text, timeline_ms(timeline));
    svg_text(svg->body, WIDTH - 10, svg->y - 8, " class=\"end\" font-weight=\"bold\"",
             text);
    const int rows = (int)timeline->row_count;
    for (int row = 0; row < rows && row < MAX_ROWS; row++)
        svg_row(svg, timeline, row);
    if (rows > MAX_ROWS) {
        snprintf(text, sizeof text, "and %d more row%s", rows - MAX_ROWS,
                 rows == MAX_ROWS + 1 ? "" : "s");
        svg_text(svg->body, LEFT, svg->y + 12, " class=\"key\"", text);
        svg->y += ROW;
    }
}

/* The next of 1, 2, 5, 10, ... from which there are few enough ticks. */
static double tick_of(double full) {
    double tick = pow(10.0, floor(log10(full / MAX_TICKS)));
    for (int i = 0; full / tick > MAX_TICKS && i < 3; i++)
        tick *= i == 1 ? 2.5 : 2.0;
    return tick;
}

/* Lines through all timelines, and the time below them. */
static void svg_axis(struct svg *svg, double full_ms) {
    const double unit = full_ms < 1.0 ? 1e3 : 1.0, full = full_ms * unit;
    const double tick = full > 0.0 ? tick_of(full) : 1.0;
    for (int i = 0; i * tick <= full * 1.0001; i++) {
        const double x = LEFT + i * tick / unit * svg->scale;
        char text[32];
        fprintf(svg->body,
                "<path class=\"tick\" d=\"M%.4g %dV%d\" stroke-dasharray=\"2 4\"/>\n",
                x, HEADING, svg->y + 4);
        snprintf(text, sizeof text, "%g %s", i * tick, unit > 1.0 ? "us" : "ms");
        svg_text(svg->body, x, svg->y + 18, " class=\"axis\"", text);
    }
    svg->y += 28;
}

/* Which colour is which name, as far as there are colours twice over. */
static void svg_keys(struct svg *svg) {
    int x = LEFT;
    for (size_t i = 0; i < svg->name_count && i <= MAX_KEYS; i++) {
        const char *name = i < MAX_KEYS ? svg->names[i] : "...";
        const int width = 24 + LETTER * (int)strlen(name) + 16;
        if (x + width > WIDTH && x > LEFT) {
            x = LEFT;
            svg->y += ROW;
        }
        if (i < MAX_KEYS)
            fprintf(svg->body, "<path class=\"c%zu\" d=\"M%d %dh%dv%dh-%dz\"/>\n",
                    i % COLORS, x, svg->y, BAR, BAR, BAR);
        svg_text(svg->body, x + 22, svg->y + 12, " class=\"key\"", name);
        x += width;
    }
    svg->y += ROW;
}

void timeline_svg(const struct timeline *timelines, int count, FILE *out) {
    char *text;
    size_t bytes;
    struct svg svg = {.body = open_memstream(&text, &bytes), .scale = 1.0};
    if (!svg.body)
        die("no memory for the picture" HINT "end other programs, and try again");
    double full_ms = 0.0;
    for (int i = 0; i < count; i++)
        full_ms = fmax(full_ms, timeline_ms(&timelines[i]));
    if (full_ms > 0.0)
        svg.scale = FULL / full_ms;
    for (int i = 0; i < count; i++)
        svg_timeline(&svg, &timelines[i]);
    svg_axis(&svg, full_ms);
    svg_keys(&svg);
    fclose(svg.body);
    const unsigned height = (unsigned)svg.y + 10;
    svg_begin(out, (struct svg_head){WIDTH, height, true, light, dark});
    fputs(text, out);
    fputs(SVG_END, out);
    free(text);
    free(svg.names);
}
