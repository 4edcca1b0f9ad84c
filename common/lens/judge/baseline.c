/* baseline: a finding that was there before does not fail again. */
#define _GNU_SOURCE /* asprintf, getline */
#include "baseline.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char title[] =
    BASELINE_BEGINS "rule, file, kernel, memory, source line and value, with tabs "
                    "between\n";

/* Findings that are alike: a line of the file. */
struct entry {
    char *key;  /* rule, file, kernel and memory, with a tab behind each */
    char *text; /* of the source line */
    uint64_t value;
    bool met;        /* there is one on the other side */
    uint64_t before; /* its value there */
};

struct entries {
    struct entry *all;
    size_t count;
};

/* Nothing in a field ends it. */
static char *field(const char *text) {
    char *copy = strdup(text ? text : "");
    for (char *c = copy; *c; c++)
        if (strchr("\t\r\n", *c))
            *c = ' ';
    return copy;
}

static char *key_of(const struct finding *finding) {
    char *file = field(finding->at.file), *kernel = field(finding->kernel),
         *name = field(finding->name), *key = NULL;
    if (asprintf(&key, "%s\t%s\t%s\t%s\t", finding->rule->id, file, kernel, name) < 0)
        lens_die("no memory for a baseline" HINT "try a smaller problem");
    free(file);
    free(kernel);
    free(name);
    return key;
}

static int by_line(const void *one, const void *other) {
    const struct entry *a = one, *b = other;
    const int by_key = strcmp(a->key, b->key);
    return by_key ? by_key : strcmp(a->text, b->text);
}

/* The entry that these words have; NULL: there is none. */
static struct entry *find(struct entries *entries, const char *key, const char *text) {
    for (size_t i = 0; i < entries->count; i++)
        if (strcmp(entries->all[i].key, key) == 0 &&
            strcmp(entries->all[i].text, text) == 0)
            return &entries->all[i];
    return NULL;
}

/* That of a finding. */
static struct entry *entry_of(struct entries *entries, const struct finding *finding) {
    char *key = key_of(finding), *text = field(finding->at.text);
    struct entry *entry = find(entries, key, text);
    free(key);
    free(text);
    return entry;
}

/* Of counts the largest, of mistakes how many there are. */
static void add(struct entries *entries, const struct finding *finding) {
    struct entry *entry = entry_of(entries, finding);
    if (!entry) {
        entry = GROW(entries->all, entries->count);
        *entry = (struct entry){key_of(finding), field(finding->at.text), 0, false, 0};
    }
    if (!rule_is_count(finding->rule))
        entry->value++;
    else if (finding->value > entry->value)
        entry->value = finding->value;
}

static struct entries found_now(void) {
    struct entries entries = {.count = 0};
    for (size_t i = 0; i < findings.count; i++)
        if (!findings.all[i].is_note)
            add(&entries, &findings.all[i]);
    if (entries.count > 0)
        qsort(entries.all, entries.count, sizeof *entries.all, by_line);
    return entries;
}

static void release(struct entries *entries) {
    for (size_t i = 0; i < entries->count; i++) {
        free(entries->all[i].key);
        free(entries->all[i].text);
    }
    free(entries->all);
}

/* ---- The file. */
static FILE *open_file(const char *path, const char *how) {
    FILE *file = fopen(path, how);
    if (!file)
        lens_die("the baseline %s cannot be %s: %s" HINT
                 "give --baseline the path of a file",
                 path, *how == 'r' ? "read" : "written", strerror(errno));
    return file;
}

bool baseline_is_there(const char *path) {
    char text[sizeof BASELINE_BEGINS] = "";
    FILE *file = fopen(path, "r");
    if (!file && errno == ENOENT)
        return false;
    if (!file)
        file = open_file(path, "r");
    const size_t read = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    if (read > 0 && strcmp(text, BASELINE_BEGINS) != 0)
        lens_die("%s is no baseline" HINT "give the name of a new file, which is "
                 "written, or of one that --baseline has written",
                 path);
    return read > 0;
}

/* "rule TAB file TAB kernel TAB memory TAB text TAB value". */
static bool read_entry(struct entry *entry, const char *line) {
    enum { BEFORE_TEXT = 4 };
    const char *text = line, *value = strrchr(line, '\t');
    for (int i = 0; i < BEFORE_TEXT && text; i++) {
        text = strchr(text, '\t');
        text += text != NULL;
    }
    if (!text || value < text)
        return false;
    char *end = NULL;
    *entry = (struct entry){.value = strtoull(value + 1, &end, 10)};
    if (end == value + 1 || !strchr("\n", *end))
        return false;
    entry->key = strndup(line, (size_t)(text - line));
    entry->text = strndup(text, (size_t)(value - text));
    return true;
}

static struct entries found_before(const char *path) {
    struct entries entries = {.count = 0};
    struct entry entry;
    char *line = NULL;
    size_t room = 0, number = 0;
    FILE *file = open_file(path, "r");
    while (getline(&line, &room, file) > 0)
        if (++number > 1 && read_entry(&entry, line))
            *GROW(entries.all, entries.count) = entry;
        else if (number > 1)
            lens_die("%s, line %zu, is no line of a baseline" HINT
                     "remove the file, and it is written again",
                     path, number);
    free(line);
    fclose(file);
    return entries;
}

void baseline_write(const char *path) {
    struct entries now = found_now();
    FILE *file = open_file(path, "w");
    fputs(title, file);
    for (size_t i = 0; i < now.count; i++)
        fprintf(file, "%s%s\t%llu\n", now.all[i].key, now.all[i].text,
                (unsigned long long)now.all[i].value);
    const bool failed = ferror(file);
    if (fclose(file) != 0 || failed)
        lens_die("cannot write %s" HINT "is the disk full?", path);
    release(&now);
}

/* ---- Compared. */
static void meet(struct entry *now, struct entry *before) {
    now->met = before->met = true;
    now->before = before->value;
}

/* First lines whose text is the same; then those that were changed, in their order. */
static void match(struct entries *now, struct entries *before) {
    for (size_t i = 0; i < now->count; i++) {
        struct entry *same = find(before, now->all[i].key, now->all[i].text);
        if (same)
            meet(&now->all[i], same);
    }
    for (size_t i = 0; i < now->count; i++)
        for (size_t k = 0; k < before->count && !now->all[i].met; k++)
            if (!before->all[k].met && strcmp(now->all[i].key, before->all[k].key) == 0)
                meet(&now->all[i], &before->all[k]);
}

static size_t count_better(const struct entries *now, const struct entries *before) {
    size_t better = 0;
    for (size_t i = 0; i < before->count; i++)
        better += !before->all[i].met;
    for (size_t i = 0; i < now->count; i++)
        better += now->all[i].met && now->all[i].value < now->all[i].before;
    return better;
}

size_t baseline_forgive(const char *path) {
    struct entries now = found_now(), before = found_before(path);
    match(&now, &before);
    for (size_t i = 0; i < findings.count; i++) {
        struct finding *finding = &findings.all[i];
        if (!finding->fails)
            continue;
        const struct entry *entry = entry_of(&now, finding);
        const bool is_count = rule_is_count(finding->rule);
        finding->fails = (is_count ? finding->value : entry->value) > entry->before;
        snprintf(finding->limit, sizeof finding->limit, "%llu%s (baseline)",
                 (unsigned long long)entry->before,
                 finding->rule == &rule_idle ? " %" : "");
    }
    const size_t better = count_better(&now, &before);
    release(&now);
    release(&before);
    return better;
}
