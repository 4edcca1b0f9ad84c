/* single: makes of a kernel file and a call the same struct job that launch.c makes of
 * a program's launch, and reports what came out. */
#define _GNU_SOURCE /* open_memstream */
#include "single.h"
#include "against.h"
#include "arguments_given.h"
#include "barrier_trials.h"
#include "base/memory.h"
#include "base/rows.h"
#include "base/spelling.h"
#include "base/vocabulary.h"
#include "call.h"
#include "call_words.h"
#include "check.h"
#include "code/code.h"
#include "cuda_kernel.h"
#include "grades.h"
#include "launching.h"
#include "replay/images.h"
#include "replay/print.h"
#include "report/page/page.h"
#include "report/picture_svg.h"
#include "report/reporting.h"
#include "settings.h"
#include "signature.h"
#include "sizes.h"
#include "trials.h"
#include "values.h"
#include "watch/group_limits.h"
#include "watch/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 8 }; /* elements that --check prints */

static struct recording recording;

static _Noreturn void refuse(const char *what, const char *why, const char *hint) {
    report_refused(what, why);
    skip("%s cannot be looked at: %s" HINT "%s", what, why, hint);
}

/* ---- The file. */
static char *file_text(const char *path) {
    char *text = NULL;
    size_t room = 0;
    errno = 0;
    FILE *file = fopen(path, "r");
    if (!file || (getdelim(&text, &room, '\0', file) < 0 && errno))
        lens_die("cannot read %s: %s" HINT "give the path of a kernel file", path,
                 strerror(errno));
    fclose(file);
    return text && *text ? text : strdup("");
}

/* Lines keep their numbers, and their file its name. */
static char *read_source(const char *path) {
    char *text = file_text(path), *source = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&source, &bytes);
    if (strlen(path) < 256 && !strpbrk(path, "\"\\"))
        fprintf(out, "#line 1 \"%s\"\n", path);
    fputs(code_begin(text), out);
    fclose(out);
    free(text);
    return source;
}

/* Those that were given, and the file's own folder for what it includes. */
static char *read_build_options(const char *path) {
    const char *slash = strrchr(path, '/');
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    fprintf(out, "%s", settings->build ? settings->build : "");
    for (const char *line = settings->defines; line && *line;) {
        const size_t length = strcspn(line, "\n");
        fprintf(out, " \"%.*s\"", (int)length, line);
        line += length + (line[length] == '\n');
    }
    fprintf(out, " \"-I%.*s\"", slash ? (int)(slash - path) + 1 : 1,
            slash ? path : ".");
    fclose(out);
    return text;
}

/* ---- The kernel. */
static bool is_wanted(const struct signature *signature, const char *name) {
    return *name ? strcmp(signature->name, name) == 0
                 : settings_include(signature->name);
}

static const char *meant_kernel(const struct signatures *all, const char *name) {
    const char **names = lens_allocate(all->count, sizeof *names);
    for (size_t i = 0; i < all->count; i++)
        names[i] = all->all[i].name;
    const char *meant = spelling_meant(name, names, all->count);
    free(names);
    return meant;
}

static _Noreturn void complain_about_choice(const struct single *single,
                                            const struct signatures *all,
                                            const char *name, size_t count) {
    char *names = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&names, &bytes);
    for (size_t i = 0; i < all->count; i++)
        fprintf(out, "%s%s", i ? ", " : "", all->all[i].name);
    fclose(out);
    if (all->count == 0)
        lens_die("%s has no kernel" HINT "%s", single->version->file,
                 term("a kernel begins with `kernel void NAME(`"));
    const char *meant = meant_kernel(all, name);
    if (count == 0 && meant)
        lens_die("%s has no kernel %s" HINT "did you mean %s? it has %s",
                 single->version->file, name, meant, names);
    if (count == 0)
        lens_die("%s has no kernel %s" HINT "it has %s%s", single->version->file, name,
                 names,
                 vocabulary_is_cuda()
                     ? "; a template is named with its arguments, as in reduce<256>"
                     : "");
    lens_die("%s has several kernels" HINT "name one of them: %s",
             single->version->file, names);
}

/* Of a template, a kernel is made only if it is asked for. */
static struct signature choose_by_name(const struct single *single, const char *name) {
    struct signature signature = {.count = 0};
    char *text = version_describe(single->version, name, true);
    if (!text || !cuda_chosen(text, &signature)) {
        text = version_describe(single->version, NULL, true);
        const struct signatures all = cuda_signatures(text);
        complain_about_choice(single, &all, name, 0);
    }
    snprintf(signature.name, sizeof signature.name, "%s", name);
    free(text);
    return signature;
}

