/* clang: looks for a clang that is new enough, and for a folder that can be written. */
#define _GNU_SOURCE /* popen */
#include "clang.h"
#include "base/folder.h"
#include "check.h"
#include "environment.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Is `clang` new enough?  instrument.c reads the text form that came with version 15.
 */
enum { OLDEST = 15, NEWEST = 40 };

static bool clang_is_new(void) {
    char version[64] = "";
    FILE *answer = popen("clang -dumpversion 2> /dev/null", "r");
    const bool is_new =
        answer && fgets(version, sizeof version, answer) && atoi(version) >= OLDEST;
    if (answer)
        pclose(answer);
    return is_new;
}

/* PoCL comes with a clang that has its version in its name. */
static void choose_clang(void) {
    char name[32] = "clang";
    if (getenv("LENS_CLANG"))
        return;
    for (int number = OLDEST; number <= NEWEST; number++) {
        snprintf(name, sizeof name, "clang-%d", number);
        if (is_in_path(name)) {
            set_variable("LENS_CLANG", name);
            return;
        }
    }
    if (!clang_is_new())
        die("no clang 15 or newer, which the lens compiles kernels with" HINT "%s",
            lens_is_installed()
                ? "its package is clang; on Debian 12, where that is older, clang-15"
                : "`make doctor` shows how to get it; PoCL's package on Debian "
                  "installs it");
    set_variable("LENS_CLANG", "clang");
}

/* A user's own folder for what can be made again; empty: there is none.  (The variables
 * are those of the XDG Base Directory Specification, which wants absolute paths.) */
static void write_user_cache(char *folder, size_t room) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    *folder = '\0';
    if (cache && *cache == '/')
        snprintf(folder, room, "%s", cache);
    else if (home && *home == '/')
        snprintf(folder, room, "%s/.cache", home);
    else
        return;
    mkdir(folder, 0700);
    snprintf(folder + strlen(folder), room - strlen(folder), "/cllens");
}

static void choose_cache(void) {
    char folder[8192];
    if (getenv("LENS_CACHE"))
        return;
    if (lens_is_installed())
        write_user_cache(folder, sizeof folder);
    else
        snprintf(folder, sizeof folder, "%s/lens-cache", lens_folder());
    set_variable("LENS_CACHE", folder);
}

void choose_compiler(void) {
    choose_clang();
    choose_cache();
}
