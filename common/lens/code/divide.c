/* divide: OpenCL gives a whole number that is divided by 0, or the smallest one by -1,
 * any value at all, and a GPU goes on with that; many a CPU ends the program.  So the
 * replay looks at divisors before that happens, and divides by 1 in place of these:
 *
 *     %lens_n7_0 = sext i32 %x to i64
 *     %lens_d7_0 = sext i32 %parts to i64
 *     %lens_q7_0 = call i64 @lens_divisor(i64 %lens_n7_0, i64 %lens_d7_0, i32 32, ...)
 *     %lens_v7_0 = trunc i64 %lens_q7_0 to i32
 *     %div = sdiv i32 %x, %lens_v7_0
 *
 * Of vectors that is done with each component.  Source: OpenCL C specification 1.2,
 * section 6.3 a; LLVM Language Reference Manual, "sdiv". */
#define _GNU_SOURCE /* asprintf */
#include "divide.h"
#include "base/memory.h"
#include "llvm.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "%div = sdiv exact <4 x i32> %x, %parts, !dbg !7", taken apart. */
struct division {
    bool is_signed;
    unsigned lanes, bits; /* 1 lane: no vector */
    const char *type, *dividend, *divisor, *end;
};

/* What stands behind the operation; NULL: it is none. */
static const char *operands_of(const char *line, bool *is_signed) {
    static const char *const names[] = {" = sdiv ", " = srem ", " = udiv ", " = urem "};
    const char *equals = strstr(line, " = ");
    for (size_t i = 0; equals && i < sizeof names / sizeof *names; i++)
        if (strncmp(equals, names[i], strlen(names[i])) == 0) {
            const char *rest = equals + strlen(names[i]);
            *is_signed = i < 2;
            return strncmp(rest, "exact ", 6) == 0 ? rest + 6 : rest;
        }
    return NULL;
}

static bool read(const char *line, struct division *division) {
    *division = (struct division){.lanes = 1};
    const char *type = operands_of(line, &division->is_signed);
    if (!type)
        return false;
    const char *number = type;
    if (*type == '<') {
        division->lanes = (unsigned)strtoul(type + 1, NULL, 10);
        number = strstr(type, " x ") + 3;
    }
    division->type = type;
    division->bits = *number == 'i' ? (unsigned)strtoul(number + 1, NULL, 10) : 0;
    division->dividend = llvm_outside_brackets(type, " ") + 1;
    division->divisor = llvm_outside_brackets(division->dividend, ",") + 2;
    division->end = llvm_outside_brackets(division->divisor, ",");
    return division->bits > 0 && division->bits <= 64;
}

bool divide_is(const char *line) {
    struct division division;
    return read(line, &division) &&
           memchr(division.divisor, '%', (size_t)(division.end - division.divisor));
}

/* An operand's component, as a number of 64 bits whose name has this letter. */
static void widen(const struct division *division, const char *operand,
                  const char *operand_end, char letter, unsigned site, unsigned lane,
                  FILE *out) {
    const char *extend = division->is_signed ? "sext" : "zext";
    const int length = (int)(operand_end - operand);
    const int type_length = (int)(division->dividend - 1 - division->type);
    if (division->lanes > 1)
        fprintf(out, "  %%lens_%c%u_%u_ = extractelement %.*s %.*s, i32 %u\n", letter,
                site, lane, type_length, division->type, length, operand, lane);
    fprintf(out, "  %%lens_%c%u_%u = ", letter, site, lane);
    if (division->bits == 64)
        fputs("add i64 ", out);
    else
        fprintf(out, "%s i%u ", extend, division->bits);
    if (division->lanes > 1)
        fprintf(out, "%%lens_%c%u_%u_", letter, site, lane);
    else
        fprintf(out, "%.*s", length, operand);
    fputs(division->bits == 64 ? ", 0\n" : " to i64\n", out);
}

/* The divisor's component that the replay divides by. */
static void ask(const struct division *division, unsigned site, unsigned lane,
                FILE *out) {
    widen(division, division->dividend, division->divisor - 2, 'n', site, lane, out);
    widen(division, division->divisor, division->end, 'd', site, lane, out);
    fprintf(out,
            "  %%lens_q%u_%u = call i64 @lens_divisor(i64 %%lens_n%u_%u, i64 "
            "%%lens_d%u_%u, i32 %u, i32 %u)\n",
            site, lane, site, lane, site, lane,
            division->is_signed ? division->bits : 0, site);
    fprintf(out, "  %%lens_v%u_%u = ", site, lane);
    if (division->bits == 64)
        fprintf(out, "add i64 %%lens_q%u_%u, 0\n", site, lane);
    else
        fprintf(out, "trunc i64 %%lens_q%u_%u to i%u\n", site, lane, division->bits);
}

/* Puts the components together again; the last one's name is that of the vector. */
static void join(const struct division *division, unsigned site, FILE *out) {
    const int type_length = (int)(division->dividend - 1 - division->type);
    for (unsigned lane = 0; lane < division->lanes; lane++) {
        fprintf(out, "  %%lens_w%u_%u = insertelement %.*s ", site, lane, type_length,
                division->type);
        if (lane == 0)
            fputs("undef", out);
        else
            fprintf(out, "%%lens_w%u_%u", site, lane - 1);
        fprintf(out, ", i%u %%lens_v%u_%u, i32 %u\n", division->bits, site, lane, lane);
    }
}

char *divide_guarded(const char *line, unsigned site, FILE *out) {
    struct division division;
    char *guarded = NULL;
    if (!read(line, &division))
        return NULL;
    for (unsigned lane = 0; lane < division.lanes; lane++)
        ask(&division, site, lane, out);
    if (division.lanes > 1)
        join(&division, site, out);
    if (asprintf(&guarded, "%.*s%%lens_%c%u_%u%s", (int)(division.divisor - line), line,
                 division.lanes > 1 ? 'w' : 'v', site, division.lanes - 1,
                 division.end) < 0)
        lens_die("no memory for a division" HINT "try a smaller kernel file");
    return guarded;
}
