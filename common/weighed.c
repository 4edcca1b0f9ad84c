#include "weighed.h"
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
static cl_ulong weight_of(const struct weighed *weighed, size_t at) {
    cl_uchar bytes[sizeof(cl_ulong)] = {0};
    bytes[at % sizeof bytes] = 1;
    return weighed->weights[at / sizeof bytes] * word_at((const char *)bytes, 0);
}

/* Lays out a page that begins at the same line as this piece's. */
static void weigh(struct weighed *weighed, struct piece piece) {
    weighed->of = piece;
    for (size_t i = 0; i < page_bytes(piece) / sizeof(cl_ulong); i++) {
        const cl_ulong high = random_next(&weighed->seed);
        weighed->weights[i] = high << 32 | random_next(&weighed->seed) | 1;
    }
    weighed->fixed = 0;
    memset(weighed->digit, 0, sizeof weighed->digit);
    size_t at = 0;
    for (cl_ulong number = piece.first; number < piece.first + PAGE_LINES; number++) {
        char line[FIZZBUZZ_LINE];
        const size_t length = fizzbuzz_line(line, number);
        const size_t digits = isdigit((unsigned char)line[0]) ? length - 3 : 0;
        cl_ulong *digit = weighed->digit[number / 100 - piece.first / 100];
        for (size_t i = 0; i < length; i++, at++)
            if (i < digits)
                digit[i] += weight_of(weighed, at);
            else
                weighed->fixed += (cl_uchar)line[i] * weight_of(weighed, at);
    }
}

/* The sum of a right page that begins with line `first`. */
static cl_ulong expected(const struct weighed *weighed, cl_ulong first) {
    cl_ulong sum = weighed->fixed;
    for (cl_ulong i = 0; i <= PAGE_LINES / 100; i++) {
        cl_ulong number = first / 100 + i;
        for (size_t place = weighed->of.digits - 2; place-- > 0; number /= 10)
            sum += ('0' + number % 10) * weighed->digit[i][place];
    }
    return sum;
}

/* Four sums at a time, because each multiplication waits for the addition before it. */
static cl_ulong sum_of(const struct weighed *weighed, const char *text) {
    const size_t words = page_bytes(weighed->of) / sizeof(cl_ulong);
    cl_ulong sums[4] = {0};
    size_t i = 0;
    for (; i + 4 <= words; i += 4) {
        const cl_ulong *weights = weighed->weights + i;
        const char *at = text + i * sizeof(cl_ulong);
        sums[0] += word_at(at, 0) * weights[0];
        sums[1] += word_at(at, 8) * weights[1];
        sums[2] += word_at(at, 16) * weights[2];
        sums[3] += word_at(at, 24) * weights[3];
    }
    for (; i < words; i++)
        sums[0] += word_at(text, i * sizeof(cl_ulong)) * weighed->weights[i];
    return sums[0] + sums[1] + sums[2] + sums[3];
}

bool weighed_is_right(struct weighed *weighed, const char *text, struct piece piece) {
    const size_t pages = piece.digits > 3 ? piece.lines / PAGE_LINES : 0;
    if (pages > 0 && (weighed->of.digits != piece.digits ||
                      weighed->of.first % 300 != piece.first % 300))
        weigh(weighed, piece);
    cl_ulong first = piece.first;
    for (size_t page = 0; page < pages; page++) {
        if (sum_of(weighed, text) != expected(weighed, first))
            return fizzbuzz_is_right(text, first, PAGE_LINES) &&
                   wrong("the sum of the page of line %llu", (unsigned long long)first);
        text += page_bytes(piece);
        first += PAGE_LINES;
    }
    return fizzbuzz_is_right(text, first, piece.lines - pages * PAGE_LINES);
}
