/* lane_picture: draws what lanes do as rows of small cells, first as text;
 * picture_svg.c draws the same rows with a square for each cell. */
#define _GNU_SOURCE /* open_memstream, fileno */
#include "lane_picture.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/vocabulary.h"
#include "code/source_lines.h"
#include "measure/digits.h"
#include "replay/images.h"
#include "view.h"

#include <stdlib.h>
#include <string.h>

enum { ROW_CELLS = 32 }; /* gaps aside */

/* Lanes have one letter each. */
static const char letters[] =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-";

static char letter(unsigned lane) {
    return letters[lane % MAX_LANES];
}

unsigned picture_lane(char cell) {
    const char *found = strchr(letters, cell);
    return found && *found ? (unsigned)(found - letters) : 0;
}

/* How many lanes touch these bytes, and the first of them. */
static char toucher(const struct example *lanes, uint64_t address, size_t bytes) {
    unsigned count = 0;
    char found = '.';
    for (unsigned i = 0; i < lanes->lane_count; i++) {
        const struct touch *touch = &lanes->lanes[i];
        if (touch->offset < address + bytes && touch->offset + touch->bytes > address)
            found = ++count == 1 ? letter(touch->lane) : '*';
    }
    return found;
}

static struct row *add_row(struct picture *picture) {
    struct row *row = GROW(picture->rows, picture->row_count);
    *row = (struct row){.label = ""};
    return row;
}

static void draw_sector(struct row *row, const struct example *lanes, uint64_t begin,
                        size_t cell) {
    size_t used = strlen(row->cells);
    row->cells[used++] = '[';
    for (size_t byte = 0; byte < SECTOR; byte += cell)
        row->cells[used++] = toucher(lanes, begin + byte, cell);
    row->cells[used++] = ']';
}

/* What a character stands for. */
static size_t cell_bytes(const struct example *lanes) {
    return lanes->lanes[0].bytes < WORD ? lanes->lanes[0].bytes : WORD;
}

/* Sectors in order, with a gap where others lie between. */
static void draw_sectors(struct picture *picture, const struct example *lanes,
                         const struct object *object) {
    const size_t cell = cell_bytes(lanes);
    const size_t most = ROW_CELLS * cell / SECTOR > 1 ? ROW_CELLS * cell / SECTOR : 1;
    struct row *row = NULL;
    uint64_t next = 0; /* the sector behind the last one that was drawn */
    size_t in_row = 0;
    for (unsigned i = 0; i < lanes->lane_count; i++) {
        const struct touch *touch = &lanes->lanes[i];
        uint64_t sector = touch->offset / SECTOR * SECTOR;
        for (sector = sector < next ? next : sector;
             sector < touch->offset + touch->bytes; sector += SECTOR) {
            if (!row || in_row == most) {
                row = add_row(picture);
                in_row = 0;
                snprintf(row->label, sizeof row->label, "%.12s[%llu]", object->name,
                         (unsigned long long)(sector / touch->bytes));
            } else if (sector != next) {
                strcat(row->cells, "  ");
            }
            draw_sector(row, lanes, sector, cell);
            next = sector + SECTOR;
            in_row++;
        }
    }
}

struct bank_picture {
    struct picture *picture;
    const struct example *lanes;
};

/* Each word in the column of its bank; words of one bank below each other. */
static void draw_part(const struct part *part, void *data) {
    const struct bank_picture *draw = data;
    const size_t first = draw->picture->row_count;
    size_t used[BANKS] = {0};
    for (uint64_t pass = 0; pass < part->passes; pass++) {
        struct row *row = add_row(draw->picture);
        snprintf(row->label, sizeof row->label, "pass %zu", first + pass);
        memset(row->cells, '.', BANKS);
    }
    for (size_t i = 0; i < part->word_count; i++) {
        const size_t bank = part->words[i] % BANKS;
        draw->picture->rows[first + used[bank]++].cells[bank] =
            toucher(draw->lanes, part->words[i] * WORD, WORD);
    }
}

/* shared: it is a load from local memory. */
static void draw_banks(struct picture *picture, const struct example *lanes,
                       bool shared) {
    struct row *head = add_row(picture);
    strcpy(head->label, "bank");
    for (int bank = 0; bank < BANKS; bank += 8)
        sprintf(head->cells + bank, bank + 8 < BANKS ? "%-8d" : "%d", bank);
    banks_each_part(lanes->lanes, lanes->lane_count, shared, draw_part,
                    &(struct bank_picture){picture, lanes});
}

