/* reporting: what is said of each launch, and at the end. */
#ifndef REPORTING_H
#define REPORTING_H

#include "watch/run.h"

/* Reports a launch.  `launch` is the same number for equal arguments; of launches that
 * have equal counts as well, one is shown.  Returns the number that it is shown as;
 * then it may be made again. */
size_t report_launch(const struct run *run, size_t launch);
void report_again(size_t number);

/* The same launch, with warps of another width: it is shown in the table below the one
 * that has this number. */
void report_width(const struct run *run, size_t number);

/* The launch of --against: what report_launch() reports next is compared with it. */
void report_before(const struct run *run);

/* Reports the mistakes of a launch alone. */
void report_mistakes(const struct run *run);

/* Says that a launch cannot be looked at, and why: to programs alone. */
void report_hidden(const char *kernel, const char *why);
/* The same of the only launch there is, behind which nothing more comes. */
void report_refused(const char *kernel, const char *why);
#define REPORT_NOT_COMPILED "its file does not compile for the replay"

/* Says that a launch went on for too long: of it, what was counted stays. */
void report_limit(const struct run *run);

/* How many launches were replayed; how many are equal to one of those; how many were
 * left out, because there were so many.  Of the replayed ones, how many not to the end;
 * `sampled`: of some not every group was. */
struct looked {
    size_t replayed, equal, left, limited;
    bool sampled;
};

/* The last words: the table, what the model is, or that no mistake was found. */
void report_end(const struct looked *looked);

/* The last row, for programs alone.  `hidden` launches could not be looked at; `found`
 * says what came out where that is no row of a mistake: a difference, say; or NULL. */
void report_verdict(const struct looked *looked, size_t hidden, const char *found);

/* Behind all of it: what fails, as judging_end() says.  Returns whether anything does;
 * where nothing is judged, that is whether a mistake was found. */
bool report_judged(const struct looked *looked, size_t hidden, bool mistaken);

#endif
