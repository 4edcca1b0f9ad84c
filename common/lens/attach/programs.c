/* programs: remembers programs and kernels, and compiles them for the replay. */
#define _GNU_SOURCE /* open_memstream */
#include "programs.h"
#include "base/memory.h"
#include "base/spelling.h"
#include "device_macros.h"
#include "image_copies.h"
#include "next_functions.h"
#include "settings.h"
#include "sources.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static struct {
    struct program **programs;
    struct program **beside; /* those of the files of comparison.h */
    struct kernel **kernels;
    const char **names; /* of kernels, released ones as well, each once */
    size_t program_count, beside_count, kernel_count, name_count;
} known;

static struct program *program_find(cl_program id) {
    for (size_t i = known.program_count; i-- > 0;)
        if (known.programs[i]->id == id)
            return known.programs[i];
    return NULL;
}

struct kernel *kernel_find(cl_kernel id) {
    for (size_t i = known.kernel_count; i-- > 0;)
        if (known.kernels[i]->id == id)
            return known.kernels[i];
    return NULL;
}

size_t kernels_seen(void) {
    return known.kernel_count;
}

char *kernels_in_words(const char *wanted) {
    char *text = NULL, *first = strndup(wanted, strcspn(wanted, "\n"));
    size_t bytes = 0;
    const char *meant = spelling_meant(first, known.names, known.name_count);
    FILE *out = open_memstream(&text, &bytes);
    if (meant)
        fprintf(out, "did you mean %s? ", meant);
    for (size_t i = 0; i < known.name_count; i++)
        fprintf(out, "%s%s", i ? ", " : "the program has ", known.names[i]);
    fclose(out);
    free(first);
    return text;
}

/* ---- Programs and kernels. */
void program_add(cl_program id, cl_uint count, const char **texts,
                 const size_t *lengths) {
    struct program *program = lens_allocate(1, sizeof *program);
    size_t bytes = 0;
    FILE *source = open_memstream(&program->source, &bytes);
    for (cl_uint i = 0; i < count; i++)
        fwrite(texts[i], 1, lengths && lengths[i] ? lengths[i] : strlen(texts[i]),
               source);
    fclose(source);
    program->id = id;
    program->options = strdup("");
    *GROW(known.programs, known.program_count) = program;
}

void program_built(cl_program id, const char *build_options) {
    struct program *program = program_find(id);
    if (!program)
        return;
    free(program->options);
    free(program->callers);
    free(program->macros);
    program->callers = program->macros = NULL;
    program->options = strdup(build_options);
    program->build_count = 0;
    program->builds = NULL;
    program->reading = UNREAD;
    digests_free(&program->digests);
}

void program_compiled(cl_program id, const char *build_options, cl_uint count,
                      const cl_program *headers, const char **names) {
    struct program *program = program_find(id);
    struct header *texts = lens_allocate(count, sizeof *texts);
    size_t known_count = 0;
    for (cl_uint i = 0; i < count; i++) {
        const struct program *header = program_find(headers[i]);
        if (header)
            texts[known_count++] = (struct header){names[i], header->source};
    }
    program_built(id, build_options);
    if (program) {
        free(program->compiled);
        program->compiled = sources_include(program->source, texts, known_count);
    }
    free(texts);
}

/* A part that is not known, or that has other options, leaves the whole unknown. */
void program_linked(cl_program id, cl_uint count, const cl_program *parts) {
    const char **texts = lens_allocate(count, sizeof *texts);
    const char *build_options = NULL;
    bool alike = count > 0;
    for (cl_uint i = 0; i < count && alike; i++) {
        const struct program *part = program_find(parts[i]);
        if (part && !build_options)
            build_options = part->options;
        if (part)
            texts[i] = part->compiled ? part->compiled : part->source;
        alike = part && strcmp(part->options, build_options) == 0;
    }
    if (alike) {
        char *whole = sources_join(texts, count), *own = strdup(build_options);
        program_add(id, 1, (const char *[]){whole}, NULL);
        program_built(id, own);
        free(whole);
        free(own);
    }
    free(texts);
}

