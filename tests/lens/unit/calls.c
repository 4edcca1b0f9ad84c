/* calls: what `lens kernel` reads of its command line. */
#define _GNU_SOURCE /* open_memstream, setenv */
#include "unit.h"

#include "alone/call.h"
#include "alone/formula.h"
#include "alone/gaps.h"
#include "alone/sizes.h"
#include "alone/values.h"
#include "base/spelling.h"
#include "replay/elements.h"
#include "settings.h"

#include <stdlib.h>
#include <string.h>

/* ---- Formulas. */
static bool number_called(const void *of, const char *name, size_t length,
                          int64_t *number) {
    (void)of;
    static const struct {
        const char *name;
        int64_t number;
    } known[] = {{"n", 7}, {"items", 64}, {"größe", 3}, {"x_2", -5}};
    for (size_t i = 0; i < COUNT(known); i++)
        if (strlen(known[i].name) == length &&
            strncmp(known[i].name, name, length) == 0) {
            *number = known[i].number;
            return true;
        }
    return false;
}

static void nest(char text[160], int depth) {
    memset(text, '(', (size_t)depth);
    text[depth] = '1';
    memset(text + depth + 1, ')', (size_t)depth);
    text[2 * depth + 1] = '\0';
}

static void test_depth(void) {
    int64_t number;
    char deep[160];
    nest(deep, 64);
    is_number(HERE, deep, formula_read(deep, number_called, NULL, &number), true);
    nest(deep, 65);
    is_number(HERE, deep, formula_read(deep, number_called, NULL, &number), false);
}

void test_formula(void) {
    static const struct {
        const char *here, *text;
        int64_t number;
    } read[] = {
        {HERE, "1", 1},
        {HERE, "n", 7},
        {HERE, " ( n + 3 ) / 4\n", 2},
        {HERE, "2+3*4", 14},
        {HERE, "(2+3)*4", 20},
        {HERE, "7-2-3", 2},
        {HERE, "20/3/2", 3},
        {HERE, "items*3-2", 190},
        {HERE, "2*(n+1)/2", 8},
        {HERE, "n%4", 3},
        {HERE, "3-n", -4},
        {HERE, "x_2 / 2", -2}, /* as C does */
        {HERE, "x_2 % 2", -1},
        {HERE, "größe * 2", 6},
        {HERE, "0x10 + 010", 24},
        {HERE, "9223372036854775807", INT64_MAX},
        {HERE, "0-9223372036854775807-1", INT64_MIN},
    };
    static const char *const refused[][2] = {
        {HERE, ""},
        {HERE, " "},
        {HERE, "m"},
        {HERE, "nn"},
        {HERE, "n +"},
        {HERE, "* 2"},
        {HERE, "1 2"},
        {HERE, "3n"},
        {HERE, "1.5"},
        {HERE, "-1"},
        {HERE, "(1"},
        {HERE, "1)"},
        {HERE, "()"},
        {HERE, "n[1]"},
        {HERE, "1/0"},
        {HERE, "1%0"},
        {HERE, "1/(n-7)"},
        {HERE, "1/(0-1)"},
        {HERE, "1 << 2"},
        {HERE, "9223372036854775808"},
        {HERE, "9223372036854775807+1"},
        {HERE, "0-9223372036854775807-2"},
        {HERE, "4611686018427387904*2"},
    };
    int64_t number;
    for (size_t i = 0; i < COUNT(read); i++) {
        number = -1;
        is_number(read[i].here, read[i].text,
                  formula_read(read[i].text, number_called, NULL, &number), true);
        is_number(read[i].here, read[i].text, number, read[i].number);
    }
    for (size_t i = 0; i < COUNT(refused); i++)
        is_number(refused[i][0], refused[i][1],
                  formula_read(refused[i][1], number_called, NULL, &number), false);
    test_depth();
}

/* ---- Calls. */

