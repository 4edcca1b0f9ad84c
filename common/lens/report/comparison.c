/* comparison: after two replays of a launch on the same data, one of the program's
 * kernel and one of ours, compares the buffers byte by byte.
 *
 *     x, ours      3.0  5.0  7.0  9.0
 *     x, theirs    3.0  5.0  6.0   -      x[2] differs first; its writer is shown
 *
 * A known mistake matches only if it makes the same of every launch: the same bits in
 * every buffer, and the same mistakes. */
#define _GNU_SOURCE /* asprintf, open_memstream */
#include "comparison.h"
#include "base/memory.h"
#include "base/rows.h"
#include "base/vocabulary.h"
#include "code/source_lines.h"
#include "driver/source.h"
#include "mistake_words.h"
#include "reads_words.h"
#include "replay/elements.h"
#include "reporting.h"
#include "view.h"

#include <stdlib.h>
#include <string.h>

/* What --each says of a file; the first of these that is true. */
enum verdict {
    SAYS_RACE,
    SAYS_OUTSIDE,
    SAYS_ENDLESS,
    SAYS_UNWRITTEN,
    SAYS_WRONG,
    VERDICTS
};

struct file {
    const char *path;
    char *source;
    bool same; /* as the program's own, in all launches so far */

    bool broken, stopped, is[VERDICTS];    /* --each, from here on */
    char *mistake, *difference, *rounding; /* in words, the first; NULL: none */
    uint64_t digest; /* of all in which it is not the same as ours */
};

static struct {
    struct file *files; /* ours first */
    size_t file_count, launches;
    bool each, sampled, mistaken;
    char *difference, *rounding; /* in words: the first; and the first in last bits */
    const char *totals; /* of what only the sum counts: a name on each line; or NULL */
} compared;

/* ---- Files. */

/* FNV-1a, eight bytes at a time. */
#define DIGEST_BEGIN 14695981039346656037u
static uint64_t digest_of(const char *bytes, size_t size, uint64_t digest) {
    for (; size >= sizeof digest; bytes += sizeof digest, size -= sizeof digest) {
        uint64_t word;
        memcpy(&word, bytes, sizeof word);
        digest = (digest ^ word) * 1099511628211u;
        digest ^= digest >> 32; /* or high bits would never reach low ones */
    }
    for (; size > 0; bytes++, size--)
        digest = (digest ^ (unsigned char)*bytes) * 1099511628211u;
    return digest;
}

static void add_file(const char *path) {
    *GROW(compared.files, compared.file_count) =
        (struct file){.path = path,
                      .source = source_read(path, path, true),
                      .same = true,
                      .digest = DIGEST_BEGIN};
}

/* Each name of a mistake has a line of its own. */
void comparison_begin(const char *ours, const char *known, bool each) {
    compared.each = each;
    add_file(ours);
    char *mistakes = strdup(known ? known : "");
    for (char *path = strtok(mistakes, "\n"); path; path = strtok(NULL, "\n"))
        add_file(path);
}

size_t comparison_files(void) {
    return compared.file_count;
}

char *comparison_source(size_t file) {
    return compared.files[file].source;
}

bool comparison_needs(size_t file) {
    const struct file *one = &compared.files[file];
    return compared.each ? !one->broken && !one->stopped : file == 0 || one->same;
}

/* ---- Where two replays differ. */

static size_t argument_count(const struct run *run) {
    return run->job.object_count - run->job.code->object_count;
}

/* The first number that differs, from its first byte on; or `bytes` of the object. */
static size_t differs_at(const struct object *one, const struct object *other,
                         const struct element_type *type, bool in_bits) {
    const size_t step = type->bytes;
    for (size_t byte = 0; byte + step <= one->bytes; byte += step)
        if (byte / step % type->apart < type->lanes &&
            memcmp(one->base + byte, other->base + byte, step) != 0 &&
            (in_bits || element_differs(type, one->base + byte, other->base + byte)))
            return byte;
    return one->bytes;
}

