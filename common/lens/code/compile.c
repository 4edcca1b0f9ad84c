/* compile: clang makes LLVM's text of the kernel file, instrument.c puts calls into it,
 * and clang makes a library of that, which is then part of this program; or digests.c
 * makes digests of the text.  cache.c keeps what was made before.
 *
 * At -O1, and without steps that would move code from its source line to
 * another, what is executed is still what the source says. */
#define _GNU_SOURCE /* open_memstream, dladdr */
#include "base/folder.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/temporary.h"
#include "base/vocabulary.h"
#include "cache.h"
#include "check.h"
#include "code.h"
#include "command.h"
#include "complaint.h"
#include "constants.h"
#include "leave_out.h"
#include "restore.h"
#include "steps.h"
#include "unset.h"
#include "wide.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct compiling compiling;
static const char *compiler; /* of the code that was loaded last */

void code_use(struct compiling how) {
    compiling = how;
}

const char *code_compiler(void) {
    return compiler ? compiler : compiling.clang;
}

enum { PATH = TEMPORARY_PATH, FOLDER = TEMPORARY_FOLDER };

bool code_is_cpp(const char *build_options) {
    return strstr(build_options, "-cl-std=CLC++") ||
           strstr(build_options, "-cl-std=clc++");
}

/* ---- The steps. */

/* The kernel file is included, so that its lines keep their numbers.  All functions
 * but the callers become part of their callers, as they do on a GPU; nothing is
 * made of them alone. */
static const char main_head[] = "#ifndef LENS_CALL_1 /* it is not precompiled */\n"
                                "#include \"builtins.cl\"\n"
                                "#endif\n"
                                "#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__\n"
                                "#define __ENDIAN_LITTLE__ 1\n"
                                "#endif\n"
                                "#define noinline unused\n"
                                "#define __noinline__ unused\n";
/* Where the device's macros are not known, this is no x86. */
static const char no_macros[] = "#undef __x86_64__\n";
/* Behind the device's macros.  Clocks of x86 are the lens's: two replays would read
 * different times from the real one. */
static const char main_clocks[] =
    "ulong lens_clock(void);\n"
    "#define __builtin_ia32_rdtsc() lens_clock()\n"
    "#define __builtin_ia32_rdtscp(unit) (*(unit) = 0, lens_clock())\n"
    "#define __builtin_readcyclecounter() lens_clock()\n";
/* And the kernel file, in front of its callers, or alone. */
static const char main_called[] =
    "#pragma clang attribute push(__attribute__((always_inline, internal_linkage)), "
    "apply_to = function)\n"
    "#include \"kernel.cl\"\n"
    "#pragma clang attribute pop\n"
    "#line 1 \"" CALLER "\"\n";
static const char main_alone[] = "#include \"kernel.cl\"\n";

/* The same for a file in CUDA, or in HIP, which has nearly the same words; the callers
 * stand behind it. */
static const char hip_head[] = "#define LENS_HIP 1\n";
static const char cuda_head[] =
    "#include \"builtins.cuh\"\n"
    "#pragma clang attribute push(__attribute__((always_inline)), apply_to = "
    "function)\n"
    "#include \"kernel.cl\"\n"
    "#pragma clang attribute pop\n"
    "#line 1 \"" CALLER "\"\n";

/* For digests: what the compiler begins with, without places.  (What the check of an
 * index would call gets its place.) */
static const char digest_options[] =
    "-Xclang -disable-llvm-passes -g0 -fsanitize-trap=array-bounds";

/* And these, for it as any compiler of OpenCL C would read it. */
static const char plain_options[] =
    "-x cl -w -fsyntax-only -fno-crash-diagnostics -Xclang -cl-ext=+all "
    "-D __ENDIAN_LITTLE__=1 -U __x86_64__";

static bool optimise_raw(const char *folder, const struct source *source) {
    struct command command = {.count = 0};
    step_add_text_options(&command, source, false);
    command_add_words(&command, "-S -emit-llvm -o");
    step_add_file(&command, folder, "kernel.ll");
    command_add_words(&command, "-x ir");
    step_add_file(&command, folder, "raw.ll");
    return step_run(&command, folder);
}

/* Are mistakes looked for in what the source says, not in what is executed?  (Beside
 * another kernel, both count.) */
