/* main: build/lens PROGRAM runs a program with the lens in it; `lens kernel FILE` looks
 * at a kernel without one. */
#define _GNU_SOURCE /* asprintf, dlinfo, environ, getopt_long, memmem, pipe2,          \
                       program_invocation_short_name */
#include "alone/all_sizes.h"
#include "alone/single.h"
#include "attach/seen.h"
#include "base/folder.h"
#include "base/spelling.h"
#include "check.h"
#include "driver/version.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <link.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALLED program_invocation_short_name /* as it was called */

/* --help has all of it; `kernel --help`, what concerns kernels. */
static const char help_begin[] =
    "Shows what a GPU, whose lanes move in lockstep, would do with the program's\n"
    "OpenCL kernels: a line for each launch, and a picture of what matters.  The\n"
    "program runs as always, except that what it prints goes to stderr.\n";
static const char help_begin_kernel[] =
    "Shows what a GPU, whose lanes move in lockstep, would do with one kernel of a\n"
    "file.  It needs no program, no driver and no GPU; what is not given is guessed\n"
    "and printed.\n";
static const char help_looks[] =
    "  --kernel NAME  show this kernel alone, with its source lines and pictures;\n"
    "                 there may be several, or a pattern such as 'dot_*'\n"
    "  --all          show every launch of every kernel in this way\n"
    "  --table        show the table, also of kernels that --kernel names; with\n"
    "                 --all, of all launches, and with what few readers need\n"
    "  --pages        also show in the table how many cache lines and pages the\n"
    "                 busiest access touches\n"
    "  --banks        also show in the table how many passes of the L1 the busiest\n"
    "                 global load takes, and draw the L1's banks in its picture\n"
    "  --whole        draw all rows of the picture below the table\n"
    "  --races        look for data races, out-of-bounds accesses, uninitialised\n"
    "                 reads and barrier divergence instead\n"
    "  --lanes N      lanes in a warp: 4, 8, 16, 32 (the default) or 64; several of\n"
    "                 them, as in 32,64, are compared in the table\n"
    "  --groups N     replay at most N groups of a launch (default: as many as\n"
    "                 are quick)\n"
    "  --format F     text; or, for programs, json (an object on each line, the\n"
    "                 verdict last) or tsv (tab-separated values, the same rows)\n"
    "  --svg FILE     also write the pictures into FILE\n"
    "  --html FILE    write a page into FILE that steps through one group of "
    "work-items\n";
static const char help_programs[] =
    "  --ours FILE    compare the program's kernels with those of this file\n"
    "  --mistake FILE and report whether they match the known mistake in this\n"
    "                 file; there may be several\n"
    "  --each         compare each of these files with the program's kernels, which\n"
    "                 must be ours: a line for each, with tabs between FILE,\n"
    "                 verdict, digest and text\n"
    "  --instead FILE give the program what a replay of this file's kernels\n"
    "                 computes, in place of what the device computes; the\n"
    "                 program's output is kept\n"
    "  --waits        also count what the device has left to do when the host has\n"
    "                 waited\n"
    "  --compare      compare the replay's results with the device's\n"
    "  --preload      preload the lens, instead of making it a layer of the OpenCL\n"
    "                 loader: for loaders that have no layers\n"
    "  --all-launches replay every launch whose buffers have changed, however\n"
    "                 long that takes\n"
    "  --give-up      end the program with status 77 where a launch takes so long "
    "that\n"
    "                 the lens stops looking at it: the device might never end it\n";
static const char help_strict[] =
    "  --strict       with --races: several work-items that write one value to one "
    "place\n"
    "                 are a mistake, also where no data can make the values differ\n";
static const char help_quiet[] = "  --quiet        drop what the program prints\n"
                                 "A kernel without a program, and without a driver:\n";
