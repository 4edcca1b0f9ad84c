/* instrument: reads LLVM's text form of a kernel line by line, and puts calls in.
 *
 *     for.body:
 *       call void @lens_block(i32 3)                    block 3 begins
 *       call void @lens_access(ptr %p, i64 4, i32 7)    address, bytes, site
 *       %x = load float, ptr %p, align 4, !dbg !41
 *       br i1 %c, label %for.body, label %for.end, !dbg !45
 *
 * Where an instruction's source is ("!dbg !41", see llvm.h) is remembered here, and
 * stays behind: what is made of the text needs no places.
 *
 * Every function has been inlined by then, so that a kernel is one function; compile.c
 * calls it lens_call_<kernel>.  Source: LLVM Language Reference Manual. */
#define _GNU_SOURCE /* asprintf */
#include "base/memory.h"
#include "base/starts.h"
#include "base/vocabulary.h"
#include "code.h"
#include "constants.h"
#include "divide.h"
#include "llvm.h"
#include "operations.h"
#include "restore.h"
#include "uniform.h"
#include "unset.h"
#include "uses.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FUNCTION = 256 }; /* of its name */

/* What gives CUDA's arrays without a size theirs: alone/cuda_kernel.c writes it. */
#define SHARED "lens_shared"

struct reader {
    struct code code;
    struct constants constants; /* calls: of the functions that were inlined */
    FILE *out;
    struct text text;
    char **labels; /* of the function at hand; the first is block `first` */
    size_t label_count, first;
    struct place last;      /* the place seen last in this block */
    char *kernel;           /* whose function is at hand */
    struct uniform uniform; /* its values that are the same for all work-items */
    bool has_patterns;      /* private variables are filled with them */
    struct unset unset;     /* and those that may never have been set */
    const char **externals; /* lines of variables that the file only declares */
    size_t external_count;
    bool has_doubles;    /* see work.h */
    const char *unsized; /* the first array of CUDA that a launch gives its size */
    bool shared;         /* this launch does */
};

/* Another word of the same length. */
static void replace(char *line, const char *word, const char *other) {
    while ((line = strstr(line, word)))
        memcpy(line, other, strlen(word));
}

static void adapt_lines(const struct text *text) {
    for (size_t i = 0; i < text->count; i++) {
        replace(text->lines[i], " spir_kernel ", "             "); /* for GPUs alone */
        replace(text->lines[i], " spir_func ", "           ");
        replace(text->lines[i], "@printf(",
                "@lens_p("); /* the device will print, too; see print.c */
        replace(text->lines[i], "@__tsan_init", "@lens_begin_");
    }
}

/* ---- Where an instruction's source is. */
/* A copy of a name; the same one for the same name. */
static const char *named(struct reader *reader, const char *text, size_t length) {
    char *name = llvm_name(text, length);
    const char *kept = constants_text(&reader->constants, name);
    free(name);
    return kept;
}

/* The place that a location names; line 0: it names none. */
static struct place place_at(struct reader *reader, const char *location) {
    size_t length;
    const char *file = llvm_file(&reader->text, location, &length);
    if (!file)
        return (struct place){.file = ""};
    return (struct place){.file = named(reader, file, length),
                          .line = (unsigned)llvm_number(location, "line: ", 0),
                          .column = (unsigned)llvm_number(location, "column: ", 0)};
}

/* Where the kernel calls the function that this location is in; NULL: it is in none. */
static const struct place *call_of(struct reader *reader, const char *location) {
    const struct place *call = NULL;
    size_t number;
    while ((number = llvm_number(location, "inlinedAt: !", SIZE_MAX)) <
           reader->text.metadata_count) {
        location = reader->text.metadata[number];
        struct place *place = &reader->constants.calls[number];
        if (!place->file)
            *place = place_at(reader, location);
        if (strcmp(place->file, CALLER) != 0)
            call = place;
    }
    return call;
}

static struct place place_of(struct reader *reader, const char *line) {
    const char *location = llvm_refers(&reader->text, line, "!dbg !");
    struct place place = place_at(reader, location);
    if (place.line == 0)
        return reader->last; /* the compiler moved or merged it: the one before it */
    place.call = call_of(reader, location);
    return place;
}

static unsigned add_site(struct reader *reader, struct site site) {
    *GROW(reader->code.sites, reader->code.site_count) = site;
    return (unsigned)reader->code.site_count - 1;
}

/* ---- What the replay lacks: that keeps one kernel from being shown, not its file. */
__attribute__((format(printf, 2, 3))) static void refuse(struct reader *reader,
                                                         const char *format, ...) {
    char *why;
    if (code_refusal(&reader->code, reader->kernel))
        return; /* the first reason is enough */
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&why, format, arguments) < 0)
        lens_die("no memory for a message" HINT "try a smaller kernel file");
    va_end(arguments);
    *GROW(reader->code.refusals, reader->code.refusal_count) =
        (struct refusal){constants_text(&reader->constants, reader->kernel),
                         constants_text(&reader->constants, why)};
    free(why);
}

