/* launch: looks at one launch of the program before it goes to the device. */
#define _GNU_SOURCE /* open_memstream */
#include "launch.h"
#include "base/memory.h"
#include "check.h"
#include "equal_launches.h"
#include "judge/judging.h"
#include "other_kernels.h"
#include "queues.h"
#include "report/comparison.h"
#include "report/page/page.h"
#include "report/reporting.h"
#include "settings.h"
#include "svm.h"
#include "times.h"
#include "watch/backward.h"
#include "watch/group_limits.h"
#include "watch/widths.h"

#include <stdlib.h>
#include <string.h>

static struct {
    _Atomic size_t hidden; /* launches that could not be replayed */
    struct looked looked;
    bool mistaken; /* one of the replays was */
    bool replaced; /* --instead: a launch was, so that buffers may hold anything */
} launches;

static struct recording recording; /* of the launch at hand */

static size_t bytes_behind(const struct argument *argument) {
    const struct svm *svm = argument->shared ? svm_at(argument->pointer) : NULL;
    size_t bytes = argument->bytes;
    cl_mem buffer = NULL;
    if (svm)
        return (size_t)(svm->base + svm->bytes - argument->pointer);
    if (argument->value && argument->space != CL_KERNEL_ARG_ADDRESS_PRIVATE)
        memcpy(&buffer, argument->value, sizeof buffer);
    if (buffer)
        clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    return bytes;
}

/* An image's size and format, which its bytes do not tell; false: it is none, or has a
 * format that is not modelled. */
static bool shape_of(const struct argument *argument, struct image *image) {
    cl_mem memory;
    if (!argument_is_image(argument) || !argument->value)
        return false;
    memcpy(&memory, argument->value, sizeof memory);
    return memory && image_describe(memory, image);
}

static void write_shape(FILE *out, const struct argument *argument) {
    struct image image;
    if (shape_of(argument, &image))
        fprintf(out, "%u.%d.%zu.%zu.%zu.%x.%x:", image.dimensions, image.layered,
                image.size[0], image.size[1], image.size[2], image.order, image.type);
}

/* All in which a launch can differ from others, except the contents of buffers. Beside
 * ours, each set of buffers counts as well, because some mistakes need certain numbers.
 */
static char *key_of(const struct kernel *kernel, const struct run *run) {
    char *what = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&what, &length);
    fprintf(out, "%p %s %s", (void *)kernel->program, kernel->name,
            kernel->program ? kernel->program->options : "");
    for (int d = 0; d < 3; d++)
        fprintf(out, " %zu %zu %zu", run->job.global[d], run->job.local[d],
                run->job.offset[d]);
    for (cl_uint i = 0; i < kernel->count; i++) {
        const struct argument *argument = &kernel->arguments[i];
        fprintf(out, " %zu:", bytes_behind(argument));
        write_shape(out, argument);
        if (argument->value && (argument->space == CL_KERNEL_ARG_ADDRESS_PRIVATE ||
                                comparison_files() > 0))
            for (size_t b = 0; b < argument->bytes; b++)
                fprintf(out, "%02x", (unsigned char)argument->value[b]);
    }
    fclose(out);
    return what;
}

void launch_set_range(struct run *run, cl_uint dimensions, const size_t *offset,
                      const size_t *global, const size_t *local) {
    enum { USUAL = 64 };
    *run = settings_run(&recording);
    run->job.dimensions = dimensions;
    run->job.local_chosen = !local;
    for (cl_uint d = 0; d < 3; d++) {
        run->job.offset[d] = d < dimensions && offset ? offset[d] : 0;
        run->job.global[d] = d < dimensions ? global[d] : 1;
        run->job.local[d] = d < dimensions && local ? local[d] : 1;
    }
    if (!local) /* the driver would choose; we take the largest up to 64 that divides */
        for (size_t size = 1; size <= USUAL; size++)
            if (run->job.global[0] % size == 0)
                run->job.local[0] = size;
}

/* A program may launch one kernel many times: why it is not shown is said once. */
static bool is_said(const char *kernel, const char *why) {
    static struct said { char *kernel, *why; } * said;
    static size_t count;
    for (size_t i = 0; i < count; i++)
        if (strcmp(said[i].why, why) == 0 && strcmp(said[i].kernel, kernel) == 0)
            return true;
    *GROW(said, count) = (struct said){strdup(kernel), strdup(why)};
    return false;
}

/* A launch that cannot be replayed; the reason may have been printed before. */
void launch_hide(const char *kernel, const char *why) {
    launches.hidden++;
    if (why && !is_said(kernel, why)) {
        lens_say("%s is not shown: %s\n", kernel, why);
        report_hidden(kernel, why);
    }
}

