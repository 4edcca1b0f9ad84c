/* all_sizes: launches a kernel at all sizes up to 300.
 *
 * Mistakes at edges hide at most sizes: a missing guard where a group divides n, a
 * missing barrier where a group is one warp.  So each n is launched in groups of
 * several sizes, with warps of several widths, in several orders; buffers are as long
 * as n says.  A case is one of these launches, and the smallest that fails is shown.
 *
 * With --ours each case must have the results of our kernel, too, which is launched
 * once for each size and shape.
 *
 * How long that may take is counted in steps (a block of one work-item), so that every
 * machine looks at the same cases.  Of a kernel that takes long each n gets its share,
 * and the widths and orders take turns.  So they do with --quick, from n = 1 on. */
#define _GNU_SOURCE /* open_memstream, program_invocation_name */
#include "all_sizes.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/rows.h"
#include "base/vocabulary.h"
#include "call_words.h"
#include "check.h"
#include "launching.h"
#include "replay/elements.h"
#include "report/comparison.h"
#include "report/reporting.h"
#include "settings.h"
#include "single.h"
#include "sizes.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LARGEST = 300, MAX_SHAPES = 8, MAX_WARPS = 20 };
enum { BUDGET = 96 << 20, STEPS_OF_A_CASE = 1000, BYTES_OF_A_STEP = 4 };
enum { MAX_ITEMS = 1 << 22 }; /* in a launch */
enum { SAMPLED = 1 << 18 };   /* steps after which `lens kernel` takes a sample */

/* The widths that a language's warps may have.  The usual one comes first: a failing
 * case that it has is the easiest to read. */
static const struct widths widths_of[] = {
    [OPENCL_C] = {{32, 64, 16, 8, 4}, 5}, [CUDA] = {{32}, 1}, [HIP] = {{64, 32}, 2}};

struct warps {
    unsigned lanes;
    enum order order;
};

/* Groups of one shape. */
struct shape {
    size_t local[3];
    size_t next;    /* of the widths and orders that take turns */
    uint64_t steps; /* of the last case */
};

/* What the first case of a size and a shape has written, by argument. */
struct results {
    struct warps warps;
    char *bytes[MAX_ARGUMENTS];
};

static struct {
    const char *file;
    struct single single; /* the kernel */
    struct widths widths;
    const char *name;               /* of the size */
    bool has_argument, has_numbers; /* one is the size; there are some */
    unsigned dimensions;
    char *rules[3]; /* of --global, by dimension; NULL: the size itself */
    struct shape shapes[MAX_SHAPES];
    size_t shape_count;
    uint64_t n, done, largest, steps_left, first_thinned; /* `done`: that n, too */
    size_t cases, left_out;
    struct results results;
    char *difference; /* between the results of two cases, in words; NULL: none */
    struct run ours;  /* --ours: what it makes of this size and shape */
} tried;

/* ---- What is the size? */
static bool is_whole(const struct argument *argument) {
    const struct object object = {.type = argument->type};
    const struct element_type type = element_type(&object);
    return argument->space == CL_KERNEL_ARG_ADDRESS_PRIVATE && type.name &&
           type.kind != FLOAT && type.lanes == 1 && type.bytes > 1;
}

static bool is_usual_name(const char *name) {
    static const char *const usual[] = {"n", "N", "size", "count", "length", "len"};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strcmp(name, usual[i]) == 0)
            return true;
    return false;
}

static bool has_value(const struct call *call, const char *name) {
    const struct given *given = call_given(call, name);
    return given && given->value;
}

/* The one that is named without a value; or that has a usual name; or the only one.
 * -1: the kernel has no whole number, so the size is that of the launch. */
static int find_size(const struct signature *signature, const struct call *call) {
    int named = -1, usual = -1, only = -1;
    unsigned named_count = 0, count = 0;
    for (cl_uint i = 0; i < signature->count; i++) {
        const char *name = signature->arguments[i].name;
        if (!is_whole(&signature->arguments[i]) || has_value(call, name))
            continue;
        only = (int)i;
        count++;
        if (call_given(call, name)) {
            named = (int)i;
            named_count++;
        }
        if (usual < 0 && is_usual_name(name))
            usual = (int)i;
    }
    if (named_count > 1)
        lens_die("%s: several arguments are named as the size" HINT
                 "give the others a value, which may be a formula such as %s / 2",
                 signature->name, signature->arguments[named].name);
    if (count > 1 && named < 0 && usual < 0)
        lens_die("%s: which argument is the size?" HINT
                 "name it in the call without a value, as in %s(%s)",
                 signature->name, signature->name, signature->arguments[only].name);
    return named >= 0 ? named : usual >= 0 ? usual : only;
}

