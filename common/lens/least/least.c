/* least: each resource's time, one function for each kind.
 *
 * What is assumed of the device's compiler: a multiplication and an addition may become
 * one instruction; three whole-number instructions may become one (shift and add,
 * logic on three operands, address arithmetic that an access does itself); and no
 * float operation is left out or done in another order. */
#include "least.h"

#include <math.h>

const char *const resource_names[RESOURCES] = {
    [BY_LAUNCH] = "the launch itself",
    [BY_MEMORY] = "memory",
    [BY_CACHE] = "the L2 cache",
    [BY_L1_BANKS] = "the banks of the L1",
    [BY_L1_LINES] = "the lines of the L1",
    [BY_LOCAL_BANKS] = "the banks of local memory",
    [BY_ACCESSES] = "loads and stores",
    [BY_ARITHMETIC] = "arithmetic",
    [BY_DOUBLES] = "arithmetic in double",
    [BY_SPECIAL] = "the special functions",
    [BY_ISSUE] = "instructions",
    [BY_ATOMICS] = "atomics",
    [BY_WORD] = "atomics on one address",
    [BY_CHAIN] = "instructions that wait for each other"};

/* How much longer the busiest unit works than all would on average: of 133 groups on
 * 132 units, one unit has two.  Groups that do less than the others may be those. */
static double share(const struct demand *demand, const struct profile *profile) {
    const double units = profile->values[UNITS];
    const double rounds = ceil(demand->groups / units);
    return fmax(1.0, demand->alike * rounds * units / demand->groups);
}

static double floats(const struct demand *demand) {
    const double *work = demand->work;
    return work[WORK_FMA] + fmax(work[WORK_ADD], work[WORK_MULTIPLY]);
}

static double instructions(const struct demand *demand) {
    return floats(demand) + demand->work[WORK_DOUBLE] + demand->work[WORK_SPECIAL] +
           demand->work[WORK_WHOLE] / WHOLE_IN_ONE + demand->accesses;
}

/* What the units do, each its share of it.  Local memory and the L1 are one memory with
 * one way out: a unit makes passes over the one or the other. */
static void find_units(double of[RESOURCES], const struct demand *demand,
                       const struct profile *profile) {
    const double *rate = profile->values;
    const double each = share(demand, profile) / rate[UNITS];
    of[BY_ARITHMETIC] = each * floats(demand) / rate[UNIT_FMA];
    of[BY_DOUBLES] = each * demand->work[WORK_DOUBLE] / rate[UNIT_DOUBLE];
    of[BY_SPECIAL] = each * demand->work[WORK_SPECIAL] / rate[UNIT_SPECIAL];
    of[BY_ISSUE] = each * instructions(demand) / rate[UNIT_ISSUE];
    of[BY_ACCESSES] = each * demand->accesses / rate[UNIT_ACCESS];
    const bool mostly_local = demand->local_passes > demand->l1_passes;
    of[mostly_local ? BY_LOCAL_BANKS : BY_L1_BANKS] =
        each * (demand->local_passes + demand->l1_passes) / rate[UNIT_PASS];
    of[BY_L1_LINES] = each * demand->lines / rate[UNIT_LOOKUP];
}

/* What was there before the launch may still lie in the L2, unless it has twice as much
 * to touch; so then memory may have nothing to do. */
static bool is_beyond_cache(double bytes, const struct profile *profile) {
    return bytes > 2.0 * profile->values[CACHE];
}

static void find_memory(double of[RESOURCES], const struct demand *demand,
                        const struct profile *profile) {
    const double *rate = profile->values;
    if (is_beyond_cache(demand->touched, profile))
        of[BY_MEMORY] = demand->touched / rate[MEMORY];
    of[BY_CACHE] = (demand->read + demand->stored) / rate[CACHE_RATE];
    of[BY_ATOMICS] = demand->atomic_sectors / rate[ATOMIC_SECTOR];
    of[BY_WORD] = demand->on_one_word * rate[ATOMIC_WORD];
}

/* A quarter of a unit serves a warp: it gives at most one instruction in the time in
 * which the unit gives four. */
static double time_of_longest(const struct demand *demand,
                              const struct profile *profile) {
    enum { QUARTERS = 4 };
    const double *value = profile->values;
    return fmax(QUARTERS * demand->longest / value[UNIT_ISSUE],
                demand->waits * value[FLOAT_LATENCY] +
                    demand->waits_loads * value[L1_LATENCY]);
}

/* ---- Waiting. */

/* Warps that a unit holds at a time, as far as groups and local memory limit them. */
static double resident(const struct demand *demand, const struct profile *profile) {
    const double *value = profile->values;
    double groups =
        fmin(value[RESIDENT_GROUPS],
             floor(value[RESIDENT_WARPS] / fmax(1.0, demand->warps_of_group)));
    if (demand->local_bytes > 0.0)
        groups = fmin(groups, floor(value[LOCAL_BYTES] / demand->local_bytes));
    groups = fmax(1.0, groups);
    return demand->warps_of_group * fmin(groups, ceil(demand->groups / value[UNITS]));
}

