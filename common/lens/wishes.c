/* wishes: what main.c left in the environment; and what the other files have in common.
 */
#define _GNU_SOURCE /* fdopen */
#include "judge.h"
#include "lens.h"
#include "picture.h"
#include "report.h"
#include "waits.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct wishes wishes;
static pid_t born_as; /* this process */

static size_t number_from(const char *name, size_t otherwise) {
    const char *text = getenv(name);
    return text ? strtoul(text, NULL, 10) : otherwise;
}

__attribute__((constructor)) static void begin(void) {
    const char *format = getenv("LENS_FORMAT");
    born_as = getpid();
    const int out = (int)number_from("LENS_OUT", 2);
    wishes.lanes = (unsigned)number_from("LENS_LANES", 32);
    wishes.groups = number_from("LENS_GROUPS", 0);
    wishes.judge = getenv("LENS_OURS") != NULL;
    wishes.instead = getenv("LENS_INSTEAD") != NULL;
    wishes.each = getenv("LENS_EACH") != NULL;
    wishes.races = getenv("LENS_RACES") || wishes.judge;
    wishes.all = getenv("LENS_ALL") != NULL;
    wishes.compare = getenv("LENS_COMPARE") && !wishes.judge;
    wishes.waits = getenv("LENS_WAITS") != NULL;
    wishes.format = format && strcmp(format, "json") == 0  ? JSON
                    : format && strcmp(format, "tsv") == 0 ? TSV
                                                           : TEXT;
    wishes.kernel = getenv("LENS_KERNEL");
    wishes.svg = getenv("LENS_SVG");
    wishes.clang = getenv("LENS_CLANG");
    wishes.out = out == 2 ? stderr : fdopen(out, "w");
    if (!wishes.out)
        wishes.out = stderr;
    judge_begin();
}

/* A program may fork: what was seen before is told by the parent. */
__attribute__((destructor)) static void end(void) {
    if (getpid() != born_as)
        return;
    waits_report();
    report_end();
    pictures_end();
    if (fflush(wishes.out) != 0 || ferror(wishes.out))
        lens_die("cannot write the report" HINT "is the disk full?");
    if (wishes.compare && wishes.mistaken)
        _Exit(1);
}

void lens_die(const char *format, ...) {
    va_list facts;
    va_start(facts, format);
    fflush(NULL);
    fputs("error: lens: ", stderr);
    vfprintf(stderr, format, facts);
    fputc('\n', stderr);
    _Exit(2);
}

void *lens_allocate(size_t count, size_t bytes) {
    void *memory = calloc(count ? count : 1, bytes);
    if (!memory)
        lens_die("no memory for %zu things of %zu bytes" HINT "try a smaller problem",
                 count, bytes);
    return memory;
}

/* Rooms are powers of two, so a count that is one says that the array is full. */
void *lens_grow(void *array, size_t count, size_t bytes) {
    if (count & (count - 1))
        return array;
    array = realloc(array, (count ? 2 * count : 1) * bytes);
    if (!array)
        lens_die("no memory for %zu things of %zu bytes" HINT "try a smaller problem",
                 2 * count, bytes);
    return array;
}
