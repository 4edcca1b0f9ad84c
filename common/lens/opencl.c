/* opencl: stands between a program and its OpenCL library.  It keeps the source and the
 * options of every program and the arguments of every kernel.  Before a launch it makes
 * copies of the buffers and replays the launch on them; then the launch goes on. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "changes.h"
#include "judge.h"
#include "lens.h"
#include "macros.h"
#include "races.h"
#include "report.h"
#include "waits.h"

#include "../poison.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

void find_real(void *function, const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        lens_die("the program brings no %s" HINT "is it linked with libOpenCL?", name);
    memcpy(function, &found, sizeof found);
}

enum { ARGUMENTS = 64, NAME = 128 };
enum { SPARE = 64 }; /* bytes behind an argument: it may be read in larger pieces */

/* A program's code: of all of its kernels, or of one of them alone. */
struct build {
    char name[NAME]; /* of that kernel; "": all of them */
    struct code code;
    enum { UNTRIED, READY, FAILED } state;
    enum { UNKNOWN, SAME, OTHER_CODE } as_own; /* of a file beside: see is_as_own() */
};

struct program {
    cl_program id;
    char *source, *options, *callers;
    char *macros; /* of its device; NULL: not asked for yet */
    struct build **builds;
    size_t build_count;
    size_t file;     /* judge.h's number of it, if it came from there */
    const char *own; /* then: the source of the program that it is beside */
};

struct argument {
    cl_kernel_arg_address_qualifier space;
    char name[NAME], type[NAME];
    size_t bytes;
    char *value; /* NULL: local memory of so many bytes, or not set */
    bool set;
};

struct kernel {
    cl_kernel id;
    struct program *program;
    char name[NAME];
    cl_uint count;
    struct argument arguments[ARGUMENTS];
};

static struct {
    struct program **programs;
    struct program **beside; /* those of the files of judge.h */
    struct kernel **kernels;
    char **launches; /* that were looked at, in words */
    cl_command_queue *queues;
    size_t program_count, beside_count, kernel_count, launch_count, queue_count;
    bool replaced; /* --instead: a launch, so that buffers may hold anything */
    size_t open_user_events; /* whoever waits for one, waits for the program itself */
    pthread_mutex_t mutex;
} now = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static struct program *program_of(cl_program id) {
    for (size_t i = now.program_count; i-- > 0;)
        if (now.programs[i]->id == id)
            return now.programs[i];
    return NULL;
}

static struct kernel *kernel_of(cl_kernel id) {
    for (size_t i = now.kernel_count; i-- > 0;)
        if (now.kernels[i]->id == id)
            return now.kernels[i];
    return NULL;
}

/* ---- Programs and kernels. */
VISIBLE cl_program clCreateProgramWithSource(cl_context context, cl_uint count,
                                             const char **texts, const size_t *lengths,
                                             cl_int *status) {
    REAL(clCreateProgramWithSource);
    cl_program id =
        real_clCreateProgramWithSource(context, count, texts, lengths, status);
    if (!id)
        return id;
    struct program *program = lens_allocate(1, sizeof *program);
    size_t bytes = 0;
    FILE *source = open_memstream(&program->source, &bytes);
    for (cl_uint i = 0; i < count; i++)
        fwrite(texts[i], 1, lengths && lengths[i] ? lengths[i] : strlen(texts[i]),
               source);
    fclose(source);
    program->id = id;
    program->options = strdup("");
    pthread_mutex_lock(&now.mutex);
    *GROW(now.programs, now.program_count) = program;
    pthread_mutex_unlock(&now.mutex);
    return id;
}

/* Arguments keep their names and types only when the device is asked to. */
VISIBLE cl_int clBuildProgram(cl_program id, cl_uint count, const cl_device_id *devices,
                              const char *options,
                              void(CL_CALLBACK *then)(cl_program, void *), void *data) {
    REAL(clBuildProgram);
    char *more = NULL;
    const char *own = options ? options : "", *wanted = " -cl-kernel-arg-info";
    if (asprintf(&more, "%s%s", own, strstr(own, wanted) ? "" : wanted) < 0)
        return CL_OUT_OF_HOST_MEMORY;
    pthread_mutex_lock(&now.mutex);
    struct program *program = program_of(id);
    if (program) {
        free(program->options);
        free(program->callers);
        program->callers = NULL;
        free(program->macros);
        program->macros = NULL;
        program->options = strdup(options ? options : "");
        program->build_count = 0;
        program->builds = NULL;
    }
    pthread_mutex_unlock(&now.mutex);
    const cl_int status = real_clBuildProgram(id, count, devices, more, then, data);
    free(more);
    return status;
}

