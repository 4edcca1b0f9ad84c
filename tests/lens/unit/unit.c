/* unit: runs one group of checks, says which of them fail, and how many there were. */
#define _POSIX_C_SOURCE 200809L
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct group {
    const char *name;
    void (*test)(void);
} groups[] = {
    {"formula", test_formula},
    {"call", test_call},
    {"call errors", test_call_errors},
    {"values", test_values},
    {"value errors", test_value_errors},
    {"range", test_range},
    {"gaps", test_gaps},
    {"spelling", test_spelling},
    {"half", test_half},
    {"elements", test_elements},
    {"order", test_order},
    {"folded", test_folded},
    {"json", test_json},
    {"svg", test_svg},
    {"digits", test_digits},
    {"signature", test_signature},
    {"members", test_members},
    {"digests", test_digests},
    {"plain", test_plain},
    {"divide", test_divide},
    {"lines", test_lines},
    {"words", test_words},
    {"replays", test_replays},
    {"work", test_work},
    {"waits", test_waits},
    {"profile", test_profile},
    {"least", test_least},
    {"demand", test_demand},
    {"launch lines", test_launch_lines},
    {"fail on", test_fail_on},
};

static size_t checks, failures;

static void count(const char *here, const char *what, const char *got,
                  const char *wanted) {
    checks++;
    if (strcmp(got, wanted) == 0)
        return;
    failures++;
    printf("%s: %s\n  got     %s\n  wanted  %s\n", here, what, got, wanted);
}

void is_text(const char *here, const char *what, const char *got, const char *wanted) {
    count(here, what, got ? got : "(null)", wanted ? wanted : "(null)");
}

void is_number(const char *here, const char *what, int64_t got, int64_t wanted) {
    char is[32], should_be[32];
    snprintf(is, sizeof is, "%lld", (long long)got);
    snprintf(should_be, sizeof should_be, "%lld", (long long)wanted);
    count(here, what, is, should_be);
}

/* All that the child writes, up to its end. */
static void read_all(int from, char *text, size_t room) {
    size_t length = 0;
    for (ssize_t got; (got = read(from, text + length, room - 1 - length)) > 0;)
        length += (size_t)got;
    text[length] = '\0';
}

/* An error ends the process, so that a child makes it. */
void is_refused(const char *here, const char *what, void (*act)(const char *what),
                const char *wanted) {
    enum { ENDED_WELL = 0, REFUSED = 2 };
    char said[4096], text[4096] = "";
    int ends[2], status;
    fflush(NULL);
    const pid_t child = pipe(ends) == 0 ? fork() : -1;
    if (child < 0)
        exit(EXIT_FAILURE);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        act(what);
        _exit(ENDED_WELL);
    }
    close(ends[1]);
    read_all(ends[0], said, sizeof said);
    close(ends[0]);
    waitpid(child, &status, 0);
    if (wanted)
        snprintf(text, sizeof text, "error: %s\n", wanted);
    is_text(here, what, said, text);
    is_number(here, "its exit status", WIFEXITED(status) ? WEXITSTATUS(status) : -1,
              wanted ? REFUSED : ENDED_WELL);
}

int main(int argc, char **argv) {
    const struct group *group = NULL;
    for (size_t i = 0; argc == 2 && i < COUNT(groups); i++)
        if (strcmp(groups[i].name, argv[1]) == 0)
            group = &groups[i];
    if (!group) {
        fprintf(stderr, "usage: unit GROUP\n");
        return 2;
    }
    group->test();
    printf("%s: %zu of %zu checks failed\n", group->name, failures, checks);
    return failures > 0 || checks == 0;
}
