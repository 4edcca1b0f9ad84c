/* constants: writes a code as constants of LLVM's language, and finds it in the library
 * that is made of them.
 *
 *     @lens_text0 = private constant [10 x i8] c"kernel.cl\00"
 *     @lens_sites = private constant [2 x %lens_site] [
 *       %lens_site { i32 2, %lens_place { ptr @lens_text0, i32 15, i32 16, ptr null },
 * ...
 *     @lens_code = constant %lens_code { ptr @lens_sites, ...
 *
 * Each type has the members of a structure of code.h, in its order, and is laid out as
 * C lays it out.  Source: LLVM Language Reference Manual, "Data Layout". */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "constants.h"
#include "base/memory.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static const char types[] =
    "%lens_place = type { ptr, i32, i32, ptr }\n"
    "%lens_site = type { i32, %lens_place, i8, i32, i8, i8, i8, i8, i8, i32 }\n"
    "%lens_effort = type { [6 x i32], i32, i32, i32 }\n"
    "%lens_block = type { i32, i32, ptr, i64, i32, ptr, i64, %lens_effort }\n"
    "%lens_object = type { ptr, ptr, ptr, i32, ptr, i64, i8, i8, ptr }\n"
    "%lens_refusal = type { ptr, ptr }\n"
    "%lens_recursion = type { ptr, ptr, i32 }\n"
    "%lens_code = type { ptr, ptr, ptr, ptr, ptr, i64, i64, i64, i64, i64, ptr, ptr "
    "}\n";

/* Their sizes, by which a library of another lens is known. */
static const char *const names[] = {"place",  "site",    "effort",    "block",
                                    "object", "refusal", "recursion", "code"};
static const size_t sizes[] = {sizeof(struct place),     sizeof(struct site),
                               sizeof(struct effort),    sizeof(struct block),
                               sizeof(struct object),    sizeof(struct refusal),
                               sizeof(struct recursion), sizeof(struct code)};
enum { TYPES = sizeof sizes / sizeof *sizes };
_Static_assert(WORKS == 6, "lens_effort has as many");

/* ---- What is pointed to. */
static size_t text_number(struct constants *constants, const char *text) {
    for (size_t i = 0; i < constants->text_count; i++)
        if (constants->texts[i] == text || strcmp(constants->texts[i], text) == 0)
            return i;
    *GROW(constants->texts, constants->text_count) = strdup(text);
    return constants->text_count - 1;
}

const char *constants_text(struct constants *constants, const char *text) {
    const size_t number = text_number(constants, text);
    return constants->texts[number];
}

void constants_free(struct code *code, struct constants *constants) {
    for (size_t i = 0; i < code->block_count; i++) {
        free(code->blocks[i].successors);
        free(code->blocks[i].places);
    }
    free(code->sites);
    free(code->blocks);
    free(code->objects);
    free(code->refusals);
    free(code->recursions);
    for (size_t i = 0; i < constants->text_count; i++)
        free(constants->texts[i]);
    for (size_t i = 0; i < constants->memory_count; i++)
        free(constants->memory[i]);
    free(constants->texts);
    free(constants->memory);
    free(constants->calls);
}

/* ---- The pieces of constants.  A text gets its number here, and is written last. */
static void write_text(struct constants *constants, const char *text, FILE *out) {
    if (text)
        fprintf(out, "ptr @lens_text%zu", text_number(constants, text));
    else
        fputs("ptr null", out);
}

static void write_place(struct constants *constants, struct place place, FILE *out) {
    fputs("%lens_place { ", out);
    write_text(constants, place.file, out);
    fprintf(out, ", i32 %u, i32 %u, ptr ", place.line, place.column);
    if (place.call)
        fprintf(out, "@lens_call%zu }", (size_t)(place.call - constants->calls));
    else
        fputs("null }", out);
}

static void write_site(struct constants *constants, const struct site *site,
                       FILE *out) {
    fprintf(out, "%%lens_site { i32 %d, ", (int)site->kind);
    write_place(constants, site->place, out);
    fprintf(out, ", i8 %d, i32 %u, i8 %d, i8 %d, i8 %d, i8 %d, i8 %d, i32 %d }",
            site->real, site->alignment, site->unwritten, site->may_be_unwritten,
            site->for_component, site->overwrites, site->beside_written,
            (int)site->value);
}

/* A block's own arrays are "@lens_successors7" and "@lens_places7". */
static void write_arrays(struct constants *constants, const struct block *block,
                         size_t number, FILE *out) {
    fprintf(out, "@lens_successors%zu = private constant [%zu x i32] [", number,
            block->successor_count);
    for (size_t i = 0; i < block->successor_count; i++)
        fprintf(out, "%si32 %d", i ? ", " : "", block->successors[i]);
    fprintf(out, "]\n@lens_places%zu = private constant [%zu x %%lens_place] [", number,
            block->place_count);
    for (size_t i = 0; i < block->place_count; i++) {
        fputs(i ? ",\n  " : "\n  ", out);
        write_place(constants, block->places[i], out);
    }
    fputs("]\n", out);
}