static bool describe(struct kernel *kernel) {
    clGetKernelInfo(kernel->id, CL_KERNEL_FUNCTION_NAME, NAME, kernel->name, NULL);
    clGetKernelInfo(kernel->id, CL_KERNEL_NUM_ARGS, sizeof kernel->count,
                    &kernel->count, NULL);
    for (cl_uint i = 0; i < kernel->count && i < ARGUMENTS; i++) {
        struct argument *argument = &kernel->arguments[i];
        if (clGetKernelArgInfo(kernel->id, i, CL_KERNEL_ARG_NAME, NAME, argument->name,
                               NULL) ||
            clGetKernelArgInfo(kernel->id, i, CL_KERNEL_ARG_TYPE_NAME, NAME,
                               argument->type, NULL) ||
            clGetKernelArgInfo(kernel->id, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
                               sizeof argument->space, &argument->space, NULL))
            return false;
    }
    return kernel->count <= ARGUMENTS;
}

/* An identity may come again, after a kernel was released. */
static struct kernel *entry_for(cl_kernel id) {
    struct kernel *kernel = kernel_of(id);
    if (!kernel)
        kernel = *GROW(now.kernels, now.kernel_count) =
            lens_allocate(1, sizeof *kernel);
    for (cl_uint i = 0; i < ARGUMENTS; i++)
        free(kernel->arguments[i].value);
    *kernel = (struct kernel){.id = id};
    return kernel;
}

static void add_kernel(cl_kernel id) {
    cl_program program = NULL;
    clGetKernelInfo(id, CL_KERNEL_PROGRAM, sizeof program, &program, NULL);
    pthread_mutex_lock(&now.mutex);
    struct kernel *kernel = entry_for(id);
    if (describe(kernel))
        kernel->program = program_of(program);
    wishes.kernels_seen++;
    pthread_mutex_unlock(&now.mutex);
}

VISIBLE cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *status) {
    REAL(clCreateKernel);
    cl_kernel id = real_clCreateKernel(program, name, status);
    if (id)
        add_kernel(id);
    return id;
}

VISIBLE cl_int clCreateKernelsInProgram(cl_program program, cl_uint room,
                                        cl_kernel *kernels, cl_uint *count) {
    REAL(clCreateKernelsInProgram);
    cl_uint made = 0;
    const cl_int status = real_clCreateKernelsInProgram(program, room, kernels, &made);
    for (cl_uint i = 0; status == CL_SUCCESS && kernels && i < made; i++)
        add_kernel(kernels[i]);
    if (count)
        *count = made;
    return status;
}

VISIBLE cl_int clSetKernelArg(cl_kernel id, cl_uint index, size_t bytes,
                              const void *value) {
    REAL(clSetKernelArg);
    pthread_mutex_lock(&now.mutex);
    struct kernel *kernel = kernel_of(id);
    if (kernel && index < ARGUMENTS) {
        struct argument *argument = &kernel->arguments[index];
        free(argument->value);
        argument->value = NULL;
        argument->bytes = bytes;
        argument->set = true;
        if (value)
            argument->value = memcpy(lens_allocate(bytes + SPARE, 1), value, bytes);
    }
    pthread_mutex_unlock(&now.mutex);
    return real_clSetKernelArg(id, index, bytes, value);
}

/* ---- Buffers and events. */

/* When mistakes are looked for, a new buffer is full of poison: what nobody has written
 * is known by it, or is at least the same each time. */
VISIBLE cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes,
                              void *data, cl_int *status) {
    REAL(clCreateBuffer);
    uint32_t *poison = NULL;
    const cl_mem_flags unreadable = CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_WRITE_ONLY,
                       unwritable = CL_MEM_HOST_READ_ONLY;
    flags &= ~unreadable; /* or we could make no copy */
    if (wishes.instead)
        flags &= ~unwritable;
    if ((wishes.races || wishes.instead) && !data && bytes &&
        bytes <= (size_t)1 << 32) {
        poison = lens_allocate(bytes / sizeof *poison + 1, sizeof *poison);
        for (size_t i = 0; i <= bytes / sizeof *poison; i++)
            poison[i] = POISON;
        flags |= CL_MEM_COPY_HOST_PTR;
    }
    cl_mem buffer =
        real_clCreateBuffer(context, flags, bytes, poison ? poison : data, status);
    free(poison);
    return buffer;
}

