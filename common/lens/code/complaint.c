/* complaint: chooses from a compiler's log what is about the reader's own files.
 *
 * A diagnostic is a line "kernel.cl:3:5: error: ..." with the lines below it, which
 * show the source and a caret; in front of it may stand which file includes that one.
 * What clang says about builtins.cl would mislead: the reader has made no mistake
 * there. */
#define _GNU_SOURCE /* open_memstream */
#include "complaint.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/rows.h"
#include "base/starts.h"
#include "base/vocabulary.h"
#include "code.h"
#include "command.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *next_line(const char *line) {
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

/* Of the length `end`, without ":5" at its end; 0: there is none. */
static size_t without_number(const char *line, size_t end) {
    size_t begin = end;
    while (begin > 0 && isdigit((unsigned char)line[begin - 1]))
        begin--;
    return begin < end && begin > 1 && line[begin - 1] == ':' ? begin - 1 : 0;
}

struct diagnostic complaint_at(const char *line) {
    static const struct {
        const char *mark;
        enum severity severity;
    } marks[] = {{": error: ", ERROR},
                 {": fatal error: ", ERROR},
                 {": note: ", NOTE},
                 {": warning: ", WARNING}};
    const char *end = line + strcspn(line, "\n");
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *mark = strstr(line, marks[i].mark);
        const size_t place =
            mark && mark < end ? without_number(line, (size_t)(mark - line)) : 0;
        if (place && without_number(line, place))
            return (struct diagnostic){marks[i].severity, place};
    }
    return (struct diagnostic){.severity = NONE};
}

/* Is the file that a line names the reader's?  Others are ours, or made by us. */
static bool is_own(const char *path, const char *folder) {
    return !starts(path, lens_folder()) && !starts(path, folder) &&
           !starts(path, CALLER ":");
}

static const char *included(const char *line) {
    static const char first[] = "In file included from ", more[] = " from ";
    if (starts(line, first))
        return line + strlen(first);
    const char *rest = line + strspn(line, " ");
    return rest > line && starts(rest, more + 1) ? rest + strlen(more + 1) : NULL;
}

static void print_line(FILE *out, const char *line) {
    fprintf(out, "  %.*s\n", (int)strcspn(line, "\n"), line);
}

/* Prints the lines that say which files of the reader's include this one. */
static void print_includers(FILE *out, const char *from, const char *to,
                            const char *folder) {
    for (; from < to; from = next_line(from))
        if (is_own(included(from), folder))
            print_line(out, from);
}

/* Prints errors in the reader's own files with the notes that belong to them; returns
 * how many errors there are.  Of the notes the first few: a built-in that is called
 * with a wrong type has fifty candidates. */
static size_t print_own(FILE *out, const char *log, const char *folder) {
    enum { MAX_NOTES = 3 };
    const char *includers = NULL;
    bool shown = false, shown_error = false;
    size_t count = 0, notes = 0;
    for (const char *line = log; *line; line = next_line(line)) {
        const struct diagnostic here = complaint_at(line);
        if (included(line)) {
            includers = includers ? includers : line;
            shown = false;
            continue;
        }
        if (here.severity != NONE) {
            const bool is_error = here.severity == ERROR;
            notes = is_error ? 0 : notes + 1;
            shown = is_own(line, folder) && here.severity != WARNING &&
                    (is_error || (shown_error && notes <= MAX_NOTES));
            shown_error = is_error ? shown : shown_error;
            count += shown && is_error;
        } else if (isdigit((unsigned char)*line) && strstr(line, " generated")) {
            shown = false; /* "2 errors generated." */
        }
        if (shown && includers)
            print_includers(out, includers, line, folder);
        includers = NULL;
        if (shown)
            print_line(out, line);
    }
    return count;
}

/* Prints the first error with what shows its place, wherever that is. */
static void print_first(FILE *out, const char *log) {
    const char *line = log;
    while (*line && complaint_at(line).severity != ERROR)
        line = next_line(line);
    print_line(out, *line ? line : log);
    for (line = next_line(line); *line && complaint_at(line).severity == NONE &&
                                 !included(line) && *line == ' ';
         line = next_line(line))
        print_line(out, line);
}

/* Has this log an error in that line of a file? */
static bool has_error_at(const char *log, const char *place, size_t length) {
    for (; *log; log = next_line(log)) {
        const struct diagnostic here = complaint_at(log);
        if (here.severity == ERROR && here.place == length &&
            strncmp(log, place, length) == 0)
            return true;
    }
    return false;
}

static bool have_common_error(const char *log, const char *other, const char *folder) {
    for (; *log; log = next_line(log)) {
        const struct diagnostic here = complaint_at(log);
        if (here.severity == ERROR && is_own(log, folder) &&
            has_error_at(other, log, here.place))
            return true;
    }
    return false;
}