/* "dot x[4096]=random n:int": what was read. */
static char *call_in_words(const char *text) {
    const struct call call = call_read(text);
    char *words = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&words, &bytes);
    fputs(call.kernel, out);
    for (size_t i = 0; i < call.count; i++) {
        const struct given *given = &call.given[i];
        fprintf(out, " %s", given->name);
        if (given->elements)
            fprintf(out, "[%s]", given->elements);
        if (*given->type)
            fprintf(out, ":%s", given->type);
        if (given->value)
            fprintf(out, "=%s", given->value);
    }
    fclose(out);
    return words;
}

void test_call(void) {
    static const char *const read[][3] = {
        {HERE, "dot", "dot"},
        {HERE, " dot ", "dot"},
        {HERE, "dot()", "dot"},
        {HERE, "dot(x)", "dot x"},
        {HERE, "dot(x, n=4)", "dot x n=4"},
        {HERE, "dot(x[4096]=random, y=1)", "dot x[4096]=random y=1"},
        {HERE, " dot ( x [ n + 1 ] = 0..9 ,\n\ty=1 ) ", "dot x[n + 1]=0..9 y=1"},
        {HERE, "dot(x[n*(m+1)])", "dot x[n*(m+1)]"},
        {HERE, "f(by=(1, (2,3), 4), p=(-1,2))", "f by=(1, (2,3), 4) p=(-1,2)"},
        {HERE, "f(n=(m + 1) / 2, x)", "f n=(m + 1) / 2 x"},
        {HERE, "f(raw[8]:float=1, s:uchar4)", "f raw[8]:float=1 s:uchar4"},
        {HERE, "f(x=file:a folder/b)", "f x=file:a folder/b"},
        {HERE, "straße(größe[länge]=3)", "straße größe[länge]=3"},
    };
    is_text(HERE, "no call", call_in_words(NULL), "");
    for (size_t i = 0; i < COUNT(read); i++)
        is_text(read[i][0], read[i][1], call_in_words(read[i][1]), read[i][2]);
    const struct call call = call_read("dot(x, n=4)");
    is_text(HERE, "what is given for n", call_given(&call, "n")->value, "4");
    is_number(HERE, "what is given for y", call_given(&call, "y") == NULL, true);
    is_text(HERE, "behind the value", call_value_end("f(1, 2), 3"), ", 3");
    is_text(HERE, "behind the value", call_value_end("(1)) x"), ") x");
}

static void read_call(const char *text) {
    call_read(text);
}

/* In a call, "~" stands in front of its mistake.  The message has a mark there; a
 * letter beyond ASCII is one place wide. */
static void is_marked(const char *here, const char *call, const char *why) {
    char text[512], shown[512], wanted[1280];
    const size_t before = strcspn(call, "~");
    int column = 0;
    snprintf(text, sizeof text, "%.*s%s", (int)before, call, call + before + 1);
    for (size_t i = 0; i < before; i++)
        column += ((unsigned char)call[i] & 0xc0) != 0x80;
    for (size_t i = 0; i <= strlen(text); i++)
        shown[i] = text[i] == '\033' || text[i] == '\n' ? '?' : text[i];
    snprintf(wanted, sizeof wanted,
             "%s\n  call    %s\n          %*s^\n"
             "  hint    for example: 'dot(x[4096]=random, y=1, n=4096)'",
             why, shown, column, "");
    is_refused(here, text, read_call, wanted);
}