VISIBLE cl_event clCreateUserEvent(cl_context context, cl_int *status) {
    REAL(clCreateUserEvent);
    cl_event event = real_clCreateUserEvent(context, status);
    pthread_mutex_lock(&now.mutex);
    now.open_user_events += event != NULL;
    pthread_mutex_unlock(&now.mutex);
    return event;
}

VISIBLE cl_int clSetUserEventStatus(cl_event event, cl_int status) {
    REAL(clSetUserEventStatus);
    pthread_mutex_lock(&now.mutex);
    now.open_user_events -= now.open_user_events > 0;
    pthread_mutex_unlock(&now.mutex);
    return real_clSetUserEventStatus(event, status);
}

/* ---- Queues: what was asked for by all of them has to end before --instead may write
 * to a buffer. */
static cl_command_queue add_queue(cl_command_queue queue) {
    pthread_mutex_lock(&now.mutex);
    if (queue)
        *GROW(now.queues, now.queue_count) = queue;
    pthread_mutex_unlock(&now.mutex);
    return queue;
}

VISIBLE cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                              cl_command_queue_properties properties,
                                              cl_int *status) {
    REAL(clCreateCommandQueue);
    return add_queue(real_clCreateCommandQueue(context, device, properties, status));
}

/* OpenCL 2.0's; our headers are asked for 1.2. */
cl_command_queue clCreateCommandQueueWithProperties(cl_context context,
                                                    cl_device_id device,
                                                    const cl_ulong *properties,
                                                    cl_int *status);
VISIBLE cl_command_queue clCreateCommandQueueWithProperties(cl_context context,
                                                            cl_device_id device,
                                                            const cl_ulong *properties,
                                                            cl_int *status) {
    REAL(clCreateCommandQueueWithProperties);
    return add_queue(
        real_clCreateCommandQueueWithProperties(context, device, properties, status));
}

VISIBLE cl_int clReleaseCommandQueue(cl_command_queue queue) {
    REAL(clReleaseCommandQueue);
    cl_uint users = 0;
    pthread_mutex_lock(&now.mutex);
    clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof users, &users, NULL);
    for (size_t i = 0; i < now.queue_count && users == 1; i++)
        if (now.queues[i] == queue)
            now.queues[i] = NULL;
    pthread_mutex_unlock(&now.mutex);
    return real_clReleaseCommandQueue(queue);
}

static void finish_all(cl_command_queue queue) {
    for (size_t i = 0; i < now.queue_count; i++)
        if (now.queues[i] && now.queues[i] != queue)
            clFinish(now.queues[i]);
    clFinish(queue);
}

/* ---- A copy of each buffer; parts of one buffer share its copy. */
struct copy {
    cl_mem buffer;
    char *bytes;
    size_t size;
    bool floats; /* rather than whole numbers */
};

struct copies {
    struct copy all[ARGUMENTS];
    size_t count;
};

static struct copy *copy_of(struct copies *copies, cl_command_queue queue,
                            cl_mem buffer) {
    enum { PAGE = 4096 };
    for (size_t i = 0; i < copies->count; i++)
        if (copies->all[i].buffer == buffer)
            return &copies->all[i];
    struct copy *copy = &copies->all[copies->count++];
    *copy = (struct copy){.buffer = buffer};
    clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof copy->size, &copy->size, NULL);
    copy->bytes = aligned_alloc(PAGE, (copy->size + PAGE) / PAGE * PAGE);
    if (!copy->bytes)
        lens_die("no memory for a copy of %zu bytes" HINT "try a smaller problem",
                 copy->size);
    clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, copy->size, copy->bytes, 0, NULL,
                        NULL);
    return copy;
}

/* The part of a copy that stands for a buffer, or for a part of one. */
static struct object object_of(struct copies *copies, cl_command_queue queue,
                               const struct argument *argument) {
    struct object object = {
        .name = argument->name, .type = argument->type, .space = GLOBAL};
    cl_mem part = NULL, whole = NULL;
    size_t offset = 0;
    if (argument->value)
        memcpy(&part, argument->value, sizeof part);
    if (!part)
        return object; /* a null pointer */
    clGetMemObjectInfo(part, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof whole, &whole, NULL);
    clGetMemObjectInfo(part, CL_MEM_OFFSET, sizeof offset, &offset, NULL);
    clGetMemObjectInfo(part, CL_MEM_SIZE, sizeof object.bytes, &object.bytes, NULL);
    if (argument->space == CL_KERNEL_ARG_ADDRESS_CONSTANT)
        object.space = CONSTANT;
    struct copy *copy = copy_of(copies, queue, whole ? whole : part);
    copy->floats |= strncmp(argument->type, "float", 5) == 0;
    object.base = copy->bytes + offset;
    return object;
}

