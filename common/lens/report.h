/* report: what was counted, along the lines of the kernel's source. */
#ifndef REPORT_H
#define REPORT_H

#include "counts.h"

/* All that was counted at one place of the source, for one object. */
struct fact {
    struct site site;
    unsigned object;
    struct tally sum;
    struct branch_tally branch;
};

/* What the reports call them: "load", "global". */
extern const char *const kind_names[], *const space_names[];

/* Tells what came out of a launch; in full the first time that a kernel is launched. */
void report_launch(const struct replay *replay);

/* The last words: the model, or that no mistake was found. */
void report_end(void);

/* The text of a line: of the kernel's source, or of a file that it includes. */
const char *source_line(const struct replay *replay, struct place place);

#endif
