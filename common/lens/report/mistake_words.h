/* mistake_words: what races.c found, in words. */
#ifndef MISTAKE_WORDS_H
#define MISTAKE_WORDS_H

#include "judge/rules.h"
#include "watch/run.h"

/* Which rule it is against. */
const struct rule *mistake_rule(const struct run *run, const struct mistake *mistake);

/* The first line of what is printed about a mistake; the caller frees it. */
char *mistake_title(const struct run *run, const struct mistake *mistake);
/* Of that, what follows "error: KERNEL: ". */
const char *mistake_message(const char *title);

/* What the reader can do about it. */
const char *mistake_hint(const struct run *run, const struct mistake *mistake);

/* "item 3 of group 0 writes". */
enum { MISTAKE_WHO = 64 };
void mistake_who(char who[MISTAKE_WHO], const struct run *run,
                 const struct access_record *record);

/* Prints "  line 12   item 3 of group 0 writes  sums[item] = sum;".  Lines that stand
 * below each other have the width of the widest, mistake_who_width(). */
int mistake_who_width(const struct run *run, const struct access_record *record);
void mistake_print_record(FILE *out, const struct run *run,
                          const struct access_record *record, int width);

/* Is there a line of the source that shows it? */
bool mistake_has_place(const struct mistake *mistake);

/* Are there two places to it? */
bool mistake_has_other(const struct mistake *mistake);

/* A race of two instructions that a warp whose lanes are in lockstep executes one after
 * the other. */
bool mistake_is_in_warp(const struct mistake *mistake);

/* Of an access that is MISALIGNED, in bytes: the largest power of two that divides its
 * address, and the one that its type promises. */
uint64_t mistake_alignment(const struct mistake *mistake);
size_t mistake_needed_alignment(const struct run *run, const struct mistake *mistake);

/* Of an ENDLESS loop: who is to end it, and why that does not happen; the caller frees
 * it.  NULL: nothing is to. */
char *mistake_why(const struct mistake *mistake);

/* What is printed about each mistake of a launch: its lines, or NULL if an earlier
 * one's tell of it.  The caller frees these, and the array. */
char **mistakes_in_words(const struct run *run);

/* What is printed about a note; the caller frees it.  NULL: it was asked for before. */
char *mistake_note_in_words(const struct run *run, const struct mistake *note);

/* Prints the mistakes of a launch, each with its source lines and a hint. */
void mistakes_report(const struct run *run);

/* Prints what is worth a word, but no mistake: once for each place of a kernel. */
void mistakes_print_notes(const struct run *run);

#endif
