/* elements: reads, compares and prints the elements of a buffer. */
#include "elements.h"
#include "base/half.h"
#include "driver/poison.h"

#include <stdlib.h>
#include <string.h>

/* "float4*": its name, then how many of them.  What is not known is taken as bytes. */
struct element_type element_type(const struct object *object) {
    static const struct element_type known[] = {
        {"char", SIGNED, 1, 1, 1},  {"uchar", UNSIGNED, 1, 1, 1},
        {"short", SIGNED, 2, 1, 1}, {"ushort", UNSIGNED, 2, 1, 1},
        {"int", SIGNED, 4, 1, 1},   {"uint", UNSIGNED, 4, 1, 1},
        {"long", SIGNED, 8, 1, 1},  {"ulong", UNSIGNED, 8, 1, 1},
        {"half", FLOAT, 2, 1, 1},   {"float", FLOAT, 4, 1, 1},
        {"double", FLOAT, 8, 1, 1}, {"enum", SIGNED, 4, 1, 1},
        {"bfloat", FLOAT, 2, 1, 1}};
    const size_t letters = strcspn(object->type, " 0123456789*");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].name) == letters &&
            strncmp(known[i].name, object->type, letters) == 0) {
            struct element_type type = known[i];
            const size_t lanes = strtoul(object->type + letters, NULL, 10);
            type.lanes = lanes ? lanes : 1;
            type.apart = lanes == 3 ? 4 : type.lanes; /* the fourth is padding */
            return type;
        }
    return (struct element_type){NULL, UNSIGNED, 1, 1, 1};
}

/* Of 16 bits, is it CUDA's __nv_bfloat16, and no half? */
static bool is_bfloat(const struct element_type *type) {
    return type->name && strcmp(type->name, "bfloat") == 0;
}

double element_real(const struct element_type *type, const char *bytes) {
    float number = 0.0f;
    double wide = 0.0;
    uint16_t narrow = 0;
    if (type->bytes == sizeof narrow) {
        memcpy(&narrow, bytes, sizeof narrow);
        return is_bfloat(type) ? bfloat_value(narrow) : half_value(narrow);
    }
    if (type->bytes == sizeof wide)
        memcpy(&wide, bytes, sizeof wide);
    else
        memcpy(&number, bytes, sizeof number);
    return type->bytes == sizeof wide ? wide : (double)number;
}

void element_put_real(const struct element_type *type, char *bytes, double number) {
    const float narrow = (float)number;
    const uint16_t half = is_bfloat(type) ? bfloat_of(number) : half_of(number);
    if (type->bytes == sizeof half)
        memcpy(bytes, &half, sizeof half);
    else if (type->bytes == sizeof number)
        memcpy(bytes, &number, sizeof number);
    else
        memcpy(bytes, &narrow, sizeof narrow);
}

static int64_t whole_at(const struct element_type *type, const char *bytes) {
    const size_t unused = 64 - 8 * type->bytes;
    uint64_t number = 0;
    memcpy(&number, bytes, type->bytes);
    return type->kind == SIGNED ? (int64_t)(number << unused) >> unused
                                : (int64_t)number;
}

/* With as many digits as distinguish it from all others. */
static void print_float(FILE *out, const struct element_type *type, double value) {
    const bool wide = type->bytes == sizeof value;
    const int most = wide ? 17 : 9;
    char text[64] = "nan";
    for (int digits = 6; value == value && digits <= most; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        char held[sizeof value];
        element_put_real(type, held, strtod(text, NULL));
        if (value == element_real(type, held))
            break;
    }
    fputs(text, out);
}

void element_print(FILE *out, const struct element_type *type, const char *bytes) {
    if (type->kind == FLOAT)
        print_float(out, type, element_real(type, bytes));
    else if (type->kind == SIGNED)
        fprintf(out, "%lld", (long long)whole_at(type, bytes));
    else
        fprintf(out, "%llu", (unsigned long long)whole_at(type, bytes));
}

void element_print_name(FILE *out, const struct object *object,
                        const struct element_type *type, size_t byte) {
    const size_t number = byte / type->bytes;
    if (!type->name)
        fprintf(out, "%s, byte %zu,", object->name, byte);
    else
        fprintf(out, "%s[%zu]", object->name, number / type->apart);
    if (type->lanes > 1)
        fprintf(out, ".s%zx", number % type->apart);
}

bool element_differs(const struct element_type *type, const char *one,
                     const char *other) {
    if (type->kind != FLOAT)
        return true;
    const double a = element_real(type, one), b = element_real(type, other);
    const double apart = a < b ? b - a : a - b;
    const double sizes = (a < 0 ? -a : a) + (b < 0 ? -b : b);
    const bool are_finite = sizes - sizes == 0.0, both_nan = a != a && b != b;
    const double rounding = type->bytes == sizeof(uint16_t) ? 0.5e-2 : 0.5e-4;
    return a != b && !both_nan && !(are_finite && apart <= rounding * sizes);
}

double element_total(const struct object *object) {
    const struct element_type type = element_type(object);
    double total = 0.0;
    for (size_t byte = 0; type.name && byte + type.bytes <= object->bytes;
         byte += type.bytes) {
        const char *bytes = object->base + byte;
        if (byte / type.bytes % type.apart < type.lanes)
            total += type.kind == FLOAT ? element_real(&type, bytes)
                                        : (double)whole_at(&type, bytes);
    }
    return total;
}

bool element_is_poison(const struct object *object, const struct element_type *type,
                       size_t byte) {
    const uint32_t word = POISON;
    for (size_t i = byte; i < byte + type->bytes; i++)
        if (object->base[i] != ((const char *)&word)[i % sizeof word])
            return false;
    return true;
}
