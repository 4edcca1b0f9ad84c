/* begin: what happens when the library is loaded into a program, and when the program
 * ends. */
#define _GNU_SOURCE /* getpid */
#include "base/memory.h"
#include "judge/judging.h"
#include "launch.h"
#include "report/comparison.h"
#include "report/page/page.h"
#include "report/picture_svg.h"
#include "seen.h"
#include "settings.h"
#include "waits.h"

#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static pid_t owner_pid;

/* Where start.c is not there to read it, nothing is lost. */
static void tell(char what) {
    const char *number = getenv("LENS_SEEN");
    if (number && write(atoi(number), &what, 1) != 1)
        return;
}

__attribute__((constructor)) static void begin(void) {
    owner_pid = getpid();
    tell(SAW_PROGRAM);
    settings_read();
    settings_apply();
}

/* A program may fork: then its parent reports what was seen before. */
__attribute__((destructor)) static void end(void) {
    if (getpid() != owner_pid)
        return;
    const bool waited = idle_report();
    const bool fails = launches_end();
    if (!svg_end() && settings->svg && launches_seen())
        lens_say("there was nothing to draw, so %s is not written\n", settings->svg);
    if (!page_end() && settings->html && launches_seen())
        lens_say("there was nothing to show, so %s is not written\n", settings->html);
    if (fflush(settings->out) != 0 || ferror(settings->out))
        lens_die("cannot write the report" HINT "is the disk full?");
    if (launches_seen() || waited)
        tell(SAW_LAUNCH);
    if (launches_hidden())
        tell(SAW_HIDDEN);
    if (fails && (settings->compare || judging_wanted()))
        _Exit(1);
}
