/* region: addresses are reserved; memory comes with the first write. */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "region.h"
#include "base/memory.h"

#include <sys/mman.h>

char *region_make(void) {
    char *all = mmap(NULL, 3 * (size_t)MAX_REGION, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED ||
        mprotect(all + MAX_REGION, MAX_REGION, PROT_READ | PROT_WRITE) != 0)
        lens_die("no addresses for a buffer" HINT "is `ulimit -v` set?");
    return all + MAX_REGION;
}
