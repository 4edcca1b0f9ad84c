/* values: reads a word for the content of memory, and fills memory with it. */
#define _GNU_SOURCE /* strndup */
#include "values.h"
#include "base/memory.h"
#include "driver/poison.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Words. */
static bool is_number(const char *text) {
    char *end;
    strtod(text, &end);
    return end > text && !*end;
}

static void add_number(struct value *value, const char *argument, const char *begin,
                       size_t length) {
    static const char blanks[] = " \t\n";
    const size_t before = strspn(begin, blanks);
    begin += before < length ? before : length;
    length -= before < length ? before : length;
    while (length > 0 && strchr(blanks, begin[length - 1]))
        length--;
    char *number = strndup(begin, length);
    if (!is_number(number))
        lens_die("%s cannot be '%s'" HINT
                 "give a number, random, index, unset, a range such as 0..9, or "
                 "file:NAME",
                 argument, number);
    *GROW(value->numbers, value->count) = number;
}

static void read_content(struct value *value, const char *argument, const char *path) {
    FILE *file = fopen(path, "rb");
    size_t room = 0, got = 1;
    while (file && got > 0) {
        if (value->bytes == room) {
            room = room ? 2 * room : 1 << 16;
            char *more = realloc(value->content, room);
            if (!more)
                lens_die("no memory for %s" HINT "try a smaller file", path);
            value->content = more;
        }
        got = fread(value->content + value->bytes, 1, room - value->bytes, file);
        value->bytes += got;
    }
    if (!file || ferror(file))
        lens_die("%s: cannot read %s: %s" HINT "file:NAME names a file of raw bytes",
                 argument, path, strerror(errno));
    fclose(file);
}

struct value value_read(const char *argument, const char *text) {
    struct value value = {.kind = NUMBERS};
    const char *dots = strstr(text, "..");
    if (strcmp(text, "random") == 0) {
        value.kind = RANDOM;
    } else if (strcmp(text, "index") == 0) {
        value.kind = INDEX;
    } else if (strcmp(text, "unset") == 0) {
        value.kind = UNSET;
    } else if (strncmp(text, "file:", 5) == 0) {
        value.kind = CONTENT;
        read_content(&value, argument, text + 5);
    } else if (*text == '(') {
        for (const char *p = text + 1; *p && *p != ')';) {
            const size_t length = strcspn(p, ",)");
            add_number(&value, argument, p, length);
            p += length + (p[length] == ',');
        }
    } else if (dots) {
        value.kind = RANGE;
        add_number(&value, argument, text, (size_t)(dots - text));
        add_number(&value, argument, dots + 2, strlen(dots + 2));
    } else {
        add_number(&value, argument, text, strlen(text));
    }
    if (value.kind == NUMBERS && value.count == 0)
        lens_die("%s has no value" HINT "give a number, as in %s=1", argument,
                 argument);
    return value;
}

/* ---- Numbers. */
static unsigned bits_of(const struct element_type *type) {
    return (unsigned)(8 * type->bytes);
}

/* The largest whole number of a type. */
static uint64_t most_of(const struct element_type *type) {
    return UINT64_MAX >> (64 - bits_of(type) + (type->kind == SIGNED));
}

static void put_whole(const struct element_type *type, char *bytes, uint64_t number) {
    memcpy(bytes, &number, type->bytes); /* little-endian: the low bytes come first */
}

/* The bits of a whole number that the type holds; all else is an error. */
static uint64_t whole_of(const struct element_type *type, const char *argument,
                         const char *text) {
    const bool negative = *text == '-';
    const double most = (double)most_of(type), real = strtod(text, NULL);
    char *end;
    errno = 0;
    uint64_t number =
        negative ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
    if (*end && real >= -0x1p62 && real <= 0x1p62) /* "1e6" */
        number = (uint64_t)(int64_t)real;
    if (errno || (*end && (real != floor(real) || real < -0x1p62 || real > 0x1p62)) ||
        (negative ? real < (type->kind == SIGNED ? -most - 1 : 0)
                  : number > most_of(type)))
        lens_die("%s cannot be %s" HINT "its type is %s, of %u bits", argument, text,
                 type->name ? type->name : "not known: bytes are meant", bits_of(type));
    return number;
}

