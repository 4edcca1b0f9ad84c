/* judge: after two replays of a launch on the same data, one of the program's kernel
 * and one of ours, compares the buffers, byte by byte.
 *
 *     x, ours      3.0  5.0  7.0  9.0
 *     x, theirs    3.0  5.0  6.0   -      x[2] is the first that differs; who wrote it?
 *
 * A kernel with a known mistake is taken for theirs only if it makes the same of every
 * launch: the same bits in every buffer, and the same races. */
#define _GNU_SOURCE /* open_memstream */
#include "judge.h"

#include "../poison.h"
#include "../source.h"
#include "races.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

/* What --each says of a file; the first of these that is true. */
enum verdict { RACES, STRAYS, NEVER_ENDS, READS_UNWRITTEN, DIFFERS, VERDICTS };

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
    bool sampled, mistaken;
    char *difference, *rounding; /* in words: the first; and the first in last bits */
} now;

/* ---- Files. */

/* FNV-1a, with eight bytes at a time where there are so many. */
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
    *GROW(now.files, now.file_count) =
        (struct file){.path = path,
                      .source = source_read(path, path, true),
                      .same = true,
                      .digest = DIGEST_BEGIN};
}

/* Names of mistakes stand on lines of their own. */
void judge_begin(void) {
    char *ours = getenv("LENS_OURS"), *mistakes = getenv("LENS_MISTAKES"),
         *instead = getenv("LENS_INSTEAD");
    if (instead)
        add_file(instead);
    if (!ours || instead)
        return;
    add_file(ours);
    mistakes = strdup(mistakes ? mistakes : "");
    for (char *path = strtok(mistakes, "\n"); path; path = strtok(NULL, "\n"))
        add_file(path);
}

size_t judge_files(void) {
    return now.file_count;
}

char *judge_source(size_t file) {
    return now.files[file].source;
}

bool judge_asks(size_t file) {
    const struct file *asked = &now.files[file];
    return wishes.each ? !asked->broken && !asked->stopped : file == 0 || asked->same;
}

/* ---- Types of elements. */
struct type {
    const char *name;
    enum { SIGNED, UNSIGNED, FLOAT } kind;
    size_t bytes;
    size_t lanes, apart; /* of a vector: numbers, and places for them */
};

/* "float4*": its name, then how many of them.  What is not known is taken as bytes. */
static struct type type_of(const struct object *object) {
    static const struct type known[] = {
        {"char", SIGNED, 1, 1, 1},  {"uchar", UNSIGNED, 1, 1, 1},
        {"short", SIGNED, 2, 1, 1}, {"ushort", UNSIGNED, 2, 1, 1},
        {"int", SIGNED, 4, 1, 1},   {"uint", UNSIGNED, 4, 1, 1},
        {"long", SIGNED, 8, 1, 1},  {"ulong", UNSIGNED, 8, 1, 1},
        {"float", FLOAT, 4, 1, 1},  {"double", FLOAT, 8, 1, 1}};
    const size_t letters = strcspn(object->type, "0123456789*");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].name) == letters &&
            strncmp(known[i].name, object->type, letters) == 0) {
            struct type type = known[i];
            const size_t lanes = strtoul(object->type + letters, NULL, 10);
            type.lanes = lanes ? lanes : 1;
            type.apart = lanes == 3 ? 4 : type.lanes; /* the fourth is padding */
            return type;
        }
    return (struct type){NULL, UNSIGNED, 1, 1, 1};
}

static double float_at(const struct type *type, const char *bytes) {
    float number = 0.0f;
    double wide = 0.0;
    if (type->bytes == sizeof wide)
        memcpy(&wide, bytes, sizeof wide);
    else
        memcpy(&number, bytes, sizeof number);
    return type->bytes == sizeof wide ? wide : (double)number;
}

static int64_t whole_at(const struct type *type, const char *bytes) {
    const size_t unused = 64 - 8 * type->bytes;
    uint64_t number = 0;
    memcpy(&number, bytes, type->bytes);
    return type->kind == SIGNED ? (int64_t)(number << unused) >> unused
                                : (int64_t)number;
}

