/* demands: what the whole launch needs, out of what its sample needed.
 *
 * Which sectors a launch touches at all is not known from a sample, so it is estimated.
 * Two halves of the sample have some of them in common.  Where that is as much as
 * chance would give, sectors are touched at random, and the more groups there are, the
 * more of them are touched again.  Otherwise what both halves have in common belongs to
 * all groups, and the rest to each group by itself. */
#include "banks.h"
#include "base/machine.h"
#include "needs.h"

#include <math.h>
#include <string.h>

/* Words of private memory that a lane can have in registers. */
enum { REGISTERS = 255 };

static bool is_whole(const struct outcome *outcome) {
    return outcome->groups_replayed == outcome->groups;
}

/* The part that is the first half of a sample; the second one follows. */
static unsigned first_half(const struct needs *needs) {
    return needs->turn >= HALVES ? 0 : FIRST_GROUP;
}

/* Different sectors of an object in all groups. */
static double all_of(const struct span *span, const struct needs *needs,
                     const struct object *object, const struct outcome *outcome) {
    const unsigned first = first_half(needs);
    const double one = span->part[first], other = span->part[first + 1];
    const double both = span->pair[first / HALVES];
    const double groups = needs->parts[first].groups + needs->parts[first + 1].groups;
    const double sectors = ceil((double)object->bytes / SECTOR);
    const double common = one + other - both, by_chance = one * other / sectors;
    if (is_whole(outcome) || groups == 0.0)
        return span->all;
    const double times = (double)outcome->groups / groups;
    if (by_chance > 2.0 && common > by_chance / 2.0)
        return fmax(span->all, sectors * (1.0 - exp(-both * times / sectors)));
    return fmax(span->all, fmin(sectors, common + (both - common) * times));
}

/* Adds `times` as much as a part has. */
static void add_part(struct demand *demand, const struct needs_part *part,
                     const struct needs *needs, const struct code *code, double times) {
    demand->accesses += times * part->accesses;
    demand->global_accesses += times * part->global_accesses;
    demand->local_passes += times * part->local_passes;
    demand->l1_passes += times * part->l1_passes;
    demand->lines += times * part->lines;
    demand->stored += times * part->stored * SECTOR;
    demand->atomic_sectors += times * part->atomic_sectors;
    demand->atomics += times * part->atomics;
    for (int i = 0; i < DISTANCES; i++)
        demand->again[i] += times * part->again[i];
    for (size_t b = 0; b < needs->block_count; b++) {
        const struct block *block = &code->blocks[b];
        const double executions = times * (double)part->executions[b];
        demand->instructions += executions * block->instructions;
        for (int w = 0; w < WORKS; w++)
            demand->work[w] += executions * block->effort.work[w];
    }
    demand->rounds += times * part->rounds;
    demand->first_rounds += times * part->first_rounds;
    demand->barriers += times * part->barriers;
}

static double local_bytes(const struct job *job) {
    double bytes = 0.0;
    for (size_t o = 0; o < job->object_count; o++) {
        const struct object *object = &job->objects[o];
        if (object->space == LOCAL &&
            (!object->kernel || strcmp(object->kernel, job->kernel) == 0))
            bytes += (double)object->bytes;
    }
    return bytes;
}

static const char *refusal_of(const struct needs *needs,
                              const struct outcome *outcome) {
    enum { SPILLED = REGISTERS * WORD };
    if (outcome->stopped || outcome->limit)
        return "it was not seen to its end";
    if (needs->refusal)
        return needs->refusal;
    if (needs->highest - needs->lowest > SPILLED)
        return "its private arrays are more than a lane's registers hold";
    if (outcome->groups_replayed < HALVES && !is_whole(outcome))
        return "too few of its groups were replayed";
    return NULL;
}

/* What is the same, whichever half is asked. */
static struct demand common_of(const struct needs *needs, const struct job *job,
                               const struct outcome *outcome) {
    const double items = (double)job_group_items(job);
    struct demand demand = {.groups = (double)outcome->groups,
                            .warps_of_group = ceil(items / needs->lanes),
                            .longest = needs->longest,
                            .waits = needs->waits,
                            .waits_loads = needs->waits_loads,
                            .local_bytes = local_bytes(job),
                            .sampled = !is_whole(outcome),
                            .refusal = refusal_of(needs, outcome)};
    for (size_t o = 0; o < needs->object_count; o++) {
        const struct traces *traces = &needs->traces[o];
        demand.touched +=
            SECTOR * all_of(&traces->touched, needs, &job->objects[o], outcome);
        demand.read += SECTOR * all_of(&traces->read, needs, &job->objects[o], outcome);
    }
    const unsigned first = first_half(needs);
    double fewest = INFINITY, sum = 0.0, groups = 0.0;
    for (unsigned p = 0; p < PARTS; p++)
        if (!demand.sampled || p / HALVES == first / HALVES) {
            fewest = fmin(fewest, needs->parts[p].fewest);
            sum += needs->parts[p].instructions;
            groups += needs->parts[p].groups;
        }
    demand.alike = sum > 0.0 ? fewest * groups / sum : 1.0;
    return demand;
}

/* As this half of the sample says it, in which each group stands for several; or, if
 * there is no need of a sample, as all parts do. */
static struct demand demand_of(const struct needs *needs, const struct job *job,
                               const struct demand *common, unsigned half) {
    struct demand demand = *common;
    double others = common->groups; /* groups that no other part stands for */
    for (unsigned p = 0; p < PARTS; p++)
        if (!common->sampled || p / HALVES != half / HALVES) {
            add_part(&demand, &needs->parts[p], needs, job->code, 1.0);
            others -= needs->parts[p].groups;
        }
    demand.on_one_word = needs->most;
    if (common->sampled) {
        const double times = others / needs->parts[half].groups;
        add_part(&demand, &needs->parts[half], needs, job->code, times);
        demand.on_one_word = needs->most_in_both[half / HALVES] * times;
    }
    demand.rounds /= common->groups * common->warps_of_group;
    demand.first_rounds /= common->groups * common->warps_of_group;
    demand.barriers /= common->groups;
    return demand;
}

size_t needs_demands(const struct needs *needs, const struct job *job,
                     const struct outcome *outcome, struct demand demands[HALVES]) {
    const struct demand common = common_of(needs, job, outcome);
    const unsigned first = first_half(needs);
    if (common.refusal)
        demands[0] = common;
    else
        demands[0] = demand_of(needs, job, &common, first);
    if (common.refusal || !common.sampled)
        return 1;
    demands[1] = demand_of(needs, job, &common, first + 1);
    return HALVES;
}
