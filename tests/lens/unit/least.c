/* least: a time that no device beats, worked out by hand on numbers that are easy. */
#define _POSIX_C_SOURCE 200809L /* fmemopen */
#include "unit.h"

#include "code/work.h"
#include "least/least.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- The work of an instruction. */
void test_work(void) {
    static const struct {
        const char *here, *line;
        bool doubles;
        enum work work;
        unsigned count;
    } table[] = {
        {HERE, "  %3 = fadd float %1, %2, !dbg !7", false, WORK_ADD, 1},
        {HERE, "  %3 = fsub nnan <4 x float> %1, %2", false, WORK_ADD, 4},
        {HERE, "  %3 = fmul float %1, 2.000000e+00", false, WORK_MULTIPLY, 1},
        {HERE, "  %s = tail call float @llvm.fmuladd.f32(float %a, float %b, float %c)",
         false, WORK_FMA, 1},
        {HERE, "  %s = call <2 x float> @llvm.fmuladd.v2f32(<2 x float> %a, ...)",
         false, WORK_FMA, 2},
        {HERE, "  %s = call float @fmaf(float %a, float %b, float %c)", false, WORK_FMA,
         1},
        {HERE, "  %3 = fadd double %1, %2", true, WORK_DOUBLE, 1},
        {HERE, "  %3 = fadd double %1, %2", false, WORKS, 0},
        {HERE, "  %3 = fdiv float 1.000000e+00, %2, !dbg !7", false, WORK_SPECIAL, 1},
        {HERE, "  %3 = fdiv float %2, 3.000000e+00, !dbg !7", false, WORKS, 0},
        {HERE, "  %3 = tail call double @sqrt(double %2)", false, WORK_SPECIAL, 1},
        {HERE, "  %3 = tail call double @sqrt(double %2)", true, WORK_DOUBLE, 1},
        {HERE, "  %3 = tail call float @lens_native_sinf(float noundef %1)", false,
         WORK_SPECIAL, 1},
        {HERE, "  %3 = call float @sinf(float %1)", false, WORKS, 0},
        {HERE, "  %3 = call float @expf(float %1)", false, WORK_SPECIAL, 1},
        {HERE, "  %3 = call float @expm1f(float %1)", false, WORKS, 0},
        {HERE, "  %3 = call float @powf(float %1, float %2)", false, WORK_SPECIAL, 2},
        {HERE, "  %3 = add nuw nsw i32 %1, 1", false, WORK_WHOLE, 1},
        {HERE, "  %3 = and i1 %1, %2", false, WORKS, 0},
        {HERE, "  %3 = icmp eq i64 %1, %2", false, WORK_WHOLE, 1},
        {HERE, "  %3 = zext i32 %1 to i64", false, WORKS, 0},
        {HERE, "  %3 = getelementptr inbounds float, ptr %1, i64 %2", false, WORKS, 0},
        {HERE, "  %3 = load float, ptr %2, align 4", false, WORKS, 0},
        {HERE, "  br label %for.body", false, WORKS, 0}};
    for (size_t i = 0; i < COUNT(table); i++) {
        struct effort effort = {.waits = 0};
        unsigned all = 0;
        work_add(&effort, table[i].line, table[i].doubles);
        for (int w = 0; w < WORKS; w++)
            all += effort.work[w];
        is_number(table[i].here, table[i].line, all, table[i].count);
        if (table[i].work != WORKS)
            is_number(table[i].here, "and of its kind", effort.work[table[i].work],
                      table[i].count);
    }
}

