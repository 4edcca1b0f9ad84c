/* rules: what a finding can be: a kind of mistake, or a count that is worse than it
 * need be. */
#ifndef RULES_H
#define RULES_H

#include "watch/mistake.h"

struct rule {
    const char *id;    /* in --fail-on and in rows, "race" */
    const char *title; /* "data race" */
};

/* That of a mistake.  Two kinds may have one id. */
const struct rule *rule_of(enum mistake_kind kind);

/* Those of counts: sectors of global memory, passes over the banks of local memory, and
 * addresses of constant memory that one access of a warp takes; and the share of lanes
 * that are idle in a launch, in per cent. */
extern const struct rule rule_sectors, rule_passes, rule_addresses, rule_idle;

bool rule_is(const struct rule *one, const struct rule *other);
bool rule_is_count(const struct rule *rule);

/* All of them by number, each id once, mistakes first; NULL: there are no more. */
const struct rule *rule_number(size_t number);

#endif
