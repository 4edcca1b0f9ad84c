/* parcel: what one process writes for another that has the same program. */
#ifndef PARCEL_H
#define PARCEL_H

#include <stdbool.h>
#include <stdio.h>

/* A text, which may be NULL. */
void parcel_write_text(FILE *out, const char *text);
/* Reads it; the caller frees it. */
char *parcel_read_text(FILE *in);

/* Bytes as they are in memory. */
void parcel_write(FILE *out, const void *bytes, size_t count);
/* False: there are no more. */
bool parcel_read(FILE *in, void *bytes, size_t count);

#endif
