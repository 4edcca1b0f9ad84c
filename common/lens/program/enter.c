/* enter: finds out what this machine's OpenCL loader can do. */
#define _GNU_SOURCE /* dlinfo, memmem */
#include "enter.h"
#include "base/folder.h"
#include "check.h"
#include "environment.h"
#include "words.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

void enter_program(void) {
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
    if (!option_given(OPTION_preload) && loader_has_layers())
        add_word("OPENCL_LAYERS", path);
    else
        preload(folder);
}
