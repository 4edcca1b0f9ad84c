/* work: reads what an instruction is from its name, and follows values around a loop.
 *
 *     %sum = phi float [ 0.0, %entry ], [ %next, %for.body ]
 *     %x = load float, ptr %p, align 4
 *     %next = call float @llvm.fmuladd.f32(float %x, float %x, float %sum)
 *
 * is one multiply-add, and the next round waits for one: that of %sum, not of %x.
 *
 * Counts are used for a time that no GPU can beat, so where compilers differ, the least
 * counts.  Precise sines have no unit of their own, native ones have; a reciprocal or a
 * root is one special operation, with or without arithmetic that makes it more
 * precise.
 *
 * Sources: LLVM Language Reference Manual; NVIDIA, CUDA C++ Programming Guide,
 * "Arithmetic Instructions" (which functions are single instructions). */
#include "work.h"
#include "base/memory.h"
#include "base/starts.h"
#include "operations.h"

#include <stdlib.h>
#include <string.h>

/* ---- What an instruction is. */

/* Behind "%x = ", if there is a result. */
static const char *operation_in(const char *line) {
    line += strspn(line, " ");
    const char *equals = *line == '%' ? strstr(line, " = ") : NULL;
    return equals ? equals + 3 : line;
}

/* The type behind an operation's name and flags: "fast <4 x float> %x, %y". */
static const char *type_in(const char *operation) {
    static const char *const types[] = {"<", "float ", "double ", "half ", "i"};
    const char *word = operation;
    while ((word = strchr(word, ' '))) {
        word++;
        for (size_t i = 0; i < sizeof types / sizeof *types; i++)
            if (starts(word, types[i]) &&
                (*word != 'i' || (word[1] >= '0' && word[1] <= '9')))
                return word;
    }
    return "";
}

static unsigned elements_of(const char *type) { /* "<4 x float>": 4 */
    return *type == '<' ? (unsigned)strtoul(type + 1, NULL, 10) : 1;
}

static const char *element_of(const char *type) {
    const char *times = *type == '<' ? strstr(type, " x ") : NULL;
    return times ? times + 3 : type;
}

/* By the beginning of the name of an instruction, or of a function that is called. */
struct known {
    const char *name;
    enum work work;
    unsigned count;
};

static const struct known instructions[] = {
    {"fadd ", WORK_ADD, 1},     {"fsub ", WORK_ADD, 1},     {"fmul ", WORK_MULTIPLY, 1},
    {"fdiv ", WORK_SPECIAL, 1}, {"fcmp ", WORK_WHOLE, 1},   {"icmp ", WORK_WHOLE, 1},
    {"add ", WORK_WHOLE, 1},    {"sub ", WORK_WHOLE, 1},    {"mul ", WORK_WHOLE, 1},
    {"shl ", WORK_WHOLE, 1},    {"lshr ", WORK_WHOLE, 1},   {"ashr ", WORK_WHOLE, 1},
    {"and ", WORK_WHOLE, 1},    {"or ", WORK_WHOLE, 1},     {"xor ", WORK_WHOLE, 1},
    {"udiv ", WORK_WHOLE, 1},   {"sdiv ", WORK_WHOLE, 1},   {"urem ", WORK_WHOLE, 1},
    {"srem ", WORK_WHOLE, 1},   {"sitofp ", WORK_WHOLE, 1}, {"uitofp ", WORK_WHOLE, 1},
    {"fptosi ", WORK_WHOLE, 1}, {"fptoui ", WORK_WHOLE, 1}};

