/* Step 20b's kernel: step 20's table, which the device fills with digits.  A launch
 * writes one piece of the text, in a slot of the ring.  How the table is made, and why
 * a page has 1200 lines and a number 12 windows, step 20's chapter derives:
 *
 *     0 ....   1 ...A   2 ..AB   3 .ABC   4 ABCD   5 BCDE   ...   10 GH..   11 H... */
enum { DIGITS = 8, WINDOWS = 12, PAGES = 4, HUNDREDS = 12 };

/* 4 pages have 48 different hundreds, and one more if the first is not at its
 * beginning; 64 are two whole warps.  13 words apart is odd: 32 lanes that write the
 * same window of 32 numbers reach 32 banks. */
enum { NUMBERS = 64, STRIDE = 13 };

/* The last eight digits of a number, the highest in the lowest byte. */
static inline ulong characters(uint number) {
    ulong text = 0;
    for (int i = 0; i < DIGITS; i++, number /= 10)
        text = text << 8 | ('0' + number % 10);
    return text;
}

/* A group writes four pages of `positions` vectors each.  `hundreds` belong to the
 * first line of the text; `used` masks those of the eight digits that its numbers have.
 * The table has 16 bytes in `fixed` for each vector, and in `windows` a byte for each
 * four of these: 13 * number + window, counted in hundreds from the page's first. */
kernel void fizzbuzz_out(global uint4 *text, global const uint4 *fixed,
                         global const uint *windows, uint positions, uint hundreds,
                         ulong used) {
    local uint parts[NUMBERS * STRIDE];
    const uint item = get_local_id(0), items = get_local_size(0);

    hundreds += get_group_id(0) * PAGES * HUNDREDS;
    for (uint i = item; i < NUMBERS; i += items) {
        const ulong digits = characters(hundreds + i) & used;
        for (uint w = 0; w < WINDOWS; w++)
            parts[i * STRIDE + w] =
                w < 4 ? digits << (32 - 8 * w) : digits >> (8 * w - 32);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    text += get_group_id(0) * PAGES * positions;
    for (uint at = item; at < positions; at += items) {
        const uint4 letters = fixed[at];
        const uint w = windows[at];
        for (uint page = 0; page < PAGES; page++) {
            local const uint *p = parts + page * HUNDREDS * STRIDE;
            const uint4 digits =
                (uint4)(p[w & 255], p[w >> 8 & 255], p[w >> 16 & 255], p[w >> 24]);
            text[page * positions + at] = letters | digits;
        }
    }
}

// lens: fizzbuzz_out(text[4 * positions * groups], fixed[positions], windows[positions]=(185008896, 185008896, 2052, 17302528, 16779525, 2309, 17302528, 2309, 525312, 17302528, 2309, 34145537, 33556998, 2566, 34145537, 2566), positions=635, hundreds=10000000, used=0xffffffffffffffff) --global 1270 --local 635