/* ---- In words. */
static void print_writer(FILE *out, const struct run *run,
                         const struct access_record *record, const char *what) {
    const struct place place = run->job.code->sites[record->site].place;
    const char *text = source_line(run->job.source, place);
    char writer[96];
    snprintf(writer, sizeof writer, "%s %u of %s %u, lane %u, %s", term("item"),
             record->item, term("group"), record->group - 1,
             record->item % run->model.lanes, what);
    fprintf(out, "  line %-4u %-46s  %s\n", place.line, writer,
            text + strspn(text, " \t"));
}

/* " is 12, ours has 15".  Poison is no value to print, because nothing was written. */
static void print_values(FILE *out, const char *own, const char *ours,
                         const struct element_type *type, bool written, bool poison,
                         bool ours_writes) {
    if (poison && !written) {
        fputs(" was never written", out);
    } else {
        fputs(written ? " is " : " is still ", out);
        element_print(out, type, own);
    }
    if (written && !ours_writes) {
        fputs(", which ours never writes\n", out);
    } else {
        fputs(", ours has ", out);
        element_print(out, type, ours);
        fputc('\n', out);
    }
}

static char *difference_in_words(const struct run *own, const struct run *ours,
                                 size_t number, size_t byte) {
    char *words = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&words, &bytes);
    const struct object *object = &own->job.objects[number];
    const struct element_type type = element_type(object);
    const struct access_record writer = races_writer(own->history, number, byte),
                               our_writer = races_writer(ours->history, number, byte);
    fputs(own->job.kernel, out);
    if (*own->job.scalars)
        fprintf(out, " (%s)", own->job.scalars);
    fputs(": ", out);
    element_print_name(out, object, &type, byte);
    print_values(out, object->base + byte, ours->job.objects[number].base + byte, &type,
                 writer.group, element_is_poison(object, &type, byte),
                 our_writer.group);
    if (writer.group)
        print_writer(out, own, &writer, "wrote it");
    else if (our_writer.group)
        print_writer(out, ours, &our_writer, "writes it in ours");
    fclose(out);
    return words;
}

/* ---- For other programs. */
static void row_element(const char *name, const struct element_type *type,
                        const char *bytes) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    element_print(out, type, bytes);
    fclose(out);
    row_text(name, text);
    free(text);
}

static void row_element_name(const struct object *object,
                             const struct element_type *type, size_t byte) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    element_print_name(out, object, type, byte);
    fclose(out);
    row_text("element", text);
    free(text);
}

/* Who wrote it, in the kernel that `who` names. */
static void row_writer(const struct run *run, const struct access_record *record,
                       const char *who) {
    const struct place place = run->job.code->sites[record->site].place;
    row_text("who", who);
    row_text("file", place.file);
    row_number("line", place.line);
    row_number("column", place.column);
    row_number("item", record->item);
    row_number("group", record->group - 1);
    row_text("text", source_text(run->job.source, place, MAX_EXCERPT));
}

/* The first line of a text; those after it show the source. */
static char *first_line(char *text) {
    if (text)
        text[strcspn(text, "\n")] = '\0';
    return text;
}

/* `value` is missing if the element holds only what it held before the first write. */
static void row_difference(const struct run *own, const struct run *ours, size_t number,
                           size_t byte, bool in_bits) {
    const struct object *object = &own->job.objects[number];
    const struct element_type type = element_type(object);
    const struct access_record writer = races_writer(own->history, number, byte),
                               our_writer = races_writer(ours->history, number, byte);
    char *words = difference_in_words(own, ours, number, byte);
    row_begin("difference");
    row_text("report", words);
    row_text("kernel", own->job.kernel);
    row_text("arguments", own->job.scalars);
    row_text("kind", in_bits ? "in rounding" : "from ours");
    row_text("message", first_line(words));
    row_text("name", object->name);
    row_element_name(object, &type, byte);
    if (writer.group || !element_is_poison(object, &type, byte))
        row_element("value", &type, object->base + byte);
    if (our_writer.group || !writer.group)
        row_element("ours", &type, ours->job.objects[number].base + byte);
    if (writer.group)
        row_writer(own, &writer, "this kernel wrote it");
    else if (our_writer.group)
        row_writer(ours, &our_writer, "ours writes it");
    row_end();
    free(words);
}

/* ---- Of some arguments only the sum counts. */
void comparison_totals(const char *names) {
    compared.totals = names;
}

