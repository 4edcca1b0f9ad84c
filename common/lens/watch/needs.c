/* needs: adds up, group by group, what demands.c makes least/demand.h of. */
#include "needs.h"
#include "banks.h"
#include "base/machine.h"
#include "base/memory.h"
#include "counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bits of a sector: who touched it, and who read it, by part; and whether the group
 * that runs has stored to it. */
enum { READ_SHIFT = PARTS, STORED = 1 << 2 * PARTS };
enum { PAIR = (1 << HALVES) - 1, ANYWHERE = (1 << PARTS) - 1 };

/* ---- The beginning and the end. */

/* As least.c counts instructions, for one block. */
static double least_of_block(const struct effort *effort) {
    const unsigned *work = effort->work;
    const double added = fmax(work[WORK_ADD], work[WORK_MULTIPLY]);
    return work[WORK_FMA] + added + work[WORK_DOUBLE] + work[WORK_SPECIAL] +
           work[WORK_WHOLE] / (double)WHOLE_IN_ONE;
}

static bool begin(struct observer *self) {
    struct needs *needs = (struct needs *)self;
    const struct job *job = running.job;
    needs->object_count = job->object_count;
    needs->block_count = job->code->block_count;
    needs->lanes = running.model->lanes;
    needs->traces = lens_allocate(job->object_count + 1, sizeof *needs->traces);
    needs->least = lens_allocate(needs->block_count + 1, sizeof *needs->least);
    for (size_t b = 0; b < needs->block_count; b++)
        needs->least[b] = least_of_block(&job->code->blocks[b].effort);
    for (int p = 0; p < PARTS; p++) {
        needs->parts[p].executions =
            lens_allocate(needs->block_count + 1, sizeof(uint64_t));
        needs->parts[p].fewest = INFINITY;
    }
    return true;
}

void needs_end(struct needs *needs) {
    for (size_t o = 0; o < needs->object_count; o++) {
        free(needs->traces[o].sectors);
        free(needs->traces[o].pieces);
        for (int p = 0; p < PARTS; p++)
            free(needs->traces[o].words[p]);
    }
    for (int p = 0; p < PARTS; p++)
        free(needs->parts[p].executions);
    free(needs->traces);
    free(needs->least);
    free(needs->warps);
    free(needs->stored);
    *needs = (struct needs){.block_count = 0};
}

/* ---- Groups. */

/* 0, 1, 1, 0 ...: groups with even numbers are in both halves. */
static unsigned half_of(unsigned turn) {
    return (turn ^ turn >> 1) % HALVES;
}

static void begin_group(struct observer *self) {
    struct needs *needs = (struct needs *)self;
    needs->part = running.group == 0 ? FIRST_GROUP
                  : running.group == running.outcome.groups - 1
                      ? LAST_GROUP
                      : half_of(needs->turn++);
    needs->began = needs->moved;
    needs->stored_count = 0;
    if (needs->warp_room < running.warp_count) {
        free(needs->warps);
        needs->warps = lens_allocate(running.warp_count, sizeof *needs->warps);
        needs->warp_room = running.warp_count;
    }
    memset(needs->warps, 0, running.warp_count * sizeof *needs->warps);
}

/* What was counted of all accesses so far; of which the last group's part is new. */
static struct sums_of_accesses sums_so_far(const struct counts *counts) {
    struct sums_of_accesses sums = {.accesses = 0};
    const struct job *job = running.job;
    for (size_t site = 0; site < counts->site_count; site++)
        for (size_t o = 0; o < counts->object_count; o++) {
            const struct tally *tally = tally_of(counts, site, o);
            if (!tally)
                continue;
            const enum space space = job->objects[o].space;
            const bool is_global = space == GLOBAL;
            /* (An instruction can read a constant without loading it.) */
            sums.accesses += space == CONSTANT ? 0 : tally->accesses;
            sums.global_accesses += is_global ? tally->accesses : 0;
            *(is_global ? &sums.l1_passes : &sums.local_passes) += tally->passes;
            if (job->code->sites[site].kind != ATOMIC)
                sums.lines += is_global ? tally->lines : 0;
        }
    return sums;
}

static void add_accesses(struct needs *needs, struct needs_part *part) {
    const struct sums_of_accesses before = needs->sums,
                                  now = sums_so_far(needs->counts);
    part->accesses += (double)(now.accesses - before.accesses);
    part->global_accesses += (double)(now.global_accesses - before.global_accesses);
    part->l1_passes += (double)(now.l1_passes - before.l1_passes);
    part->local_passes += (double)(now.local_passes - before.local_passes);
    part->lines += (double)(now.lines - before.lines);
    needs->sums = now;
}

