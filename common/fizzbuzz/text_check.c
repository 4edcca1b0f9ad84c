#include "fizzbuzz/text_check.h"
#include "compare.h"
#include "data.h"

#include <ctype.h>
#include <string.h>

static size_t page_bytes(struct piece piece) {
    return 16 * (size_t)page_vectors(piece.digits);
}

static cl_ulong word_at(const char *text, size_t at) {
    cl_ulong word;
    memcpy(&word, text + at, sizeof word);
    return word;
}

/* What a byte of 1 at this place of a page adds to the sum. */
static weighed_sum weight_of(const struct text_check *check, size_t at) {
    cl_uchar bytes[sizeof(cl_ulong)] = {0};
    bytes[at % sizeof bytes] = 1;
    return (weighed_sum)check->weights[at / sizeof bytes] *
           word_at((const char *)bytes, 0);
}

/* All of its bits are random: the low ones of random_next() are not. */
static cl_ulong random_weight(struct text_check *check) {
    cl_ulong weight = 0;
    for (int i = 0; i < 4; i++)
        weight = weight << 16 | random_next(&check->seed) >> 16;
    return weight;
}

/* Lays out a page that begins at the same line as this piece's. */
static void weigh(struct text_check *check, struct piece piece) {
    check->of = piece;
    for (size_t i = 0; i < page_bytes(piece) / sizeof(cl_ulong); i++)
        check->weights[i] = random_weight(check);
    check->fixed = 0;
    memset(check->digit, 0, sizeof check->digit);
    size_t at = 0;
    for (cl_ulong number = piece.first; number < piece.first + PAGE_LINES; number++) {
        char line[FIZZBUZZ_LINE];
        const size_t length = fizzbuzz_line(line, number);
        const size_t digits = isdigit((unsigned char)line[0]) ? length - 3 : 0;
        weighed_sum *digit = check->digit[number / 100 - piece.first / 100];
        for (size_t i = 0; i < length; i++, at++)
            if (i < digits)
                digit[i] += weight_of(check, at);
            else
                check->fixed += (cl_uchar)line[i] * weight_of(check, at);
    }
}

/* The sum of a right page that begins with line `first`. */
static weighed_sum expected(const struct text_check *check, cl_ulong first) {
    weighed_sum sum = check->fixed;
    for (cl_ulong i = 0; i <= PAGE_LINES / 100; i++) {
        cl_ulong number = first / 100 + i;
        for (size_t place = check->of.digits - 2; place-- > 0; number /= 10)
            sum += ('0' + number % 10) * check->digit[i][place];
    }
    return sum;
}

/* Two sums at a time, because each addition waits for the one before it.  (A page has a
 * whole number of pairs.) */
static weighed_sum sum_of(const struct text_check *check, const char *text) {
    const size_t words = page_bytes(check->of) / sizeof(cl_ulong);
    weighed_sum sums[2] = {0};
    for (size_t i = 0; i < words; i += 2) {
        const char *at = text + i * sizeof(cl_ulong);
        sums[0] += (weighed_sum)word_at(at, 0) * check->weights[i];
        sums[1] += (weighed_sum)word_at(at, 8) * check->weights[i + 1];
    }
    return sums[0] + sums[1];
}

bool text_check_is_right(struct text_check *check, const char *text,
                         struct piece piece) {
    const size_t pages = piece.digits > 3 ? piece.lines / PAGE_LINES : 0;
    if (pages > 0 && (check->of.digits != piece.digits ||
                      check->of.first % 300 != piece.first % 300))
        weigh(check, piece);
    cl_ulong first = piece.first;
    for (size_t page = 0; page < pages; page++) {
        if (sum_of(check, text) != expected(check, first))
            return fizzbuzz_is_right(text, first, PAGE_LINES) &&
                   wrong("the sum of the page of line %llu", (unsigned long long)first);
        text += page_bytes(piece);
        first += PAGE_LINES;
    }
    return fizzbuzz_is_right(text, first, piece.lines - pages * PAGE_LINES);
}
