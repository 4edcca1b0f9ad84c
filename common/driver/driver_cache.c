#define _POSIX_C_SOURCE 200809L /* mkstemp, posix_fallocate */
#include "driver/driver_cache.h"

#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MIN_ROOM = 1 << 20 /* bytes */ };

/* PoCL looks for the folder in these places, in this order. */
struct cache driver_cache(void) {
    struct cache cache;
    const size_t most = sizeof cache.folder;
    const char *own = getenv("POCL_CACHE_DIR"), *caches = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (own && *own)
        snprintf(cache.folder, most, "%s", own);
    else if (caches && *caches)
        snprintf(cache.folder, most, "%s/pocl/kcache", caches);
    else
        snprintf(cache.folder, most, "%s%s/pocl/kcache", home ? home : "/tmp",
                 home ? "/.cache" : "");
    return cache;
}

/* Of a folder that is not there yet: the one in which it would be made. */
static void go_to_existing(char *folder) {
    char *slash;
    while (access(folder, F_OK) != 0 && (slash = strrchr(folder, '/')) &&
           slash != folder)
        *slash = '\0';
}

/* Writes a file there, and removes it: the answer is why that failed, or 0. */
static int try_to_write(const char *folder) {
    char path[sizeof(struct cache) + 16];
    snprintf(path, sizeof path, "%s/room.XXXXXX", folder);
    const int file = mkstemp(path);
    if (file < 0)
        return errno;
    const int failure = posix_fallocate(file, 0, MIN_ROOM);
    close(file);
    unlink(path);
    return failure;
}

void driver_cache_check(const char *platform) {
    if (!strstr(platform, "Portable Computing Language"))
        return;
    const struct cache cache = driver_cache();
    struct cache existing = cache;
    go_to_existing(existing.folder);
    const int failure = try_to_write(existing.folder);
    if (failure)
        die("cannot write to the folder %s: %s" HINT
            "PoCL keeps compiled kernels there: make room, or name another folder in "
            "POCL_CACHE_DIR",
            cache.folder, strerror(failure));
}