/* ---- The launches. */
static void add_shape(size_t x, size_t y, size_t z) {
    tried.shapes[tried.shape_count++] = (struct shape){.local = {x, y, z}};
}

static void split_rules(void) {
    char *rest = settings->global ? strdup(settings->global) : NULL;
    tried.dimensions = 0;
    for (char *rule; (rule = strsep(&rest, ",")); tried.dimensions++) {
        if (tried.dimensions == 3)
            lens_die("--global has more than three sizes" HINT
                     "give one to three, as in --global n,n/2");
        tried.rules[tried.dimensions] = rule;
    }
}

/* One if it was given or is required, else some of all kinds: a single work-item, less
 * than a warp, a warp, several, and a last warp that is not full. */
static void choose_shapes(const struct signature *signature) {
    static const size_t lines[] = {1, 3, 32, 64, 100, 128, 256};
    size_t given[3] = {1, 1, 1};
    unsigned dimensions = 1;
    if (settings->local)
        dimensions = range_read("--local", settings->local, given);
    else if (signature->required[0])
        memcpy(given, signature->required, sizeof given);
    for (unsigned d = 1; d < 3; d++)
        if (given[d] > 1)
            dimensions = d + 1;
    if (tried.dimensions < dimensions && settings->global)
        lens_die("--global has fewer dimensions than groups have" HINT
                 "give a size for each, as in --global %s,%s",
                 tried.name, tried.name);
    if (!settings->global)
        tried.dimensions = dimensions;
    if (settings->local || signature->required[0]) {
        add_shape(given[0], given[1], given[2]);
    } else if (tried.dimensions == 1) {
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
            add_shape(lines[i], 1, 1);
    } else {
        add_shape(1, 1, 1);
        add_shape(3, 2, 1);
        add_shape(32, 1, 1);
        add_shape(8, 8, 1);
        add_shape(16, 16, 1);
    }
}

static void check_shapes(const struct signature *signature) {
    tried.largest = LARGEST;
    for (size_t i = 0; i < tried.shape_count; i++) {
        range_check_local(signature->name, tried.shapes[i].local, signature->required);
        range_check_block(code_language(tried.single.own.file), tried.shapes[i].local);
        for (int d = 0; d < 3; d++)
            if (tried.shapes[i].local[d] >= tried.largest)
                tried.largest = tried.shapes[i].local[d] + 1;
    }
}

static size_t items_in(const struct shape *shape) {
    return shape->local[0] * shape->local[1] * shape->local[2];
}

/* As many work-items as the size or the rule says, rounded up to whole groups.  Returns
 * the number of groups; 0: the launch is too large. */
static size_t set_range(const struct shape *shape) {
    size_t global[3] = {1, 1, 1}, groups = 1;
    for (unsigned d = 0; d < tried.dimensions; d++) {
        const char *rule = tried.rules[d];
        int64_t wanted = (int64_t)tried.n;
        if (rule && !slots_number(&tried.single, rule, &wanted))
            lens_die("--global cannot be '%s'" HINT
                     "give numbers or formulas, as in --global %s,%s/2",
                     settings->global, tried.name, tried.name);
        const size_t items = wanted < 1 ? 1 : (size_t)wanted, local = shape->local[d];
        const size_t across = items / local + (items % local != 0);
        if (across > MAX_ITEMS || across * groups * items_in(shape) > MAX_ITEMS)
            return 0;
        global[d] = across * local;
        groups *= across;
    }
    single_set_range(&tried.single, tried.dimensions, global, shape->local);
    return groups;
}

static _Noreturn void refuse_range(void) {
    lens_die("--global is too large for all sizes" HINT "%d %s are possible", MAX_ITEMS,
             term("work-items"));
}