void test_call_errors(void) {
    static const char *const marked[][3] = {
        {HERE, "scale(su~-ms[4])", "a comma is missing"},
        {HERE, "scale(x[4] ~y)", "a comma is missing"},
        {HERE, "scale(x=1~", "a ')' is missing"},
        {HERE, "scale(x~", "a ')' is missing"},
        {HERE, "straße(größe=1~", "a ')' is missing"},
        {HERE, "scale(x~[4)", "a ']' is missing"},
        {HERE, "scale(x=~)", "a value is missing"},
        {HERE, "scale(x=~, y=1)", "a value is missing"},
        {HERE, "scale(x=1) ~y", "there is something behind the ')'"},
        {HERE, "wide(in=1) ~2", "there is something behind the ')'"},
        {HERE, "scale(x=1, ~x=2)", "an argument is given twice"},
        {HERE, "~", "a name is missing"},
        {HERE, "~(x)", "a name is missing"},
        {HERE, "scale(~=1)", "a name is missing"},
        {HERE, "scale(x,~,y)", "a name is missing"},
        {HERE, "scale(x:~=1)", "a name is missing"},
        {HERE, "scale~[x]", "a '(' is missing"},
        {HERE, "scale ~x", "a '(' is missing"},
        {HERE, "scale(x~\033[31m=1)", "there is a control character in the call"},
    };
    char long_name[200] = "~", many[512] = "f(";
    for (size_t i = 0; i < COUNT(marked); i++)
        is_marked(marked[i][0], marked[i][1], marked[i][2]);
    memset(long_name + 1, 'a', MAX_NAME - 1);
    is_refused(HERE, long_name + 2, read_call, NULL);
    long_name[MAX_NAME] = 'a';
    is_marked(HERE, long_name, "a name is too long");
    for (int i = 0; i < MAX_ARGUMENTS; i++)
        snprintf(many + strlen(many), 8, "x%d,", i);
    is_refused(HERE, strcat(many, ")"), read_call, NULL);
    strcpy(strchr(many, ')'), "~y)");
    is_marked(HERE, many, "there are too many arguments");
}

/* ---- Values. */
static const char *const kinds[] = {"numbers", "random", "index",
                                    "unset",   "range",  "content"};

static char *value_in_words(const struct value *value) {
    char *words = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&words, &bytes);
    fputs(kinds[value->kind], out);
    for (size_t i = 0; i < value->count; i++)
        fprintf(out, " %s", value->numbers[i]);
    fclose(out);
    return words;
}

/* What a buffer of so many bytes holds then: its numbers, a blank between two. */
static char *filled(const char *type_name, const char *text, size_t bytes) {
    char memory[64] = "", *words = NULL;
    size_t letters = 0;
    const struct object object = {.name = "x", .type = type_name, .base = memory};
    const struct element_type type = element_type(&object);
    const struct value value = value_read("x", text);
    value_fill(&value, &object, bytes, 1, 0);
    FILE *out = open_memstream(&words, &letters);
    for (size_t i = 0; i + type.bytes <= bytes; i += type.bytes) {
        fputs(i ? " " : "", out);
        element_print(out, &type, memory + i);
    }
    fclose(out);
    return words;
}

/* Random whole numbers reach both ends of a range, and nothing beyond; they are the
 * same each time, and others for another seed. */
static void test_random(void) {
    enum { NUMBERS_IN_ALL = 1000 };
    int numbers[3][NUMBERS_IN_ALL];
    const char *const words[] = {"-2..2", "random"};
    const int least[] = {-2, 0}, most[] = {2, 9};
    for (size_t w = 0; w < COUNT(words); w++) {
        const struct value value = value_read("x", words[w]);
        int low = 100, high = -100;
        for (uint64_t i = 0; i < 3; i++) {
            const struct object object = {
                .name = "x", .type = "int*", .base = (char *)numbers[i]};
            value_fill(&value, &object, sizeof numbers[i], 10, i / 2);
        }
        for (int i = 0; i < NUMBERS_IN_ALL; i++) {
            low = numbers[0][i] < low ? numbers[0][i] : low;
            high = numbers[0][i] > high ? numbers[0][i] : high;
        }
        is_number(HERE, "the smallest", low, least[w]);
        is_number(HERE, "the largest", high, most[w]);
        is_number(HERE, "the same each time",
                  memcmp(numbers[0], numbers[1], sizeof numbers[0]) == 0, true);
        is_number(HERE, "others for another seed",
                  memcmp(numbers[0], numbers[2], sizeof numbers[0]) != 0, true);
    }
}

