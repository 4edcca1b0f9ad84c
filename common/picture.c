#include "picture.h"

#include "check.h"
#include "data.h"

#include <errno.h>
#include <png.h>
#include <stdbool.h>
#include <string.h>

static const double most_pixels = 1 << 28;

struct picture picture_read(const char *path) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    FILE *file = fopen(path, "rb");
    if (!file)
        die("cannot read %s: %s" HINT "--input wants a PNG file", path,
            strerror(errno));
    if (!png_image_begin_read_from_stdio(&image, file))
        die("cannot read %s: %s" HINT "--input wants a PNG file; `file %s` tells what "
            "this one is",
            path, image.message, path);
    if ((double)image.width * image.height > most_pixels)
        die("%s has %u x %u pixels" HINT "%.0f of them are the most", path, image.width,
            image.height, most_pixels);

    const bool coloured = image.format & PNG_FORMAT_FLAG_COLOR;
    image.format = coloured ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
    const struct picture picture = {image.width, image.height, coloured ? 3 : 1,
                                    allocate(PNG_IMAGE_SIZE(image), 1)};
    const png_color white = {255, 255, 255};
    if (!png_image_finish_read(&image, &white, picture.pixels, 0, NULL))
        die("%s is broken: %s" HINT "make or fetch the file anew", path, image.message);
    fclose(file);
    return picture;
}

/* (png_image_write_to_file() would remove what it cannot write: a device, say.) */
void picture_write(const char *path, const struct picture *picture) {
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)picture->width,
                       .height = (png_uint_32)picture->height,
                       .format =
                           picture->channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY};
    FILE *file = fopen(path, "wb");
    if (!file)
        die("cannot write %s: %s" HINT "--output wants a file that can be written",
            path, strerror(errno));
    errno = 0;
    const bool written =
        png_image_write_to_stdio(&image, file, 0, picture->pixels, 0, NULL) &&
        fflush(file) == 0;
    if (fclose(file) != 0 || !written)
        die("cannot write %s: %s" HINT "is the disk full?", path,
            errno ? strerror(errno) : image.message);
}
