#include "picture.h"

#include "check.h"

#include <errno.h>
#include <png.h>
#include <string.h>

void picture_write(const char *path, size_t width, size_t height,
                   const unsigned char *rgb) {
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB};
    errno = 0;
    if (!png_image_write_to_file(&image, path, 0, rgb, 0, NULL))
        die("cannot write %s: %s" HINT "it must be a file that can be written", path,
            errno ? strerror(errno) : image.message);
}