static const char help_kernel[] =
    "  CALL           its name, and its arguments as far as they are not to be\n"
    "                 guessed: 'dot(x[4096]=random, y=1, t[256], n=4096)'.  A buffer\n"
    "                 holds a number, random, index (0, 1, 2 ...), unset, 0..9 "
    "(random\n"
    "                 in this range), file:NAME (its raw bytes) or null;\n"
    "                 raw[64]:float=1 says what its numbers are.  A structure has\n"
    "                 its members in order: by=(64, 2.5, (1, 2))\n"
    "  --global X,Y,Z work-items (default: 4 groups in each dimension)\n"
    "  --local X,Y,Z  work-items in a group (default: as the kernel requires, or up\n"
    "                 to 256)\n"
    "  -D, -I         as a compiler takes them\n"
    "  --build WORDS  more options of clBuildProgram, such as -cl-std=CL2.0\n"
    "  --check        replay all groups, and print what the kernel wrote\n"
    "  --order O      which warps and groups run first: turns (a block each, the\n"
    "                 default), or one as far as it can: first, last or random\n"
    "  --all-sizes    look for mistakes at every size up to 300, in groups of\n"
    "                 several sizes, warps of 4 to 64 lanes, and all orders.  The "
    "size\n"
    "                 is an argument without a value, as in 'sum(x, y[n + 1], n)'\n";
static const char help_both[] = "Both:\n";
static const char help_end[] = "  --version      show the version\n"
                               "  --help         show this text\n";

static bool of_kernel; /* it is `lens kernel` */

static void print_help(void) {
    static const char *const all[] = {help_begin,  help_looks, help_programs,
                                      help_strict, help_quiet, help_kernel,
                                      help_both,   help_end,   NULL},
                             *const kernels[] = {help_begin_kernel, help_looks,
                                                 help_strict,       help_kernel,
                                                 help_end,          NULL};
    printf("usage: ");
    if (!of_kernel)
        printf("%s [options] PROGRAM [ARGUMENTS]\n       ", CALLED);
    printf("%s kernel [options] FILE [CALL]\n", CALLED);
    for (const char *const *part = of_kernel ? kernels : all; *part; part++)
        fputs(*part, stdout);
    if (of_kernel)
        printf("For example: %s kernel dot.cl 'dot(x[4096]=random, n=4096)'\n", CALLED);
}

static void set_variable(const char *name, const char *value) {
    if (setenv(name, value, true) != 0)
        die("the environment is full" HINT "there is no memory left");
}

/* Adds a line to those that are there. */
static void add_line(const char *name, const char *value) {
    const char *before = getenv(name);
    const size_t room = (before ? strlen(before) : 0) + strlen(value) + 2;
    char *lines = malloc(room);
    if (!lines)
        die("no memory for names" HINT "give fewer of them");
    snprintf(lines, room, "%s%s%s", before ? before : "", before ? "\n" : "", value);
    set_variable(name, lines);
    free(lines);
}

/* ---- What a value may be; all else is an error. */
static void whole_number(const char *option, const char *text) {
    char *end;
    const long number = strtol(text, &end, 10);
    if (end == text || *end || number < 1)
        die("--%s needs a whole number of at least 1, not '%s'" HINT
            "--help shows the options",
            option, text);
}

static void readable(const char *option, const char *path) {
    if (access(path, R_OK) != 0)
        die("--%s: cannot read %s: %s" HINT "give the path of a kernel file", option,
            path, strerror(errno));
}

/* `choices` has a blank in front of each, and a comma behind. */
static void check_choice(const char *option, const char *text, const char *choices) {
    char wanted[64];
    snprintf(wanted, sizeof wanted, " %s,", text);
    if (strpbrk(text, " ,") || !strstr(choices, wanted))
        die("--%s cannot be '%s'" HINT "choose one of%.*s", option, text,
            (int)strlen(choices) - 1, choices);
}