/* Why a launch cannot be replayed; NULL: it can. */
static const char *obstacle(const struct kernel *kernel, bool blocked,
                            const struct run *run) {
    if (!kernel->program && program_is_spirv(kernel->id))
        return "SPIR-V (clCreateProgramWithIL) is not modelled: only programs that are "
               "built from OpenCL C are";
    if (!kernel->program)
        return "its source was not seen: it came as a binary, or was linked from one, "
               "or from parts with different options" HINT
               "a program that keeps binaries, such as hashcat, compiles sources where "
               "it finds none: try XDG_CACHE_HOME=$(mktemp -d)";
    if (code_is_cpp(kernel->program->options))
        return IS_CPP;
    struct image image;
    for (cl_uint i = 0; i < kernel->count; i++) {
        if (!argument_is_modelled(&kernel->arguments[i]))
            return "images with several samples, of depth, or that a kernel reads and "
                   "writes, pipes, queues and events are not modelled";
        if (kernel->arguments[i].pointer && !svm_at(kernel->arguments[i].pointer))
            return "an argument points to memory that clSVMAlloc did not make";
        if (!kernel->arguments[i].set)
            return "an argument is not set";
        if (argument_is_image(&kernel->arguments[i]) &&
            !shape_of(&kernel->arguments[i], &image))
            return "an image has a format that is not modelled";
    }
    if (kernel->reaches_all)
        return "it may reach all memory of the host (fine-grained system SVM)";
    if (kernel_shares(kernel) && settings->beside)
        return "its shared virtual memory (SVM) is there only once";
    if (blocked || (kernel_shares(kernel) && queues_may_wait()))
        return "it may wait for an event that the program sets later";
    for (int d = 0; d < 3; d++)
        if (run->job.global[d] == 0 || run->job.local[d] == 0)
            return "it has no work-items";
    return run->job.local[0] * run->job.local[1] * run->job.local[2] > UINT16_MAX
               ? "its groups are too large"
               : NULL;
}

/* The copies of a launch that was replayed whole can be compared with what the device
 * makes. */
static bool keep_copies(const struct run *run) {
    return (settings->compare || settings->instead) && !run->outcome.stopped &&
           run->outcome.groups_replayed == run->outcome.groups;
}

/* Of a launch that went on for too long, what was counted stays. */
static void note_limit(const struct run *run) {
    launches.looked.limited++;
    report_limit(run);
}

static _Noreturn void end_program(int status) {
    page_end();
    fflush(NULL);
    _Exit(status);
}

/* What is counted, or compared with the device, is replayed once for equal arguments,
 * because more would take long.  (A kernel that is compared with ours may be right for
 * some contents of the buffers, and wrong for those of a later launch.) */
static bool once(void) {
    return settings->compare || !(settings->races || settings->all_launches);
}

/* A launch with the arguments of an earlier one, whose buffers are bound: need it not
 * be replayed, since they hold what they did then? */
static bool is_equal(size_t number, const struct contents *contents) {
    size_t shown;
    if (!repeats_equal(number, contents, &shown))
        return false;
    launches.looked.equal++;
    report_again(shown);
    return true;
}

/* What a group needs, beside what this device has. */
static void note_limits(const struct kernel *kernel, const struct run *run,
                        cl_command_queue queue) {
    cl_device_id device = NULL;
    cl_ulong local = 0;
    size_t items = 0;
    clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
    clGetKernelWorkGroupInfo(kernel->id, device, CL_KERNEL_WORK_GROUP_SIZE,
                             sizeof items, &items, NULL);
    group_limits_note(&run->job, local, items);
}

/* Makes the launch, whose first replay may be two (backward.h), and in `others` with
 * warps of the other widths that are compared. */
static void make(struct run *run, bool again, struct run others[MAX_WIDTHS]) {
    for (size_t w = 1; w < settings->lanes.count; w++)
        others[w] = widths_run(run, settings->lanes.lanes[w]);
    if (again)
        run_launch(run);
    else
        backward_run(run);
}

/* Compares the launch with those of other files, or reports it and returns the number
 * that it is shown as.  `untold`: it went on for too long, and so did the other. */
static size_t tell(struct kernel *kernel, struct run *run, cl_command_queue queue,
                   size_t number, bool untold, struct run others[MAX_WIDTHS]) {
    size_t shown = number;
    if (untold)
        ; /* it tells nothing about the two */
    else if (settings->each)
        beside_compare_each(kernel, run, queue);
    else if (settings->beside)
        beside_compare(kernel, run, queue);
    else {
        note_limits(kernel, run, queue);
        shown = report_launch(run, number);
    }
    for (size_t w = 1; w < settings->lanes.count; w++) {
        report_width(&others[w], shown);
        run_end(&others[w]);
    }
    return shown;
}

