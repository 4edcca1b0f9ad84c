/* step: the beginning and the end of every program, and its launches.
 *
 * Nothing here is new: step 01 writes out every OpenCL call, and step 02 uses the
 * modules that make them. */
#ifndef STEP_H
#define STEP_H

#include "buffer.h"
#include "compare.h"
#include "data.h"
#include "report.h"

struct step {
    struct options options;
    struct device device;
    struct report report;
    void **memory; /* of step_array() */
    size_t memory_count;
};

/* Reads the command line and opens the device, as in
 *
 *     step_open(&step, argc, argv, &(struct usage){.step = "step05_dot_strided"});
 *
 * `step` must stay where it is, because its report points into it. */
void step_open(struct step *step, int argc, char **argv, const struct usage *usage);

/* Releases the device and all that was allocated for the step; returns the exit status
 * for main. */
int step_close(struct step *step);

/* How many elements: --size, or the step's default for this device.  `buffers` buffers
 * of that many elements of `bytes` bytes each must fit the device: a default that is
 * too large becomes the largest that fits, a --size that is too large is an error. */
cl_uint step_size(const struct step *step, const struct sizes *sizes, size_t buffers,
                  size_t bytes);

/* Memory of the host for `count` elements of `bytes` bytes each, all zero. */
void *step_array(struct step *step, size_t count, size_t bytes);

/* small_numbers() in such memory: vector number 1, 2 ... of this --seed. */
float *step_numbers(struct step *step, size_t count, unsigned vector);

/* The same, but numbers that need all 24 bits of a float: a kernel that keeps fewer
 * is wrong, and a sum is rounded, everywhere alike. */
float *step_long_numbers(struct step *step, size_t count, unsigned vector);

/* A text as printf() would print it, such as the name of a row, in such memory. */
__attribute__((format(printf, 2, 3))) const char *step_text(struct step *step,
                                                            const char *format, ...);

/* As many work-items in a group as `wanted`, or as the device allows if these are
 * fewer. */
size_t step_group(const struct step *step, size_t wanted);

/* Ends the program as SKIPPED if the device does not allow so many in a group. */
void step_need_group(const struct step *step, size_t least);

/* LAUNCH(&step, "dot_groups", items, group, ARG(x_buffer), ARG(n)) is the kernel of
 * that name with these arguments, for at least `items` work-items in whole groups of
 * `group`.  Each LAUNCH has a kernel object of its own, which keeps its arguments. */
#define LAUNCH(step, name, items, group, ...)                                          \
    step_launch((step), (name), (items), (group), (struct arg[]){__VA_ARGS__},         \
                sizeof((struct arg[]){__VA_ARGS__}) / sizeof(struct arg))
struct launch step_launch(struct step *step, const char *name, size_t items,
                          size_t group, const struct arg *args, size_t count);

/* The same for at least width x height work-items, in groups of shape[0] x shape[1] of
 * them, or of as many as step_shape() allows. */
#define LAUNCH_2D(step, name, width, height, shape, ...)                               \
    step_launch_2d((step), (name), (width), (height), (shape),                         \
                   (struct arg[]){__VA_ARGS__},                                        \
                   sizeof((struct arg[]){__VA_ARGS__}) / sizeof(struct arg))
struct launch step_launch_2d(struct step *step, const char *name, size_t width,
                             size_t height, const size_t shape[2],
                             const struct arg *args, size_t count);

/* Halves a group's shape until the device allows so many work-items: first its height,
 * because lanes are numbered along its width. */
void step_shape(const struct step *step, size_t shape[2]);

/* Times a launch, which must read and write at least `bytes` bytes: its row, with the
 * rate to compare with, `limit`, in GB/s.  Whether it is right is the step's to say. */
struct row step_time(struct step *step, const char *variant,
                     const struct launch *launch, size_t size, double bytes,
                     double limit);

/* The number of elements of an array. */
#define COUNT(array) (sizeof(array) / sizeof *(array))

#endif
