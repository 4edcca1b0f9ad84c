#include "pictures/png.h"

#include "check.h"
#include "data.h"

#include <errno.h>
#include <png.h>
#include <stdbool.h>
#include <string.h>

static const double max_pixels = 1 << 28;

struct picture png_read(const char *path) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    FILE *file = fopen(path, "rb");
    if (!file)
        die("cannot read %s: %s" HINT "--input needs a PNG file", path,
            strerror(errno));
    if (!png_image_begin_read_from_stdio(&image, file))
        die("cannot read %s: %s" HINT "--input needs a PNG file; `file %s` says what "
            "this one is",
            path, image.message, path);
    if ((double)image.width * image.height > max_pixels)
        die("%s has %u x %u pixels" HINT "at most %.0f are possible", path, image.width,
            image.height, max_pixels);

    const bool coloured = image.format & PNG_FORMAT_FLAG_COLOR;
    image.format = coloured ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
    const struct picture picture = {image.width, image.height, coloured ? 3 : 1,
                                    allocate(PNG_IMAGE_SIZE(image), 1)};
    const png_color white = {255, 255, 255};
    if (!png_image_finish_read(&image, &white, picture.pixels, 0, NULL))
        die("%s is broken: %s" HINT "make or fetch the file again", path,
            image.message);
    fclose(file);
    return picture;
}

/* Not png_image_write_to_file(): it removes the file that it cannot write, and that may
 * be a device. */
void png_write(const char *path, const struct picture *picture) {
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)picture->width,
                       .height = (png_uint_32)picture->height,
                       .format =
                           picture->channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY};
    FILE *file = fopen(path, "wb");
    if (!file)
        die("cannot write %s: %s" HINT "--output needs a file that can be written",
            path, strerror(errno));
    errno = 0;
    const bool written =
        png_image_write_to_stdio(&image, file, 0, picture->pixels, 0, NULL) &&
        fflush(file) == 0;
    if (fclose(file) != 0 || !written)
        die("cannot write %s: %s" HINT "is the disk full?", path,
            errno ? strerror(errno) : image.message);
}
