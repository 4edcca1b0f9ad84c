/* replays: launches of one kernel in one process, on different models.  The kernel is
 * written here as instrument.c would leave it, so that no compiler is needed. */
#include "unit.h"

#include "watch/run.h"

#include <stdalign.h>

void lens_block(unsigned block);
void lens_here(unsigned site);
size_t lens_local_id(unsigned dimension);
size_t lens_group_id(unsigned dimension);
size_t lens_local_size(unsigned dimension);

/* kernel void odd_ones(global const float *x, global float *y) {
 *     const size_t i = get_global_id(0);
 *     float sum = x[2 * i];
 *     if (get_local_id(0) & 1)
 *         sum += x[i];
 *     y[i + shift] = sum;
 * } */
enum { ITEMS = 128, GROUPS = 2, GROUP = ITEMS / GROUPS };
enum { LOAD_FAR, BRANCH_ODD, LOAD_NEAR, STORE_SUM, BRANCH_END, SITES };

static alignas(128) float x[2 * ITEMS], y[ITEMS];
static size_t shift;

static void odd_ones(uint64_t *arguments) {
    (void)arguments;
    lens_block(0);
    const size_t i = lens_group_id(0) * lens_local_size(0) + lens_local_id(0);
    lens_access(&x[2 * i], sizeof *x, LOAD_FAR);
    float sum = x[2 * i];
    lens_here(BRANCH_ODD);
    if (lens_local_id(0) & 1) {
        lens_block(1);
        lens_access(&x[i], sizeof *x, LOAD_NEAR);
        sum += x[i];
    }
    lens_block(2);
    lens_access(&y[i + shift], sizeof *y, STORE_SUM);
    y[i + shift] = sum;
}

#define AT(number)                                                                     \
    { .file = OWN_NAME, .line = number, .column = 5 }
static struct site sites[SITES] = {{.kind = LOAD, .place = AT(3)},
                                   {.kind = BRANCH, .place = AT(4)},
                                   {.kind = LOAD, .place = AT(5)},
                                   {.kind = STORE, .place = AT(6)},
                                   {.kind = BRANCH, .place = AT(7)}};
static int after_first[] = {1, 2}, after_second[] = {2}, at_end[] = {EXIT};
static struct block blocks[] = {
    {.instructions = 4,
     .branch = BRANCH_ODD,
     after_first,
     2,
     .reconverge = 2,
     .effort.work[WORK_WHOLE] = 3},
    {.instructions = 3,
     .branch = BRANCH_END,
     after_second,
     1,
     .reconverge = 2,
     .effort.work[WORK_ADD] = 1},
    {.instructions = 3, .branch = BRANCH_END, at_end, 1, .reconverge = EXIT},
};
static const struct code code = {
    .sites = sites, .blocks = blocks, .site_count = SITES, .block_count = 3};

/* Launches it, and looks for mistakes if there is to be one: a store behind `y`. */
static struct run launched(unsigned lanes, enum order order, bool is_wrong) {
    static struct object objects[] = {
        {.name = "x", .space = GLOBAL, .base = (char *)x, .bytes = sizeof x},
        {.name = "y", .space = GLOBAL, .base = (char *)y, .bytes = sizeof y}};
    struct run run = {.job = {.code = &code,
                              .kernel = "odd_ones",
                              .call = odd_ones,
                              .global = {ITEMS, 1, 1},
                              .local = {GROUP, 1, 1},
                              .dimensions = 1,
                              .objects = objects,
                              .object_count = COUNT(objects)},
                      .model = {.lanes = lanes, .order = order, .patience = PATIENT},
                      .asked = {.counts = true, .mistakes = is_wrong}};
    for (size_t i = 0; i < COUNT(x); i++)
        x[i] = (float)i;
    shift = is_wrong ? 1 : 0;
    run_launch(&run);
    return run;
}