static bool describe(struct kernel *kernel) {
    clGetKernelInfo(kernel->id, CL_KERNEL_FUNCTION_NAME, MAX_NAME, kernel->name, NULL);
    clGetKernelInfo(kernel->id, CL_KERNEL_NUM_ARGS, sizeof kernel->count,
                    &kernel->count, NULL);
    for (cl_uint i = 0; i < kernel->count && i < MAX_ARGUMENTS; i++) {
        struct argument *argument = &kernel->arguments[i];
        cl_kernel_arg_access_qualifier access = CL_KERNEL_ARG_ACCESS_NONE;
        clGetKernelArgInfo(kernel->id, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access,
                           &access, NULL);
        argument->written = access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
        if (clGetKernelArgInfo(kernel->id, i, CL_KERNEL_ARG_NAME, MAX_NAME,
                               argument->name, NULL) ||
            clGetKernelArgInfo(kernel->id, i, CL_KERNEL_ARG_TYPE_NAME, MAX_NAME,
                               argument->type, NULL) ||
            clGetKernelArgInfo(kernel->id, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
                               sizeof argument->space, &argument->space, NULL))
            return false;
        if (argument_is_sampler(argument))
            argument->space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
    }
    return kernel->count <= MAX_ARGUMENTS;
}

/* An identity may be used again after a kernel was released. */
static struct kernel *entry_for(cl_kernel id) {
    struct kernel *kernel = kernel_find(id);
    if (!kernel)
        kernel = *GROW(known.kernels, known.kernel_count) =
            lens_allocate(1, sizeof *kernel);
    for (cl_uint i = 0; i < MAX_ARGUMENTS; i++)
        free(kernel->arguments[i].value);
    free(kernel->reached);
    *kernel = (struct kernel){.id = id};
    return kernel;
}

/* The entry is another kernel's as soon as its identity is; the name stays. */
static void keep_name(const char *name) {
    for (size_t i = 0; i < known.name_count; i++)
        if (strcmp(known.names[i], name) == 0)
            return;
    *GROW(known.names, known.name_count) = strdup(name);
}

void kernel_add(cl_kernel id) {
    cl_program program = NULL;
    clGetKernelInfo(id, CL_KERNEL_PROGRAM, sizeof program, &program, NULL);
    struct kernel *kernel = entry_for(id);
    const bool described = describe(kernel);
    keep_name(kernel->name);
    if (described)
        kernel->program = program_find(program);
}

void kernel_cloned(cl_kernel id, cl_kernel from) {
    const struct kernel *original = kernel_find(from);
    struct kernel *kernel = original ? entry_for(id) : NULL;
    if (!original)
        return;
    *kernel = *original;
    kernel->id = id;
    kernel->reached = NULL;
    kernel_share(id, (const void *const *)original->reached, original->reached_count);
    for (cl_uint i = 0; i < MAX_ARGUMENTS; i++) {
        struct argument *argument = &kernel->arguments[i];
        if (argument->value)
            argument->value = memcpy(lens_allocate(argument->bytes + SPARE, 1),
                                     argument->value, argument->bytes);
    }
}

void kernel_set_argument(cl_kernel id, cl_uint index, size_t bytes, const void *value) {
    struct kernel *kernel = kernel_find(id);
    if (!kernel || index >= MAX_ARGUMENTS)
        return;
    struct argument *argument = &kernel->arguments[index];
    unsigned sampler;
    if (argument_is_sampler(argument) && value && bytes == sizeof(cl_sampler)) {
        sampler = sampler_bits(*(const cl_sampler *)value);
        value = &sampler;
        bytes = sizeof sampler;
    }
    free(argument->value);
    argument->value =
        value ? memcpy(lens_allocate(bytes + SPARE, 1), value, bytes) : NULL;
    argument->bytes = bytes;
    argument->set = true;
    argument->shared = false;
}

void kernel_share_argument(cl_kernel id, cl_uint index, const void *pointer) {
    struct kernel *kernel = kernel_find(id);
    if (!kernel || index >= MAX_ARGUMENTS)
        return;
    kernel_set_argument(id, index, 0, NULL);
    kernel->arguments[index].shared = true;
    kernel->arguments[index].pointer = (char *)(uintptr_t)pointer;
}

