/* numbers: what lies in memory, and in which order work is done. */
#define _GNU_SOURCE /* open_memstream */
#include "unit.h"

#include "base/half.h"
#include "measure/digits.h"
#include "replay/elements.h"
#include "replay/schedule.h"
#include "report/folded.h"
#include "settings.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Half. */
void test_half(void) {
    static const struct {
        const char *here;
        double number;
        uint16_t bits;
    } nearest[] = {
        {HERE, 0.0, 0},
        {HERE, -0.0, 0x8000},
        {HERE, 1.0, 0x3c00},
        {HERE, -2.0, 0xc000},
        {HERE, 0.1, 0x2e66},
        {HERE, 2049.0, 0x6800}, /* halfway: to the even one */
        {HERE, 2051.0, 0x6802},
        {HERE, 2049.1, 0x6801},
        {HERE, 65504.0, 0x7bff},
        {HERE, 65519.999, 0x7bff},
        {HERE, 65520.0, 0x7c00},
        {HERE, -1e300, 0xfc00},
        {HERE, INFINITY, 0x7c00},
        {HERE, 0x1p-14, 0x0400},     /* the smallest that is normal */
        {HERE, 0x1.ff8p-15, 0x03ff}, /* the largest that is not */
        {HERE, 0x1.ffcp-15, 0x0400},
        {HERE, 0x1p-24, 0x0001},
        {HERE, 0x1p-25, 0x0000},
        {HERE, 0x1.8p-25, 0x0001},
        {HERE, 0x1.8p-24, 0x0002},
    };
    enum { ALL = 1 << 16, QUIET = 0x200 };
    size_t same = 0;
    for (size_t i = 0; i < COUNT(nearest); i++)
        is_number(nearest[i].here, "its bits", half_of(nearest[i].number),
                  nearest[i].bits);
    for (unsigned bits = 0; bits < ALL; bits++) {
        const double number = half_value((uint16_t)bits);
        same += half_of(number) == (number == number ? bits : (bits | QUIET));
    }
    is_number(HERE, "how many there are, there and back", (int64_t)same, ALL);
    is_number(HERE, "a NaN stays one", half_of(NAN) & 0x7e00, 0x7e00);
    is_number(HERE, "the smallest", (int64_t)ldexp(half_value(1), 24), 1);
    is_number(HERE, "the largest", (int64_t)half_value(0x7bff), 65504);
}

/* ---- Elements. */
static char *type_in_words(const char *name) {
    static char words[64];
    static const char *const kinds[] = {"signed", "unsigned", "float"};
    const struct element_type type = element_type(&(const struct object){.type = name});
    snprintf(words, sizeof words, "%s: %s, %zu bytes, %zu of %zu",
             type.name ? type.name : "bytes", kinds[type.kind], type.bytes, type.lanes,
             type.apart);
    return words;
}

static char *named(const char *type_name, size_t byte) {
    char *words = NULL;
    size_t bytes = 0;
    const struct object object = {.name = "x", .type = type_name};
    const struct element_type type = element_type(&object);
    FILE *out = open_memstream(&words, &bytes);
    element_print_name(out, &object, &type, byte);
    fclose(out);
    return words;
}

static void test_printed(void) {
    static const struct {
        const char *here;
        double number;
        const char *wide, *narrow;
    } printed[] = {
        {HERE, 0.5, "0.5", "0.5"},
        {HERE, 0.1, "0.1", "0.1"},
        {HERE, 1.0 / 3.0, "0.3333333333333333", "0.33333334"},
        {HERE, 16777217.0, "16777217", "16777216"},
        {HERE, -1e30, "-1e+30", "-1e+30"},
        {HERE, INFINITY, "inf", "inf"},
        {HERE, NAN, "nan", "nan"},
    };
    for (size_t i = 0; i < COUNT(printed); i++) {
        const float number = (float)printed[i].number;
        const void *const numbers[] = {&printed[i].number, &number};
        const char *const names[] = {"double*", "float*"};
        for (int k = 0; k < 2; k++) {
            char *words = NULL;
            size_t bytes = 0;
            const struct element_type type =
                element_type(&(const struct object){.type = names[k]});
            FILE *out = open_memstream(&words, &bytes);
            element_print(out, &type, numbers[k]);
            fclose(out);
            is_text(printed[i].here, names[k], words,
                    k ? printed[i].narrow : printed[i].wide);
        }
    }
}

static bool differ(const char *name, double one, double other) {
    const struct element_type type = element_type(&(const struct object){.type = name});
    const float floats[] = {(float)one, (float)other};
    const uint16_t halves[] = {half_of(one), half_of(other)};
    return type.bytes == sizeof(uint16_t)
               ? element_differs(&type, (const char *)&halves[0],
                                 (const char *)&halves[1])
               : element_differs(&type, (const char *)&floats[0],
                                 (const char *)&floats[1]);
}

