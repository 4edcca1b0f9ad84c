/* Draws two timelines whose picture and shares are known by hand, and writes the first
 * to the file that it is given. */
#include "timeline.h"

int main(int argc, char **argv) {
    struct timeline timeline = {.name = "by hand"}, empty = {.name = "empty"};
    const int host = timeline_row(&timeline, "host");
    const int device = timeline_row(&timeline, "device");
    timeline_add(&timeline, host, "prepare", 100.0, 104.0);
    timeline_add(&timeline, device, "compute", 104.0, 110.0);
    timeline_add(&timeline, device, "draw", 108.0, 112.0); /* overlaps by 2 ms */
    timeline_add(&timeline, host, "use", 112.0, 120.0);
    timeline_add(&timeline, host, "wink", 106.0, 106.1); /* too short to be seen */
    timeline_row(&empty, "nobody");

    timeline_draw(&timeline, stdout, 30, 30.0);
    timeline_draw(&empty, stdout, 30, 30.0);
    printf("%.1f ms, %.1f ms\n", timeline_ms(&timeline), timeline_ms(&empty));
    if (argc == 2)
        timeline_trace(&timeline, 1, argv[1]);
    timeline_free(&timeline);
    timeline_free(&empty);
    return 0;
}
