/* arguments_given: binds a kernel's arguments to what was given, or to what is guessed.
 */
#define _GNU_SOURCE /* strdup, asprintf */
#include "arguments_given.h"
#include "base/machine.h"
#include "base/memory.h"
#include "check.h"
#include "cuda_kernel.h"
#include "formula.h"
#include "region.h"
#include "replay/images.h"
#include "report/page/page.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static uint64_t work_items(const struct single *single) {
    const size_t *global = single->run.job.global;
    return (uint64_t)global[0] * global[1] * global[2];
}

static char *in_digits(uint64_t number) {
    char text[64];
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    return strdup(text);
}

size_t slot_element_bytes(const struct slot *slot) {
    return slot->type.bytes * slot->type.apart;
}

/* A single whole number, whose name means it in formulas? */
static bool is_whole(const struct slot *slot) {
    return slot->object.space == PRIVATE && slot->type.name && !slot->members.bytes &&
           slot->type.kind != FLOAT && slot->type.lanes == 1;
}

int64_t slot_whole(const struct slot *slot) {
    const unsigned unused = (unsigned)(64 - 8 * slot->type.bytes);
    uint64_t bits = 0;
    memcpy(&bits, slot->object.base, slot->type.bytes);
    return slot->type.kind == SIGNED ? (int64_t)(bits << unused) >> unused
                                     : (int64_t)bits;
}

static bool is_called(const char *name, const char *other, size_t length) {
    return strlen(name) == length && strncmp(name, other, length) == 0;
}

