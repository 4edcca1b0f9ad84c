/* judging: which findings fail. */
#ifndef JUDGING_H
#define JUDGING_H

#include "findings.h"

struct judging {
    const char *fail_on;  /* the list of --fail-on; NULL: not given */
    const char *baseline; /* the path of --baseline; NULL: not given */
    bool sarif;           /* all findings are written at the end */
    bool checked;         /* counts and mistakes are looked for in each launch */
};

/* To be said once, before all launches.  A list that cannot be read is an error. */
void judging_begin(struct judging chosen);

/* Are findings wanted at all?  If not, a mistake is enough to fail. */
bool judging_wanted(void);

/* Does anything fail that was found so far? */
bool judging_fails(void);

/* At the end: prints a line for each finding that fails, and what is to be said of the
 * baseline, to `readers`; writes a baseline where none is, and all findings as SARIF to
 * `out` if they are wanted.  `whole`: nothing was left out.  Returns whether anything
 * fails. */
bool judging_end(FILE *readers, FILE *out, bool whole);

/* The only launch could not be looked at: writes what SARIF has of that, if it is
 * wanted, and no baseline. */
void judging_refused(FILE *out);

/* How many mistakes or counts fail, after the end. */
size_t judging_failed(bool counts);

#endif
