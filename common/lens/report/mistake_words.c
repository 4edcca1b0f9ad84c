/* mistake_words: prints what races.c found, in the form of the project's error
 * messages. */
#define _GNU_SOURCE /* open_memstream */
#include "mistake_words.h"
#include "base/memory.h"
#include "base/vocabulary.h"
#include "code/source_lines.h"
#include "replay/elements.h"
#include "replay/images.h"
#include "view.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { MISTAKES_SHOWN = 8, LINE_SHOWN = 100 }; /* characters of a source line */

/* "src, an image of 64 x 48, texel (64, 0)". */
static void print_texel(FILE *out, const struct object *object,
                        const struct mistake *mistake) {
    size_t place[3];
    int64_t sizes[3], texel[3];
    image_texel_at(object->image, (size_t)mistake->byte, place);
    for (int d = 0; d < 3; d++) {
        sizes[d] = (int64_t)object->image->size[d];
        texel[d] =
            mistake->kind == OUT_OF_BOUNDS ? mistake->texel[d] : (int64_t)place[d];
    }
    fprintf(out, "%s, an image of ", object->name);
    image_write_numbers(out, object->image, sizes, " x ");
    if (mistake->kind == AGAINST_FORMAT)
        return;
    fputs(", texel (", out);
    image_write_numbers(out, object->image, texel, ", ");
    fputc(')', out);
}

static void print_where(FILE *out, const struct run *run,
                        const struct mistake *mistake) {
    const long long first = mistake->byte, last = first + (long long)mistake->bytes - 1;
    if (mistake->object == run->job.object_count) {
        fprintf(out, "far from any buffer");
        return;
    }
    const struct object *object = &run->job.objects[mistake->object];
    if (object->image) {
        print_texel(out, object, mistake);
        return;
    }
    fprintf(out, "%s in %s memory, ", object->name, term(space_names[object->space]));
    if (first == last)
        fprintf(out, "byte %lld of %zu", first, object->bytes);
    else
        fprintf(out, "bytes %lld to %lld of %zu", first, last, object->bytes);
}

void mistake_who(char who[MISTAKE_WHO], const struct run *run,
                 const struct access_record *record) {
    static const char *const what[] = {[LOAD] = "reads",    [VOLATILE_LOAD] = "reads",
                                       [STORE] = "writes",  [ATOMIC] = "does an atomic",
                                       [BARRIER] = "waits", [OTHER] = "is here",
                                       [BRANCH] = "is here"};
    const char *does = what[run->job.code->sites[record->site].kind];
    if (record->group == 0) /* before anything ran */
        snprintf(who, MISTAKE_WHO, "any %s %s", term("item"), does);
    else if (record->item == GROUPS_COPY)
        snprintf(who, MISTAKE_WHO, "async copy of %s %u %s", term("group"),
                 record->group - 1, does);
    else
        snprintf(who, MISTAKE_WHO, "%s %u of %s %u %s", term("item"), record->item,
                 term("group"), record->group - 1, does);
}

int mistake_who_width(const struct run *run, const struct access_record *record) {
    char who[MISTAKE_WHO];
    mistake_who(who, run, record);
    return (int)strlen(who);
}

static void print_line(FILE *out, const struct run *run, struct place place,
                       const char *words, int width) {
    fprintf(out, "  line %-4u %-*s  %s\n", place.line, width, words,
            source_text(run->job.source, place, LINE_SHOWN));
}

void mistake_print_record(FILE *out, const struct run *run,
                          const struct access_record *record, int width) {
    char who[MISTAKE_WHO];
    mistake_who(who, run, record);
    print_line(out, run, run->job.code->sites[record->site].place, who, width);
}

static bool is_local(const struct run *run, const struct mistake *mistake) {
    return mistake->object < run->job.object_count &&
           run->job.objects[mistake->object].space == LOCAL;
}

static bool is_image(const struct run *run, const struct mistake *mistake) {
    return mistake->object < run->job.object_count &&
           run->job.objects[mistake->object].image;
}

