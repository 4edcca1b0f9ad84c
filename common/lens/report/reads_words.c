/* reads_words: compares who reads what with ours, buffer by buffer.
 *
 *     ours    x[0] by item 0, x[1] by item 1, x[2] by item 0, x[3] by item 1
 *     theirs  x[0] by item 0, x[0] by item 1, x[2] by item 0
 *
 *     2 elements of x are never read, the first is x[1]
 *     x[0] is read twice
 *
 * Of a sum, what a work-item adds up is its own choice, so that its part of the sum
 * shows no mistake; which elements are missing does.  A second read is one only where
 * ours reads each element once at most: a stencil reads again by right. */
#define _GNU_SOURCE /* open_memstream */
#include "reads_words.h"
#include "base/memory.h"
#include "base/rows.h"
#include "base/vocabulary.h"
#include "mistake_words.h"
#include "replay/elements.h"

#include <stdlib.h>
#include <string.h>

/* What differs in a buffer; elements by their numbers. */
struct finding {
    size_t never, first_never; /* how many, and the first */
    size_t again, first_again;
    size_t moved, first_moved; /* first read by another work-item than in ours */
    bool same_times;
};

static const struct element_reads none = {.times = 0};

static bool is_compared(const struct object_reads *own,
                        const struct object_reads *ours) {
    return ours->elements && !own->written && !ours->written;
}

static bool is_same_reader(const struct access_record *one,
                           const struct access_record *other) {
    return one->group == other->group && one->item == other->item;
}

static bool reads_twice(const struct object_reads *reads) {
    for (size_t e = 0; e < reads->count; e++)
        if (reads->elements[e].times > 1)
            return true;
    return false;
}

static struct finding compare(const struct object_reads *own,
                              const struct object_reads *ours) {
    struct finding found = {.same_times = true};
    const bool once = !reads_twice(ours);
    for (size_t e = 0; e < ours->count; e++) {
        const struct element_reads *theirs = own->elements ? &own->elements[e] : &none,
                                   *wanted = &ours->elements[e];
        if (theirs->times == 0 && wanted->times > 0 && found.never++ == 0)
            found.first_never = e;
        if (once && theirs->times > 1 && found.again++ == 0)
            found.first_again = e;
        found.same_times &= theirs->times == wanted->times;
        if (theirs->times > 0 && wanted->times > 0 &&
            !is_same_reader(&theirs->first, &wanted->first) && found.moved++ == 0)
            found.first_moved = e;
    }
    return found;
}

static bool is_same(const struct finding *one, const struct finding *other) {
    return one->never == other->never && one->first_never == other->first_never &&
           one->again == other->again && one->first_again == other->first_again &&
           one->moved == other->moved && one->first_moved == other->first_moved;
}

/* ---- Words. */

/* "x and of y", or "x[3] and y[3]": of all buffers with the same finding. */
static void print_names(FILE *out, const struct run *run, const unsigned *objects,
                        size_t count, const char *and, const size_t *element) {
    for (size_t i = 0; i < count; i++) {
        const struct object *object = &run->job.objects[objects[i]];
        fputs(i > 0 ? and : "", out);
        if (element) {
            const struct element_type type = element_type(object);
            element_print_name(out, object, &type, *element * type.bytes);
        } else {
            fputs(object->name, out);
        }
    }
}

/* "17 elements of x and of y are never read, the first is x[992]"; of a single one,
 * "x[992] and y[992] are never read". */
static void print_elements(FILE *out, const struct run *run, const unsigned *objects,
                           size_t count, size_t elements, size_t first,
                           const char *what) {
    fprintf(out, "  %zu elements of ", elements);
    print_names(out, run, objects, count, " and of ", NULL);
    fprintf(out, " are %s, the first is ", what);
    print_names(out, run, objects, 1, "", &first);
}

static void print_element(FILE *out, const struct run *run, const unsigned *objects,
                          size_t count, size_t element) {
    fputs("  ", out);
    print_names(out, run, objects, count, " and ", &element);
    fputs(count == 1 ? " is" : " are", out);
}

static void print_times(FILE *out, unsigned times) {
    if (times == 2)
        fputs(" twice\n", out);
    else
        fprintf(out, " %u times\n", times);
}

static void print_readers(FILE *out, const struct run *run,
                          const struct element_reads *element) {
    const int first = mistake_who_width(run, &element->first),
              second = mistake_who_width(run, &element->second);
    const int width = first > second ? first : second;
    mistake_print_record(out, run, &element->first, width);
    mistake_print_record(out, run, &element->second, width);
}

/* ---- Rows. */
static void row_reader(const struct run *run, const struct access_record *record,
                       const char *const names[4]) {
    const struct place place = run->job.code->sites[record->site].place;
    row_number(names[0], place.line);
    row_number(names[1], place.column);
    if (record->item != GROUPS_COPY)
        row_number(names[2], record->item);
    row_number(names[3], record->group - 1);
}

static void row_finding(const struct run *run, const unsigned *objects, size_t count,
                        const char *kind, size_t elements, size_t first,
                        const char *report) {
    static const char *const one[4] = {"line", "column", "item", "group"},
                             *const two[4] = {"other_line", "other_column",
                                              "other_item", "other_group"};
    const struct object_reads *reads = &run->reads.objects[objects[0]];
    char *names = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&names, &bytes);
    print_names(out, run, objects, count, " ", NULL);
    fclose(out);
    row_begin("reads");
    row_text("report", report);
    row_text("kernel", run->job.kernel);
    row_text("arguments", run->job.scalars);
    row_text("kind", kind);
    row_text("name", names);
    if (elements > 0) {
        row_number("elements", elements);
        row_number("element", first);
    }
    const struct element_reads *element =
        elements > 0 && reads->elements ? &reads->elements[first] : &none;
    if (element->times > 0) {
        row_number("times", element->times);
        row_reader(run, &element->first, one);
    }
    if (element->times > 1)
        row_reader(run, &element->second, two);
    row_end();
    free(names);
}

