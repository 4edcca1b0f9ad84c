/* counts: gathers what the lanes of a warp do at one site, and counts it as one access.
 *
 * The bytes of all lanes are laid over a grid.  How many cells of 32 bytes they touch
 * is the number of sectors, how many of 128 bytes that of cache lines, and how many of
 * 4096 bytes that of pages.  What several lanes touch together is counted once.  The
 * passes over the banks of local memory, and of the L1 cache behind global loads, are
 * those of banks.h; besides, the L1 looks up four lines at a time.
 *
 * Constant memory is served by a cache of its own, one address of four bytes at a time:
 * what all lanes read together costs one, what each reads for itself, as many.
 *
 * Sources: NVIDIA, CUDA C++ Best Practices Guide, on coalesced access to global memory
 * (32-byte transactions), and on constant memory ("the cost scales linearly with the
 * number of unique addresses read by all threads within a warp"); of the L1, what
 * tests/peers/banks.sh measures. */
#include "counts.h"
#include "banks.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Lines that the L1 looks up at a time. */
enum { LOOKUPS = 4 };

static bool begin(struct observer *self) {
    struct counts *counts = (struct counts *)self;
    const struct job *job = running.job;
    counts->site_count = job->code->site_count;
    counts->object_count = job->object_count;
    counts->block_count = job->code->block_count;
    counts->tallies = lens_allocate(counts->site_count * (counts->object_count + 1),
                                    sizeof *counts->tallies);
    counts->branches = lens_allocate(counts->block_count, sizeof *counts->branches);
    counts->watched_count = 0;
    return true;
}

static void divergence_free(struct divergence *divergence) {
    for (size_t i = 0; divergence && i < divergence->arm_count; i++)
        free(divergence->arms[i].blocks);
    if (divergence)
        free(divergence->arms);
    free(divergence);
}

void counts_end(struct counts *counts) {
    for (size_t i = 0; i < counts->site_count * (counts->object_count + 1); i++)
        if (counts->tallies[i]) {
            free(counts->tallies[i]->words);
            free(counts->tallies[i]);
        }
    for (size_t i = 0; i < counts->block_count; i++)
        divergence_free(counts->branches[i].divergence);
    free(counts->tallies);
    free(counts->branches);
    *counts = (struct counts){.site_count = 0};
}

/* ---- Memory. */
bool is_load(enum kind kind) {
    return kind == LOAD || kind == VOLATILE_LOAD;
}

static struct tally **cell_of(const struct counts *counts, size_t site, size_t object) {
    return &counts->tallies[site * (counts->object_count + 1) + object];
}

struct tally *tally_of(const struct counts *counts, size_t site, size_t object) {
    return *cell_of(counts, site, object);
}

/* Local memory is new to each group, so its counts begin again. */
static void begin_group(struct observer *self) {
    struct counts *counts = (struct counts *)self;
    const struct job *job = running.job;
    counts->watched_count = 0;
    for (size_t site = 0; site < job->code->site_count; site++)
        for (size_t i = 0; i < job->object_count; i++) {
            struct tally *tally = tally_of(counts, site, i);
            if (tally && tally->words && job->objects[i].space == LOCAL)
                memset(tally->words, 0,
                       (job->objects[i].bytes / WORD + 1) * sizeof *tally->words);
        }
}

static struct tally *tally_for(struct counts *counts, size_t site, size_t object) {
    struct tally **tally = cell_of(counts, site, object);
    if (!*tally)
        *tally = lens_allocate(1, sizeof **tally);
    return *tally;
}

uint64_t cells_touched(const struct touch *touches, size_t touch_count, size_t cell) {
    uint64_t count = 0, next = 0; /* the first that is not counted yet */
    for (size_t i = 0; i < touch_count; i++) {
        const struct touch *touch = &touches[i];
        const uint64_t end = (touch->offset + touch->bytes - 1) / cell + 1;
        uint64_t begin = touch->offset / cell;
        begin = begin < next ? next : begin;
        count += end > begin ? end - begin : 0;
        next = end > next ? end : next;
    }
    return count;
}

static uint64_t at_one_address(const struct touch *touches, size_t count) {
    uint64_t most = 0, run = 0;
    for (size_t i = 0; i < count; i++) {
        run = i && touches[i].offset == touches[i - 1].offset ? run + 1 : 1;
        most = run > most ? run : most;
    }
    return most;
}

bool is_worse(struct cost one, struct cost other) {
    const uint64_t a = one.is * other.ideal, b = other.is * one.ideal;
    return one.ideal && (a > b || !other.ideal || (a == b && one.is > other.is));
}

static void keep(struct example *example, const struct warp_access *access) {
    *example = (struct example){.lane_count = access->lane_count};
    memcpy(example->lanes, access->lanes, access->lane_count * sizeof *access->lanes);
    if (access->texel_count > 0) { /* of an image */
        example->sectors = cells_touched(access->texels, access->texel_count, SECTOR);
        example->used = cells_touched(access->texels, access->texel_count, 1);
    }
}

