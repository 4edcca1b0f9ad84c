/* single: makes of a kernel file and a call the same `struct replay` that launch.c
 * makes of a program's launch; what was not given is guessed.
 *
 * The size of a buffer is guessed as an element for each work-item, and doubled as long
 * as the kernel accesses something behind its end.  A group is halved as long as it
 * leaves an array of the file, whose length says how large it may be.  What a kernel
 * may only read is full of random numbers, all else of 0; a whole number is the width
 * of the launch.
 *
 * For --all-sizes the same launch is made again and again with other sizes.  Then what
 * was not given is guessed as a formula of the size, and nothing is doubled. */
#define _GNU_SOURCE /* open_memstream */
#include "single.h"
#include "arguments_given.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/spelling.h"
#include "call.h"
#include "check.h"
#include "code/code.h"
#include "code/operations.h"
#include "formula.h"
#include "region.h"
#include "replay/images.h"
#include "replay/print.h"
#include "replay/replay.h"
#include "report/listing.h"
#include "report/page/page.h"
#include "report/picture_svg.h"
#include "settings.h"
#include "signature.h"
#include "sizes.h"
#include "trials.h"
#include "values.h"
#include "watch/backward.h"
#include "watch/group_limits.h"
#include "watch/races.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 8 }; /* elements that --check prints */

struct alone alone;

static _Noreturn void refuse(const char *what, const char *why, const char *hint) {
    report_hidden(what, why);
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

static _Noreturn void complain_about_choice(const struct signatures *all,
                                            const char *name, size_t count) {
    char *names = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&names, &bytes);
    for (size_t i = 0; i < all->count; i++)
        fprintf(out, "%s%s", i ? ", " : "", all->all[i].name);
    fclose(out);
    if (all->count == 0)
        lens_die("%s has no kernel" HINT "a kernel begins with `kernel void NAME(`",
                 alone.file);
    const char *meant = meant_kernel(all, name);
    if (count == 0 && meant)
        lens_die("%s has no kernel %s" HINT "did you mean %s? it has %s", alone.file,
                 name, meant, names);
    if (count == 0)
        lens_die("%s has no kernel %s" HINT "it has %s", alone.file, name, names);
    lens_die("%s has several kernels" HINT "name one of them: %s", alone.file, names);
}

static struct signature choose_kernel(const char *name) {
    char *text = code_describe(alone.file, alone.source, alone.build_options, false);
    struct signatures all = signatures_of(text);
    size_t count = 0, chosen = 0;
    for (size_t i = 0; i < all.count; i++)
        if (is_wanted(&all.all[i], name)) {
            count++;
            chosen = i;
        }
    if (count != 1)
        complain_about_choice(&all, name, count);
    struct signature signature = all.all[chosen];
    free(all.all);
    free(text);
    return signature;
}