/* The length of the name behind an "@"; one with other letters has quotes. */
static size_t name_length(const char *name) {
    return *name == '"' ? 1 + strcspn(name + 1, "\"") + 1 : strcspn(name, " ,()=*{}[]");
}

/* What builtins.cl makes of OpenCL's functions: calls of C's mathematics, as "sinf". */
static bool is_mathematics(const char *name, size_t length) {
    static const char *const names[] = {
        "sin",   "cos",   "tan",   "asin",      "acos",  "atan",     "sinh",
        "cosh",  "tanh",  "asinh", "acosh",     "atanh", "exp",      "exp2",
        "exp10", "expm1", "log",   "log2",      "log10", "log1p",    "logb",
        "sqrt",  "cbrt",  "erf",   "erfc",      "pow",   "tgamma",   "lgamma",
        "round", "atan2", "fmod",  "remainder", "hypot", "fmin",     "fmax",
        "fdim",  "fma",   "ldexp", "copysign",  "ilogb", "nextafter"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t plain = strlen(names[i]);
        if (starts(name, names[i]) &&
            (length == plain || (length == plain + 1 && name[plain] == 'f')))
            return true;
    }
    return false;
}

/* A function that the file itself has, and that calls itself: all others are inlined.
 */
static bool is_defined(const struct text *text, const char *name, size_t length) {
    for (size_t i = 0; i < text->count; i++) {
        const char *found =
            starts(text->lines[i], "define ") ? strchr(text->lines[i], '@') : NULL;
        if (found && strncmp(found + 1, name, length) == 0 && found[1 + length] == '(')
            return true;
    }
    return false;
}

/* Neither ours, nor LLVM's, nor the file's: a built-in that builtins.cl lacks, as in
 * "_Z7mad_satiii(", or a function that the file only declares.  C's library, which is
 * part of this program, must not stand in for it. */
static bool is_unknown(const struct text *text, const char *name) {
    const size_t length = name_length(name);
    return name[length] == '(' && !starts(name, "lens_") && !starts(name, "llvm.") &&
           !starts(name, "__ubsan_") &&
           !starts(name, "__translate_sampler_initializer(") &&
           !is_mathematics(name, length) && !is_defined(text, name, length);
}

static void refuse_unknown(struct reader *reader, const char *name) {
    int length = (int)name_length(name);
    if (starts(name, "_Z") && name[2] >= '1' && name[2] <= '9') {
        char *end;
        length = (int)strtol(name + 2, &end, 10);
        name = end;
    }
    refuse(reader, "it calls %.*s, which the lens does not know", length, name);
}

/* "@count = external global i32" is a variable that the file only declares. */
static bool is_external(const char *line) {
    return line[0] == '@' && strstr(line, " = external ") != NULL;
}

/* "@tile = external global [0 x float]": of CUDA, an array in shared memory, of which
 * the launch says how large it is. */
static bool is_unsized(const char *line) {
    return is_external(line) && strstr(line, " global [0 x ") != NULL;
}

static void refuse_external(struct reader *reader, const char *line) {
    for (size_t i = 0; i < reader->external_count; i++) {
        const char *name = reader->externals[i];
        if (reader->shared && is_unsized(name))
            continue;
        const size_t length = name_length(name + 1) + 1;
        for (const char *p = line; (p = strstr(p, "@")); p++)
            if (strncmp(p, name, length) == 0 && name_length(p + 1) + 1 == length)
                refuse(reader,
                       is_unsized(name) ? "how large %.*s is, only a launch says: "
                                          "--shared BYTES"
                                        : "it uses %.*s, which the file only declares",
                       (int)length - 1, name + 1);
    }
}

const char *code_refusal(const struct code *code, const char *kernel) {
    for (size_t i = 0; i < code->refusal_count; i++)
        if (strcmp(code->refusals[i].kernel, kernel) == 0)
            return code->refusals[i].why;
    return NULL;
}

/* ---- Instructions. */

/* Is a value, or a part of it, what -ftrivial-auto-var-init=pattern (compile.c) puts
 * into private variables: 0xAA, or for real numbers 0xFF, in all bytes? */
static bool is_pattern(const char *value, const char *end) {
    static const char *const patterns[] = {"-1431655766", "-6148914691236517206",
                                           "0xFFFFFFFFE0000000", "0xFFFFFFFFFFFFFFFF"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        const char *found = strstr(value, patterns[i]);
        if (found && found < end)
            return true;
    }
    return false;
}

static bool is_real(const char *type) {
    type += *type == '<' ? strcspn(type, "x") + 2 : 0; /* "<4 x float>" */
    return starts(type, "float") || starts(type, "double");
}

/* "load float, ptr %p, align 4" and "store float %x, ptr %p, align 4": a type, a comma,
 * a pointer.  How large the type is, LLVM will know. */