static const char *fence_hint(const struct run *run, const struct mistake *mistake) {
    return is_local(run, mistake)
               ? "the barrier between them lacks the fence flag of this memory, "
                 "CLK_LOCAL_MEM_FENCE"
               : "the barrier between them lacks the fence flag of this memory, "
                 "CLK_GLOBAL_MEM_FENCE";
}

/* Is it a race of a copy and an item of one group, or of two copies? */
static bool is_of_copy(const struct mistake *mistake) {
    return mistake->one.group == mistake->other.group &&
           (mistake->one.item == GROUPS_COPY || mistake->other.item == GROUPS_COPY);
}

static const char *copy_hint(const struct mistake *mistake) {
    return mistake->other.item == GROUPS_COPY
               ? "before that, wait for the copy's event: wait_group_events()"
               : "put a barrier before the copy: it does not wait for work-items";
}

/* Do the items of a group part at a copy, not at a barrier? */
static bool is_at_copy(const struct run *run, const struct mistake *mistake) {
    return mistake->kind == BARRIER_DIVERGENCE &&
           run->job.code->sites[mistake->one.site].kind == OTHER;
}

/* Do both items store, and in the same line of the source? */
static bool stores_in_one_line(const struct run *run, const struct mistake *mistake) {
    const struct site *one = &run->job.code->sites[mistake->one.site],
                      *other = &run->job.code->sites[mistake->other.site];
    return one->kind == STORE && other->kind == STORE &&
           one->place.line == other->place.line && one->place.file == other->place.file;
}

static const char *crash_hint(int number) {
    switch (number) {
    case SIGFPE:
        return "does it divide a whole number by 0?";
    case SIGILL:
    case SIGTRAP: /* the same on ARM */
        return "the compiler has put a trap there, for what C does not define";
    default:
        return view.mistakes ? "does a pointer leave its array? indices were looked at"
                             : "does an index or a pointer leave an array, or is a "
                               "vector not aligned? --races looks for both";
    }
}

static const char *endless_hint(const struct mistake *mistake) {
    switch (mistake->end.waits_for) {
    case FOR_WARP:
        return "lanes move together: what one lane of a warp waits for must not come "
               "after the loop in which the others wait";
    case FOR_BARRIER:
        return "every work-item of a group must reach the same barrier";
    case FOR_GROUP:
        return "groups may run one after the other: an atomic counter gives them "
               "numbers in the order in which they begin";
    case FOR_EXCHANGE:
        return "compare the bits that the exchange returns: a NaN is not equal to "
               "itself";
    case FOR_ENDED:
        return "what takes a lock must release it before it ends";
    case FOR_LOOP:
        return "do both wait for each other? take several locks in one order";
    case FOR_ITSELF:
        return "what has a lock must release it before it takes it again";
    default:
        return "no work-item is left that could end it";
    }
}

