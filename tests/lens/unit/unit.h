/* unit: tests functions of the lens that need no kernel, no compiler and no driver.  A
 * group of them is one function; unit.c names the groups. */
#ifndef UNIT_H
#define UNIT_H

#include <stdint.h>

/* Where a check stands, as each one says that fails: the first field of a table's row,
 * or of a call. */
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
#define HERE __FILE__ ":" TEXT(__LINE__)

/* `what` is the input, or what is asked about it. */
void is_text(const char *here, const char *what, const char *got, const char *wanted);
void is_number(const char *here, const char *what, int64_t got, int64_t wanted);

/* `act` ends the program with status 2 and this message, without its "error: "; NULL:
 * it does not end the program. */
void is_refused(const char *here, const char *what, void (*act)(const char *what),
                const char *wanted);

#define COUNT(array) (sizeof(array) / sizeof *(array))

void test_formula(void);
void test_call(void);
void test_call_errors(void);
void test_values(void);
void test_value_errors(void);
void test_range(void);
void test_gaps(void);
void test_spelling(void);

void test_half(void);
void test_elements(void);
void test_order(void);
void test_folded(void);
void test_digits(void);

void test_json(void);
void test_svg(void);

void test_signature(void);
void test_members(void);
void test_digests(void);
void test_plain(void);
void test_divide(void);
void test_lines(void);
void test_words(void);

void test_replays(void);

void test_work(void);
void test_waits(void);
void test_profile(void);
void test_least(void);
void test_demand(void);

void test_launch_lines(void);
void test_fail_on(void);

#endif