/* What the next round of a loop waits for. */
void test_waits(void) {
    static char *sum[] = {"  %i = phi i32 [ 0, %entry ], [ %i2, %loop ]",
                          "  %s = phi float [ 0.0, %entry ], [ %s2, %loop ]",
                          "  %p = getelementptr float, ptr %x, i32 %i",
                          "  %v = load float, ptr %p, align 4",
                          "  %w = fmul float %v, %v", /* waits for nothing */
                          "  %s1 = fmul float %s, %a",
                          "  %s2 = fadd float %s1, %w",
                          "  %i2 = add i32 %i, 1",
                          "  %c = icmp eq i32 %i2, %n",
                          "  br i1 %c, label %end, label %loop"};
    static char *chase[] = {"  %i = phi i32 [ 0, %entry ], [ %next, %loop ]",
                            "  %p = getelementptr i32, ptr %x, i32 %i",
                            "  %next = load i32, ptr %p, align 4",
                            "  %c = icmp eq i32 %next, %n",
                            "  br i1 %c, label %end, label %loop"};
    struct effort effort = {.waits = 9};
    work_wait(&effort, sum, 0, COUNT(sum), "loop");
    is_number(HERE, "one multiply-add", effort.waits, 1);
    is_number(HERE, "and no load", effort.waits_loads, 0);
    work_wait(&effort, chase, 0, COUNT(chase), "loop");
    is_number(HERE, "no float", effort.waits, 0);
    is_number(HERE, "but a load", effort.waits_loads, 1);
    work_wait(&effort, sum, 0, COUNT(sum), "other");
    is_number(HERE, "it is another block's loop", effort.waits, 0);

    static char *spin[] = {"  %v = load volatile i32, ptr %flag, align 4",
                           "  %c = icmp eq i32 %v, 0",
                           "  br i1 %c, label %loop, label %end"};
    static char *locked[] = {
        "  %v = call i32 @lens_atomic(i64 noundef %p, i32 noundef 0, i32 1, i32 0)",
        "  %c = icmp ult i32 %v, %n", "  br i1 %c, label %loop, label %end"};
    static char *again[] = {
        "  %v = call i32 @lens_atomic(i64 noundef %p, i32 noundef 3, i32 %x, i32 %y)",
        "  %c = icmp eq i32 %v, %y", "  br i1 %c, label %end, label %loop"};
    is_number(HERE, "a flag", work_polls(spin, 0, 2), true);
    is_number(HERE, "a number that all take", work_polls(locked, 0, 2), true);
    is_number(HERE, "a compare-exchange", work_polls(again, 0, 2), false);
    is_number(HERE, "what is loaded once", work_polls(sum, 0, COUNT(sum) - 1), false);
}

/* ---- Profiles. */
#define NEEDED                                                                         \
    "name Hand-made GPU\nunits 2 units\nlaunch 1 s\nmemory 10 bytes/s\n"               \
    "cache 100 bytes\nfma 4 warps/s/unit\nissue 4 warps/s/unit\nresident_warps 4 "     \
    "warps/unit\n"                                                                     \
    "resident_groups 2 groups/unit\nlocal_bytes 64 bytes\n"
#define HAND_MADE                                                                      \
    NEEDED "cache_rate 20 bytes/s\ndouble 2 warps/s/unit\nspecial 0.5 "                \
           "warps/s/unit\naccess 1 warps/s/unit\n"                                     \
           "pass 1 passes/s/unit\nl1_pass 1 passes/s/unit\nlookup 4 "                  \
           "lines/s/unit\natomic_word 0.5 s\n"                                         \
           "atomic_sector 10 sectors/s\nfma_latency 0.25 s\nmemory_latency 8 s\n"      \
           "cache_latency 4 s\nl1_latency 2 s\nlocal_latency 1 s\n"                    \
           "barrier_latency 1 s\n"

static void read_only(const char *text) {
    profile_read(text, "mine.txt");
}