static void end_group(struct observer *self) {
    struct needs *needs = (struct needs *)self;
    struct needs_part *part = &needs->parts[needs->part];
    add_accesses(needs, part);
    double instructions = 0.0;
    for (unsigned w = 0; w < running.warp_count; w++) {
        const struct warp_needs *warp = &needs->warps[w];
        instructions += warp->instructions;
        needs->longest = fmax(needs->longest, warp->instructions);
        if (work_length(warp->waits, warp->waits_loads) >
            work_length(needs->waits, needs->waits_loads)) {
            needs->waits = warp->waits;
            needs->waits_loads = warp->waits_loads;
        }
    }
    for (size_t i = 0; i < needs->stored_count; i++)
        *needs->stored[i] &= (uint16_t)~STORED;
    part->groups++;
    part->warps += running.warp_count;
    part->instructions += instructions;
    part->fewest = fmin(part->fewest, instructions);
}

/* ---- Instructions. */
static void enter(struct observer *self, int block, uint64_t lanes) {
    struct needs *needs = (struct needs *)self;
    struct warp_needs *warp = &needs->warps[running.warp->number];
    const struct effort *effort = &running.job->code->blocks[block].effort;
    (void)lanes;
    needs->parts[needs->part].executions[block]++;
    warp->instructions += needs->least[block];
    warp->waits += effort->waits;
    warp->waits_loads += effort->waits_loads;
    warp->has_round = warp->has_first = false;
    spared_block(&warp->spared);
}

/* A loop that polls is one whose block is entered again; of the others, as of a test
 * that is made once, nothing follows. */
static void branch(struct observer *self, int block, uint64_t lanes, bool diverges) {
    struct needs *needs = (struct needs *)self;
    const struct block *here = &running.job->code->blocks[block];
    (void)lanes;
    (void)diverges;
    for (size_t i = 0; here->effort.polls && i < here->successor_count; i++)
        if (here->successors[i] != EXIT && here->successors[i] <= block)
            needs->refusal = "how long its loops go on depends on other groups";
}

static void barrier(struct observer *self, const struct arrivals *arrivals) {
    struct needs *needs = (struct needs *)self;
    (void)arrivals;
    needs->parts[needs->part].barriers++;
    for (unsigned w = 0; w < running.warp_count; w++)
        spared_barrier(&needs->warps[w].spared);
}

/* ---- Memory. */
static void touch_span(struct span *span, unsigned before, unsigned part) {
    const unsigned pair = part / HALVES;
    span->all += !(before & ANYWHERE);
    span->pair[pair] += !(before >> (pair * HALVES) & PAIR);
    span->part[part] += !(before >> part & 1);
}

/* Returns whether no warp has touched it before. */
static bool touch_sector(struct needs *needs, struct traces *traces, uint64_t sector,
                         enum kind kind) {
    uint16_t *now = &traces->sectors[sector];
    const unsigned before = *now, part = needs->part;
    touch_span(&traces->touched, before, part);
    *now |= (uint16_t)(1u << part);
    if (kind != STORE) {
        touch_span(&traces->read, before >> READ_SHIFT, part);
        *now |= (uint16_t)(1u << (READ_SHIFT + part));
    }
    if (kind == STORE && !(before & STORED)) {
        *now |= STORED;
        needs->parts[part].stored++;
        if (needs->stored_count == needs->stored_room) {
            needs->stored =
                lens_grow(needs->stored, needs->stored_count, sizeof *needs->stored);
            needs->stored_room = needs->stored_count ? 2 * needs->stored_count : 1;
        }
        needs->stored[needs->stored_count++] = now;
    }
    return !(before & ANYWHERE);
}

static void touch_piece(struct needs *needs, struct traces *traces, uint64_t piece) {
    uint64_t *last = &traces->pieces[piece];
    needs->moved += PIECE;
    if (*last > needs->began) {
        const uint64_t distance = needs->moved - *last;
        const int number = 63 - __builtin_clzll(distance);
        needs->parts[needs->part].again[number < DISTANCES ? number : DISTANCES - 1] +=
            PIECE;
    }
    *last = needs->moved;
}

static void begin_traces(struct traces *traces, const struct object *object) {
    if (traces->sectors)
        return;
    traces->sectors =
        lens_allocate(object->bytes / SECTOR + 2, sizeof *traces->sectors);
    traces->pieces = lens_allocate(object->bytes / PIECE + 2, sizeof *traces->pieces);
}