/* A random number for each place: Steele, Lea and Flood, "Fast Splittable Pseudorandom
 * Number Generators", OOPSLA 2014. */
static uint64_t random_at(uint64_t place) {
    uint64_t bits = (place + 1) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return bits ^ bits >> 31;
}

static double fraction_at(uint64_t place) {
    return (double)(random_at(place) >> 40) * 0x1p-24; /* exact in a float, too */
}

/* ---- Memory. */
static void fill_range(const struct value *value, const struct object *argument,
                       const struct element_type *type, char *bytes, uint64_t place) {
    const char *low = value->numbers[0], *high = value->numbers[1];
    const double from = strtod(low, NULL), to = strtod(high, NULL);
    if (from > to)
        lens_die("%s: %s..%s is no range" HINT "the smaller number comes first",
                 argument->name, low, high);
    if (type->kind == FLOAT) {
        element_put_real(type, bytes, from + (to - from) * fraction_at(place));
        return;
    }
    const uint64_t first = whole_of(type, argument->name, low),
                   count = whole_of(type, argument->name, high) - first + 1;
    const uint64_t number = random_at(place);
    put_whole(type, bytes, first + (count ? number % count : number));
}

/* All numbers by turns: what they are is read once, and then repeated. */
static void fill_numbers(const struct value *value, const struct object *argument,
                         const struct element_type *type, size_t bytes) {
    size_t done = 0;
    for (size_t i = 0; i < value->count && done + type->bytes <= bytes; i++) {
        const char *text = value->numbers[i];
        if (type->kind == FLOAT)
            element_put_real(type, argument->base + done, strtod(text, NULL));
        else
            put_whole(type, argument->base + done,
                      whole_of(type, argument->name, text));
        done += type->bytes;
    }
    for (size_t i = done; i < bytes && done > 0; i++)
        argument->base[i] = argument->base[i - done];
}

uint64_t value_random(const struct element_type *type, uint64_t below) {
    const uint64_t most = most_of(type);
    return (below < most ? below : most) - 1;
}

static void fill_random(const struct element_type *type, char *bytes, uint64_t place,
                        uint64_t below) {
    if (type->kind == FLOAT)
        element_put_real(type, bytes, fraction_at(place));
    else
        put_whole(type, bytes, random_at(place) % (value_random(type, below) + 1));
}

static void fill_index(const struct element_type *type, char *bytes, size_t element) {
    if (type->kind == FLOAT)
        element_put_real(type, bytes, (double)element);
    else
        put_whole(type, bytes, element);
}

void value_fill(const struct value *value, const struct object *argument, size_t bytes,
                uint64_t below, uint64_t seed) {
    const struct element_type type = element_type(argument);
    const uint32_t poison = POISON;
    if (value->kind == CONTENT) {
        const size_t known = value->bytes < bytes ? value->bytes : bytes;
        memcpy(argument->base, value->content, known);
        memset(argument->base + known, 0, bytes - known);
        return;
    }
    if (value->kind == NUMBERS)
        fill_numbers(value, argument, &type, bytes);
    for (size_t i = 0; value->kind == UNSET && i < bytes; i++)
        argument->base[i] = ((const char *)&poison)[i % sizeof poison];
    for (size_t i = 0; i + type.bytes <= bytes; i += type.bytes) {
        const size_t place = i / type.bytes;
        char *number = argument->base + i;
        if (value->kind == RANGE)
            fill_range(value, argument, &type, number, place + (seed << 40));
        else if (value->kind == RANDOM)
            fill_random(&type, number, place + (seed << 40), below);
        else if (value->kind == INDEX)
            fill_index(&type, number, place / type.apart);
    }
}
