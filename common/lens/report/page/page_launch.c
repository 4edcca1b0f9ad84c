/* page_launch: a launch and the steps of its recorded group, as JSON.
 *
 * A page has thousands of steps, but in loops, and from warp to warp, they are much the
 * same.  So a step names a pattern, which says what the warp does:
 *
 *     step [pattern, warp], and for an access the offset in bytes of its first lane
 *     pattern [kind, working, ended, instructions, the same by lanes, place, ...]
 *     "a" access   ..., what, object, bytes, lanes, apart, cost, ideal, used, together
 *     "b" branch   ..., diverges, [[lanes, place], ...]
 *     "x" block, "w" arrival at a barrier, "o" its opening
 *
 * Lanes are 1 for all of the warp, 0 for none, or hexadecimal; a place is a number in
 * "places", each of which has a file, a line and the place that calls its function.
 * "apart" is how far the offset of each lane is from that of the lane before: each
 * difference, with how often it comes. */
#define _GNU_SOURCE /* open_memstream */
#include "page_launch.h"
#include "base/machine.h"
#include "base/memory.h"
#include "code/source_lines.h"
#include "report/mistake_words.h"
#include "report/view.h"
#include "text/json.h"
#include "watch/run.h"

#include <stdlib.h>
#include <string.h>

enum { NEAR = 80, MAX_SHOWN = 800 }; /* lines around those that were executed */

struct writer {
    struct json json;
    const struct run *run;
    const struct recorded *recorded;
    struct pattern {
        char *text; /* JSON */
        long place;
    } * patterns;
    size_t pattern_count, pattern_bytes;
    const struct place **places;
    size_t place_count;
};

static FILE *memory_file(char **text, size_t *bytes) {
    FILE *file = open_memstream(text, bytes);
    if (!file)
        lens_die("no memory for a page" HINT "try a smaller problem");
    return file;
}

static void close_memory_file(FILE *file) {
    if (fclose(file) != 0)
        lens_die("no memory for a page" HINT "try a smaller problem");
}

/* ---- Places. */
static bool same_place(const struct place *one, const struct place *other) {
    return one == other || (one && other && one->file == other->file &&
                            one->line == other->line && one->call == other->call);
}

static size_t place_number(struct writer *writer, const struct place *place) {
    size_t i = 0;
    while (i < writer->place_count && !same_place(writer->places[i], place))
        i++;
    if (i == writer->place_count)
        *GROW(writer->places, writer->place_count) = place;
    return i;
}

/* Its first place below the branch, in the branch's file; NULL: it has none. */
static const struct place *place_below(const struct block *block,
                                       const struct place *branch) {
    for (size_t i = 0; i < block->place_count; i++)
        if (block->places[i].file == branch->file &&
            block->places[i].line > branch->line)
            return &block->places[i];
    return NULL;
}

/* A place of a block, or -1: it is the kernel's end, or has none.  A block behind a
 * branch may begin with what the compiler has moved there from above, or have nothing
 * else; it is better known by the first line below the branch, which may be that of the
 * block that always follows it. */
static long block_place(struct writer *writer, int number, const struct place *branch) {
    const struct block *blocks = writer->run->job.code->blocks;
    const struct block *block = number == EXIT ? NULL : &blocks[number];
    if (!block || block->place_count == 0)
        return -1;
    const struct place *place = branch ? place_below(block, branch) : NULL;
    for (const struct block *next = block; branch && !place &&
                                           next->successor_count == 1 &&
                                           *next->successors > number;) {
        number = *next->successors;
        next = &blocks[number];
        place = place_below(next, branch);
    }
    return (long)place_number(writer, place ? place : block->places);
}

/* The number of every place has to be known before the first one is written. */
static void write_places(struct writer *writer) {
    for (size_t i = 0; i < writer->place_count; i++)
        if (writer->places[i]->call)
            place_number(writer, writer->places[i]->call);
    json_line(&writer->json);
    json_name(&writer->json, "places");
    json_open(&writer->json, '[');
    for (size_t i = 0; i < writer->place_count; i++) {
        const struct place *place = writer->places[i];
        size_t file = 0;
        while (writer->places[file]->file != place->file)
            file++; /* a file is called by its first place */
        json_print(&writer->json, "[%zu,%u,%ld]", file, place->line,
                   place->call ? (long)place_number(writer, place->call) : -1);
    }
    json_close(&writer->json, ']');
}

/* ---- Patterns. */
static void write_mask(const struct writer *writer, struct json *json, unsigned warp,
                       uint64_t lanes) {
    const unsigned lanes_of_warp = writer->recorded->lanes;
    const unsigned left = writer->recorded->item_count - warp * lanes_of_warp;
    const unsigned width = left < lanes_of_warp ? left : lanes_of_warp;
    if (lanes == 0 || lanes == UINT64_MAX >> (64 - width))
        json_print(json, lanes ? "1" : "0");
    else
        json_print(json, "\"%llx\"", (unsigned long long)lanes);
}