static void write_block(const struct block *block, size_t number, FILE *out) {
    fprintf(out,
            "%%lens_block { i32 %u, i32 %u, ptr @lens_successors%zu, i64 %zu, i32 %d, "
            "ptr @lens_places%zu, i64 %zu, %%lens_effort { [%d x i32] [",
            block->instructions, block->branch, number, block->successor_count,
            block->reconverge, number, block->place_count, WORKS);
    for (int i = 0; i < WORKS; i++)
        fprintf(out, "%si32 %u", i ? ", " : "", block->effort.work[i]);
    fprintf(out, "], i32 %u, i32 %u, i32 %u } }", block->effort.waits,
            block->effort.waits_loads, block->effort.polls);
}

static void write_object(struct constants *constants, const struct object *object,
                         size_t number, FILE *out) {
    fputs("%lens_object { ", out);
    write_text(constants, object->name, out);
    fputs(", ptr null, ", out);
    write_text(constants, object->kernel, out);
    fprintf(out, ", i32 %d, %s, i8 0, i8 0, ptr null }", (int)object->space,
            constants->memory[number]);
}

/* ---- Arrays of them. */
static void begin_array(const char *name, const char *type, size_t count, FILE *out) {
    fprintf(out, "@lens_%s = private constant [%zu x %%lens_%s] [", name, count, type);
}

static void write_separator(size_t i, FILE *out) {
    fputs(i ? ",\n  " : "\n  ", out);
}

static void write_known(const struct code *code, struct constants *constants,
                        FILE *out) {
    for (size_t i = 0; i < code->block_count; i++)
        write_arrays(constants, &code->blocks[i], i, out);
    begin_array("sites", "site", code->site_count, out);
    for (size_t i = 0; i < code->site_count; i++) {
        write_separator(i, out);
        write_site(constants, &code->sites[i], out);
    }
    fputs("]\n", out);
    begin_array("blocks", "block", code->block_count, out);
    for (size_t i = 0; i < code->block_count; i++) {
        write_separator(i, out);
        write_block(&code->blocks[i], i, out);
    }
    fputs("]\n", out);
    begin_array("objects", "object", code->object_count, out);
    for (size_t i = 0; i < code->object_count; i++) {
        write_separator(i, out);
        write_object(constants, &code->objects[i], i, out);
    }
    fputs("]\n", out);
}

static void write_lacking(const struct code *code, struct constants *constants,
                          FILE *out) {
    begin_array("refusals", "refusal", code->refusal_count, out);
    for (size_t i = 0; i < code->refusal_count; i++) {
        write_separator(i, out);
        fputs("%lens_refusal { ", out);
        write_text(constants, code->refusals[i].kernel, out);
        fputs(", ", out);
        write_text(constants, code->refusals[i].why, out);
        fputs(" }", out);
    }
    fputs("]\n", out);
    begin_array("recursions", "recursion", code->recursion_count, out);
    for (size_t i = 0; i < code->recursion_count; i++) {
        write_separator(i, out);
        fputs("%lens_recursion { ", out);
        write_text(constants, code->recursions[i].kernel, out);
        fputs(", ", out);
        write_text(constants, code->recursions[i].function, out);
        fprintf(out, ", i32 %u }", code->recursions[i].site);
    }
    fputs("]\n", out);
}

static void write_pointed(struct constants *constants, FILE *out) {
    for (size_t i = 0; i < constants->call_count; i++) {
        if (!constants->calls[i].file)
            continue;
        fprintf(out, "@lens_call%zu = private constant ", i);
        write_place(constants, constants->calls[i], out);
        fputc('\n', out);
    }
    for (size_t i = 0; i < constants->text_count; i++) {
        fprintf(out, "@lens_text%zu = private constant [%zu x i8] c\"", i,
                strlen(constants->texts[i]) + 1);
        for (const char *p = constants->texts[i]; *p; p++)
            fprintf(out, "\\%02X", (unsigned char)*p);
        fputs("\\00\"\n", out);
    }
}

void constants_write(const struct code *code, struct constants *constants, FILE *out) {
    fputs(types, out);
    write_known(code, constants, out);
    write_lacking(code, constants, out);
    fprintf(out,
            "@lens_code = constant %%lens_code { ptr @lens_sites, ptr @lens_blocks, "
            "ptr @lens_objects, ptr @lens_refusals, ptr @lens_recursions, "
            "i64 %zu, i64 %zu, i64 %zu, i64 %zu, i64 %zu, ",
            code->site_count, code->block_count, code->object_count,
            code->refusal_count, code->recursion_count);
    write_text(constants, code->compiler, out);
    fprintf(out, ", ptr null }\n@lens_sizes = constant [%d x i64] [", TYPES);
    for (int i = 0; i < TYPES; i++)
        fprintf(out,
                "%si64 ptrtoint (ptr getelementptr (%%lens_%s, ptr null, i64 1) to "
                "i64)",
                i ? ", " : "", names[i]);
    fputs("]\n", out);
    write_pointed(constants, out);
}

bool constants_read(struct code *code, void *library) {
    const struct code *known = dlsym(library, "lens_code");
    const size_t *theirs = dlsym(library, "lens_sizes");
    if (!known || !theirs || memcmp(theirs, sizes, sizeof sizes) != 0)
        return false;
    *code = *known;
    code->library = library;
    return true;
}
