/* alone: makes of a kernel file and a call the same `struct replay` that launch.c makes
 * of a program's launch; what was not given is guessed.
 *
 * The size of a buffer is guessed as an element for each work-item, and doubled as long
 * as the kernel accesses something behind its end.  What a kernel may only read is full
 * of random numbers, all else of 0; a whole number is the width of the launch. */
#define _GNU_SOURCE /* open_memstream */
#include "alone.h"
#include "call.h"
#include "counts.h"
#include "lens.h"
#include "memory.h"
#include "options.h"
#include "page.h"
#include "races.h"
#include "range.h"
#include "region.h"
#include "report.h"
#include "signature.h"
#include "svg.h"
#include "values.h"

#include "../check.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 8 }; /* elements that --check prints */

/* An argument, with what it is filled with. */
struct slot {
    struct object object; /* as the replay sees it */
    struct element_type type;
    struct value value;
    char *text; /* of the value; NULL: local memory has none */
    bool size_guessed, value_guessed;
};

static struct {
    const char *file;
    char *source, *build_options;
    struct signature signature;
    struct slot slots[MAX_ARGUMENTS];
    struct code code;
    struct replay replay; /* without what comes out */
} alone;

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
    fputs(text, out);
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
    fprintf(out, "%s", options->build ? options->build : "");
    for (const char *line = options->defines; line && *line;) {
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
                 : options_include(signature->name);
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
    if (count == 0)
        lens_die("%s has no kernel %s" HINT "it has %s", alone.file, name, names);
    lens_die("%s has several kernels" HINT "name one of them: %s", alone.file, names);
}