const char *mistake_hint(const struct run *run, const struct mistake *mistake) {
    switch (mistake->kind) {
    case RACE:
        return is_of_copy(mistake) ? copy_hint(mistake)
               : mistake->race.missing_fence
                   ? "missing fence: write, then a global fence, then the atomic"
               : mistake->one.group != mistake->other.group
                   ? (stores_in_one_line(run, mistake)
                          ? "does the index lack the group, get_group_id()? if all "
                            "mean this element, use an atomic"
                          : "groups run in no order: use an atomic, or a second "
                            "launch")
               : mistake->race.barrier         ? fence_hint(run, mistake)
               : mistake->race.one_instruction ? "any of the values may stay: let one "
                                                 "thread write, or use an atomic"
               : mistake->race.other_warp
                   ? "put a barrier between them, or use atomics"
                   : "put a barrier between them, or sub_group_barrier(); or let "
                     "sub_group_reduce_add() add up";
    case PRIVATE_UNINITIALISED:
        return "write it first: private variables and arrays begin with any value";
    case MISALIGNED:
        return "a pointer to a type must be a multiple of its size; vloadn and vstoren "
               "need that of an element";
    case AGAINST_FLAGS:
        return "clCreateBuffer's flags say what kernels may do: CL_MEM_READ_WRITE "
               "allows both";
    case BARRIER_FLAGS:
        return "every work-item must give a barrier the same flags";
    case DIVISION:
        return "compare the divisor with 0 first: OpenCL gives the quotient any value";
    case QUOTIENT:
        return "its type does not hold the quotient: OpenCL gives that any value";
    case RECURSION:
        return "OpenCL C has no recursion (specification 1.2, 6.9 i): write a loop";
    case CRASH:
        return crash_hint(mistake->signal);
    case AGAINST_FORMAT:
        return "read_imagef and write_imagef are for normalized numbers and floats, "
               "the functions with i and ui for signed and unsigned whole numbers";
    case UNTOLD:
        return "clSetKernelExecInfo must name what a kernel reaches through pointers "
               "alone";
    case OUT_OF_BOUNDS:
        if (is_image(run, mistake))
            return "compare the coordinates with the image's size; for reads, a "
                   "sampler with CLK_ADDRESS_CLAMP allows it";
        return mistake->object == run->job.object_count
                   ? "compare the index with the number of elements; was it ever "
                     "written?"
                   : "compare the index with the number of elements";
    case UNINITIALISED:
        return is_local(run, mistake)
                   ? "write it first; local memory is uninitialised in each group"
                   : "write it first: neither the host nor a kernel has done that";
    case BARRIER_DIVERGENCE:
        if (!is_at_copy(run, mistake))
            return "every work-item of a group must reach the same barrier";
        /* fall through */
    case COPY_DIFFERS:
    case WAIT_DIFFERS:
        return "every work-item of a group must make the same call, with the same "
               "arguments";
    case BAD_INDEX:
        return "compare the index with the length of the array";
    case BAD_EVENT:
        return "an event comes from an async copy, and is gone once it was waited for";
    case NEVER_WAITED:
        return "wait_group_events() must come before the kernel's end";
    case ENDLESS:
        return endless_hint(mistake);
    case LARGE_ANGLE:
        return "bring the angle near 0 first, or call sin() and cos()";
    case TOO_LARGE_GROUP:
        return "OpenCL promises 32768 bytes, and most GPUs have at most 65536";
    case ASSERTION:
        return "what the kernel relies on does not hold here";
    case LANE_MASK:
        return "all lanes of a mask must make the same call, with the same mask";
    case STEP_LIMIT:
        break;
    }
    return "try a smaller problem; or does it wait for another group?";
}

const struct rule *mistake_rule(const struct run *run, const struct mistake *mistake) {
    return rule_of(is_at_copy(run, mistake) ? COPY_DIFFERS : mistake->kind);
}

const char *mistake_message(const char *title) {
    for (int i = 0; i < 2; i++) {
        const char *colon = strstr(title, ": ");
        title = colon ? colon + 2 : title;
    }
    return title;
}

