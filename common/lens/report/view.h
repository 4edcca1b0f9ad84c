/* view: what reports show, and where. */
#ifndef VIEW_H
#define VIEW_H

#include "base/machine.h"
#include "least/profile.h"

#include <stdbool.h>
#include <stdio.h>

struct view {
    unsigned lanes;       /* in a warp: in pictures, and wherever there is one width */
    struct widths widths; /* that the table compares */
    FILE *out;            /* text for readers; rows go where rows_begin() says */
    bool all, pages, banks, whole;
    bool listed;        /* along the lines of the source; false: as a table */
    bool mistakes;      /* they are what is looked for, and no counts */
    bool results;       /* the device's results are compared */
    bool alone;         /* there is one launch, and no program */
    bool against;       /* and the same one of a kernel before it was changed */
    bool checked;       /* counts and mistakes are looked for, each by themselves */
    const char *called; /* what a reader types for this report; NULL: not known */
    const char *svg;    /* the file that pictures are written to; NULL: none */
    const char *html;   /* that of the page; NULL: none */
    const struct profile *profile; /* of a device, for times; NULL: of none */
};

/* To be said once, before all reports. */
void view_begin(struct view chosen);
extern struct view view;

/* Warps of these widths are what the table shows. */
void view_widths(struct widths widths);

/* The device that times are said of; NULL: of none. */
void view_as(const struct profile *profile);

/* "32", or "8, 32 and 64". */
enum { WIDTHS_IN_WORDS = 32 };
const char *widths_in_words(char words[WIDTHS_IN_WORDS]);

#endif