/* What one of them costs whose warps have so many lanes. */
static void check_counts(unsigned lanes) {
    const unsigned warps = ITEMS / lanes;
    struct run run = launched(lanes, BY_TURNS, false);
    const struct tally *far = tally_of(&run.counts, LOAD_FAR, 0),
                       *near = tally_of(&run.counts, LOAD_NEAR, 0),
                       *sum = tally_of(&run.counts, STORE_SUM, 1);
    is_number(HERE, "accesses of warps", (int64_t)far->accesses, warps);
    is_number(HERE, "their lanes", (int64_t)far->lanes, ITEMS);
    is_number(HERE, "their sectors, of 4 lanes each", (int64_t)far->sectors, ITEMS / 4);
    is_number(HERE, "and the least", (int64_t)far->ideal_sectors,
              lanes > 8 ? ITEMS / 8 : warps);
    is_number(HERE, "lanes in the branch", (int64_t)near->lanes, ITEMS / 2);
    is_number(HERE, "stores of warps", (int64_t)sum->accesses, warps);
    is_number(HERE, "branches", (int64_t)run.counts.branches[0].executions, warps);
    is_number(HERE, "that diverge", (int64_t)run.counts.branches[0].diverged, warps);
    is_number(HERE, "instructions of warps", (int64_t)run.outcome.instructions,
              10 * warps);
    is_number(HERE, "instructions of lanes", (int64_t)run.outcome.lane_instructions,
              7 * ITEMS + 3 * ITEMS / 2);
    is_number(HERE, "a sum without the branch", (int64_t)y[4], 8);
    is_number(HERE, "a sum with it", (int64_t)y[5], 10 + 5);
    is_number(HERE, "mistakes", (int64_t)run.mistakes.count, 0);
    run_end(&run);
}

/* The last work-item stores behind `y`, whichever order warps and groups run in. */
static void check_mistake(unsigned lanes, enum order order) {
    struct run run = launched(lanes, order, true);
    const struct mistake *mistake = run.mistakes.all;
    is_number(HERE, "mistakes", (int64_t)run.mistakes.count, 1);
    is_number(HERE, "its kind", mistake ? (int)mistake->kind : -1, OUT_OF_BOUNDS);
    is_number(HERE, "its byte", mistake ? mistake->byte : 0, sizeof y);
    is_number(HERE, "its work-item", mistake ? mistake->one.item : 0, GROUP - 1);
    is_number(HERE, "its times", mistake ? (int64_t)mistake->times : 0, 1);
    is_number(HERE, "was it stopped there?", run.outcome.stopped, true);
    run_end(&run);
}

/* What the launch needs, counted by hand for warps of 8 lanes: 16 of them, 8 in a
 * group. */
static void check_needs(void) {
    struct run run = launched(8, BY_TURNS, false);
    struct demand demand[HALVES];
    const size_t count = needs_demands(&run.needs, &run.job, &run.outcome, demand);
    double again = 0.0;
    for (int i = 0; i < DISTANCES; i++)
        again += demand->again[i];
    is_number(HERE, "all groups were replayed", (int64_t)count, 1);
    is_number(HERE, "why not", demand->refusal != NULL, false);
    is_number(HERE, "groups", (int64_t)demand->groups, 2);
    is_number(HERE, "warps of a group", (int64_t)demand->warps_of_group, 8);
    is_number(HERE, "the groups are alike", (int64_t)(100 * demand->alike), 100);
    is_number(HERE, "three accesses of a warp", (int64_t)demand->accesses, 48);
    is_number(HERE, "sums of a warp", (int64_t)demand->work[WORK_ADD], 16);
    is_number(HERE, "whole numbers", (int64_t)demand->work[WORK_WHOLE], 48);
    is_number(HERE, "passes of two loads", (int64_t)demand->l1_passes, 32);
    is_number(HERE, "lines of all three", (int64_t)demand->lines, 48);
    is_number(HERE, "bytes of x, once", (int64_t)demand->read, sizeof x);
    is_number(HERE, "and of y", (int64_t)demand->touched, sizeof x + sizeof y);
    is_number(HERE, "bytes that groups store to", (int64_t)demand->stored, sizeof y);
    is_number(HERE, "blocks that load", (int64_t)demand->rounds, 2);
    is_number(HERE, "of which the second finds what the first one touched",
              (int64_t)demand->first_rounds, 1);
    is_number(
        HERE,
        "pieces that a group touches again: 8 of the first group's loads, 4 halves "
        "of the second one's, and 4 halves of each one's stores",
        (int64_t)again, (8 + 4 + 2 * 4) * PIECE);
    is_number(HERE, "the longest warp: 3 / 3 + 1 + 3 accesses",
              (int64_t)run.needs.longest, 5);
    run_end(&run);
}

void test_replays(void) {
    check_needs();
    static const unsigned widths[] = {32, 64, 4, 32, 16, 8, 64};
    for (size_t i = 0; i < COUNT(widths); i++) {
        check_counts(widths[i]);
        check_mistake(widths[i], (enum order)(i % ORDERS));
    }
    struct run of_32 = launched(32, BY_TURNS, false),
               of_64 = launched(64, LAST_FIRST, false);
    is_number(HERE, "two sets of counts at once, of 32 lanes",
              (int64_t)tally_of(&of_32.counts, LOAD_FAR, 0)->accesses, ITEMS / 32);
    is_number(HERE, "and of 64",
              (int64_t)tally_of(&of_64.counts, LOAD_FAR, 0)->accesses, ITEMS / 64);
    run_end(&of_32);
    run_end(&of_64);
}