static bool number_called(const void *of, const char *name, size_t length,
                          int64_t *number) {
    const struct single *single = of;
    const size_t *global = single->run.job.global, *local = single->run.job.local;
    size_t items = 1, groups = 1, group = 1;
    for (unsigned d = 0; d < single->run.job.dimensions; d++) {
        items *= global[d];
        group *= local[d];
        groups *= (global[d] + local[d] - 1) / local[d];
    }
    for (cl_uint i = 0; i < single->signature.count; i++) {
        const struct slot *slot = &single->slots[i];
        if (slot->known && is_whole(slot) &&
            is_called(slot->object.name, name, length)) {
            *number = slot_whole(slot);
            return true;
        }
    }
    if (single->sized.elements && single->sized.argument < 0 &&
        is_called("n", name, length))
        *number = (int64_t)single->n;
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

bool slots_number(const struct single *single, const char *formula, int64_t *number) {
    return formula_read(formula, number_called, single, number);
}

/* So many elements or bytes, in bytes. */
static size_t read_bytes(const struct single *single, const struct slot *slot,
                         const char *text, size_t unit) {
    int64_t number;
    if (!slots_number(single, text, &number) || number < 0 ||
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

struct element_type slot_texel_type(const struct image *image) {
    return element_type(&(const struct object){.type = texel_name(image)});
}

static size_t rounded(size_t bytes) {
    return (bytes + PAGE) / PAGE * PAGE;
}

static void guess_size(const struct single *single, struct slot *slot,
                       uint64_t elements, const char *formula) {
    slot->size_guessed = true;
    if (single->sized.elements) {
        slot->formula = strdup(formula);
        slot->unit = slot->type.name ? slot_element_bytes(slot) : sizeof(cl_float4);
        return;
    }
    slot->object.bytes = (size_t)elements * (slot->type.name ? slot_element_bytes(slot)
                                                             : sizeof(cl_float4));
    if (slot->object.bytes > MAX_REGION)
        lens_die("no size can be guessed for %s" HINT "give one, as in %s[4096]",
                 slot->object.name, slot->object.name);
}

void slot_put(struct slot *slot, int64_t number) {
    const unsigned bits = (unsigned)(8 * slot->type.bytes),
                   signs = slot->type.kind == SIGNED;
    if (bits < 64 && (number >> (bits - signs)) != 0 &&
        !(signs && (number >> (bits - 1)) == -1))
        lens_die("%s cannot be %lld" HINT "its type is %s", slot->object.name,
                 (long long)number, slot->object.type);
    memcpy(slot->object.base, &number, slot->type.bytes); /* little-endian */
    slot->known = true;
}

bool slot_is_size(const struct single *single, const struct slot *slot) {
    return single->sized.elements && single->sized.argument >= 0 &&
           slot == &single->slots[single->sized.argument];
}

static bool is_number(const char *text) {
    char *end;
    strtod(text, &end);
    return !*end;
}

static char *guess_scalar(const struct single *single, const struct slot *slot) {
    return slot->type.kind == FLOAT || slot->type.bytes == 1 ? strdup("1")
           : !single->sized.elements    ? in_digits(single->run.job.global[0])
           : single->sized.argument < 0 ? strdup("n")
                                        : strdup(single->sized.name);
}

/* ---- Structures by value: "(64, 2.5, (1, 2))" has their members in order. */
static void put_member(const struct single *single, struct slot *slot, size_t *next,
                       const char *text, bool needs_all) {
    int64_t number;
    if (*next == slot->members.count)
        lens_die("%s cannot be %s" HINT "it is a %s, which has only %zu members",
                 slot->object.name, slot->text, slot->object.type, slot->members.count);
    const struct member *member = &slot->members.all[(*next)++];
    const struct object object = {.name = slot->object.name,
                                  .type = member->type,
                                  .base = slot->object.base + member->offset};
    const struct element_type type = element_type(&object);
    char *word = strdup(text);
    if (!is_number(text) && type.kind != FLOAT && slots_number(single, text, &number)) {
        free(word);
        word = asprintf(&word, "%lld", (long long)number) < 0 ? NULL : word;
    } else if (!is_number(text) && !needs_all) {
        free(word);
        return; /* it depends on what is not known yet */
    }
    const struct value value = {.kind = NUMBERS, .numbers = &word, .count = 1};
    if (!word || !is_number(word))
        lens_die("%s cannot be %s" HINT "its members are numbers, or formulas if they "
                 "are whole: %s is neither",
                 slot->object.name, slot->text, text);
    value_fill(&value, &object, type.bytes, 1, 0);
    free(word);
}

/* Is all of it between one pair of parentheses? */
static bool is_list(const char *text) {
    int depth = 0;
    for (const char *p = text; *p; p++) {
        depth += (*p == '(') - (*p == ')');
        if (depth == 0)
            return p > text && !p[1];
    }
    return false;
}

/* The members in a list without its parentheses; one of them may be a list again. */
static void put_members(const struct single *single, struct slot *slot, size_t *next,
                        char *list, bool needs_all) {
    for (char *end; *list; list = end) {
        list += strspn(list, " \t\n");
        end = (char *)(uintptr_t)call_value_end(list);
        const bool more = *end != '\0';
        *end = '\0';
        size_t length = strlen(list);
        while (length > 0 && strchr(" \t\n", list[length - 1]))
            list[--length] = '\0';
        if (is_list(list)) {
            list[length - 1] = '\0';
            put_members(single, slot, next, list + 1, needs_all);
        } else {
            put_member(single, slot, next, list, needs_all);
        }
        end += more;
    }
}

static void fill_structure(const struct single *single, struct slot *slot,
                           bool needs_all) {
    size_t next = 0;
    if (is_list(slot->text)) {
        char *copy = strdup(slot->text);
        put_members(single, slot, &next, copy, needs_all);
        free(copy);
        return;
    }
    while (next < slot->members.count)
        put_member(single, slot, &next, slot->text, needs_all);
}

/* Each member as if it were an argument; of many, one number is enough. */
static char *guess_members(const struct single *single, const struct slot *slot) {
    enum { MOST = 16 };
    char *text = NULL;
    size_t bytes = 0;
    if (slot->members.count > MOST)
        return strdup("1");
    if (slot->members.count == 1)
        return guess_scalar(
            single, &(const struct slot){.type = element_type(&(const struct object){
                                             .type = slot->members.all[0].type})});
    FILE *out = open_memstream(&text, &bytes);
    for (size_t i = 0; i < slot->members.count; i++) {
        const struct object object = {.type = slot->members.all[i].type};
        const struct slot member = {.type = element_type(&object)};
        char *guess = guess_scalar(single, &member);
        fprintf(out, "%s%s", i ? "," : "(", guess);
        free(guess);
    }
    fputc(')', out);
    fclose(out);
    return text;
}

struct source version_source(const struct version *version) {
    return (struct source){.text = version->text ? version->text : version->source,
                           .left_out = version->left_out,
                           .macros = "",
                           .build_options = version->build_options,
                           .language = code_language(version->file)};
}

char *version_describe(struct version *version, const char *chosen, bool types) {
    struct source source = version_source(version);
    char *choice = NULL;
    size_t bytes = 0;
    if (chosen && source.language != OPENCL_C) {
        FILE *out = open_memstream(&choice, &bytes);
        cuda_write_choice(out, chosen);
        fclose(out);
        source.callers = choice;
        source.kernel = chosen;
    }
    char *text = code_describe(version->file, &source, types);
    version->text = source.text;
    version->left_out = source.left_out;
    free(choice);
    return text;
}

void version_print_left_out(const struct version *version, FILE *out) {
    if (version->left_out && *version->left_out)
        fprintf(out, "left out %s\n", version->left_out);
}

char *single_callers(const struct single *single) {
    const struct signature *signature = &single->signature;
    char *callers = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&callers, &bytes);
    if (code_language(single->version->file) == OPENCL_C)
        arguments_write_caller(out, signature->name, signature->arguments,
                               signature->count);
    else
        cuda_write_caller(out, signature, single->shared);
    fclose(out);
    return callers;
}

void version_find_call(struct version *version, const char *kernel) {
    char name[MAX_NAME + 16];
    snprintf(name, sizeof name, "lens_call_%s", kernel);
    *(void **)&version->call = dlsym(version->code.library, name);
}

static void bind_structure(const struct single *single, struct slot *slot,
                           struct argument *argument, const struct given *given) {
    const size_t number = (size_t)(argument - single->signature.arguments);
    struct version *version = single->version;
    char *text = version_describe(version, single->signature.name, true);
    slot->members = members_of(text, single->signature.described, (unsigned)number);
    free(text);
    if (slot->members.count == 0 || slot->members.bytes == 0)
        lens_die("%s is a %s, for which no value can be given" HINT
                 "numbers, vectors and structures can, and buffers of anything",
                 argument->name, argument->type);
    slot->value_guessed = !given || !given->value;
    slot->text = slot->value_guessed ? guess_members(single, slot) : given->value;
    slot->object.space = PRIVATE;
    argument->bytes = slot->members.bytes;
    slot->object.bytes = argument->bytes + SPARE;
    argument->value = slot->object.base = lens_allocate(slot->object.bytes, 1);
    if (!slot->numbers && strncmp(slot->text, "file:", 5) != 0)
        return;
    slot->value = value_read(argument->name, slot->text);
    value_fill(&slot->value, &slot->object, argument->bytes, 1, 0);
    slot->members.count = 0; /* they have their values */
}

static void bind_scalar(const struct single *single, struct slot *slot,
                        struct argument *argument, const struct given *given) {
    if (given && given->elements)
        lens_die("%s is no buffer" HINT "give a number, as in %s=1", argument->name,
                 argument->name);
    if (!element_type(&(const struct object){.type = argument->type}).name) {
        bind_structure(single, slot, argument, given);
        return;
    }
    if (slot->numbers)
        lens_die("%s is a %s, not a %s" HINT
                 "give a buffer or a structure other numbers, as in x[64]:float=1",
                 argument->name, argument->type, slot->numbers);
    slot->value_guessed = !given || !given->value;
    slot->text = slot->value_guessed ? guess_scalar(single, slot) : given->value;
    slot->object.space = PRIVATE;
    argument->bytes = slot_element_bytes(slot);
    slot->object.bytes = argument->bytes + SPARE;
    int64_t number;
    if (is_whole(slot) && !slot_is_size(single, slot) && !is_number(slot->text) &&
        (single->sized.elements || slots_number(single, slot->text, &number)))
        slot->formula = slot->text;
    argument->value = slot->object.base = lens_allocate(slot->object.bytes, 1);
    if (slot->formula || slot_is_size(single, slot))
        return;
    slot->value = value_read(argument->name, slot->text);
    if (slot->value.kind != NUMBERS)
        lens_die("%s cannot be '%s'" HINT "its type is %s: give a number",
                 argument->name, slot->text, argument->type);
    value_fill(&slot->value, &slot->object, argument->bytes, 1, 0);
    slot->known = true;
}

/* The memory of an argument has a size that was given, in units of so many bytes. */
static void give_size(struct slot *slot, char *text, size_t unit) {
    slot->formula = text;
    slot->unit = unit;
}

static void bind_local(const struct single *single, struct slot *slot,
                       const struct given *given) {
    const size_t *local = single->run.job.local;
    slot->object.space = LOCAL;
    if (given && given->elements)
        give_size(slot, given->elements, slot_element_bytes(slot));
    else if (given && given->value)
        give_size(slot, given->value, 1);
    else
        guess_size(single, slot, (uint64_t)local[0] * local[1] * local[2], "local");
    slot->object.base = region_make();
}

static void bind_buffer(const struct single *single, struct slot *slot,
                        const struct given *given, bool constant) {
    slot->value_guessed = !given || !given->value;
    slot->text = !slot->value_guessed          ? given->value
                 : constant && slot->type.name ? strdup("random")
                                               : strdup("0");
    slot->is_null = strcmp(slot->text, "null") == 0 || strcmp(slot->text, "NULL") == 0;
    if (slot->is_null) {
        if (given->elements)
            lens_die("%s is null and has a size" HINT "give one of them: %s=null",
                     slot->object.name, slot->object.name);
        return;
    }
    slot->value = value_read(slot->object.name, slot->text);
    if (given && given->elements)
        give_size(slot, given->elements, slot_element_bytes(slot));
    else if (slot->value.kind == CONTENT)
        slot->object.bytes = slot->value.bytes;
    else
        guess_size(single, slot, work_items(single), single->sized.elements);
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
static void bind_image(const struct single *single, struct slot *slot,
                       const struct argument *argument, const struct given *given) {
    enum { SHORT = 16 };
    static const char *const kinds[] = {"image1d_t", "image2d_t", "image3d_t"};
    struct image *image = slot->image = lens_allocate(1, sizeof *image);
    *image = (struct image){.order = CL_RGBA, .type = CL_FLOAT, .size = {1, 1, 1}};
    for (unsigned k = 0; k < 3; k++)
        if (strncmp(argument->type, kinds[k], strlen("image1d")) == 0)
            image->dimensions = k + 1;
    image->layered = strstr(argument->type, "_array") != NULL;
    if (single->sized.elements && !(given && given->elements))
        skip("%s is an image, which --all-sizes cannot size" HINT
             "give its size, as in %s[640x480]",
             argument->name, argument->name);
    if (given && given->elements)
        read_image_size(slot, given->elements);
    for (unsigned d = 0; !(given && given->elements); d++) {
        if (d == image->dimensions + image->layered)
            break;
        image->size[d] =
            d < single->run.job.dimensions ? single->run.job.global[d] : SHORT;
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
    slot->type = slot_texel_type(image);
}

/* What the numbers in it are, whatever the kernel calls them. */
static void give_type(struct slot *slot, const char *type) {
    const struct object numbers = {.type = type};
    char *pointer;
    if (!element_type(&numbers).name || strchr(type, '*') ||
        asprintf(&pointer, "%s*", type) < 0)
        lens_die("%s cannot hold numbers of type '%s'" HINT
                 "give one of OpenCL's, such as float, uint, half or uchar4",
                 slot->object.name, type);
    slot->numbers = type;
    slot->object.type = pointer;
}

static void bind_slot(struct single *single, const struct call *call, cl_uint i) {
    struct argument *argument = &single->signature.arguments[i];
    struct slot *slot = &single->slots[i];
    const struct given *given = call_given(call, argument->name);
    slot->seed = i;
    slot->object = (struct object){
        .name = argument->name, .type = argument->type, .space = GLOBAL};
    if (given && *given->type)
        give_type(slot, given->type);
    slot->type = element_type(&slot->object);
    if (argument_is_sampler(argument))
        bind_sampler(slot, argument, given);
    else if (argument_is_image(argument))
        bind_image(single, slot, argument, given);
    else if (argument->space == CL_KERNEL_ARG_ADDRESS_PRIVATE)
        bind_scalar(single, slot, argument, given);
    else if (argument->space == CL_KERNEL_ARG_ADDRESS_LOCAL)
        bind_local(single, slot, given);
    else
        bind_buffer(single, slot, given, single->signature.constant[i]);
    if (argument->space == CL_KERNEL_ARG_ADDRESS_CONSTANT)
        slot->object.space = CONSTANT;
}

void slots_evaluate_numbers(struct single *single, bool needs_all) {
    for (cl_uint i = 0; i < single->signature.count; i++)
        single->slots[i].known &= !single->slots[i].formula;
    for (cl_uint i = 0; i < single->signature.count; i++) {
        struct slot *slot = &single->slots[i];
        int64_t number = 0;
        if (!slot->formula || slot->object.space != PRIVATE)
            continue;
        const bool is_read = slots_number(single, slot->formula, &number);
        if (is_read)
            slot_put(slot, number);
        else if (needs_all)
            lens_die("%s cannot be '%s'" HINT
                     "its type is %s: give a number, or a formula "
                     "such as n / 2",
                     slot->object.name, slot->formula, slot->object.type);
    }
    for (cl_uint i = 0; i < single->signature.count; i++)
        if (single->slots[i].members.count > 0)
            fill_structure(single, &single->slots[i], needs_all);
}

void slots_evaluate(struct single *single) {
    slots_evaluate_numbers(single, true);
    for (cl_uint i = 0; i < single->signature.count; i++) {
        struct slot *slot = &single->slots[i];
        if (slot->formula && slot->object.space != PRIVATE)
            slot->object.bytes = read_bytes(single, slot, slot->formula, slot->unit);
    }
}

void slots_bind(struct single *single, const struct call *call) {
    struct signature *signature = &single->signature;
    struct run *run = &single->run;
    const size_t own = single->own.code.object_count,
                 ours = single->ours.code.object_count;
    run->job.objects = lens_allocate(signature->count + (own > ours ? own : ours),
                                     sizeof *run->job.objects);
    run->job.arguments = lens_allocate(signature->count, sizeof *run->job.arguments);
    for (cl_uint i = 0; i < signature->count; i++) {
        bind_slot(single, call, i);
        const struct slot *slot = &single->slots[i];
        run->job.arguments[i] = argument_is_sampler(&signature->arguments[i])
                                    ? *(const unsigned *)(const void *)slot->object.base
                                : slot->image ? (uint64_t)(uintptr_t)slot->image
                                              : (uint64_t)(uintptr_t)slot->object.base;
    }
}

/* Rows of texels are filled like a buffer, and then brought into the image's order. */
static void fill_image(const struct single *single, const struct slot *slot) {
    const struct image *image = slot->image;
    const size_t bytes = image_host_bytes(image);
    struct object texels = {.name = slot->object.name,
                            .type = texel_name(image),
                            .base = lens_allocate(bytes, 1)};
    value_fill(&slot->value, &texels, bytes, work_items(single), slot->seed);
    memset(image->base, 0, rounded(slot->object.bytes));
    image_from_host(image, texels.base);
    free(texels.base);
}

void slots_fill(struct single *single) {
    const struct signature *signature = &single->signature;
    const uint64_t below = single->sized.elements ? single->n : work_items(single);
    for (cl_uint i = 0; i < signature->count; i++) {
        const struct slot *slot = &single->slots[i];
        if (slot->image)
            fill_image(single, slot);
        else if (!slot->is_null &&
                 (slot->object.space == GLOBAL || slot->object.space == CONSTANT))
            value_fill(&slot->value, &slot->object, slot->object.bytes, below,
                       slot->seed);
        single->run.job.objects[i] = slot->object;
    }
    const struct code *code = &single->version->code;
    for (size_t i = 0; i < code->object_count; i++)
        single->run.job.objects[signature->count + i] = code->objects[i];
    single->run.job.object_count = signature->count + code->object_count;
}

bool single_may_write(const struct single *single, size_t object) {
    return object < single->signature.count &&
           single->slots[object].object.space == GLOBAL &&
           !single->signature.constant[object];
}

const char *single_guessed_size(const struct single *single, size_t object) {
    return object < single->signature.count && single->slots[object].size_guessed
               ? single->slots[object].formula
               : NULL;
}