/* Returns whether there is a sector that no warp has touched before. */
static bool touch_all(struct needs *needs, const struct warp_access *access,
                      enum kind kind) {
    enum { SECTORS = PIECE / SECTOR };
    struct traces *traces = &needs->traces[access->object];
    uint64_t next = 0, piece = UINT64_MAX; /* the first sector that is not looked at */
    bool is_first = false;
    begin_traces(traces, &running.job->objects[access->object]);
    for (unsigned i = 0; i < access->lane_count; i++) {
        const struct touch *touch = &access->lanes[i];
        const uint64_t end = (touch->offset + touch->bytes - 1) / SECTOR + 1;
        const uint64_t begin = touch->offset / SECTOR;
        for (uint64_t sector = begin < next ? next : begin; sector < end; sector++) {
            is_first |= touch_sector(needs, traces, sector, kind);
            if (sector / SECTORS != piece)
                touch_piece(needs, traces, piece = sector / SECTORS);
        }
        next = end > next ? end : next;
    }
    return is_first;
}

/* Of lanes that use one word because the source gives all of them one address,
 * compilers let a single one do it. */
static void count_atomics(struct needs *needs, const struct warp_access *access) {
    const struct object *object = &running.job->objects[access->object];
    struct traces *traces = &needs->traces[access->object];
    const bool is_merged = running.job->code->sites[access->site].value >= ONE_OF_GROUP;
    for (int p = 0; p < PARTS && !traces->words[LAST_GROUP]; p++)
        traces->words[p] =
            lens_allocate(object->bytes / WORD + 2, sizeof *traces->words[p]);
    for (unsigned i = 0; i < access->lane_count; i++) {
        const uint64_t word = access->lanes[i].offset / WORD;
        if (access->failed >> access->lanes[i].lane & 1)
            continue; /* a device with another atomic would not try again */
        if (i > 0 && is_merged)
            break;
        traces->words[needs->part][word]++;
        const unsigned pair = needs->part / HALVES;
        double sum = 0.0, least = INFINITY;
        for (int p = 0; p < PARTS; p++)
            sum += traces->words[p][word];
        for (unsigned h = 0; h < HALVES; h++)
            least = fmin(least, traces->words[pair * HALVES + h][word]);
        needs->most = fmax(needs->most, sum);
        needs->most_in_both[pair] = fmax(needs->most_in_both[pair], least);
    }
    needs->parts[needs->part].atomics += access->lane_count;
    needs->parts[needs->part].atomic_sectors +=
        (double)cells_touched(access->lanes, access->lane_count, SECTOR);
}

static void count_global(struct needs *needs, const struct warp_access *access,
                         enum kind kind) {
    struct needs_part *part = &needs->parts[needs->part];
    struct warp_needs *warp = &needs->warps[running.warp->number];
    const bool is_first = touch_all(needs, access, kind);
    if (is_load(kind)) {
        part->rounds += !warp->has_round;
        part->first_rounds += is_first && !warp->has_first;
        warp->has_round = true;
        warp->has_first |= is_first;
    }
    if (kind == ATOMIC)
        count_atomics(needs, access);
}

static void count(struct observer *self, const struct warp_access *access) {
    struct needs *needs = (struct needs *)self;
    const struct object *object = &running.job->objects[access->object];
    struct warp_needs *warp = &needs->warps[running.warp->number];
    struct needs_part *part = &needs->parts[needs->part];
    const struct saving saving = spared_access(&warp->spared, access);
    part->accesses -= (double)saving.accesses;
    part->lines -= (double)saving.lines;
    *(object->space == LOCAL ? &part->local_passes : &part->l1_passes) -=
        (double)saving.passes;
    warp->instructions += object->space != CONSTANT && !saving.accesses;
    if (object->image)
        needs->refusal = "it uses images, whose units are not modelled";
    else if (object->space == GLOBAL)
        count_global(needs, access, running.job->code->sites[access->site].kind);
}

static void count_own(struct observer *self, unsigned site, const char *place,
                      size_t bytes) {
    struct needs *needs = (struct needs *)self;
    const intptr_t offset = place - running.lane->stack;
    (void)site;
    if (needs->highest == 0 || offset < needs->lowest)
        needs->lowest = offset;
    if (offset + (intptr_t)bytes > needs->highest)
        needs->highest = offset + (intptr_t)bytes;
}

struct needs needs_observer(const struct counts *counts) {
    return (struct needs){.counts = counts,
                          .observer = {.launch = begin,
                                       .group = begin_group,
                                       .group_end = end_group,
                                       .block = enter,
                                       .branch = branch,
                                       .own_access = count_own,
                                       .together = count,
                                       .barrier = barrier}};
}
