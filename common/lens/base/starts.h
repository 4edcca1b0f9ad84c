/* starts: does a text begin with another one? */
#ifndef STARTS_H
#define STARTS_H

#include <stdbool.h>
#include <string.h>

static inline bool starts(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

#endif
