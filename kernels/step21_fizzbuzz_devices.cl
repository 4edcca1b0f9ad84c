/* Step 21's kernel: the table of step 20, for any device.
 *
 * A page of 1200 lines is the same everywhere in the text, but for the digits before a
 * number's last two.  From these digits of one number to these digits of the next there
 * are at least three bytes that never change, so four bytes show digits of one number
 * only: of eight, ABCDEFGH, what is seen through one of 12 windows.
 *
 *     0 ....   1 ...A   2 ..AB   3 .ABC   4 ABCD   5 BCDE   ...   10 GH..   11 H...
 *
 * What never changes there is combined with them by `or`. */
enum { DIGITS = 8, WINDOWS = 12, PAGES = 4, HUNDREDS = 12 };
enum { NUMBERS = 64, STRIDE = 13 }; /* 32 lanes write 13 words apart: 32 banks */

static inline ulong characters(uint number) {
    ulong text = 0;
    for (int i = 0; i < DIGITS; i++, number /= 10)
        text = text << 8 | ('0' + number % 10);
    return text;
}

/* A group writes four pages of `positions` times 16 bytes each.  `hundreds` is the
 * first line's number without its last two digits; `used` is a mask, because short
 * numbers do not use all eight digits.  One `windows` serves 16 bytes of `fixed`. */
kernel void fizzbuzz_devices(global uint4 *text, global const uint4 *fixed,
                             global const uint *windows, uint positions,
                             uint hundreds, ulong used) {
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

// lens: fizzbuzz_devices(text[4 * positions * groups], fixed[positions], windows[positions]=(185008896, 185008896, 2052, 17302528, 16779525, 2309, 17302528, 2309, 525312, 17302528, 2309, 34145537, 33556998, 2566, 34145537, 2566), positions=635, hundreds=10000000, used=0xffffffffffffffff) --global 1270 --local 635