static _Noreturn void complain_about_name(const char *name) {
    const struct signature *signature = &alone.signature;
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

/* An argument of the call that the kernel does not have. */
static void check_names(const struct call *call) {
    const struct signature *signature = &alone.signature;
    for (size_t i = 0; i < call->count; i++) {
        bool known = false;
        for (cl_uint a = 0; a < signature->count; a++)
            known |= strcmp(call->given[i].name, signature->arguments[a].name) == 0;
        if (known)
            continue;
        complain_about_name(call->given[i].name);
    }
}

static void compile(void) {
    const struct signature *signature = &alone.signature;
    char *caller = NULL, name[MAX_NAME + 16];
    size_t bytes = 0;
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
    FILE *out = open_memstream(&caller, &bytes);
    arguments_write_caller(out, signature->name, signature->arguments,
                           signature->count);
    fclose(out);
    const bool compiled =
        code_compile(&alone.code, alone.source, "", caller, alone.build_options);
    if (!compiled) {
        report_hidden(signature->name, REPORT_NOT_COMPILED);
        skip("%s cannot be looked at" HINT "the reason stands above", signature->name);
    }
    const char *refusal = code_refusal(&alone.code, signature->name);
    if (refusal)
        refuse(signature->name, refusal, "docs/lens.md says what is not modelled");
    snprintf(name, sizeof name, "lens_call_%s", signature->name);
    *(void **)&alone.replay.call = dlsym(alone.code.library, name);
    free(caller);
}

/* ---- The launch. */
/* The file's own variables keep what a launch leaves in them, so that it is taken back
 * before the next. */
static void restore_variables(void) {
    const struct code *code = &alone.code;
    const bool is_first = !alone.variables;
    if (is_first)
        alone.variables = lens_allocate(code->object_count, sizeof *alone.variables);
    for (size_t i = 0; i < code->object_count; i++) {
        const struct object *variable = &code->objects[i];
        if (variable->space != GLOBAL)
            continue;
        if (is_first) {
            alone.variables[i] = lens_allocate(variable->bytes, 1);
            memcpy(alone.variables[i], variable->base, variable->bytes);
        }
        memcpy(variable->base, alone.variables[i], variable->bytes);
    }
}

/* Was an access behind the end of memory whose size is guessed?  Then it is larger now.
 */
static bool grow(const struct replay *replay) {
    for (size_t i = 0; i < replay->mistake_count; i++) {
        const struct mistake *mistake = &replay->mistakes[i];
        if (mistake->kind != OUT_OF_BOUNDS || mistake->object >= alone.signature.count)
            continue;
        struct slot *slot = &alone.slots[mistake->object];
        const int64_t needed = mistake->byte + (int64_t)mistake->bytes;
        if (!slot->size_guessed || mistake->byte < 0 || needed > MAX_REGION)
            continue;
        while ((int64_t)slot->object.bytes < needed)
            slot->object.bytes *= 2;
        return true;
    }
    return false;
}

/* Did the kernel use functions for other numbers than an image has?  Then it has those
 * now. */
static bool change_types(void) {
    static const unsigned types[] = {[LENS_INT] = CL_SIGNED_INT32,
                                     [LENS_UINT] = CL_UNSIGNED_INT32,
                                     [LENS_FLOAT] = CL_FLOAT};
    bool changed = false;
    for (cl_uint i = 0; i < alone.signature.count; i++) {
        struct slot *slot = &alone.slots[i];
        if (!slot->image || !slot->image->asked)
            continue;
        const unsigned type = types[__builtin_ctz(slot->image->asked)];
        changed |= slot->image->type != type;
        slot->image->type = type;
        slot->type = slot_texel_type(slot->image);
    }
    return changed;
}

static bool leaves_array(const struct replay *replay) {
    for (size_t i = 0; i < replay->mistake_count; i++) {
        const struct mistake *mistake = &replay->mistakes[i];
        const bool outside = mistake->kind == OUT_OF_BOUNDS &&
                             mistake->object >= alone.signature.count &&
                             mistake->object < replay->object_count &&
                             replay->objects[mistake->object].space == LOCAL;
        if (outside || mistake->kind == BAD_INDEX)
            return true;
    }
    return false;
}

/* Are groups smaller now, or again what was guessed first?  Then it has to be replayed
 * once more. */
static bool shrink(const struct replay *replay) {
    if (!replay->local_chosen || alone.groups == KEPT || !leaves_array(replay))
        return false;
    if (alone.groups == AS_GUESSED)
        memcpy(alone.first_local, replay->local, sizeof alone.first_local);
    alone.groups = SHRUNK;
    if (!range_shrink(&alone.replay)) {
        alone.groups = KEPT;
        memcpy(alone.replay.local, alone.first_local, sizeof alone.first_local);
    }
    return true;
}

struct replay alone_launch_guessed(void) {
    const bool is_all = progress_begin();
    for (;;) {
        restore_variables();
        slots_fill();
        struct replay replay = alone.replay;
        print_begin();
        backward_run(&replay);
        const bool changed = change_types(), shrunk = shrink(&replay);
        if (shrunk)
            slots_evaluate(); /* what depends on the groups */
        if (!grow(&replay) && !changed && !shrunk) {
            if (is_all)
                progress_end();
            return replay;
        }
        replay_end(&replay);
    }
}

/* ---- What is said of it. */
static void print_sizes(FILE *out, const char *option, const size_t sizes[3]) {
    fprintf(out, " --%s %zu", option, sizes[0]);
    for (unsigned d = 1; d < alone.replay.dimensions; d++)
        fprintf(out, ",%zu", sizes[d]);
}

/* What --all-sizes fills with whole numbers that are below n: so they may be indices.
 */
static bool is_random_below_n(const struct slot *slot) {
    return alone.sized.elements && slot->value.kind == RANDOM && slot->text &&
           slot->type.kind != FLOAT && slot->object.space != PRIVATE;
}

/* As it was given or guessed, or as it is in the launch. */
static void print_slot(FILE *out, const struct slot *slot, bool as_given) {
    const bool is_scalar = slot->object.space == PRIVATE;
    fputs(slot->object.name, out);
    if (slot->image) {
        const size_t *size = slot->image->size;
        fputc('[', out);
        image_write_numbers(
            out, slot->image,
            (const int64_t[]){(int64_t)size[0], (int64_t)size[1], (int64_t)size[2]},
            "x");
        fputc(']', out);
    } else if (!is_scalar && as_given && slot->formula)
        fprintf(out, "[%s]", slot->formula);
    else if (!is_scalar && !slot->is_null)
        fprintf(out, "[%zu]", slot->object.bytes / slot_element_bytes(slot));
    if (slot->numbers)
        fprintf(out, ":%s", slot->numbers);
    if (is_scalar && (slot->formula || slot_is_size(slot)) && !as_given)
        fprintf(out, "=%lld", (long long)slot_whole(slot));
    else if (is_random_below_n(slot) && !as_given)
        fprintf(out, "=0..%llu",
                (unsigned long long)value_random(&slot->type, alone.n));
    else if (slot->text && !slot_is_size(slot))
        fprintf(out, "=%s", slot->text);
}

static void print_guesses(FILE *out) {
    const bool global = !settings->global,
               local = !settings->local && !alone.signature.required[0];
    bool size = false, any = global || local;
    for (cl_uint i = 0; i < alone.signature.count; i++) {
        size |= alone.slots[i].size_guessed;
        any |= alone.slots[i].size_guessed || alone.slots[i].value_guessed;
    }
    if (!any)
        return;
    fputs("guessed ", out);
    for (cl_uint i = 0; i < alone.signature.count; i++)
        if (alone.slots[i].size_guessed || alone.slots[i].value_guessed) {
            fputc(' ', out);
            print_slot(out, &alone.slots[i], false);
        }
    if (global)
        print_sizes(out, "global", alone.replay.global);
    if (local)
        print_sizes(out, "local", alone.replay.local);
    fputc('\n', out);
    if (alone.groups == SHRUNK)
        fputs("         (larger groups leave an array: --local gives the size that is "
              "meant)\n",
              out);
    if (size && settings->races)
        fputs("         (a size that is guessed is large enough: give it to find "
              "accesses behind it)\n",
              out);
}

/* In the form in which it can be given.  Rows for programs stay alone. */
static void print_call(void) {
    FILE *out = settings->format == TEXT ? settings->out : stderr;
    fputs("launch   ", out);
    alone_print_call(out, false);
    alone_print_range(out);
    fputc('\n', out);
    print_guesses(out);
    fputc('\n', out);
}

static bool was_written(const struct replay *replay, size_t object) {
    for (size_t site = 0; site < replay->code->site_count; site++) {
        const enum kind kind = replay->code->sites[site].kind;
        if ((kind == STORE || kind == ATOMIC) && tally_of(replay, site, object))
            return true;
    }
    return false;
}

/* --check: "sums[4096]: 1 2 3 4 5 6 7 8 ..." of each buffer that was written. */
static void print_results(const struct replay *replay) {
    FILE *out = settings->format == TEXT ? settings->out : stderr;
    for (cl_uint i = 0; i < alone.signature.count; i++) {
        const struct slot *slot = &alone.slots[i];
        const struct element_type *type = &slot->type;
        const size_t bytes =
            slot->image ? image_host_bytes(slot->image) : slot->object.bytes;
        const size_t count = bytes / slot_element_bytes(slot);
        if (slot->object.space != GLOBAL || !was_written(replay, i))
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

static int report(struct replay *replay, const struct call *call) {
    const bool mistaken = replay->mistake_count > 0;
    FILE *out = settings->format == TEXT ? settings->out : stderr;
    const bool local_chosen = replay->local_chosen;
    print_call();
    print_end(settings->format == TEXT ? settings->out : stderr);
    if (settings->check && !replay->stopped)
        print_results(replay);
    limits_note(replay, 0, 0);
    report_launch(replay, 0);
    page_add(replay, 0);
    if (mistaken)
        trials_print(out, replay, call);
    if (mistaken && local_chosen)
        fputs("  hint    what is guessed may not suit the kernel: --local sets its "
              "groups, "
              "NAME=VALUE an argument\n",
              out);
    if (replay->limit)
        report_limit(replay);
    const struct looked looked = {.replayed = 1,
                                  .limited = replay->limit > 0,
                                  .sampled = replay->groups_replayed < replay->groups};
    if (!mistaken)
        report_end(&looked);
    report_verdict(&looked, 0, NULL);
    if (!svg_end() && settings->svg)
        lens_say("there was nothing to draw, so %s is not written\n", settings->svg);
    if (!page_end() && settings->html)
        lens_say("there was nothing to show, so %s is not written\n", settings->html);
    if (fflush(settings->out) != 0 || ferror(settings->out))
        lens_die("cannot write the report" HINT "is the disk full?");
    const bool unseen = replay->limit && (settings->races || settings->give_up);
    return mistaken ? WRONG : unseen ? SKIPPED : RIGHT;
}

/* Reads the file, and finds the kernel that the call means. */
static void open_file(const char *file, const struct call *call) {
    settings_read();
    alone.file = file;
    alone.source = read_source(file);
    alone.build_options = read_build_options(file);
    if (code_is_cpp(alone.build_options))
        refuse(file, IS_CPP, "write the kernel in OpenCL C");
    alone.signature = choose_kernel(call->kernel);
    check_names(call);
    alone.replay = (struct replay){
        .code = &alone.code, .kernel = alone.signature.name, .source = alone.source};
}

int alone_run(const char *file, const char *text) {
    const struct call call = call_read(text);
    open_file(file, &call);
    if (settings->check && settings->groups == 0)
        alone.replay.groups_wanted = SIZE_MAX; /* results are those of all groups */
    range_choose(&alone.replay, alone.signature.required, alone.signature.dimensions);
    compile();
    slots_bind(&call);
    slots_evaluate();
    alone.replay.scalars =
        arguments_in_words(alone.signature.arguments, alone.signature.count);
    struct replay replay = alone_launch_guessed();
    return report(&replay, &call);
}

/* ---- The same launch with other sizes. */
const struct signature *alone_open(const char *file, const struct call *call) {
    open_file(file, call);
    return &alone.signature;
}

void alone_bind(const struct call *call, const struct sized *sized) {
    alone.sized = *sized;
    alone.replay.whole = true; /* all groups, in each launch */
    compile();
    slots_bind(call);
}

void alone_set_size(uint64_t n) {
    alone.n = n;
    if (alone.sized.argument >= 0)
        slot_put(&alone.slots[alone.sized.argument], (int64_t)n);
    slots_evaluate_numbers(false); /* the range may depend on them */
}

bool alone_number(const char *formula, int64_t *number) {
    return formula_read(formula, slots_number_called, number);
}

void alone_set_range(unsigned dimensions, const size_t global[3],
                     const size_t local[3]) {
    alone.replay.dimensions = dimensions;
    memcpy(alone.replay.global, global, sizeof alone.replay.global);
    memcpy(alone.replay.local, local, sizeof alone.replay.local);
    slots_evaluate();
}

struct replay alone_launch(void) {
    restore_variables();
    slots_fill();
    struct replay replay = alone.replay;
    replay_run(&replay);
    return replay;
}

bool alone_may_write(size_t object) {
    return object < alone.signature.count &&
           alone.slots[object].object.space == GLOBAL &&
           !alone.signature.constant[object];
}

const char *alone_guessed_size(size_t object) {
    return object < alone.signature.count && alone.slots[object].size_guessed
               ? alone.slots[object].formula
               : NULL;
}

void alone_print_call(FILE *out, bool as_given) {
    fprintf(out, "%s(", alone.signature.name);
    for (cl_uint i = 0; i < alone.signature.count; i++) {
        fputs(i ? ", " : "", out);
        print_slot(out, &alone.slots[i], as_given);
    }
    fputc(')', out);
}

void alone_print_guesses(FILE *out) {
    bool any = false;
    for (cl_uint i = 0; i < alone.signature.count; i++)
        if (!slot_is_size(&alone.slots[i]) &&
            (alone.slots[i].size_guessed || alone.slots[i].value_guessed)) {
            fputs(any ? " " : "guessed  ", out);
            print_slot(out, &alone.slots[i], true);
            any = true;
        }
    if (any)
        fputc('\n', out);
}

void alone_print_range(FILE *out) {
    print_sizes(out, "global", alone.replay.global);
    print_sizes(out, "local", alone.replay.local);
}
