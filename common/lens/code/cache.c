/* cache: a folder, which LENS_CACHE names, with a file for each key: a head, the key,
 * and what was made.  Beside them lie precompiled headers, which clang itself
 * finds damaged.
 *
 * A file gets its name once it is complete, so that several lenses may keep the same.
 * What is cut off, damaged, or was kept for another key does not count as known. */
#define _GNU_SOURCE /* mkstemp */
#include "cache.h"
#include "base/memory.h"
#include "code.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 4096 };

struct head {
    uint64_t sum;       /* of all that follows */
    uint64_t key, made; /* in bytes */
};

struct content {
    char *bytes; /* NULL: it could not be read */
    size_t size;
};

/* FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
static uint64_t sum_of(uint64_t sum, const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ (unsigned char)bytes[i]) * 1099511628211u;
    return sum;
}

static uint64_t sum_begin(void) {
    return 14695981039346656037u;
}

/* The file for a key; an empty path: there is no cache. */
static void find_path(const char *key, char path[PATH]) {
    const char *folder = compiling.cache;
    *path = '\0';
    if (folder && *folder && strlen(folder) < PATH - 32)
        snprintf(path, PATH, "%s/%016llx", folder,
                 (unsigned long long)sum_of(sum_begin(), key, strlen(key)));
}

void cache_header(const char *key, char *path, size_t room) {
    const char *folder = compiling.cache;
    struct stat about;
    *path = '\0';
    if (folder && *folder && stat(folder, &about) == 0 && S_ISDIR(about.st_mode) &&
        strlen(folder) < room - 32)
        snprintf(path, room, "%s/.%016llx.pch", folder,
                 (unsigned long long)sum_of(sum_begin(), key, strlen(key)));
}

static struct content content_of(const char *path) {
    struct content content = {NULL, 0};
    struct stat about;
    FILE *file = fopen(path, "rb");
    if (file && fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode)) {
        content.bytes = lens_allocate((size_t)about.st_size + 1, 1);
        content.size = fread(content.bytes, 1, (size_t)about.st_size, file);
    }
    if (file)
        fclose(file);
    return content;
}

static struct content content_in(const char *folder, const char *name) {
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return content_of(path);
}

/* ---- What is known. */
static bool is_whole(const struct head *head, const struct content *content) {
    const size_t size = content->size - sizeof *head;
    return head->key <= size && head->made == size - head->key &&
           head->sum == sum_of(sum_begin(), content->bytes + sizeof head->sum,
                               content->size - sizeof head->sum);
}

static bool put(const char *folder, const char *name, const char *bytes, size_t size) {
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    const bool written = file && fwrite(bytes, 1, size, file) == size;
    return file && fclose(file) == 0 && written;
}

static bool unpack(const struct content *content, const char *key, const char *folder,
                   const char *name) {
    struct head head;
    if (content->size < sizeof head)
        return false;
    memcpy(&head, content->bytes, sizeof head);
    if (!is_whole(&head, content))
        return false;
    const char *kept = content->bytes + sizeof head;
    return head.key == strlen(key) && memcmp(kept, key, head.key) == 0 &&
           put(folder, name, kept + head.key, head.made);
}

bool cache_take(const char *key, const char *folder, const char *name) {
    char path[PATH];
    find_path(key, path);
    const struct content content = content_of(path);
    const bool known = unpack(&content, key, folder, name);
    free(content.bytes);
    return known;
}

/* ---- What is kept. */
static struct head head_for(const char *key, const struct content *made) {
    struct head head = {0, strlen(key), made->size};
    head.sum = sum_of(sum_begin(), (const char *)&head.key,
                      sizeof head - offsetof(struct head, key));
    head.sum = sum_of(head.sum, key, head.key);
    head.sum = sum_of(head.sum, made->bytes, made->size);
    return head;
}

static bool pack(FILE *file, const char *key, const struct content *made) {
    const struct head head = head_for(key, made);
    fwrite(&head, sizeof head, 1, file);
    fwrite(key, 1, head.key, file);
    fwrite(made->bytes, 1, made->size, file);
    return fflush(file) == 0 && !ferror(file);
}

static void keep(const char *path, const char *key, const struct content *made) {
    char half_done[PATH + 8];
    snprintf(half_done, sizeof half_done, "%s-XXXXXX", path);
    const int descriptor = mkstemp(half_done);
    if (descriptor < 0)
        return;
    FILE *file = fdopen(descriptor, "wb");
    const bool packed = file && pack(file, key, made);
    if (!file || fclose(file) != 0 || !packed || rename(half_done, path) != 0)
        unlink(half_done);
}

void cache_keep(const char *key, const char *folder, const char *name) {
    char path[PATH];
    find_path(key, path);
    if (!*path)
        return;
    struct content made = content_in(folder, name);
    mkdir(compiling.cache, 0777);
    if (made.bytes)
        keep(path, key, &made);
    free(made.bytes);
}
