/* images: see images.h. */
#include "images.h"
#include "base/half.h"
#include "base/machine.h"
#include "code/operations.h"

#include <CL/cl.h>
#include <math.h>
#include <string.h>

/* What OpenCL C's CLK_ADDRESS_CLAMP and the others are. */
enum {
    NORMALIZED = 1,
    ADDRESS = 0xE,
    TO_EDGE = 2,
    CLAMP = 4,
    REPEAT = 6,
    MIRRORED = 8,
    LINEAR = 0x20
};

/* ---- Formats. */
enum { ZERO = -1, ONE = -2 };

static const struct order {
    unsigned number;
    size_t channels;
    int from[4]; /* for each component its channel; or ZERO, or ONE */
} orders[] = {{CL_R, 1, {0, ZERO, ZERO, ONE}},  {CL_A, 1, {ZERO, ZERO, ZERO, 0}},
              {CL_RG, 2, {0, 1, ZERO, ONE}},    {CL_RA, 2, {0, ZERO, ZERO, 1}},
              {CL_RGBA, 4, {0, 1, 2, 3}},       {CL_BGRA, 4, {2, 1, 0, 3}},
              {CL_ARGB, 4, {1, 2, 3, 0}},       {CL_INTENSITY, 1, {0, 0, 0, 0}},
              {CL_LUMINANCE, 1, {0, 0, 0, ONE}}};

/* `most`: what a normalized channel holds for 1. */
static const struct channel {
    unsigned number, type;
    size_t bytes;
    float most;
    bool is_signed;
} channels[] = {{CL_SNORM_INT8, LENS_FLOAT, 1, 127.0f, true},
                {CL_SNORM_INT16, LENS_FLOAT, 2, 32767.0f, true},
                {CL_UNORM_INT8, LENS_FLOAT, 1, 255.0f, false},
                {CL_UNORM_INT16, LENS_FLOAT, 2, 65535.0f, false},
                {CL_SIGNED_INT8, LENS_INT, 1, 0.0f, true},
                {CL_SIGNED_INT16, LENS_INT, 2, 0.0f, true},
                {CL_SIGNED_INT32, LENS_INT, 4, 0.0f, true},
                {CL_UNSIGNED_INT8, LENS_UINT, 1, 0.0f, false},
                {CL_UNSIGNED_INT16, LENS_UINT, 2, 0.0f, false},
                {CL_UNSIGNED_INT32, LENS_UINT, 4, 0.0f, false},
                {CL_HALF_FLOAT, LENS_FLOAT, 2, 0.0f, true},
                {CL_FLOAT, LENS_FLOAT, 4, 0.0f, true}};

static const struct order *order_of(const struct image *image) {
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (orders[i].number == image->order)
            return &orders[i];
    return NULL;
}

static const struct channel *channel_of(const struct image *image) {
    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++)
        if (channels[i].number == image->type)
            return &channels[i];
    return NULL;
}

bool image_measure(struct image *image) {
    const struct order *order = order_of(image);
    const struct channel *channel = channel_of(image);
    if (order && channel)
        image->texel_bytes = order->channels * channel->bytes;
    return order && channel;
}

bool image_has_type(const struct image *image, unsigned type) {
    const struct channel *channel = channel_of(image);
    return channel && channel->type == type;
}

static uint32_t whole_at(const struct channel *channel, const char *bits) {
    const unsigned unused = 32 - 8 * (unsigned)channel->bytes;
    uint32_t number = 0;
    memcpy(&number, bits, channel->bytes);
    return channel->is_signed ? (uint32_t)((int32_t)(number << unused) >> unused)
                              : number;
}

static float real_at(const struct channel *channel, const char *bits) {
    const uint32_t whole = whole_at(channel, bits);
    float number;
    memcpy(&number, &whole, sizeof number);
    if (channel->number == CL_HALF_FLOAT)
        return (float)half_value((uint16_t)whole);
    if (channel->most > 0.0f && channel->is_signed)
        number = fmaxf((float)(int32_t)whole / channel->most, -1.0f);
    else if (channel->most > 0.0f)
        number = (float)whole / channel->most;
    return number;
}

void image_decode(const struct image *image, const char *bits, unsigned type,
                  uint32_t components[4]) {
    const struct order *order = order_of(image);
    const struct channel *channel = channel_of(image);
    const float one = 1.0f;
    for (int c = 0; c < 4; c++) {
        const int from = order->from[c];
        components[c] = 0;
        if (from == ONE && type == LENS_FLOAT)
            memcpy(&components[c], &one, sizeof one);
        else if (from == ONE)
            components[c] = 1;
        else if (from >= 0 && bits && type == LENS_FLOAT) {
            const float number = real_at(channel, bits + (size_t)from * channel->bytes);
            memcpy(&components[c], &number, sizeof number);
        } else if (from >= 0 && bits)
            components[c] = whole_at(channel, bits + (size_t)from * channel->bytes);
    }
}