static struct signature choose_kernel(const struct single *single, const char *name) {
    const bool is_cuda = code_language(single->version->file) != OPENCL_C;
    if (is_cuda && *name)
        return choose_by_name(single, name);
    char *text = version_describe(single->version, NULL, is_cuda);
    struct signatures all = is_cuda ? cuda_signatures(text) : signatures_of(text);
    size_t count = 0, chosen = 0;
    for (size_t i = 0; i < all.count; i++)
        if (is_wanted(&all.all[i], name)) {
            count++;
            chosen = i;
        }
    if (count != 1)
        complain_about_choice(single, &all, name, count);
    struct signature signature = all.all[chosen];
    free(all.all);
    free(text);
    return signature;
}

static _Noreturn void complain_about_name(const struct single *single,
                                          const char *name) {
    const struct signature *signature = &single->signature;
    const char *names[MAX_ARGUMENTS];
    for (cl_uint a = 0; a < signature->count; a++)
        names[a] = signature->arguments[a].name;
    const char *meant = spelling_meant(name, names, signature->count);
    fprintf(stderr, "error: %s has no argument %s\n  hint    ", signature->name, name);
    if (meant)
        fprintf(stderr, "did you mean %s? ", meant);
    fputs(signature->count ? "it has" : "it has none", stderr);
    for (cl_uint a = 0; a < signature->count; a++)
        fprintf(stderr, "%s %s %s", a ? "," : "", signature->arguments[a].type,
                signature->arguments[a].name);
    fputc('\n', stderr);
    exit(CANNOT_RUN);
}

static bool has_argument(const struct single *single, const char *name) {
    for (cl_uint a = 0; a < single->signature.count; a++)
        if (strcmp(name, single->signature.arguments[a].name) == 0)
            return true;
    return false;
}

/* An argument of the call that the kernel does not have, nor the one before. */
static void check_names(const struct single *single, const struct single *before,
                        const struct call *call) {
    for (size_t i = 0; i < call->count; i++)
        if (!has_argument(single, call->given[i].name) &&
            !(before && has_argument(before, call->given[i].name)))
            complain_about_name(single, call->given[i].name);
}

static void compile(struct single *single) {
    struct version *version = single->version;
    const struct signature *signature = &single->signature;
    for (cl_uint i = 0; i < signature->count; i++)
        if (!argument_is_modelled(&signature->arguments[i])) {
            char hint[64 + MAX_NAME];
            snprintf(hint, sizeof hint, "its argument %s is one",
                     signature->arguments[i].name);
            refuse(signature->name,
                   "pipes, and images with several samples or of depth, are not "
                   "modelled",
                   hint);
        }
    struct source source = version_source(version);
    char *callers = single_callers(single);
    source.callers = callers;
    const bool compiled = code_compile(&source);
    version->code = source.code;
    if (!compiled) {
        report_refused(signature->name, REPORT_NOT_COMPILED);
        skip("%s cannot be looked at" HINT "the reason stands above", signature->name);
    }
    const char *refusal = code_refusal(&version->code, signature->name);
    if (refusal)
        refuse(signature->name, refusal,
               term("docs/lens.md says what is not modelled"));
    version_find_call(version, signature->name);
    free(callers);
}

/* ---- What is said of it. */
static bool is_global_guessed(void) {
    return !settings->global && !settings->grid;
}

static void print_guesses(const struct single *single, FILE *out) {
    const bool global = is_global_guessed(),
               local = !settings->local && !single->signature.required[0];
    bool size = false, any = global || local;
    for (cl_uint i = 0; i < single->signature.count; i++) {
        size |= single->slots[i].size_guessed;
        any |= single->slots[i].size_guessed || single->slots[i].value_guessed;
    }
    if (!any)
        return;
    fputs("guessed ", out);
    for (cl_uint i = 0; i < single->signature.count; i++)
        if (single->slots[i].size_guessed || single->slots[i].value_guessed) {
            fputc(' ', out);
            call_print_slot(single, out, &single->slots[i], false);
        }
    if (global)
        call_print_global(single, out);
    if (local)
        call_print_local(single, out);
    fputc('\n', out);
    if (single->groups == SHRUNK)
        fprintf(
            out,
            "         (larger %s leave an array: %s gives the size that is meant)\n",
            term("groups"), term("--local"));
    if (size && settings->races)
        fputs("         (a size that is guessed is large enough: give it to find "
              "accesses beyond it)\n",
              out);
}

/* In the form in which it can be given.  Rows for programs stay alone. */
static void print_call(const struct single *single) {
    FILE *out = settings->format == TEXT ? settings->out : stderr;
    fputs("launch   ", out);
    call_print(single, out, false);
    call_print_range(single, out);
    fputc('\n', out);
    print_guesses(single, out);
    version_print_left_out(&single->own, out);
    fputc('\n', out);
}