/* With as many digits as it takes to tell it from all others. */
static void say_float(FILE *out, const struct type *type, double value) {
    const bool wide = type->bytes == sizeof value;
    const int most = wide ? 17 : 9;
    char text[64] = "nan";
    for (int digits = 6; value == value && digits <= most; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        const double told = strtod(text, NULL);
        if (value == (wide ? told : (double)(float)told))
            break;
    }
    fputs(text, out);
}

static void say_value(FILE *out, const struct type *type, const char *bytes) {
    if (type->kind == FLOAT)
        say_float(out, type, float_at(type, bytes));
    else if (type->kind == SIGNED)
        fprintf(out, "%lld", (long long)whole_at(type, bytes));
    else
        fprintf(out, "%llu", (unsigned long long)whole_at(type, bytes));
}

/* "sums[7]", "x[5].s2", or "bodies, byte 12,". */
static void say_element(FILE *out, const struct object *object, const struct type *type,
                        size_t byte) {
    const size_t number = byte / type->bytes;
    if (!type->name)
        fprintf(out, "%s, byte %zu,", object->name, byte);
    else
        fprintf(out, "%s[%zu]", object->name, number / type->apart);
    if (type->lanes > 1)
        fprintf(out, ".s%zx", number % type->apart);
}

/* ---- Where two replays differ. */

/* By more than a ten-thousandth; a number and what is none are far apart, too. */
static bool beyond_rounding(const struct type *type, const char *one,
                            const char *other) {
    if (type->kind != FLOAT)
        return true;
    const double a = float_at(type, one), b = float_at(type, other);
    const double apart = a < b ? b - a : a - b;
    const double sizes = (a < 0 ? -a : a) + (b < 0 ? -b : b);
    const bool are_finite = sizes - sizes == 0.0, both_nan = a != a && b != b;
    return a != b && !both_nan && !(are_finite && apart <= 0.5e-4 * sizes);
}

static size_t argument_count(const struct replay *replay) {
    return replay->object_count - replay->code->object_count;
}

/* The first number that differs, from its first byte on; or `bytes` of the object. */
static size_t differs_at(const struct object *one, const struct object *other,
                         const struct type *type, bool in_bits) {
    const size_t step = type->bytes;
    for (size_t byte = 0; byte + step <= one->bytes; byte += step)
        if (byte / step % type->apart < type->lanes &&
            memcmp(one->base + byte, other->base + byte, step) != 0 &&
            (in_bits || beyond_rounding(type, one->base + byte, other->base + byte)))
            return byte;
    return one->bytes;
}

/* ---- In words. */
static bool is_poison(const struct object *object, const struct type *type,
                      size_t byte) {
    const uint32_t word = POISON;
    for (size_t i = byte; i < byte + type->bytes; i++)
        if (object->base[i] != ((const char *)&word)[i % sizeof word])
            return false;
    return true;
}

static void say_writer(FILE *out, const struct replay *replay,
                       const struct visit *visit, const char *what) {
    const struct place place = replay->code->sites[visit->site].place;
    const char *text = source_line(replay, place);
    char who[96];
    snprintf(who, sizeof who, "item %u of group %u, lane %u, %s", visit->item,
             visit->group - 1, visit->item % wishes.lanes, what);
    fprintf(out, "  line %-4u %-46s  %s\n", place.line, who,
            text + strspn(text, " \t"));
}

/* " is 12, ours has 15": of what nobody wrote, poison is no value to be told. */
static void say_values(FILE *out, const char *own, const char *ours,
                       const struct type *type, bool written, bool poison,
                       bool ours_writes) {
    if (poison && !written) {
        fputs(" was never written", out);
    } else {
        fputs(written ? " is " : " is still ", out);
        say_value(out, type, own);
    }
    if (written && !ours_writes) {
        fputs(", which ours never writes\n", out);
    } else {
        fputs(", ours has ", out);
        say_value(out, type, ours);
        fputc('\n', out);
    }
}

static void say_difference(FILE *out, const struct replay *own,
                           const struct replay *ours, size_t number, size_t byte) {
    const struct object *object = &own->objects[number];
    const struct type type = type_of(object);
    const struct visit writer = races_writer(own, number, byte),
                       our_writer = races_writer(ours, number, byte);
    fputs(own->kernel, out);
    if (*own->scalars)
        fprintf(out, " (%s)", own->scalars);
    fputs(": ", out);
    say_element(out, object, &type, byte);
    say_values(out, object->base + byte, ours->objects[number].base + byte, &type,
               writer.group, is_poison(object, &type, byte), our_writer.group);
    if (writer.group)
        say_writer(out, own, &writer, "wrote it");
    else if (our_writer.group)
        say_writer(out, ours, &our_writer, "writes it in ours");
}

