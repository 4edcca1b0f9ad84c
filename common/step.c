#include "step.h"

#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void step_open(struct step *step, int argc, char **argv, const struct usage *usage) {
    *step = (struct step){.options = options_read(argc, argv, usage)};
    step->device = device_open_number(step->options.device, usage->device);
    step->device.program = kernel_program(&step->device, &step->options);
    step->report = report_start(&step->options, &step->device);
}

int step_close(struct step *step) {
    device_close(&step->device);
    while (step->memory_count > 0)
        free(step->memory[--step->memory_count]);
    free(step->memory);
    return report_end(&step->report);
}

static size_t default_size(const struct step *step, const struct sizes *sizes) {
    const bool is_cpu = step->device.is_cpu;
    const size_t usual = is_cpu ? sizes->cpu : sizes->gpu,
                 full = is_cpu ? sizes->cpu_full : sizes->gpu_full;
    if (step->options.full && full)
        return full;
    return step->options.brief && !is_cpu && usual >= LARGE_SIZE ? usual / BRIEFER
                                                                 : usual;
}

cl_uint step_size(const struct step *step, const struct sizes *sizes, size_t buffers,
                  size_t bytes) {
    if (step->options.size_given)
        return device_check_size(&step->device, step->options.size, buffers, bytes);
    const size_t room = device_capacity(&step->device, buffers, bytes),
                 wanted = default_size(step, sizes);
    return (cl_uint)(wanted < room ? wanted : room);
}

static void *keep(struct step *step, void *memory) {
    return *GROW(step->memory, step->memory_count) = memory;
}

void *step_array(struct step *step, size_t count, size_t bytes) {
    return keep(step, allocate(count, bytes));
}

float *step_numbers(struct step *step, size_t count, unsigned vector) {
    return keep(step, small_numbers(count, step->options.seed + vector));
}

float *step_long_numbers(struct step *step, size_t count, unsigned vector) {
    float *numbers = step_numbers(step, count, vector);
    cl_uint random = mix_seed(step->options.seed) + vector;
    for (size_t i = 0; i < count; i++)
        numbers[i] += 0x1p-25f * (float)(random_next(&random) >> 8);
    return numbers;
}

const char *step_text(struct step *step, const char *format, ...) {
    va_list facts, again;
    va_start(facts, format);
    va_copy(again, facts);
    const size_t bytes = (size_t)vsnprintf(NULL, 0, format, facts) + 1;
    char *text = step_array(step, bytes, 1);
    vsnprintf(text, bytes, format, again);
    va_end(again);
    va_end(facts);
    return text;
}

size_t step_group(const struct step *step, size_t wanted) {
    return wanted < step->device.max_group ? wanted : step->device.max_group;
}

void step_need_group(const struct step *step, size_t least) {
    if (step->device.max_group < least)
        skip("this step needs groups of at least %zu work-items" HINT
             "%s allows %zu; `make devices` shows whether there is another device",
             least, step->device.name, step->device.max_group);
}

struct launch step_launch(struct step *step, const char *name, size_t items,
                          size_t group, const struct arg *args, size_t count) {
    cl_kernel kernel = kernel_load(&step->device, &step->options, name);
    kernel_set_args(kernel, args, count);
    return launch_1d(kernel, (items + group - 1) / group * group, group);
}

void step_shape(const struct step *step, size_t shape[2]) {
    while (shape[0] * shape[1] > step->device.max_group)
        shape[shape[1] > 1] /= 2;
}

struct launch step_launch_2d(struct step *step, const char *name, size_t width,
                             size_t height, const size_t shape[2],
                             const struct arg *args, size_t count) {
    cl_kernel kernel = kernel_load(&step->device, &step->options, name);
    size_t group[] = {shape[0], shape[1]};
    step_shape(step, group);
    kernel_set_args(kernel, args, count);
    return launch_2d(kernel, width, height, group);
}

struct row step_time(struct step *step, const char *variant,
                     const struct launch *launch, size_t size, double bytes,
                     double limit) {
    return (struct row){
        .variant = variant,
        .size = size,
        .time = time_launches(&step->device, *launch, step->options.repeats),
        .bytes = bytes,
        .limit = limit,
    };
}
