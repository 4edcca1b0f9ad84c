/* driver_cache: the folder in which PoCL keeps compiled kernels.  PoCL that cannot
 * write there finds no device, or compiles nothing, and does not say why. */
#ifndef DRIVER_CACHE_H
#define DRIVER_CACHE_H

struct cache {
    char folder[4096];
};

/* Where PoCL would look for it; it need not be there. */
struct cache driver_cache(void);

/* If a platform of this name is PoCL, and its folder cannot be written or has no room,
 * that is an error. Call it when a platform has failed, not before: what is compiled
 * already runs without. */
void driver_cache_check(const char *platform);

#endif
