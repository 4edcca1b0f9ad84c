/* findings: what was found in all launches that were looked at. */
#ifndef FINDINGS_H
#define FINDINGS_H

#include "rules.h"

#include <stdio.h>

/* A line of the source, and who was there. */
struct spot {
    char *file;            /* as findings_file() has it; NULL: not known */
    char *text;            /* of the line, without the blanks in front */
    char *who;             /* "item 3 of group 0 writes"; NULL: not known */
    unsigned line, column; /* in characters; 0: not known */
    int64_t item, group;   /* -1: none */
};

struct finding {
    const struct rule *rule;
    bool is_note; /* a mistake that is none here */
    char *kernel, *arguments;
    char *name;             /* of the memory; NULL: of none */
    char *message;          /* a sentence or two, without the kernel's name */
    struct spot at, other;  /* of a mistake with two places; without a file: of one */
    uint64_t value, needed; /* of a count; of a mistake: 1, 0 */
    unsigned lanes;         /* of a count: those that made the access; else in a warp */
    bool is_grave;          /* a count that is worth a warning */

    /* What judging.c and baseline.c say: */
    bool fails;
    uint64_t is;    /* the value, or how many mistakes are alike */
    char limit[48]; /* what that may be, in words */
};

extern struct findings {
    struct finding *all;
    size_t count;
    struct hidden { /* launches that could not be looked at */
        char *kernel, *why;
    } * hidden;
    size_t hidden_count;
} findings;

/* Keeps a finding, whose texts belong to the list from now on.  Of a count at one
 * place of a kernel the largest value is kept, and of a mistake the first one. */
void findings_add(struct finding finding);
/* Frees the texts of one that is not kept. */
void finding_release(struct finding *finding);
void findings_hide(const char *kernel, const char *why);

/* Are these one for a baseline and for readers: the same rule, file, kernel and memory,
 * and the same text of the line? */
bool findings_are_alike(const struct finding *one, const struct finding *other);

/* The working folder is this one, whatever the program does; to be called first. */
void findings_begin(void);

/* A file's name as it is reported; the caller frees it. */
char *findings_file(const char *file);

/* Writes all findings for another process of this program, which adds them to its own.
 */
void findings_write(FILE *out);
void findings_read(FILE *in);

#endif
