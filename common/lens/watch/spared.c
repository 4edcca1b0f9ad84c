/* spared: see spared.h. */
#include "spared.h"
#include "banks.h"
#include "base/machine.h"
#include "counts.h"
#include "replay/running.h"

enum { WIDEST = 16 }; /* bytes of one load */

/* A number for each lane, all of them odd, and without a pattern in common.  (Source of
 * the constant: Knuth, The Art of Computer Programming, volume 2, section 3.3.4.) */
static uint64_t number_of(unsigned lane) {
    uint64_t number = (lane + 1) * 6364136223846793005u;
    number = (number ^ number >> 29) * 6364136223846793005u;
    return (number ^ number >> 32) | 1;
}

static struct load load_of(const struct warp_access *access) {
    static uint64_t numbers[MAX_LANES];
    struct load load = {.object = access->object, .bytes = access->lanes->bytes};
    for (unsigned i = MAX_LANES; !numbers[0] && i-- > 0;)
        numbers[i] = number_of(i);
    for (unsigned i = 0; i < access->lane_count; i++) {
        const uint64_t number = numbers[access->lanes[i].lane];
        load.places += number * access->lanes[i].offset;
        load.lanes += number;
    }
    return load;
}

static enum space space_of(unsigned object) {
    return running.job->objects[object].space;
}

/* As many passes as counts.c counts. */
static uint64_t passes_of(const struct touch *touches, size_t count, enum space space) {
    return space == LOCAL ? banks_passes(touches, count, true).is
                          : cost_in_l1(touches, count).is;
}

/* The load again. */
static struct saving left_out(const struct warp_access *access) {
    const enum space space = space_of(access->object);
    return (struct saving){
        .accesses = 1,
        .passes = passes_of(access->lanes, access->lane_count, space),
        .lines = space == GLOBAL
                     ? cells_touched(access->lanes, access->lane_count, LINE)
                     : 0};
}

/* Is each lane's place a multiple of so many bytes, where the joined load begins? */
static bool is_aligned(const struct warp_access *access, size_t before, size_t bytes) {
    uint64_t bits = 0;
    for (unsigned i = 0; i < access->lane_count; i++)
        bits |= access->lanes[i].offset - before;
    return bits % bytes == 0;
}

/* Passes of one load of `bytes` bytes that begins so many before this access. */
static uint64_t passes_from(const struct warp_access *access, size_t before,
                            size_t bytes) {
    struct touch touches[MAX_LANES];
    for (unsigned i = 0; i < access->lane_count; i++) {
        touches[i] = access->lanes[i];
        touches[i].offset -= before;
        touches[i].bytes = bytes;
    }
    return passes_of(touches, access->lane_count, space_of(access->object));
}

/* What is saved if this access and the ones before it, of `before` bytes, are one. */
static struct saving join(struct spared *spared, const struct warp_access *access,
                          size_t before) {
    const uint64_t together =
        passes_from(access, before, before + access->lanes->bytes);
    const uint64_t saved = spared->passes > together ? spared->passes - together : 0;
    struct saving saving = {.accesses = 1};
    saving.passes = saved > spared->saved ? saved - spared->saved : 0;
    if (space_of(access->object) == GLOBAL) /* its lines are those of the others */
        saving.lines = cells_touched(access->lanes, access->lane_count, LINE);
    spared->saved += saving.passes;
    return saving;
}

/* Does a load go on where the joined ones end? */
static bool goes_on(const struct load *joined, const struct load *load) {
    return joined->bytes > 0 && joined->object == load->object &&
           joined->lanes == load->lanes &&
           load->places == joined->places + joined->bytes * joined->lanes &&
           joined->bytes + load->bytes <= WIDEST;
}

static struct saving try_to_join(struct spared *spared,
                                 const struct warp_access *access,
                                 const struct load *load) {
    struct load *joined = &spared->joined;
    const size_t before = joined->bytes, bytes = load->bytes;
    const size_t wanted = before == bytes ? 2 * bytes : 4 * bytes;
    if (!goes_on(joined, load) || !is_aligned(access, before, wanted)) {
        *joined = *load;
        return (struct saving){.accesses = 0};
    }
    if (before == bytes) { /* it is the second one */
        spared->passes = passes_from(access, before, bytes);
        spared->saved = 0;
    }
    joined->bytes += bytes;
    spared->passes += passes_from(access, 0, bytes);
    if (joined->bytes == 3 * bytes) /* of four that are to be one */
        return (struct saving){.accesses = 0};
    struct saving saving = join(spared, access, before);
    saving.accesses += joined->bytes == 4 * bytes;
    return saving;
}

static bool is_kept(struct spared *spared, const struct load *load) {
    struct load *kept = &spared->kept[(load->places >> 8 ^ load->object) % KEPT_LOADS];
    const bool found = kept->places == load->places && kept->lanes == load->lanes &&
                       kept->object == load->object && kept->bytes == load->bytes &&
                       kept->stores == load->stores;
    *kept = *load;
    return found;
}

/* Forgets what was loaded from such memory. */
static void forget(struct spared *spared, enum space space) {
    spared->stores[space == LOCAL]++;
    if (spared->joined.bytes > 0 && space_of(spared->joined.object) == space)
        spared->joined.bytes = 0;
}

struct saving spared_access(struct spared *spared, const struct warp_access *access) {
    const enum kind kind = running.job->code->sites[access->site].kind;
    const enum space space = space_of(access->object);
    if (space != LOCAL && space != GLOBAL)
        return (struct saving){.accesses = 0};
    if (kind != LOAD) {
        forget(spared, space);
        return (struct saving){.accesses = 0};
    }
    struct load load = load_of(access);
    load.stores = spared->stores[space == LOCAL];
    if (is_kept(spared, &load))
        return left_out(access);
    return try_to_join(spared, access, &load);
}

void spared_block(struct spared *spared) {
    if (spared->joined.bytes > 0 && space_of(spared->joined.object) == GLOBAL)
        spared->joined.bytes = 0;
}

void spared_barrier(struct spared *spared) {
    forget(spared, GLOBAL);
    forget(spared, LOCAL);
}