/* The first that fits: "sqrt" before "s". */
static const struct known functions[] = {{"llvm.fmuladd.", WORK_FMA, 1},
                                         {"llvm.fma.", WORK_FMA, 1},
                                         {"fmaf(", WORK_FMA, 1},
                                         {"fma(", WORK_FMA, 1},
                                         {"lens_native_", WORK_SPECIAL, 1},
                                         {"sqrt", WORK_SPECIAL, 1},
                                         {"llvm.sqrt.", WORK_SPECIAL, 1},
                                         {"expm1", WORK_WHOLE, 0},
                                         {"exp", WORK_SPECIAL, 1},
                                         {"log1p", WORK_WHOLE, 0},
                                         {"logb", WORK_WHOLE, 0},
                                         {"log", WORK_SPECIAL, 1},
                                         {"pow", WORK_SPECIAL, 2},
                                         {"fmin", WORK_WHOLE, 1},
                                         {"fmax", WORK_WHOLE, 1},
                                         {"llvm.minnum.", WORK_WHOLE, 1},
                                         {"llvm.maxnum.", WORK_WHOLE, 1},
                                         {"llvm.umin.", WORK_WHOLE, 1},
                                         {"llvm.umax.", WORK_WHOLE, 1},
                                         {"llvm.smin.", WORK_WHOLE, 1},
                                         {"llvm.smax.", WORK_WHOLE, 1},
                                         {"llvm.ctpop.", WORK_WHOLE, 1},
                                         {"llvm.fshl.", WORK_WHOLE, 1},
                                         {"llvm.fshr.", WORK_WHOLE, 1}};

static const struct known *find(const struct known *all, size_t count,
                                const char *name) {
    for (size_t i = 0; i < count; i++)
        if (starts(name, all[i].name))
            return &all[i];
    return NULL;
}

/* NULL: nothing that counts. */
static const struct known *known_of(const char *operation) {
    const char *call = strstr(operation, "call ");
    const char *name = call ? strchr(call, '@') : NULL;
    if (call)
        return name ? find(functions, sizeof functions / sizeof *functions, name + 1)
                    : NULL;
    return find(instructions, sizeof instructions / sizeof *instructions, operation);
}

/* "fdiv float %x, 3.0": compilers multiply by the reciprocal of a constant. */
static bool is_by_constant(const char *operation) {
    const char *comma = strrchr(operation, ',');
    const char *end = strstr(operation, ", !");
    if (end)
        for (comma = end; comma > operation && *--comma != ',';) {
        }
    return comma && comma[2] != '%';
}

static bool is_double(const char *type) {
    return starts(element_of(type), "double");
}

/* Of which kind, and how many; 0: nothing that counts. */
static unsigned count_of(const char *line, bool doubles, enum work *work) {
    const char *operation = operation_in(line), *type = type_in(operation);
    const struct known *known = known_of(operation);
    if (!known || starts(element_of(type), "half") || starts(element_of(type), "i1 ") ||
        starts(element_of(type), "i1>"))
        return 0;
    *work = known->work;
    if (starts(operation, "fdiv ") && is_by_constant(operation))
        return 0;
    if (is_double(type) && known->work != WORK_WHOLE) {
        const bool is_root = known->work == WORK_SPECIAL && strstr(operation, "call ");
        if (doubles)
            *work = WORK_DOUBLE;
        else if (!is_root)
            return 0;
    }
    return known->count * elements_of(type);
}

void work_add(struct effort *effort, const char *line, bool doubles) {
    enum work work = WORK_WHOLE;
    const unsigned count = count_of(line, doubles, &work);
    effort->work[work] += count;
}

bool work_has_doubles(char *const *lines, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        const char *operation = operation_in(lines[i]);
        if ((starts(operation, "phi ") || starts(operation, "load ") ||
             starts(operation, "store ") || starts(operation, "alloca ")) &&
            is_double(type_in(operation)))
            return true;
    }
    return false;
}

/* ---- What a round waits for. */

/* A value that depends on a phi, and the longest way to it.  A multiplication and an
 * addition on it may become one, so they are counted by themselves. */
struct value {
    const char *name;
    size_t length;
    struct way {
        unsigned multiply_adds, additions, multiplications, loads;
    } way;
};

static unsigned floats_on(struct way way) {
    return way.multiply_adds +
           (way.additions > way.multiplications ? way.additions : way.multiplications);
}

static double length_of(struct way way) {
    return work_length(floats_on(way), way.loads);
}

static size_t name_length(const char *name) {
    return strcspn(name, ", )]}>\n");
}

