/* picture: one access, or one divergence, lane by lane.
 *
 *     x[0]   [0...1...][2...3...]        two sectors of 32 bytes, four lanes, stride 4
 */
#ifndef PICTURE_H
#define PICTURE_H

#include "report.h"

struct picture {
    char title[160], key[120], svg_key[120]; /* what its cells mean */
    struct row {
        char label[48], cells[96], remark[120];
    } * rows;
    size_t row_count;
};

/* Lanes over the sectors of global memory, or over the banks of local memory. */
struct picture picture_access(const struct replay *replay, const struct fact *fact);

/* Who works and who waits, line by line, from where lanes part to where they meet. */
struct picture picture_chart(const struct replay *replay, const struct fact *fact);

/* Draws it as text, and into the SVG file if one is wished; frees its rows. */
void picture_draw(struct picture *picture);

/* Writes the end of the SVG file. */
void pictures_end(void);

#endif