/* The first difference of this launch in words; NULL: there is none. */
static char *difference(const struct replay *own, const struct replay *ours,
                        bool in_bits) {
    for (size_t i = 0; i < argument_count(own); i++) {
        const struct object *object = &own->objects[i];
        if (object->space != GLOBAL)
            continue;
        const struct type type = type_of(object);
        const size_t byte = differs_at(object, &ours->objects[i], &type, in_bits);
        if (byte == object->bytes)
            continue;
        char *text = NULL;
        size_t bytes = 0;
        FILE *out = open_memstream(&text, &bytes);
        say_difference(out, own, ours, i, byte);
        fclose(out);
        return text;
    }
    return NULL;
}

/* ---- Whether two kernels are the same. */
static bool same_buffers(const struct replay *one, const struct replay *other) {
    for (size_t i = 0; i < argument_count(one); i++)
        if (one->objects[i].space == GLOBAL && one->objects[i].base &&
            memcmp(one->objects[i].base, other->objects[i].base,
                   one->objects[i].bytes) != 0)
            return false;
    return true;
}

static const char *object_name(const struct replay *replay,
                               const struct mistake *mistake) {
    return mistake->object < replay->object_count
               ? replay->objects[mistake->object].name
               : "";
}

static bool same_visitor(const struct visit *one, const struct visit *other) {
    return one->group == other->group && one->item == other->item;
}

static bool same_mistakes(const struct replay *one, const struct replay *other) {
    if (one->mistake_count != other->mistake_count)
        return false;
    for (size_t i = 0; i < one->mistake_count; i++) {
        const struct mistake *a = &one->mistakes[i], *b = &other->mistakes[i];
        if (a->kind != b->kind || a->byte != b->byte || a->times != b->times ||
            !same_visitor(&a->one, &b->one) || !same_visitor(&a->other, &b->other) ||
            strcmp(object_name(one, a), object_name(other, b)) != 0)
            return false;
    }
    return true;
}

/* ---- Launches. */
void judge_mistakes(const struct replay *own) {
    if (!now.mistaken)
        races_report(own);
    now.mistaken |= own->mistake_count > 0;
}

/* A kernel that was stopped has not written all: only its mistake tells something. */
static void compare_with_ours(const struct replay *own, const struct replay *ours) {
    now.launches++;
    now.sampled |= own->groups_replayed < own->groups;
    if (own->stopped)
        return;
    if (!now.difference)
        now.difference = difference(own, ours, false);
    if (!now.rounding)
        now.rounding = difference(own, ours, true);
}

bool judge_compare(size_t number, const struct replay *own,
                   const struct replay *other) {
    struct file *file = &now.files[number];
    const bool comparable = other && (number > 0 || own->stopped || !other->stopped);
    if (number == 0 && !comparable) {
        fprintf(stderr, "lens: %s is not compared: %s has no such kernel%s\n",
                own->kernel, file->path, other ? " without a mistake" : "");
        for (size_t i = 1; i < now.file_count; i++)
            now.files[i].same = false; /* nobody will ask them */
    } else if (number == 0)
        compare_with_ours(own, other);
    file->same &= other && same_buffers(own, other) && same_mistakes(own, other);
    return comparable;
}

/* ---- Each file on its own: --each. */
void judge_launch(void) {
    now.launches++;
}

void judge_broken(size_t file) {
    now.files[file].broken = true;
}

static enum verdict verdict_of(const struct mistake *mistake) {
    static const enum verdict verdicts[] = {
        [RACE] = RACES,   [BARRIER_MISSED] = RACES,      [OUTSIDE] = STRAYS,
        [INDEX] = STRAYS, [UNWRITTEN] = READS_UNWRITTEN, [ENDLESS] = NEVER_ENDS};
    return verdicts[mistake->kind];
}

/* The first line of a text; those after it show the source. */
static char *first_line(char *text) {
    if (text)
        text[strcspn(text, "\n")] = '\0';
    return text;
}

