/* preload: what happens when the library is loaded into a program, and when the program
 * ends. */
#define _GNU_SOURCE /* getpid */
#include "comparison.h"
#include "idle.h"
#include "launch.h"
#include "memory.h"
#include "options.h"
#include "svg.h"

#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static pid_t owner_pid;

__attribute__((constructor)) static void begin(void) {
    owner_pid = getpid();
    options_read();
    comparison_begin();
}

/* A program may fork: then its parent reports what was seen before. */
__attribute__((destructor)) static void end(void) {
    if (getpid() != owner_pid)
        return;
    idle_report();
    const bool mistaken = launches_end();
    svg_end();
    if (fflush(options->out) != 0 || ferror(options->out))
        lens_die("cannot write the report" HINT "is the disk full?");
    if (options->compare && mistaken)
        _Exit(1);
}