static bool is_total(const char *name) {
    const size_t length = strlen(name);
    for (const char *line = compared.totals; line && *line;) {
        const size_t end = strcspn(line, "\n");
        if (end == length && strncmp(line, name, length) == 0)
            return true;
        line += end + (line[end] == '\n');
    }
    return false;
}

/* In words; NULL: the sums are the same, but for rounding. */
static char *total_difference(const struct run *own, const struct run *ours,
                              size_t number) {
    static const struct element_type type = {"double", FLOAT, sizeof(double), 1, 1};
    const struct object *object = &own->job.objects[number];
    const double sum = element_total(object),
                 wanted = element_total(&ours->job.objects[number]);
    char *words = NULL;
    if (!element_differs(&type, (const char *)&sum, (const char *)&wanted))
        return NULL;
    if (asprintf(&words, "%s (%s): the sum of %s is %.9g, ours has %.9g\n",
                 own->job.kernel, own->job.scalars, object->name, sum, wanted) < 0)
        lens_die("no memory for a report" HINT "close other programs");
    if (rows_wanted()) {
        row_begin("difference");
        row_text("report", words);
        row_text("kernel", own->job.kernel);
        row_text("arguments", own->job.scalars);
        row_text("kind", "from ours");
        row_text("name", object->name);
        row_end();
    }
    return words;
}

/* ---- The first difference of this launch, in words; NULL: there is none. */
static char *difference(const struct run *own, const struct run *ours, bool in_bits) {
    for (size_t i = 0; i < argument_count(own); i++) {
        const struct object *object = &own->job.objects[i];
        if (object->space != GLOBAL)
            continue;
        if (is_total(object->name)) {
            char *words = total_difference(own, ours, i);
            if (words)
                return words;
            continue;
        }
        const struct element_type type = element_type(object);
        const size_t byte = differs_at(object, &ours->job.objects[i], &type, in_bits);
        if (byte == object->bytes)
            continue;
        if (rows_wanted() && !compared.each)
            row_difference(own, ours, i, byte, in_bits);
        return difference_in_words(own, ours, i, byte);
    }
    return NULL;
}

/* The same with what tells most of a sum: which elements are missing. */
char *comparison_difference(const struct run *own, const struct run *ours) {
    char *found = difference(own, ours, false), *both = NULL;
    char *reads = found ? reads_in_words(own, ours) : NULL;
    if (!reads)
        return found;
    if (asprintf(&both, "%s%s", found, reads) < 0)
        lens_die("no memory for a report" HINT "close other programs");
    free(found);
    free(reads);
    return both;
}

/* ---- Whether two kernels are the same. */
static bool same_buffers(const struct run *one, const struct run *other) {
    for (size_t i = 0; i < argument_count(one); i++)
        if (one->job.objects[i].space == GLOBAL && one->job.objects[i].base &&
            memcmp(one->job.objects[i].base, other->job.objects[i].base,
                   one->job.objects[i].bytes) != 0)
            return false;
    return true;
}

static const char *object_name(const struct run *run, const struct mistake *mistake) {
    return mistake->object < run->job.object_count
               ? run->job.objects[mistake->object].name
               : "";
}

static bool same_work_item(const struct access_record *one,
                           const struct access_record *other) {
    return one->group == other->group && one->item == other->item;
}

static bool same_mistakes(const struct run *one, const struct run *other) {
    if (one->mistakes.count != other->mistakes.count)
        return false;
    for (size_t i = 0; i < one->mistakes.count; i++) {
        const struct mistake *a = &one->mistakes.all[i], *b = &other->mistakes.all[i];
        if (a->kind != b->kind || a->byte != b->byte || a->times != b->times ||
            !same_work_item(&a->one, &b->one) ||
            !same_work_item(&a->other, &b->other) ||
            strcmp(object_name(one, a), object_name(other, b)) != 0)
            return false;
    }
    return true;
}

/* ---- Launches. */
void comparison_mistakes(const struct run *own) {
    if (!compared.mistaken)
        report_mistakes(own);
    compared.mistaken |= own->mistakes.count > 0;
}