/* "0 to 9, a to v": what lanes are called. */
static const char *lane_names(unsigned lanes) {
    return lanes == 64   ? "0 to 9, a to z, A to Z, +, -"
           : lanes == 32 ? "0 to 9, a to v"
           : lanes == 16 ? "0 to 9, a to f"
           : lanes == 8  ? "0 to 7"
                         : "0 to 3";
}

static bool has_cell(const struct picture *picture, char cell) {
    for (size_t i = 0; i < picture->row_count; i++)
        if (strchr(picture->rows[i].cells, cell))
            return true;
    return false;
}

/* In sentences: first what rows and columns are; then those cells that there are. */
static void add_legend(struct picture *picture, const char *layout, const char *empty) {
    snprintf(picture->legend, sizeof picture->legend, "%s  %s are the %u lanes%s%s%s.",
             layout, lane_names(picture->lanes), picture->lanes,
             has_cell(picture, '*') ? "; * are several of them" : "",
             has_cell(picture, '.') ? "; dots are " : "",
             has_cell(picture, '.') ? empty : "");
}

/* `empty`: what a cell without a lane is. */
static void add_key(struct picture *picture, const char *empty) {
    snprintf(picture->key, sizeof picture->key, "%s: lanes; *: several; .: %s",
             lane_names(picture->lanes), empty);
    snprintf(picture->svg_key, sizeof picture->svg_key,
             "0 to %u: lanes; *: several; grey: %s", picture->lanes - 1, empty);
}

/* The end of a long path, from a folder on. */
static const char *path_end(const char *path) {
    enum { MOST = 90 };
    const size_t length = strlen(path);
    if (length <= MOST)
        return path;
    const char *end = path + length - MOST, *slash = strchr(end, '/');
    return slash ? slash : end;
}

/* "line 7 of dot.cl"; a program need not say what its file is called. */
static const char *line_of(char text[128], const struct fact *fact) {
    const struct place *place = &fact->site.place;
    const bool named = strcmp(place->file, OWN_NAME) != 0;
    const char *file = place->file + (strncmp(place->file, "./", 2) == 0 ? 2 : 0);
    const char *end = path_end(file);
    snprintf(text, 128, "line %u%s%s%s", place->line, named ? " of " : "",
             named && end != file ? "..." : "", named ? end : "");
    return text;
}

/* "line 7 of dot.cl, loads x". */
static void add_where(struct picture *picture, const struct run *run,
                      const struct fact *fact) {
    char line[128];
    snprintf(picture->where, sizeof picture->where, "%s, %s %.24s", line_of(line, fact),
             is_load(fact->site.kind)   ? "loads"
             : fact->site.kind == STORE ? "stores"
                                        : "changes",
             run->job.objects[fact->object].name);
}

/* "line 7, load x: 32 lanes, 4 sectors". */
static void add_title(struct picture *picture, const struct run *run,
                      const struct fact *fact, const struct example *lanes,
                      const char *cost) {
    snprintf(picture->title, sizeof picture->title, "line %u, %s %s: %u lane%s, %s",
             fact->site.place.line, kind_names[fact->site.kind],
             run->job.objects[fact->object].name, lanes->lane_count,
             lanes->lane_count == 1 ? "" : "s", cost);
    add_where(picture, run, fact);
}

/* "32 lanes asked for 128 bytes here, and memory moves 1,024." */
static void close_memory(struct picture *picture, const struct fact *fact,
                         const struct example *lanes, uint64_t used, uint64_t sectors) {
    const bool load = is_load(fact->site.kind), one = lanes->lane_count == 1;
    char moved[MAX_DIGITS], wanted[MAX_DIGITS];
    char who[16] = "One lane";
    if (!one)
        snprintf(who, sizeof who, "%u lanes", lanes->lane_count);
    snprintf(picture->closing, sizeof picture->closing,
             "%s %s %s bytes here, and memory moves %s.", who,
             load  ? "asked for"
             : one ? "writes"
                   : "write",
             digits_write(wanted, used), digits_write(moved, sectors * SECTOR));
}

static void close_banks(struct picture *picture, const struct example *lanes,
                        size_t passes, bool shared) {
    const struct passes all = banks_passes(lanes->lanes, lanes->lane_count, shared);
    snprintf(picture->closing, sizeof picture->closing,
             "The banks need %zu pass%s for these %u lanes, where %llu would do.",
             passes, passes == 1 ? "" : "es", lanes->lane_count,
             (unsigned long long)all.ideal);
}