void test_values(void) {
    static const char *const read[][3] = {
        {HERE, "random", "random"},  {HERE, "index", "index"},
        {HERE, "unset", "unset"},    {HERE, "1.5", "numbers 1.5"},
        {HERE, "-3", "numbers -3"},  {HERE, "0x40", "numbers 0x40"},
        {HERE, "(1)", "numbers 1"},  {HERE, "( 1,2 , -3e-1)", "numbers 1 2 -3e-1"},
        {HERE, "0..9", "range 0 9"}, {HERE, "-1.5 .. 2", "range -1.5 2"},
    };
    static const struct {
        const char *here, *type, *text;
        size_t bytes;
        const char *numbers;
    } fill[] = {
        {HERE, "int*", "7", 12, "7 7 7"},
        {HERE, "int*", "(1, -2)", 12, "1 -2 1"},
        {HERE, "int*", "-2147483648", 4, "-2147483648"},
        {HERE, "uint*", "0xffffffff", 4, "4294967295"},
        {HERE, "uint*", "1e6", 4, "1000000"},
        {HERE, "uchar*", "(4, 0x40)", 3, "4 64 4"},
        {HERE, "char*", "-128", 1, "-128"},
        {HERE, "long*", "-9223372036854775808", 8, "-9223372036854775808"},
        {HERE, "ulong*", "18446744073709551615", 8, "18446744073709551615"},
        {HERE, "ulong", "0xffffffffffff", 8, "281474976710655"},
        {HERE, "half*", "(0.1, 65504)", 4, "0.0999756 65504"},
        {HERE, "float*", "5e-1", 8, "0.5 0.5"},
        {HERE, "double*", "0.1", 8, "0.1"},
        {HERE, "float4", "(1, 2, 3, 4)", 16, "1 2 3 4"},
        {HERE, "enum*", "3", 4, "3"},
        {HERE, "struct shape", "1", 3, "1 1 1"}, /* what is not known is bytes */
        {HERE, "int*", "index", 16, "0 1 2 3"},
        {HERE, "float*", "index", 8, "0 1"},
        {HERE, "int2*", "index", 16, "0 0 1 1"},
        {HERE, "float3*", "index", 32, "0 0 0 0 1 1 1 1"},
        {HERE, "int*", "5..5", 8, "5 5"},
        {HERE, "float*", "5..5", 4, "5"},
        {HERE, "float*", "unset", 4, "nan"},
        {HERE, "int*", "1", 6, "1"},
    };
    for (size_t i = 0; i < COUNT(read); i++) {
        const struct value value = value_read("x", read[i][1]);
        is_text(read[i][0], read[i][1], value_in_words(&value), read[i][2]);
    }
    for (size_t i = 0; i < COUNT(fill); i++)
        is_text(fill[i].here, fill[i].text,
                filled(fill[i].type, fill[i].text, fill[i].bytes), fill[i].numbers);
    test_random();
}

static void read_value(const char *text) {
    value_read("in", text);
}

/* "uint 1.5": a type, and a value for it. */
static void fill_value(const char *text) {
    char type[64], memory[8];
    const size_t letters = strcspn(text, " ");
    snprintf(type, sizeof type, "%.*s", (int)letters, text);
    const struct object object = {.name = "n", .type = type, .base = memory};
    const struct value value = value_read("n", text + letters + 1);
    value_fill(&value, &object, element_type(&object).bytes, 1, 0);
}