/* The widths and orders in which so many work-items differ; returns how many. */
static size_t warps_of(size_t items, size_t groups, struct warps all[MAX_WARPS]) {
    size_t count = 0;
    for (size_t w = 0; w < tried.widths.count; w++) {
        const unsigned lanes = tried.widths.lanes[w];
        const bool is_new = w == 0 || lanes < items || (lanes == 64 && items > 32);
        for (int o = 0; o < ORDERS && is_new; o++) {
            const enum order order =
                settings->order_given ? settings->order : (enum order)o;
            const bool one_warp = items <= lanes;
            const bool same =
                settings->order_given
                    ? o > 0
                    : one_warp && (groups == 1 ? o > 0 : o == FIRST_FIRST);
            if (!same)
                all[count++] = (struct warps){lanes, order};
        }
    }
    return count;
}

/* ---- Results: of all cases of a size and a shape they are the same, or a note says
 * that they are not.  That need be no mistake: atomics may give places by turns. */
static void results_release(void) {
    for (size_t i = 0; i < MAX_ARGUMENTS; i++)
        free(tried.results.bytes[i]);
    tried.results = (struct results){.bytes = {NULL}};
}

static void results_keep(const struct run *run, struct warps warps) {
    tried.results.warps = warps;
    for (size_t i = 0; i < run->job.object_count && !tried.difference; i++)
        if (single_may_write(&tried.single, i)) {
            const struct object *object = &run->job.objects[i];
            tried.results.bytes[i] = lens_allocate(object->bytes, 1);
            memcpy(tried.results.bytes[i], object->base, object->bytes);
        }
}

static void print_warps(FILE *out, struct warps warps, struct warps other) {
    if (warps.lanes != other.lanes)
        fprintf(out, " --lanes %u", warps.lanes);
    if (warps.order != other.order)
        fprintf(out, " --order %s", order_names[warps.order]);
}

static void note_difference(const struct run *run, size_t number, size_t byte,
                            struct warps warps) {
    const struct warps before = tried.results.warps;
    const struct object *object = &run->job.objects[number];
    const struct element_type type = element_type(object);
    size_t bytes = 0;
    FILE *out = open_memstream(&tried.difference, &bytes);
    fprintf(out, "the result depends on the %s of warps: ",
            warps.order == before.order   ? "width"
            : warps.lanes == before.lanes ? "order"
                                          : "width or the order");
    element_print_name(out, object, &type, byte);
    fputs(" is ", out);
    element_print(out, &type, tried.results.bytes[number] + byte);
    fputs(" with", out);
    print_warps(out, before, warps);
    fputs(", and ", out);
    element_print(out, &type, object->base + byte);
    fputs(" with", out);
    print_warps(out, warps, before);
    fprintf(out, " (%s=%llu,", tried.name, (unsigned long long)tried.n);
    call_print_range(&tried.single, out);
    fputc(')', out);
    fclose(out);
}

static void results_compare(const struct run *run, struct warps warps) {
    for (size_t i = 0; i < run->job.object_count && !tried.difference; i++) {
        const struct object *object = &run->job.objects[i];
        if (!single_may_write(&tried.single, i) || !tried.results.bytes[i] ||
            memcmp(tried.results.bytes[i], object->base, object->bytes) == 0)
            continue;
        const struct element_type type = element_type(object);
        for (size_t byte = 0; byte + type.bytes <= object->bytes && !tried.difference;
             byte += type.bytes) {
            const char *before = tried.results.bytes[i] + byte,
                       *now = object->base + byte;
            if (memcmp(before, now, type.bytes) != 0 &&
                element_differs(&type, before, now))
                note_difference(run, i, byte, warps);
        }
    }
}

/* ---- Reports. */

/* A word of a command, as a shell reads it. */
static void print_word(FILE *out, const char *word) {
    bool is_plain = *word;
    for (const char *p = word; *p; p++)
        is_plain &= isalnum((unsigned char)*p) || strchr("_./,=+:-", *p);
    if (is_plain) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
}

static void print_defines(FILE *out) {
    char *lines = strdup(settings->defines ? settings->defines : ""), *rest = lines;
    for (char *word; (word = strsep(&rest, "\n"));)
        if (*word) {
            fputc(' ', out);
            print_word(out, word);
        }
    free(lines);
    if (settings->build) {
        fputs(" --build ", out);
        print_word(out, settings->build);
    }
}

