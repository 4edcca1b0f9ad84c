#include "fizzbuzz/text_request.h"
#include "check.h"
#include "fizzbuzz/fizzbuzz.h"
#include "fizzbuzz/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 20, COMMON = 3 };
static const size_t MAX_LINES = 1000000000000;
static const char *const write_or_none[] = {"write", "none"};

/* Says which words are allowed: "write, vmsplice or none". */
static void check_output(const char *output, const struct text_request_usage *usage) {
    char words[128] = "";
    for (int i = 0; i < usage->output_count; i++) {
        if (strcmp(output, usage->outputs[i]) == 0)
            return;
        const char *between = i == 0 ? "" : i + 1 < usage->output_count ? ", " : " or ";
        const size_t used = strlen(words);
        snprintf(words + used, sizeof words - used, "%s%s", between, usage->outputs[i]);
    }
    die("--output must be %s, not '%s'" HINT "%s", words, output, usage->hint);
}

/* The options of every such step, and then the step's own. */
static struct options read_options(int argc, char **argv, struct text_request *request,
                                   const struct text_request_usage *usage) {
    const struct own_option common[COMMON] = {
        {"first", "N", "the first line's number, 0 or 1 (1)", .number = &request->first,
         .max = 1},
        {"from", "N", "begin with line N, up to 1000000000000",
         .number = &request->first, .max = MAX_LINES},
        {"output", "HOW", usage->help, .text = &request->output}};
    const int count = COMMON + usage->own_count;
    struct own_option *all = allocate((size_t)count, sizeof *all);
    memcpy(all, common, sizeof common);
    for (int i = 0; i < usage->own_count; i++)
        all[COMMON + i] = usage->own[i];
    const struct options options = options_read(argc, argv,
                                                &(struct usage){.step = usage->step,
                                                                .lesson = usage->lesson,
                                                                .size = LINES,
                                                                .may_be_nothing = true,
                                                                .own = all,
                                                                .own_count = count});
    free(all);
    return options;
}

struct text_request text_request_read(struct options *options, int argc, char **argv,
                                      const struct text_request_usage *wanted) {
    struct text_request_usage usage = *wanted;
    if (!usage.outputs) {
        usage.outputs = write_or_none;
        usage.output_count = COUNT(write_or_none);
        usage.help = "write: the text to stdout; none (--full: none)";
    }
    struct text_request request = {.first = 1};
    *options = read_options(argc, argv, &request, &usage);
    if (!request.output)
        request.output = options->full ? "none" : usage.outputs[0];
    check_output(request.output, &usage);
    if (options->size > MAX_LINES)
        die("%zu lines are too many" HINT "at most %zu are possible", options->size,
            MAX_LINES);
    request.end = request.first + options->size;
    options->text = strcmp(request.output, "none") != 0;
    if (options->text)
        text_start();
    return request;
}

struct text_request text_request_open(struct step *step, int argc, char **argv,
                                      const struct text_request_usage *usage) {
    struct text_request request;
    *step = (struct step){.memory = NULL};
    request = text_request_read(&step->options, argc, argv, usage);
    step->device = device_open(step->options.device);
    step->report = report_start(&step->options, &step->device);
    return request;
}

size_t text_request_chunk(const struct device *device, size_t chunk, size_t buffers) {
    const size_t most = device_capacity(device, buffers, 11) / BLOCK_LINES;
    if (chunk > most)
        die("pieces of %zu x %d lines are too large for %s" HINT
            "at most %zu fit: try --chunk %zu",
            chunk, BLOCK_LINES, device->name, most, most);
    return chunk * BLOCK_LINES;
}
