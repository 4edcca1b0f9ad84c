#include "parcel.h"
#include "memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void parcel_write(FILE *out, const void *bytes, size_t count) {
    fwrite(bytes, 1, count, out);
}

bool parcel_read(FILE *in, void *bytes, size_t count) {
    return fread(bytes, 1, count, in) == count;
}

void parcel_write_text(FILE *out, const char *text) {
    const size_t length = text ? strlen(text) : SIZE_MAX;
    parcel_write(out, &length, sizeof length);
    if (text)
        parcel_write(out, text, length);
}

char *parcel_read_text(FILE *in) {
    size_t length = SIZE_MAX;
    if (!parcel_read(in, &length, sizeof length) || length == SIZE_MAX)
        return NULL;
    char *text = lens_allocate(length + 1, 1);
    if (parcel_read(in, text, length))
        return text;
    free(text);
    return NULL;
}
