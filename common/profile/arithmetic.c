/* arithmetic: how many operations a unit makes in a second, and how long one takes. */
#include "check.h"
#include "compare.h"
#include "profile/trial.h"

#include <math.h>
#include <string.h>

/* What a kernel repeats, as peaks.cl has it: f is a multiply-add of all its floating
 * numbers and a is an addition; x, + and r change all its integers.  `steps` are made
 * `times` times in a round. */
struct recipe {
    const char *kernel, *steps;
    int numbers, integers, times;
    bool is_double;
};
enum { CLASSES = 4 }; /* work-items n and n + 4 begin alike */

struct operands {
    float factor, addend;
    cl_uint pattern, count;
};

/* The first ones change every bit; with the second ones numbers never become infinite,
 * and a device that is hot stays at its clock. */
static const struct operands lively = {0.75f, 1.25f, 0x5bd1e995u, 7},
                             calm = {1.0f, 1.0f, 0x00010001u, 1};
enum { CHECKED_ROUNDS = 3, LAUNCHES = 10 };

static struct trial make_trial(struct peaks *peaks, const struct recipe *recipe,
                               const struct operands *operands, bool one_warp) {
    struct arg args[5] = {ARG(peaks->out)};
    size_t count = 1;
    if (strchr(recipe->steps, 'f'))
        args[count++] = ARG(operands->factor);
    if (recipe->numbers)
        args[count++] = ARG(operands->addend);
    if (recipe->integers) {
        args[count++] = ARG(operands->pattern);
        args[count++] = ARG(operands->count);
    }
    const size_t least = peaks->group < WARP ? peaks->group : WARP;
    return trial_new(peaks, recipe->kernel, one_warp ? 1 : peaks->groups,
                     one_warp ? least : peaks->group, args, count);
}

static void next_numbers(const struct recipe *recipe, char step,
                         const struct operands *operands, double *s) {
    const float f = operands->factor, g = operands->addend;
    for (int i = 0; i < recipe->numbers; i++)
        if (step == 'a')
            s[i] = (double)((float)s[i] + g);
        else
            s[i] = recipe->is_double ? fma(s[i], (double)f, (double)g)
                                     : (double)fmaf((float)s[i], f, g);
}

static cl_uint next_integer(char step, const struct operands *operands, cl_uint x) {
    const cl_uint places = operands->count % 32;
    if (step == 'x')
        return x ^ operands->pattern;
    if (step == '+')
        return x + operands->count;
    return places ? x << places | x >> (32 - places) : x;
}

static cl_uint fold_number(cl_uint hash, double s, bool is_double) {
    const float rounded = (float)s;
    cl_uint bits[2] = {0};
    memcpy(bits, is_double ? (const void *)&s : (const void *)&rounded,
           is_double ? sizeof s : sizeof rounded);
    hash = fold(hash, bits[0]);
    return is_double ? fold(hash, bits[1]) : hash;
}

/* The same on the host, for the work-items of one class. */
static cl_uint result(const struct recipe *recipe, const struct operands *operands,
                      cl_uint rounds, cl_uint class) {
    static const cl_uint begin[] = {1, 3, 5, 7, 11, 13, 17, 19};
    double s[16];
    cl_uint x[8], hash = 0;
    for (int i = 0; i < recipe->numbers; i++)
        s[i] = (double)class + i;
    for (int i = 0; i < recipe->integers; i++)
        x[i] = class + begin[i];
    for (cl_ulong t = 0; t < (cl_ulong)rounds * (cl_ulong)recipe->times; t++)
        for (const char *step = recipe->steps; *step; step++)
            if (*step == 'f' || *step == 'a')
                next_numbers(recipe, *step, operands, s);
            else
                for (int i = 0; i < recipe->integers; i++)
                    x[i] = next_integer(*step, operands, x[i]);
    for (int i = 0; i < recipe->numbers; i++)
        hash = fold_number(hash, s[i], recipe->is_double);
    for (int i = 0; i < recipe->integers; i++)
        hash = fold(hash, x[i]);
    return hash;
}

static bool is_right(struct peaks *peaks, const struct recipe *recipe,
                     const struct operands *operands, const struct trial *trial) {
    cl_uint expected[CLASSES];
    for (cl_uint class = 0; class < CLASSES; class ++)
        expected[class] = result(recipe, operands, trial->rounds, class);
    return trial_equal(peaks, trial, recipe->kernel, expected, CLASSES);
}

/* Checks a few rounds, and then times and checks many.  False: a result is wrong. */
static bool try_recipe(struct peaks *peaks, const struct recipe *recipe, bool one_warp,
                       struct trial *trial) {
    *trial = make_trial(peaks, recipe, &lively, one_warp);
    trial_run(peaks, trial, CHECKED_ROUNDS);
    if (!is_right(peaks, recipe, &lively, trial))
        return false;
    *trial = make_trial(peaks, recipe, &calm, one_warp);
    trial_time(peaks, trial, LAUNCHES);
    return is_right(peaks, recipe, &calm, trial);
}

static int operations_of(const struct recipe *recipe) {
    int operations = 0;
    for (const char *step = recipe->steps; *step; step++)
        operations += *step == 'f' || *step == 'a' ? recipe->numbers : recipe->integers;
    return operations * recipe->times;
}