void test_value_errors(void) {
#define IS_NONE                                                                        \
    "  hint    give a number, random, index, unset, a range such as 0..9, or "         \
    "file:NAME"
    static const char *const read[][3] = {
        {HERE, "much", "in cannot be 'much'\n" IS_NONE},
        {HERE, "", "in cannot be ''\n" IS_NONE},
        {HERE, "1 2", "in cannot be '1 2'\n" IS_NONE},
        {HERE, "(1, x)", "in cannot be 'x'\n" IS_NONE},
        {HERE, "(1, , 2)", "in cannot be ''\n" IS_NONE},
        {HERE, "0..", "in cannot be ''\n" IS_NONE},
        {HERE, "..9", "in cannot be ''\n" IS_NONE},
        {HERE, "()", "in has no value\n  hint    give a number, as in in=1"},
        {HERE, "file:/nowhere",
         "in: cannot read /nowhere: No such file or directory\n"
         "  hint    file:NAME names a file of raw bytes"},
    };
#define TYPE "\n  hint    its type is "
    static const char *const fill[][3] = {
        {HERE, "uint -1", "n cannot be -1" TYPE "uint, of 32 bits"},
        {HERE, "uint 1.5", "n cannot be 1.5" TYPE "uint, of 32 bits"},
        {HERE, "int -1.5", "n cannot be -1.5" TYPE "int, of 32 bits"},
        {HERE, "uint 4294967296", "n cannot be 4294967296" TYPE "uint, of 32 bits"},
        {HERE, "int 2147483648", "n cannot be 2147483648" TYPE "int, of 32 bits"},
        {HERE, "int -2147483649", "n cannot be -2147483649" TYPE "int, of 32 bits"},
        {HERE, "uchar 256", "n cannot be 256" TYPE "uchar, of 8 bits"},
        {HERE, "char -129", "n cannot be -129" TYPE "char, of 8 bits"},
        {HERE, "ulong 18446744073709551616",
         "n cannot be 18446744073709551616" TYPE "ulong, of 64 bits"},
        {HERE, "long 1e30", "n cannot be 1e30" TYPE "long, of 64 bits"},
        {HERE, "long nan", "n cannot be nan" TYPE "long, of 64 bits"},
        {HERE, "body 256",
         "n cannot be 256" TYPE "not known: bytes are meant, of 8 bits"},
        {HERE, "int 9..0",
         "n: 9..0 is no range\n  hint    the smaller number comes first"},
        {HERE, "float 1..-1",
         "n: 1..-1 is no range\n  hint    the smaller number comes first"},
        {HERE, "int 0..1.5", "n cannot be 1.5" TYPE "int, of 32 bits"},
        {HERE, "int -2147483648..2147483647", NULL},
        {HERE, "float 1e30", NULL},
    };
    for (size_t i = 0; i < COUNT(read); i++)
        is_refused(read[i][0], read[i][1], read_value, read[i][2]);
    for (size_t i = 0; i < COUNT(fill); i++)
        is_refused(fill[i][0], fill[i][1], fill_value, fill[i][2]);
}

/* ---- Ranges. */
static char *range_in_words(const struct job *job) {
    static char words[128];
    snprintf(words, sizeof words, "%u: %zu,%zu,%zu in %zu,%zu,%zu", job->dimensions,
             job->global[0], job->global[1], job->global[2], job->local[0],
             job->local[1], job->local[2]);
    return words;
}

/* The range of a launch with these options; NULL: it is not given. */
static struct job range_with(const char *global, const char *local, const char *build,
                             size_t required, unsigned dimensions) {
    struct job job = {.kernel = "k", .local = {1, 1, 1}};
    const size_t sizes[3] = {required, required ? 4 : 0, required ? 1 : 0};
    range_choose(&job, &(struct range_asked){global, NULL, local, build}, sizes,
                 dimensions);
    return job;
}

/* "100/64": --global and --local; behind another bar, what the kernel requires. */
static void choose_range(const char *text) {
    char global[32] = "", local[32] = "";
    size_t required = 0;
    sscanf(text, "%31[^/]/%31[^/]/%zu", global, local, &required);
    range_with(*global ? global : NULL, *local ? local : NULL, NULL, required, 1);
}