static void keep_worst(struct worst *worst, struct cost cost,
                       const struct warp_access *access) {
    if (is_worse(cost, worst->cost)) {
        worst->cost = cost;
        keep(&worst->lanes, access);
    }
}

static void count_operation(struct tally *tally, struct word_use *word,
                            uint32_t group) {
    word->groups += word->last_group != group;
    word->last_group = group;
    if (++word->operations > tally->most) {
        tally->most = word->operations;
        tally->most_groups = word->groups;
    }
}

static void count_operations(struct tally *tally, const struct warp_access *access,
                             const struct object *object) {
    const uint64_t together = at_one_address(access->lanes, access->lane_count);
    const uint32_t group = (uint32_t)running.outcome.groups_replayed + 1; /* 0: none */
    if (!tally->words)
        tally->words = lens_allocate(object->bytes / WORD + 1, sizeof *tally->words);
    for (unsigned i = 0; i < access->lane_count; i++)
        count_operation(tally, &tally->words[access->lanes[i].offset / WORD], group);
    assert(together <= access->lane_count);
    tally->same += together;
    keep_worst(&tally->collision, (struct cost){together, 1}, access);
}

static uint64_t rounded_up(uint64_t number, uint64_t unit) {
    return (number + unit - 1) / unit;
}

static struct cost cost_in_passes(const struct touch *touches, size_t count,
                                  enum kind kind) {
    const struct passes passes = banks_passes(touches, count, is_load(kind));
    assert(passes.ideal <= passes.is);
    return (struct cost){passes.is, passes.ideal};
}

struct cost cost_in_l1(const struct touch *touches, size_t count) {
    const struct passes passes = banks_passes(touches, count, false);
    const uint64_t lookups = rounded_up(cells_touched(touches, count, LINE), LOOKUPS);
    return (struct cost){passes.is > lookups ? passes.is : lookups, passes.ideal};
}

static struct cost cost_in_sectors(const struct touch *touches, size_t count,
                                   uint64_t used) {
    return (struct cost){cells_touched(touches, count, SECTOR),
                         rounded_up(used, SECTOR)};
}

/* The ideal is that all lanes read what the longest of their reads has. */
static struct cost cost_in_addresses(const struct touch *touches, size_t count) {
    struct cost cost = {cells_touched(touches, count, WORD), 1};
    for (size_t i = 0; i < count; i++) {
        const uint64_t words = cells_touched(&touches[i], 1, WORD);
        cost.ideal = words > cost.ideal ? words : cost.ideal;
    }
    assert(cost.ideal <= cost.is);
    return cost;
}

struct access_cost access_cost(const struct touch *touches, size_t count,
                               enum space space, enum kind kind) {
    const uint64_t together = at_one_address(touches, count);
    if (space == LOCAL)
        return (struct access_cost){cost_in_passes(touches, count, kind), 0, together,
                                    LOCAL};
    if (space == CONSTANT)
        return (struct access_cost){cost_in_addresses(touches, count), 0, together,
                                    CONSTANT};
    const uint64_t used = cells_touched(touches, count, 1);
    return (struct access_cost){cost_in_sectors(touches, count, used), used, together,
                                GLOBAL};
}

static void add_passes(struct tally *tally, struct cost cost) {
    tally->passes += cost.is;
    tally->ideal_passes += cost.ideal;
}

static void count_passes(struct tally *tally, const struct warp_access *access,
                         enum kind kind) {
    const struct cost cost = cost_in_passes(access->lanes, access->lane_count, kind);
    add_passes(tally, cost);
    keep_worst(&tally->worst, cost, access);
}

static void count_addresses(struct tally *tally, const struct warp_access *access) {
    const struct cost cost = cost_in_addresses(access->lanes, access->lane_count);
    tally->addresses += cost.is;
    tally->ideal_addresses += cost.ideal;
    keep_worst(&tally->worst, cost, access);
}

static struct cost count_sectors(struct tally *tally, const struct touch *touches,
                                 size_t count) {
    const uint64_t used = cells_touched(touches, count, 1);
    const struct cost cost = cost_in_sectors(touches, count, used);
    const uint64_t lines = cells_touched(touches, count, LINE),
                   pages = cells_touched(touches, count, PAGE);
    assert(used <= cost.is * SECTOR && cost.ideal <= cost.is);
    assert(pages <= lines && lines <= cost.is); /* a sector lies in one line */
    tally->used += used;
    tally->sectors += cost.is;
    tally->ideal_sectors += cost.ideal;
    tally->lines += lines;
    tally->pages += pages;
    return cost;
}

/* A texel that several lanes read, or that one reads twice, is one of the different
 * ones.  `texels` are in the order of their offsets. */