void test_elements(void) {
    static const char *const types[][3] = {
        {HERE, "float4*", "float: float, 4 bytes, 4 of 4"},
        {HERE, "float3*", "float: float, 4 bytes, 3 of 4"},
        {HERE, "float", "float: float, 4 bytes, 1 of 1"},
        {HERE, "uchar16*", "uchar: unsigned, 1 bytes, 16 of 16"},
        {HERE, "long*", "long: signed, 8 bytes, 1 of 1"},
        {HERE, "ushort2", "ushort: unsigned, 2 bytes, 2 of 2"},
        {HERE, "half*", "half: float, 2 bytes, 1 of 1"},
        {HERE, "double8*", "double: float, 8 bytes, 8 of 8"},
        {HERE, "enum color*", "enum: signed, 4 bytes, 1 of 1"},
        {HERE, "struct body*", "bytes: unsigned, 1 bytes, 1 of 1"},
        {HERE, "floats*", "bytes: unsigned, 1 bytes, 1 of 1"},
    };
    static const struct {
        const char *here, *type;
        size_t byte;
        const char *name;
    } names[] = {
        {HERE, "int*", 28, "x[7]"},
        {HERE, "float4*", 88, "x[5].s2"},
        {HERE, "float3*", 24, "x[1].s2"},
        {HERE, "uchar16*", 31, "x[1].sf"},
        {HERE, "struct body*", 12, "x, byte 12,"},
    };
    for (size_t i = 0; i < COUNT(types); i++)
        is_text(types[i][0], types[i][1], type_in_words(types[i][1]), types[i][2]);
    for (size_t i = 0; i < COUNT(names); i++)
        is_text(names[i].here, names[i].type, named(names[i].type, names[i].byte),
                names[i].name);
    test_printed();
    is_number(HERE, "rounding", differ("float*", 1.0, 1.00009), false);
    is_number(HERE, "more than that", differ("float*", 1.0, 1.00011), true);
    is_number(HERE, "rounding of half", differ("half*", 1.0, 1.009), false);
    is_number(HERE, "more than that", differ("half*", 1.0, 1.011), true);
    is_number(HERE, "another sign", differ("float*", 1e-9, -1e-9), true);
    is_number(HERE, "a NaN and a number", differ("float*", NAN, 1.0), true);
    is_number(HERE, "two NaN", differ("float*", NAN, NAN), false);
    is_number(HERE, "infinity and a number", differ("float*", INFINITY, 1.0), true);
    is_number(HERE, "infinity twice", differ("float*", INFINITY, INFINITY), false);
}

/* ---- The order of groups and of warps. */
static char *order_in_words(const struct schedule *schedule, size_t count, bool warps) {
    static char words[256];
    *words = '\0';
    for (size_t turn = 0; turn < count; turn++)
        snprintf(words + strlen(words), 8, "%s%zu", turn ? " " : "",
                 warps ? schedule_warp(schedule, (unsigned)turn)
                       : schedule_group(schedule, turn));
    return words;
}

void test_order(void) {
    static const char *const expected[] = {"0 1 2 3 4", "0 1 2 3 4", "4 3 2 1 0"};
    bool all_forward = true;
    for (int i = BY_TURNS; i < AT_RANDOM; i++) {
        struct schedule schedule = schedule_begin((enum order)i, 5);
        schedule_round(&schedule, 5);
        is_text(HERE, order_names[i], order_in_words(&schedule, 5, false), expected[i]);
        is_text(HERE, order_names[i], order_in_words(&schedule, 5, true), expected[i]);
        is_number(HERE, "blocks at a turn", schedule_blocks(&schedule),
                  i == BY_TURNS ? 1 : UINT_MAX);
    }
    struct schedule schedule = schedule_begin(AT_RANDOM, 5);
    char *first = strdup(order_in_words(&schedule, 5, false));
    schedule = schedule_begin(AT_RANDOM, 5);
    is_text(HERE, "the same for as many groups", order_in_words(&schedule, 5, false),
            first);
    for (int round = 0; round < 64; round++) {
        unsigned seen = 0;
        schedule_round(&schedule, 5);
        for (unsigned turn = 0; turn < 5; turn++)
            seen |= 1u << schedule_warp(&schedule, turn);
        is_number(HERE, "each warp gets its turn", seen, 0x1f);
        all_forward &=
            strcmp(order_in_words(&schedule, 5, true), expected[BY_TURNS]) == 0;
        const unsigned blocks = schedule_blocks(&schedule);
        is_number(HERE, "1, 2, 4, 8 or 16 blocks",
                  blocks > 0 && blocks <= 16 && !(blocks & (blocks - 1)), true);
    }
    is_number(HERE, "always in the order of numbers", all_forward, false);
    free(first);
    for (int i = 0; i < ORDERS; i++)
        is_number(HERE, order_names[i], order_called(order_names[i]), i);
    is_number(HERE, "no name", order_called(NULL), BY_TURNS);
    is_number(HERE, "another name", order_called("backward"), BY_TURNS);
}

/* ---- Launches that are not shown. */
void test_folded(void) {
    char *words = NULL;
    size_t bytes = 0;
    folded_add("scan", "n=30 stride=2", "n=1000 stride=2");
    folded_add("scan", "n=9 stride=2", "n=1000 stride=2");
    folded_add("scan", "n=2000 stride=2", "n=1000 stride=2");
    folded_add("sum", "", NULL);
    folded_add("copy", "rounds=3 x=-1.5", "rounds=2 x=1");
    folded_add("copy", "rounds=3 x=-20", NULL);
    folded_add("scan", " n=1000  stride=2", "n=1000 stride=2");
    FILE *out = open_memstream(&words, &bytes);
    folded_print(out);
    fclose(out);
    is_text(HERE, "what is not shown", words,
            "and 4 more of scan with other n: 9 to 2000\n"
            "and 1 more of sum\n"
            "and 2 more of copy with other rounds: 3, x: -20 to -1.5\n");
}

/* ---- Commas between thousands. */
void test_digits(void) {
    const struct {
        uint64_t number;
        const char *text;
    } all[] = {{0, "0"},
               {7, "7"},
               {999, "999"},
               {1000, "1,000"},
               {13792, "13,792"},
               {131072, "131,072"},
               {1048576, "1,048,576"},
               {UINT64_MAX, "18,446,744,073,709,551,615"}};
    char text[MAX_DIGITS];
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        is_text(HERE, all[i].text, digits_write(text, all[i].number), all[i].text);
}
