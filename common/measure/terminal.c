#define _GNU_SOURCE /* fopencookie */
#include "measure/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { MAX_LINE = 8192, DEEPER = 2 }; /* bytes of a line; how far in the rest stands */

#ifdef __linux__ /* others have no fopencookie, and their terminals break the lines */

struct fit {
    FILE *out;
    size_t columns, used;
    char line[MAX_LINE + 1];
};

static FILE *fitted; /* there is one for each program: its report */
static size_t fitted_columns;

/* Bytes of the character or the sequence of colour that begins here. */
static size_t piece(const char *text, size_t *width) {
    size_t bytes = 1;
    *width = 1;
    if (text[0] == '\033' && text[1] == '[') {
        bytes = 2 + strcspn(text + 2, "m");
        *width = 0;
        return bytes + (text[bytes] == 'm');
    }
    while (((unsigned char)text[bytes] & 0xc0) == 0x80)
        bytes++;
    return bytes;
}

/* How much of the text fits: up to a blank, if there is one behind `first`; all of it,
 * if it is narrow enough. */
static size_t bytes_that_fit(const char *text, size_t first, size_t columns) {
    size_t at = 0, width = 0, blank = 0, one;
    while (text[at]) {
        const size_t bytes = piece(text + at, &one);
        if (width + one > columns && blank)
            return blank;
        if (text[at] == ' ' && at > first)
            blank = at;
        if (width + one > columns && text[at] == ' ')
            return at;
        at += bytes;
        width += one;
    }
    return width > columns && blank ? blank : at;
}

/* Where the rest of a line stands: below the text behind a short name, as in
 * "  hint    try a smaller problem"; else a little further in. */
static size_t depth_of(const char *line, size_t columns) {
    const size_t margin = strspn(line, " ");
    const size_t name = margin + strcspn(line + margin, " ");
    const size_t gap = strspn(line + name, " ");
    if (gap > 1 && name + gap < columns / 2)
        return name + gap;
    return margin + DEEPER < columns / 2 ? margin + DEEPER : 0;
}

static void put_line(struct fit *fit) {
    const char *rest = fit->line;
    const size_t depth = depth_of(rest, fit->columns);
    size_t margin = 0;
    fit->line[fit->used] = '\0';
    for (bool more = true; more;) {
        const size_t bytes =
            bytes_that_fit(rest, margin ? 0 : strspn(rest, " "), fit->columns - margin);
        fprintf(fit->out, "%*s%.*s", (int)margin, "", (int)bytes, rest);
        rest += bytes;
        rest += strspn(rest, " ");
        more = *rest != '\0';
        if (more)
            fputc('\n', fit->out);
        margin = depth;
    }
    fit->used = 0;
}

static ssize_t fit_write(void *cookie, const char *text, size_t bytes) {
    struct fit *fit = cookie;
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] == '\n' || fit->used == MAX_LINE)
            put_line(fit);
        if (text[i] == '\n')
            fputc('\n', fit->out);
        else
            fit->line[fit->used++] = text[i];
    }
    return fflush(fit->out) == 0 && !ferror(fit->out) ? (ssize_t)bytes : -1;
}

static int fit_close(void *cookie) {
    struct fit *fit = cookie;
    if (fit->used)
        put_line(fit);
    const int status = fflush(fit->out);
    free(fit);
    return status;
}

static size_t columns_of(FILE *out) {
    struct winsize size = {0};
    const bool known =
        isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0;
    return known && size.ws_col >= 20 ? size.ws_col : 0;
}

FILE *terminal_fit(FILE *out) {
    const size_t columns = columns_of(out);
    const cookie_io_functions_t calls = {.write = fit_write, .close = fit_close};
    if (!columns)
        return out;
    struct fit *fit = calloc(1, sizeof *fit);
    FILE *stream = fit ? fopencookie(fit, "w", calls) : NULL;
    if (!stream) {
        free(fit);
        return out;
    }
    *fit = (struct fit){.out = out, .columns = columns};
    setvbuf(stream, NULL, _IOLBF, BUFSIZ);
    fitted_columns = columns;
    return fitted = stream;
}

size_t terminal_columns(FILE *out) {
    return fitted && out == fitted ? fitted_columns : columns_of(out);
}

bool terminal_is(FILE *out) {
    return (fitted && out == fitted) || isatty(fileno(out));
}

#else

FILE *terminal_fit(FILE *out) {
    return out;
}

size_t terminal_columns(FILE *out) {
    (void)out;
    return 0;
}

bool terminal_is(FILE *out) {
    return isatty(fileno(out));
}

#endif