char *mistake_title(const struct run *run, const struct mistake *mistake) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    fprintf(out, "error: %s: %s: ", run->job.kernel,
            term(mistake_rule(run, mistake)->title));
    if (mistake->kind == BARRIER_DIVERGENCE &&
        mistake->barrier.arrived == mistake->barrier.items)
        fprintf(out, "%s of the %s wait at different barriers", term("work-items"),
                term("group"));
    else if (mistake->kind == BARRIER_DIVERGENCE)
        fprintf(out, "not reached by all %s of the %s (%u of %u)", term("work-items"),
                term("group"), mistake->barrier.arrived, mistake->barrier.items);
    else if (mistake->kind == COPY_DIFFERS)
        fprintf(out, "work-items of the group want different copies");
    else if (mistake->kind == WAIT_DIFFERS)
        fprintf(out, "work-items of the group wait for different events");
    else if (mistake->kind == BAD_EVENT)
        fprintf(out, "no copy that goes on has it");
    else if (mistake->kind == NEVER_WAITED)
        fprintf(out, "it may go on when the kernel has ended");
    else if (mistake->kind == BAD_INDEX)
        fprintf(out, "element %lld of %s", (long long)mistake->index.number,
                mistake->index.array);
    else if (mistake->kind == STEP_LIMIT)
        fprintf(out, "does the kernel terminate? %s %u still runs", term("group"),
                mistake->one.group - 1);
    else if (mistake->kind == PRIVATE_UNINITIALISED)
        fprintf(out, "a private variable or array");
    else if (mistake->kind == BARRIER_FLAGS)
        fprintf(out, "work-items of the group fence different memory");
    else if (mistake->kind == UNTOLD)
        fprintf(out, "%s in global memory", mistake->memory);
    else if (mistake->kind == DIVISION)
        fprintf(out, "of a whole number");
    else if (mistake->kind == QUOTIENT)
        fprintf(out, "the smallest whole number by -1");
    else if (mistake->kind == LARGE_ANGLE)
        fprintf(out, "%g; here the result is exact, on a GPU it may be far off",
                (double)mistake->angle);
    else if (mistake->kind == TOO_LARGE_GROUP)
        fprintf(out, "a %s needs %zu bytes", term("group"), mistake->bytes);
    else if (mistake->kind == ASSERTION)
        fputs(mistake->condition, out);
    else if (mistake->kind == LANE_MASK)
        fprintf(out, "0x%llx names lane %u", (unsigned long long)mistake->named.mask,
                mistake->named.lane);
    else if (mistake->kind == RECURSION)
        fprintf(out, "%s() calls itself", mistake->function);
    else if (mistake->kind == ENDLESS && mistake->object == run->job.object_count)
        fprintf(out, "%s %u comes back to where it was", term("group"),
                mistake->one.group - 1);
    else if (mistake->kind == CRASH)
        fprintf(out, "the replay goes no further: %s", strsignal(mistake->signal));
    else
        print_where(out, run, mistake);
    if (mistake->kind == ENDLESS && mistake->object < run->job.object_count)
        fputs(", changes no more", out);
    fclose(out);
    return text;
}

uint64_t mistake_alignment(const struct mistake *mistake) {
    const uint64_t byte = (uint64_t)mistake->byte;
    return byte & (~byte + 1);
}

size_t mistake_needed_alignment(const struct run *run, const struct mistake *mistake) {
    const struct site *site = &run->job.code->sites[mistake->one.site];
    return site->kind == ATOMIC ? mistake->bytes : site->alignment;
}

bool mistake_has_place(const struct mistake *mistake) {
    return mistake->kind != STEP_LIMIT && mistake->kind != TOO_LARGE_GROUP;
}

char *mistake_why(const struct mistake *mistake) {
    static const char *const why[] = {
        [FOR_WARP] = "goes on when these lanes of its warp have left the loop",
        [FOR_BARRIER] = "waits at a barrier that these do not reach",
        [FOR_GROUP] = "it waits for another group, which need not run beside this one",
        [FOR_EXCHANGE] = "its compare-exchange has succeeded, and yet it tries again",
        [FOR_ENDED] = "has ended",
        [FOR_LOOP] = "goes round in a loop, too",
        [FOR_ITSELF] = "waits for itself"};
    if (mistake->kind != ENDLESS || mistake->end.waits_for == FOR_NOTHING)
        return NULL;
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (mistake->end.waits_for == FOR_ENDED)
        fprintf(out, "%s %u of %s %u, which wrote that last, ", term("item"),
                mistake->end.changer.item, term("group"),
                mistake->end.changer.group - 1);
    else if (mistake->end.waits_for != FOR_GROUP &&
             mistake->end.waits_for != FOR_EXCHANGE)
        fprintf(out, "%s %u%s ", term("item"), mistake->other.item,
                mistake->end.wrote_last ? ", which wrote that last," : "");
    fputs(term(why[mistake->end.waits_for]), out);
    fclose(out);
    return text;
}

/* "item 3 of group 0 sets lock[1] to 7", which ENDLESS waits for; NULL: it is not known
 * who does. */