/* "32", or "32,64": each of them once. */
static void widths(const char *option, const char *text) {
    char word[16];
    size_t length;
    for (const char *p = text;; p += length + 1) {
        length = strcspn(p, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, p);
        check_choice(option, word, " 4, 8, 16, 32, 64,");
        for (const char *other = text; other < p; other += strcspn(other, ",") + 1)
            if (strcspn(other, ",") == length && strncmp(other, p, length) == 0)
                die("--%s has %s twice" HINT "give each width once", option, word);
        if (!p[length])
            return;
    }
}

static void order(const char *option, const char *text) {
    check_choice(option, text, " turns, first, last, random,");
}

static void format(const char *option, const char *text) {
    check_choice(option, text, " text, json, tsv,");
}

static void anything(const char *option, const char *text) {
    (void)option, (void)text;
}

/* What may be lost if a file is written: nothing, of one that is like what will be. */
static bool may_be_replaced(const char *path, const char *beginning) {
    struct stat about;
    char text[64] = "";
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size == 0)
        return true;
    FILE *file = fopen(path, "rb");
    const bool read = file && fread(text, 1, strlen(beginning), file) > 0;
    if (file)
        fclose(file);
    return read && strcmp(text, beginning) == 0;
}

static void written(const char *option, const char *path, const char *beginning,
                    const char *what) {
    if (!*path)
        die("--%s needs the name of a file" HINT "as in --%s lens.%s", option, option,
            option);
    if (!may_be_replaced(path, beginning))
        die("--%s: %s is there, and is no %s" HINT
            "give the name of a new file: this one would be overwritten",
            option, path, what);
}

static void page_file(const char *option, const char *path) {
    written(option, path, "<!doctype html>", "page");
}

static void picture_file(const char *option, const char *path) {
    written(option, path, "<svg", "picture");
}

/* Adds a word to a list that has colons between its words, behind those there are. */
static void add_word(const char *name, const char *word) {
    const char *before = getenv(name);
    char text[8192];
    if (before && !*before)
        before = NULL;
    if ((size_t)snprintf(text, sizeof text, "%s%s%s", before ? before : "",
                         before ? ":" : "", word) >= sizeof text)
        die("%s is too long" HINT "the lens has to add to it", name);
    set_variable(name, text);
}

/* A folder's name may hold blanks, which LD_PRELOAD cannot say, but LD_LIBRARY_PATH. */
static void preload(const char *folder) {
    const char *folders = getenv("LD_LIBRARY_PATH");
    char *others = folders && *folders ? strdup(folders) : NULL;
    set_variable("LD_LIBRARY_PATH", folder);
    if (others)
        add_word("LD_LIBRARY_PATH", others);
    free(others);
    add_word("LD_PRELOAD", "liblens.so");
}

/* Does this file hold the text? */
static bool holds(const char *path, const char *text) {
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    size_t count = 0, room = 0;
    for (size_t got = 1; file && got > 0; count += got) {
        if (count == room &&
            !(bytes = realloc(bytes, room = room ? 2 * room : 1 << 18)))
            die("no memory for %s" HINT "close other programs", path);
        got = fread(bytes + count, 1, room - count, file);
    }
    if (file)
        fclose(file);
    const bool found = bytes && memmem(bytes, count, text, strlen(text));
    free(bytes);
    return found;
}

/* Does the OpenCL loader pass calls through layers?  One that does (ocl-icd from 2.3
 * on, Khronos's from 2021 on) has in it the name of the variable which lists them. */
static bool loader_has_layers(void) {
    struct link_map *map = NULL;
    void *loader = dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_LOCAL);
    const bool found = loader && dlinfo(loader, RTLD_DI_LINKMAP, &map) == 0 &&
                       holds(map->l_name, "OPENCL_LAYERS");
    if (loader)
        dlclose(loader);
    return found;
}

/* As a layer the lens sees every call, however the program finds OpenCL.  Where there
 * is no such loader, it is preloaded, and sees the calls of programs that are linked.
 */