static void instrument_access(struct reader *reader, const char *type,
                              struct site known) {
    while (starts(type, "volatile ") || starts(type, "atomic "))
        type = strchr(type, ' ') + 1;
    const char *type_end = llvm_outside_brackets(type, " ,");
    const char *comma = llvm_outside_brackets(type, ",");
    const char *pointer = comma + strlen(", ptr ");
    known.real = is_real(type);
    known.alignment = (unsigned)llvm_number(pointer, ", align ", 0);
    known.unwritten = reader->has_patterns && is_pattern(type_end, comma);
    known.may_be_unwritten =
        known.kind == STORE && unset_is_any(&reader->unset, type_end, comma);
    if (known.kind == STORE && compiling.watched)
        known.value = uniform_of(&reader->uniform, type_end, comma);
    const unsigned site = add_site(reader, known);
    const char *pointer_end = llvm_outside_brackets(pointer, ",");
    fprintf(reader->out,
            "  call void @lens_access(ptr %.*s, i64 ptrtoint (ptr getelementptr "
            "(%.*s, ptr null, i64 1) to i64), i32 %u)\n",
            (int)(pointer_end - pointer), pointer, (int)(type_end - type), type, site);
    if (known.kind == STORE)
        unset_ask(&reader->unset, type_end, comma, pointer,
                  (int)(pointer_end - pointer), site, reader->out);
    const unsigned address =
        add_site(reader, (struct site){.kind = OTHER, .place = known.place});
    unset_ask(&reader->unset, pointer, pointer_end, "null", 4, address, reader->out);
}

/* "call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 32, i1 false)". */
static void instrument_copy(struct reader *reader, const char *arguments,
                            unsigned store, struct site site) {
    const char *end = strstr(arguments, ", i1 ");
    site.kind = LOAD;
    fprintf(reader->out, "  call void @lens_copy(%.*s, i32 %u, i32 %u)\n",
            (int)(end - arguments), arguments, store, add_site(reader, site));
}

/* "call void @llvm.memset.p0.i64(ptr %to, i8 0, i64 32, i1 false)". */
static void instrument_fill(struct reader *reader, const char *arguments,
                            unsigned store) {
    const char *end = strstr(arguments, ", i1 ");
    fprintf(reader->out, "  call void @lens_fill(%.*s, i32 %u)\n",
            (int)(end - arguments), arguments, store);
}

/* In front of the site of an asynchronous copy: where it reads, and where it writes. */
static void add_copy_sites(struct reader *reader, struct site site) {
    site.kind = LOAD;
    add_site(reader, site);
    site.kind = STORE;
    add_site(reader, site);
}

/* "<4 x float> noundef %x", "ptr byval(<8 x float>) align 32 %x": what is passed, and
 * behind its type and what is said of that, the value: the last word, or an expression.
 */
static const char *value_behind(const char *type, const char *end) {
    const char *value = type;
    for (const char *p = type; p < end; p = llvm_outside_brackets(p, " ,)")) {
        p += *p == ' ';
        value = p;
        if (starts(p, "getelementptr ") || starts(p, "inttoptr "))
            break;
    }
    return value;
}

static void instrument_printed(struct reader *reader, const char *type,
                               const char *end) {
    const char *type_end = llvm_outside_brackets(type, " "),
               *value = value_behind(type, end), *memory = strstr(type, "byval(");
    if (memory && memory < end) {
        memory += strlen("byval(");
        fprintf(reader->out,
                "  call void @lens_print_vector(ptr %.*s, i64 ptrtoint (ptr "
                "getelementptr (%.*s, ptr null, i64 1) to i64))\n",
                (int)(end - value), value,
                (int)(llvm_outside_brackets(memory, ")") - memory), memory);
        return;
    }
    fprintf(reader->out,
            "  store %.*s %.*s, ptr @lens_printed, align 1\n"
            "  call void @lens_print_argument(i32 %u, i64 ptrtoint (ptr getelementptr "
            "(%.*s, ptr null, i64 1) to i64))\n",
            (int)(type_end - type), type, (int)(end - value), value,
            starts(type, "ptr")                      ? PRINTED_POINTER
            : is_real(type) || starts(type, "half ") ? PRINTED_REAL
                                                     : PRINTED_WHOLE,
            (int)(type_end - type), type);
}

/* "@lens_p(ptr noundef @.str, <4 x float> noundef %x)": arguments can have any type, so
 * that each is stored, and print.c learns what it is. */
static void instrument_print(struct reader *reader, const char *format) {
    const char *end = llvm_outside_brackets(format, ",)");
    const char *value = value_behind(format, end), *value_end = end;
    for (const char *type = end; *type == ','; type = end) {
        type += strspn(type, ", ");
        end = llvm_outside_brackets(type, ",)");
        instrument_printed(reader, type, end);
    }
    fprintf(reader->out, "  call void @lens_print(ptr %.*s)\n",
            (int)(value_end - value), value);
}

