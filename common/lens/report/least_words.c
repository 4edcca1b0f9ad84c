/* least_words: see least/ for the model. */
#define _GNU_SOURCE /* asprintf */
#include "least_words.h"
#include "base/rows.h"
#include "base/vocabulary.h"
#include "least/sampled.h"
#include "picture_text.h"
#include "view.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is known of a launch. */
struct known {
    struct demand demands[HALVES];
    size_t count;
    struct sampled sampled;
};

static struct known known_of(const struct run *run) {
    struct known known = {.count = 0};
    known.count = needs_demands(&run->needs, &run->job, &run->outcome, known.demands);
    known.sampled = least_of_sample(known.demands, known.count, view.profile);
    return known;
}

static bool is_modelled(const struct run *run) {
    enum { LANES = 32 };
    return view.profile && run->model.lanes == LANES && run->needs.block_count > 0;
}

void least_write(char text[32], double seconds) {
    const double ms = 1e3 * seconds;
    const int digits = ms <= 0.0 ? 3 : 2 - (int)floor(log10(ms));
    snprintf(text, 32, "%.*f ms", digits < 0 ? 0 : digits, ms);
}

static char *words_of(const struct least *of) {
    char *words = NULL, least[32], expected[32];
    least_write(least, of->seconds);
    least_write(expected, of->expected);
    int length;
    if (of->waits)
        length = asprintf(&words,
                          "at least %s; it waits for loads, of which few are in "
                          "flight",
                          least);
    else if (of->expected > 0.0)
        length = asprintf(&words,
                          "at least %s, bound by %s; %s expected, because the L2 "
                          "loses what is read again",
                          least, term(resource_names[of->binds]), expected);
    else
        length = asprintf(&words, "at least %s, bound by %s", least,
                          term(resource_names[of->binds]));
    return length < 0 ? NULL : words;
}

const char *least_device(void) {
    static char words[80];
    const char *name = view.profile->name;
    const bool spelt = isupper((unsigned char)name[1]) && strchr("FHLMNRSX", name[0]);
    snprintf(words, sizeof words, "%s %s",
             spelt || strchr("AEIOaeio", name[0]) ? "an" : "a", name);
    return words;
}

/* Has a resource bound a launch whose time was said? */
static bool said[RESOURCES];

char *least_in_words(const struct run *run) {
    if (!is_modelled(run))
        return NULL;
    const struct known known = known_of(run);
    const struct least *least = &known.sampled.least;
    char *words = NULL;
    if (known.sampled.refusal) {
        const int length =
            asprintf(&words, "nothing is said: %s", term(known.sampled.refusal));
        return length < 0 ? NULL : words;
    }
    if (least->binds == BY_LAUNCH && !view.all)
        return NULL;
    said[least->binds] |= !least->waits;
    return words_of(least);
}

double least_seconds(const struct run *run) {
    if (!is_modelled(run))
        return 0.0;
    const struct known known = known_of(run);
    return known.sampled.refusal ? 0.0 : known.sampled.least.seconds;
}

void least_habits(void) {
    for (int i = 0; i < RESOURCES; i++) {
        const struct habit *habit =
            said[i] ? habit_of(view.profile, resource_names[i]) : NULL;
        char text[256];
        if (habit)
            snprintf(text, sizeof text,
                     "Of %s launches bound by %s that were measured there, half took "
                     "less than %s times that.",
                     habit->launches, habit->binds, habit->half);
        if (habit)
            print_wrapped(text);
        said[i] = false;
    }
}

/* ---- Rows. */
static void row_demand(const char *name, const struct demand *demand) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    demand_write(demand, out);
    fclose(out);
    row_text(name, text);
    free(text);
}

void least_rows(const struct run *run) {
    if (!is_modelled(run))
        return;
    const struct known known = known_of(run);
    row_begin("least");
    row_text("kernel", run->job.kernel);
    row_text("arguments", run->job.scalars);
    row_sizes("global", run->job.global);
    row_sizes("local", run->job.local);
    row_text("device", view.profile->name);
    const struct least *least = &known.sampled.least;
    if (known.sampled.refusal) {
        row_text("why", term(known.sampled.refusal));
    } else {
        row_real("at_least_ms", 1e3 * least->seconds);
        row_text("binds", least_binds(least));
        row_real("expected_ms", 1e3 * least->expected);
        row_real("at_most_ms", 1e3 * least->at_most);
    }
    if (view.all && !known.demands[0].refusal) {
        row_demand("demand", &known.demands[0]);
        row_demand("other_demand", &known.demands[known.count - 1]);
    }
    row_end();
}
