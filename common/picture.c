#include "picture.h"

#include "check.h"

#include <errno.h>
#include <png.h>
#include <stdbool.h>
#include <string.h>

/* (png_image_write_to_file() would remove what it cannot write: a device, say.) */
void picture_write(const char *path, size_t width, size_t height,
                   const unsigned char *rgb) {
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB};
    FILE *file = fopen(path, "wb");
    if (!file)
        die("cannot write %s: %s" HINT "--output wants a file that can be written",
            path, strerror(errno));
    errno = 0;
    const bool written =
        png_image_write_to_stdio(&image, file, 0, rgb, 0, NULL) && fflush(file) == 0;
    if (fclose(file) != 0 || !written)
        die("cannot write %s: %s" HINT "is the disk full?", path,
            errno ? strerror(errno) : image.message);
}