/* What a compiler says of a file in CUDA that needs what is not modelled. */
static const char *lacks_in(const char *error) {
    static const char textures[] = "textures and surfaces are not modelled",
                      matrices[] =
                          "matrix operations of a warp (wmma) are not modelled",
                      ptx[] = "inline PTX (asm) is not modelled",
                      copies[] = "asynchronous copies, pipelines, barriers as objects, "
                                 "and all else of cuda:: are not modelled",
                      launches[] = "a kernel that launches another one (dynamic "
                                   "parallelism) is not modelled",
                      grid[] = "a barrier of the whole grid is not modelled",
                      tiles[] = "tiles of more than 32 threads are not modelled",
                      clusters[] = "clusters of blocks are not modelled",
                      libraries[] = "libraries of functions for kernels (cuRAND, CUB, "
                                    "Thrust, CUTLASS) are not modelled",
                      fp8[] = "numbers of 8 bits (fp8) are not modelled";
    static const struct {
        const char *said, *lacks;
    } all[] = {{"'tex1D", textures},
               {"'tex2D", textures},
               {"'tex3D", textures},
               {"'texture", textures},
               {"'surf1D", textures},
               {"'surf2D", textures},
               {"'surf3D", textures},
               {"'surface", textures},
               {"'cudaTextureObject_t'", textures},
               {"'cudaSurfaceObject_t'", textures},
               {"'nvcuda'", matrices},
               {"'wmma'", matrices},
               {" in asm", ptx},
               {" inline assembly", ptx},
               {"'cuda'", copies},
               {"'memcpy_async'", copies},
               {"'__pipeline_", copies},
               {"reference to __global__ function", launches},
               {"'cooperative_groups::grid_group'", grid},
               {"a tile of several warps", tiles},
               {"'cluster", clusters},
               {"'this_cluster'", clusters},
               {"'curand", libraries},
               {"'cub'", libraries},
               {"'thrust'", libraries},
               {"'cute'", libraries},
               {"'cutlass'", libraries},
               {"'__nv_fp8", fp8}};
    const char *end = next_line(error);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const char *found = strstr(error, all[i].said);
        if (found && found < end)
            return all[i].lacks;
    }
    return NULL;
}

/* If an error is of that kind, it is the only one that counts. */
static void keep_lacking(struct complaint *complaint) {
    for (char *line = complaint->lines; *line && vocabulary_is_cuda();) {
        char *end = line + (next_line(line) - line);
        if (complaint_at(line).severity == ERROR &&
            (complaint->lacks = lacks_in(line))) {
            while (*end && complaint_at(end).severity == NONE)
                end += next_line(end) - end;
            memmove(complaint->lines, line, (size_t)(end - line));
            complaint->lines[end - line] = '\0';
            return;
        }
        line = end;
    }
}

static const char *hint_for(const char *lines) {
    static const struct {
        const char *said, *hint;
    } hints[] = {
        {"program scope variable", "OpenCL C 2.0 allows it: --build -cl-std=CL2.0"},
        {"file not found", "-I FOLDER says where to look for it"},
        {"undeclared identifier",
         "-D NAME=VALUE defines what a program would; --build -cl-std=CL2.0 has more "
         "functions"},
    };
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (strstr(lines, hints[i].said))
            return term(hints[i].hint);
    return "correct the file; what a program would pass on: -D, -I and --build";
}

/* Newer compilers put the line's number in front of what they show: "3 | x[0] = 1;". */
static const char *behind_number(const char *shown) {
    const char *bar = shown + strspn(shown, " 0123456789");
    if (bar - shown >= 2 && isdigit((unsigned char)bar[-2]) &&
        strncmp(bar, "| ", 2) == 0)
        shown = bar + 2;
    return shown + strspn(shown, " ");
}

static void row_diagnostic(const char *line, struct diagnostic diagnostic) {
    const char *number = line + without_number(line, diagnostic.place),
               *column = line + diagnostic.place,
               *words = strstr(strstr(column, ": ") + 2, ": ") + 2,
               *shown = behind_number(next_line(line));
    char *file = strndup(line, (size_t)(number - line)),
         *message = strndup(words, strcspn(words, "\n")),
         *text = strndup(shown, strcspn(shown, "\n"));
    row_begin("compiler");
    row_text("kind", diagnostic.severity == ERROR ? "error" : "note");
    row_text("file", file);
    row_number("line", strtoul(number + 1, NULL, 10));
    row_number("column", strtoul(column + 1, NULL, 10));
    row_text("message", message);
    if (*text && complaint_at(shown).severity == NONE)
        row_text("text", text);
    row_end();
    free(file);
    free(message);
    free(text);
}

void complaint_rows(const struct complaint *complaint) {
    for (const char *line = complaint->lines; *line && rows_wanted();
         line = next_line(line)) {
        const char *text = line + strspn(line, " ");
        const struct diagnostic here = complaint_at(text);
        if (here.severity != NONE)
            row_diagnostic(text, here);
    }
}

struct complaint complaint_read(const char *log, const char *plain,
                                const char *folder) {
    struct complaint complaint = {.of_file = have_common_error(log, plain, folder)};
    size_t bytes = 0;
    FILE *out = open_memstream(&complaint.lines, &bytes);
    if (strstr(log, "PLEASE submit a bug report") || strstr(log, COMMAND_CRASHED))
        fprintf(out, "  (it has crashed, which no source should make it do)\n");
    else if (print_own(out, log, folder) == 0)
        print_first(out, log);
    fclose(out);
    keep_lacking(&complaint);
    complaint.hint = hint_for(complaint.lines);
    return complaint;
}
