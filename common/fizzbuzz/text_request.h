/* text_request: the lines that a command line asks for, and where they go, in the steps
 * whose product is the text of FizzBuzz. */
#ifndef TEXT_REQUEST_H
#define TEXT_REQUEST_H

#include "step.h"

/* What such a step's command line may be, beside --first, --from and --output. */
struct text_request_usage {
    const char *step;
    const char *lesson; /* what the table compares */
    const char *hint;   /* where --output has a word that it cannot have */
    const struct own_option *own;
    int own_count;
    /* The words of --output, the usual one first, and what --help says of them; without
     * these, "write" and "none". */
    const char *const *outputs;
    int output_count;
    const char *help;
};

struct text_request {
    size_t first, end;  /* the first line, and the one behind the last */
    const char *output; /* one of the words; with --full "none", unless it is given */
};

/* Reads the command line into `options`, and returns what it asks for; 20 lines by
 * default.  If the output is not "none", stdout becomes the text's, and the report goes
 * to stderr (text_start() of fizzbuzz/text.h): so call it before a device is opened. */
struct text_request text_request_read(struct options *options, int argc, char **argv,
                                      const struct text_request_usage *usage);

/* Does that, and then opens the device as step_open() does. */
struct text_request text_request_open(struct step *step, int argc, char **argv,
                                      const struct text_request_usage *usage);

/* Lines of a piece of `chunk` blocks, at 11 bytes on average; a piece that does not fit
 * the device `buffers` times is an error. */
size_t text_request_chunk(const struct device *device, size_t chunk, size_t buffers);

#endif
