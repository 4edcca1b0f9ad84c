/* main: build/lens PROGRAM runs a program with the lens preloaded. */
#define _GNU_SOURCE /* getopt_long */
#include "check.h"
#include "version.h"

#include <errno.h>
#include <getopt.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: lens [options] PROGRAM [ARGUMENTS]\n"
    "Shows what a GPU, whose lanes move in lockstep, would do with the program's\n"
    "OpenCL kernels.  The program runs as ever; what it prints goes to stderr.\n"
    "  --races        look for races, stray accesses and unwritten memory instead\n"
    "  --lanes N      lanes in a warp: 8, 16, 32 (unless told) or 64\n"
    "  --groups N     replay at most N groups of a launch (as many as are quick)\n"
    "  --kernel NAME  show this kernel alone\n"
    "  --all          show every launch in full, not only the first of a kernel\n"
    "  --format F     text; or json or tsv (tab-separated values), for programs\n"
    "  --svg FILE     write the pictures into FILE, too\n"
    "  --ours FILE    compare the program's kernels with those of this file, too\n"
    "  --mistake FILE and tell if they do what this file's do; there may be several\n"
    "  --each         or compare each of them with the program's, which are ours: a\n"
    "                 line with FILE, verdict, digest, text, tabs between, for each\n"
    "  --instead FILE  give the program what a replay of this file's kernels makes, "
    "in\n"
    "                 place of what the device makes of its own; its output is kept\n"
    "  --waits        count, too, what is left to do when the host has waited\n"
    "  --compare      compare the replay's results with the device's\n"
    "  --quiet        drop what the program prints\n"
    "  --version      show the version\n"
    "  --help         show this text\n";

static void wish(const char *name, const char *value) {
    if (setenv(name, value, true) != 0)
        die("the environment is full" HINT "there is no memory left");
}

static void whole_number(const char *option, const char *text) {
    char *end;
    const long number = strtol(text, &end, 10);
    if (end == text || *end || number < 1)
        die("%s wants a whole number from 1 on, not '%s'" HINT
            "--help shows the options",
            option, text);
}

static void readable(const char *option, const char *path) {
    if (access(path, R_OK) != 0)
        die("%s: cannot read %s: %s" HINT "give the path of a kernel file", option,
            path, strerror(errno));
}

/* One more name to those that are there, each on a line of its own. */
static void add_mistake(const char *path) {
    const char *before = getenv("LENS_MISTAKES");
    const size_t room = (before ? strlen(before) : 0) + strlen(path) + 2;
    char *names = malloc(room);
    if (!names)
        die("no memory for names of files" HINT "name fewer of them");
    snprintf(names, room, "%s%s%s", before ? before : "", before ? "\n" : "", path);
    wish("LENS_MISTAKES", names);
    free(names);
}

/* `choices` has a blank in front of each, and a comma behind. */
static void one_of(const char *option, const char *text, const char *choices) {
    char wanted[64];
    snprintf(wanted, sizeof wanted, " %s,", text);
    if (strpbrk(text, " ,") || !strstr(choices, wanted))
        die("%s cannot be '%s'" HINT "choose one of%.*s", option, text,
            (int)strlen(choices) - 1, choices);
}

/* The folder that this program is in: the library lies beside it. */
static char *own_folder(void) {
    static char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0)
        die("cannot tell where lens is: %s" HINT "is /proc mounted?", strerror(errno));
    path[length] = '\0';
    return dirname(path);
}