/* ---- Callers, such as
 * "void lens_call_f(ulong *lens_a) { f((global void *)lens_a[0]); }". */
static bool is_modelled(const struct argument *argument) {
    static const char *const strangers[] = {"image", "sampler", "pipe", "queue",
                                            "event"};
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++)
        if (strncmp(argument->type, strangers[i], strlen(strangers[i])) == 0)
            return false;
    return true;
}

static void write_caller(FILE *out, const struct kernel *kernel) {
    for (cl_uint i = 0; i < kernel->count; i++)
        if (!is_modelled(&kernel->arguments[i]))
            return;
    fprintf(out, "void lens_call_%s(ulong *lens_a) { %s(", kernel->name, kernel->name);
    for (cl_uint i = 0; i < kernel->count; i++) {
        const struct argument *argument = &kernel->arguments[i];
        const cl_uint space = argument->space;
        if (space == CL_KERNEL_ARG_ADDRESS_PRIVATE)
            fprintf(out, "%s*(private %s *)lens_a[%u]", i ? ", " : "", argument->type,
                    i);
        else
            fprintf(out, "%s(%s void *)lens_a[%u]", i ? ", " : "",
                    space == CL_KERNEL_ARG_ADDRESS_LOCAL      ? "local"
                    : space == CL_KERNEL_ARG_ADDRESS_CONSTANT ? "constant"
                                                              : "global",
                    i);
    }
    fputs("); }\n", out);
}

static char *callers_of(const struct program *program) {
    REAL(clCreateKernel);
    char *callers = NULL, names[1 << 14] = "";
    size_t bytes = 0;
    FILE *out = open_memstream(&callers, &bytes);
    clGetProgramInfo(program->id, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL);
    for (char *name = strtok(names, ";"); name; name = strtok(NULL, ";")) {
        struct kernel kernel = {.id = real_clCreateKernel(program->id, name, NULL)};
        if (kernel.id && describe(&kernel))
            write_caller(out, &kernel);
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
    char call[NAME + 32];
    snprintf(call, sizeof call, "void lens_call_%s(", kernel);
    const char *found = *kernel ? strstr(callers, call) : callers;
    return found ? strndup(found, *kernel ? strcspn(found, "\n") : strlen(found))
                 : NULL;
}

/* Is the file's kernel the program's own, word by word?  Then it need not be replayed.
 */
static bool is_as_own(struct program *beside, const char *kernel) {
    struct build *build = build_of(beside, kernel);
    if (build->as_own == UNKNOWN)
        build->as_own =
            same_code(beside->own, beside->source, kernel) ? SAME : OTHER_CODE;
    return build->as_own == SAME;
}

/* Of a file beside: the callers of all kernels that are not the program's own. */
static char *changed_callers(struct program *beside) {
    static const char head[] = "void lens_call_";
    char *changed = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&changed, &bytes);
    for (const char *line = callers(beside); *line; line += strcspn(line, "\n") + 1) {
        char name[NAME];
        sscanf(line + strlen(head), "%127[^(]", name);
        if (!is_as_own(beside, name))
            fprintf(out, "%.*s\n", (int)strcspn(line, "\n"), line);
    }
    fclose(out);
    return changed;
}

/* The code of a kernel, compiled once; NULL: it cannot be compiled.  A kernel that is
 * compared with others is compiled alone: it takes a tenth of the time, and what lies
 * beside its arrays in memory does not depend on the other kernels of its file.  Where
 * many files are compared with ours, what each has changed is compiled at once. */
static const struct code *code_of(struct program *program, const char *kernel) {
    const bool together = wishes.each && program->own,
               alone = (wishes.judge || wishes.instead) && !together;
    struct build *build = build_of(program, alone ? kernel : "");
    if (build->state == UNTRIED) {
        char *caller = together ? changed_callers(program)
                                : caller_of(callers(program), build->name);
        if (!program->macros)
            program->macros =
                device_macros(program->id, program->options, program->source);
        const bool made =
            caller && code_compile(&build->code, program->source, program->macros,
                                   caller, program->options);
        build->state = made ? READY : FAILED;
        free(caller);
    }
    return build->state == READY ? &build->code : NULL;
}

/* ---- Launches. */