/* A kernel that was stopped has not written everything, so only its mistake counts. */
static void compare_with_ours(const struct run *own, const struct run *ours) {
    compared.launches++;
    compared.sampled |= own->outcome.groups_replayed < own->outcome.groups;
    if (own->outcome.stopped)
        return;
    if (!compared.difference)
        compared.difference = comparison_difference(own, ours);
    if (!compared.rounding && !(rows_wanted() && compared.difference))
        compared.rounding = difference(own, ours, true);
}

bool comparison_add(size_t number, const struct run *own, const struct run *other) {
    struct file *file = &compared.files[number];
    const bool comparable =
        other && (number > 0 || own->outcome.stopped || !other->outcome.stopped);
    if (number == 0 && !comparable) {
        lens_say("%s is not compared: %s has no such kernel%s\n", own->job.kernel,
                 file->path, other ? " without a mistake" : "");
        report_hidden(own->job.kernel, other ? "it is not compared: ours has a mistake"
                                             : "it is not compared: ours has none");
        for (size_t i = 1; i < compared.file_count; i++)
            compared.files[i].same = false; /* no mistake can match */
    } else if (number == 0)
        compare_with_ours(own, other);
    file->same &= other && same_buffers(own, other) && same_mistakes(own, other);
    return comparable;
}

/* ---- Each file on its own: --each. */
void comparison_launch(void) {
    compared.launches++;
}

void comparison_broken(size_t file) {
    compared.files[file].broken = true;
}

static enum verdict verdict_of(const struct mistake *mistake) {
    static const enum verdict verdicts[] = {[RACE] = SAYS_RACE,
                                            [BARRIER_DIVERGENCE] = SAYS_RACE,
                                            [OUT_OF_BOUNDS] = SAYS_OUTSIDE,
                                            [BAD_INDEX] = SAYS_OUTSIDE,
                                            [UNINITIALISED] = SAYS_UNWRITTEN,
                                            [PRIVATE_UNINITIALISED] = SAYS_UNWRITTEN,
                                            [AGAINST_FLAGS] = SAYS_OUTSIDE,
                                            [BARRIER_FLAGS] = SAYS_RACE,
                                            [CRASH] = SAYS_OUTSIDE,
                                            [MISALIGNED] = SAYS_OUTSIDE,
                                            [COPY_DIFFERS] = SAYS_RACE,
                                            [WAIT_DIFFERS] = SAYS_RACE,
                                            [BAD_EVENT] = SAYS_RACE,
                                            [NEVER_WAITED] = SAYS_RACE,
                                            [DIVISION] = SAYS_OUTSIDE,
                                            [QUOTIENT] = SAYS_OUTSIDE,
                                            [RECURSION] = SAYS_ENDLESS,
                                            [TOO_LARGE_GROUP] = SAYS_OUTSIDE,
                                            [ASSERTION] = SAYS_OUTSIDE,
                                            [LANE_MASK] = SAYS_RACE,
                                            [ENDLESS] = SAYS_ENDLESS,
                                            [STEP_LIMIT] = SAYS_ENDLESS};
    return verdicts[mistake->kind];
}

/* A kernel that was stopped has not written everything, so only its mistake counts. */
void comparison_each(size_t number, const struct run *theirs, const struct run *ours) {
    struct file *file = &compared.files[number];
    for (size_t i = 0; i < theirs->mistakes.count; i++)
        file->is[verdict_of(&theirs->mistakes.all[i])] = true;
    if (!file->mistake && theirs->mistakes.count > 0)
        file->mistake = mistake_title(theirs, &theirs->mistakes.all[0]);
    file->stopped = theirs->outcome.stopped;
    if (theirs->outcome.stopped)
        return;
    if (!file->difference)
        file->difference = first_line(difference(theirs, ours, false));
    if (!file->rounding)
        file->rounding = first_line(difference(theirs, ours, true));
    file->is[SAYS_WRONG] = file->rounding;
}

static uint64_t digest_number(uint64_t number, uint64_t digest) {
    return digest_of((const char *)&number, sizeof number, digest);
}

static uint64_t digest_work_item(const struct access_record *record, uint64_t digest) {
    return digest_number((uint64_t)record->group << 32 | record->item, digest);
}

/* All that same_buffers() and same_mistakes() look at.  What is the same as in ours
 * adds nothing. */
