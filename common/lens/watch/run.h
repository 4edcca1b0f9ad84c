/* run: a launch that is watched, and all that came out of it. */
#ifndef RUN_H
#define RUN_H

#include "counts.h"
#include "needs.h"
#include "races.h"
#include "reads.h"
#include "recording.h"

/* What is looked at. */
struct asked {
    bool counts;
    bool mistakes;  /* all of them; otherwise only those that stop a launch */
    bool notes_too; /* what devices forgive is a mistake as well */
    bool endless;   /* a group that never ends is one */
    bool backward;  /* a small launch is made a second time, in another order */
    bool must_end;  /* and so is one that goes on for too long */
    bool reads;     /* who reads which element */
    struct recording *recording; /* NULL: none */
};

struct run {
    struct job job;
    struct model model;
    struct asked asked;
    struct outcome outcome;
    struct counts counts;
    struct needs needs; /* with the counts */
    struct mistakes mistakes;
    struct reads reads;              /* if they were asked for */
    struct history *history;         /* which work-item wrote what; NULL: not known */
    const struct recorded *recorded; /* the group that was kept; NULL: none */
    bool backward; /* the last warp and the last group ran first; see backward.h */
};

/* Makes the launch of `job` on `model`, and fills in what came out; releases that. */
void run_launch(struct run *run);
void run_end(struct run *run);

#endif