static bool was_written(const struct run *run, size_t object) {
    for (size_t site = 0; site < run->job.code->site_count; site++) {
        const enum kind kind = run->job.code->sites[site].kind;
        if ((kind == STORE || kind == ATOMIC) && tally_of(&run->counts, site, object))
            return true;
    }
    return false;
}

/* --check: "sums[4096]: 1 2 3 4 5 6 7 8 ..." of each buffer that was written. */
static void print_results(const struct single *single, const struct run *run) {
    FILE *out = settings->format == TEXT ? settings->out : stderr;
    for (cl_uint i = 0; i < single->signature.count; i++) {
        const struct slot *slot = &single->slots[i];
        const struct element_type *type = &slot->type;
        const size_t bytes =
            slot->image ? image_host_bytes(slot->image) : slot->object.bytes;
        const size_t count = bytes / slot_element_bytes(slot);
        if (slot->object.space != GLOBAL || !was_written(run, i))
            continue;
        char *texels = slot->image ? lens_allocate(bytes, 1) : NULL;
        const char *elements = texels ? texels : slot->object.base;
        if (texels)
            image_to_host(slot->image, texels);
        fprintf(out, "%s[%zu]:", slot->object.name, count);
        for (size_t n = 0; n < count * type->apart && n / type->apart < SHOWN; n++)
            if (n % type->apart < type->lanes) {
                fputc(' ', out);
                element_print(out, type, elements + n * type->bytes);
            }
        fputs(count > SHOWN ? " ...\n" : "\n", out);
        free(texels);
    }
    fputc('\n', out);
}

/* The same launch with warps of other widths, for the table. */
static void report_widths(struct single *single) {
    for (size_t w = 1; w < settings->lanes.count; w++) {
        struct run other = single_launch_wide(single, settings->lanes.lanes[w]);
        report_width(&other, 0);
        run_end(&other);
    }
}

static bool is_sampled(const struct run *run) {
    return run->outcome.groups_replayed < run->outcome.groups;
}

/* Compiles it, and makes of the call what is launched; the range has been chosen. */
static void bind_call(struct single *single, const struct call *call) {
    compile(single);
    slots_bind(single, call);
    slots_evaluate(single);
    single->run.job.scalars =
        arguments_in_words(single->signature.arguments, single->signature.count);
}

/* The launch as it was before; false: it has a mistake, so that nothing is compared. */
static bool report_old(struct single *before, const struct single *single,
                       const struct call *call, struct looked *looked) {
    before->run.model = single->run.model;
    against_range(before, single, settings->build);
    bind_call(before, call);
    against_data(before, single);
    struct run run = single_launch_guessed(before);
    const bool mistaken = run.mistakes.count > 0;
    against_print(before, single, settings->out);
    fputc('\n', settings->out);
    if (mistaken) {
        report_mistakes(&run);
        fprintf(settings->out, "  before  the mistake is in %s: nothing is compared\n",
                before->version->file);
    } else {
        report_before(&run);
    }
    if (run.outcome.limit)
        report_limit(&run);
    looked->replayed++;
    looked->limited += run.outcome.limit > 0;
    run_end(&run);
    return !mistaken;
}

/* What could be done about races, and what they do to the results. */
static void report_races(struct single *single, const struct run *run, FILE *out) {
    struct barred barred = barrier_trials(single, run);
    const bool is_fixed = barred.count > 0 && barred.left == 0;
    barrier_trials_print(out, &barred, run);
    grade_print(single, out, run, is_fixed ? &barred.version : NULL);
}

/* What further launches tell of a mistake; what was guessed may be the reason of it. */
static void report_mistaken(struct single *single, const struct run *run,
                            const struct call *call, FILE *out) {
    const bool local_chosen = run->job.local_chosen;
    if (settings->races)
        report_races(single, run, out);
    trials_print(single, out, run, call, is_global_guessed());
    if (local_chosen)
        fprintf(out,
                "  hint    what is guessed may not suit the kernel: %s sets its %s, "
                "NAME=VALUE an argument\n",
                term("--local"), term("groups"));
}

static struct looked looked_at(const struct run *run) {
    return (struct looked){
        .replayed = 1, .limited = run->outcome.limit > 0, .sampled = is_sampled(run)};
}

static void check_written(FILE *out) {
    if (fflush(out) != 0 || ferror(out))
        lens_die("cannot write the report" HINT "is the disk full?");
}