void kernel_share(cl_kernel id, const void *const *pointers, size_t count) {
    struct kernel *kernel = kernel_find(id);
    if (!kernel)
        return;
    free(kernel->reached);
    kernel->reached = lens_allocate(count, sizeof *kernel->reached);
    kernel->reached_count = count;
    if (count > 0)
        memcpy(kernel->reached, pointers, count * sizeof *pointers);
}

void kernel_share_all(cl_kernel id, bool all) {
    struct kernel *kernel = kernel_find(id);
    if (kernel)
        kernel->reaches_all = all;
}

bool kernel_shares(const struct kernel *kernel) {
    bool shares = kernel->reached_count > 0;
    for (cl_uint i = 0; i < kernel->count; i++)
        shares |= kernel->arguments[i].shared;
    return shares;
}

/* The driver knows it, whichever call the program has made. */
bool program_is_spirv(cl_kernel id) {
    enum { CODE = 0x1169 }; /* CL_PROGRAM_IL, of OpenCL 2.1 */
    cl_program program = NULL;
    size_t bytes = 0;
    clGetKernelInfo(id, CL_KERNEL_PROGRAM, sizeof program, &program, NULL);
    return clGetProgramInfo(program, CODE, 0, NULL, &bytes) == CL_SUCCESS && bytes > 0;
}

/* ---- Callers: see arguments.c. */
static char *callers_of(const struct program *program) {
    REAL(clCreateKernel);
    char *callers = NULL, names[1 << 14] = "";
    size_t bytes = 0;
    FILE *out = open_memstream(&callers, &bytes);
    clGetProgramInfo(program->id, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL);
    for (char *name = strtok(names, ";"); name; name = strtok(NULL, ";")) {
        struct kernel kernel = {.id = real_clCreateKernel(program->id, name, NULL)};
        if (kernel.id && describe(&kernel))
            arguments_write_caller(out, kernel.name, kernel.arguments, kernel.count);
        if (kernel.id)
            clReleaseKernel(kernel.id);
    }
    fclose(out);
    return callers;
}

static const char *callers(struct program *program) {
    if (!program->callers)
        program->callers = callers_of(program);
    return program->callers;
}

static struct build *build_of(struct program *program, const char *name) {
    for (size_t i = 0; i < program->build_count; i++)
        if (strcmp(program->builds[i]->name, name) == 0)
            return program->builds[i];
    struct build *build = lens_allocate(1, sizeof *build);
    snprintf(build->name, sizeof build->name, "%s", name);
    return *GROW(program->builds, program->build_count) = build;
}

/* The line of the callers that calls this kernel, or all of them. */
static char *caller_of(const char *callers, const char *kernel) {
    char call[MAX_NAME + 32];
    snprintf(call, sizeof call, "void lens_call_%s(", kernel);
    const char *found = *kernel ? strstr(callers, call) : callers;
    return found ? strndup(found, *kernel ? strcspn(found, "\n") : strlen(found))
                 : NULL;
}

static const char *macros(struct program *program) {
    if (!program->macros)
        program->macros = device_macros(program->id, program->options, program->source);
    return program->macros;
}

/* ---- What is the same. */
void programs_read(struct program *const *programs, size_t count) {
    struct source *sources = lens_allocate(count, sizeof *sources);
    struct program **unread = lens_allocate(count, sizeof *unread);
    size_t unread_count = 0;
    for (size_t i = 0; i < count; i++) {
        struct program *program = programs[i];
        if (program->reading != UNREAD)
            continue;
        program->reading = UNREADABLE;
        sources[unread_count] = (struct source){.text = program->source,
                                                .macros = macros(program),
                                                .build_options = program->options};
        unread[unread_count++] = program;
    }
    code_digest_all(sources, unread_count);
    for (size_t i = 0; i < unread_count; i++) {
        unread[i]->digests = sources[i].digests;
        if (sources[i].compiled)
            unread[i]->reading = READ;
    }
    free(sources);
    free(unread);
}

bool programs_share(struct program *one, struct program *other, const char *kernel) {
    if (strcmp(one->source, other->source) == 0)
        return true;
    programs_read((struct program *const[]){one, other}, 2);
    const struct digest *a = digests_find(&one->digests, kernel),
                        *b = digests_find(&other->digests, kernel);
    return a && b && a->number == b->number;
}

/* Has a file that compiles no such kernel? */
static bool lacks(const struct program *program, const char *kernel) {
    return program->reading == READ && !digests_find(&program->digests, kernel);
}

