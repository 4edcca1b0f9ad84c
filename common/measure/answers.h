/* answers: what a GPU answers where there is none: what the lens has counted, and what
 * an NVIDIA H200 has measured, or an H100, for each row and each headline of a step.
 *
 * All of it is stored: `make docs` writes docs/results/answers.tsv out of other files
 * there (common/commands/pages/answers.py says what a line is), and the Makefile puts
 * it into the programs. */
#ifndef ANSWERS_H
#define ANSWERS_H

#include <stdbool.h>

/* Of a row; what is not known is "". */
struct answer {
    char count[16];   /* what the lens has counted, such as "32" sectors a load */
    char ms[16];      /* the card's median */
    char percent[16]; /* its share of what the card reaches at best */
    char least[16];   /* the milliseconds that no run on it beats; see docs/lens.md */
};

/* Of a headline: how many times faster the first is than the second. */
struct headline_answer {
    char ratio[16];
    char verdict[24];    /* "true", "reversed" or "not told apart", on the GPU */
    char card[16];       /* H200, or H100 */
    char count[2][16];   /* of both, in words: "4,096" */
    char counted[2][16]; /* what these are: "sectors", "a load" */
};

/* Of a step. */
struct answers {
    const char *step;    /* such as "step05_dot_strided" */
    char card[16];       /* whose times its rows have: H200; or H100, where that lacks
                          * rows */
    char driver[64];     /* "NVIDIA CUDA, driver 580.159.04" */
    char date[32];       /* 2026-11-22 to 2026-11-23 */
    char counted[2][16]; /* what its rows' counts are: "sectors", "a load"; or "" */
    char meaning[80];    /* that as a longer phrase */
    char counted_at[32]; /* of how many elements: "2,097,152"; "" if that is the same */
    bool has_times;      /* does any row have one? */
    bool has_limits;     /* and a share of its limit? */
    bool has_least;      /* and a time that none beats? */
    char size[32];       /* of how many elements most of them are, or "" */
};

/* What is stored of a step.  Of one that no GPU has measured all is empty. */
struct answers answers_of(const char *step);

/* The answer to the row of this name, or an empty one. */
struct answer answer_to(const struct answers *answers, const char *variant);

/* The answer to this headline ("coalesced, not contiguous chunks"); a GPU may have
 * measured another one, or none: then only its counts are known. */
struct headline_answer answer_to_headline(const struct answers *answers,
                                          const char *lesson);

#endif