/* The command that shows this case alone. */
static void print_command(FILE *out, const struct run *run, const char *option) {
    char *call = NULL;
    size_t bytes = 0;
    FILE *words = open_memstream(&call, &bytes);
    call_print(&tried.single, words, false);
    fclose(words);
    fputs("  ", out);
    print_word(out, program_invocation_name); /* as a reader can type it, too */
    fprintf(out, " kernel %s ", option);
    print_word(out, tried.file);
    fputc(' ', out);
    print_word(out, call);
    call_print_range(&tried.single, out);
    print_warps(out, (struct warps){run->model.lanes, run->model.order},
                (struct warps){tried.widths.lanes[0], BY_TURNS});
    if (run->outcome.lane_steps >= SAMPLED)
        fprintf(out, " --groups %zu", run->outcome.groups);
    print_defines(out);
    fputc('\n', out);
    free(call);
}

/* The size of a buffer was only guessed, so that it may be right to go beyond. */
static void doubt_guess(const struct run *run) {
    for (size_t i = 0; i < run->mistakes.count; i++) {
        const struct mistake *mistake = &run->mistakes.all[i];
        const char *guessed = single_guessed_size(&tried.single, mistake->object);
        const char *name = guessed ? run->job.objects[mistake->object].name : NULL;
        if (mistake->kind == OUT_OF_BOUNDS && guessed)
            fprintf(rows_readers(),
                    "  (%s[%s] was guessed: if it has another size, give that, as in "
                    "%s[items] or %s[2 * n])\n",
                    name, guessed, name, name);
    }
}

static void print_failure(void) {
    FILE *out = rows_readers();
    fprintf(out, "the smallest case that fails: %s=%llu,", tried.name,
            (unsigned long long)tried.n);
    call_print_range(&tried.single, out);
    if (tried.cases == 0)
        fputs("; there is no smaller one\n\n", out);
    else if (tried.cases == 1)
        fputs("; the only smaller one does not\n\n", out);
    else
        fprintf(out, "; none of %zu smaller ones does\n\n", tried.cases);
}

static int report_mistake(const struct run *run) {
    print_failure();
    report_mistakes(run);
    doubt_guess(run);
    fputs("\nTo see it alone:\n", rows_readers());
    print_command(rows_readers(), run, "--races");
    return WRONG;
}

static int report_difference(const struct run *run, const char *words) {
    print_failure();
    fprintf(rows_readers(), "%s\nTo see it alone:\n", words);
    print_command(rows_readers(), run, "--check");
    return WRONG;
}

/* A case that does not seem to end. */
static int report_endless(const struct run *run) {
    fprintf(stderr,
            "error: %s takes more than %llu steps: %s=%llu; none of %zu smaller cases "
            "has a mistake" HINT "%s\n",
            run->job.kernel, (unsigned long long)run->outcome.limit, tried.name,
            (unsigned long long)tried.n, tried.cases,
            term("does it end? OpenCL does not promise that another warp or group goes "
                 "on while one waits for it"));
    print_command(stderr, run, "--races");
    if (rows_wanted())
        report_limit(run);
    return SKIPPED;
}

static void print_launch(void) {
    FILE *out = rows_readers();
    fputs("launches ", out);
    call_print(&tried.single, out, true);
    fprintf(out, "\nsize     %s%s\n", tried.name,
            tried.has_argument || settings->global
                ? ""
                : term(", the number of work-items"));
    call_print_guesses(&tried.single, out);
    version_print_left_out(&tried.single.own, out);
    fputc('\n', out);
    fflush(out);
}

static void print_shapes(void) {
    FILE *out = rows_readers();
    fputs(term("; groups of"), out);
    for (size_t i = 0; i < tried.shape_count; i++) {
        const size_t *local = tried.shapes[i].local;
        fprintf(out, "%s %zu", i ? "," : "", local[0]);
        for (unsigned d = 1; d < tried.dimensions; d++)
            fprintf(out, "x%zu", local[d]);
    }
}