static void enter(void) {
    const char *folder = lens_folder();
    char path[4096 + 16];
    if (strpbrk(folder, ":;"))
        die("programs cannot load the lens from %s" HINT
            "use a folder without ':' and ';' in its name",
            folder);
    snprintf(path, sizeof path, "%s/liblens.so", folder);
    if (access(path, R_OK) != 0)
        die("cannot read %s: %s" HINT "it lies beside lens: build both again", path,
            strerror(errno));
    if (!getenv("LENS_PRELOAD") && loader_has_layers())
        add_word("OPENCL_LAYERS", path);
    else
        preload(folder);
}

/* What keeps sources from the lens is switched off; begin.c says so. */
static void show_sources(void) {
    if (!getenv("PYOPENCL_NO_CACHE")) {
        set_variable("PYOPENCL_NO_CACHE", "1");
        set_variable("LENS_NO_CACHE", "1");
    }
}

static bool is_in_path(const char *name) {
    const char *folders = getenv("PATH");
    for (const char *end; folders && *folders; folders = *end ? end + 1 : end) {
        char path[4096];
        end = folders + strcspn(folders, ":");
        snprintf(path, sizeof path, "%.*s/%s", (int)(end - folders), folders, name);
        if (access(path, X_OK) == 0)
            return true;
    }
    return false;
}

/* Is `clang` new enough?  instrument.c reads the text form that came with version 15.
 */
enum { OLDEST = 15, NEWEST = 40 };

static bool clang_is_new(void) {
    char version[64] = "";
    FILE *answer = popen("clang -dumpversion 2> /dev/null", "r");
    const bool is_new =
        answer && fgets(version, sizeof version, answer) && atoi(version) >= OLDEST;
    if (answer)
        pclose(answer);
    return is_new;
}

/* PoCL comes with a clang that has its version in its name; the oldest is chosen. */
static void choose_clang(void) {
    char name[32] = "clang";
    if (getenv("LENS_CLANG"))
        return;
    for (int number = OLDEST; number <= NEWEST; number++) {
        snprintf(name, sizeof name, "clang-%d", number);
        if (is_in_path(name)) {
            set_variable("LENS_CLANG", name);
            return;
        }
    }
    if (!clang_is_new())
        die("no clang 15 or newer, which the lens compiles kernels with" HINT "%s",
            lens_is_installed()
                ? "its package is clang; on Debian 12, where that is older, clang-15"
                : "`make doctor` shows how to get it; PoCL's package on Debian "
                  "installs it");
    set_variable("LENS_CLANG", "clang");
}

/* A user's own folder for what can be made again; empty: there is none.  (The variables
 * are those of the XDG Base Directory Specification, which wants absolute paths.) */
static void write_user_cache(char *folder, size_t room) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    *folder = '\0';
    if (cache && *cache == '/')
        snprintf(folder, room, "%s", cache);
    else if (home && *home == '/')
        snprintf(folder, room, "%s/.cache", home);
    else
        return;
    mkdir(folder, 0700);
    snprintf(folder + strlen(folder), room - strlen(folder), "/cllens");
}

/* What clang makes is kept beside this program, or if that was installed in the user's
 * own cache, unless LENS_CACHE names a folder. */
static void choose_cache(void) {
    char folder[8192];
    if (getenv("LENS_CACHE"))
        return;
    if (lens_is_installed())
        write_user_cache(folder, sizeof folder);
    else
        snprintf(folder, sizeof folder, "%s/lens-cache", lens_folder());
    set_variable("LENS_CACHE", folder);
}

#define NO_STDOUT "stdout is closed" HINT "the report goes there"

static bool quiet; /* drop what the program prints */

/* Reports go to our stdout; the program's own goes to stderr, or nowhere.  With
 * --instead the program checks results, so that its own output is the report. */