/* The nearest number that the channel holds. */
static uint32_t saturated(const struct channel *channel, uint32_t number) {
    const unsigned width = 8 * (unsigned)channel->bytes;
    const uint32_t most = UINT32_MAX >> (32 - width + channel->is_signed);
    if (!channel->is_signed)
        return number < most ? number : most;
    const int32_t value = (int32_t)number, limit = (int32_t)most;
    return (uint32_t)(value > limit ? limit : value < -limit - 1 ? -limit - 1 : value);
}

static uint32_t of_real(const struct channel *channel, uint32_t component) {
    float number;
    memcpy(&number, &component, sizeof number);
    if (channel->number == CL_HALF_FLOAT)
        return half_of(number);
    if (channel->most == 0.0f) /* a float */
        return component;
    const float least = channel->is_signed ? -channel->most - 1.0f : 0.0f;
    const float scaled = isnan(number) ? 0.0f : number * channel->most;
    return (uint32_t)(int32_t)rintf(fminf(fmaxf(scaled, least), channel->most));
}

void image_encode(const struct image *image, char *bits, unsigned type,
                  const uint32_t components[4]) {
    const struct order *order = order_of(image);
    const struct channel *channel = channel_of(image);
    for (int c = 4; c-- > 0;) {
        if (order->from[c] < 0)
            continue;
        const uint32_t number = type == LENS_FLOAT ? of_real(channel, components[c])
                                                   : saturated(channel, components[c]);
        memcpy(bits + (size_t)order->from[c] * channel->bytes, &number, channel->bytes);
    }
}

/* ---- Places. */
enum { GOB = 512, GOB_WIDTH = 64, GOB_ROWS = 8 };

static size_t pieces(size_t number, size_t piece) {
    return (number + piece - 1) / piece;
}

static bool is_flat(const struct image *image) {
    return image->dimensions == 1;
}

/* In bytes of a row of texels, or in GOBs of a row of GOBs. */
static size_t row_pieces(const struct image *image) {
    const size_t bytes = image->size[0] * image->texel_bytes;
    return is_flat(image) ? pieces(bytes, LINE) * LINE : pieces(bytes, GOB_WIDTH);
}

size_t image_bytes(const struct image *image) {
    if (is_flat(image))
        return row_pieces(image) * image->size[1];
    return GOB * row_pieces(image) * pieces(image->size[1], GOB_ROWS) * image->size[2];
}

size_t image_host_bytes(const struct image *image) {
    return image->texel_bytes * image->size[0] * image->size[1] * image->size[2];
}

size_t image_place(const struct image *image, const size_t texel[3]) {
    const size_t x = texel[0] * image->texel_bytes, y = texel[1];
    if (is_flat(image))
        return row_pieces(image) * y + x;
    const size_t rows = pieces(image->size[1], GOB_ROWS);
    const size_t gob =
        (texel[2] * rows + y / GOB_ROWS) * row_pieces(image) + x / GOB_WIDTH;
    return gob * GOB + x % 64 / 32 * 256 + y % 8 / 2 * 64 + x % 32 / 16 * 32 +
           y % 2 * 16 + x % 16;
}

void image_texel_at(const struct image *image, size_t offset, size_t texel[3]) {
    const size_t across = row_pieces(image);
    size_t x, y, z = 0;
    if (is_flat(image)) {
        x = offset % across;
        y = offset / across;
    } else {
        const size_t gob = offset / GOB, in = offset % GOB;
        const size_t rows = pieces(image->size[1], GOB_ROWS);
        x = gob % across * GOB_WIDTH + in / 256 * 32 + in % 64 / 32 * 16 + in % 16;
        y = gob / across % rows * GOB_ROWS + in % 256 / 64 * 2 + in % 32 / 16;
        z = gob / across / rows;
    }
    texel[0] = x / image->texel_bytes;
    texel[1] = y;
    texel[2] = z;
}

static void copy_all(const struct image *image, char *host, bool to_host) {
    const size_t bytes = image->texel_bytes;
    size_t t[3];
    for (t[2] = 0; t[2] < image->size[2]; t[2]++)
        for (t[1] = 0; t[1] < image->size[1]; t[1]++)
            for (t[0] = 0; t[0] < image->size[0]; t[0]++, host += bytes) {
                char *own = image->base + image_place(image, t);
                memcpy(to_host ? host : own, to_host ? own : host, bytes);
            }
}

void image_from_host(const struct image *image, const char *host) {
    copy_all(image, (char *)(uintptr_t)host, false);
}

void image_to_host(const struct image *image, char *host) {
    copy_all(image, host, true);
}

/* ---- Samplers. */
static bool is_inside(const struct image *image, const int64_t texel[3]) {
    for (int d = 0; d < 3; d++)
        if (texel[d] < 0 || texel[d] >= (int64_t)image->size[d])
            return false;
    return true;
}

static int64_t limited(int64_t number, int64_t least, int64_t most) {
    return number < least ? least : number > most ? most : number;
}