static void print_widths(FILE *out) {
    const char *comma = "";
    for (unsigned lanes = 1; lanes <= MAX_LANES; lanes *= 2)
        for (size_t w = 0; w < tried.widths.count; w++)
            if (tried.widths.lanes[w] == lanes) {
                fprintf(out, "%s %u", comma, lanes);
                comma = ",";
            }
    fputs(" lanes; ", out);
}

static void report_right(double seconds) {
    FILE *out = rows_readers();
    fprintf(out,
            "no data race, out-of-bounds access or uninitialised read in %zu cases "
            "(%.1f s)%s%s:\n  %s from 1 to %llu",
            tried.cases, seconds,
            settings->ours ? ",\nand in each the results are those of " : "",
            settings->ours ? settings->ours : "", tried.name,
            (unsigned long long)tried.done);
    print_shapes();
    fputs(";\n  warps of", out);
    print_widths(out);
    if (settings->order_given)
        fprintf(out, "--order %s\n", order_names[settings->order]);
    else
        fprintf(out, "%d orders of warps and %s\n", ORDERS, term("groups"));
    if (settings->quick)
        fprintf(out, "  one of these for each size and %s, by turns: --quick\n",
                term("group"));
    else if (tried.left_out > 0)
        fprintf(
            out,
            "  left out, because it takes long: %zu of %zu cases, from %s=%llu on\n",
            tried.left_out, tried.left_out + tried.cases, tried.name,
            (unsigned long long)tried.first_thinned);
    if (tried.done < tried.largest)
        fprintf(out, "  left out, because it takes too long: %s=%llu and more\n",
                tried.name, (unsigned long long)tried.done + 1);
    if (tried.single.signature.dimensions > tried.dimensions)
        fprintf(out,
                "  note    the kernel has %u dimensions, of which %u had a size: "
                "--global %s,%s gives it another one\n",
                tried.single.signature.dimensions, tried.dimensions, tried.name,
                tried.name);
    if (tried.difference)
        fprintf(out, "  note    %s\n", tried.difference);
}

/* ---- The cases.  Returned is an exit status, or why there is none yet. */
enum { GOES_FURTHER = -1, TOO_LARGE = -2 };

/* Its work-items' steps, and what else it takes: more, the larger the buffers are. */
static uint64_t steps_of(const struct run *run) {
    uint64_t steps = run->outcome.lane_steps + STEPS_OF_A_CASE;
    for (size_t i = 0; i < run->job.object_count; i++)
        steps += run->job.objects[i].bytes / BYTES_OF_A_STEP;
    return steps;
}

static int try_warps(struct shape *shape, struct warps warps) {
    single_set_warps(&tried.single, warps.lanes, warps.order);
    struct run run = single_launch(&tried.single);
    int status = GOES_FURTHER;
    const bool is_whole = run.mistakes.count == 0 && !run.outcome.limit;
    char *words =
        is_whole && settings->ours ? comparison_difference(&run, &tried.ours) : NULL;
    if (!is_whole || words)
        progress_end();
    if (words)
        status = report_difference(&run, words);
    else if (run.mistakes.count > 0)
        status = report_mistake(&run);
    else if (run.outcome.limit)
        status = report_endless(&run);
    else if (!tried.results.warps.lanes)
        results_keep(&run, warps);
    else
        results_compare(&run, warps);
    shape->steps = steps_of(&run);
    tried.steps_left -=
        shape->steps < tried.steps_left ? shape->steps : tried.steps_left;
    tried.cases++;
    progress_cases(run.job.kernel, tried.name, tried.n, tried.cases);
    run_end(&run);
    free(words);
    return status;
}

/* What ours has written is what is wanted. */
static void launch_ours(struct warps warps) {
    single_set_warps(&tried.single, warps.lanes, warps.order);
    tried.ours = single_launch_ours(&tried.single);
    if (tried.ours.mistakes.count > 0 || tried.ours.outcome.limit)
        lens_die("%s of %s makes a mistake itself, where %s=%llu" HINT
                 "give --ours a file that is right",
                 tried.ours.job.kernel, settings->ours, tried.name,
                 (unsigned long long)tried.n);
}

/* Of so many widths and orders, how many does a shape get?  All, or as many as so many
 * steps allow; with --quick, one. */