/* ---- Findings. */
static char *never_in_words(const struct run *own, const unsigned *objects,
                            size_t count, const struct finding *found) {
    char *words = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&words, &bytes);
    if (found->never == 1) {
        print_element(out, own, objects, count, found->first_never);
        fputs(" never read", out);
    } else {
        print_elements(out, own, objects, count, found->never, found->first_never,
                       "never read");
    }
    fputc('\n', out);
    fclose(out);
    return words;
}

static char *again_in_words(const struct run *own, const unsigned *objects,
                            size_t count, const struct finding *found) {
    const struct element_reads *element =
        &own->reads.objects[objects[0]].elements[found->first_again];
    char *words = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&words, &bytes);
    if (found->again == 1) {
        print_element(out, own, objects, count, found->first_again);
        fputs(" read", out);
    } else {
        print_elements(out, own, objects, count, found->again, found->first_again,
                       "read more than once");
        fputc(',', out);
    }
    print_times(out, element->times);
    print_readers(out, own, element);
    fclose(out);
    return words;
}

/* Prints a finding, or writes it as a row; frees the words. */
static void tell(FILE *out, const struct run *own, const unsigned *objects,
                 size_t count, const char *kind, size_t elements, size_t first,
                 char *words) {
    if (rows_wanted())
        row_finding(own, objects, count, kind, elements, first, words);
    fputs(words, out);
    free(words);
}

static void tell_finding(FILE *out, const struct run *own, const unsigned *objects,
                         size_t count, const struct finding *found) {
    if (found->never > 0)
        tell(out, own, objects, count, "never read", found->never, found->first_never,
             never_in_words(own, objects, count, found));
    if (found->again > 0)
        tell(out, own, objects, count, "read again", found->again, found->first_again,
             again_in_words(own, objects, count, found));
}

/* All is read as in ours, by the same work-items, too. */
static void tell_same(FILE *out, const struct run *own, const unsigned *objects,
                      size_t count) {
    char *words = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&words, &bytes);
    fputs("  each element of ", to);
    print_names(to, own, objects, count, " and of ", NULL);
    fputs(" is read as in ours\n", to);
    fclose(to);
    tell(out, own, objects, count, "read as in ours", 0, 0, words);
}

/* All is read as often as in ours, but not by the same work-items: what belongs
 * together may no longer meet. */
static void tell_moved(FILE *out, const struct run *own, const unsigned *objects,
                       size_t count, const struct finding *found) {
    const struct access_record *reader =
        &own->reads.objects[objects[0]].elements[found->first_moved].first;
    char *words = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&words, &bytes);
    fputs("  each element of ", to);
    print_names(to, own, objects, count, " and of ", NULL);
    fputs(" is read as often as in ours, but ", to);
    if (found->moved > 1)
        fprintf(to, "%zu of them by other %s, the first is ", found->moved,
                term("work-items"));
    print_names(to, own, objects, 1, "", &found->first_moved);
    if (found->moved == 1)
        fprintf(to, " by another %s", term("work-item"));
    fputc('\n', to);
    mistake_print_record(to, own, reader, mistake_who_width(own, reader));
    fclose(to);
    tell(out, own, objects, count, "read by others", found->moved, found->first_moved,
         words);
}

/* Buffers of one finding are spoken of together. */
static void tell_all(FILE *out, const struct run *own, const unsigned *compared,
                     const struct finding *found, size_t count) {
    bool *told = lens_allocate(count, sizeof *told);
    unsigned *alike = lens_allocate(count, sizeof *alike);
    bool same_times = true, same_readers = true;
    for (size_t i = 0; i < count; i++) {
        same_times &= found[i].same_times;
        same_readers &= found[i].moved == 0;
    }
    if (same_times && same_readers)
        tell_same(out, own, compared, count);
    for (size_t i = 0; i < count; i++) {
        size_t alikes = 0;
        for (size_t j = i; j < count; j++)
            if (!told[j] && is_same(&found[i], &found[j])) {
                told[j] = true;
                alike[alikes++] = compared[j];
            }
        if (alikes > 0)
            tell_finding(out, own, alike, alikes, &found[i]);
        if (alikes > 0 && same_times && found[i].moved > 0)
            tell_moved(out, own, alike, alikes, &found[i]);
    }
    free(told);
    free(alike);
}

static bool is_whole(const struct run *run) {
    return run->reads.objects && !run->outcome.stopped &&
           run->outcome.groups_replayed == run->outcome.groups;
}

char *reads_in_words(const struct run *own, const struct run *ours) {
    if (!is_whole(own) || !is_whole(ours))
        return NULL;
    const size_t arguments = own->job.object_count - own->job.code->object_count;
    unsigned *compared = lens_allocate(arguments + 1, sizeof *compared);
    struct finding *found = lens_allocate(arguments + 1, sizeof *found);
    size_t count = 0;
    for (unsigned i = 0; i < arguments; i++)
        if (is_compared(&own->reads.objects[i], &ours->reads.objects[i])) {
            compared[count] = i;
            found[count++] = compare(&own->reads.objects[i], &ours->reads.objects[i]);
        }
    char *words = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&words, &bytes);
    if (count > 0)
        tell_all(out, own, compared, found, count);
    fclose(out);
    free(compared);
    free(found);
    if (bytes > 0)
        return words;
    free(words);
    return NULL;
}