/* "n=4096 stride=2": the arguments that are plain numbers. */
static char *scalars_of(const struct kernel *kernel) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    for (cl_uint i = 0; i < kernel->count; i++) {
        const struct argument *argument = &kernel->arguments[i];
        const char *type = argument->type, *value = argument->value;
        if (argument->space != CL_KERNEL_ARG_ADDRESS_PRIVATE || !value)
            continue;
        fprintf(out, "%s%s=", ftell(out) > 0 ? " " : "", argument->name);
        if (strcmp(type, "float") == 0)
            fprintf(out, "%g", (double)*(const float *)value);
        else if (strcmp(type, "double") == 0)
            fprintf(out, "%g", *(const double *)value);
        else if (strcmp(type, "int") == 0)
            fprintf(out, "%d", *(const int *)value);
        else if (strcmp(type, "uint") == 0)
            fprintf(out, "%u", *(const unsigned *)value);
        else if (strcmp(type, "long") == 0 || strcmp(type, "ulong") == 0)
            fprintf(out, "%lld", *(const long long *)value);
        else
            fprintf(out, "(%zu bytes)", argument->bytes);
    }
    fclose(out);
    return text;
}

static size_t bytes_behind(const struct argument *argument) {
    size_t bytes = argument->bytes;
    cl_mem buffer = NULL;
    if (argument->value && argument->space != CL_KERNEL_ARG_ADDRESS_PRIVATE)
        memcpy(&buffer, argument->value, sizeof buffer);
    if (buffer)
        clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    return bytes;
}

/* Launches that differ in nothing but the contents of buffers are looked at once.
 * Beside ours, once for each set of buffers: some mistakes need certain numbers. */
static bool is_first(const struct kernel *kernel, const struct replay *replay) {
    char *what = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&what, &length);
    fprintf(out, "%p %s %s", (void *)kernel->program, kernel->name,
            kernel->program ? kernel->program->options : "");
    for (int d = 0; d < 3; d++)
        fprintf(out, " %zu %zu %zu", replay->global[d], replay->local[d],
                replay->offset[d]);
    for (cl_uint i = 0; i < kernel->count; i++) {
        const struct argument *argument = &kernel->arguments[i];
        fprintf(out, " %zu:", bytes_behind(argument));
        if (argument->value &&
            (argument->space == CL_KERNEL_ARG_ADDRESS_PRIVATE || judge_files() > 0))
            for (size_t b = 0; b < argument->bytes; b++)
                fprintf(out, "%02x", (unsigned char)argument->value[b]);
    }
    fclose(out);
    for (size_t i = 0; i < now.launch_count; i++)
        if (strcmp(now.launches[i], what) == 0) {
            free(what);
            return false;
        }
    *GROW(now.launches, now.launch_count) = what;
    return true;
}

static void set_range(struct replay *replay, cl_uint dimensions, const size_t *offset,
                      const size_t *global, const size_t *local) {
    enum { USUAL = 64 };
    replay->dimensions = dimensions;
    replay->local_chosen = !local;
    for (cl_uint d = 0; d < 3; d++) {
        replay->offset[d] = d < dimensions && offset ? offset[d] : 0;
        replay->global[d] = d < dimensions ? global[d] : 1;
        replay->local[d] = d < dimensions && local ? local[d] : 1;
    }
    if (!local) /* the driver would choose; we take the largest up to 64 that divides */
        for (size_t size = 1; size <= USUAL; size++)
            if (replay->global[0] % size == 0)
                replay->local[0] = size;
}

/* Why a launch cannot be replayed; NULL: it can. */
static const char *obstacle(const struct kernel *kernel, const struct replay *replay) {
    if (!kernel->program)
        return "its source was not seen: it came as a binary, or was linked";
    for (cl_uint i = 0; i < kernel->count; i++) {
        if (!is_modelled(&kernel->arguments[i]))
            return "images, samplers and pipes are not modelled";
        if (!kernel->arguments[i].set)
            return "an argument is not set";
    }
    if (now.open_user_events > 0)
        return "it may wait for an event that the program sets later";
    for (int d = 0; d < 3; d++)
        if (replay->global[d] == 0 || replay->local[d] == 0)
            return "it has no work-items";
    return replay->local[0] * replay->local[1] * replay->local[2] > UINT16_MAX
               ? "its groups are too large"
               : NULL;
}

