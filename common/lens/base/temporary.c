/* temporary: makes and removes the folder of the files that a compiler reads and
 * writes.
 *
 * The lens holds a lock on the folder, and a lock goes with its process, however that
 * ends.  So a folder without one was left by a lens that was killed.  (A program that
 * closes all of its descriptors loses the lock: hence the age.) */
#define _GNU_SOURCE /* mkdtemp, O_DIRECTORY, flock */
#include "temporary.h"
#include "memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *const names[] = {"kernel.cl", "main.cl",   "main.ll",  "kernel.ll",
                                    "files",     "raw.ll",    "calls.ll", "calls.o",
                                    "kernel.o",  "kernel.so", "digests",  "log"};

/* The folders there are, each with the descriptor that has its lock. */
static struct held {
    char *folder;
    int lock;
} * held;
static size_t held_count;

static const char *place(void) {
    const char *temporary = getenv("TMPDIR");
    return temporary && *temporary ? temporary : "/tmp";
}

static void empty(int folder) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlinkat(folder, names[i], 0);
}

static bool is_ours(const char *name) {
    static const char head[] = "lens-";
    return strncmp(name, head, strlen(head)) == 0 &&
           strlen(name) == strlen("lens-XXXXXX");
}

/* Is it ours, without a lock, and was nothing made in it lately? */
static bool is_left(int folder) {
    enum { LONG_AGO = 600 }; /* seconds */
    struct stat about;
    return fstat(folder, &about) == 0 && about.st_uid == geteuid() &&
           time(NULL) - about.st_mtim.tv_sec > LONG_AGO &&
           flock(folder, LOCK_EX | LOCK_NB) == 0;
}

static void remove_left(void) {
    DIR *all = opendir(place());
    for (struct dirent *entry; all && (entry = readdir(all));) {
        if (!is_ours(entry->d_name))
            continue;
        const int folder = openat(dirfd(all), entry->d_name,
                                  O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (folder >= 0 && is_left(folder)) {
            empty(folder);
            unlinkat(dirfd(all), entry->d_name,
                     AT_REMOVEDIR); /* if nothing else is in it */
        }
        if (folder >= 0)
            close(folder);
    }
    if (all)
        closedir(all);
}

void temporary_make(char folder[TEMPORARY_FOLDER]) {
    remove_left();
    snprintf(folder, TEMPORARY_FOLDER, "%s/lens-XXXXXX", place());
    if (!mkdtemp(folder))
        lens_die("cannot make %s: %s" HINT "TMPDIR may name a folder with room", folder,
                 strerror(errno));
    const int lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock < 0)
        return;
    flock(lock, LOCK_EX | LOCK_NB);
    *GROW(held, held_count) = (struct held){strdup(folder), lock};
}

static void let_go(const char *folder) {
    size_t i = 0;
    while (i < held_count && strcmp(held[i].folder, folder) != 0)
        i++;
    if (i == held_count)
        return;
    close(held[i].lock);
    free(held[i].folder);
    held[i] = held[--held_count];
}

void temporary_remove(const char *folder) {
    char path[TEMPORARY_PATH];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
    let_go(folder);
}
