/* rules: one word and one title for each kind of mistake, and for each count. */
#include "rules.h"

#include <string.h>

static const struct rule of_mistakes[] = {
    [RACE] = {"race", "data race"},
    [OUT_OF_BOUNDS] = {"bounds", "out-of-bounds access"},
    [UNINITIALISED] = {"unset", "uninitialised read"},
    [BARRIER_DIVERGENCE] = {"barrier", "barrier divergence"},
    [BAD_INDEX] = {"bounds", "out-of-bounds index"},
    [STEP_LIMIT] = {"steps", "step limit exceeded"},
    [PRIVATE_UNINITIALISED] = {"unset", "uninitialised read"},
    [AGAINST_FLAGS] = {"flags", "access against buffer flags"},
    [BARRIER_FLAGS] = {"fence", "barrier with different flags"},
    [AGAINST_FORMAT] = {"format", "access against image format"},
    [CRASH] = {"crash", "crash"},
    [UNTOLD] = {"untold", "access to memory that the kernel was not told of"},
    [MISALIGNED] = {"alignment", "unaligned access"},
    [COPY_DIFFERS] = {"copy", "async copy divergence"},
    [WAIT_DIFFERS] = {"wait", "wait divergence"},
    [BAD_EVENT] = {"event", "wrong event"},
    [NEVER_WAITED] = {"unwaited", "async copy without a wait"},
    [DIVISION] = {"division", "division by zero"},
    [QUOTIENT] = {"division", "division out of range"},
    [RECURSION] = {"recursion", "recursion"},
    [ENDLESS] = {"endless", "endless loop"},
    [LARGE_ANGLE] = {"angle", "native function of a large angle"},
    [TOO_LARGE_GROUP] = {"memory", "too much local memory"},
    [ASSERTION] = {"assertion", "failed assertion"},
    [LANE_MASK] = {"mask", "mask of lanes that do not come"}};
enum { KINDS = sizeof of_mistakes / sizeof *of_mistakes };

const struct rule rule_sectors = {"sectors",
                                  "an access moves more sectors than it needs"},
                  rule_passes = {"passes", "an access takes more passes over the banks "
                                           "of local memory than it needs"},
                  rule_addresses = {"addresses", "an access reads several addresses of "
                                                 "constant memory"},
                  rule_idle = {"idle", "lanes are idle"};

static const struct rule *const of_counts[] = {&rule_sectors, &rule_passes,
                                               &rule_addresses, &rule_idle};
enum { COUNTS = sizeof of_counts / sizeof *of_counts };

const struct rule *rule_of(enum mistake_kind kind) {
    return &of_mistakes[kind];
}

bool rule_is(const struct rule *one, const struct rule *other) {
    return strcmp(one->id, other->id) == 0;
}

bool rule_is_count(const struct rule *rule) {
    for (size_t i = 0; i < COUNTS; i++)
        if (rule == of_counts[i])
            return true;
    return false;
}

/* Does a kind before this one have its id? */
static bool is_repeated(size_t kind) {
    for (size_t i = 0; i < kind; i++)
        if (rule_is(&of_mistakes[i], &of_mistakes[kind]))
            return true;
    return false;
}

const struct rule *rule_number(size_t number) {
    for (size_t kind = 0; kind < KINDS; kind++)
        if (!is_repeated(kind) && number-- == 0)
            return &of_mistakes[kind];
    return number < COUNTS ? of_counts[number] : NULL;
}
