/* formula: reads one by recursive descent: a sum of products of factors. */
#include "formula.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *next;
    formula_names *names;
    const void *of; /* whose names they are */
    unsigned depth; /* of parentheses */
    bool fails;
};

enum { DEEPEST = 64 };

static int64_t read_sum(struct reader *reader);

static char peek(struct reader *reader) {
    reader->next += strspn(reader->next, " \t\n");
    return *reader->next;
}

static int64_t read_number(struct reader *reader) {
    char *end;
    errno = 0;
    const int64_t number = strtoll(reader->next, &end, 0);
    reader->fails |= errno != 0;
    reader->next = end;
    return number;
}

static int64_t read_name(struct reader *reader) {
    size_t length = 0;
    int64_t number = 0;
    while (isalnum((unsigned char)reader->next[length]) ||
           reader->next[length] == '_' || (unsigned char)reader->next[length] >= 0x80)
        length++; /* letters beyond ASCII are bytes beyond ASCII */
    reader->fails |=
        length == 0 || !reader->names(reader->of, reader->next, length, &number);
    reader->next += length;
    return number;
}

static int64_t read_factor(struct reader *reader) {
    if (isdigit((unsigned char)peek(reader)))
        return read_number(reader);
    if (*reader->next != '(')
        return read_name(reader);
    if (++reader->depth > DEEPEST) {
        reader->fails = true;
        return 0;
    }
    reader->next++;
    const int64_t number = read_sum(reader);
    reader->depth--;
    reader->fails |= peek(reader) != ')';
    reader->next += *reader->next == ')';
    return number;
}

static int64_t read_product(struct reader *reader) {
    int64_t product = read_factor(reader);
    while (!reader->fails && peek(reader) && strchr("*/%", *reader->next)) {
        const char operation = *reader->next++;
        const int64_t factor = read_factor(reader);
        if (operation == '*')
            reader->fails |= __builtin_mul_overflow(product, factor, &product);
        else if (factor == 0 || factor == -1) /* and INT64_MIN / -1 does not fit */
            reader->fails = true;
        else
            product = operation == '/' ? product / factor : product % factor;
    }
    return product;
}

static int64_t read_sum(struct reader *reader) {
    int64_t sum = read_product(reader);
    while (!reader->fails && peek(reader) && strchr("+-", *reader->next)) {
        const bool adds = *reader->next++ == '+';
        const int64_t product = read_product(reader);
        reader->fails |= adds ? __builtin_add_overflow(sum, product, &sum)
                              : __builtin_sub_overflow(sum, product, &sum);
    }
    return sum;
}

bool formula_read(const char *text, formula_names *names, const void *of,
                  int64_t *number) {
    struct reader reader = {.next = text, .names = names, .of = of};
    *number = read_sum(&reader);
    return !reader.fails && !peek(&reader);
}
