/* page: keeps launches for the page of --html, and writes it.
 *
 * The page is one file: page.html, in which lines that begin with @ stand for the
 * style, the scripts, the launches as JSON, and the pictures for readers without
 * scripts.  Its content policy names the style and the scripts by their SHA-256, so
 * nothing else in it, such as a kernel's text, can be executed. */
#define _GNU_SOURCE /* asprintf, open_memstream */
#include "page.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/vocabulary.h"
#include "page_launch.h"
#include "page_parts.h"
#include "report/picture_svg.h"
#include "report/summaries.h"
#include "report/view.h"
#include "text/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes: of all launches and of the pictures, so that a page has less than 2 MB. */
enum { MAX_BYTES = 1700000, MAX_DRAWN = 150000 };

struct kept {
    size_t number;
    char *kernel, *text;  /* text: JSON */
    struct recorded rank; /* its arrays are not ours */
    bool left_out;
};

static struct {
    struct kept *all;
    size_t count, left_out;
} kept;

/* ---- Launches. */

/* Of a kernel at most MAX_LAUNCHES are kept: this is the one to give up, or NULL. */
static struct kept *least_of(const char *kernel) {
    struct kept *least = NULL;
    size_t count = 0;
    for (size_t i = 0; i < kept.count; i++)
        if (strcmp(kept.all[i].kernel, kernel) == 0) {
            count++;
            if (!least || !recording_is_worse(&kept.all[i].rank, &least->rank))
                least = &kept.all[i];
        }
    return count >= MAX_LAUNCHES ? least : NULL;
}

void page_add(const struct run *run, size_t number) {
    const struct recorded *recorded = run->recorded;
    if (!recorded || recorded->step_count == 0)
        return;
    struct kept *place = least_of(run->job.kernel);
    if (place) {
        kept.left_out++;
        if (!recording_is_worse(recorded, &place->rank))
            return;
        free(place->kernel);
        free(place->text);
    } else {
        place = GROW(kept.all, kept.count);
    }
    *place = (struct kept){.number = number,
                           .kernel = strdup(run->job.kernel),
                           .text = page_launch(run, MAX_BYTES / 2),
                           .rank = *recorded};
}

/* The table leaves out launches that are made less often; so does the page. */
static bool is_in_table(size_t number) {
    bool known = false;
    for (size_t i = 0; i < summaries.count; i++) {
        known |= summaries.all[i]->number == number;
        if (summaries.all[i]->number == number && summaries.all[i]->shown)
            return true;
    }
    return !known;
}

/* The launch that is worst of those that are not chosen yet; NULL: there is none. */
static struct kept *worst_of(const bool *chosen) {
    struct kept *worst = NULL;
    for (size_t i = 0; i < kept.count; i++)
        if (!chosen[i] && is_in_table(kept.all[i].number) &&
            (!worst || recording_is_worse(&kept.all[i].rank, &worst->rank)))
            worst = &kept.all[i];
    return worst;
}

/* Leaves out the least bad ones of those that do not fit; returns the worst one. */
static struct kept *choose(void) {
    bool *chosen = lens_allocate(kept.count, sizeof *chosen);
    struct kept *first = NULL;
    size_t bytes = 0;
    for (size_t i = 0; i < kept.count; i++)
        kept.all[i].left_out = true;
    for (struct kept *next; (next = worst_of(chosen)) != NULL;) {
        chosen[next - kept.all] = true;
        bytes += strlen(next->text);
        next->left_out = bytes > MAX_BYTES;
        kept.left_out += next->left_out;
        first = first ? first : next;
    }
    free(chosen);
    return first;
}

/* Where the kernel's language is not OpenCL C: its words for these. */
static void write_words(struct json *json) {
    static const char *const words[] = {"work-item", "work-items", "group", "groups",
                                        "local memory"};
    if (!vocabulary_is_cuda())
        return;
    json_line(json);
    json_name(json, "words");
    json_open(json, '{');
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        json_field(json, words[i], term(words[i]));
    json_close(json, '}');
}