/* The best of some recipes is the rate. */
static void measure_rate(struct peaks *peaks, const char *key,
                         const struct recipe *recipes, int count, const char *how) {
    struct trial best = {0};
    const char *fastest = "";
    double rate = 0.0;
    for (int i = 0; i < count; i++) {
        struct trial trial;
        if (!try_recipe(peaks, &recipes[i], false, &trial)) {
            say_wrong(key);
            return;
        }
        const double here = trial_rate(peaks, &trial, operations_of(&recipes[i]));
        if (here > rate) {
            rate = here;
            best = trial;
            fastest = recipes[i].kernel;
        }
    }
    say_of(&best, key, rate, "warps/s/unit", "%s, by %s", how, fastest);
}

void measure_fma(struct peaks *peaks) {
    const struct recipe recipe = {"many_fma", "ff", 16, 0, 16, false};
    measure_rate(peaks, "fma", &recipe, 1, "multiply-adds of 16 floats");
}

void measure_add(struct peaks *peaks) {
    const struct recipe recipe = {"many_add", "aa", 16, 0, 16, false};
    measure_rate(peaks, "add", &recipe, 1, "additions to 16 floats");
}

void measure_double(struct peaks *peaks) {
    const struct recipe recipe = {"many_double", "ff", 8, 0, 16, true};
    if (!device_has(peaks->device.id, "cl_khr_fp64"))
        say_nothing("double", "the device does not offer cl_khr_fp64");
    else
        measure_rate(peaks, "double", &recipe, 1, "multiply-adds of 8 doubles");
}

void measure_integer(struct peaks *peaks) {
    const struct recipe recipes[] = {{"many_integer", "x+x+", 0, 8, 16, false},
                                     {"many_rotate", "xrxr", 0, 8, 16, false}};
    measure_rate(peaks, "integer", recipes, 2,
                 "exclusive ors, and additions or rotations, of 8 integers");
}

void measure_issue(struct peaks *peaks) {
    const struct recipe recipes[] = {
        {"issue_1", "fxf+", 8, 8, 16, false},
        {"issue_3", "fffxfff+fffxfff+", 8, 8, 4, false},
    };
    measure_rate(peaks, "issue", recipes, 2,
                 "multiply-adds, and integer operations as many or a third as many");
}

static void measure_chain(struct peaks *peaks, const char *key,
                          const struct recipe *recipe, const char *how) {
    struct trial trial;
    if (!try_recipe(peaks, recipe, true, &trial)) {
        say_wrong(key);
        return;
    }
    const double operations = (double)operations_of(recipe) * trial.rounds;
    say_of(&trial, key, trial.seconds / operations, "s", "%s", how);
}

void measure_fma_latency(struct peaks *peaks) {
    const struct recipe recipe = {"chain_fma", "ff", 1, 0, 64, false};
    measure_chain(peaks, "fma_latency", &recipe, "multiply-adds, each after the last");
}

void measure_add_latency(struct peaks *peaks) {
    const struct recipe recipe = {"chain_add", "aa", 1, 0, 64, false};
    measure_chain(peaks, "add_latency", &recipe, "additions, each after the last");
}

/* ---- Functions, whose results may differ a little. */

static double next_exp2(double x) {
    return exp2(-x);
}

static double next_rsqrt(double x) {
    return 1.0 / sqrt(x);
}

enum { FUNCTIONS = 3, SPECIAL_OPERATIONS = 8 * 16 };
static const struct {
    const char *kernel;
    double (*next)(double);
} functions[FUNCTIONS] = {
    {"special_sin", sin}, {"special_exp2", next_exp2}, {"special_rsqrt", next_rsqrt}};

static bool special_right(struct peaks *peaks, const struct trial *trial, int which) {
    double expected[CLASSES] = {0};
    for (int class = 0; class < CLASSES; class ++)
        for (int i = 0; i < 8; i++) {
            double x = 0.5 + 0.125 * (class + i);
            for (cl_uint t = 0; t < 16 * trial->rounds; t++)
                x = functions[which].next(x);
            expected[class] += x;
        }
    const cl_uint *found = trial_results(peaks, trial);
    for (size_t i = 0; i < trial->launch.global[0]; i++) {
        float value;
        memcpy(&value, &found[i], sizeof value);
        const double wanted = expected[i % trial->launch.local[0] % CLASSES];
        if (!(fabs((double)value - wanted) <= 1e-3 * wanted)) /* or NaN */
            return wrong_at(element(functions[which].kernel, i), (double)value, wanted);
    }
    return true;
}

/* Few rounds are checked: after many, all sines have come so near to 0 that the
 * device's next one is the same. */
void measure_special(struct peaks *peaks) {
    struct trial best = {0};
    int fastest = 0;
    double rate = 0.0;
    for (int i = 0; i < FUNCTIONS; i++) {
        struct trial trial = TRIAL(peaks, functions[i].kernel, peaks->groups,
                                   peaks->group, ARG(peaks->out));
        trial_run(peaks, &trial, CHECKED_ROUNDS);
        if (!special_right(peaks, &trial, i)) {
            say_wrong("special");
            return;
        }
        trial_time(peaks, &trial, LAUNCHES);
        const double here = trial_rate(peaks, &trial, SPECIAL_OPERATIONS);
        if (here > rate) {
            rate = here;
            best = trial;
            fastest = i;
        }
    }
    say_of(&best, "special", rate, "warps/s/unit",
           "native_sin, native_exp2 or native_rsqrt of 8 floats, by %s",
           functions[fastest].kernel);
}
