#define _POSIX_C_SOURCE 200809L /* mkstemp, posix_fallocate */
#include "driver_cache.h"

#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_PATH = 4096, MIN_ROOM = 1 << 20 /* bytes */ };

/* PoCL looks for the folder in these places, in this order. */
static void find_folder(char folder[MAX_PATH]) {
    const char *own = getenv("POCL_CACHE_DIR"), *caches = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (own && *own)
        snprintf(folder, MAX_PATH, "%s", own);
    else if (caches && *caches)
        snprintf(folder, MAX_PATH, "%s/pocl/kcache", caches);
    else
        snprintf(folder, MAX_PATH, "%s%s/pocl/kcache", home ? home : "/tmp",
                 home ? "/.cache" : "");
}

/* Of a folder that is not there yet: the one in which it would be made. */
static void go_to_existing(char folder[MAX_PATH]) {
    char *slash;
    while (access(folder, F_OK) != 0 && (slash = strrchr(folder, '/')) &&
           slash != folder)
        *slash = '\0';
}

/* Writes a file there, and removes it: the answer is why that failed, or 0. */
static int try_to_write(const char *folder) {
    char path[MAX_PATH + 16];
    snprintf(path, sizeof path, "%s/room.XXXXXX", folder);
    const int file = mkstemp(path);
    if (file < 0)
        return errno;
    const int failure = posix_fallocate(file, 0, MIN_ROOM);
    close(file);
    unlink(path);
    return failure;
}

void driver_cache_check(cl_platform_id platform) {
    char name[256] = "", folder[MAX_PATH], existing[MAX_PATH];
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL);
    if (!strstr(name, "Portable Computing Language"))
        return;
    find_folder(folder);
    memcpy(existing, folder, sizeof existing);
    go_to_existing(existing);
    const int failure = try_to_write(existing);
    if (failure)
        die("cannot write to the folder %s: %s" HINT
            "PoCL keeps compiled kernels there: make room, or name another folder in "
            "POCL_CACHE_DIR",
            folder, strerror(failure));
}