static bool is_named(const struct value *value, const char *name) {
    return name_length(name) == value->length &&
           memcmp(name, value->name, value->length) == 0;
}

/* Does an instruction use any of these values?  Then the longest way to its result. */
static bool follow(const char *operation, const struct value *values, size_t count,
                   struct way *way) {
    bool found = false;
    *way = (struct way){0};
    for (const char *use = operation; (use = strchr(use, '%')); use++)
        for (size_t i = 0; i < count; i++)
            if (is_named(&values[i], use)) {
                if (!found || length_of(values[i].way) > length_of(*way))
                    *way = values[i].way;
                found = true;
            }
    enum work work = WORK_WHOLE;
    const bool counts = found && count_of(operation, true, &work) > 0;
    way->multiply_adds += counts && work == WORK_FMA;
    way->additions += counts && work == WORK_ADD;
    way->multiplications += counts && work == WORK_MULTIPLY;
    way->loads += found && starts(operation, "load ");
    return found;
}

/* The value that a phi gets from this block: the name in "[ %next, %for.body ]". */
static const char *next_in(const char *phi, const char *label) {
    const size_t length = strlen(label);
    for (const char *bracket = phi; (bracket = strstr(bracket, "[ "));) {
        const char *name = bracket + 2, *from = strstr(name, ", %");
        if (!from)
            return NULL;
        from += strlen(", %");
        if (strncmp(from, label, length) == 0 && from[length] == ' ')
            return *name == '%' ? name : NULL;
        bracket = from;
    }
    return NULL;
}

/* The longest way from this phi to its value in the next round. */
static struct way way_around(char *const *lines, size_t begin, size_t end,
                             const char *phi, const char *next) {
    struct value *values = NULL;
    struct way around = {0};
    size_t count = 0;
    *GROW(values, count) = (struct value){phi, name_length(phi), {0}};
    for (size_t i = begin; i < end; i++) {
        const char *name = lines[i] + strspn(lines[i], " ");
        const char *operation = operation_in(lines[i]);
        struct value value = {name, name_length(name), {0}};
        if (*name != '%' || starts(operation, "phi ") ||
            !follow(operation, values, count, &value.way))
            continue;
        *GROW(values, count) = value;
        if (is_named(&value, next))
            around = value.way;
    }
    free(values);
    return around;
}

/* "call i32 @lens_atomic(i64 noundef %p, i32 noundef 5, ..." is; a compare-exchange is
 * not. */
static bool is_shared(const char *operation) {
    const char *atomic = strstr(operation, "@lens_atomic");
    const char *number = atomic ? strchr(atomic, ',') : NULL;
    if (number)
        number += 1 + strcspn(number + 1, "0123456789,") /* of i32 */ + strlen("32");
    if (number)
        number += strcspn(number, "0123456789,");
    return starts(operation, "load volatile ") ||
           (number && strtol(number, NULL, 10) != LENS_COMPARE_EXCHANGE);
}

bool work_polls(char *const *lines, size_t begin, size_t end) {
    struct value *values = NULL;
    size_t count = 0;
    struct way way;
    for (size_t i = begin; i < end; i++) {
        const char *name = lines[i] + strspn(lines[i], " ");
        const char *operation = operation_in(lines[i]);
        if (*name == '%' &&
            (is_shared(operation) || follow(operation, values, count, &way)))
            *GROW(values, count) = (struct value){name, name_length(name), {0}};
    }
    const bool polls = follow(lines[end], values, count, &way);
    free(values);
    return polls;
}

void work_wait(struct effort *effort, char *const *lines, size_t begin, size_t end,
               const char *label) {
    struct way longest = {0};
    for (size_t i = begin; i < end; i++) {
        const char *operation = operation_in(lines[i]);
        const char *next = starts(operation, "phi ") ? next_in(operation, label) : NULL;
        if (!next)
            continue;
        const struct way way =
            way_around(lines, begin, end, lines[i] + strspn(lines[i], " "), next);
        if (length_of(way) > length_of(longest))
            longest = way;
    }
    effort->waits = floats_on(longest);
    effort->waits_loads = longest.loads;
}