/* Can this kernel be called?  If not, says why. */
static bool is_callable(struct kernel *kernel, struct run *run, bool again) {
    if (program_call(kernel->program, kernel->name, run))
        return true;
    const char *refusal = run->job.call ? code_refusal(run->job.code, kernel->name)
                                        : "it cannot be called";
    launch_hide(kernel->name, again ? NULL : refusal);
    return false;
}

/* A mistake ends the program if the launch went no further; or if it fails, and
 * mistakes are what is looked for. */
static bool must_end(bool stopped) {
    const bool is_sought = settings->races && !settings->beside;
    return stopped || (is_sought && (!judging_wanted() || judging_fails()));
}

/* Replays and reports one launch, unless it is `again` one that was replayed. */
static void show(struct kernel *kernel, struct run *run, cl_command_queue queue,
                 struct copies *copies, size_t number, bool again) {
    struct run others[MAX_WIDTHS];
    if (!is_callable(kernel, run, again))
        return;
    if (kernel_shares(kernel))
        queues_finish(queue); /* others might write there during the replay */
    else
        clFinish(queue);
    copies_bind(copies, run, kernel, queue);
    struct contents contents = {.count = 0};
    if (!once())
        contents = contents_of(run);
    const bool equal = again && !program_remembers(kernel->program, kernel->name) &&
                       is_equal(number, &contents);
    if (!equal)
        make(run, again, others);
    repeats_spend(&contents, run, again);
    if (equal) {
        copies_release(copies, run, false);
        return;
    }
    const bool long_in_both =
        settings->beside && run->outcome.limit && beside_is_long(kernel, run, queue);
    if (run->outcome.limit && (!settings->beside || long_in_both))
        note_limit(run);
    const size_t shown = tell(kernel, run, queue, number, long_in_both, others);
    if (!again)
        page_add(run, shown);
    repeats_keep(number, &contents, run, shown);
    if (run->outcome.limit)
        repeats_settle(number);
    const bool wrong = run->mistakes.count > 0 && !long_in_both;
    launches.looked.replayed++;
    launches.mistaken |= wrong;
    launches.looked.sampled |= run->outcome.groups_replayed < run->outcome.groups;
    const bool stopped = run->outcome.stopped;
    run_end(run);
    copies_release(copies, run, keep_copies(run));
    if (wrong && must_end(stopped)) {
        const bool fails = launches_end(); /* the device might not survive it */
        if (!fails)
            lens_say("the program ends here: the device might not survive a mistake "
                     "that does not fail\n");
        end_program(fails ? WRONG : SKIPPED);
    }
    if (run->outcome.limit && settings->give_up)
        end_program(launches_end() && judging_wanted() ? WRONG : SKIPPED);
}

/* --instead: replays the launch with a file's kernel, on copies of the buffers as they
 * are before it.  The device will do it with the program's own, and then the copies
 * overwrite the buffers.  Kernels that are the program's own are left to the device, as
 * long as no other one has written anything. */
static void replace(struct kernel *kernel, struct run *run, cl_command_queue queue,
                    struct copies *copies, const char *why_not) {
    if (why_not)
        lens_die("%s cannot be replaced: %s" HINT
                 "without --instead it would run on the device",
                 kernel->name, why_not);
    struct program *program = file_beside(kernel, 0);
    const bool is_own = programs_share(kernel->program, program, kernel->name);
    if (!launches.replaced && is_own)
        return;
    /* (Compiled of its own text, it is known for every file.) */
    if (!program_call(is_own ? kernel->program : program, kernel->name, run))
        lens_die("%s cannot be replaced: the file after --instead has no such kernel "
                 "that can be replayed" HINT "does that file compile?",
                 kernel->name);
    launches.replaced = true;
    queues_finish(queue);
    copies_bind(copies, run, kernel, queue);
    run_launch(run);
    launches.looked.replayed++;
    if (run->outcome.stopped || (settings->races && run->mistakes.count > 0)) {
        fflush(NULL);
        report_mistakes(run);
        end_program(1);
    }
    run_end(run);
    copies_release(copies, run, keep_copies(run));
}

/* PoCL does not refuse such a launch, but is ended by it. */
static void check_local_memory(const struct kernel *kernel, cl_command_queue queue) {
    cl_device_id device = NULL;
    cl_ulong needed = 0, offered = 0;
    clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    clGetKernelWorkGroupInfo(kernel->id, device, CL_KERNEL_LOCAL_MEM_SIZE,
                             sizeof needed, &needed, NULL);
    clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof offered, &offered, NULL);
    if (needed > offered)
        lens_die("%s needs %llu bytes of local memory for each group" HINT
                 "this device has %llu: use smaller local arrays",
                 kernel->name, (unsigned long long)needed, (unsigned long long)offered);
}