static void test_range_errors(void) {
#define SIZES(option)                                                                  \
    "\n  hint    give one to three sizes in work-items, as in --" option " 64,64"
#define UNEVEN "\n  hint    change --global or --local, or give --build -cl-std=CL2.0"
    static const char *const refused[][3] = {
        {HERE, "1,2,3,4", "--global cannot be '1,2,3,4'" SIZES("global")},
        {HERE, "0", "--global cannot be '0'" SIZES("global")},
        {HERE, "-1", "--global cannot be '-1'" SIZES("global")},
        {HERE, "64,", "--global cannot be '64,'" SIZES("global")},
        {HERE, "64;64", "--global cannot be '64;64'" SIZES("global")},
        {HERE, "n", "--global cannot be 'n'" SIZES("global")},
        {HERE, "1234567890", "--global cannot be '1234567890'" SIZES("global")},
        {HERE, "64/x", "--local cannot be 'x'" SIZES("local")},
        {HERE, "100/64", "100 work-items are no multiple of groups of 64" UNEVEN},
        {HERE, "64,30/8,4", "30 work-items are no multiple of groups of 4" UNEVEN},
        {HERE, "8192/4097",
         "groups of 4097 work-items are too large\n  hint    4096 are possible"},
        {HERE, "64/8/8",
         "k requires groups of 8 by 4 by 1 work-items\n  hint    leave out --local"},
        {HERE, "21000/64,64",
         "groups of 64 by 64 by 1 work-items have more dimensions than the launch, "
         "which has 1\n  hint    give --global and --local as many sizes, as in "
         "--global 21000,64"},
        {HERE, "21000,21000/64,64",
         "21000 work-items are no multiple of groups of 64" UNEVEN},
        {HERE, "64,4/8,4/8", NULL},
    };
    for (size_t i = 0; i < COUNT(refused); i++)
        is_refused(refused[i][0], refused[i][1], choose_range, refused[i][2]);
}

void test_range(void) {
    static const struct {
        const char *here, *global, *local, *build;
        size_t required; /* by 4 by 1; 0: nothing is */
        unsigned dimensions;
        const char *range;
    } chosen[] = {
        {HERE, NULL, NULL, NULL, 0, 1, "1: 1024,1,1 in 256,1,1"},
        {HERE, NULL, NULL, NULL, 0, 2, "2: 64,64,1 in 16,16,1"},
        {HERE, NULL, NULL, NULL, 0, 3, "3: 32,32,16 in 8,8,4"},
        {HERE, NULL, NULL, NULL, 8, 1, "2: 32,16,1 in 8,4,1"},
        {HERE, NULL, "32", NULL, 0, 2, "1: 128,1,1 in 32,1,1"},
        {HERE, NULL, "8x4", NULL, 0, 1, "2: 32,16,1 in 8,4,1"},
        {HERE, "4096", NULL, NULL, 0, 1, "1: 4096,1,1 in 256,1,1"},
        {HERE, "192,1", NULL, NULL, 0, 1, "2: 192,1,1 in 16,1,1"},
        {HERE, "7", NULL, NULL, 0, 1, "1: 7,1,1 in 7,1,1"},
        {HERE, "1000", NULL, NULL, 0, 1, "1: 1000,1,1 in 250,1,1"},
        {HERE, "64,64", "16,4", NULL, 0, 1, "2: 64,64,1 in 16,4,1"},
        {HERE, "100", "64", "-cl-std=CL2.0", 0, 1, "1: 100,1,1 in 64,1,1"},
        {HERE, "100", "64", "-w -cl-std=CL3.0", 0, 1, "1: 100,1,1 in 64,1,1"},
    };
    static const char *const shrunk[] = {"1: 12,1,1 in 6,1,1", "1: 12,1,1 in 3,1,1",
                                         "1: 12,1,1 in 1,1,1"};
    for (size_t i = 0; i < COUNT(chosen); i++) {
        const struct job job =
            range_with(chosen[i].global, chosen[i].local, chosen[i].build,
                       chosen[i].required, chosen[i].dimensions);
        is_text(chosen[i].here, "the range", range_in_words(&job), chosen[i].range);
        is_number(chosen[i].here, "was the group's size chosen?", job.local_chosen,
                  !chosen[i].local && !chosen[i].required);
    }
    struct job job = range_with("12", NULL, NULL, 0, 1);
    for (size_t i = 0; i < COUNT(shrunk); i++) {
        is_number(HERE, "can it shrink?", range_shrink(&job), true);
        is_text(HERE, "the smaller range", range_in_words(&job), shrunk[i]);
    }
    is_number(HERE, "can a work-item shrink?", range_shrink(&job), false);
    test_range_errors();
}