/* How long warps wait if each has four rounds of loads in flight: a rule of thumb, for
 * compilers differ in that.  A warp's first loads take as long as its turnover, with
 * all units busy.  What stands before a barrier ends before it. */
static double time_of_waiting(const struct demand *demand,
                              const struct profile *profile) {
    enum { IN_FLIGHT = 4 };
    const double *value = profile->values;
    const double far = is_beyond_cache(demand->touched, profile) ? value[MEMORY_LATENCY]
                                                                 : value[CACHE_LATENCY];
    const double first = demand->first_rounds;
    const double more = fmax(0.0, first / IN_FLIGHT - 1.0);
    const double warps = demand->groups * demand->warps_of_group;
    const double waves = fmax(1.0, warps / (value[UNITS] * resident(demand, profile)));
    const double refill = fmin(1.0, first) * warps / (value[UNITS] * value[REFILL]);
    const double later =
        more * far + (demand->rounds - first) / IN_FLIGHT * value[L1_LATENCY] +
        demand->barriers * (value[BARRIER_LATENCY] +
                            (demand->local_passes > 0.0 ? value[LOCAL_LATENCY] : 0.0));
    return fmax(refill, waves * fmin(1.0, first) * far) + waves * later;
}

/* ---- What is expected, and the most: no promises. */

/* Memory moves a piece again if all resident groups, which go on evenly, have touched
 * more than the L2 holds since. */
static double time_expected(const struct demand *demand,
                            const struct profile *profile) {
    const double *value = profile->values;
    const double groups =
        fmin(demand->groups, value[UNITS] * resident(demand, profile) /
                                 fmax(1.0, demand->warps_of_group));
    double bytes = demand->touched, distance = 1.0;
    for (int i = 0; i < DISTANCES; i++, distance *= 2.0)
        if (distance * groups > value[CACHE])
            bytes += demand->again[i];
    return is_beyond_cache(bytes, profile) ? bytes / value[MEMORY] : 0.0;
}

/* As if nothing were in a cache, every access were waited for, and a warp had as many
 * registers as there can be, so that few are resident. */
static double time_at_most(const struct least *least, const struct demand *demand,
                           const struct profile *profile) {
    enum { SPECIAL_LATENCIES = 10, FEW_WARPS = 8, AROUND = 3 };
    const double *value = profile->values, step = 1.5 * value[FLOAT_LATENCY];
    const double far = 2.0 * value[MEMORY_LATENCY]; /* one for its address, too */
    const double few = fmax(FEW_WARPS, demand->warps_of_group);
    const double warps = demand->groups * demand->warps_of_group;
    const double units = fmin(value[UNITS], demand->groups);
    const double at_once = fmax(1.0, fmin(few, warps / value[UNITS]));
    double sum = AROUND * value[LAUNCH];
    sum += (demand->global_accesses * far +
            (demand->accesses - demand->global_accesses) * value[LOCAL_LATENCY] * 1.3 +
            demand->work[WORK_SPECIAL] * SPECIAL_LATENCIES * value[FLOAT_LATENCY] +
            demand->instructions * step +
            demand->groups * demand->barriers * demand->warps_of_group *
                demand->warps_of_group * AROUND * value[BARRIER_LATENCY]) /
           (units * at_once);
    sum += AROUND * demand->atomics * value[ATOMIC_WORD];
    for (int i = BY_MEMORY; i < BY_CHAIN; i++)
        sum += AROUND * least->of[i];
    return sum + 1.2 * AROUND * least->expected;
}

/* The resource that takes longest; less work than a launch by itself binds nothing. */
static enum resource longest_of(const struct least *least, double launch) {
    enum resource longest = BY_LAUNCH;
    for (int i = 0; i < RESOURCES; i++)
        if (least->of[i] > fmax(launch, least->of[longest]))
            longest = (enum resource)i;
    return longest;
}

struct least least_of(const struct demand *demand, const struct profile *profile) {
    const double launch = profile->values[LAUNCH];
    struct least least = {.binds = BY_LAUNCH};
    double work = 0.0;
    find_units(least.of, demand, profile);
    find_memory(least.of, demand, profile);
    least.of[BY_CHAIN] = time_of_longest(demand, profile);
    for (int i = 0; i < RESOURCES; i++)
        work = fmax(work, least.of[i]);
    least.seconds = launch + work;
    least.binds = longest_of(&least, launch);
    least.waits = time_of_waiting(demand, profile) > fmax(work, launch);
    const double expected = time_expected(demand, profile);
    if (expected > work)
        least.expected = launch + expected;
    least.at_most = time_at_most(&least, demand, profile);
    return least;
}

bool least_is_rate(enum resource binds) {
    return binds >= BY_MEMORY && binds <= BY_ISSUE;
}
