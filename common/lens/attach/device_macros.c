/* device_macros: finds which of the macros that a source's conditions depend on are
 * defined by the device's own compiler, with a kernel that is built with the same
 * options:
 *
 *     constant char lens_text[] =
 *     #ifdef __x86_64__
 *         "__x86_64__=" LENS_TEXT(__x86_64__) "\n"
 *     #endif
 *
 * It writes this text into a buffer: "__x86_64__=1".  Without that, an
 * #ifdef would have one meaning on the device and another in the replay. */
#define _GNU_SOURCE /* open_memstream */
#include "device_macros.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/starts.h"
#include "next_functions.h"
#include "sources.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANSWER = 1 << 16 }; /* bytes, at most */

struct names {
    char **all;
    size_t count;
};

static size_t word_length(const char *text) {
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

/* ---- Which macros. */

/* Does builtins.cl define it? */
static bool is_built_in(const char *name) {
    static char *text;
    char define[256], path[4096];
    snprintf(define, sizeof define, "#define %s", name);
    if (!text) {
        snprintf(path, sizeof path, "%s/builtins.cl", lens_folder());
        FILE *file = fopen(path, "r");
        size_t room = 0;
        if (!file || getdelim(&text, &room, '\0', file) < 0)
            text = strdup("");
        if (file)
            fclose(file);
    }
    for (const char *p = text; (p = strstr(p, define)); p += strlen(define))
        if (word_length(p + strlen(define)) == 0)
            return true;
    return false;
}

/* These mean in the replay what they mean there, whatever the device says. */
static bool is_own(const char *name) {
    static const char *const own[] = {
        "defined", "__kernel", "__global", "__local", "__constant", "__private",
        /* The compiler's own, which are no macros of a device, or change all the time.
         */
        "__attribute__", "__VA_ARGS__", "__FILE__", "__LINE__", "__COUNTER__",
        "__DATE__", "__TIME__", "__TIMESTAMP__", "__INCLUDE_LEVEL__",
        /* Where these are defined, instructions of another machine may follow (PTX
         * within asm), which this one cannot execute. */
        "__NV_CL_C_VERSION", "__PTX__", "__NVPTX__", "__AMDGCN__", "__AMDGPU__",
        "__AMD__", "__SPIR__", "__SPIRV__"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(name, own[i]) == 0)
            return true;
    /* The replay has sub-groups: its warps, which many a device lacks. */
    return starts(name, "__builtin_") || starts(name, "__has_") ||
           strstr(name, "subgroup") || is_built_in(name);
}

static void add_name(struct names *names, const char *word, size_t length) {
    char *name = strndup(word, length);
    bool known = is_own(name);
    for (size_t i = 0; i < names->count && !known; i++)
        known = strcmp(names->all[i], name) == 0;
    if (known)
        free(name);
    else
        *GROW(names->all, names->count) = name;
}

/* All identifiers in conditions, and those with two underscores in front, which are the
 * compiler's in every place. */
static struct names names_in(const char *source) {
    struct names names = {NULL, 0};
    char *text = sources_plain(source);
    bool condition = false;
    for (const char *p = text; *p;) {
        const size_t length = word_length(p);
        if (*p == '\n') {
            const char *word = p + 1 + strspn(p + 1, "# ");
            condition = p[1] == '#' && (starts(word, "if") || starts(word, "elif"));
            p = p[1] == '#' ? word + word_length(word) : p + 1;
            continue;
        }
        if (length > 0 && !isdigit((unsigned char)*p) && (condition || starts(p, "__")))
            add_name(&names, p, length);
        p += length ? length : 1;
    }
    free(text);
    return names;
}

/* ---- The question. */
static char *question_of(const struct names *names) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    /* The parentheses hold commas together, for want of variadic macros (NVIDIA). */
    fputs("#define LENS_STRING(text) #text\n"
          "#define LENS_TEXT(text) LENS_STRING((text))\n"
          "constant char lens_text[] =\n",
          out);
    for (size_t i = 0; i < names->count; i++)
        fprintf(out, "#ifdef %s\n\"%s=\" LENS_TEXT(%s) \"\\n\"\n#endif\n",
                names->all[i], names->all[i], names->all[i]);
    fprintf(out,
            "\"\";\n"
            "kernel void lens_probe(global char *out) {\n"
            "    for (uint i = 0; i < sizeof lens_text && i < %d; i++)\n"
            "        out[i] = lens_text[i];\n"
            "}\n",
            ANSWER - 1);
    fclose(out);
    return text;
}