static enum kind kind_of_call(const char *name) {
    return starts(name, "lens_atomic")        ? ATOMIC
           : starts(name, "lens_barrier")     ? BARRIER
           : starts(name, "lens_wait(")       ? BARRIER
           : starts(name, "lens_image_read")  ? LOAD
           : starts(name, "lens_aligned")     ? LOAD
           : starts(name, "lens_image_write") ? STORE
           : starts(name, "llvm.memcpy")      ? STORE
           : starts(name, "llvm.memmove")     ? STORE
           : starts(name, "llvm.memset")      ? STORE
                                              : OTHER;
}

/* "i64 %p, i32 2, i32 %x, i32 0": an atomic_xchg, whose old value nothing uses?  OpenCL
 * 1.2 has no other atomic store. */
static bool is_atomic_store(const char *arguments, char *const *lines) {
    const char *operation = llvm_outside_brackets(arguments, ",");
    if (*operation)
        operation = llvm_outside_brackets(operation + 1, ",");
    while (operation[-1] >= '0' && operation[-1] <= '9')
        operation--;
    return operation[-1] == ' ' && strtoul(operation, NULL, 10) == LENS_EXCHANGE &&
           !uses_any(lines);
}

/* Every function that does not call itself is part of the kernel by now.  (Of several
 * that call each other, one is left.)  Is it such a call?  Then the place where the
 * function calls itself is remembered. */
static bool note_recursion(struct reader *reader, const char *name, struct site site) {
    const size_t length = strcspn(name, "(");
    bool inside = false, found = false;
    char call[MAX_FUNCTION + 4];
    snprintf(call, sizeof call, "@%.*s(", (int)length, name);
    for (size_t i = 0; i < reader->text.count && length < MAX_FUNCTION; i++) {
        const char *line = reader->text.lines[i];
        const bool calls = strstr(line, call) != NULL;
        if (starts(line, "define "))
            found |= inside = calls;
        else if (inside && calls && strstr(line, "call "))
            site.place = place_of(reader, line);
        inside &= strcmp(line, "}") != 0;
    }
    if (!found)
        return false;
    *GROW(reader->code.recursions, reader->code.recursion_count) =
        (struct recursion){constants_text(&reader->constants, reader->kernel),
                           named(reader, name, length), add_site(reader, site)};
    return true;
}

static void instrument_call(struct reader *reader, char *const *lines,
                            struct site site) {
    char *name = strchr(*lines, '@');
    if (!name++)
        return;
    site.kind = kind_of_call(name);
    const char *arguments = strchr(name, '(') + 1;
    if (site.kind == STORE && starts(name, "llvm.")) {
        const unsigned store = add_site(reader, site);
        if (starts(name, "llvm.memset"))
            instrument_fill(reader, arguments, store);
        else
            instrument_copy(reader, arguments, store, site);
    } else if (starts(name, "lens_native_")) {
        return; /* a sine, like those of C's library */
    } else if (starts(name, "lens_") || starts(name, "__ubsan_")) {
        if (starts(name, "lens_p("))
            instrument_print(reader, arguments);
        if (starts(name, "lens_async_copy("))
            add_copy_sites(reader, site);
        if (starts(name, "lens_aligned("))
            site.alignment = (unsigned)llvm_number(arguments, ", i32 ", 1);
        site.overwrites = site.kind == ATOMIC && is_atomic_store(arguments, lines);
        if (site.kind == ATOMIC)
            site.value =
                uniform_of(&reader->uniform, arguments, strchr(arguments, ','));
        const unsigned number = add_site(reader, site);
        fprintf(reader->out, "  call void @lens_here(i32 %u)\n", number);
        if (site.kind == ATOMIC)
            unset_ask(&reader->unset, arguments, strchr(arguments, ')'), "null", 4,
                      number, reader->out);
    } else if (!note_recursion(reader, name, site) && is_unknown(&reader->text, name)) {
        refuse_unknown(reader, name);
    }
}

static int block_named(const struct reader *reader, const char *name, size_t length) {
    for (size_t i = 0; i < reader->label_count; i++)
        if (strlen(reader->labels[i]) == length &&
            strncmp(reader->labels[i], name, length) == 0)
            return (int)(reader->first + i);
    return EXIT;
}

/* All of "label %if.then, label %if.end" in a line: they may be the next blocks. */
static void find_successors(struct reader *reader, struct block *block,
                            const char *line) {
    static const char mark[] = "label %";
    for (const char *p = line; (p = strstr(p, mark));) {
        p += strlen(mark);
        const size_t length = strcspn(p, ", \t");
        *GROW(block->successors, block->successor_count) =
            block_named(reader, p, length);
    }
}

/* A switch goes over several lines; the last of them says where its source is. */
static bool is_last_of_block(const char *line) {
    return starts(line, "  br ") || starts(line, "  ret ") || starts(line, "  ], ") ||
           starts(line, "  unreachable");
}

