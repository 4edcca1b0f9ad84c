/* Draws two timelines whose picture and shares are known by hand, and writes them, and
 * one that is too much for a picture, to the file that it is given. */
#include "pictures/timeline.h"

/* 500 spans that are too narrow to be told apart, and twenty rows.  They do not last
 * as long as the timeline by hand: the scale is that one's. */
static void fill(struct timeline *crowd) {
    for (int row = 0; row < 20; row++)
        timeline_row(crowd, "a row whose name is long");
    for (int i = 0; i < 500; i++)
        timeline_add(crowd, 3, i % 2 ? "odd" : "even", 50.0 + 0.01 * i,
                     50.005 + 0.01 * i);
}

int main(int argc, char **argv) {
    struct timeline timeline = {.name = "by hand"}, empty = {.name = "empty"};
    const int host = timeline_row(&timeline, "host");
    const int device = timeline_row(&timeline, "device");
    timeline_add(&timeline, host, "prepare", 100.0, 104.0);
    timeline_add(&timeline, device, "compute", 104.0, 110.0);
    timeline_add(&timeline, device, "draw", 108.0, 112.0); /* overlaps by 2 ms */
    timeline_add(&timeline, host, "use", 112.0, 120.0);
    timeline_add(&timeline, host, "<wink> & so on", 106.0,
                 106.1); /* too short to be seen */
    timeline_row(&empty, "unused");

    timeline_draw(&timeline, stdout, 30, 30.0);
    timeline_draw(&empty, stdout, 30, 30.0);
    printf("%.1f ms, %.1f ms\n", timeline_ms(&timeline), timeline_ms(&empty));
    if (argc == 2) {
        struct timeline all[] = {timeline, empty, {.name = "crowd"}};
        fill(&all[2]);
        timeline_write(all, 3, argv[1]);
        timeline_free(&all[2]);
    }
    timeline_free(&timeline);
    timeline_free(&empty);
    return 0;
}