/* What an access touches: the offsets are those of its lanes, in order. */
struct reach {
    uint64_t lanes, offsets[MAX_LANES];
    size_t count, bytes;
};

/* A copy of memory may have as many bytes as a lane likes; the longest is shown. */
static struct reach reach_of(const struct writer *writer, const struct step *step) {
    struct reach reach = {0};
    uint64_t by_lane[MAX_LANES];
    for (size_t i = 0; i < step->lane_count; i++) {
        const struct touch *touch = &writer->recorded->touches[step->touch + i];
        by_lane[touch->lane] = touch->offset;
        reach.lanes |= (uint64_t)1 << touch->lane;
        reach.bytes = touch->bytes > reach.bytes ? touch->bytes : reach.bytes;
    }
    for (unsigned lane = 0; lane < MAX_LANES; lane++)
        if (reach.lanes >> lane & 1)
            reach.offsets[reach.count++] = by_lane[lane];
    return reach;
}

static void write_apart(struct json *json, const struct reach *reach) {
    const uint64_t *offsets = reach->offsets;
    json_open(json, '[');
    for (size_t i = 1, next; i < reach->count; i = next) {
        const int64_t apart = (int64_t)(offsets[i] - offsets[i - 1]);
        for (next = i + 1; next < reach->count; next++)
            if ((int64_t)(offsets[next] - offsets[next - 1]) != apart)
                break;
        json_print(json, "%lld,%zu", (long long)apart, next - i);
    }
    json_close(json, ']');
}

static void write_access(const struct writer *writer, struct json *json,
                         const struct step *step, const struct reach *reach) {
    json_text(json, kind_names[step->site->kind]);
    json_print(json, "%u,%zu", step->object, reach->bytes);
    write_mask(writer, json, step->warp, reach->lanes);
    write_apart(json, reach);
    json_print(json, "%llu,%llu,%llu,%llu", (unsigned long long)step->cost.cost.is,
               (unsigned long long)step->cost.cost.ideal,
               (unsigned long long)step->cost.used,
               (unsigned long long)step->cost.together);
}

static void write_ways(struct writer *writer, struct json *json,
                       const struct step *step) {
    json_print(json, "%d", step->diverges);
    json_open(json, '[');
    for (size_t i = 0; i < step->way_count; i++) {
        const struct way *way = &writer->recorded->ways[step->way + i];
        json_open(json, '[');
        write_mask(writer, json, step->warp, way->lanes);
        json_print(json, "%ld", block_place(writer, way->block, &step->site->place));
        json_close(json, ']');
    }
    json_close(json, ']');
}

/* The caller frees its text. */
static struct pattern pattern_of(struct writer *writer, const struct step *step,
                                 const struct reach *reach) {
    static const char *const letters[] = {[STEP_ACCESS] = "a",
                                          [STEP_BRANCH] = "b",
                                          [STEP_BLOCK] = "x",
                                          [STEP_ARRIVE] = "w",
                                          [STEP_OPEN] = "o"};
    struct pattern pattern = {.place =
                                  step->kind == STEP_BLOCK
                                      ? block_place(writer, step->block, NULL)
                                      : (long)place_number(writer, &step->site->place)};
    size_t bytes = 0;
    struct json json = {.out = memory_file(&pattern.text, &bytes), .in_html = true};
    json_open(&json, '[');
    json_text(&json, letters[step->kind]);
    write_mask(writer, &json, step->warp, step->working);
    write_mask(writer, &json, step->warp, step->ended);
    json_print(&json, "%llu,%llu,%ld", (unsigned long long)step->instructions,
               (unsigned long long)step->by_lanes, pattern.place);
    if (step->kind == STEP_ACCESS)
        write_access(writer, &json, step, reach);
    else if (step->kind == STEP_BRANCH)
        write_ways(writer, &json, step);
    json_close(&json, ']');
    close_memory_file(json.out);
    return pattern;
}

static size_t pattern_number(struct writer *writer, struct pattern pattern) {
    size_t i = 0;
    while (i < writer->pattern_count &&
           strcmp(writer->patterns[i].text, pattern.text) != 0)
        i++;
    if (i == writer->pattern_count) {
        *GROW(writer->patterns, writer->pattern_count) = pattern;
        writer->pattern_bytes += strlen(pattern.text);
    } else {
        free(pattern.text);
    }
    return i;
}

/* Those of one place share a line of the file: so it is short, and a reader of a change
 * finds which place has changed. */
