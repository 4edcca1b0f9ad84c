/* lane_picture: one access, or one divergence, lane by lane.
 *
 *     x[0]   [0...1...][2...3...]        two sectors of 32 bytes, four lanes, stride 4
 */
#ifndef LANE_PICTURE_H
#define LANE_PICTURE_H

#include "by_place.h"

enum { MAX_ROWS = 40 }; /* of a listing, and in the SVG file */

struct picture {
    char title[360], source[128], key[120], svg_key[120]; /* what its cells mean */
    char where[200];                /* "line 7 of dot.cl, loads x" */
    char legend[240], closing[120]; /* its cells in sentences, and what they cost */
    struct row {
        char label[48], cells[96], remark[128], more[64]; /* behind it */
    } * rows;
    size_t row_count;
    unsigned lanes; /* of its warp */
};

/* Lanes over the sectors of global memory, or over the banks of local memory. */
struct picture picture_access(const struct run *run, const struct fact *fact,
                              const struct example *lanes);

/* Lanes of an atomic over the addresses that they change. */
struct picture picture_atomic(const struct run *run, const struct fact *fact,
                              const struct example *lanes);

/* Which lanes work and which wait, arm by arm, until they reconverge. */
struct picture picture_divergence(const struct run *run, const struct fact *fact);

/* The lane that a letter in a row's cells stands for. */
unsigned picture_lane(char cell);

/* Shows the source line below the title. */
void picture_add_source(struct picture *picture, const struct run *run,
                        struct place place);

#endif