/* Texels in rows and columns as in the image, around the first one; what lies far from
 * it is left out. */
static void draw_texels(struct picture *picture, const struct example *lanes,
                        const struct object *object) {
    enum { MAX_TEXEL_ROWS = 16 };
    const struct image *image = object->image;
    size_t low[3], high[3], texel[3];
    for (unsigned i = 0; i < lanes->lane_count; i++) {
        image_texel_at(image, lanes->lanes[i].offset, texel);
        for (int d = 0; d < 3; d++) {
            low[d] = i == 0 || texel[d] < low[d] ? texel[d] : low[d];
            high[d] = i == 0 || texel[d] > high[d] ? texel[d] : high[d];
        }
    }
    for (texel[1] = low[1]; texel[1] <= high[1] && texel[1] < low[1] + MAX_TEXEL_ROWS;
         texel[1]++) {
        struct row *row = add_row(picture);
        snprintf(row->label, sizeof row->label, "%.10s(%zu,%zu)", object->name, low[0],
                 texel[1]);
        texel[2] = low[2];
        for (texel[0] = low[0]; texel[0] <= high[0] && texel[0] < low[0] + ROW_CELLS;
             texel[0]++)
            row->cells[texel[0] - low[0]] =
                toucher(lanes, image_place(image, texel), image->texel_bytes);
    }
}

/* "4 sectors". */
static const char *counted(char cost[64], uint64_t number, const char *one,
                           const char *several) {
    snprintf(cost, 64, "%llu %s", (unsigned long long)number,
             number == 1 ? one : several);
    return cost;
}

static void picture_banks(struct picture *picture, const struct run *run,
                          const struct fact *fact, const struct example *lanes) {
    char cost[64];
    draw_banks(picture, lanes, is_load(fact->site.kind));
    const size_t passes = picture->row_count - 1;
    add_key(picture, "no lane");
    add_title(picture, run, fact, lanes, counted(cost, passes, "pass", "passes"));
    add_legend(picture,
               term("A column is a bank of local memory, and a row is a pass."),
               "banks that no lane needs");
    close_banks(picture, lanes, passes, is_load(fact->site.kind));
}

/* What the banks do for a load from global memory that finds everything in the L1. */
static void picture_l1(struct picture *picture, const struct run *run,
                       const struct fact *fact, const struct example *lanes) {
    char cost[64];
    draw_banks(picture, lanes, false);
    const struct cost in_l1 = cost_in_l1(lanes->lanes, lanes->lane_count);
    const size_t passes = picture->row_count - 1;
    const uint64_t lines = cells_touched(lanes->lanes, lanes->lane_count, LINE);
    add_key(picture, "no lane");
    add_title(picture, run, fact, lanes, counted(cost, passes, "pass", "passes"));
    add_legend(picture, "A column is a bank of the L1 cache, and a row is a pass.",
               "banks that no lane needs");
    if (in_l1.is > passes)
        snprintf(picture->closing, sizeof picture->closing,
                 "The banks need %zu pass%s for these %u lanes; to look up their %llu "
                 "lines takes %llu.",
                 passes, passes == 1 ? "" : "es", lanes->lane_count,
                 (unsigned long long)lines, (unsigned long long)in_l1.is);
    else
        close_banks(picture, lanes, passes, false);
}

static void picture_constant(struct picture *picture, const struct run *run,
                             const struct fact *fact, const struct example *lanes) {
    const uint64_t addresses = cells_touched(lanes->lanes, lanes->lane_count, WORD);
    char cost[64];
    draw_sectors(picture, lanes, &run->job.objects[fact->object]);
    add_key(picture, "not read");
    add_title(picture, run, fact, lanes,
              counted(cost, addresses, "address", "addresses"));
    add_legend(picture, "A frame [........] is 32 bytes of constant memory.",
               "bytes that no lane touches");
    snprintf(picture->closing, sizeof picture->closing,
             "Constant memory serves one address at a time: here %llu, one after "
             "another.",
             (unsigned long long)addresses);
}

