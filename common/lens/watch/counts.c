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
#include "base/machine.h"
#include "base/memory.h"
#include "recording.h"
#include "settings.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Lines that the L1 looks up at a time. */
enum { LOOKUPS = 4 };

/* What lanes do at this moment, by site; and the divergences that are being recorded.
 */
struct gathered {
    unsigned site, object;
    struct example lanes;
    struct touch *texels; /* of an image: all that the lanes read or write */
    size_t texel_count;
};

static struct {
    struct gathered *sites; /* `room` of them, of which `site_count` are in use */
    size_t site_count, room;
    struct recording {
        struct divergence *divergence;
        unsigned warp;
    } recordings[8];
    size_t recording_count;
} recent;

void counts_begin(struct replay *replay) {
    const struct code *code = replay->code;
    replay->tallies = lens_allocate(code->site_count * (replay->object_count + 1),
                                    sizeof *replay->tallies);
    replay->branches = lens_allocate(code->block_count, sizeof *replay->branches);
    recent.site_count = recent.recording_count = 0;
}

static void divergence_free(struct divergence *divergence) {
    for (size_t i = 0; divergence && i < divergence->arm_count; i++)
        free(divergence->arms[i].blocks);
    if (divergence)
        free(divergence->arms);
    free(divergence);
}

void counts_end(struct replay *replay) {
    for (size_t i = 0; i < replay->code->site_count * (replay->object_count + 1); i++)
        if (replay->tallies[i]) {
            free(replay->tallies[i]->words);
            free(replay->tallies[i]);
        }
    for (size_t i = 0; i < replay->code->block_count; i++)
        divergence_free(replay->branches[i].divergence);
    free(replay->tallies);
    free(replay->branches);
}

/* ---- Memory. */
bool is_load(enum kind kind) {
    return kind == LOAD || kind == VOLATILE_LOAD;
}

struct tally *tally_of(const struct replay *replay, size_t site, size_t object) {
    return replay->tallies[site * (replay->object_count + 1) + object];
}

/* Local memory is new to each group, so its counts begin again. */
void counts_group(struct replay *replay) {
    assert(recent.site_count == 0); /* all that lanes did is counted */
    recent.recording_count = 0;
    if (settings->all_sizes)
        return; /* nothing is counted */
    for (size_t site = 0; site < replay->code->site_count; site++)
        for (size_t i = 0; i < replay->object_count; i++) {
            struct tally *tally = tally_of(replay, site, i);
            if (tally && tally->words && replay->objects[i].space == LOCAL)
                memset(tally->words, 0,
                       (replay->objects[i].bytes / WORD + 1) * sizeof *tally->words);
        }
}

static struct tally *tally_for(struct replay *replay, size_t site, size_t object) {
    struct tally **tally = &replay->tallies[site * (replay->object_count + 1) + object];
    if (!*tally)
        *tally = lens_allocate(1, sizeof **tally);
    return *tally;
}

static struct gathered *gathered_at(const struct replay *replay, unsigned site,
                                    unsigned object) {
    for (size_t i = 0; i < recent.site_count; i++)
        if (recent.sites[i].site == site && recent.sites[i].object == object)
            return &recent.sites[i];
    assert(site < replay->code->site_count && object < replay->object_count);
    if (recent.site_count == recent.room)
        *GROW(recent.sites, recent.room) = (struct gathered){.site = 0};
    struct gathered *new = &recent.sites[recent.site_count++];
    new->site = site;
    new->object = object;
    new->lanes.lane_count = 0;
    new->texel_count = 0;
    return new;
}

static void add_lane(struct example *lanes, struct touch touch) {
    unsigned i = lanes->lane_count++;
    for (; i > 0 && lanes->lanes[i - 1].offset > touch.offset; i--)
        lanes->lanes[i] = lanes->lanes[i - 1]; /* sorted */
    lanes->lanes[i] = touch;
}