static void count_texels(struct tally *tally, const struct warp_access *access) {
    const struct touch *texels = access->texels;
    for (size_t i = 0; i < access->texel_count; i++)
        tally->different_texels += i == 0 || texels[i].offset != texels[i - 1].offset;
    tally->texels += access->texel_count;
    keep_worst(&tally->worst, count_sectors(tally, texels, access->texel_count),
               access);
}

struct access_cost warp_access_cost(const struct warp_access *access) {
    const struct object *object = &running.job->objects[access->object];
    const enum kind kind = running.job->code->sites[access->site].kind;
    return object->image
               ? access_cost(access->texels, access->texel_count, GLOBAL, kind)
               : access_cost(access->lanes, access->lane_count, object->space, kind);
}

static void count(struct observer *self, const struct warp_access *access) {
    const struct object *object = &running.job->objects[access->object];
    const enum kind kind = running.job->code->sites[access->site].kind;
    struct tally *tally =
        tally_for((struct counts *)self, access->site, access->object);
    const struct touch *lanes = access->lanes;
    tally->accesses++;
    tally->lanes += access->lane_count;
    if (object->space == LOCAL)
        count_passes(tally, access, kind);
    else if (object->image)
        count_texels(tally, access);
    else if (object->space == CONSTANT)
        count_addresses(tally, access);
    else
        keep_worst(&tally->worst, count_sectors(tally, lanes, access->lane_count),
                   access);
    if (object->space == GLOBAL && !object->image && is_load(kind))
        add_passes(tally, cost_in_l1(lanes, access->lane_count));
    if (kind == ATOMIC)
        count_operations(tally, access, object);
    if (access->lane_count > tally->example.lane_count)
        keep(&tally->example, access);
}

static void count_barrier(struct observer *self, const struct arrivals *arrivals) {
    tally_for((struct counts *)self, arrivals->site, running.job->object_count)
        ->accesses++;
}

/* ---- Branches. */
/* The arm of these lanes that begins at this block.  One that is there already is
 * entered again, in the next round of a loop around it.  NULL: there are too many. */
static struct arm *arm_at(struct divergence *divergence, int block, uint64_t lanes) {
    for (size_t i = 0; i < divergence->arm_count; i++)
        if (divergence->arms[i].lanes == lanes &&
            divergence->arms[i].blocks->block == block) {
            divergence->current = i;
            return &divergence->arms[i];
        }
    divergence->current = divergence->arm_count;
    if (divergence->arm_count == MAX_ARMS) {
        divergence->left_out = true;
        return NULL;
    }
    struct arm *arm = GROW(divergence->arms, divergence->arm_count);
    *arm = (struct arm){.lanes = lanes};
    return arm;
}

static void record(struct divergence *divergence, int block, uint64_t lanes) {
    const size_t current = divergence->current;
    struct arm *arm =
        current < divergence->arm_count ? &divergence->arms[current] : NULL;
    if (!arm || arm->lanes != lanes)
        arm = arm_at(divergence, block, lanes);
    if (!arm)
        return;
    size_t i = 0;
    while (i < arm->block_count && arm->blocks[i].block != block)
        i++;
    if (i == arm->block_count) {
        (void)GROW(arm->blocks, arm->block_count);
        arm->blocks[i].block = block;
        arm->blocks[i].times = 0;
    }
    arm->blocks[i].times++;
}

static void follow(struct observer *self, int block, uint64_t lanes) {
    struct counts *counts = (struct counts *)self;
    for (size_t i = counts->watched_count; i-- > 0;) {
        const struct watched *watched = &counts->watched[i];
        struct divergence *divergence = watched->divergence;
        if (watched->warp != running.warp->number)
            continue;
        if (lanes != divergence->lanes) {
            record(divergence, block, lanes);
            continue;
        }
        divergence->reconverged = block;
        counts->watched[i] = counts->watched[--counts->watched_count];
    }
}

static void count_branch(struct observer *self, int block, uint64_t lanes,
                         bool diverges) {
    struct counts *counts = (struct counts *)self;
    enum { MAX_WATCHED = sizeof counts->watched / sizeof *counts->watched };
    struct branch_tally *branch = &counts->branches[block];
    branch->executions++;
    branch->diverged += diverges;
    if (!diverges || branch->divergence || counts->watched_count == MAX_WATCHED)
        return;
    branch->divergence = lens_allocate(1, sizeof *branch->divergence);
    *branch->divergence = (struct divergence){.lanes = lanes, .reconverged = EXIT};
    counts->watched[counts->watched_count++] =
        (struct watched){branch->divergence, running.warp->number};
}

struct counts counts_observer(void) {
    return (struct counts){.observer = {.launch = begin,
                                        .group = begin_group,
                                        .block = follow,
                                        .branch = count_branch,
                                        .together = count,
                                        .barrier = count_barrier}};
}