/* A folder's name may hold blanks, which LD_PRELOAD cannot say, but this can. */
static void preload(void) {
    const char *preloads = getenv("LD_PRELOAD"), *folders = getenv("LD_LIBRARY_PATH");
    char text[8192];
    snprintf(text, sizeof text, "%s%s%s", own_folder(), folders ? ":" : "",
             folders ? folders : "");
    wish("LD_LIBRARY_PATH", text);
    snprintf(text, sizeof text, "%s%sliblens.so", preloads ? preloads : "",
             preloads ? ":" : "");
    wish("LD_PRELOAD", text);
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

/* Is `clang` new enough?  hooks.c reads the text form that came with version 15. */
enum { OLDEST = 15, NEWEST = 40 };

static bool clang_is_new(void) {
    char version[64] = "";
    FILE *told = popen("clang -dumpversion 2> /dev/null", "r");
    const bool is_new =
        told && fgets(version, sizeof version, told) && atoi(version) >= OLDEST;
    if (told)
        pclose(told);
    return is_new;
}

/* PoCL brings a clang, with its version in its name; the oldest one is chosen. */
static void choose_clang(void) {
    char name[32] = "clang";
    if (getenv("LENS_CLANG"))
        return;
    for (int number = OLDEST; number <= NEWEST; number++) {
        snprintf(name, sizeof name, "clang-%d", number);
        if (is_in_path(name)) {
            wish("LENS_CLANG", name);
            return;
        }
    }
    if (!clang_is_new())
        die("no clang 15 or newer, which the lens compiles kernels with" HINT
            "`make doctor` tells how to get it; PoCL's package on Debian brings it");
    wish("LENS_CLANG", "clang");
}

/* What clang makes is kept beside this program, unless somebody wants it elsewhere. */
static void choose_cache(void) {
    char folder[8192];
    snprintf(folder, sizeof folder, "%s/lens-cache", own_folder());
    if (!getenv("LENS_CACHE"))
        wish("LENS_CACHE", folder);
}

/* Reports go to our stdout; the program's own goes to stderr, or nowhere.  With
 * --instead the program judges, so that its own output is the report. */
static void redirect(bool quiet) {
    char number[16];
    const int out = dup(STDOUT_FILENO);
    if (out < 0)
        die("stdout is closed" HINT "the report goes there");
    snprintf(number, sizeof number, "%d", out);
    wish("LENS_OUT", number);
    if (getenv("LENS_INSTEAD"))
        return;
    if (quiet ? !freopen("/dev/null", "w", stdout)
              : dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        die("cannot redirect stdout: %s" HINT "is /dev mounted?", strerror(errno));
}

/* Hands the options on, and returns whether the program is to be quiet. */
static bool read_options(int argc, char **argv) {
    static const struct option known[] = {{"races", no_argument, NULL, 'r'},
                                          {"lanes", required_argument, NULL, 'l'},
                                          {"groups", required_argument, NULL, 'g'},
                                          {"kernel", required_argument, NULL, 'k'},
                                          {"all", no_argument, NULL, 'a'},
                                          {"format", required_argument, NULL, 'f'},
                                          {"svg", required_argument, NULL, 's'},
                                          {"quiet", no_argument, NULL, 'q'},
                                          {"compare", no_argument, NULL, 'c'},
                                          {"waits", no_argument, NULL, 'w'},
                                          {"ours", required_argument, NULL, 'o'},
                                          {"mistake", required_argument, NULL, 'm'},
                                          {"each", no_argument, NULL, 'e'},
                                          {"instead", required_argument, NULL, 'i'},
                                          {"version", no_argument, NULL, 'v'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    bool quiet = false;
    int letter;
    opterr = 0;
    while ((letter = getopt_long(argc, argv, "+:", known, NULL)) != -1) {
        switch (letter) {
        case 'r':
            wish("LENS_RACES", "1");
            break;
        case 'l':
            one_of("--lanes", optarg, " 8, 16, 32, 64,");
            wish("LENS_LANES", optarg);
            break;
        case 'g':
            whole_number("--groups", optarg);
            wish("LENS_GROUPS", optarg);
            break;
        case 'k':
            wish("LENS_KERNEL", optarg);
            break;
        case 'a':
            wish("LENS_ALL", "1");
            break;
        case 'f':
            one_of("--format", optarg, " text, json, tsv,");
            wish("LENS_FORMAT", optarg);
            break;
        case 's':
            wish("LENS_SVG", optarg);
            break;
        case 'q':
            quiet = true;
            break;
        case 'c':
            wish("LENS_COMPARE", "1");
            break;
        case 'w':
            wish("LENS_WAITS", "1");
            break;
        case 'o':
            readable("--ours", optarg);
            wish("LENS_OURS", optarg);
            break;
        case 'm':
            readable("--mistake", optarg);
            add_mistake(optarg);
            break;
        case 'e':
            wish("LENS_EACH", "1");
            break;
        case 'i':
            readable("--instead", optarg);
            wish("LENS_INSTEAD", optarg);
            break;
        case 'v':
            puts("lens, Lockstep " LOCKSTEP_VERSION);
            exit(RIGHT);
        case 'h':
            fputs(help, stdout);
            exit(RIGHT);
        case ':':
            die("%s wants a value" HINT "--help shows which", argv[optind - 1]);
        default:
            die("%s is not an option" HINT "--help shows those there are",
                argv[optind - 1]);
        }
    }
    return quiet;
}

int main(int argc, char **argv) {
    const bool quiet = read_options(argc, argv);
    if (optind == argc)
        die("no program to look at" HINT
            "for example: lens build/step03_dot_coalesced");
    if (getenv("LENS_MISTAKES") && !getenv("LENS_OURS"))
        die("--mistake wants --ours FILE, too" HINT
            "ours is the file that the mistake was made in");
    if (getenv("LENS_EACH") && !getenv("LENS_OURS"))
        die("--each wants --ours FILE, too" HINT
            "ours is the file that the program takes its kernels from");
    if (getenv("LENS_INSTEAD") && (getenv("LENS_OURS") || getenv("LENS_COMPARE")))
        die("--instead cannot be had with --ours or --compare" HINT
            "they look at what the program's own kernels make");
    choose_clang();
    choose_cache();
    preload();
    redirect(quiet);
    execvp(argv[optind], argv + optind);
    die("cannot run %s: %s" HINT "give the path of a program", argv[optind],
        strerror(errno));
}