static bool is_careful(void) {
    return compiling.indices;
}

/* raw.ll, which is what the compiler begins with, as `change` makes it. */
static void change_raw(const char *folder, char *change(char *)) {
    char *raw = step_read(folder, "raw.ll"), *changed = change(raw);
    step_write(folder, "raw.ll", (const char *const[]){changed}, 1);
    free(changed);
    free(raw);
}

/* raw.ll, changed; then kernel.ll. */
static bool make_changed(const char *folder, const struct source *source,
                         const char *header) {
    if (!step_clang(folder, source, header, "-Xclang -disable-llvm-passes", "raw.ll"))
        return false;
    if (source->language != OPENCL_C)
        change_raw(folder, wide_copies);
    if (is_careful())
        change_raw(folder, unset_mark);
    return optimise_raw(folder, source);
}

static bool make_text(const char *folder, const struct source *source,
                      const char *header) {
    const char *also = source->callers ? "" : digest_options;
    if (source->callers && (is_careful() || source->language != OPENCL_C))
        return make_changed(folder, source, header);
    return step_clang(folder, source, header, also, "kernel.ll");
}

/* Makes kernel.ll once more, with the accesses that it has lost, if there are any. */
static bool restore(const char *folder, const struct source *source) {
    char *raw = step_read(folder, "raw.ll"),
         *optimised = step_read(folder, "kernel.ll");
    char *marked = restore_accesses(raw, optimised);
    bool made = true;
    if (marked) {
        step_write(folder, "raw.ll", (const char *const[]){marked}, 1);
        made = optimise_raw(folder, source);
    }
    free(marked);
    free(raw);
    free(optimised);
    return made;
}

/* The text is what is to be executed, so that machine code is needed soon, not fast.
 * The register allocator of -O0 takes the square of the length of a loop's body, which
 * for an unrolled one is long.  (clang would start itself once more to link what it has
 * compiled.)  What C does not define may end in `unreachable`: behind that would be the
 * next function, in which ARM goes round for ever, so a trap is put there. */
static const char object_options[] =
    "-w -O0 -fno-crash-diagnostics -Xclang -disable-llvm-passes "
    "-mllvm -trap-unreachable -mllvm -regalloc=basic -mllvm -optimize-regalloc -fPIC";

static bool make_object(const char *folder) {
    struct command command = {.count = 0};
    command_add(&command, compiling.clang);
    command_add_words(&command, object_options);
    command_add_words(&command, "-c -o");
    step_add_file(&command, folder, "kernel.o");
    step_add_file(&command, folder, "calls.ll");
    return step_run(&command, folder);
}

static bool make_library(const char *folder) {
    struct command command = {.count = 0};
    command_add_words(&command, compiling.debug ? "ld -shared" : "ld -shared -s");
    command_add_words(&command, "--wrap=__truncsfhf2 --wrap=__truncdfhf2 "
                                "--wrap=__extendhfsf2 --wrap=__gnu_f2h_ieee "
                                "--wrap=__gnu_h2f_ieee -o"); /* half.c has them */
    step_add_file(&command, folder, "kernel.so");
    step_add_file(&command, folder, "kernel.o");
    return step_run(&command, folder);
}

/* The library of a folder becomes part of this program.  Returns why it cannot, or
 * NULL. */
static const char *load(struct code *code, const char *folder) {
    char path[PATH];
    snprintf(path, sizeof path, "%s/kernel.so", folder);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return dlerror();
    if (!constants_read(code, library)) {
        dlclose(library); /* or it would stand for all that gets its path */
        return "it is another lens's";
    }
    if (code->compiler)
        compiler = code->compiler;
    return NULL;
}

/* ---- What the compiler has to say. */

/* What clang says of the file alone, without our built-ins around it.  (CUDA's are no
 * part of clang.) */
static char *log_of_plain(const char *folder, const struct source *source) {
    struct command command = {.count = 0};
    if (source->language != OPENCL_C)
        return step_read(folder, "log");
    command_add(&command, compiling.clang);
    command_add_words(&command, plain_options);
    step_add_standard(&command, source);
    step_add_options(&command, source, false);
    command_add_words(&command, "-iquote .");
    step_add_file(&command, folder, "kernel.cl");
    step_run(&command, folder);
    return step_read(folder, "log");
}

