/* print: formats as OpenCL's printf() does: as C's, but "%v4f" is a vector, "%v4hlf"
 * one of floats, and "l" is 64 bits.
 *
 * instrument.c stores each argument into lens_printed, whatever its type, and calls
 * lens_print_argument(); then it calls lens_print().  Source: The OpenCL C
 * Specification, "printf". */
#define _GNU_SOURCE /* open_memstream */
#include "print.h"
#include "base/half.h"
#include "base/machine.h"
#include "base/memory.h"
#include "code/operations.h"
#include "running.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 64, MAX_TEXT = 1 << 16 };

struct argument {
    unsigned kind;
    size_t bytes;
    char value[PRINTED_BYTES];
};

static struct printing {
    FILE *out; /* NULL: nothing is kept */
    bool paused;
    char *text;
    size_t bytes;
    size_t left_out; /* calls, because there is too much text */
    struct argument arguments[MAX_ARGUMENTS];
    size_t count, next;
} printing;

/* "%-8.3v4hlf": all but the letter at the end is optional. */
struct form {
    char flags[8], width[8], digits[8]; /* as they are written, ".3" */
    unsigned lanes;
    char length[3], letter;
};

/* Of a vector only the form tells what it is: a short one travels as a double. */
static unsigned kind_of(const struct form *form) {
    return strchr("fFeEgGaA", form->letter) ? PRINTED_REAL : PRINTED_WHOLE;
}

VISIBLE char lens_printed[PRINTED_BYTES];

VISIBLE void lens_print_argument(unsigned kind, size_t bytes) {
    if (printing.count == MAX_ARGUMENTS || bytes > PRINTED_BYTES)
        return;
    struct argument *argument = &printing.arguments[printing.count++];
    argument->kind = kind;
    argument->bytes = bytes;
    memcpy(argument->value, lens_printed, bytes);
}

/* A long vector is passed in memory. */
VISIBLE void lens_print_vector(const char *vector, size_t bytes) {
    if (bytes > PRINTED_BYTES)
        return;
    memcpy(lens_printed, vector, bytes);
    lens_print_argument(PRINTED_REAL, bytes);
}

/* Copies as much as consists of these characters. */
static void read_word(const char **format, char *word, size_t room, const char *of) {
    const size_t length = strspn(*format, of);
    snprintf(word, room, "%.*s", (int)length, *format);
    *format += length;
}

static struct form read_form(const char **format) {
    static const char digits[] = "0123456789";
    struct form form = {.lanes = 1};
    char lanes[4];
    read_word(format, form.flags, sizeof form.flags, "-+ #0");
    read_word(format, form.width, 5, digits);
    if (**format == '.')
        read_word(format, form.digits, 5, ".0123456789");
    if (**format == 'v') {
        ++*format;
        read_word(format, lanes, sizeof lanes, digits);
        form.lanes = (unsigned)strtoul(lanes, NULL, 10);
    }
    read_word(format, form.length, sizeof form.length, "hl");
    form.letter = **format;
    *format += **format != '\0';
    return form;
}

static double real_at(const char *bytes, size_t size) {
    double wide;
    float narrow;
    uint16_t bits;
    memcpy(&wide, bytes, sizeof wide);
    memcpy(&narrow, bytes, sizeof narrow);
    memcpy(&bits, bytes, sizeof bits);
    return size == sizeof wide     ? wide
           : size == sizeof narrow ? (double)narrow
                                   : half_value(bits);
}

static uint64_t whole_at(const char *bytes, size_t size, bool is_signed) {
    uint64_t bits = 0;
    memcpy(&bits, bytes, size);
    const unsigned unused = (unsigned)(64 - 8 * size);
    return is_signed ? (uint64_t)((int64_t)(bits << unused) >> unused) : bits;
}

/* Of an int that is printed as a char or a short, only so many bytes count. */
static size_t size_of(const struct form *form, size_t size) {
    const size_t most = strcmp(form->length, "hh") == 0  ? 1
                        : strcmp(form->length, "h") == 0 ? 2
                                                         : size;
    return most < size ? most : size;
}

/* The pattern is made here, of what fits the argument that it gets: no compiler sees
 * that. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void print_one(const struct form *form, unsigned kind, const char *bytes,
                      size_t size) {
    const bool is_signed = strchr("di", form->letter) != NULL;
    const bool is_whole = is_signed || strchr("ouxXc", form->letter);
    char pattern[64];
    snprintf(pattern, sizeof pattern, "%%%s%s%s%s%c", form->flags, form->width,
             form->digits, is_whole && form->letter != 'c' ? "ll" : "", form->letter);
    if (kind == PRINTED_WHOLE && form->letter == 'c')
        fprintf(printing.out, pattern, (int)whole_at(bytes, 1, false));
    else if (kind == PRINTED_WHOLE && is_whole)
        fprintf(printing.out, pattern, whole_at(bytes, size_of(form, size), is_signed));
    else if (kind == PRINTED_REAL && strchr("fFeEgGaA", form->letter))
        fprintf(printing.out, pattern, real_at(bytes, size));
    else if (kind == PRINTED_POINTER && strchr("sp", form->letter))
        fprintf(printing.out, pattern, (void *)(uintptr_t)whole_at(bytes, size, false));
    else
        fputs("(?)", printing.out); /* the argument is of another kind */
}
#pragma GCC diagnostic pop

static void print_next(const struct form *form) {
    if (printing.next == printing.count || !form->lanes || form->lanes > 16 ||
        !form->letter) {
        fputs("(?)", printing.out); /* there is none */
        return;
    }
    const struct argument *argument = &printing.arguments[printing.next++];
    const size_t places = form->lanes == 3 ? 4 : form->lanes;
    const size_t size = argument->bytes / places;
    for (unsigned lane = 0; lane < form->lanes && size > 0 && size <= 8; lane++) {
        fputs(lane ? "," : "", printing.out);
        print_one(form, form->lanes > 1 ? kind_of(form) : argument->kind,
                  argument->value + lane * size, size);
    }
}

static void print_all(const char *format) {
    for (;;) {
        const size_t plain = strcspn(format, "%");
        fwrite(format, 1, plain, printing.out);
        format += plain;
        if (!*format++)
            return;
        if (*format == '%') {
            fputc(*format++, printing.out);
        } else {
            const struct form form = read_form(&format);
            print_next(&form);
        }
    }
}

VISIBLE void lens_print(const char *format) {
    if (printing.paused) {
        /* it was printed before */
    } else if (printing.out && ftell(printing.out) < MAX_TEXT) {
        printing.next = 0;
        print_all(format);
    } else {
        printing.left_out++;
    }
    printing.count = 0;
}

void print_pause(bool paused) {
    printing.paused = paused;
}

void print_begin(void) {
    if (printing.out)
        fclose(printing.out);
    free(printing.text);
    printing.text = NULL;
    printing.count = printing.left_out = 0;
    printing.out = open_memstream(&printing.text, &printing.bytes);
    if (!printing.out)
        lens_die("no memory for what the kernel prints" HINT "try a smaller launch");
}

void print_end(FILE *out) {
    fflush(printing.out);
    if (printing.bytes == 0)
        return;
    fputs("printed\n", out);
    fwrite(printing.text, 1, printing.bytes, out);
    if (printing.text[printing.bytes - 1] != '\n')
        fputc('\n', out);
    if (printing.left_out)
        fprintf(out, "(%zu more calls of printf() are not shown)\n", printing.left_out);
    fputc('\n', out);
}
