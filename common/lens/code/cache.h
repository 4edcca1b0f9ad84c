/* cache: what clang made of kernel files, kept for the next time. */
#ifndef CACHE_H
#define CACHE_H

#include <stdbool.h>
#include <stddef.h>

/* `key` is a text of all that decides what clang makes.  What was made for it is put
 * into a folder, under a name; false: nothing is known, or not surely. */
bool cache_take(const char *key, const char *folder, const char *name);

/* Keeps this file of a folder.  If that cannot be done, nothing is kept. */
void cache_keep(const char *key, const char *folder, const char *name);

/* Where a precompiled header is kept, or may be, once there is a cache; else "". */
void cache_header(const char *key, char *path, size_t room);

#endif
