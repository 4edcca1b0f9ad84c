/* checks: the lines of a kernel file that say how to launch it, and what fails. */
#define _GNU_SOURCE /* open_memstream */
#include "unit.h"

#include "alone/launch_lines.h"
#include "judge/fail_on.h"

#include <stdio.h>
#include <stdlib.h>

/* "<dot(x, y)> <--global> <64>", or what is wrong. */
static char *words_of(char *text) {
    struct launch_line line = {.text = text};
    const char *wrong = launch_line_split(&line);
    char *words = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&words, &bytes);
    for (size_t i = 0; !wrong && i < line.word_count; i++)
        fprintf(out, "%s<%s>", i ? " " : "", line.words[i]);
    fputs(wrong ? wrong : "", out);
    fclose(out);
    return words;
}

void test_launch_lines(void) {
    static const struct {
        const char *here, *line, *words; /* NULL: it is none */
    } lines[] = {
        {HERE, "// lens: dot(x[4096]=random, n=4096) --global 64\n",
         "<dot(x[4096]=random, n=4096)> <--global> <64>"},
        {HERE, "  //lens:dot\r\n", "<dot>"},
        {HERE, "/* lens: dot(x) */\n", "<dot(x)>"},
        {HERE, " * lens: dot(x) --local 8 */", "<dot(x)> <--local> <8>"},
        {HERE, "// lens: dot(x=(1, 2), t[n * (m + 1)]) -D \"A=x y\"",
         "<dot(x=(1, 2), t[n * (m + 1)])> <-D> <A=x y>"},
        {HERE, "// lens: 'dot(x, y)' -D 'A=\"(b' --build \\\"c\\(",
         "<dot(x, y)> <-D> <A=\"(b> <--build> <\"c(>"},
        {HERE, "// lens: a::b<64, float>(x=1) -DA=a'<b'",
         "<a::b<64, float>(x=1)> <-DA=a<b>"},
        {HERE, "// lens: dot(s='a b)c') ''", "<dot(s=a b)c)> <>"},
        {HERE, "// lens:", "it says no launch"},
        {HERE, "// lens: dot(x", "a bracket is not closed"},
        {HERE, "// lens: dot(x])", "a bracket closes that was not open"},
        {HERE, "// lens: dot)", "a bracket closes that was not open"},
        {HERE, "// lens: dot('x)", "a quotation mark is missing"},
        {HERE, "// This is the lens: dot(x)", NULL},
        {HERE, "// lens dot(x)", NULL},
        {HERE, "int x; // lens: dot(x)", NULL},
        {HERE, "lens: dot(x)", NULL},
        {HERE, "", NULL},
    };
    for (size_t i = 0; i < COUNT(lines); i++) {
        char *text = launch_line_text(lines[i].line),
             *words = text ? words_of(text) : NULL;
        is_text(lines[i].here, lines[i].line, words, lines[i].words);
        free(words);
        free(text);
    }
}

static void test_lists(void) {
    static const struct {
        const char *here, *list, *wrong;
    } lists[] = {
        {HERE, "mistake", NULL},
        {HERE, "race,bounds,sectors>8,passes>2,idle>50%", NULL},
        {HERE, "sectors>2x,addresses>1", NULL},
        {HERE, "", ""},
        {HERE, "race,", ""},
        {HERE, "race, bounds", " bounds"},
        {HERE, "sectors", "sectors"},
        {HERE, "race>3", "race>3"},
        {HERE, "sectors>", "sectors>"},
        {HERE, "sectors>-1", "sectors>-1"},
        {HERE, "sectors>8%", "sectors>8%"},
        {HERE, "idle>50", "idle>50"},
        {HERE, "idle>2x", "idle>2x"},
        {HERE, "sectors>1234567890", "sectors>1234567890"},
        {HERE, "rac", "rac"},
    };
    for (size_t i = 0; i < COUNT(lists); i++) {
        struct fail_on read;
        char *wrong = fail_on_read(&read, lists[i].list);
        is_text(lists[i].here, lists[i].list, wrong, lists[i].wrong);
        free(wrong);
    }
}

static void test_limits(void) {
    static const struct {
        const char *here, *list;
        const struct rule *rule;
        uint64_t value, needed;
        const char *limit; /* "": none is exceeded */
    } limits[] = {
        {HERE, "sectors>8", &rule_sectors, 9, 4, "8"},
        {HERE, "sectors>8", &rule_sectors, 8, 4, ""},
        {HERE, "sectors>8", &rule_sectors, 16, 16, ""}, /* all are needed */
        {HERE, "sectors>2x", &rule_sectors, 9, 4, "2x"},
        {HERE, "sectors>2x", &rule_sectors, 8, 4, ""},
        {HERE, "sectors>8", &rule_passes, 32, 1, ""},
        {HERE, "passes>2x,passes>2", &rule_passes, 3, 1, "2x"},
        {HERE, "idle>50%", &rule_idle, 51, 0, "50 %"},
        {HERE, "idle>50%", &rule_idle, 50, 0, ""},
    };
    for (size_t i = 0; i < COUNT(limits); i++) {
        struct fail_on read;
        char words[LIMIT_WORDS] = "";
        free(fail_on_read(&read, limits[i].list));
        const struct limit *limit =
            fail_on_exceeded(&read, limits[i].rule, limits[i].value, limits[i].needed);
        if (limit)
            limit_in_words(limit, words);
        is_text(limits[i].here, limits[i].list, words, limits[i].limit);
    }
}

/* Words for mistakes make the others right; without one all fail. */
static void test_mistakes(void) {
    static const struct {
        const char *here, *list;
        enum mistake_kind kind;
        bool fails;
    } mistakes[] = {
        {HERE, "race", RACE, true},          {HERE, "race", OUT_OF_BOUNDS, false},
        {HERE, "bounds", BAD_INDEX, true},   {HERE, "sectors>8", RACE, true},
        {HERE, "race,mistake", CRASH, true}, {HERE, "race,idle>5%", CRASH, false},
    };
    for (size_t i = 0; i < COUNT(mistakes); i++) {
        struct fail_on read;
        free(fail_on_read(&read, mistakes[i].list));
        is_number(mistakes[i].here, mistakes[i].list,
                  fail_on_mistake(&read, rule_of(mistakes[i].kind)), mistakes[i].fails);
    }
}

void test_fail_on(void) {
    test_lists();
    test_limits();
    test_mistakes();
}