static void write_patterns(struct writer *writer) {
    struct json *json = &writer->json;
    json_line(json);
    json_name(json, "patterns");
    json_open(json, '[');
    for (size_t i = 0; i < writer->pattern_count; i++) {
        if (i == 0 || writer->patterns[i].place != writer->patterns[i - 1].place)
            json_line(json);
        json_print(json, "%s", writer->patterns[i].text);
        free(writer->patterns[i].text);
    }
    json_close(json, ']');
    free(writer->patterns);
}

/* ---- Steps. */
static void write_step(struct writer *writer, const struct step *step) {
    struct json *json = &writer->json;
    const struct reach reach = reach_of(writer, step);
    const size_t number = pattern_number(writer, pattern_of(writer, step, &reach));
    json_open(json, '[');
    json_print(json, "%zu,%u", number, step->warp);
    if (step->kind == STEP_ACCESS)
        json_print(json, "%llu", (unsigned long long)reach.offsets[0]);
    json_close(json, ']');
}

static void write_steps(struct writer *writer, size_t room) {
    const struct recorded *recorded = writer->recorded;
    struct json *json = &writer->json;
    const size_t begin = (size_t)ftell(json->out);
    json_line(json);
    json_count(json, "steps_in_all", recorded->steps_in_all);
    json_name(json, "steps");
    json_open(json, '[');
    for (size_t i = 0; i < recorded->step_count &&
                       (size_t)ftell(json->out) - begin + writer->pattern_bytes < room;
         i++)
        write_step(writer, &recorded->steps[i]);
    json_close(json, ']');
}

static void write_totals(struct writer *writer) {
    const struct totals *totals = &writer->recorded->totals;
    const struct {
        const char *name;
        uint64_t value;
    } all[] = {{"accesses", totals->accesses},
               {"lanes", totals->lanes},
               {"sectors", totals->sectors},
               {"ideal_sectors", totals->ideal_sectors},
               {"used_bytes", totals->used},
               {"passes", totals->passes},
               {"ideal_passes", totals->ideal_passes},
               {"addresses", totals->addresses},
               {"ideal_addresses", totals->ideal_addresses},
               {"operations", totals->operations},
               {"branches", totals->branches},
               {"diverged", totals->diverged},
               {"barriers", totals->barriers},
               {"instructions", totals->instructions},
               {"lane_instructions", totals->lane_instructions}};
    json_name(&writer->json, "totals");
    json_open(&writer->json, '{');
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        json_count(&writer->json, all[i].name, all[i].value);
    json_close(&writer->json, '}');
}

/* ---- The source: the functions around the lines that were executed. */
static const char *text_of(struct writer *writer, const char *file, unsigned line) {
    return source_line(writer->run->job.source,
                       (struct place){.file = file, .line = line});
}

/* A line that ends a function, or is no part of one. */
static bool is_end(const char *text) {
    return *text == '}' || *text == '#';
}

static void mark_around(struct writer *writer, const struct place *place, bool *shown) {
    unsigned first = place->line, last = place->line;
    while (first > 1 && place->line - first < NEAR &&
           !is_end(text_of(writer, place->file, first - 1)))
        first--;
    while (last - place->line < NEAR && !is_end(text_of(writer, place->file, last)))
        last++;
    while (first < place->line && !*text_of(writer, place->file, first))
        first++;
    while (last > place->line && !*text_of(writer, place->file, last))
        last--;
    for (unsigned line = first; line <= last; line++)
        shown[line] = true;
}

static void write_lines(struct writer *writer, const char *file) {
    unsigned most = 0, count = 0;
    for (size_t i = 0; i < writer->place_count; i++)
        if (writer->places[i]->file == file && writer->places[i]->line > most)
            most = writer->places[i]->line;
    bool *shown = lens_allocate(most + NEAR + 2, sizeof *shown);
    for (size_t i = 0; i < writer->place_count; i++)
        if (writer->places[i]->file == file && !shown[writer->places[i]->line])
            mark_around(writer, writer->places[i], shown);
    for (unsigned line = 1; line < most + NEAR + 2 && count < MAX_SHOWN; line++)
        if (shown[line]) {
            count++;
            json_open(&writer->json, '[');
            json_print(&writer->json, "%u", line);
            json_text(&writer->json, text_of(writer, file, line));
            json_close(&writer->json, ']');
        }
    free(shown);
}

static void write_files(struct writer *writer) {
    json_name(&writer->json, "files");
    json_open(&writer->json, '[');
    for (size_t i = 0; i < writer->place_count; i++) {
        size_t first = 0;
        while (writer->places[first]->file != writer->places[i]->file)
            first++;
        if (first < i)
            continue;
        json_open(&writer->json, '{');
        json_count(&writer->json, "number", i);
        json_field(&writer->json, "name", writer->places[i]->file);
        json_name(&writer->json, "lines");
        json_open(&writer->json, '[');
        write_lines(writer, writer->places[i]->file);
        json_close(&writer->json, ']');
        json_close(&writer->json, '}');
    }
    json_close(&writer->json, ']');
}