/* A kernel that was stopped has not written all: only its mistake tells something. */
void judge_each(size_t number, const struct replay *theirs, const struct replay *ours) {
    struct file *file = &now.files[number];
    for (size_t i = 0; i < theirs->mistake_count; i++)
        file->is[verdict_of(&theirs->mistakes[i])] = true;
    if (!file->mistake && theirs->mistake_count > 0)
        file->mistake = races_title(theirs, &theirs->mistakes[0]);
    file->stopped = theirs->stopped;
    if (theirs->stopped)
        return;
    if (!file->difference)
        file->difference = first_line(difference(theirs, ours, false));
    if (!file->rounding)
        file->rounding = first_line(difference(theirs, ours, true));
    file->is[DIFFERS] = file->rounding;
}

static uint64_t digest_number(uint64_t number, uint64_t digest) {
    return digest_of((const char *)&number, sizeof number, digest);
}

static uint64_t digest_visitor(const struct visit *visit, uint64_t digest) {
    return digest_number((uint64_t)visit->group << 32 | visit->item, digest);
}

/* All that same_buffers() and same_mistakes() look at.  What is the same as in ours
 * adds nothing. */
void judge_digest(size_t number, const struct replay *theirs,
                  const struct replay *ours) {
    uint64_t digest = now.files[number].digest;
    if (same_buffers(theirs, ours) && same_mistakes(theirs, ours))
        return;
    digest = digest_number(now.launches, digest);
    for (size_t i = 0; i < argument_count(theirs); i++)
        if (theirs->objects[i].space == GLOBAL && theirs->objects[i].base)
            digest =
                digest_of(theirs->objects[i].base, theirs->objects[i].bytes, digest);
    for (size_t i = 0; i < theirs->mistake_count; i++) {
        const struct mistake *mistake = &theirs->mistakes[i];
        const char *name = object_name(theirs, mistake);
        digest = digest_number((uint64_t)mistake->kind, digest);
        digest = digest_number((uint64_t)mistake->byte, digest);
        digest = digest_number(mistake->times, digest);
        digest = digest_visitor(&mistake->one, digest);
        digest = digest_visitor(&mistake->other, digest);
        digest = digest_of(name, strlen(name), digest);
    }
    now.files[number].digest = digest;
}

static void say_verdict(size_t number) {
    static const char *const names[] = {
        [RACES] = "RACE",         [STRAYS] = "OUTSIDE",
        [NEVER_ENDS] = "ENDLESS", [READS_UNWRITTEN] = "UNWRITTEN",
        [DIFFERS] = "WRONG",      [VERDICTS] = "SAME"};
    const struct file *file = &now.files[number];
    const char *text = file->mistake      ? file->mistake
                       : file->difference ? file->difference
                       : file->rounding   ? file->rounding
                                          : "";
    int verdict = 0;
    while (verdict < VERDICTS && !file->is[verdict])
        verdict++;
    if (file->broken || (verdict == VERDICTS && !judge_compiles(number)))
        fprintf(wishes.out, "%s\tBROKEN\t-\t\n", file->path);
    else
        fprintf(wishes.out, "%s\t%s\t%016llx\t%s\n", file->path, names[verdict],
                (unsigned long long)file->digest, text);
}

static void end_each(void) {
    if (now.launches == 0 && wishes.kernels_seen > 0)
        fputs("lens: no launch was compared\n", stderr);
    for (size_t i = 1; i < now.file_count && now.launches > 0; i++)
        say_verdict(i);
}

/* ---- The end. */
static const char *known_mistake(void) {
    const char *path = NULL;
    size_t count = 0;
    for (size_t i = 1; i < now.file_count; i++)
        if (now.files[i].same) {
            path = now.files[i].path;
            count++;
        }
    return count == 1 && !now.files[0].same ? path : NULL;
}

void judge_end(void) {
    const char *found = now.difference ? now.difference : now.rounding;
    const char *known = known_mistake();
    if (wishes.each) {
        end_each();
        return;
    }
    if (now.launches == 0)
        return;
    if (found)
        fputs(found, wishes.out);
    if ((found || now.mistaken) && known)
        fprintf(wishes.out, "the same as %s\n", known);
    if (!found && !now.mistaken)
        fprintf(wishes.out, "no difference from %s in %zu launch%s%s\n",
                now.files[0].path, now.launches, now.launches == 1 ? "" : "es",
                now.sampled ? "; of large ones a sample was looked at" : "");
}