static void collect_objects(struct replay *replay, const struct kernel *kernel,
                            struct copies *copies, cl_command_queue queue) {
    const struct code *code = replay->code;
    replay->objects =
        lens_allocate(kernel->count + code->object_count, sizeof *replay->objects);
    replay->arguments = lens_allocate(kernel->count, sizeof *replay->arguments);
    for (cl_uint i = 0; i < kernel->count; i++) {
        const struct argument *argument = &kernel->arguments[i];
        struct object object = {.name = argument->name, .space = LOCAL};
        if (argument->space == CL_KERNEL_ARG_ADDRESS_PRIVATE) {
            object.space = PRIVATE;
            object.bytes = argument->bytes + SPARE;
            object.base = argument->value;
        } else if (argument->space == CL_KERNEL_ARG_ADDRESS_LOCAL) {
            object.bytes = argument->bytes;
            object.base = aligned_alloc(LINE, (argument->bytes + LINE) / LINE * LINE);
        } else {
            object = object_of(copies, queue, argument);
        }
        replay->arguments[i] = (uint64_t)(uintptr_t)object.base;
        replay->objects[replay->object_count++] = object;
    }
    for (size_t i = 0; i < code->object_count; i++)
        replay->objects[replay->object_count++] = code->objects[i];
}

static void release_objects(struct replay *replay, struct copies *copies) {
    const size_t own = replay->object_count - replay->code->object_count;
    for (size_t i = 0; i < own; i++)
        if (replay->objects[i].space == LOCAL)
            free(replay->objects[i].base);
    free(replay->objects);
    free(replay->arguments);
    /* Their copies are still there: the device's results can be compared with them. */
    while (copies->count > 0 &&
           (!(wishes.compare || wishes.instead) || replay->stopped ||
            replay->groups_replayed < replay->groups))
        free(copies->all[--copies->count].bytes);
}

/* Finds what is to be called; false: nothing is. */
static bool find_call(struct replay *replay, const char *kernel,
                      struct program *program) {
    char name[NAME + 16];
    snprintf(name, sizeof name, "lens_call_%s", kernel);
    replay->code = code_of(program, kernel);
    replay->source = program->source;
    if (replay->code)
        *(void **)&replay->call = dlsym(replay->code->library, name);
    return replay->call && !replay->code->stranger;
}

/* ---- Kernels of other files, beside the program's own: see judge.h. */

/* A file is compiled with the options of the program's own, and called in the same way.
 */
static struct program *program_beside(struct program *own, size_t file) {
    for (size_t i = 0; i < now.beside_count; i++)
        if (now.beside[i]->file == file &&
            strcmp(now.beside[i]->own, own->source) == 0 &&
            strcmp(now.beside[i]->options, own->options) == 0)
            return now.beside[i];
    struct program *program = lens_allocate(1, sizeof *program);
    char *source = judge_source(file);
    *program = (struct program){.source = source,
                                .macros = device_macros(own->id, own->options, source),
                                .options = strdup(own->options),
                                .callers = strdup(callers(own)),
                                .file = file,
                                .own = strdup(own->source)};
    return *GROW(now.beside, now.beside_count) = program;
}

/* Replays the same launch with the kernel of a program, on copies of its own; false: it
 * has no such kernel. */
static bool replay_again(struct replay *replay, struct program *program,
                         const struct kernel *kernel, const struct replay *own,
                         size_t groups, cl_command_queue queue, struct copies *copies) {
    copies->count = 0;
    *replay = (struct replay){.kernel = own->kernel,
                              .scalars = own->scalars,
                              .dimensions = own->dimensions,
                              .groups_wanted = groups};
    memcpy(replay->global, own->global, sizeof replay->global);
    memcpy(replay->local, own->local, sizeof replay->local);
    memcpy(replay->offset, own->offset, sizeof replay->offset);
    if (!find_call(replay, kernel->name, program))
        return false;
    collect_objects(replay, kernel, copies, queue);
    replay_run(replay);
    return true;
}

static void end_again(struct replay *replay, struct copies *copies) {
    replay_end(replay);
    release_objects(replay, copies);
}

/* The same launch of a file's kernel, beside the program's own. */
static bool judge_file(size_t file, const struct kernel *kernel,
                       const struct replay *own, cl_command_queue queue) {
    struct program *program = program_beside(kernel->program, file);
    struct copies copies;
    struct replay other;
    if (is_as_own(program, kernel->name))
        return judge_compare(file, own, own);
    if (!replay_again(&other, program, kernel, own, own->groups_replayed, queue,
                      &copies))
        return judge_compare(file, own, NULL);
    const bool comparable = judge_compare(file, own, &other);
    end_again(&other, &copies);
    return comparable;
}

static void judge(const struct kernel *kernel, const struct replay *own,
                  cl_command_queue queue) {
    bool comparable = true;
    judge_mistakes(own);
    for (size_t file = 0; file < judge_files() && comparable; file++)
        if (judge_asks(file))
            comparable = judge_file(file, kernel, own, queue) || file > 0;
}