/* ---- Mistakes, the launch, and what it may touch. */
static void write_record(struct writer *writer, const struct access_record *record) {
    const struct site *site = &writer->run->job.code->sites[record->site];
    char who[MISTAKE_WHO];
    mistake_who(who, writer->run, record);
    json_open(&writer->json, '[');
    json_print(&writer->json, "%zu", place_number(writer, &site->place));
    json_text(&writer->json, who);
    json_close(&writer->json, ']');
}

/* The work-item and its group; -1: a copy of the whole group. */
static void write_item(struct json *json, const struct access_record *record) {
    json_print(json, "[%lld,%u]",
               record->item == GROUPS_COPY ? -1LL : (long long)record->item,
               record->group - 1);
}

/* Where a mistake is: its bytes, and the work-items in the order of "who". */
static void write_where(struct json *json, const struct mistake *mistake) {
    json_count(json, "object", mistake->object);
    json_name(json, "byte");
    json_print(json, "%lld", (long long)mistake->byte);
    json_count(json, "bytes", mistake->bytes);
    json_name(json, "at");
    json_open(json, '[');
    write_item(json, &mistake->one);
    write_item(json, &mistake->other);
    json_close(json, ']');
}

static void write_mistake(struct writer *writer, const struct mistake *mistake) {
    struct json *json = &writer->json;
    char *title = mistake_title(writer->run, mistake);
    json_open(json, '{');
    json_field(json, "title", title);
    json_count(json, "times", mistake->times);
    json_field(json, "hint", mistake_hint(writer->run, mistake));
    write_where(json, mistake);
    json_name(json, "who");
    json_open(json, '[');
    if (mistake->kind != STEP_LIMIT && mistake->kind != TOO_LARGE_GROUP)
        write_record(writer, &mistake->one);
    if (mistake->kind == RACE || mistake->other.site != mistake->one.site)
        write_record(writer, &mistake->other);
    json_close(json, ']');
    json_close(json, '}');
    free(title);
}

static void write_mistakes(struct writer *writer) {
    enum { SHOWN = 8 };
    const struct run *run = writer->run;
    json_count(&writer->json, "mistake_count", run->mistakes.count);
    json_name(&writer->json, "mistakes");
    json_open(&writer->json, '[');
    for (size_t i = 0; i < run->mistakes.count && i < SHOWN; i++)
        write_mistake(writer, &run->mistakes.all[i]);
    json_close(&writer->json, ']');
}

static void write_sizes(struct json *json, const char *name, const struct run *run,
                        const size_t *sizes) {
    json_name(json, name);
    json_open(json, '[');
    for (unsigned d = 0; d < run->job.dimensions; d++)
        json_print(json, "%zu", sizes[d]);
    json_close(json, ']');
}

static void write_object(struct json *json, const struct object *object) {
    json_open(json, '[');
    json_text(json, object->name ? object->name : "");
    json_text(json, object->space == PRIVATE ? "private" : space_names[object->space]);
    json_close(json, ']');
}

static void write_launch(struct writer *writer) {
    const struct run *run = writer->run;
    const struct recorded *recorded = writer->recorded;
    struct json *json = &writer->json;
    json_field(json, "kernel", run->job.kernel);
    json_field(json, "arguments", run->job.scalars);
    write_sizes(json, "global", run, run->job.global);
    write_sizes(json, "local", run, run->job.local);
    json_count(json, "groups", run->outcome.groups);
    json_count(json, "groups_replayed", run->outcome.groups_replayed);
    json_count(json, "group", recorded->group);
    json_count(json, "items", recorded->item_count);
    json_count(json, "warps", recorded->warp_count);
    json_name(json, "objects");
    json_open(json, '[');
    for (size_t i = 0; i < run->job.object_count; i++)
        write_object(json, &run->job.objects[i]);
    json_close(json, ']');
}

char *page_launch(const struct run *run, size_t room) {
    char *text = NULL;
    size_t bytes = 0;
    struct writer writer = {
        .json = {.out = memory_file(&text, &bytes), .in_html = true},
        .run = run,
        .recorded = run->recorded};
    json_open(&writer.json, '{');
    write_launch(&writer);
    write_totals(&writer);
    write_mistakes(&writer);
    write_steps(&writer, room);
    write_patterns(&writer);
    write_places(&writer);
    write_files(&writer);
    json_close(&writer.json, '}');
    close_memory_file(writer.json.out);
    free(writer.places);
    return text;
}
