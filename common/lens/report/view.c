/* view: keeps what was chosen. */
#include "view.h"

struct view view;

void view_begin(struct view chosen) {
    view = chosen;
}

void view_widths(struct widths widths) {
    view.widths = widths;
}

void view_as(const struct profile *profile) {
    view.profile = profile;
}

const char *widths_in_words(char words[WIDTHS_IN_WORDS]) {
    const size_t count = view.widths.count;
    size_t length = 0;
    *words = '\0';
    for (size_t i = 0; i < count; i++)
        length += (size_t)snprintf(words + length, WIDTHS_IN_WORDS - length, "%s%u",
                                   i == 0           ? ""
                                   : i == count - 1 ? " and "
                                                    : ", ",
                                   view.widths.lanes[i]);
    return words;
}