static void picture_global(struct picture *picture, const struct run *run,
                           const struct fact *fact, const struct example *lanes) {
    const struct object *object = &run->job.objects[fact->object];
    const bool image = object->image;
    const uint64_t sectors =
        image ? lanes->sectors : cells_touched(lanes->lanes, lanes->lane_count, SECTOR);
    const uint64_t used =
        image ? lanes->used : cells_touched(lanes->lanes, lanes->lane_count, 1);
    char cost[64], frame[80];
    if (image)
        draw_texels(picture, lanes, object);
    else
        draw_sectors(picture, lanes, object);
    add_key(picture, image ? "no lane's first texel" : "moved, but not used");
    add_title(picture, run, fact, lanes, counted(cost, sectors, "sector", "sectors"));
    snprintf(frame, sizeof frame,
             "A frame [........] is a sector of 32 bytes, %zu for each character.",
             cell_bytes(lanes));
    add_legend(
        picture, image ? "A character is a texel, in the rows of the image." : frame,
        image ? "texels that are no lane's first" : "bytes that no lane touches");
    close_memory(picture, fact, lanes, used, sectors);
}

struct picture picture_access(const struct run *run, const struct fact *fact,
                              const struct example *lanes) {
    const enum space space = run->job.objects[fact->object].space;
    struct picture picture = {.lanes = run->model.lanes};
    if (space == LOCAL)
        picture_banks(&picture, run, fact, lanes);
    else if (space == CONSTANT)
        picture_constant(&picture, run, fact, lanes);
    else if (view.banks && is_load(fact->site.kind) &&
             !run->job.objects[fact->object].image)
        picture_l1(&picture, run, fact, lanes);
    else
        picture_global(&picture, run, fact, lanes);
    return picture;
}

/* A column for each lane, a row for each address. */
struct picture picture_atomic(const struct run *run, const struct fact *fact,
                              const struct example *lanes) {
    const struct object *object = &run->job.objects[fact->object];
    struct picture picture = {.lanes = run->model.lanes};
    uint64_t most = 0, together = 0;
    char cost[64];
    for (unsigned i = 0; i < lanes->lane_count; i++) {
        const struct touch *touch = &lanes->lanes[i];
        if (i == 0 || touch->offset != lanes->lanes[i - 1].offset) {
            struct row *row = add_row(&picture);
            snprintf(row->label, sizeof row->label, "%.12s[%llu]", object->name,
                     (unsigned long long)(touch->offset / touch->bytes));
            memset(row->cells, '.', picture.lanes);
            together = 0;
        }
        picture.rows[picture.row_count - 1].cells[touch->lane] = letter(touch->lane);
        most = ++together > most ? together : most;
    }
    snprintf(cost, sizeof cost, "%llu on one address", (unsigned long long)most);
    add_title(&picture, run, fact, lanes, cost);
    snprintf(picture.key, sizeof picture.key,
             "%s: lanes; a row: an address, one lane after another",
             lane_names(picture.lanes));
    snprintf(picture.svg_key, sizeof picture.svg_key,
             "0 to %u: lanes; a row: an address, one lane after another",
             picture.lanes - 1);
    snprintf(picture.legend, sizeof picture.legend,
             "A row is an address, and %s are the %u lanes that change it.",
             lane_names(picture.lanes), picture.lanes);
    snprintf(picture.closing, sizeof picture.closing,
             "One lane at a time can do that: %llu take turns here.",
             (unsigned long long)most);
    return picture;
}

void picture_add_source(struct picture *picture, const struct run *run,
                        struct place place) {
    snprintf(picture->source, sizeof picture->source, "%u  %s", place.line,
             source_text(run->job.source, place, 100));
}

/* ---- Divergence. */
static struct row *add_lanes(struct picture *picture, struct place place,
                             uint64_t lanes, uint64_t all) {
    struct row *row = add_row(picture);
    snprintf(row->label, sizeof row->label, "%u", place.line);
    for (unsigned i = 0; i < picture->lanes; i++)
        row->cells[i] = lanes >> i & 1 ? '#' : all >> i & 1 ? '.' : ' ';
    return row;
}

static void add_remark(struct row *row, const struct run *run, struct place place,
                       const char *before) {
    snprintf(row->remark, sizeof row->remark, "%s%s", before,
             source_text(run->job.source, place, 72));
}

/* What stands for a place: the kernel's call of the function that it is in, because
 * several arms may call the same one; but not if the branch itself is in a function. */
static const struct place *shown(const struct place *place,
                                 const struct place *branch) {
    return place->call && !branch->call ? place->call : place;
}