static void remember(struct reader *reader, struct block *block, struct place place) {
    const size_t count = block->place_count;
    reader->last = place;
    if (!count || block->places[count - 1].line != place.line ||
        block->places[count - 1].file != place.file ||
        block->places[count - 1].call != place.call)
        *GROW(block->places, block->place_count) = place;
}

/* "%3 = call i32 asm "mov.u32 $0, %laneid;", "=r"()": of CUDA, in PTX, which is text
 * for another processor.  In its place comes any value at all.  (One without any text
 * keeps a compiler from moving code.)  True: the line was that. */
static bool remove_assembly(char *line) {
    char *call = strstr(line, "call "), *assembly = call ? strstr(call, " asm ") : NULL;
    if (!assembly || strstr(assembly, " \"\", \""))
        return false;
    const char *type = call + strlen("call "), *equals = strstr(line, " = ");
    char *value = NULL;
    if (asprintf(&value, "%.*s = freeze %.*s undef",
                 equals && equals < call ? (int)(equals - line) : 0, line,
                 (int)(assembly - type), type) < 0)
        lens_die("no memory for a line" HINT "try a smaller kernel file");
    strcpy(line, *value == ' ' && value[1] == '=' ? "" : value);
    free(value);
    return true;
}

static void instrument_instruction(struct reader *reader, struct block *block,
                                   char *const *lines) {
    char *line = *lines;
    const char *load = strstr(line, " = load "), *equals = strstr(line, " = ");
    const bool is_store = starts(line, "  store ");
    if (strstr(line, "@llvm.dbg.") || strstr(line, "@llvm.lifetime.") ||
        starts(line, "    #dbg"))
        return; /* these leave no trace in the program */
    struct site site = {.kind = BRANCH, .place = place_of(reader, line)};
    const bool by_caller = strcmp(site.place.file, CALLER) == 0;
    uniform_line(&reader->uniform, line, by_caller);
    if (by_caller)
        return; /* the call of the kernel: compile.c wrote it */
    remember(reader, block, site.place);
    block->instructions++;
    work_add(&block->effort, line, reader->has_doubles);
    refuse_external(reader, line);
    if (remove_assembly(line)) {
        refuse(reader, "line %u of %s has inline PTX (asm), which is not modelled",
               site.place.line, site.place.file);
        return;
    }
    if (strstr(line, " = atomicrmw ") || strstr(line, " = cmpxchg "))
        refuse(reader, "%s", term("it has atomics that are not OpenCL 1.2's"));
    if (is_last_of_block(line)) {
        block->branch = add_site(reader, site);
        unset_ask(&reader->unset, line, line + strcspn(line, "!"), "null", 4,
                  block->branch, reader->out);
    } else if (is_store || (load && load == equals)) {
        site.kind = is_store ? STORE
                    : starts(load + 8, "volatile ") && !strstr(load, RESTORED)
                        ? VOLATILE_LOAD
                        : LOAD;
        site.for_component = site.kind == LOAD && uses_for_component(lines);
        instrument_access(reader, is_store ? line + 8 : load + 8, site);
    } else if (strstr(line, "call ")) {
        instrument_call(reader, lines, site);
    }
}

/* ---- Functions. */
static char *label_of(char *line) {
    return line[0] != ' ' && line[0] != '}' && line[0] != ';' ? line : NULL;
}

/* Numbers the blocks of the function that begins at `begin`; returns its last line. */
static size_t number_blocks(struct reader *reader, size_t begin) {
    size_t i = begin + 1;
    reader->first = reader->code.block_count;
    reader->label_count = 0;
    for (; strcmp(reader->text.lines[i], "}") != 0; i++)
        if (label_of(reader->text.lines[i])) {
            reader->text.lines[i][strcspn(reader->text.lines[i], ":")] = '\0';
            *GROW(reader->labels, reader->label_count) = reader->text.lines[i];
            *GROW(reader->code.blocks, reader->code.block_count) = (struct block){0};
        }
    return i;
}

static bool leads_to(const struct block *block, size_t number) {
    for (size_t s = 0; s < block->successor_count; s++)
        if (block->successors[s] == (int)number)
            return true;
    return false;
}

/* The last place of a block from which this one is reached. */
static struct place place_before(const struct reader *reader, size_t number) {
    const struct block *blocks = reader->code.blocks;
    for (size_t b = number; b-- > reader->first;)
        if (leads_to(&blocks[b], number))
            return blocks[b].place_count ? blocks[b].places[blocks[b].place_count - 1]
                                         : place_before(reader, b);
    return (struct place){.file = ""};
}

static size_t end_of_block(const struct reader *reader, size_t i) {
    while (!is_last_of_block(reader->text.lines[i]) &&
           strcmp(reader->text.lines[i], "}") != 0)
        i++;
    return i;
}

/* Does the last line of a block lead back into it, and nowhere else? */
static bool never_leaves(const struct reader *reader, size_t number, const char *line) {
    static const char mark[] = "  br label %";
    if (!starts(line, mark))
        return false;
    line += strlen(mark);
    return block_named(reader, line, strcspn(line, ", ")) == (int)number;
}

