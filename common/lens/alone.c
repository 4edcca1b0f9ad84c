/* alone: makes of a kernel file and a call the same `struct replay` that launch.c makes
 * of a program's launch; what was not given is guessed.
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
#include "alone.h"
#include "call.h"
#include "counts.h"
#include "formula.h"
#include "images.h"
#include "lens.h"
#include "memory.h"
#include "operations.h"
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
    struct image *image; /* NULL: it is none */
    char *text;          /* of the value; NULL: local memory has none */
    char *formula;       /* of its size in units, or of a scalar's value; NULL: none */
    size_t unit;         /* in bytes */
    bool size_guessed, value_guessed;
    bool known; /* a scalar's value: formulas may name it */
};

static struct {
    const char *file;
    char *source, *build_options;
    struct signature signature;
    struct slot slots[MAX_ARGUMENTS];
    struct code code;
    char **variables;      /* of the file itself: what they hold before a launch */
    struct replay replay;  /* without what comes out */
    struct sized sized;    /* --all-sizes; `elements` NULL: there is one size */
    uint64_t n;            /* then: the size */
    size_t first_local[3]; /* the size of groups that was guessed first */
    enum { AS_GUESSED, SHRUNK, KEPT } groups; /* KEPT: smaller ones did not help */
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
            skip("%s cannot be looked at: pipes, and images with several samples or of "
                 "depth, are not modelled" HINT "its argument %s is one",
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

/* A single whole number, whose name means it in formulas? */
static bool is_whole(const struct slot *slot) {
    return slot->object.space == PRIVATE && slot->type.name &&
           slot->type.kind != FLOAT && slot->type.lanes == 1;
}

static int64_t whole_value(const struct slot *slot) {
    const unsigned unused = (unsigned)(64 - 8 * slot->type.bytes);
    uint64_t bits = 0;
    memcpy(&bits, slot->object.base, slot->type.bytes);
    return slot->type.kind == SIGNED ? (int64_t)(bits << unused) >> unused
                                     : (int64_t)bits;
}

static bool is_called(const char *name, const char *other, size_t length) {
    return strlen(name) == length && strncmp(name, other, length) == 0;
}

/* What a formula may name: the kernel's whole numbers, and the sizes of the launch. */
static bool number_called(const char *name, size_t length, int64_t *number) {
    const size_t *global = alone.replay.global, *local = alone.replay.local;
    size_t items = 1, groups = 1, group = 1;
    for (unsigned d = 0; d < alone.replay.dimensions; d++) {
        items *= global[d];
        group *= local[d];
        groups *= (global[d] + local[d] - 1) / local[d];
    }
    for (cl_uint i = 0; i < alone.signature.count; i++) {
        const struct slot *slot = &alone.slots[i];
        if (slot->known && is_whole(slot) &&
            is_called(slot->object.name, name, length)) {
            *number = whole_value(slot);
            return true;
        }
    }
    if (alone.sized.elements && alone.sized.argument < 0 &&
        is_called("n", name, length))
        *number = (int64_t)alone.n;
    else if (is_called("items", name, length))
        *number = (int64_t)items;
    else if (is_called("groups", name, length))
        *number = (int64_t)groups;
    else if (is_called("local", name, length))
        *number = (int64_t)group;
    else
        return false;
    return true;
}

/* So many elements or bytes, in bytes. */
static size_t read_bytes(const struct slot *slot, const char *text, size_t unit) {
    int64_t number;
    if (!formula_read(text, number_called, &number) || number < 0 ||
        (uint64_t)number > MAX_REGION / unit)
        lens_die("%s cannot have the size '%s'" HINT
                 "give a whole number, or a formula such as n + 1 or 2 * groups; at "
                 "most %d bytes are possible",
                 slot->object.name, text, MAX_REGION);
    return (size_t)number * unit;
}

/* The elements of an image as the host would keep it. */
static const char *texel_name(const struct image *image) {
    return image->type == CL_FLOAT          ? "float4*"
           : image->type == CL_SIGNED_INT32 ? "int4*"
                                            : "uint4*";
}

static struct element_type texel_type(const struct image *image) {
    return element_type(&(const struct object){.type = texel_name(image)});
}

static size_t rounded(size_t bytes) {
    return (bytes + PAGE) / PAGE * PAGE;
}

static void guess_size(struct slot *slot, uint64_t elements, const char *formula) {
    slot->size_guessed = true;
    if (alone.sized.elements) {
        slot->formula = strdup(formula);
        slot->unit = slot->type.name ? element_bytes(slot) : sizeof(cl_float4);
        return;
    }
    slot->object.bytes =
        (size_t)elements * (slot->type.name ? element_bytes(slot) : sizeof(cl_float4));
    if (slot->object.bytes > MAX_REGION)
        lens_die("no size can be guessed for %s" HINT "give one, as in %s[4096]",
                 slot->object.name, slot->object.name);
}

static void put_whole(struct slot *slot, int64_t number) {
    const unsigned bits = (unsigned)(8 * slot->type.bytes),
                   signs = slot->type.kind == SIGNED;
    if (bits < 64 && (number >> (bits - signs)) != 0 &&
        !(signs && (number >> (bits - 1)) == -1))
        lens_die("%s cannot be %lld" HINT "its type is %s", slot->object.name,
                 (long long)number, slot->object.type);
    memcpy(slot->object.base, &number, slot->type.bytes); /* little-endian */
    slot->known = true;
}

/* The argument that --all-sizes varies? */
static bool is_size(const struct slot *slot) {
    return alone.sized.elements && alone.sized.argument >= 0 &&
           slot == &alone.slots[alone.sized.argument];
}

static bool is_number(const char *text) {
    char *end;
    strtod(text, &end);
    return !*end;
}

static char *guess_scalar(const struct slot *slot) {
    return slot->type.kind == FLOAT || slot->type.bytes == 1 ? strdup("1")
           : !alone.sized.elements    ? words("%llu", alone.replay.global[0])
           : alone.sized.argument < 0 ? strdup("n")
                                      : strdup(alone.sized.name);
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
    slot->text = slot->value_guessed ? guess_scalar(slot) : given->value;
    slot->object.space = PRIVATE;
    argument->bytes = element_bytes(slot);
    slot->object.bytes = argument->bytes + SPARE;
    int64_t number;
    if (is_whole(slot) && !is_size(slot) && !is_number(slot->text) &&
        (alone.sized.elements || formula_read(slot->text, number_called, &number)))
        slot->formula = slot->text;
    argument->value = slot->object.base = lens_allocate(slot->object.bytes, 1);
    if (slot->formula || is_size(slot))
        return;
    slot->value = value_read(argument->name, slot->text);
    if (slot->value.kind != NUMBERS)
        lens_die("%s cannot be '%s'" HINT "it is a %s: give a number", argument->name,
                 slot->text, argument->type);
    value_fill(&slot->value, &slot->object, argument->bytes, 1, 0);
    slot->known = true;
}

/* The memory of an argument has a size that was given, in units of so many bytes. */
static void give_size(struct slot *slot, char *text, size_t unit) {
    slot->formula = text;
    slot->unit = unit;
}

static void bind_local(struct slot *slot, const struct given *given) {
    const size_t *local = alone.replay.local;
    slot->object.space = LOCAL;
    if (given && given->elements)
        give_size(slot, given->elements, element_bytes(slot));
    else if (given && given->value)
        give_size(slot, given->value, 1);
    else
        guess_size(slot, (uint64_t)local[0] * local[1] * local[2], "local");
    slot->object.base = region_make();
}

static void bind_buffer(struct slot *slot, const struct given *given, bool constant) {
    slot->value_guessed = !given || !given->value;
    slot->text = !slot->value_guessed          ? given->value
                 : constant && slot->type.name ? strdup("random")
                                               : strdup("0");
    slot->value = value_read(slot->object.name, slot->text);
    if (given && given->elements)
        give_size(slot, given->elements, element_bytes(slot));
    else if (slot->value.kind == CONTENT)
        slot->object.bytes = slot->value.bytes;
    else
        guess_size(slot, work_items(), alone.sized.elements);
    if (slot->object.bytes > MAX_REGION)
        lens_die("%s is too large" HINT "a buffer may have %d bytes", slot->object.name,
                 MAX_REGION);
    slot->object.base = region_make();
}

static void bind_sampler(struct slot *slot, struct argument *argument,
                         const struct given *given) {
    slot->value_guessed = !given || !given->value;
    slot->text = slot->value_guessed ? strdup("(nearest,edge)") : given->value;
    const unsigned sampler = sampler_read(slot->text);
    if (sampler == UINT32_MAX)
        lens_die("%s cannot be '%s'" HINT "it is a sampler: give words, as in "
                 "%s=(linear,normalized,repeat); none, edge, clamp and mirrored are "
                 "the other ways outside",
                 argument->name, slot->text, argument->name);
    argument->bytes = sizeof sampler;
    argument->value = slot->object.base = lens_allocate(argument->bytes + SPARE, 1);
    memcpy(argument->value, &sampler, sizeof sampler);
    slot->object.space = PRIVATE;
    slot->object.bytes = argument->bytes + SPARE;
}

/* "640x480", with as many numbers as the image has dimensions. */
static void read_image_size(struct slot *slot, const char *text) {
    struct image *image = slot->image;
    const unsigned dimensions = image->dimensions + image->layered;
    size_t texels = 1;
    char *end = (char *)(uintptr_t)text;
    for (unsigned d = 0; d < dimensions; d++) {
        const char *begin = end + (d > 0 && *end == 'x');
        image->size[d] = strtoull(begin, &end, 10);
        if (end == begin || *begin == '-' || image->size[d] == 0 ||
            image->size[d] > MAX_REGION / sizeof(cl_float4) / texels)
            break;
        texels *= image->size[d];
        if (d + 1 == dimensions && !*end)
            return;
    }
    lens_die("%s cannot have the size '%s'" HINT "it is an %s: give %u numbers, as in "
             "%s[%s]",
             slot->object.name, text, slot->object.type, dimensions, slot->object.name,
             dimensions == 1   ? "640"
             : dimensions == 2 ? "640x480"
                               : "64x64x4");
}

/* A texel for each work-item; dimensions that the launch does not have are short.  The
 * four channels are numbers of 32 bits, of the type that the kernel reads or writes. */
static void bind_image(struct slot *slot, const struct argument *argument,
                       const struct given *given) {
    enum { SHORT = 16 };
    static const char *const kinds[] = {"image1d_t", "image2d_t", "image3d_t"};
    struct image *image = slot->image = lens_allocate(1, sizeof *image);
    *image = (struct image){.order = CL_RGBA, .type = CL_FLOAT, .size = {1, 1, 1}};
    for (unsigned k = 0; k < 3; k++)
        if (strncmp(argument->type, kinds[k], strlen("image1d")) == 0)
            image->dimensions = k + 1;
    image->layered = strstr(argument->type, "_array") != NULL;
    if (alone.sized.elements && !(given && given->elements))
        skip("%s is an image, which --all-sizes cannot size" HINT
             "give its size, as in %s[640x480]",
             argument->name, argument->name);
    if (given && given->elements)
        read_image_size(slot, given->elements);
    for (unsigned d = 0; !(given && given->elements); d++) {
        if (d == image->dimensions + image->layered)
            break;
        image->size[d] = d < alone.replay.dimensions ? alone.replay.global[d] : SHORT;
    }
    slot->value_guessed = !given || !given->value;
    slot->text = !slot->value_guessed ? given->value
                 : argument->written  ? strdup("0")
                                      : strdup("random");
    slot->value = value_read(slot->object.name, slot->text);
    image_measure(image);
    slot->object.bytes = image_bytes(image);
    if (slot->object.bytes > MAX_REGION)
        lens_die("%s is too large" HINT "an image may have %d bytes", slot->object.name,
                 MAX_REGION);
    image->base = slot->object.base = aligned_alloc(PAGE, rounded(slot->object.bytes));
    slot->object.image = image;
    slot->type = texel_type(image);
}

static void bind_slot(const struct call *call, cl_uint i) {
    struct argument *argument = &alone.signature.arguments[i];
    struct slot *slot = &alone.slots[i];
    const struct given *given = call_given(call, argument->name);
    slot->object = (struct object){
        .name = argument->name, .type = argument->type, .space = GLOBAL};
    slot->type = element_type(&slot->object);
    if (argument_is_sampler(argument))
        bind_sampler(slot, argument, given);
    else if (argument_is_image(argument))
        bind_image(slot, argument, given);
    else if (argument->space == CL_KERNEL_ARG_ADDRESS_PRIVATE)
        bind_scalar(slot, argument, given);
    else if (argument->space == CL_KERNEL_ARG_ADDRESS_LOCAL)
        bind_local(slot, given);
    else
        bind_buffer(slot, given, alone.signature.constant[i]);
    if (argument->space == CL_KERNEL_ARG_ADDRESS_CONSTANT)
        slot->object.space = CONSTANT;
}

/* Numbers that have formulas; each may name those before it. */
static void evaluate_numbers(bool needs_all) {
    for (cl_uint i = 0; i < alone.signature.count; i++)
        alone.slots[i].known &= !alone.slots[i].formula;
    for (cl_uint i = 0; i < alone.signature.count; i++) {
        struct slot *slot = &alone.slots[i];
        int64_t number = 0;
        if (!slot->formula || slot->object.space != PRIVATE)
            continue;
        const bool is_read = formula_read(slot->formula, number_called, &number);
        if (is_read)
            put_whole(slot, number);
        else if (needs_all)
            lens_die("%s cannot be '%s'" HINT "it is a %s: give a number, or a formula "
                     "such as n / 2",
                     slot->object.name, slot->formula, slot->object.type);
    }
}

/* Numbers come first, because sizes need them. */
static void evaluate(void) {
    evaluate_numbers(true);
    for (cl_uint i = 0; i < alone.signature.count; i++) {
        struct slot *slot = &alone.slots[i];
        if (slot->formula && slot->object.space != PRIVATE)
            slot->object.bytes = read_bytes(slot, slot->formula, slot->unit);
    }
}

/* Gives the replay its arguments and the memory that it may touch, as copies.c does. */
static void bind(const struct call *call) {
    struct signature *signature = &alone.signature;
    struct replay *replay = &alone.replay;
    replay->objects = lens_allocate(signature->count + alone.code.object_count,
                                    sizeof *replay->objects);
    replay->arguments = lens_allocate(signature->count, sizeof *replay->arguments);
    for (cl_uint i = 0; i < signature->count; i++) {
        bind_slot(call, i);
        const struct slot *slot = &alone.slots[i];
        replay->arguments[i] = argument_is_sampler(&signature->arguments[i])
                                   ? *(const unsigned *)(const void *)slot->object.base
                               : slot->image ? (uint64_t)(uintptr_t)slot->image
                                             : (uint64_t)(uintptr_t)slot->object.base;
    }
    replay->object_count = signature->count + alone.code.object_count;
}

/* ---- The launch. */

/* Rows of texels are filled like a buffer, and then brought into the image's order. */
static void fill_image(const struct slot *slot, uint64_t seed) {
    const struct image *image = slot->image;
    const size_t bytes = image_host_bytes(image);
    struct object texels = {.name = slot->object.name,
                            .type = texel_name(image),
                            .base = lens_allocate(bytes, 1)};
    value_fill(&slot->value, &texels, bytes, work_items(), seed);
    memset(image->base, 0, rounded(slot->object.bytes));
    image_from_host(image, texels.base);
    free(texels.base);
}

/* Before each replay: memory as it was, and sizes as they are now. */
static void fill(void) {
    const struct signature *signature = &alone.signature;
    const uint64_t below = alone.sized.elements ? alone.n : work_items();
    for (cl_uint i = 0; i < signature->count; i++) {
        const struct slot *slot = &alone.slots[i];
        if (slot->image)
            fill_image(slot, i);
        else if (slot->object.space == GLOBAL || slot->object.space == CONSTANT)
            value_fill(&slot->value, &slot->object, slot->object.bytes, below, i);
        alone.replay.objects[i] = slot->object;
    }
    for (size_t i = 0; i < alone.code.object_count; i++)
        alone.replay.objects[signature->count + i] = alone.code.objects[i];
}

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
        slot->type = texel_type(slot->image);
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

static struct replay launch(void) {
    for (;;) {
        fill();
        struct replay replay = alone.replay;
        replay_run(&replay);
        const bool changed = change_types(), shrunk = shrink(&replay);
        if (shrunk)
            evaluate(); /* what depends on the groups */
        if (!grow(&replay) && !changed && !shrunk)
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
    else if (!is_scalar)
        fprintf(out, "[%zu]", slot->object.bytes / element_bytes(slot));
    if (is_scalar && (slot->formula || is_size(slot)) && !as_given)
        fprintf(out, "=%lld", (long long)whole_value(slot));
    else if (is_random_below_n(slot) && !as_given)
        fprintf(out, "=0..%llu",
                (unsigned long long)value_random(&slot->type, alone.n));
    else if (slot->text && !is_size(slot))
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
    if (size && options->races)
        fputs("         (a size that is guessed is large enough: give it to find "
              "accesses behind it)\n",
              out);
}

/* In the form in which it can be given.  Rows for programs stay alone. */
static void print_call(void) {
    FILE *out = options->format == TEXT ? options->out : stderr;
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
    FILE *out = options->format == TEXT ? options->out : stderr;
    for (cl_uint i = 0; i < alone.signature.count; i++) {
        const struct slot *slot = &alone.slots[i];
        const struct element_type *type = &slot->type;
        const size_t bytes =
            slot->image ? image_host_bytes(slot->image) : slot->object.bytes;
        const size_t count = bytes / element_bytes(slot);
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

static int report(struct replay *replay) {
    const bool mistaken = replay->mistake_count > 0;
    print_call();
    if (options->check && !replay->stopped)
        print_results(replay);
    report_launch(replay, 0);
    if (mistaken && replay->local_chosen)
        fputs("  hint    what is guessed may not suit the kernel: --local sets its "
              "groups, "
              "NAME=VALUE an argument\n",
              options->format == TEXT ? options->out : stderr);
    page_add(replay, 0);
    if (!mistaken)
        report_end(
            &(struct looked){.replayed = 1,
                             .limited = replay->limit > 0,
                             .sampled = replay->groups_replayed < replay->groups});
    if (!svg_end() && options->svg)
        lens_say("there was nothing to draw, so %s is not written\n", options->svg);
    if (!page_end() && options->html)
        lens_say("there was nothing to show, so %s is not written\n", options->html);
    if (fflush(options->out) != 0 || ferror(options->out))
        lens_die("cannot write the report" HINT "is the disk full?");
    return mistaken ? WRONG : RIGHT;
}

/* Reads the file, and finds the kernel that the call means. */
static void open_file(const char *file, const struct call *call) {
    options_read();
    alone.file = file;
    alone.source = read_source(file);
    alone.build_options = read_build_options(file);
    if (code_is_cpp(alone.build_options))
        skip("%s cannot be looked at: " IS_CPP HINT "write the kernel in OpenCL C",
             file);
    alone.signature = choose_kernel(call->kernel);
    check_names(call);
    alone.replay = (struct replay){
        .code = &alone.code, .kernel = alone.signature.name, .source = alone.source};
}

int alone_run(const char *file, const char *text) {
    const struct call call = call_read(text);
    open_file(file, &call);
    if (options->check && options->groups == 0)
        alone.replay.groups_wanted = SIZE_MAX; /* results are those of all groups */
    range_choose(&alone.replay, alone.signature.required, alone.signature.dimensions);
    compile();
    bind(&call);
    evaluate();
    alone.replay.scalars =
        arguments_in_words(alone.signature.arguments, alone.signature.count);
    struct replay replay = launch();
    return report(&replay);
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
    bind(call);
}

void alone_set_size(uint64_t n) {
    alone.n = n;
    if (alone.sized.argument >= 0)
        put_whole(&alone.slots[alone.sized.argument], (int64_t)n);
    evaluate_numbers(false); /* the range may depend on them */
}

bool alone_number(const char *formula, int64_t *number) {
    return formula_read(formula, number_called, number);
}

void alone_set_range(unsigned dimensions, const size_t global[3],
                     const size_t local[3]) {
    alone.replay.dimensions = dimensions;
    memcpy(alone.replay.global, global, sizeof alone.replay.global);
    memcpy(alone.replay.local, local, sizeof alone.replay.local);
    evaluate();
}

struct replay alone_launch(void) {
    restore_variables();
    fill();
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
        if (!is_size(&alone.slots[i]) &&
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