/* How many different source lines an arm goes through. */
static size_t line_count(const struct code *code, const struct arm *arm,
                         const struct place *branch) {
    const struct place **seen = NULL;
    size_t count = 0;
    for (size_t i = 0; i < arm->block_count; i++) {
        const struct block *block = &code->blocks[arm->blocks[i].block];
        for (size_t p = 0; p < block->place_count; p++) {
            const struct place *place = shown(&block->places[p], branch);
            size_t known = 0;
            while (known < count && (seen[known]->line != place->line ||
                                     seen[known]->file != place->file))
                known++;
            if (known == count)
                *GROW(seen, count) = place;
        }
    }
    free(seen);
    return count;
}

static const struct place *first_place(const struct code *code, const struct arm *arm) {
    for (size_t i = 0; i < arm->block_count; i++)
        if (code->blocks[arm->blocks[i].block].place_count > 0)
            return code->blocks[arm->blocks[i].block].places;
    return NULL;
}

/* One row: an arm's lanes and first line, how often a loop repeats it, and how many
 * more lines it has. */
static void draw_arm(struct picture *picture, const struct run *run,
                     const struct arm *arm, const struct fact *fact) {
    const struct place *branch = &fact->site.place,
                       *place = first_place(run->job.code, arm);
    const size_t lines = line_count(run->job.code, arm, branch);
    unsigned rounds = 0;
    if (!place)
        return;
    place = shown(place, branch);
    for (size_t i = 0; i < arm->block_count; i++)
        rounds = arm->blocks[i].times > rounds ? arm->blocks[i].times : rounds;
    struct row *row =
        add_lanes(picture, *place, arm->lanes, fact->branch.divergence->lanes);
    add_remark(row, run, *place, "");
    char *more = row->more;
    if (rounds > 1 && lines > 1)
        snprintf(more, sizeof row->more, "  (x %u rounds; %zu more line%s)", rounds,
                 lines - 1, lines == 2 ? "" : "s");
    else if (rounds > 1)
        snprintf(more, sizeof row->more, "  (x %u rounds)", rounds);
    else if (lines > 1)
        snprintf(more, sizeof row->more, "  (%zu more line%s)", lines - 1,
                 lines == 2 ? "" : "s");
}

/* The last row: the block at which all lanes are together again.  At the end of a
 * kernel there is none, or it has no source line. */
static void draw_reconvergence(struct picture *picture, const struct run *run,
                               const struct fact *fact) {
    const struct divergence *divergence = fact->branch.divergence;
    const uint64_t all = divergence->lanes;
    const struct block *block = divergence->reconverged == EXIT
                                    ? NULL
                                    : &run->job.code->blocks[divergence->reconverged];
    if (divergence->left_out)
        strcpy(add_row(picture)->remark, "... more rows are left out");
    if (block && block->place_count > 0) {
        const struct place *place = shown(block->places, &fact->site.place);
        struct row *row = add_lanes(picture, *place, all, all);
        add_remark(row, run, *place, "reconverge: ");
    } else {
        struct row *row = add_lanes(picture, (struct place){.file = ""}, all, all);
        snprintf(row->label, sizeof row->label, "end");
        snprintf(row->remark, sizeof row->remark, "reconverge: end of the kernel");
    }
}

struct picture picture_divergence(const struct run *run, const struct fact *fact) {
    const struct divergence *divergence = fact->branch.divergence;
    const uint64_t all = divergence->lanes;
    struct picture picture = {.lanes = run->model.lanes};
    char line[128];
    add_remark(add_lanes(&picture, fact->site.place, all, all), run, fact->site.place,
               "");
    for (size_t i = 0; i < divergence->arm_count; i++)
        draw_arm(&picture, run, &divergence->arms[i], fact);
    draw_reconvergence(&picture, run, fact);
    snprintf(picture.title, sizeof picture.title,
             "line %u diverges: the lanes of a warp take turns", fact->site.place.line);
    snprintf(picture.where, sizeof picture.where, "%s splits a warp",
             line_of(line, fact));
    snprintf(picture.key, sizeof picture.key, "#: works; .: waits");
    snprintf(picture.svg_key, sizeof picture.svg_key, "green: works; grey: waits");
    snprintf(
        picture.legend, sizeof picture.legend,
        "Time runs downwards.  # are lanes that work, and dots are lanes that wait: "
        "a warp goes one way after the other.");
    return picture;
}