/* What stopped the replay's own compiler; a full disk is no matter of the file. */
static struct complaint complaint_in(const char *folder, const struct source *source) {
    char *log = step_read(folder, "log");
    if (!*log || strstr(log, strerror(ENOSPC)))
        lens_die("%s cannot write its files to %s" HINT
                 "TMPDIR may name a folder with room",
                 compiling.clang, folder);
    char *plain = log_of_plain(folder, source);
    const struct complaint complaint = complaint_read(log, plain, folder);
    free(plain);
    free(log);
    complaint_rows(&complaint);
    return complaint;
}

static void complain_with_log(const char *folder, const struct source *source) {
    const struct complaint complaint = complaint_in(folder, source);
    lens_say("%s, so it is not shown; %s says:\n%s",
             complaint.of_file ? "this kernel file does not compile here"
                               : "the replay lacks something that this kernel file "
                                 "needs",
             compiling.clang, complaint.lines);
    free(complaint.lines);
}

/* ---- What the outcome depends on: by that the cache knows it. */

static void write_age(FILE *out, const char *path) {
    struct stat file = {.st_size = 0};
    stat(path, &file);
    fprintf(out, "%s %lld %lld.%09ld\n", path, (long long)file.st_size,
            (long long)file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
}

/* The file of the compiler: PATH is searched for what has no folder in its name. */
static void write_compiler(FILE *out) {
    const char *folders = strchr(compiling.clang, '/') ? NULL : getenv("PATH");
    char path[PATH];
    snprintf(path, sizeof path, "%s", compiling.clang);
    for (const char *end; folders && *folders; folders = *end ? end + 1 : end) {
        end = folders + strcspn(folders, ":");
        snprintf(path, sizeof path, "%.*s/%s", (int)(end - folders), folders,
                 compiling.clang);
        if (access(path, X_OK) == 0)
            break;
    }
    write_age(out, path);
}

static void write_builtins(FILE *out) {
    static const char *const files[] = {
        "builtins.cl", "conversions.cl",  "operations.h", "builtins.cuh",
        "half.cuh",    "cooperative.cuh", "hip.cuh"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[PATH];
        snprintf(path, sizeof path, "%s/%s", lens_folder(), files[i]);
        write_age(out, path);
    }
}

/* Precompiles builtins.cl, unless the cache has that already: reading it would take a
 * third of the time for a small kernel.  `header` gets the path of what was made;
 * empty: it must be read. */
static void precompile(const char *folder, const struct source *source,
                       char header[PATH]) {
    if (source->language != OPENCL_C) {
        *header = '\0';
        return;
    }
    char *key = NULL;
    size_t bytes = 0;
    struct command command = {.count = 0};
    FILE *out = open_memstream(&key, &bytes);
    write_compiler(out);
    write_builtins(out);
    step_add_text_options(&command, source, true);
    for (size_t i = 1; i < command.count; i++)
        fprintf(out, "%s\n", command.words[i]);
    fclose(out);
    cache_header(key, header, PATH);
    free(key);
    if (!*header || access(header, R_OK) == 0) {
        command_release(&command);
        return;
    }
    command_add_words(&command, "-c -Xclang -emit-pch -o");
    command_add(&command, header);
    step_add_file(&command, lens_folder(), "builtins.cl");
    if (!step_run(&command, folder))
        *header = '\0';
}

/* The compiler and its options, the lens itself, the texts; and the folder we are in,
 * from which names of files may count. */
static char *key_of(const struct source *source) {
    char *key = NULL, *here = getcwd(NULL, 0);
    size_t bytes = 0;
    struct command command = {.count = 0};
    Dl_info lens = {.dli_fname = ""};
    FILE *out = open_memstream(&key, &bytes);
    write_compiler(out);
    fprintf(out, "%s\n", here ? here : "");
    step_add_text_options(&command, source, false);
    if (!source->callers)
        command_add_words(&command, digest_options);
    for (size_t i = 1; i < command.count; i++)
        fprintf(out, "%s\n", command.words[i]);
    dladdr((const void *)&object_options, &lens);
    write_age(out, lens.dli_fname);
    write_builtins(out);
    fprintf(out, "%s%s\n%s", source->macros, source->callers ? source->callers : "",
            source->text);
    fclose(out);
    command_release(&command);
    free(here);
    return key;
}

/* Did clang read no other files than ours?  It lists them in the form that make reads:
 * "kernel.ll: main.cl builtins.cl kernel.cl", over several lines, "\ " being a blank in
 * a name.  Of what is precompiled it lists the files that it includes as well. */
static bool read_ours_alone(const char *folder, enum language language,
                            bool precompiled) {
    const size_t ours = precompiled ? 5 : language == OPENCL_C ? 3 : 4;
    size_t count = 0;
    char *files = step_read(folder, "files");
    for (const char *p = files; *p; p++)
        count += (*p == ' ' || *p == '\n') && p > files && p[-1] != ' ' &&
                 p[-1] != '\\' && p[-1] != '\n';
    free(files);
    return count == ours + 1; /* and the target in front of them */
}

static void write_main(const char *folder, const struct source *source,
                       const char *macros) {
    const char *callers = source->callers;
    const char *const opencl[] = {main_head, *macros ? macros : no_macros, main_clocks,
                                  callers ? main_called : main_alone,
                                  callers ? callers : ""};
    const char *const cuda[] = {source->language == HIP ? hip_head : "", cuda_head,
                                callers ? callers : ""};
    if (source->language == OPENCL_C)
        step_write(folder, "main.cl", opencl, sizeof opencl / sizeof *opencl);
    else
        step_write(folder, "main.cl", cuda, sizeof cuda / sizeof *cuda);
}

/* What only the device's own compiler understands must not keep us from looking at the
 * rest: then it is compiled as for another device. */
static bool make_text_without(const char *folder, const struct source *source) {
    write_main(folder, source, no_macros);
    const bool made = make_text(folder, source, "");
    if (made)
        lens_say("with the device's own macros this file does not compile here; the "
                 "replay is without them\n");
    return made;
}

const char *code_begin(const char *source) {
    static const char mark[] = "\xef\xbb\xbf";
    return source + (strncmp(source, mark, strlen(mark)) == 0 ? strlen(mark) : 0);
}

static bool describe(const char *folder, struct source *source, const char *also) {
    char header[PATH] = "";
    write_main(folder, source, "");
    step_write_kernel(folder, source);
    precompile(folder, source, header);
    if (step_clang(folder, source, header, also, "kernel.ll") ||
        (*header && step_clang(folder, source, "", also, "kernel.ll")))
        return true;
    return source->language != OPENCL_C && !source->left_out &&
           leave_out(folder, source, also);
}

static _Noreturn void complain(const char *file, struct complaint complaint,
                               const char *left_out) {
    const int length = (int)strlen(complaint.lines) - 1;
    if (complaint.lacks)
        skip("%s cannot be looked at: %s:\n%.*s" HINT "%s", file, complaint.lacks,
             length, complaint.lines, term("docs/lens.md says what is not modelled"));
    if (complaint.of_file && left_out && *left_out)
        die("%s does not compile:\n%.*s\n  left out  %s" HINT "%s", file, length,
            complaint.lines, left_out, complaint.hint);
    if (complaint.of_file)
        die("%s does not compile:\n%.*s" HINT "%s", file, length, complaint.lines,
            complaint.hint);
    skip("%s cannot be looked at: the replay lacks something that it needs; %s "
         "says:\n%.*s" HINT "%s",
         file, compiling.clang, length, complaint.lines,
         term("docs/lens.md says what is not modelled"));
}

char *code_describe(const char *file, struct source *source, bool types) {
    char folder[FOLDER], *text = NULL;
    struct complaint complaint = {.lines = NULL};
    temporary_make(folder);
    const bool made = describe(folder, source, types ? "-g" : "");
    if (made)
        text = step_read(folder, "kernel.ll");
    else
        complaint = complaint_in(folder, source);
    temporary_remove(folder);
    if (!made && (!source->callers || complaint.of_file))
        complain(file, complaint, source->left_out);
    free(complaint.lines); /* else the callers are what is wrong */
    return text;
}

/* ---- Several files at once. */

/* A file on its way to a library, or to digests: both are called its product. */
struct making {
    struct source *source;
    char folder[FOLDER];
    char *key;
    const char *product; /* the name of its file */
    bool known;          /* to the cache: it is taken from there */
    bool text, made;     /* what there is of it by now */
    bool whole;          /* the text is for the device at hand */
    bool alone;          /* and was made of no other files */
};

static const char *take_digests(struct source *source, const char *folder) {
    char *lines = step_read(folder, "digests");
    source->digests = digests_read(lines);
    free(lines);
    return NULL;
}

/* Makes the product of a folder known; returns why it cannot, or NULL. */
static const char *take(const struct making *making) {
    return making->source->callers ? load(&making->source->code, making->folder)
                                   : take_digests(making->source, making->folder);
}

static void begin(struct making *making, struct source *source) {
    *making = (struct making){.source = source,
                              .product = source->callers ? "kernel.so" : "digests"};
    temporary_make(making->folder);
    making->key = key_of(source);
    making->known = making->text = making->made =
        cache_take(making->key, making->folder, making->product) && !take(making);
    if (making->known)
        return;
    write_main(making->folder, source, source->macros);
    step_write_kernel(making->folder, source);
}

static bool needs_text(const struct making *making) {
    return !making->text;
}

static bool needs_product(const struct making *making) {
    return making->text && !making->made;
}

/* Starting clang takes as long as compiling a small kernel.  So one clang compiles the
 * files `name` of all folders that need it; what it makes lies beside them.  (It starts
 * itself for each file that it is given.  But the one that it starts for the first
 * takes further ones, and finds names for what it makes, if it is given none: that is
 * so where it should check syntax alone.)  False: there are not two such folders. */
static bool make_together(struct command *command, const struct making *makings,
                          size_t count, bool (*needs)(const struct making *),
                          const char *action, const char *name) {
    const char *first = NULL;
    size_t files = 0;
    command_add_words(command, "-fsyntax-only -Xclang");
    command_add(command, action);
    for (size_t i = 0; i < count; i++) {
        if (!needs(&makings[i]))
            continue;
        if (files++ > 0)
            command_add(command, "-Xclang");
        step_add_file(command, makings[i].folder, name);
        first = first ? first : makings[i].folder;
    }
    if (files < 2)
        command_release(command);
    else
        step_run(command, first);
    return files >= 2;
}

static bool take_as(const char *folder, const char *made, const char *name) {
    char from[PATH], to[PATH];
    snprintf(from, sizeof from, "%s/%s", folder, made);
    snprintf(to, sizeof to, "%s/%s", folder, name);
    return rename(from, to) == 0;
}

/* With -H, clang has listed each file that was included, as ". /tmp/kernel.cl". */
static bool included_ours_alone(const char *folder, size_t files) {
    size_t included = 0;
    char *log = step_read(folder, "log");
    for (const char *line = log; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        included += *line == '.';
    }
    free(log);
    return included == files;
}

/* The texts of several files, if they can be made in one go.  One that does not come of
 * that is made on its own: for an error ends it all. */
static void make_texts(struct making *makings, size_t count) {
    struct command command = {.count = 0};
    const struct making *first = NULL;
    size_t files = 0;
    char header[PATH] = "";
    for (size_t i = 0; i < count; i++)
        if (needs_text(&makings[i]) && files++ == 0)
            first = &makings[i];
    if (files < 2 || (first->source->callers && is_careful()))
        return;
    precompile(first->folder, first->source, header);
    step_add_text_options(&command, first->source, false);
    if (!first->source->callers)
        command_add_words(&command, digest_options);
    step_add_folders(&command, first->source, header);
    command_add(&command, "-H");
    make_together(&command, makings, count, needs_text, "-emit-llvm", "main.cl");
    const bool alone = *header && included_ours_alone(first->folder, files);
    for (size_t i = 0; i < count; i++)
        if (needs_text(&makings[i]) &&
            take_as(makings[i].folder, "main.ll", "kernel.ll")) {
            makings[i].text = makings[i].whole = true;
            makings[i].alone = alone;
        }
}

static void make_text_alone(struct making *making) {
    const struct source *source = making->source;
    const char *folder = making->folder;
    char header[PATH];
    precompile(folder, source, header);
    making->text = make_text(folder, source, header);
    if (!making->text && *header) {
        making->text = make_text(folder, source, "");
        if (making->text)
            unlink(header); /* it is damaged: the next one makes it again */
        *header = '\0';
    }
    making->whole = making->text;
    making->alone = making->text && read_ours_alone(folder, source->language, *header);
    if (!source->callers)
        return;
    if (!making->text && *source->macros)
        making->text = make_text_without(folder, source);
    if (making->whole && is_careful())
        making->text = restore(folder, source);
}

static void make_digests(struct making *making) {
    char *text = step_read(making->folder, "kernel.ll");
    FILE *out = step_open(making->folder, "digests", "w");
    making->source->digests = digests_of(text);
    digests_write(&making->source->digests, out);
    making->made = fclose(out) == 0;
    free(text);
}

static void make_calls(struct making *making) {
    char *text = step_read(making->folder, "kernel.ll");
    FILE *out = step_open(making->folder, "calls.ll", "w");
    instrument(text, out);
    free(text);
    making->text = fclose(out) == 0;
}

static void make_objects(struct making *makings, size_t count) {
    struct command command = {.count = 0};
    command_add(&command, compiling.clang);
    command_add_words(&command, object_options);
    const bool together =
        make_together(&command, makings, count, needs_product, "-emit-obj", "calls.ll");
    for (size_t i = 0; i < count; i++) {
        const char *folder = makings[i].folder;
        if (needs_product(&makings[i]))
            makings[i].made = ((together && take_as(folder, "calls.o", "kernel.o")) ||
                               make_object(folder)) &&
                              make_library(folder);
    }
}

static void end(struct making *making) {
    struct source *source = making->source;
    const char *folder = making->folder, *why_not = NULL;
    if ((!making->text || !making->made) && !source->trial)
        complain_with_log(folder, source);
    if (!making->text || !making->made)
        return;
    if (!making->known && (why_not = load(&source->code, folder)))
        lens_say("what was made of this kernel file cannot be loaded, so it is not "
                 "shown: %s\n",
                 why_not);
    else
        source->compiled = true;
}

/* What was made is kept, and the rest is removed.  (gdb reads the library; a later lens
 * removes it.) */
static void clear(struct making *making) {
    const struct source *source = making->source;
    if (source->compiled && making->whole && making->alone)
        cache_keep(making->key, making->folder, making->product);
    free(making->key);
    if (!compiling.debug || !source->callers)
        temporary_remove(making->folder);
}

void code_compile_all(struct source *sources, size_t count) {
    struct making *makings = lens_allocate(count, sizeof *makings);
    for (size_t i = 0; i < count; i++)
        begin(&makings[i], &sources[i]);
    make_texts(makings, count);
    for (size_t i = 0; i < count; i++) {
        if (needs_text(&makings[i]))
            make_text_alone(&makings[i]);
        if (needs_product(&makings[i]))
            make_calls(&makings[i]);
    }
    make_objects(makings, count);
    for (size_t i = 0; i < count; i++) {
        end(&makings[i]);
        clear(&makings[i]);
    }
    free(makings);
}

void code_digest_all(struct source *sources, size_t count) {
    struct making *makings = lens_allocate(count, sizeof *makings);
    for (size_t i = 0; i < count; i++) {
        sources[i].callers = NULL;
        begin(&makings[i], &sources[i]);
    }
    make_texts(makings, count);
    for (size_t i = 0; i < count; i++) {
        if (needs_text(&makings[i]))
            make_text_alone(&makings[i]);
        if (needs_product(&makings[i]))
            make_digests(&makings[i]);
        sources[i].compiled = makings[i].made;
        clear(&makings[i]);
    }
    free(makings);
}

bool code_compile(struct source *source) {
    code_compile_all(source, 1);
    return source->compiled;
}

static bool ends(const char *text, const char *with) {
    const size_t length = strlen(text), end = strlen(with);
    return length >= end && strcmp(text + length - end, with) == 0;
}

enum language code_language(const char *file) {
    return ends(file, ".cu") || ends(file, ".cuh")        ? CUDA
           : ends(file, ".hip") || ends(file, ".hip.cpp") ? HIP
                                                          : OPENCL_C;
}