/* `before`: the kernel of --against; NULL: there is none. */
static int report(struct single *single, struct run *run, const struct call *call,
                  struct single *before) {
    const bool mistaken = run->mistakes.count > 0;
    FILE *out = rows_readers();
    struct looked looked = looked_at(run);
    print_call(single);
    print_end(out);
    if (settings->check && !run->outcome.stopped)
        print_results(single, run);
    group_limits_note(&run->job, 0, 0);
    const bool incomparable =
        before && !mistaken && !report_old(before, single, call, &looked);
    if (!incomparable)
        report_launch(run, 0);
    page_add(run, 0);
    if (mistaken)
        report_mistaken(single, run, call, out);
    if (run->outcome.limit)
        report_limit(run);
    if (!mistaken && !incomparable) {
        report_widths(single);
        report_end(&looked);
    }
    report_verdict(&looked, 0, NULL);
    const bool fails = report_judged(&looked, 0, mistaken);
    if (!svg_end() && settings->svg)
        lens_say("there was nothing to draw, so %s is not written\n", settings->svg);
    if (!page_end() && settings->html)
        lens_say("there was nothing to show, so %s is not written\n", settings->html);
    check_written(settings->out);
    const bool unseen = run->outcome.limit && (settings->races || settings->give_up);
    return fails || incomparable ? WRONG : unseen ? SKIPPED : RIGHT;
}

static struct version read_version(const char *file) {
    const struct version version = {.file = file,
                                    .source = read_source(file),
                                    .build_options = read_build_options(file)};
    if (code_is_cpp(version.build_options))
        refuse(file, IS_CPP, "write the kernel in OpenCL C");
    return version;
}

static void open_file(struct single *single, const char *file, const char *kernel) {
    single->own = read_version(file);
    single->version = &single->own;
    single->signature = choose_kernel(single, kernel);
    single->run = settings_run(&recording);
    single->run.job.kernel = single->signature.name;
    single->shared = settings->shared;
}

void single_begin(enum language language) {
    settings_read();
    settings_usual_lanes(language == HIP ? 64 : 32);
    settings_apply();
    settings_device(NULL);
    vocabulary_use(language != OPENCL_C);
}

void single_open(struct single *single, const char *file, const struct call *call) {
    single_begin(code_language(file));
    open_file(single, file, call->kernel);
    check_names(single, NULL, call);
}

/* The kernel of --against. */
static void open_before(struct single *before, const struct single *single) {
    char name[MAX_NAME];
    against_name(name, single, code_language(settings->against));
    open_file(before, settings->against, name);
    against_check(before, single);
}

/* Makes the launch that the call means.  `before` gets the kernel of --against. */
static struct run launch(struct single *single, const char *file,
                         const struct call *call, struct single *before) {
    single_begin(code_language(file));
    open_file(single, file, call->kernel);
    if (settings->against)
        open_before(before, single);
    check_names(single, settings->against ? before : NULL, call);
    if (settings->check && settings->groups == 0)
        single->run.model.groups = SIZE_MAX; /* results are those of all groups */
    range_choose(&single->run.job,
                 &(struct range_asked){settings->global, settings->grid,
                                       settings->local, settings->build},
                 single->signature.required, single->signature.dimensions);
    range_check_block(code_language(file), single->run.job.local);
    range_check_grid(code_language(file), &single->run.job);
    bind_call(single, call);
    return single_launch_guessed(single);
}

int single_run(const char *file, const char *text) {
    const struct call call = call_read(text);
    struct single single = {.groups = AS_GUESSED}, before = {.groups = AS_GUESSED};
    struct run run = launch(&single, file, &call, &before);
    return report(&single, &run, &call, settings->against ? &before : NULL);
}

struct looked single_check(const char *file, const char *text, size_t *mistakes) {
    const struct call call = call_read(text);
    struct single single = {.groups = AS_GUESSED};
    struct run run = launch(&single, file, &call, NULL);
    if (!settings->races)
        group_limits_note(&run.job, 0, 0);
    report_launch(&run, 0);
    if (run.mistakes.count > 0 && settings->races)
        report_mistaken(&single, &run, &call, rows_readers());
    if (run.outcome.limit)
        report_limit(&run);
    check_written(settings->out);
    *mistakes = run.mistakes.count;
    return looked_at(&run);
}

/* ---- The same kernel with one size after another. */
/* The kernel of --ours, which must take the same arguments. */
static void open_ours(struct single *single, const char *file) {
    const struct signature *own = &single->signature;
    single->ours = read_version(file);
    single->version = &single->ours;
    const struct signature ours = choose_kernel(single, own->name);
    bool is_same = ours.count == own->count;
    for (cl_uint i = 0; i < own->count && is_same; i++)
        is_same = strcmp(ours.arguments[i].name, own->arguments[i].name) == 0 &&
                  strcmp(ours.arguments[i].type, own->arguments[i].type) == 0;
    if (!is_same)
        lens_die("%s of %s has other arguments than that of %s" HINT
                 "both must have the same names and types",
                 own->name, single->own.file, file);
    compile(single);
    single->version = &single->own;
}

void single_bind(struct single *single, const struct call *call,
                 const struct sized *sized) {
    single->sized = *sized;
    single->run.model.whole = true; /* all groups, in each launch */
    compile(single);
    if (settings->ours)
        open_ours(single, settings->ours);
    slots_bind(single, call);
}