void test_profile(void) {
    const struct profile sheet = profile_read(HAND_MADE, "mine.txt");
    const struct profile measured =
        profile_read("source measured, by hand\n" HAND_MADE, "mine.txt");
    is_text(HERE, "its name has blanks", sheet.name, "Hand-made GPU");
    is_number(HERE, "a rate", (int64_t)sheet.values[MEMORY], 10);
    is_number(HERE, "one that was measured: a hundredth more",
              lround(1000 * measured.values[MEMORY]), 10100);
    is_number(HERE, "a time: a hundredth less",
              lround(1010 * measured.values[ATOMIC_WORD]), 500);
    is_number(HERE, "a number stays", (int64_t)measured.values[UNITS], 2);
    const struct profile least = profile_read("# so\n\n" NEEDED, "mine.txt");
    is_number(HERE, "a rate that is not known binds nothing",
              isinf(least.values[CACHE_RATE]), true);
    is_refused(HERE, "name GPU\nunits two units\n", read_only,
               "mine.txt, line 2: units is 'two'\n  hint    a number above 0 belongs "
               "there");
    is_refused(HERE, "units -2 units\n", read_only,
               "mine.txt, line 1: units is '-2'\n  hint    a number above 0 belongs "
               "there");
    is_refused(HERE, "memory 4.7 TB/s\n", read_only,
               "mine.txt, line 1: memory has the unit 'TB/s'\n  hint    it is in "
               "bytes/s");
    is_refused(HERE, "memory\n", read_only,
               "mine.txt, line 1: 'memory' has no value\n  hint    a line is a key, a "
               "value and a unit, as in 'units 132 units'");
    is_refused(HERE, "units 2 units\n", read_only,
               "mine.txt does not say which device it is of\n  hint    it needs a line "
               "such as 'name NVIDIA H200'");
    is_refused(HERE, "name GPU\nunits 2 units\n", read_only,
               "mine.txt does not say 'launch'\n  hint    it needs a line such as "
               "'launch NUMBER s'; make share writes one");
    is_refused(HERE, NEEDED, read_only, NULL);
}

/* ---- Times. */

/* Milliseconds of this resource alone. */
static int64_t ms_of(struct demand demand, enum resource resource) {
    const struct profile profile = profile_read(HAND_MADE, "mine.txt");
    demand.groups = demand.groups > 0.0 ? demand.groups : 2.0;
    demand.warps_of_group = demand.warps_of_group > 0.0 ? demand.warps_of_group : 1.0;
    demand.alike = demand.alike > 0.0 ? demand.alike : 1.0;
    return lround(1000.0 * least_of(&demand, &profile).of[resource]);
}

static void test_resources(void) {
    /* Two units, each with half of it. */
    is_number(HERE, "16 multiply-adds: 8 on a unit, 4 a second",
              ms_of((struct demand){.work[WORK_FMA] = 16}, BY_ARITHMETIC), 2000);
    is_number(HERE, "6 products and 10 sums: at best 10 multiply-adds",
              ms_of((struct demand){.work = {[WORK_ADD] = 10, [WORK_MULTIPLY] = 6}},
                    BY_ARITHMETIC),
              1250);
    is_number(HERE, "8 doubles, 2 a second",
              ms_of((struct demand){.work[WORK_DOUBLE] = 8}, BY_DOUBLES), 2000);
    is_number(HERE, "2 sines, one in two seconds",
              ms_of((struct demand){.work[WORK_SPECIAL] = 2}, BY_SPECIAL), 2000);
    is_number(HERE, "4 sums, 6 whole numbers as 2, 2 loads: 8 instructions",
              ms_of((struct demand){.work = {[WORK_ADD] = 4, [WORK_WHOLE] = 6},
                                    .accesses = 2},
                    BY_ISSUE),
              1000);
    is_number(HERE, "3 loads and stores",
              ms_of((struct demand){.accesses = 3}, BY_ACCESSES), 1500);
    is_number(HERE, "8 passes of local memory",
              ms_of((struct demand){.local_passes = 8}, BY_LOCAL_BANKS), 4000);
    is_number(HERE, "3 of local memory and 5 of the L1, which is the same memory",
              ms_of((struct demand){.local_passes = 3, .l1_passes = 5}, BY_L1_BANKS),
              4000);
    is_number(HERE, "so local memory does not bind by itself",
              ms_of((struct demand){.local_passes = 3, .l1_passes = 5}, BY_LOCAL_BANKS),
              0);
    is_number(HERE, "16 lines, 4 a second",
              ms_of((struct demand){.lines = 16}, BY_L1_LINES), 2000);
    is_number(HERE, "3 groups on 2 units: one has two of them, of 4 sums each",
              ms_of((struct demand){.groups = 3, .work[WORK_ADD] = 12}, BY_ARITHMETIC),
              2000);
    is_number(HERE, "but the last may do only three quarters of the mean",
              ms_of((struct demand){.groups = 3, .alike = 0.75, .work[WORK_ADD] = 12},
                    BY_ARITHMETIC),
              1500);
    /* All of the device. */
    is_number(HERE, "256 bytes, more than twice the L2",
              ms_of((struct demand){.touched = 256}, BY_MEMORY), 25600);
    is_number(HERE, "192 bytes, which may lie there",
              ms_of((struct demand){.touched = 192}, BY_MEMORY), 0);
    is_number(HERE, "reads and stores go through the L2",
              ms_of((struct demand){.read = 32, .stored = 64}, BY_CACHE), 4800);
    is_number(HERE, "12 atomics on one word",
              ms_of((struct demand){.on_one_word = 12}, BY_WORD), 6000);
    is_number(HERE, "sectors of atomics",
              ms_of((struct demand){.atomic_sectors = 5}, BY_ATOMICS), 500);
    is_number(HERE, "a warp of 6 instructions, one a second",
              ms_of((struct demand){.longest = 6}, BY_CHAIN), 6000);
    is_number(
        HERE, "8 sums and 3 loads that wait for each other",
        ms_of((struct demand){.longest = 6, .waits = 8, .waits_loads = 3}, BY_CHAIN),
        8000);
}