static struct signature choose_kernel(const char *name) {
    char *text = code_describe(alone.source, alone.build_options);
    if (!text)
        lens_die("%s does not compile" HINT "the compiler says above why; -D, -I and "
                 "--build are passed on to it",
                 alone.file);
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

/* An argument of the call that the kernel does not have. */
static void check_names(const struct call *call) {
    const struct signature *signature = &alone.signature;
    for (size_t i = 0; i < call->count; i++) {
        bool known = false;
        for (cl_uint a = 0; a < signature->count; a++)
            known |= strcmp(call->given[i].name, signature->arguments[a].name) == 0;
        if (known)
            continue;
        fprintf(stderr, "error: lens: %s has no argument %s\n  hint    it has",
                signature->name, call->given[i].name);
        for (cl_uint a = 0; a < signature->count; a++)
            fprintf(stderr, "%s %s %s", a ? "," : "", signature->arguments[a].type,
                    signature->arguments[a].name);
        fputc('\n', stderr);
        exit(CANNOT_RUN);
    }
}

static void compile(void) {
    const struct signature *signature = &alone.signature;
    char *caller = NULL, name[MAX_NAME + 16];
    size_t bytes = 0;
    for (cl_uint i = 0; i < signature->count; i++)
        if (!argument_is_modelled(&signature->arguments[i]))
            skip("%s cannot be looked at: images, samplers and pipes are not "
                 "modelled" HINT "its argument %s is one",
                 signature->name, signature->arguments[i].name);
    FILE *out = open_memstream(&caller, &bytes);
    arguments_write_caller(out, signature->name, signature->arguments,
                           signature->count);
    fclose(out);
    if (!code_compile(&alone.code, alone.source, "", caller, alone.build_options))
        skip("%s cannot be looked at" HINT "the reason stands above", signature->name);
    const char *refusal = code_refusal(&alone.code, signature->name);
    if (refusal)
        skip("%s cannot be looked at: %s" HINT "docs/lens.md says what is not modelled",
             signature->name, refusal);
    snprintf(name, sizeof name, "lens_call_%s", signature->name);
    *(void **)&alone.replay.call = dlsym(alone.code.library, name);
    free(caller);
}

/* ---- What it is launched with. */
static uint64_t work_items(void) {
    const size_t *global = alone.replay.global;
    return (uint64_t)global[0] * global[1] * global[2];
}

static char *words(const char *format, uint64_t number) {
    char text[64];
    snprintf(text, sizeof text, format, (unsigned long long)number);
    return strdup(text);
}

static size_t element_bytes(const struct slot *slot) {
    return slot->type.bytes * slot->type.apart;
}

/* A whole number of elements or bytes, in bytes. */
static size_t read_bytes(const struct slot *slot, const char *text, size_t unit) {
    char *end;
    const unsigned long long number = strtoull(text, &end, 0);
    if (end == text || *end || *text == '-' || number > MAX_REGION / unit)
        lens_die("%s cannot have the size '%s'" HINT
                 "give a whole number; at most %d bytes are possible",
                 slot->object.name, text, MAX_REGION);
    return (size_t)number * unit;
}

static void guess_size(struct slot *slot, uint64_t elements) {
    slot->size_guessed = true;
    slot->object.bytes =
        (size_t)elements * (slot->type.name ? element_bytes(slot) : sizeof(cl_float4));
    if (slot->object.bytes > MAX_REGION)
        lens_die("no size can be guessed for %s" HINT "give one, as in %s[4096]",
                 slot->object.name, slot->object.name);
}

static void bind_scalar(struct slot *slot, struct argument *argument,
                        const struct given *given) {
    if (!slot->type.name)
        lens_die("%s is a %s, for which no value can be given" HINT
                 "numbers and vectors can, and buffers of anything",
                 argument->name, argument->type);
    if (given && given->elements)
        lens_die("%s is no buffer" HINT "give a number, as in %s=1", argument->name,
                 argument->name);
    slot->value_guessed = !given || !given->value;
    slot->text = !slot->value_guessed       ? given->value
                 : slot->type.kind == FLOAT ? strdup("1")
                 : slot->type.bytes == 1    ? strdup("1")
                                            : words("%llu", alone.replay.global[0]);
    slot->value = value_read(argument->name, slot->text);
    if (slot->value.kind != NUMBERS)
        lens_die("%s cannot be '%s'" HINT "it is a %s: give a number", argument->name,
                 slot->text, argument->type);
    argument->bytes = element_bytes(slot);
    argument->value = slot->object.base = lens_allocate(argument->bytes + SPARE, 1);
    value_fill(&slot->value, &slot->object, argument->bytes, 1, 0);
    slot->object.space = PRIVATE;
    slot->object.bytes = argument->bytes + SPARE;
}

static void bind_local(struct slot *slot, const struct given *given) {
    const size_t *local = alone.replay.local;
    slot->object.space = LOCAL;
    if (given && given->elements)
        slot->object.bytes = read_bytes(slot, given->elements, element_bytes(slot));
    else if (given && given->value)
        slot->object.bytes = read_bytes(slot, given->value, 1);
    else
        guess_size(slot, (uint64_t)local[0] * local[1] * local[2]);
    slot->object.base = region_make();
}

static void bind_buffer(struct slot *slot, const struct given *given, bool constant) {
    slot->value_guessed = !given || !given->value;
    slot->text = !slot->value_guessed          ? given->value
                 : constant && slot->type.name ? strdup("random")
                                               : strdup("0");
    slot->value = value_read(slot->object.name, slot->text);
    if (given && given->elements)
        slot->object.bytes = read_bytes(slot, given->elements, element_bytes(slot));
    else if (slot->value.kind == CONTENT)
        slot->object.bytes = slot->value.bytes;
    else
        guess_size(slot, work_items());
    if (slot->object.bytes > MAX_REGION)
        lens_die("%s is too large" HINT "a buffer may have %d bytes", slot->object.name,
                 MAX_REGION);
    slot->object.base = region_make();
}

/* Gives the replay its arguments and the memory that it may touch, as copies.c does. */
static void bind(const struct call *call) {
    struct signature *signature = &alone.signature;
    struct replay *replay = &alone.replay;
    replay->objects = lens_allocate(signature->count + alone.code.object_count,
                                    sizeof *replay->objects);
    replay->arguments = lens_allocate(signature->count, sizeof *replay->arguments);
    for (cl_uint i = 0; i < signature->count; i++) {
        struct argument *argument = &signature->arguments[i];
        struct slot *slot = &alone.slots[i];
        const struct given *given = call_given(call, argument->name);
        slot->object = (struct object){
            .name = argument->name, .type = argument->type, .space = GLOBAL};
        slot->type = element_type(&slot->object);
        if (argument->space == CL_KERNEL_ARG_ADDRESS_PRIVATE)
            bind_scalar(slot, argument, given);
        else if (argument->space == CL_KERNEL_ARG_ADDRESS_LOCAL)
            bind_local(slot, given);
        else
            bind_buffer(slot, given, signature->constant[i]);
        if (argument->space == CL_KERNEL_ARG_ADDRESS_CONSTANT)
            slot->object.space = CONSTANT;
        replay->arguments[i] = (uint64_t)(uintptr_t)slot->object.base;
    }
    replay->object_count = signature->count + alone.code.object_count;
    replay->scalars = arguments_in_words(signature->arguments, signature->count);
}

/* ---- The launch. */

/* Before each replay: memory as it was, and sizes as they are now. */
static void fill(void) {
    const struct signature *signature = &alone.signature;
    for (cl_uint i = 0; i < signature->count; i++) {
        const struct slot *slot = &alone.slots[i];
        if (slot->object.space == GLOBAL || slot->object.space == CONSTANT)
            value_fill(&slot->value, &slot->object, slot->object.bytes, work_items(),
                       i);
        alone.replay.objects[i] = slot->object;
    }
    for (size_t i = 0; i < alone.code.object_count; i++)
        alone.replay.objects[signature->count + i] = alone.code.objects[i];
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

static struct replay launch(void) {
    for (;;) {
        fill();
        struct replay replay = alone.replay;
        replay_run(&replay);
        if (!grow(&replay))
            return replay;
        replay_end(&replay);
    }
}

/* ---- What is said of it. */
static void print_sizes(FILE *out, const char *option, const size_t sizes[3]) {
    fprintf(out, " --%s %zu", option, sizes[0]);
    for (unsigned d = 1; d < alone.replay.dimensions; d++)
        fprintf(out, ",%zu", sizes[d]);
}

static void print_slot(FILE *out, const struct slot *slot) {
    fputs(slot->object.name, out);
    if (slot->object.space != PRIVATE)
        fprintf(out, "[%zu]", slot->object.bytes / element_bytes(slot));
    if (slot->text)
        fprintf(out, "=%s", slot->text);
}

static void print_guesses(FILE *out) {
    const bool global = !options->global,
               local = !options->local && !alone.signature.required[0];
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
            print_slot(out, &alone.slots[i]);
        }
    if (global)
        print_sizes(out, "global", alone.replay.global);
    if (local)
        print_sizes(out, "local", alone.replay.local);
    fputc('\n', out);
    if (size && options->races)
        fputs("         (a size that is guessed is large enough: give it to find "
              "accesses behind it)\n",
              out);
}

/* In the form in which it can be given.  Rows for programs stay alone. */
static void print_call(void) {
    FILE *out = options->format == TEXT ? options->out : stderr;
    fprintf(out, "launch   %s(", alone.signature.name);
    for (cl_uint i = 0; i < alone.signature.count; i++) {
        fputs(i ? ", " : "", out);
        print_slot(out, &alone.slots[i]);
    }
    fputc(')', out);
    print_sizes(out, "global", alone.replay.global);
    print_sizes(out, "local", alone.replay.local);
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
    FILE *out = options->format == TEXT ? options->out : stderr;
    for (cl_uint i = 0; i < alone.signature.count; i++) {
        const struct slot *slot = &alone.slots[i];
        const struct element_type *type = &slot->type;
        const size_t count = slot->object.bytes / element_bytes(slot);
        if (slot->object.space != GLOBAL || !was_written(replay, i))
            continue;
        fprintf(out, "%s[%zu]:", slot->object.name, count);
        for (size_t n = 0; n < count * type->apart && n / type->apart < SHOWN; n++)
            if (n % type->apart < type->lanes) {
                fputc(' ', out);
                element_print(out, type, slot->object.base + n * type->bytes);
            }
        fputs(count > SHOWN ? " ...\n" : "\n", out);
    }
    fputc('\n', out);
}

static int report(struct replay *replay) {
    const bool mistaken = replay->mistake_count > 0;
    print_call();
    if (options->check && !replay->stopped)
        print_results(replay);
    report_launch(replay, 0);
    page_add(replay, 0);
    if (!mistaken)
        report_end(
            &(struct looked){.replayed = 1,
                             .limited = replay->limit > 0,
                             .sampled = replay->groups_replayed < replay->groups});
    if (!svg_end() && options->svg)
        fprintf(stderr, "lens: there was nothing to draw, so %s is not written\n",
                options->svg);
    if (!page_end() && options->html)
        fprintf(stderr, "lens: there was nothing to show, so %s is not written\n",
                options->html);
    if (fflush(options->out) != 0 || ferror(options->out))
        lens_die("cannot write the report" HINT "is the disk full?");
    return mistaken ? WRONG : RIGHT;
}

int alone_run(const char *file, const char *text) {
    const struct call call = call_read(text);
    options_read();
    alone.file = file;
    alone.source = read_source(file);
    alone.build_options = read_build_options(file);
    alone.signature = choose_kernel(call.kernel);
    check_names(&call);
    alone.replay = (struct replay){
        .code = &alone.code, .kernel = alone.signature.name, .source = alone.source};
    if (options->check && options->groups == 0)
        alone.replay.groups_wanted = SIZE_MAX; /* results are those of all groups */
    range_choose(&alone.replay, alone.signature.required);
    compile();
    bind(&call);
    struct replay replay = launch();
    return report(&replay);
}