static char *changer_in_words(const struct run *run, const struct mistake *mistake) {
    const struct access_record *by = &mistake->end.changer;
    char *words = NULL;
    size_t bytes = 0;
    if (mistake->kind != ENDLESS || by->group == 0)
        return NULL;
    const struct object *object = &run->job.objects[mistake->object];
    const struct element_type type =
        object->type ? element_type(object) : (struct element_type){.name = NULL};
    FILE *out = open_memstream(&words, &bytes);
    fprintf(out, "%s %u of %s %u sets ", term("item"), by->item, term("group"),
            by->group - 1);
    if (type.name && type.bytes == mistake->bytes &&
        (size_t)mistake->byte % type.bytes == 0) {
        element_print_name(out, object, &type, (size_t)mistake->byte);
        fputs(" to ", out);
        element_print(out, &type, (const char *)&mistake->end.value);
    } else {
        fputs("it last", out);
    }
    fclose(out);
    return words;
}

static void print_waiting(FILE *out, const struct run *run,
                          const struct mistake *mistake, int width) {
    char *why = mistake_why(mistake);
    const struct place *place = mistake->end.goes_on;
    if (why)
        fprintf(out, "  why     %s\n", why);
    if (why && place)
        print_line(out, run, *place, "it goes on here", width);
    free(why);
}

bool mistake_is_in_warp(const struct mistake *mistake) {
    return mistake->kind == RACE && mistake->one.group == mistake->other.group &&
           !mistake->race.other_warp && mistake->one.site != mistake->other.site &&
           mistake->one.item != GROUPS_COPY && mistake->other.item != GROUPS_COPY;
}

/* Is it a race of a read? */
static bool reads(const struct run *run, const struct mistake *mistake) {
    const struct site *sites = run->job.code->sites;
    return sites[mistake->one.site].kind == LOAD ||
           sites[mistake->other.site].kind == LOAD;
}

bool mistake_has_other(const struct mistake *mistake) {
    const bool differ = mistake->other.site != mistake->one.site;
    return mistake->kind == RACE || mistake->kind == COPY_DIFFERS ||
           mistake->kind == WAIT_DIFFERS ||
           (mistake->kind == ENDLESS
                ? mistake->end.waits_for == FOR_LOOP ||
                      (mistake->end.waits_for == FOR_BARRIER && differ)
                : differ);
}

static void say(FILE *out, const struct run *run, const struct mistake *mistake,
                bool is_note) {
    char *title = mistake_title(run, mistake);
    fprintf(out, "%s%s\n", is_note ? "note" : "error", strchr(title, ':'));
    free(title);
    const bool both = mistake_has_other(mistake);
    char *changer = changer_in_words(run, mistake);
    int width = 36;
    if (changer && (int)strlen(changer) > width)
        width = (int)strlen(changer);
    if (mistake_has_place(mistake) && mistake_who_width(run, &mistake->one) > width)
        width = mistake_who_width(run, &mistake->one);
    if (both && mistake_who_width(run, &mistake->other) > width)
        width = mistake_who_width(run, &mistake->other);
    if (mistake_has_place(mistake))
        mistake_print_record(out, run, &mistake->one, width);
    if (changer)
        print_line(out, run, run->job.code->sites[mistake->end.changer.site].place,
                   changer, width);
    free(changer);
    if (both)
        mistake_print_record(out, run, &mistake->other, width);
    if (mistake->kind == MISALIGNED)
        fprintf(out, "  align   to %llu bytes; the type needs %zu\n",
                (unsigned long long)mistake_alignment(mistake),
                mistake_needed_alignment(run, mistake));
    print_waiting(out, run, mistake, width);
    if (mistake->kind == RACE && mistake->race.barrier)
        print_line(out, run, run->job.code->sites[mistake->race.barrier - 1].place,
                   "is the barrier between them", width);
    if (mistake_is_in_warp(mistake))
        fprintf(out,
                "  warp    both are in one warp: this can be right only where its %u "
                "lanes move in lockstep\n",
                run->model.lanes);
    if (mistake->kind == RACE && !mistake->race.values_differ)
        fprintf(out, "  value   %s%s: %s\n",
                reads(run, mistake) ? "it reads what it has written itself, as all do"
                                    : "all write the same value",
                reads(run, mistake)                    ? ""
                : is_note && mistake->race.same_always ? ", and must"
                                                       : " here",
                term("most devices forgive that, OpenCL does not"));
    if (run->backward)
        fputs("  order   last, the second that was tried: --order last shows it at "
              "once\n",
              out);
    if (mistake->times > 1)
        fprintf(out, "  times   %zu\n", mistake->times);
    fprintf(out, "  hint    %s\n",
            is_note && mistake->kind == RACE
                ? "this is no mistake here; with --strict it is"
                : term(mistake_hint(run, mistake)));
}