/* Numbers beyond all images stay so, as far as an int holds them. */
static int64_t floored(float number) {
    return isnan(number) ? 0 : (int64_t)fminf(fmaxf(floorf(number), -0x1p30f), 0x1p30f);
}

/* Along one dimension: two texels, and how much of the second one is wanted; with
 * CLK_FILTER_NEAREST, one. */
struct pair {
    int64_t first, second;
    float share;
};

static struct pair pair_along(float s, int64_t size, unsigned sampler) {
    const unsigned address = sampler & ADDRESS;
    const bool linear = sampler & LINEAR;
    const float width = (float)size;
    float u = sampler & NORMALIZED ? s * width : s;
    if (address == REPEAT)
        u = (s - floorf(s)) * width;
    else if (address == MIRRORED)
        u = fabsf(s - 2.0f * rintf(0.5f * s)) * width;
    if (linear)
        u -= 0.5f;
    struct pair pair = {.first = floored(u), .share = u - floorf(u)};
    pair.second = pair.first + 1;
    if (address == REPEAT) {
        pair.first += pair.first < 0 ? size : pair.first >= size ? -size : 0;
        pair.second -= pair.second >= size ? size : 0;
    } else if (address == MIRRORED || address == TO_EDGE) {
        pair.first = limited(pair.first, 0, size - 1);
        pair.second = limited(pair.second, 0, size - 1);
    } else if (address == CLAMP) {
        pair.first = limited(pair.first, -1, size);
        pair.second = limited(pair.second, -1, size);
    }
    if (!linear)
        pair.share = 0.0f;
    return pair;
}

size_t image_taps(const struct image *image, unsigned sampler,
                  const float coordinates[3], struct tap taps[MAX_TAPS]) {
    const bool linear = sampler & LINEAR;
    struct pair pairs[3] = {{.first = 0}};
    for (unsigned d = 0; d < image->dimensions; d++)
        pairs[d] = pair_along(coordinates[d], (int64_t)image->size[d], sampler);
    if (image->layered) {
        const unsigned d = image->dimensions;
        pairs[d].first =
            limited(floored(rintf(coordinates[d])), 0, (int64_t)image->size[d] - 1);
    }
    const size_t count = linear ? (size_t)1 << image->dimensions : 1;
    for (size_t i = 0; i < count; i++) {
        taps[i].weight = 1.0f;
        for (unsigned d = 0; d < 3; d++) {
            const bool second = i >> d & 1;
            taps[i].texel[d] = second ? pairs[d].second : pairs[d].first;
            if (linear && d < image->dimensions)
                taps[i].weight *= second ? pairs[d].share : 1.0f - pairs[d].share;
        }
        taps[i].inside = is_inside(image, taps[i].texel);
    }
    return count;
}

void image_tap(const struct image *image, unsigned sampler, const int coordinates[3],
               struct tap *tap) {
    const unsigned address = sampler & ADDRESS;
    *tap = (struct tap){.weight = 1.0f};
    for (unsigned d = 0; d < image->dimensions + image->layered; d++) {
        const bool layer = d == image->dimensions;
        const int64_t last = (int64_t)image->size[d] - 1;
        tap->texel[d] = address == TO_EDGE || (layer && address)
                            ? limited(coordinates[d], 0, last)
                            : coordinates[d];
    }
    tap->inside = is_inside(image, tap->texel);
}

/* ---- Words. */
void image_write_numbers(FILE *out, const struct image *image, const int64_t numbers[3],
                         const char *between) {
    for (unsigned d = 0; d < image->dimensions + image->layered; d++)
        fprintf(out, "%s%lld", d ? between : "", (long long)numbers[d]);
}

static const struct word {
    const char *text;
    unsigned bits, among; /* of all bits that decide the same */
} words[] = {{"linear", LINEAR, 0x30},      {"nearest", 0x10, 0x30},
             {"normalized", NORMALIZED, 1}, {"none", 0, ADDRESS},
             {"edge", TO_EDGE, ADDRESS},    {"clamp", CLAMP, ADDRESS},
             {"repeat", REPEAT, ADDRESS},   {"mirrored", MIRRORED, ADDRESS}};
enum { WORDS = sizeof words / sizeof *words };

void sampler_write(FILE *out, unsigned sampler) {
    const char *between = "";
    for (size_t i = 0; i < WORDS; i++)
        if ((sampler & words[i].among) == words[i].bits) {
            fprintf(out, "%s%s", between, words[i].text);
            between = ",";
        }
}

unsigned sampler_read(const char *text) {
    unsigned sampler = 0x10;
    text += strspn(text, "( ");
    while (*text && *text != ')') {
        const size_t length = strcspn(text, ", )");
        size_t i = 0;
        while (i < WORDS && (strlen(words[i].text) != length ||
                             strncmp(words[i].text, text, length) != 0))
            i++;
        if (i == WORDS)
            return UINT32_MAX;
        sampler = (sampler & ~words[i].among) | words[i].bits;
        text += length;
        text += strspn(text, ", ");
    }
    return sampler;
}