/* A launch that is like none before it is always replayed, and so is one of a program
 * that keeps something in variables of its own; others while time allows. */
static void look(struct kernel *kernel, struct run *run, cl_command_queue queue,
                 struct copies *copies, const char *why_not) {
    size_t number;
    const bool again = repeats_find(key_of(kernel, run), &number);
    if (settings->times)
        times_begin(number, run);
    const bool remembers = !why_not && program_remembers(kernel->program, kernel->name);
    if (again && once() && !remembers) {
        is_equal(number, &(struct contents){.count = 0});
        return;
    }
    if (why_not) {
        launch_hide(kernel->name, again ? NULL : why_not);
    } else if (!program_code(kernel->program, kernel->name)) {
        launch_hide(kernel->name, NULL); /* the compiler has said why */
        if (!again)
            report_hidden(kernel->name, REPORT_NOT_COMPILED);
    } else if (again && !remembers && !settings->all_launches &&
               (repeats_settled(number) || !repeats_allowed()))
        launches.looked.left++;
    else
        show(kernel, run, queue, copies, number, again);
}

/* Times are said of the GPU that runs the launch, if it is one. */
static void find_gpu(cl_command_queue queue) {
    cl_device_id device = NULL;
    cl_device_type type = 0;
    char name[256] = "";
    static cl_device_id before;
    clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    if (device == before)
        return;
    before = device;
    clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    settings_device(type & CL_DEVICE_TYPE_GPU ? name : NULL);
}

void launch_before(cl_command_queue queue, cl_kernel id, bool blocked, struct run *run,
                   struct copies *copies) {
    struct kernel *kernel = kernel_find(id);
    if (!kernel && settings->instead)
        lens_die("a kernel that was not made from source cannot be replaced" HINT
                 "--instead needs a program that compiles its kernels");
    if (!kernel)
        launch_hide("a kernel", "it was not made from source");
    if (!kernel || !settings_include(kernel->name))
        return;
    check_local_memory(kernel, queue);
    find_gpu(queue);
    run->job.kernel = kernel->name;
    run->job.scalars = arguments_in_words(kernel->arguments, kernel->count);
    const char *why_not = obstacle(kernel, blocked, run);
    if (settings->instead)
        replace(kernel, run, queue, copies, why_not);
    else
        look(kernel, run, queue, copies, why_not);
    free(run->job.scalars);
}

void launch_after(cl_command_queue queue, struct copies *copies) {
    if (settings->instead)
        copies_put_back(copies, queue);
    else
        launches.mistaken |= !copies_agree(copies, queue);
}

/* With --instead the program judges what it got, be it of its own kernels. */
bool launches_seen(void) {
    return launches.looked.replayed > 0 || (settings->instead && kernels_seen() > 0);
}

bool launches_hidden(void) {
    return launches.hidden > 0;
}

static void say_none_was_shown(void) {
    char *names = settings->kernel ? kernels_in_words(settings->kernel) : NULL;
    lens_say("no launch of %s was shown\n",
             settings->kernel ? "the kernels named" : "any kernel");
    if (names)
        fprintf(stderr, "  hint    %s\n", names);
    free(names);
}

/* What came out beside mistakes; NULL: nothing. */
static const char *found(void) {
    return settings->beside                         ? comparison_verdict()
           : settings->compare && launches.mistaken ? "differs from the device"
                                                    : NULL;
}

bool launches_end(void) {
    if (settings->times)
        times_report();
    if (launches.looked.replayed == 0 && kernels_seen() > 0 && settings->instead)
        lens_say("no kernel was replaced: those of the file are the program's own\n");
    else if (launches.looked.replayed == 0 && kernels_seen() > 0)
        say_none_was_shown();
    if (settings->beside)
        comparison_end();
    else if (launches.looked.replayed > 0 && !settings->instead &&
             !(launches.mistaken && (settings->races || settings->compare))) {
        if (launches.hidden > 0 && (settings->races || settings->compare))
            fprintf(stderr,
                    "error: %zu launch%s could not be looked at" HINT
                    "the reason stands above; of the others there is no complaint\n",
                    (size_t)launches.hidden, launches.hidden == 1 ? "" : "es");
        else
            report_end(&launches.looked);
    }
    if (launches.looked.replayed + launches.looked.left + launches.hidden > 0)
        report_verdict(&launches.looked, launches.hidden, found());
    return report_judged(&launches.looked, launches.hidden, launches.mistaken);
}
