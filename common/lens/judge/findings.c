/* findings: keeps what was found, each of it once. */
#define _GNU_SOURCE /* getcwd, strdup */
#include "findings.h"
#include "base/memory.h"
#include "base/parcel.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct findings findings;

static char here[4096]; /* the working folder; "": not known */

static bool is_same_text(const char *one, const char *other) {
    return one == other || (one && other && strcmp(one, other) == 0);
}

static bool is_same_spot(const struct spot *one, const struct spot *other) {
    return one->line == other->line && one->column == other->column &&
           is_same_text(one->file, other->file);
}

static bool is_same(const struct finding *one, const struct finding *other) {
    return one->rule == other->rule && one->is_note == other->is_note &&
           is_same_spot(&one->at, &other->at) &&
           is_same_spot(&one->other, &other->other) &&
           is_same_text(one->kernel, other->kernel) &&
           is_same_text(one->name, other->name);
}

bool findings_are_alike(const struct finding *one, const struct finding *other) {
    return rule_is(one->rule, other->rule) &&
           is_same_text(one->at.file, other->at.file) &&
           is_same_text(one->at.text, other->at.text) &&
           is_same_text(one->kernel, other->kernel) &&
           is_same_text(one->name, other->name);
}

/* All texts of a finding, which belong to it. */
enum { TEXTS = 10 };
static void list_texts(struct finding *finding, char **texts[TEXTS]) {
    char **const all[TEXTS] = {&finding->kernel,     &finding->arguments,
                               &finding->name,       &finding->message,
                               &finding->at.file,    &finding->at.text,
                               &finding->at.who,     &finding->other.file,
                               &finding->other.text, &finding->other.who};
    memcpy(texts, all, sizeof all);
}

void finding_release(struct finding *finding) {
    char **texts[TEXTS];
    list_texts(finding, texts);
    for (size_t i = 0; i < TEXTS; i++)
        free(*texts[i]);
}

void findings_add(struct finding finding) {
    for (size_t i = 0; i < findings.count; i++) {
        struct finding *known = &findings.all[i];
        if (!is_same(known, &finding))
            continue;
        const bool is_worse = finding.value > known->value;
        finding_release(is_worse ? known : &finding);
        if (is_worse)
            *known = finding;
        return;
    }
    *GROW(findings.all, findings.count) = finding;
}

void findings_hide(const char *kernel, const char *why) {
    *GROW(findings.hidden, findings.hidden_count) =
        (struct hidden){strdup(kernel), strdup(why)};
}

void findings_begin(void) {
    if (!getcwd(here, sizeof here))
        *here = '\0';
}

char *findings_file(const char *file) {
    const size_t length = strlen(here);
    while (file[0] == '.' && file[1] == '/')
        file += 2;
    if (length > 1 && strncmp(file, here, length) == 0 && file[length] == '/')
        file += length + 1;
    return strdup(file);
}

void findings_write(FILE *out) {
    char **texts[TEXTS];
    parcel_write(out, &findings.count, sizeof findings.count);
    for (size_t i = 0; i < findings.count; i++) {
        parcel_write(out, &findings.all[i], sizeof *findings.all);
        list_texts(&findings.all[i], texts);
        for (size_t t = 0; t < TEXTS; t++)
            parcel_write_text(out, *texts[t]);
    }
}

void findings_read(FILE *in) {
    size_t count = 0;
    char **texts[TEXTS];
    struct finding finding;
    if (!parcel_read(in, &count, sizeof count))
        return;
    for (size_t i = 0; i < count && parcel_read(in, &finding, sizeof finding); i++) {
        list_texts(&finding, texts); /* its rule is where it was: see parcel.h */
        for (size_t t = 0; t < TEXTS; t++)
            *texts[t] = parcel_read_text(in);
        findings_add(finding);
    }
}
