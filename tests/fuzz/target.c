/* target: runs a target, with the texts of libFuzzer or those of the files that are
 * named. */
#include "target.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
_Noreturn void __wrap_lens_die(const char *format, ...);

static jmp_buf refused;

/* In place of lens_die() (see fuzz.sh), which would end the program: the next text
 * follows. */
void __wrap_lens_die(const char *format, ...) {
    (void)format;
    longjmp(refused, 1);
}

void must_hold(int condition, const char *what) {
    if (condition)
        return;
    fprintf(stderr, "does not hold: %s\n", what);
    abort();
}

/* The text has no byte more than it needs, so that whatever reads on is seen. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    char *const text = calloc(size + 1, 1);
    if (size)
        memcpy(text, bytes, size);
    if (!setjmp(refused))
        try_text(text);
    free(text);
    return 0;
}

#ifdef WITHOUT_LIBFUZZER
int main(int argc, char **argv) {
    static uint8_t bytes[1 << 16];
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (!file) {
            perror(argv[i]);
            return 2;
        }
        fprintf(stderr, "%s\n", argv[i]); /* the last one named is the one that fails */
        LLVMFuzzerTestOneInput(bytes, fread(bytes, 1, sizeof bytes, file));
        fclose(file);
    }
    printf("%d texts\n", argc - 1);
    return 0;
}
#endif