/* --each: the program's kernels are ours, and every file is looked at as if the program
 * had it in their place.  Of a large launch each kernel chooses its own sample, as it
 * would then; but files are told from each other by the sample that ours has chosen. */
static void judge_each_file(size_t file, const struct kernel *kernel,
                            const struct replay *ours, cl_command_queue queue) {
    struct program *program = program_beside(kernel->program, file);
    struct copies copies, copies_again;
    struct replay theirs, again;
    if (is_as_own(program, kernel->name))
        return;
    if (!replay_again(&theirs, program, kernel, ours, 0, queue, &copies)) {
        judge_broken(file);
        return;
    }
    if (theirs.stopped || theirs.groups_replayed == ours->groups_replayed) {
        judge_each(file, &theirs, ours);
        judge_digest(file, &theirs, ours);
    } else {
        replay_again(&again, kernel->program, kernel, ours, theirs.groups_replayed,
                     queue, &copies_again);
        judge_each(file, &theirs, &again);
        end_again(&again, &copies_again);
        replay_again(&again, program, kernel, ours, ours->groups_replayed, queue,
                     &copies_again);
        judge_digest(file, &again, ours);
        end_again(&again, &copies_again);
    }
    end_again(&theirs, &copies);
}

static void judge_all(const struct kernel *kernel, const struct replay *ours,
                      cl_command_queue queue) {
    if (ours->stopped) {
        races_report(ours);
        lens_die(
            "the program's own %s is wrong, so nothing can be compared with it" HINT
            "--each wants a program that is right",
            ours->kernel);
    }
    if (!is_as_own(program_beside(kernel->program, 0), kernel->name)) {
        fprintf(stderr, "lens: %s is not compared: it is not the one of --ours\n",
                ours->kernel);
        return;
    }
    judge_launch();
    for (size_t file = 1; file < judge_files(); file++)
        if (judge_asks(file))
            judge_each_file(file, kernel, ours, queue);
}

/* What no launch has needed may still not compile. */
bool judge_compiles(size_t file) {
    for (size_t i = 0; i < now.beside_count; i++) {
        struct program *program = now.beside[i];
        struct code code;
        bool tried = program->file != file;
        for (size_t k = 0; k < program->build_count; k++)
            tried |= program->builds[k]->state != UNTRIED;
        if (!tried && !code_compile(&code, program->source, program->macros, "",
                                    program->options))
            return false;
    }
    return true;
}

/* Replays and reports one launch. */
static void show(struct kernel *kernel, struct replay *replay, cl_command_queue queue,
                 struct copies *copies) {
    if (!find_call(replay, kernel->name, kernel->program)) {
        fprintf(stderr, "lens: %s is not shown: %s\n", kernel->name,
                replay->call ? replay->code->stranger : "it cannot be called");
        return;
    }
    clFinish(queue);
    collect_objects(replay, kernel, copies, queue);
    replay_run(replay);
    if (wishes.each)
        judge_all(kernel, replay, queue);
    else if (wishes.judge)
        judge(kernel, replay, queue);
    else
        report_launch(replay);
    wishes.launches++;
    wishes.mistaken |= replay->mistake_count > 0;
    wishes.sampled |= replay->groups_replayed < replay->groups;
    replay_end(replay);
    release_objects(replay, copies);
    if (wishes.judge ? replay->stopped : wishes.mistaken && wishes.races) {
        report_end(); /* now, since the device might not survive it */
        fflush(NULL);
        _Exit(1);
    }
}

/* --instead: replays the launch with a file's kernel, on copies of the buffers as they
 * are before it.  The device will do it with the program's own, and then the copies
 * overwrite the buffers.  Kernels that are the program's own are left to the device, as
 * long as no other one has written anything. */
static void replace(struct kernel *kernel, struct replay *replay,
                    cl_command_queue queue, struct copies *copies,
                    const char *why_not) {
    if (why_not)
        lens_die("%s cannot be replaced: %s" HINT
                 "without --instead it would run on the device",
                 kernel->name, why_not);
    struct program *program = program_beside(kernel->program, 0);
    if (!now.replaced && is_as_own(program, kernel->name))
        return;
    if (!find_call(replay, kernel->name, program))
        lens_die("%s cannot be replaced: the file after --instead has no such kernel "
                 "that can be replayed" HINT "does that file compile?",
                 kernel->name);
    now.replaced = true;
    finish_all(queue);
    collect_objects(replay, kernel, copies, queue);
    replay_run(replay);
    wishes.launches++;
    if (replay->stopped || (wishes.races && replay->mistake_count > 0)) {
        fflush(NULL);
        races_report(replay);
        fflush(NULL);
        _Exit(1);
    }
    replay_end(replay);
    release_objects(replay, copies);
}

