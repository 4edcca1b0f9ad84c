/* Reads a PNG file, says what it is, and writes it to another. */
#include "pictures/png.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    const struct picture picture = png_read(argv[1]);
    printf("%zu x %zu, %zu\n", picture.width, picture.height, picture.channels);
    for (size_t i = 0; i < 6 && i < picture.width * picture.channels; i++)
        printf("%d ", picture.pixels[i]);
    if (argc == 3)
        png_write(argv[2], &picture);
    free(picture.pixels);
    return 0;
}