static struct least least_by_hand(struct demand demand) {
    const struct profile profile = profile_read(HAND_MADE, "mine.txt");
    return least_of(&demand, &profile);
}

void test_least(void) {
    test_resources();
    const struct demand stream = {.groups = 2,
                                  .warps_of_group = 1,
                                  .alike = 1,
                                  .touched = 512,
                                  .read = 512,
                                  .accesses = 16,
                                  .rounds = 8,
                                  .first_rounds = 8};
    struct least least = least_by_hand(stream);
    is_number(HERE, "a launch and 51.2 seconds of memory", lround(1000 * least.seconds),
              52200);
    is_text(HERE, "what binds it", resource_names[least.binds], "memory");
    is_number(HERE, "is that a rate?", least_is_rate(least.binds), true);
    is_number(HERE, "8 loads, four at a time, take 16: it does not wait", least.waits,
              false);
    is_number(HERE, "nothing is read again", least.expected == 0.0, true);
    is_number(HERE, "it may take longer", least.at_most > least.seconds, true);

    struct demand again = stream;
    again.again[7] = 512; /* 128 bytes later: with 2 groups, more than the L2 holds */
    least = least_by_hand(again);
    is_number(HERE, "all is moved twice", lround(1000 * least.expected), 103400);
    is_number(HERE, "but it need not be", lround(1000 * least.seconds), 52200);
    again.again[7] = 0;
    again.again[5] = 512; /* 32 bytes later: that is still there */
    is_number(HERE, "what the L2 holds", least_by_hand(again).expected == 0.0, true);

    struct demand slow = stream;
    slow.first_rounds = slow.rounds = 64;
    is_number(HERE, "64 loads, four at a time, take 128: it waits",
              least_by_hand(slow).waits, true);
    const struct demand small = {
        .groups = 1, .warps_of_group = 1, .alike = 1, .longest = 0.5};
    least = least_by_hand(small);
    is_text(HERE, "half a second of work", resource_names[least.binds],
            "the launch itself");
    is_number(HERE, "and the launch", lround(1000 * least.seconds), 1500);
}

void test_demand(void) {
    struct demand demand = {.groups = 64,
                            .warps_of_group = 8,
                            .alike = 0.5,
                            .work[WORK_FMA] = 4096,
                            .touched = 1e9,
                            .again[15] = 64};
    struct demand read;
    char text[512] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    demand_write(&demand, out);
    fclose(out);
    is_text(HERE, "a demand", text,
            "groups=64 warps_of_group=8 alike=0.5 fma=4096 touched=1e+09 again15=64");
    is_number(HERE, "is read again", demand_read(&read, text), true);
    is_number(HERE, "as it was", memcmp(&read, &demand, sizeof read), 0);
    is_number(HERE, "a word that is none", demand_read(&read, "groups=1 fmas=3"),
              false);
    is_number(HERE, "no number", demand_read(&read, "groups=many"), false);
    is_number(HERE, "a distance that is none", demand_read(&read, "groups=1 again99=3"),
              false);
    is_number(HERE, "no groups", demand_read(&read, "fma=3"), false);
}
