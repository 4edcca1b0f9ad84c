/* calls: what stands behind `lens kernel FILE`, as in "dot(x[4096]=random, n=4096)". */
#include "target.h"

#include "alone/call.h"
#include "alone/values.h"

#include <stdlib.h>
#include <string.h>

void try_text(const char *text) {
    const struct call call = call_read(text);
    must_hold(call.count <= MAX_ARGUMENTS, "the arguments that were read fit");
    for (size_t i = 0; i < call.count; i++) {
        const struct given *given = &call.given[i];
        must_hold(call_given(&call, given->name) == given,
                  "an argument is found by its name");
        if (given->value && strncmp(given->value, "file:", 5) != 0)
            value_read(given->name, given->value);
    }
}
