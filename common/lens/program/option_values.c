/* option_values: what an option's value may be. */
#define _GNU_SOURCE /* asprintf, strndup */
#include "option_values.h"
#include "check.h"
#include "environment.h"
#include "judge/baseline.h"
#include "judge/fail_on.h"
#include "least/profile.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void take_flag(const struct taken *taken) {
    set_variable(taken->variable, "1");
}

void take_text(const struct taken *taken) {
    set_variable(taken->variable, taken->text);
}

void take_texts(const struct taken *taken) {
    add_line(taken->variable, taken->text);
}

void take_number(const struct taken *taken) {
    char *end;
    const long number = strtol(taken->text, &end, 10);
    if (end == taken->text || *end || number < 1)
        die("--%s needs a whole number of at least 1, not '%s'" HINT
            "--help shows the options",
            taken->option, taken->text);
    take_text(taken);
}

/* Is the text one of the choices, which have commas between them? */
static bool is_among(const char *text, const char *choices) {
    char wanted[64], all[256];
    snprintf(wanted, sizeof wanted, " %s,", text);
    snprintf(all, sizeof all, " %s,", choices);
    return !strpbrk(text, " ,") && strstr(all, wanted);
}

static void check_choice(const struct taken *taken, const char *text) {
    if (!is_among(text, taken->choices))
        die("--%s cannot be '%s'" HINT "choose one of %s", taken->option, text,
            taken->choices);
}

void take_choice(const struct taken *taken) {
    check_choice(taken, taken->text);
    take_text(taken);
}

void take_several(const struct taken *taken) {
    for (const char *word = taken->text;; word += strcspn(word, ",") + 1) {
        const size_t length = strcspn(word, ",");
        char *one = strndup(word, length),
             *before = strndup(taken->text, (size_t)(word - taken->text));
        check_choice(taken, one);
        if (*before && is_among(one, before))
            die("--%s has %s twice" HINT "give each of them once", taken->option, one);
        free(one);
        free(before);
        if (!word[length])
            break;
    }
    take_text(taken);
}

static void check_readable(const struct taken *taken) {
    if (access(taken->text, R_OK) != 0)
        die("--%s: cannot read %s: %s" HINT "give the path of a kernel file",
            taken->option, taken->text, strerror(errno));
}

void take_readable(const struct taken *taken) {
    check_readable(taken);
    take_text(taken);
}

void take_readables(const struct taken *taken) {
    check_readable(taken);
    take_texts(taken);
}

void take_device(const struct taken *taken) {
    const bool is_name = strcmp(taken->text, "none") == 0 || profile_known(taken->text);
    char *path = is_name ? NULL : realpath(taken->text, NULL);
    if (!is_name && !profile_of(taken->text))
        die("--%s: no file of a device is called %s" HINT
            "there are %s; or give the path of one, which make share writes",
            taken->option, taken->text, profile_names());
    set_variable(taken->variable, path ? path : taken->text);
    free(path);
}

void take_fail_on(const struct taken *taken) {
    struct fail_on list;
    char *wrong = fail_on_read(&list, taken->text);
    if (wrong)
        die("--%s cannot have '%s'" HINT "choose one of %s", taken->option, wrong,
            fail_on_words());
    take_text(taken);
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

/* The program may go to another folder before the file is written. */
static void take_output(const struct taken *taken, const char *beginning,
                        const char *what) {
    const char *option = taken->option, *path = taken->text;
    if (!*path)
        die("--%s needs the name of a file" HINT "as in --%s lens.%s", option, option,
            option);
    if (!may_be_replaced(path, beginning))
        die("--%s: %s is there, and is no %s" HINT
            "give the name of a new file: this one would be overwritten",
            option, path, what);
    char *here = *path == '/' ? NULL : getcwd(NULL, 0), *whole = NULL;
    if (here && asprintf(&whole, "%s/%s", here, path) < 0)
        die("no memory for names" HINT "give fewer of them");
    set_variable(taken->variable, whole ? whole : path);
    free(whole);
    free(here);
}

void take_page_file(const struct taken *taken) {
    take_output(taken, "<!doctype html>", "page");
}

void take_picture_file(const struct taken *taken) {
    take_output(taken, "<svg", "picture");
}

void take_baseline(const struct taken *taken) {
    take_output(taken, BASELINE_BEGINS, "baseline");
}