/* Runs the kernel on a queue of its own.  These are calls of ours: the program's, which
 * are listened to, are others. */
static bool run_probe(cl_context context, cl_device_id device, cl_program program,
                      char answer[ANSWER]) {
    REAL(clCreateKernel);
    REAL(clCreateBuffer);
    REAL(clCreateCommandQueue);
    REAL(clReleaseCommandQueue);
    REAL(clSetKernelArg);
    REAL(clEnqueueNDRangeKernel);
    REAL(clEnqueueReadBuffer);
    const size_t one = 1;
    cl_kernel kernel = real_clCreateKernel(program, "lens_probe", NULL);
    cl_command_queue queue = real_clCreateCommandQueue(context, device, 0, NULL);
    cl_mem buffer =
        real_clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, ANSWER, answer, NULL);
    const bool answered =
        kernel && queue && buffer &&
        real_clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS &&
        real_clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL,
                                    NULL) == CL_SUCCESS &&
        real_clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, ANSWER, answer, 0, NULL,
                                 NULL) == CL_SUCCESS;
    if (buffer)
        clReleaseMemObject(buffer);
    if (queue)
        real_clReleaseCommandQueue(queue);
    if (kernel)
        clReleaseKernel(kernel);
    return answered;
}

/* The device of a program answers; false: it does not. */
static bool ask(cl_program asked, const char *build_options, const char *question,
                char answer[ANSWER]) {
    REAL(clCreateProgramWithSource);
    REAL(clBuildProgram);
    cl_context context = NULL;
    cl_device_id devices[64] = {NULL};
    clGetProgramInfo(asked, CL_PROGRAM_CONTEXT, sizeof context, &context, NULL);
    clGetProgramInfo(asked, CL_PROGRAM_DEVICES, sizeof devices, devices, NULL);
    cl_program program =
        real_clCreateProgramWithSource(context, 1, &question, NULL, NULL);
    const bool answered = program &&
                          real_clBuildProgram(program, 1, devices, build_options, NULL,
                                              NULL) == CL_SUCCESS &&
                          run_probe(context, *devices, program, answer);
    if (program)
        clReleaseProgram(program);
    return answered;
}

/* ---- The answer. */
static bool is_whole_number(const char *text) {
    const char *digit = text + strspn(text, "(+- ");
    return isdigit((unsigned char)*digit) &&
           text[strspn(text, "(+- 0123456789abcdefABCDEFxXuUlL)")] == '\0';
}

/* What is no number, as another name of a function, is there, but has to mean what it
 * means here. */
static void write_macro(FILE *out, const char *name, const char *value) {
    if (!value)
        fprintf(out, "#undef %s\n", name);
    else if (!*value || is_whole_number(value))
        fprintf(out, "#undef %s\n#define %s %s\n", name, name, value);
    else
        fprintf(out, "#ifndef %s\n#define %s %s\n#endif\n", name, name, name);
}

/* The value of a macro in the answer, without the question's parentheses; NULL: it is
 * not defined. */
static char *value_of(const char *answer, const char *name) {
    const size_t length = strlen(name);
    for (const char *line = answer; *line; line += strcspn(line, "\n"), line++)
        if (starts(line, name) && line[length] == '=')
            return strndup(line + length + 2, strcspn(line, "\n") - length - 3);
    return NULL;
}

static char *macros_of(const struct names *names, const char *answer) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    for (size_t i = 0; i < names->count; i++) {
        char *value = value_of(answer, names->all[i]);
        write_macro(out, names->all[i], value);
        free(value);
    }
    fclose(out);
    return text;
}

/* Programs that differ in nothing that matters here are probed once. */
static struct asked { char *question, *options, *macros; } * asked;
static size_t asked_count;

char *device_macros(cl_program program, const char *build_options, const char *source) {
    static char answer[ANSWER];
    struct names names = names_in(source);
    if (names.count == 0)
        return strdup("");
    char *question = question_of(&names), *macros = NULL;
    for (size_t i = 0; i < asked_count && !macros; i++)
        if (strcmp(asked[i].question, question) == 0 &&
            strcmp(asked[i].options, build_options) == 0)
            macros = strdup(asked[i].macros);
    if (!macros) {
        memset(answer, 0, sizeof answer);
        macros = ask(program, build_options, question, answer)
                     ? macros_of(&names, answer)
                     : strdup("");
        *GROW(asked, asked_count) =
            (struct asked){strdup(question), strdup(build_options), strdup(macros)};
    }
    for (size_t i = 0; i < names.count; i++)
        free(names.all[i]);
    free(names.all);
    free(question);
    return macros;
}
