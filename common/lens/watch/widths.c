/* widths: see widths.h. */
#include "widths.h"
#include "base/memory.h"
#include "replay/print.h"
#include "saved.h"

#include <stdlib.h>

struct run widths_run(const struct run *run, unsigned lanes) {
    struct run other = *run;
    char *before = lens_allocate(saved_bytes(&run->job) + 1, 1);
    saved_keep(&run->job, before);
    other.model.lanes = lanes;
    print_pause(true);
    run_launch(&other);
    print_pause(false);
    saved_put_back(&run->job, before);
    free(before);
    return other;
}