/* For instructions of a block without a place: the first that is known from a line on.
 * Where there is none up to the function's end, as clang 22 leaves what it has moved
 * out of a loop, the way into the block has one.  So it is where the block is a loop
 * without an end, as "while (n) ;": what stands behind it does not come after it. */
static struct place first_place(struct reader *reader, size_t number, size_t i) {
    const size_t end = end_of_block(reader, i);
    const bool for_ever = never_leaves(reader, number, reader->text.lines[end]);
    struct place place = {.file = ""};
    reader->last = place;
    for (; place.line == 0 && strcmp(reader->text.lines[i], "}") != 0; i++) {
        if (for_ever && i > end)
            break;
        if (!strstr(reader->text.lines[i], "@llvm.dbg.")) {
            place = place_of(reader, reader->text.lines[i]);
            if (strcmp(place.file, CALLER) == 0) /* it was moved here */
                place = reader->last;
        }
    }
    return place.line == 0 ? place_before(reader, number) : place;
}

/* Writes a line without its place, which is of use to a debugger alone. */
static void write_line(struct reader *reader, const char *line) {
    static const char mark[] = " !dbg !";
    const char *place = compiling.debug ? NULL : strstr(line, mark);
    if (!compiling.debug && (strstr(line, "@llvm.dbg.") || starts(line, "    #dbg")))
        return;
    if (!place) {
        fprintf(reader->out, "%s\n", line);
        return;
    }
    const char *rest = place + strlen(mark);
    rest += strspn(rest, "0123456789");
    if (place > line && place[-1] == ',') /* "define void @f() !dbg !7 {" has none */
        place--;
    fprintf(reader->out, "%.*s%s\n", (int)(place - line), line, rest);
}

/* What is not there must not keep the rest from being loaded.  Only kernels that are
 * refused use it.  (An array that has got its size is another name for that.) */
static void write_external(struct reader *reader, const char *line) {
    if (reader->shared && is_unsized(line)) {
        const char *type = strchr(line, '[');
        fprintf(reader->out, "%.*s = internal alias %.*s, ptr @" SHARED "\n",
                (int)strcspn(line, " "), line,
                (int)(llvm_outside_brackets(type, " ,") - type), type);
        return;
    }
    const char *word = strstr(line, " external ");
    fprintf(reader->out, "%.*s extern_weak ", (int)(word - line), line);
    write_line(reader, word + strlen(" external "));
}

static void write_declaration(struct reader *reader, const char *line) {
    static const char word[] = "declare";
    const char *name = strchr(line, '@');
    const bool unknown = name && is_unknown(&reader->text, name + 1);
    fputs(unknown ? "declare extern_weak" : word, reader->out);
    write_line(reader, line + strlen(word));
}

/* Divisions are guarded: see divide.h. */
static void write_instruction(struct reader *reader, const char *line) {
    if (!divide_is(line)) {
        write_line(reader, line);
        return;
    }
    const struct site site = {.kind = OTHER, .place = place_of(reader, line)};
    char *guarded = divide_guarded(line, add_site(reader, site), reader->out);
    write_line(reader, guarded);
    free(guarded);
}

/* (Its first line does not say where it is.) */
static void ask_of_switch(struct reader *reader, const char *line) {
    const struct site site = {.kind = BRANCH, .place = reader->last};
    unset_ask(&reader->unset, line, strchr(line, ','), "null", 4,
              add_site(reader, site), reader->out);
}

/* Of a whole block: its label's line is `top`, its last one `end`. */
static void find_effort(struct reader *reader, size_t number, size_t top, size_t end) {
    struct block *block = &reader->code.blocks[number];
    block->effort.polls = work_polls(reader->text.lines, top + 1, end);
    if (leads_to(block, number))
        work_wait(&block->effort, reader->text.lines, top + 1, end,
                  reader->text.lines[top]);
}

static void instrument_function(struct reader *reader, size_t begin, size_t end) {
    struct block *block = NULL;
    size_t number = reader->first, top = begin;
    bool at_top = false, in_switch = false;
    reader->has_doubles = work_has_doubles(reader->text.lines, begin, end);
    uniform_begin(&reader->uniform);
    if (compiling.watched)
        unset_begin(&reader->unset, reader->text.lines, begin + 1, end);
    write_line(reader, reader->text.lines[begin]);
    for (size_t i = begin + 1; i < end; i++) {
        char *line = reader->text.lines[i];
        if (label_of(line)) {
            fprintf(reader->out, "%s:\n", line);
            block = &reader->code.blocks[number];
            reader->last = first_place(reader, number, i + 1);
            at_top = true;
            top = i;
            continue;
        }
        const bool is_phi = strstr(line, " = phi ") != NULL;
        if (at_top && !is_phi) { /* phis must stay first */
            fprintf(reader->out, "  call void @lens_block(i32 %zu)\n", number++);
            at_top = false;
        }
        if (starts(line, "  switch "))
            ask_of_switch(reader, line);
        in_switch = (in_switch || starts(line, "  switch ")) && !starts(line, "  ]");
        if (in_switch || is_last_of_block(line))
            find_successors(reader, block, line);
        if (starts(line, "  unreachable"))
            block->reconverge = NOWHERE;
        if (is_last_of_block(line))
            find_effort(reader, number - 1, top, i);
        if (!is_phi && !in_switch)
            instrument_instruction(reader, block, &reader->text.lines[i]);
        write_instruction(reader, line);
        unset_follow(&reader->unset, line, reader->out);
    }
    fprintf(reader->out, "}\n");
    find_reconvergence(reader->code.blocks, reader->first, reader->label_count);
}