static void redirect(void) {
    char number[16];
    const int out = dup(STDOUT_FILENO);
    if (out < 0)
        die(NO_STDOUT);
    snprintf(number, sizeof number, "%d", out);
    set_variable("LENS_OUT", number);
    if (getenv("LENS_INSTEAD"))
        return;
    if (quiet ? !freopen("/dev/null", "w", stdout)
              : dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        die("cannot redirect stdout: %s" HINT "is /dev mounted?", strerror(errno));
}

static const struct setting {
    const char *option, *variable; /* settings.c reads the variable */
    enum { FLAG, VALUE, OUTPUT, LINES } kind;
    void (*check)(const char *option, const char *text);
} settings[] = {
    {"races", "LENS_RACES", FLAG, NULL},
    {"all", "LENS_ALL", FLAG, NULL},
    {"table", "LENS_TABLE", FLAG, NULL},
    {"waits", "LENS_WAITS", FLAG, NULL},
    {"pages", "LENS_PAGES", FLAG, NULL},
    {"banks", "LENS_BANKS", FLAG, NULL},
    {"whole", "LENS_WHOLE", FLAG, NULL},
    {"compare", "LENS_COMPARE", FLAG, NULL},
    {"preload", "LENS_PRELOAD", FLAG, NULL},
    {"each", "LENS_EACH", FLAG, NULL},
    {"all-launches", "LENS_ALL_LAUNCHES", FLAG, NULL},
    {"give-up", "LENS_GIVE_UP", FLAG, NULL},
    {"strict", "LENS_STRICT", FLAG, NULL},
    {"lanes", "LENS_LANES", VALUE, widths},
    {"groups", "LENS_GROUPS", VALUE, whole_number},
    {"format", "LENS_FORMAT", VALUE, format},
    {"svg", "LENS_SVG", OUTPUT, picture_file},
    {"html", "LENS_HTML", OUTPUT, page_file},
    {"ours", "LENS_OURS", VALUE, readable},
    {"instead", "LENS_INSTEAD", VALUE, readable},
    {"kernel", "LENS_KERNELS", LINES, anything},
    {"mistake", "LENS_MISTAKES", LINES, readable},
    {"global", "LENS_GLOBAL", VALUE, anything},
    {"local", "LENS_LOCAL", VALUE, anything},
    {"build", "LENS_BUILD", VALUE, anything},
    {"check", "LENS_CHECK", FLAG, NULL},
    {"order", "LENS_ORDER", VALUE, order},
    {"all-sizes", "LENS_ALL_SIZES", FLAG, NULL},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* What cannot be shown in one table. */
static void refuse_several_widths(void) {
    static const char *const others[] = {"LENS_RACES",   "LENS_COMPARE",  "LENS_OURS",
                                         "LENS_INSTEAD", "LENS_HTML",     "LENS_FORMAT",
                                         "LENS_CHECK",   "LENS_ALL_SIZES"};
    const char *lanes = getenv("LENS_LANES");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        for (int k = 0; k < SETTINGS && lanes && strchr(lanes, ','); k++)
            if (strcmp(settings[k].variable, others[i]) == 0 && getenv(others[i]))
                die("--%s excludes --lanes %s" HINT
                    "several widths are compared in the table alone: give one of them",
                    settings[k].option, lanes);
}

/* The options that read_options() itself knows. */
enum { OWN = 3 };

/* The program may go to another folder before the file is written. */
static void set_output(const char *name, const char *path) {
    char *here = *path == '/' ? NULL : getcwd(NULL, 0), *whole = NULL;
    if (here && asprintf(&whole, "%s/%s", here, path) < 0)
        die("no memory for names" HINT "give fewer of them");
    set_variable(name, whole ? whole : path);
    free(whole);
    free(here);
}

static void apply(const struct setting *setting, const char *value) {
    if (setting->kind == FLAG) {
        set_variable(setting->variable, "1");
        return;
    }
    setting->check(setting->option, value);
    (setting->kind == LINES    ? add_line
     : setting->kind == OUTPUT ? set_output
                               : set_variable)(setting->variable, value);
}

/* What the caller's environment holds is not what options say: it is checked nowhere.
 */
static void forget_variables(void) {
    static const char *const kept[] = {
        "LENS_CACHE=", "LENS_CLANG=", "LENS_DEBUG=", "LENS_CALLED="};
    for (char **variable = environ; *variable;) {
        bool ours = strncmp(*variable, "LENS_", 5) == 0;
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
            ours &= strncmp(*variable, kept[i], strlen(kept[i])) != 0;
        char *name = ours ? strndup(*variable, strcspn(*variable, "=")) : NULL;
        if (name && unsetenv(name) == 0)
            variable = environ; /* those behind it have moved */
        else
            variable++;
        free(name);
    }
}

static _Noreturn void refuse_option(const char *word) {
    const char *names[OWN + SETTINGS] = {"quiet", "version", "help"};
    for (int i = 0; i < SETTINGS; i++)
        names[OWN + i] = settings[i].option;
    const char *meant =
        strncmp(word, "--", 2) == 0
            ? spelling_meant(word + 2, names, sizeof names / sizeof *names)
            : NULL;
    if (meant)
        die("%s is not an option" HINT "did you mean --%s?", word, meant);
    die("%s is not an option" HINT "--help shows those there are", word);
}

/* -DNAME=VALUE or -IFOLDER, for the kernel's compiler. */
static void add_define(int letter, const char *text) {
    char word[4096];
    if (strpbrk(text, "\"\n") || strlen(text) > sizeof word - 4)
        die("-%c cannot be %s" HINT "quotes are not possible there", letter, text);
    snprintf(word, sizeof word, "-%c%s", letter, text);
    add_line("LENS_DEFINES", word);
}

/* Passes the options on in the environment, up to the first word that is none. */
static void read_options(int argc, char **argv) {
    struct option known[OWN + SETTINGS + 1] = {{"quiet", no_argument, NULL, 'q'},
                                               {"version", no_argument, NULL, 'v'},
                                               {"help", no_argument, NULL, 'h'}};
    for (int i = 0; i < SETTINGS; i++)
        known[OWN + i] = (struct option){
            settings[i].option,
            settings[i].kind == FLAG ? no_argument : required_argument, NULL, 256 + i};
    opterr = 0;
    for (int letter; (letter = getopt_long(argc, argv, "+:D:I:", known, NULL)) != -1;)
        switch (letter) {
        case 'q':
            quiet = true;
            break;
        case 'v':
            printf("%s, Lockstep " LOCKSTEP_VERSION "\n", CALLED);
            check_printed(stdout);
            exit(RIGHT);
        case 'h':
            print_help();
            check_printed(stdout);
            exit(RIGHT);
        case 'D':
        case 'I':
            add_define(letter, optarg);
            break;
        case ':':
            die("%s needs a value" HINT "--help shows which", argv[optind - 1]);
        case '?':
            refuse_option(argv[optind - 1]);
        default:
            apply(&settings[letter - 256], optarg);
        }
}

/* ---- The program runs as a child, because a program that does not load the library,
 * or in which it sees no launch, reports nothing: that must not look like a report of
 * no mistake.  So our status then is SKIPPED, and a line says why. */
static pid_t program;

static void pass_on(int number) {
    kill(program, number);
}

/* What would end us ends the program, and we end as it does. */
static void pass_on_signals(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction before, action = {.sa_handler = pass_on};
        sigaction(numbers[i], NULL, &before);
        if (before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
}

/* Starts the program; begin.c tells us through the pipe what it saw.  Nothing of this
 * may wait: a pipe that is full tells enough. */
static int start(char **words) {
    int pipe_ends[2];
    char number[16];
    sigset_t all, before;
    if (pipe2(pipe_ends, O_NONBLOCK) != 0 ||
        fcntl(pipe_ends[0], F_SETFD, FD_CLOEXEC) != 0)
        die("cannot make a pipe: %s" HINT "are too many files open?", strerror(errno));
    snprintf(number, sizeof number, "%d", pipe_ends[1]);
    set_variable("LENS_SEEN", number);

    signal(SIGCHLD, SIG_DFL); /* or there would be no status to wait for */
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before); /* until we know whom to pass them on to */
    posix_spawnattr_setsigmask(&attributes, &before);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    const int failure =
        posix_spawnp(&program, *words, NULL, &attributes, words, environ);
    if (failure)
        die("cannot run %s: %s" HINT "give the path of a program", *words,
            strerror(failure));
    posix_spawnattr_destroy(&attributes);
    pass_on_signals();
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(pipe_ends[1]);
    return pipe_ends[0];
}

/* Ends as a program that was ended by a signal.  It did what it was asked to, or it
 * made a mistake. */
static _Noreturn void end_by(int number, const char *name) {
    if (number == SIGSEGV || number == SIGBUS || number == SIGABRT ||
        number == SIGFPE || number == SIGILL || number == SIGTRAP || number == SIGKILL)
        die("%s was ended by signal %d: %s" HINT
            "a report above may say why; if not, try --races, or a smaller problem",
            name, number, strsignal(number));
    signal(number, SIG_DFL);
    raise(number);
    exit(128 + number);
}

/* The status for "could not look", unless the program itself was not content. */
static int unseen(int status, const char *name, const char *what, const char *hint) {
    fprintf(stderr, "error: %s %s%s%s\n", name, what, HINT, hint);
    return status == RIGHT ? SKIPPED : status;
}

/* What was seen of a program that has ended with this status; returns the lens's. */
static int judge(int status, const char *name, bool loaded, bool looked, bool hidden) {
    if (!loaded)
        return unseen(status, name, "made no OpenCL call that the lens could see",
                      "is it static, setuid, or for another machine? has its loader no "
                      "layers (--preload)? or did it not come so far?");
    if (!looked && status == RIGHT)
        return unseen(status, name, "made no launch that was looked at",
                      "a line above may say why; or does it end before its first "
                      "launch, or by _exit()?");
    if (status == RIGHT && hidden && (getenv("LENS_RACES") || getenv("LENS_COMPARE")))
        return SKIPPED; /* launch.c has said why */
    if (status == WRONG && looked && getenv("LENS_RACES"))
        fprintf(stderr,
                "note: %s ended with status %d: what it found wrong is no race\n", name,
                WRONG);
    return status;
}

/* Waits for the program; returns our status. */
static int wait_for(const char *name, int seen) {
    int status;
    bool loaded = false, looked = false, hidden = false;
    while (waitpid(program, &status, 0) < 0 && errno == EINTR)
        ;
    for (char what; read(seen, &what, 1) == 1;) {
        loaded = true;
        looked |= what == SAW_LAUNCH;
        hidden |= what == SAW_HIDDEN;
    }
    if (WIFSIGNALED(status))
        end_by(WTERMSIG(status), name);
    return judge(WEXITSTATUS(status), name, loaded, looked, hidden);
}

/* ---- A kernel without a program. */

/* Options that only one of the two ways has. */
static void refuse_options(const char *const names[], const char *hint) {
    for (; *names; names++)
        for (int i = 0; i < SETTINGS; i++)
            if (strcmp(settings[i].variable, *names) == 0 && getenv(*names))
                die("--%s is not possible here" HINT "%s", settings[i].option, hint);
}

/* Options may stand in front of the words, between them and behind them. */
static int look_at_kernel(int argc, char **argv) {
    static const char *const others[] = {
        "LENS_OURS",    "LENS_MISTAKES", "LENS_EACH",    "LENS_INSTEAD",
        "LENS_COMPARE", "LENS_WAITS",    "LENS_PRELOAD", NULL};
    static const char *const shown[] = {"LENS_ALL",    "LENS_TABLE",  "LENS_WHOLE",
                                        "LENS_SVG",    "LENS_HTML",   "LENS_CHECK",
                                        "LENS_GROUPS", "LENS_FORMAT", NULL};
    const char *words[2] = {NULL, NULL};
    of_kernel = true;
    read_options(argc, argv);
    for (int count = 0; optind < argc; count++) {
        if (count == 2)
            die("%s is one word too many" HINT
                "put the call in quotes: %s kernel FILE 'dot(x=random, n=4096)'",
                argv[optind], CALLED);
        words[count] = argv[optind++];
        read_options(argc, argv);
    }
    if (!words[0])
        die("no kernel file to look at" HINT
            "for example: %s kernel dot.cl 'dot(x=random, n=4096)'",
            CALLED);
    refuse_options(others, "it needs a program");
    if (fcntl(STDOUT_FILENO, F_GETFD) < 0)
        die(NO_STDOUT);
    refuse_several_widths();
    const bool all_sizes = getenv("LENS_ALL_SIZES");
    if (all_sizes)
        refuse_options(shown, "--all-sizes prints the command for one size");
    choose_clang();
    choose_cache();
    set_variable("LENS_ALONE", "1");
    set_variable("LENS_OUT", "1"); /* where reports go: there is no program's output */
    return (all_sizes ? all_sizes_run : single_run)(words[0], words[1]);
}

/* A program's name may end in .cl, too: if it can be run, its first bytes say how. */
static bool is_kernel_file(const char *word) {
    const char *end = strrchr(word, '.');
    char head[4] = "";
    if (!end || strcmp(end, ".cl") != 0)
        return false;
    FILE *file = fopen(word, "rb");
    const bool read = file && fread(head, 1, sizeof head, file) > 0;
    if (file)
        fclose(file);
    return read ? memcmp(head, "\177ELF", 4) != 0 && memcmp(head, "#!", 2) != 0
                : strchr(word, '/') || !is_in_path(word);
}

int main(int argc, char **argv) {
    static const char *const others[] = {"LENS_GLOBAL", "LENS_LOCAL", "LENS_BUILD",
                                         "LENS_CHECK",  "LENS_ORDER", "LENS_ALL_SIZES",
                                         NULL};
    forget_variables();
    read_options(argc, argv);
    if (optind < argc && strcmp(argv[optind], "kernel") == 0) {
        optind++;
        return look_at_kernel(argc, argv);
    }
    if (optind < argc && is_kernel_file(argv[optind]))
        return look_at_kernel(argc, argv);
    refuse_options(others, "it is for `kernel FILE`, without a program");
    if (getenv("LENS_DEFINES"))
        die("-D and -I are not possible here" HINT
            "a program builds its kernels with options of its own");
    if (optind == argc)
        die("no program to look at" HINT "for example: %s build/step03_dot_coalesced",
            CALLED);
    if (getenv("LENS_MISTAKES") && !getenv("LENS_OURS"))
        die("--mistake needs --ours FILE" HINT
            "ours is the file that the mistake was made in");
    if (getenv("LENS_EACH") && !getenv("LENS_OURS"))
        die("--each needs --ours FILE" HINT
            "ours is the file that the program takes its kernels from");
    if (getenv("LENS_INSTEAD") && (getenv("LENS_OURS") || getenv("LENS_COMPARE")))
        die("--instead excludes --ours and --compare" HINT
            "they look at what the program's own kernels compute");
    if (getenv("LENS_INSTEAD") && getenv("LENS_FORMAT") &&
        strcmp(getenv("LENS_FORMAT"), "text") != 0)
        die("--instead excludes --format" HINT
            "the report is what the program prints, in its own format");
    if (getenv("LENS_HTML") && (getenv("LENS_OURS") || getenv("LENS_INSTEAD")))
        die("--html excludes --ours and --instead" HINT
            "the page shows what the program's own kernels do");
    refuse_several_widths();
    choose_clang();
    choose_cache();
    enter();
    show_sources();
    redirect();
    return wait_for(argv[optind], start(argv + optind));
}