/* Overwrites the buffers with the copies that a replay has changed. */
static void put_back(cl_command_queue queue, struct copies *copies) {
    clFinish(queue);
    while (copies->count > 0) {
        const struct copy *copy = &copies->all[--copies->count];
        if (clEnqueueWriteBuffer(queue, copy->buffer, CL_TRUE, 0, copy->size,
                                 copy->bytes, 0, NULL, NULL) != CL_SUCCESS)
            lens_die("cannot write to a buffer" HINT "--instead replaces its contents");
        free(copy->bytes);
    }
}

static void look_at(cl_command_queue queue, cl_kernel id, struct replay *replay,
                    struct copies *copies) {
    struct kernel *kernel = kernel_of(id);
    if (!kernel && wishes.instead)
        lens_die("a kernel that was not made from source cannot be replaced" HINT
                 "--instead wants a program that compiles its kernels");
    if (!kernel)
        fputs("lens: a kernel that was not made from source is not shown\n", stderr);
    if (!kernel || (wishes.kernel && strcmp(wishes.kernel, kernel->name) != 0))
        return;
    replay->kernel = kernel->name;
    replay->scalars = scalars_of(kernel);
    const char *why_not = obstacle(kernel, replay);
    const bool first = wishes.instead || is_first(kernel, replay);
    if (wishes.instead)
        replace(kernel, replay, queue, copies, why_not);
    else if (first && why_not)
        fprintf(stderr, "lens: %s is not shown: %s\n", kernel->name, why_not);
    else if (first && code_of(kernel->program, kernel->name))
        show(kernel, replay, queue, copies);
    free(replay->scalars);
}

/* Floats may differ in their last bits: mathematical functions do. */
static bool agree(const char *one, const char *other, bool floats) {
    float x, y;
    memcpy(&x, one, sizeof x);
    memcpy(&y, other, sizeof y);
    const float sum = (x < 0 ? -x : x) + (y < 0 ? -y : y),
                apart = x < y ? y - x : x - y;
    return memcmp(one, other, sizeof x) == 0 ||
           (floats && ((x != x && y != y) || apart <= 1e-6f * sum));
}

/* Did the device compute what the replay did?  If not, the replay was of no use. */
static void compare(cl_command_queue queue, struct copies *copies) {
    while (copies->count > 0) {
        const struct copy *copy = &copies->all[--copies->count];
        char *found = lens_allocate(copy->size + 1, 1);
        size_t differ = 0, first = 0;
        clEnqueueReadBuffer(queue, copy->buffer, CL_TRUE, 0, copy->size, found, 0, NULL,
                            NULL);
        for (size_t i = copy->size / WORD; i-- > 0;)
            if (!agree(found + i * WORD, copy->bytes + i * WORD, copy->floats)) {
                differ++;
                first = i;
            }
        if (differ)
            fprintf(wishes.out,
                    "error: %zu words differ from the device's, first %zu\n", differ,
                    first);
        wishes.mistaken |= differ > 0;
        free(found);
        free(copy->bytes);
    }
}

VISIBLE cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                      cl_uint dimensions, const size_t *offset,
                                      const size_t *global, const size_t *local,
                                      cl_uint wait_count, const cl_event *waits,
                                      cl_event *event) {
    REAL(clEnqueueNDRangeKernel);
    struct copies copies = {.count = 0};
    pthread_mutex_lock(&now.mutex);
    waits_pause(true);
    if (dimensions >= 1 && dimensions <= 3 && global) {
        struct replay replay = {.source = NULL};
        set_range(&replay, dimensions, offset, global, local);
        if (wait_count > 0 && now.open_user_events == 0)
            clWaitForEvents(wait_count, waits);
        look_at(queue, kernel, &replay, &copies);
    }
    const cl_int status = real_clEnqueueNDRangeKernel(
        queue, kernel, dimensions, offset, global, local, wait_count, waits, event);
    if (copies.count > 0 && status == CL_SUCCESS)
        (wishes.instead ? put_back : compare)(queue, &copies);
    waits_pause(false);
    pthread_mutex_unlock(&now.mutex);
    if (status == CL_SUCCESS)
        waits_asked("launch", false, queue, wait_count, waits, event);
    return status;
}

VISIBLE cl_int clEnqueueTask(cl_command_queue queue, cl_kernel kernel,
                             cl_uint wait_count, const cl_event *waits,
                             cl_event *event) {
    const size_t one = 1;
    return clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, wait_count, waits,
                                  event);
}
