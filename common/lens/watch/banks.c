/* banks: see banks.h. */
#include "banks.h"

#include <assert.h>

/* The widest access of one instruction, in bytes, and the lanes of which a pass moves a
 * register.  (Warps may have twice as many lanes.) */
enum { WIDEST = 16, LANES = 32 };

/* Does each of 32 lanes read what the lane reads whose number differs in `bit`? */
static bool in_pairs(const struct touch *touches, size_t count, unsigned first,
                     unsigned bit) {
    const struct touch *by_lane[LANES] = {NULL};
    for (size_t i = 0; i < count; i++)
        if (touches[i].lane / LANES == first / LANES)
            by_lane[touches[i].lane % LANES] = &touches[i];
    for (unsigned lane = 0; lane < LANES; lane++) {
        const struct touch *one = by_lane[lane], *other = by_lane[lane ^ bit];
        if (one && other && one->offset != other->offset)
            return false;
    }
    return true;
}

/* What lanes `first` to `end` want of their bytes from `begin` on, `bytes` of them.
 * Returns how many of these lanes want something. */
static unsigned make_part(struct part *part, const struct touch *touches, size_t count,
                          unsigned first, unsigned end, size_t begin, size_t bytes) {
    uint8_t by_bank[BANKS] = {0};
    uint64_t next = 0; /* words before this one are counted */
    unsigned lanes = 0;
    part->word_count = part->passes = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t from = touches[i].offset + begin;
        uint64_t word = from / WORD > next ? from / WORD : next;
        if (touches[i].lane < first || touches[i].lane >= end)
            continue;
        lanes++;
        for (; word * WORD < from + bytes; word++) {
            const uint8_t here = ++by_bank[word % BANKS];
            part->passes = here > part->passes ? here : part->passes;
            part->words[part->word_count++] = word;
            next = word + 1;
        }
    }
    assert(part->word_count <= sizeof part->words / sizeof *part->words);
    return lanes;
}

/* How many lanes a part with this many bytes for each lane serves. */
static unsigned lanes_served(size_t bytes) {
    return bytes <= WORD ? LANES : bytes <= 2 * WORD ? LANES / 2 : LANES / 4;
}

void banks_each_part(const struct touch *touches, size_t count, bool shared,
                     void (*use)(const struct part *part, void *data), void *data) {
    const size_t bytes = count ? touches[0].bytes : 0;
    struct part part;
    for (size_t begin = 0; begin < bytes; begin += WIDEST) {
        const size_t wide = bytes - begin < WIDEST ? bytes - begin : WIDEST;
        size_t left = count; /* of the lanes */
        for (unsigned half = 0; left > 0; half += LANES) {
            unsigned lanes = lanes_served(wide);
            if (lanes < LANES && shared &&
                (in_pairs(touches, count, half, 1) ||
                 in_pairs(touches, count, half, 2)))
                lanes *= 2;
            for (unsigned first = half; first < half + LANES; first += lanes) {
                const unsigned served =
                    make_part(&part, touches, count, first, first + lanes, begin, wide);
                assert(served <= left); /* each lane is in one part */
                left -= served;
                if (part.word_count)
                    use(&part, data);
            }
        }
    }
}

static void add_passes(const struct part *part, void *data) {
    struct passes *sum = data;
    sum->is += part->passes;
    sum->ideal++;
}

struct passes banks_passes(const struct touch *touches, size_t count, bool shared) {
    struct passes sum = {0, 0};
    banks_each_part(touches, count, shared, add_passes, &sum);
    return sum;
}