/* Of a file beside: the callers of all kernels that it changes.  If that is one, the
 * text is the one of caller_of(), so that it is compiled only once. */
static char *changed_callers(struct program *beside) {
    static const char head[] = "void lens_call_";
    const char *between = "";
    char *changed = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&changed, &bytes);
    for (const char *line = callers(beside); *line; line += strcspn(line, "\n") + 1) {
        char name[MAX_NAME];
        sscanf(line + strlen(head), "%127[^(]", name);
        if (programs_share(beside->unchanged, beside, name) || lacks(beside, name))
            continue;
        fprintf(out, "%s%.*s", between, (int)strcspn(line, "\n"), line);
        between = "\n";
    }
    fclose(out);
    return changed;
}

/* ---- Code. */

/* A kernel that is compared with others is compiled alone: it takes a tenth of the
 * time, and what lies beside its arrays in memory does not depend on the other kernels
 * of its file.  What a file beside has changed is compiled at once, and in the same way
 * whatever it is compared with, so that the cache knows it. */
static struct build *build_for(struct program *program, const char *kernel) {
    const bool alone = (settings->beside || settings->instead) && !program->own;
    return build_of(program, alone ? kernel : "");
}

/* What is to be compiled for it; the callers are to be freed, and NULL if none is
 * known.
 */
static struct source source_for(struct program *program, const struct build *build) {
    return (struct source){.text = program->source,
                           .macros = macros(program),
                           .callers = program->own
                                          ? changed_callers(program)
                                          : caller_of(callers(program), build->name),
                           .build_options = program->options};
}

void programs_compile(struct program *const *programs, size_t count,
                      const char *kernel) {
    struct source *sources = lens_allocate(count, sizeof *sources);
    struct build **builds = lens_allocate(count, sizeof *builds);
    size_t untried = 0;
    for (size_t i = 0; i < count; i++) {
        struct build *build = build_for(programs[i], kernel);
        if (build->state != UNTRIED)
            continue;
        build->state = FAILED;
        builds[untried] = build;
        sources[untried] = source_for(programs[i], build);
        untried += sources[untried].callers != NULL;
    }
    code_compile_all(sources, untried);
    for (size_t i = 0; i < untried; i++) {
        builds[i]->code = sources[i].code;
        builds[i]->state = sources[i].compiled ? READY : FAILED;
        free((char *)(uintptr_t)sources[i].callers);
    }
    free(sources);
    free(builds);
}

const struct code *program_code(struct program *program, const char *kernel) {
    struct build *build = build_for(program, kernel);
    programs_compile(&program, 1, kernel);
    return build->state == READY ? &build->code : NULL;
}

bool program_remembers(struct program *program, const char *kernel) {
    const struct code *code = program_code(program, kernel);
    for (size_t i = 0; code && i < code->object_count; i++)
        if (code->objects[i].space == GLOBAL)
            return true;
    return false;
}

/* Finds what is to be called; false: nothing is. */
bool program_call(struct program *program, const char *kernel, struct run *run) {
    char name[MAX_NAME + 16];
    snprintf(name, sizeof name, "lens_call_%s", kernel);
    run->job.code = program_code(program, kernel);
    run->job.source = program->source;
    if (run->job.code)
        *(void **)&run->job.call = dlsym(run->job.code->library, name);
    return run->job.call && !code_refusal(run->job.code, kernel);
}

/* A file is compiled with the options of the program's own, and called in the same way.
 */
struct program *program_beside(struct program *own, size_t file, char *source,
                               struct program *unchanged) {
    for (size_t i = 0; i < known.beside_count; i++) {
        struct program *beside = known.beside[i];
        if (beside->file == file && strcmp(beside->own->source, own->source) == 0 &&
            strcmp(beside->options, own->options) == 0) {
            beside->own = own;
            return beside;
        }
    }
    struct program *program = lens_allocate(1, sizeof *program);
    *program = (struct program){.source = source,
                                .macros = device_macros(own->id, own->options, source),
                                .options = strdup(own->options),
                                .callers = strdup(callers(own)),
                                .file = file,
                                .own = own,
                                .unchanged = unchanged};
    return *GROW(known.beside, known.beside_count) = program;
}