void count_access(const struct replay *replay, const struct access *access) {
    struct gathered *here = gathered_at(replay, access->site, access->object);
    const struct object *object = &replay->objects[access->object];
    const struct touch touch = {access->address - (uintptr_t)object->base,
                                access->bytes, access->lane};
    const size_t texels = here->texel_count;
    if (object->image)
        *GROW(here->texels, here->texel_count) = touch;
    if (texels == 0 || here->texels[texels - 1].lane != touch.lane)
        add_lane(&here->lanes, touch);
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

static void keep_worst(struct worst *worst, struct cost cost,
                       const struct example *lanes) {
    if (is_worse(cost, worst->cost))
        *worst = (struct worst){cost, *lanes};
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

static void count_operations(const struct replay *replay, struct tally *tally,
                             const struct example *lanes, const struct object *object) {
    const uint64_t together = at_one_address(lanes->lanes, lanes->lane_count);
    const uint32_t group = (uint32_t)replay->groups_replayed + 1; /* 0: none */
    if (!tally->words)
        tally->words = lens_allocate(object->bytes / WORD + 1, sizeof *tally->words);
    for (unsigned i = 0; i < lanes->lane_count; i++)
        count_operation(tally, &tally->words[lanes->lanes[i].offset / WORD], group);
    assert(together <= lanes->lane_count);
    tally->same += together;
    keep_worst(&tally->collision, (struct cost){together, 1}, lanes);
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

static void count_passes(struct tally *tally, const struct example *lanes,
                         enum kind kind) {
    const struct cost cost = cost_in_passes(lanes->lanes, lanes->lane_count, kind);
    add_passes(tally, cost);
    keep_worst(&tally->worst, cost, lanes);
}

static void count_addresses(struct tally *tally, const struct example *lanes) {
    const struct cost cost = cost_in_addresses(lanes->lanes, lanes->lane_count);
    tally->addresses += cost.is;
    tally->ideal_addresses += cost.ideal;
    keep_worst(&tally->worst, cost, lanes);
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

static int by_offset(const void *one, const void *other) {
    const struct touch *a = one, *b = other;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* A texel that several lanes read, or that one reads twice, is one of the different
 * ones. */
static void count_texels(struct tally *tally, struct gathered *here) {
    qsort(here->texels, here->texel_count, sizeof *here->texels, by_offset);
    for (size_t i = 0; i < here->texel_count; i++)
        tally->different_texels +=
            i == 0 || here->texels[i].offset != here->texels[i - 1].offset;
    tally->texels += here->texel_count;
    const struct cost cost = count_sectors(tally, here->texels, here->texel_count);
    here->lanes.sectors = cost.is;
    here->lanes.used = cells_touched(here->texels, here->texel_count, 1);
    keep_worst(&tally->worst, cost, &here->lanes);
}

static void record_access(const struct replay *replay, const struct gathered *here) {
    const struct object *object = &replay->objects[here->object];
    const struct example *lanes = &here->lanes;
    const enum kind kind = replay->code->sites[here->site].kind;
    const struct access_cost cost =
        object->image
            ? access_cost(here->texels, here->texel_count, GLOBAL, kind)
            : access_cost(lanes->lanes, lanes->lane_count, object->space, kind);
    recording_access(replay, here->site, here->object, lanes, cost);
}

void count_accesses(struct replay *replay) {
    for (size_t i = 0; i < recent.site_count; i++) {
        struct gathered *here = &recent.sites[i];
        const struct example *lanes = &here->lanes;
        const struct object *object = &replay->objects[here->object];
        const enum kind kind = replay->code->sites[here->site].kind;
        struct tally *tally = tally_for(replay, here->site, here->object);
        assert(0 < lanes->lane_count && lanes->lane_count <= settings->lanes);
        tally->accesses++;
        tally->lanes += lanes->lane_count;
        if (object->space == LOCAL)
            count_passes(tally, lanes, kind);
        else if (object->image)
            count_texels(tally, here);
        else if (object->space == CONSTANT)
            count_addresses(tally, lanes);
        else
            keep_worst(&tally->worst,
                       count_sectors(tally, lanes->lanes, lanes->lane_count), lanes);
        if (object->space == GLOBAL && !object->image && is_load(kind))
            add_passes(tally, cost_in_l1(lanes->lanes, lanes->lane_count));
        if (kind == ATOMIC)
            count_operations(replay, tally, lanes, object);
        if (lanes->lane_count > tally->example.lane_count)
            tally->example = *lanes;
        if (settings->html)
            record_access(replay, here);
    }
    recent.site_count = 0;
}

void count_barrier(struct replay *replay, size_t site) {
    replay->barriers++;
    if (settings->html)
        recording_open((unsigned)site);
    tally_for(replay, site, replay->object_count)->accesses++;
}

/* ---- Branches. */
static unsigned lanes_in(uint64_t lanes) {
    return (unsigned)__builtin_popcountll(lanes);
}

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

void count_block(struct replay *replay, int block, unsigned warp, uint64_t lanes) {
    const uint64_t instructions = replay->code->blocks[block].instructions;
    assert(lanes != 0);
    replay->lane_steps += lanes_in(lanes);
    replay->instructions += instructions;
    replay->lane_instructions += instructions * lanes_in(lanes);
    if (settings->html)
        recording_block(warp, lanes, (unsigned)instructions);
    for (size_t i = recent.recording_count; i-- > 0;) {
        const struct recording *recording = &recent.recordings[i];
        struct divergence *divergence = recording->divergence;
        if (recording->warp != warp)
            continue;
        if (lanes != divergence->lanes) {
            record(divergence, block, lanes);
            continue;
        }
        divergence->reconverged = block;
        recent.recordings[i] = recent.recordings[--recent.recording_count];
    }
}

void count_branch(struct replay *replay, int block, unsigned warp, uint64_t lanes,
                  bool diverges) {
    enum { MAX_RECORDINGS = sizeof recent.recordings / sizeof *recent.recordings };
    struct branch_tally *branch = &replay->branches[block];
    branch->executions++;
    branch->diverged += diverges;
    if (settings->html)
        recording_branch(block, lanes, diverges);
    if (!diverges || branch->divergence || settings->all_sizes ||
        recent.recording_count == MAX_RECORDINGS)
        return;
    branch->divergence = lens_allocate(1, sizeof *branch->divergence);
    *branch->divergence = (struct divergence){.lanes = lanes, .reconverged = EXIT};
    recent.recordings[recent.recording_count++] =
        (struct recording){branch->divergence, warp};
}