/* ---- Names that are misspelt. */
void test_spelling(void) {
    static const char *const names[] = {"dot_contiguous", "other", "count",
                                        "--all-sizes",    "n",     "--strict"};
    static const char *const meant[][3] = {
        {HERE, "dot_contigous", "dot_contiguous"},
        {HERE, "dto_contiguous", "dot_contiguous"},
        {HERE, "DOT_contiguous", "dot_contiguous"},
        {HERE, "dot_kontiguuos", "dot_contiguous"},
        {HERE, "othr", "other"},
        {HERE, "toher", "other"},
        {HERE, "cuont", "count"},
        {HERE, "--al-sizes", "--all-sizes"},
        {HERE, "--stirct", "--strict"},
        {HERE, "--colour", NULL},
        {HERE, "elephant", NULL},
        {HERE, "z", NULL},
        {HERE, "", NULL},
    };
    for (size_t i = 0; i < COUNT(meant); i++)
        is_text(meant[i][0], meant[i][1],
                spelling_meant(meant[i][1], names, COUNT(names)), meant[i][2]);
}

/* ---- Gaps. */

/* "2 4": the numbers of the lines that are gaps. */
static char *gaps_in_words(const char *text) {
    struct code_line *lines = NULL;
    char *words = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&words, &bytes);
    const size_t count = gaps_find(text, &lines);
    for (size_t i = 0; i < count; i++)
        if (lines[i].is_gap)
            fprintf(out, " %u%c", lines[i].line, text[lines[i].end - 1]);
    fclose(out);
    free(lines);
    return words;
}

void test_gaps(void) {
    static const struct {
        const char *here, *text, *gaps;
    } read[] = {
        {HERE, "", ""},
        {HERE, "void f() {\n  a;\n}\n", " 1{ 2;"},
        {HERE, "void f()\n{\n  a =\n  b;\n}", " 2{ 4;"},
        {HERE, "{\n a; // b {\n c /* ;\n d; */\n e; /* f */ \n}", " 1{ 2; 5;"},
        {HERE, "{\n for (a;\n  b;\n  c)\n  d;\n x[\n];\n}", " 1{ 5; 7;"},
        {HERE, "{\n if (a)\n b;\n else {\n c; }\n}\n", " 1{ 3; 4{ 5}"},
        {HERE, "{\n s = \"{; // \\\" \";\n c = '\\'';\n d = '\"';\n}", " 1{ 2; 3; 4;"},
        {HERE, "#define A { \\\n b; \\\n c;\n{\n a;\n # if 1\n b;\n#endif\n}",
         " 4{ 5; 7;"},
        {HERE, "#line 1 \"f.cl\"\nf() {\n a;\n}", " 1{ 2;"},
        {HERE, "f() {\n#line 7\n a;\n}", ""},
        {HERE, "f() {\n# 7 \"g\"\n a;\n}", ""},
        {HERE, "f() {\r\n a;\t\r\n}\r\n", " 1{ 2;"},
        {HERE, "f() {\n a; /* without an end\n b;", " 1{ 2;"},
        {HERE, "f() { \"without an end\n a;\n", " 2;"},
    };
    for (size_t i = 0; i < COUNT(read); i++) {
        char *words = gaps_in_words(read[i].text);
        is_text(read[i].here, read[i].text, words, read[i].gaps);
        free(words);
    }
}