/* An array's name, without "function." in front, and without ".0" behind: of one that
 * is never used as a whole, the compiler makes several. */
static const char *plain_name(const char *name, const char **end) {
    for (const char *digits = *end;; *end = --digits) {
        while (digits > name && digits[-1] >= '0' && digits[-1] <= '9')
            digits--;
        if (digits == *end || digits == name || digits[-1] != '.')
            break;
    }
    for (const char *p = name; p < *end; p++)
        if (*p == '.')
            name = p + 1;
    return name;
}

/* "define void @lens_call_sum(ptr %lens_a) {" is kernel sum's: the caller's name. */
#define CALLS "lens_call_"
static const char *caller_in(const char *line) {
    const char *name = starts(line, "define ") ? strchr(line, '@') : NULL;
    name += name ? 1 + (name[1] == '"') : 0;
    return name && starts(name, CALLS) ? name : NULL;
}

/* A name in C++, as in _ZZ6reducePfE4tile, a function's array: the last that stands in
 * it behind its length. */
static const char *cpp_name(const char *name, const char **end) {
    const char *last = name;
    size_t length = (size_t)(*end - name);
    if (!starts(name, "_Z"))
        return name;
    for (const char *p = name + 2; p < *end; p++) {
        char *letters;
        const size_t letter_count =
            *p >= '1' && *p <= '9' ? strtoul(p, &letters, 10) : 0;
        if (letter_count == 0 || letter_count > (size_t)(*end - letters))
            continue;
        last = letters;
        length = letter_count;
        p = letters + letter_count - 1;
    }
    *end = last + length;
    return last;
}

/* Does the kernel that is called use it?  C++ has all arrays of all its functions. */
static bool is_used(const struct reader *reader, const char *name, size_t length) {
    bool inside = false;
    for (size_t i = 0; i < reader->text.count; i++) {
        const char *line = reader->text.lines[i];
        if (starts(line, "define "))
            inside = caller_in(line) != NULL;
        for (const char *p = line; inside && (p = strchr(p, '@')); p++)
            if (strncmp(p + 1, name, length) == 0 && name_length(p + 1) == length)
                return true;
    }
    return false;
}

/* Is a variable in constant memory, as builtins.cuh has said of each that is?
 * "@llvm.global.annotations = ... [{ ... } { ptr @name, ptr @.str, ... }, ...]" */
static bool is_annotated(const struct text *text, const char *name, size_t length) {
    static const char before[] = "{ ptr ";
    for (size_t i = 0; i < text->count; i++) {
        const char *p = text->lines[i];
        if (!starts(p, "@llvm.global.annotations "))
            continue;
        while ((p = strstr(p, before))) {
            p += strlen(before);
            if (strncmp(p, name, length) == 0 && p[length] == ',')
                return true;
        }
    }
    return false;
}

/* ---- Arrays of the file: "@tree.tile = internal global [64 x float] undef, align 4".
 * Local memory has no value at first, and all else has one: "@count = global i32 0". */
static void find_object(struct reader *reader, const char *line) {
    const char *constant = strstr(line, " constant "), *type = strstr(line, " global ");
    if ((!type && !constant) || starts(line, "@llvm.") ||
        starts(line, "@lens_chosen ") || strstr(line, ", section \"llvm.metadata\""))
        return;
    struct object object = {.space = type ? GLOBAL : CONSTANT};
    type = type ? type + 8 : constant + 10;
    if (object.space == GLOBAL && starts(llvm_outside_brackets(type, " ,"), " undef"))
        object.space = LOCAL;
    if (strstr(line, " = private ")) /* a text, or a table, of the compiler's own */
        object.space = PRIVATE;
    const char *name = line + 1, *end = strchr(name, ' ');
    if (is_annotated(&reader->text, line, (size_t)(end - line)))
        object.space = CONSTANT;
    if (starts(name, "_Z") && object.space == LOCAL &&
        !is_used(reader, name, (size_t)(end - name)))
        return;
    if (asprintf(GROW(reader->constants.memory, reader->constants.memory_count),
                 "ptr @%.*s, i64 ptrtoint (ptr getelementptr (%.*s, ptr null, i64 1) "
                 "to i64)",
                 (int)(end - name), name,
                 (int)(llvm_outside_brackets(type, " ,") - type), type) < 0)
        lens_die("no memory for an array" HINT "try a smaller kernel file");
    name += *name == '"';
    end -= end[-1] == '"';
    if (object.space == LOCAL && memchr(name, '.', (size_t)(end - name)))
        object.kernel = named(reader, name, strcspn(name, "."));
    if (starts(name, SHARED " ") && reader->unsized) {
        name = reader->unsized + 1;
        end = strchr(name, ' ');
    }
    name = plain_name(name, &end);
    name = cpp_name(name, &end);
    object.name = named(reader, name, (size_t)(end - name));
    *GROW(reader->code.objects, reader->code.object_count) = object;
}

