/* spelling: which name was meant. */
#ifndef SPELLING_H
#define SPELLING_H

#include <stddef.h>

/* Of these names, the one that a misspelt word is nearest to; NULL: none is near. */
const char *spelling_meant(const char *word, const char *const *names, size_t count);

#endif