void comparison_digest(size_t number, const struct run *theirs,
                       const struct run *ours) {
    uint64_t digest = compared.files[number].digest;
    if (same_buffers(theirs, ours) && same_mistakes(theirs, ours))
        return;
    digest = digest_number(compared.launches, digest);
    for (size_t i = 0; i < argument_count(theirs); i++)
        if (theirs->job.objects[i].space == GLOBAL && theirs->job.objects[i].base)
            digest = digest_of(theirs->job.objects[i].base,
                               theirs->job.objects[i].bytes, digest);
    for (size_t i = 0; i < theirs->mistakes.count; i++) {
        const struct mistake *mistake = &theirs->mistakes.all[i];
        const char *name = object_name(theirs, mistake);
        digest = digest_number((uint64_t)mistake->kind, digest);
        digest =
            digest_number((uint64_t)(mistake->kind == BAD_INDEX ? mistake->index.number
                                                                : mistake->byte),
                          digest);
        digest = digest_number(mistake->times, digest);
        digest = digest_work_item(&mistake->one, digest);
        digest = digest_work_item(&mistake->other, digest);
        digest = digest_of(name, strlen(name), digest);
    }
    compared.files[number].digest = digest;
}

static void row_file(const struct file *file, const char *verdict, const char *text) {
    char digest[17];
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)file->digest);
    row_begin("file");
    row_text("file", file->path);
    row_text("verdict", verdict);
    if (!file->broken) {
        row_text("digest", digest);
        row_text("message", text);
    }
    row_end();
}

static void print_verdict(size_t number) {
    static const char *const names[] = {
        [SAYS_RACE] = "RACE",       [SAYS_OUTSIDE] = "OUTSIDE",
        [SAYS_ENDLESS] = "ENDLESS", [SAYS_UNWRITTEN] = "UNWRITTEN",
        [SAYS_WRONG] = "WRONG",     [VERDICTS] = "SAME"};
    const struct file *file = &compared.files[number];
    const char *text = file->mistake      ? file->mistake
                       : file->difference ? file->difference
                       : file->rounding   ? file->rounding
                                          : "";
    int verdict = 0;
    while (verdict < VERDICTS && !file->is[verdict])
        verdict++;
    if (rows_wanted())
        row_file(file, file->broken ? "BROKEN" : names[verdict], text);
    else if (file->broken)
        fprintf(view.out, "%s\tBROKEN\t-\t\n", file->path);
    else
        fprintf(view.out, "%s\t%s\t%016llx\t%s\n", file->path, names[verdict],
                (unsigned long long)file->digest, text);
}

static void end_each(void) {
    if (compared.launches == 0)
        lens_say("no launch was compared\n");
    for (size_t i = 1; i < compared.file_count && compared.launches > 0; i++)
        print_verdict(i);
}

/* ---- The end. */
static const char *known_mistake(void) {
    const char *path = NULL;
    size_t count = 0;
    for (size_t i = 1; i < compared.file_count; i++)
        if (compared.files[i].same) {
            path = compared.files[i].path;
            count++;
        }
    return count == 1 && !compared.files[0].same ? path : NULL;
}

const char *comparison_verdict(void) {
    const bool differs = compared.difference || compared.rounding;
    return compared.launches == 0 ? "nothing compared"
           : compared.each        ? "compared"
           : differs              ? "difference found"
                                  : "no difference found";
}

static void row_match(const char *path) {
    row_begin("match");
    row_text("file", path);
    row_end();
}

void comparison_end(void) {
    const char *found = compared.difference ? compared.difference : compared.rounding;
    const char *known = known_mistake();
    if (compared.each) {
        end_each();
        return;
    }
    if (compared.launches == 0)
        return;
    if (rows_wanted()) {
        if ((found || compared.mistaken) && known)
            row_match(known);
        return;
    }
    if (found)
        fputs(found, view.out);
    if ((found || compared.mistaken) && known)
        fprintf(view.out, "matches the known mistake %s\n", known);
    if (!found && !compared.mistaken)
        fprintf(view.out, "no difference from %s in %zu launch%s%s\n",
                compared.files[0].path, compared.launches,
                compared.launches == 1 ? "" : "es",
                compared.sampled ? "; of large ones a sample was looked at" : "");
}