static void declare_calls(struct reader *reader) {
    fputs("declare void @lens_block(i32)\n"
          "declare void @lens_here(i32)\n"
          "declare void @lens_access(ptr, i64, i32)\n"
          "declare void @lens_copy(ptr, ptr, i64, i32, i32)\n"
          "declare void @lens_fill(ptr, i8, i64, i32)\n"
          "declare i64 @lens_divisor(i64, i64, i32, i32)\n"
          "declare void @lens_print(ptr)\n"
          "declare void @lens_print_argument(i32, i64)\n"
          "declare void @lens_print_vector(ptr, i64)\n"
          "@lens_printed = external global [128 x i8]\n",
          reader->out);
}

static void begin_kernel(struct reader *reader, const char *line) {
    const char *name = caller_in(line) + strlen(CALLS);
    free(reader->kernel);
    reader->kernel = llvm_name(name, strcspn(name, "\"("));
}

static bool is_same_statement(const struct site *one, const struct site *other) {
    return one->kind == other->kind && one->place.file == other->place.file &&
           one->place.line == other->place.line &&
           one->place.column == other->place.column;
}

static bool is_unwritten(const struct site *site) {
    return site->unwritten || site->may_be_unwritten;
}

static void find_members(struct code *code) {
    for (size_t i = 0; i < code->site_count; i++)
        for (size_t j = 0; j < code->site_count && is_unwritten(&code->sites[i]); j++)
            code->sites[i].beside_written |=
                !is_unwritten(&code->sites[j]) &&
                is_same_statement(&code->sites[i], &code->sites[j]);
}

/* Its text says producer: "Debian clang version 15.0.6". */
static const char *compiler_in(struct reader *reader, const char *text) {
    static const char words[] = "clang version ";
    const char *found = strstr(text, "producer: \"");
    char name[32];
    if (!found || !(found = strstr(found, words)))
        return NULL;
    found += strlen(words);
    snprintf(name, sizeof name, "clang %.*s", (int)strspn(found, "0123456789"), found);
    return constants_text(&reader->constants, name);
}

/* All that is known of the file, once all of it is read. */
static void write_constants(struct reader *reader) {
    for (size_t i = 0; i < reader->text.count; i++)
        if (reader->text.lines[i][0] == '@')
            find_object(reader, reader->text.lines[i]);
    find_members(&reader->code);
    constants_write(&reader->code, &reader->constants, reader->out);
    constants_free(&reader->code, &reader->constants);
}

void instrument(char *text, FILE *out) {
    struct reader reader = {.out = out};
    reader.code.compiler = compiler_in(&reader, text);
    reader.text = llvm_split(text);
    reader.constants.call_count = reader.text.metadata_count;
    reader.constants.calls =
        lens_allocate(reader.text.metadata_count + 1, sizeof *reader.constants.calls);
    adapt_lines(&reader.text);
    reader.has_patterns = compiling.watched;
    for (size_t i = 0; i < reader.text.count; i++) {
        const char *line = reader.text.lines[i];
        reader.has_patterns &= !starts(line, UNSET_ALL);
        reader.shared |= starts(line, "@" SHARED " = ");
        if (is_unsized(line) && !reader.unsized)
            reader.unsized = line;
        if (is_external(line))
            *GROW(reader.externals, reader.external_count) = line;
    }
    for (size_t i = 0; i < reader.text.count; i++) {
        const char *line = reader.text.lines[i];
        if (caller_in(line)) {
            const size_t end = number_blocks(&reader, i);
            begin_kernel(&reader, line);
            instrument_function(&reader, i, end);
            i = end;
        } else if (starts(line, "declare ")) {
            write_declaration(&reader, line);
        } else if (is_external(line)) {
            write_external(&reader, line);
        } else if (compiling.debug || !starts(line, "!llvm.dbg.cu")) {
            remove_assembly(reader.text.lines[i]);
            write_line(&reader, line);
        }
    }
    declare_calls(&reader);
    if (compiling.watched)
        fputs(unset_declarations, out);
    write_constants(&reader);
    llvm_free(&reader.text);
    free(reader.labels);
    free(reader.externals);
    free(reader.kernel);
    uniform_end(&reader.uniform);
    unset_end(&reader.unset);
}
