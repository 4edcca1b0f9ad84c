/* environment: sets, adds to and removes variables. */
#define _GNU_SOURCE /* environ */
#include "environment.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void set_variable(const char *name, const char *value) {
    if (setenv(name, value, true) != 0)
        die("the environment is full" HINT "there is no memory left");
}

void add_line(const char *name, const char *value) {
    const char *before = getenv(name);
    const size_t room = (before ? strlen(before) : 0) + strlen(value) + 2;
    char *lines = malloc(room);
    if (!lines)
        die("no memory for names" HINT "give fewer of them");
    snprintf(lines, room, "%s%s%s", before ? before : "", before ? "\n" : "", value);
    set_variable(name, lines);
    free(lines);
}

void add_word(const char *name, const char *word) {
    const char *before = getenv(name);
    char text[8192];
    if (before && !*before)
        before = NULL;
    if ((size_t)snprintf(text, sizeof text, "%s%s%s", before ? before : "",
                         before ? ":" : "", word) >= sizeof text)
        die("%s is too long" HINT "the lens has to add to it", name);
    set_variable(name, text);
}

void forget_options(void) {
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

bool is_in_path(const char *name) {
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