static size_t wanted_of(const struct shape *shape, size_t count, uint64_t share) {
    const size_t affordable = shape->steps > 0 ? (size_t)(share / shape->steps) : count;
    return settings->quick || affordable == 0 ? 1
           : affordable < count               ? affordable
                                              : count;
}

static int try_shape(struct shape *shape, uint64_t share) {
    struct warps all[MAX_WARPS];
    const size_t groups = set_range(shape),
                 count = warps_of(items_in(shape), groups, all);
    const size_t wanted = wanted_of(shape, count, share);
    int status = GOES_FURTHER;
    if (groups == 0 && tried.n == 1)
        refuse_range();
    if (groups == 0)
        return TOO_LARGE;
    if (wanted == count)
        shape->next = 0;
    if (settings->ours)
        launch_ours(all[0]);
    for (size_t i = 0; i < wanted && status == GOES_FURTHER; i++)
        status = try_warps(shape, all[shape->next++ % count]);
    if (wanted < count) {
        if (tried.left_out == 0)
            tried.first_thinned = tried.n;
        tried.left_out += count - wanted;
    }
    results_release();
    if (settings->ours)
        single_end_ours(&tried.single, &tried.ours);
    return status;
}

/* Of a kernel that has no numbers, it is the same launch for each n that needs as many
 * groups. */
static bool is_repeated(const struct shape *shape) {
    return !tried.has_numbers && !settings->global && tried.n % shape->local[0] != 0;
}

static int try_size(void) {
    const uint64_t share = tried.steps_left / (tried.largest - tried.n + 1),
                   end = tried.steps_left - share;
    int status = GOES_FURTHER;
    single_set_size(&tried.single, tried.n);
    for (size_t i = 0; i < tried.shape_count && status == GOES_FURTHER; i++) {
        const uint64_t left = tried.steps_left > end ? tried.steps_left - end : 0;
        if (!is_repeated(&tried.shapes[i]))
            status = try_shape(&tried.shapes[i], left / (tried.shape_count - i));
    }
    return status;
}

static int try_all(void) {
    int status = GOES_FURTHER;
    while (status == GOES_FURTHER && tried.n < tried.largest && tried.steps_left > 0) {
        tried.n++;
        status = try_size();
        if (status == GOES_FURTHER)
            tried.done = tried.n;
    }
    return status;
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static char *elements_guessed(void) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    for (unsigned d = 0; d < tried.dimensions && tried.has_argument; d++)
        fprintf(out, "%s%s", d ? " * " : "", tried.name);
    if (!tried.has_argument)
        fputs("items", out);
    fclose(out);
    return text;
}

/* For programs: all cases were looked at, or those up to one that fails. */
static void report_rows(int status) {
    const struct looked looked = {.replayed = tried.cases,
                                  .limited = status == SKIPPED,
                                  .sampled = tried.left_out > 0 || settings->quick};
    report_verdict(&looked, 0,
                   !settings->ours   ? NULL
                   : status == WRONG ? "difference found"
                                     : "no difference found");
}

int all_sizes_run(const char *file, const char *text) {
    const struct call call = call_read(text);
    const struct signature *signature = &tried.single.signature;
    single_open(&tried.single, file, &call);
    const int argument = find_size(signature, &call);
    tried.file = file;
    tried.widths =
        settings->lanes_given ? settings->lanes : widths_of[code_language(file)];
    tried.has_argument = argument >= 0;
    for (cl_uint i = 0; i < signature->count; i++)
        tried.has_numbers |= is_whole(&signature->arguments[i]);
    tried.name = argument >= 0 ? signature->arguments[argument].name : "n";
    tried.steps_left = BUDGET;
    split_rules();
    choose_shapes(signature);
    check_shapes(signature);
    char *elements = elements_guessed();
    single_bind(&tried.single, &call, &(struct sized){argument, tried.name, elements});
    print_launch();
    const double begun = seconds_now();
    progress_begin();
    int status = try_all();
    progress_end();
    if (status < 0) {
        report_right(seconds_now() - begun);
        status = RIGHT;
    }
    report_rows(status);
    if (fflush(settings->out) != 0 || ferror(settings->out))
        lens_die("cannot write the report" HINT "is the disk full?");
    return status;
}
