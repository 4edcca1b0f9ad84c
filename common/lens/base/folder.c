/* folder: finds the lens's own files relative to the code that runs, because a folder
 * that holds them may be moved, and may have any name. */
#define _GNU_SOURCE /* dladdr */
#include "folder.h"
#include "memory.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

enum { PATH = 4096 };

static struct {
    char path[PATH];
    bool installed;
} found;

/* The file that this code was loaded from.  Of the program itself, dladdr() knows only
 * the name that it was called by. */
static void find_own_file(char path[PATH]) {
    Dl_info own = {.dli_fname = ""}, program = {.dli_fname = ""};
    dladdr(&found, &own);
    dladdr((const void *)(uintptr_t)getauxval(AT_ENTRY), &program);
    const bool is_program = own.dli_fbase == program.dli_fbase;
    if (!realpath(is_program ? "/proc/self/exe" : own.dli_fname, path))
        lens_die("cannot find the folder of the lens: %s" HINT "is /proc mounted?",
                 strerror(errno));
}

static bool has_builtins(const char *folder) {
    char path[PATH + 16];
    snprintf(path, sizeof path, "%s/builtins.cl", folder);
    return access(path, R_OK) == 0;
}

const char *lens_folder(void) {
    static const char beside[] = "lib/cllens";
    if (*found.path)
        return found.path;
    find_own_file(found.path);
    char *slash = strrchr(found.path, '/');
    *slash = '\0';
    if (has_builtins(found.path))
        return found.path;
    slash = strrchr(found.path, '/'); /* the program's folder is PREFIX/bin */
    found.installed = true;
    if (slash && (size_t)(slash + 1 - found.path) + sizeof beside < PATH)
        strcpy(slash + 1, beside);
    if (!has_builtins(found.path))
        lens_die("the lens's own file %s/builtins.cl is missing" HINT
                 "install or build the lens once more",
                 found.path);
    return found.path;
}

bool lens_is_installed(void) {
    lens_folder();
    return found.installed;
}