/* Is it shown already, by an earlier one that the same barrier would prevent? */
static bool is_folded(const struct mistake *mistakes, size_t i) {
    for (size_t j = 0; j < i && !view.all; j++)
        if (mistakes_share_barrier(&mistakes[j], &mistakes[i]))
            return true;
    return false;
}

/* Takes in what is known of those that the same barrier would prevent; returns how many
 * these are. */
static size_t fold(struct mistake *mistake, const struct mistake *others,
                   size_t count) {
    size_t folded = 0;
    for (size_t i = 0; i < count && !view.all; i++)
        if (mistakes_share_barrier(mistake, &others[i])) {
            mistake->race.other_warp |= others[i].race.other_warp;
            folded++;
        }
    return folded;
}

static size_t count_unfolded(const struct run *run) {
    size_t count = 0;
    for (size_t i = 0; i < run->mistakes.count; i++)
        count += !is_folded(run->mistakes.all, i);
    return count;
}

char **mistakes_in_words(const struct run *run) {
    const struct mistake *mistakes = run->mistakes.all;
    const size_t count = run->mistakes.count, unfolded = count_unfolded(run),
                 most = view.all ? unfolded : MISTAKES_SHOWN;
    char **words = lens_allocate(count, sizeof *words);
    size_t shown = 0, bytes = 0;
    for (size_t i = 0; i < count && shown < most; i++) {
        if (is_folded(mistakes, i))
            continue;
        struct mistake mistake = mistakes[i];
        const size_t folded = fold(&mistake, mistakes + i + 1, count - i - 1);
        FILE *out = open_memstream(&words[i], &bytes);
        say(out, run, &mistake, false);
        if (folded > 0)
            fprintf(out,
                    "  also    %zu more of this memory between the same barriers: one "
                    "barrier may prevent all; --all shows them\n",
                    folded);
        if (++shown == most && unfolded > most)
            fprintf(out, "and %zu more\n", unfolded - most);
        fclose(out);
    }
    return words;
}

void mistakes_report(const struct run *run) {
    char **words = mistakes_in_words(run);
    for (size_t i = 0; i < run->mistakes.count; i++) {
        fputs(words[i] ? words[i] : "", view.out);
        free(words[i]);
    }
    free(words);
}

/* A note of one kernel and its two lines is printed once, though launches repeat. */
static bool was_printed(const char *title) {
    static char **printed;
    static size_t count;
    for (size_t i = 0; i < count; i++)
        if (strcmp(printed[i], title) == 0)
            return true;
    *GROW(printed, count) = strdup(title);
    return false;
}

char *mistake_note_in_words(const struct run *run, const struct mistake *note) {
    const struct site *sites = run->job.code->sites;
    char name[512], *words = NULL;
    size_t bytes = 0;
    snprintf(name, sizeof name, "%s %u %u", run->job.kernel,
             sites[note->one.site].place.line, sites[note->other.site].place.line);
    if (was_printed(name))
        return NULL;
    FILE *out = open_memstream(&words, &bytes);
    say(out, run, note, true);
    fclose(out);
    return words;
}

void mistakes_print_notes(const struct run *run) {
    for (size_t i = 0; i < run->mistakes.note_count; i++) {
        char *words = mistake_note_in_words(run, &run->mistakes.notes[i]);
        fputs(words ? words : "", view.out);
        free(words);
    }
}