static void write_launches(FILE *out) {
    const struct kept *first = choose();
    size_t count = 0, open = 0;
    struct json json = {.out = out, .in_html = true};
    json_open(&json, '{');
    json_name(&json, "launches");
    json_open(&json, '[');
    for (size_t i = 0; i < kept.count; i++) {
        if (kept.all[i].left_out)
            continue;
        open = &kept.all[i] == first ? count : open;
        json_line(&json);
        json_print(&json, "%s", kept.all[i].text);
        count++;
    }
    json_close(&json, ']');
    json_line(&json);
    json_count(&json, "open", open);
    json_count(&json, "left_out", kept.left_out);
    json_count(&json, "lanes", view.lanes);
    json_name(&json, "races");
    json_print(&json, view.mistakes ? "true" : "false");
    json_count(&json, "sector", SECTOR);
    json_count(&json, "banks", BANKS);
    json_count(&json, "word", WORD);
    json_field(&json, "compiler", code_compiler());
    write_words(&json);
    json_close(&json, '}');
    fputc('\n', out);
}

/* ---- The file. */
/* The policy's sums are of all that stands between the tags. */
static void write_element(FILE *out, const char *name, const char *const *lines) {
    fprintf(out, "<%s>", name);
    for (; *lines; lines++)
        fputs(*lines, out);
    fprintf(out, "</%s>\n", name);
}

/* In the order in which the browser has to read them. */
static const struct {
    const char *const *lines, *sha256;
} scripts[] = {{page_data_js, page_data_js_sha256},
               {page_draw_js, page_draw_js_sha256},
               {page_js, page_js_sha256}};
enum { SCRIPTS = sizeof scripts / sizeof *scripts };

static void write_policy(FILE *out) {
    fprintf(out,
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
            "'none'; style-src 'sha256-%s';\n script-src",
            page_css_sha256);
    for (size_t i = 0; i < SCRIPTS; i++)
        fprintf(out, " 'sha256-%s'", scripts[i].sha256);
    fputs(";\n img-src data:; base-uri 'none'; form-action 'none'\">\n", out);
}

static void write_pictures(FILE *out) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *drawn = open_memstream(&text, &bytes);
    const bool any = svg_print(drawn, false);
    fclose(drawn);
    if (any && bytes <= MAX_DRAWN)
        fputs(text, out);
    else
        fputs(
            any ? "<p>There are too many pictures for this page: --svg has them.</p>\n"
                : "<p>The lens has drawn no picture of this run.</p>\n",
            out);
    free(text);
}

static void write_page(FILE *out) {
    for (const char *const *line = page_html; *line; line++)
        if (strcmp(*line, "@policy\n") == 0)
            write_policy(out);
        else if (strcmp(*line, "@style\n") == 0)
            write_element(out, "style", page_css);
        else if (strcmp(*line, "@scripts\n") == 0)
            for (size_t i = 0; i < SCRIPTS; i++)
                write_element(out, "script", scripts[i].lines);
        else if (strcmp(*line, "@launches\n") == 0)
            write_launches(out);
        else if (strcmp(*line, "@pictures\n") == 0)
            write_pictures(out);
        else
            fputs(*line, out);
}

static _Noreturn void cannot_write(const char *hint) {
    lens_die("cannot write %s: %s" HINT "%s", view.html, strerror(errno), hint);
}

static bool page_written(FILE *file) {
    write_page(file);
    const bool written = fflush(file) == 0 && !ferror(file);
    return fclose(file) == 0 && written;
}

/* A pipe, or /dev/null: there is nothing that could be kept. */
static void write_directly(void) {
    FILE *file = fopen(view.html, "w");
    if (!file)
        cannot_write("give --html another file");
    if (!page_written(file))
        cannot_write("is the disk full?");
}

/* Beside the file first, so that the old one stays until the new one is whole. */
static void replace_file(mode_t mode) {
    char *name = NULL, *place = realpath(view.html, NULL); /* behind links */
    const char *end = place ? place : view.html;
    if (asprintf(&name, "%s.XXXXXX", end) < 0)
        lens_die("no memory for a name" HINT "try a smaller problem");
    const int number = mkstemp(name);
    FILE *file = number < 0 ? NULL : fdopen(number, "w");
    if (!file)
        cannot_write("give --html another file");
    if (fchmod(number, mode) != 0 || !page_written(file) || rename(name, end) != 0) {
        const int why = errno;
        unlink(name);
        errno = why;
        cannot_write("is the disk full?");
    }
    free(name);
    free(place);
}

bool page_end(void) {
    struct stat old;
    if (kept.count == 0)
        return false;
    const mode_t mask = umask(0);
    umask(mask);
    if (stat(view.html, &old) != 0)
        replace_file(0666 & ~mask);
    else if (S_ISREG(old.st_mode))
        replace_file(old.st_mode & 0777);
    else
        write_directly();
    return true;
}
