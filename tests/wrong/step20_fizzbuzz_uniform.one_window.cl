/* Wrong on purpose: all 16 bytes are seen through the window of the first four. */
#define FIZZ ((uchar4)('F', 'i', 'z', 'z'))
#define BUZZ ((uchar4)('B', 'u', 'z', 'z'))

/* 15 lines.  Branches, but no lane goes another way: their numbers differ by multiples
 * of 15, and `phase`, the number's place among 15, is the same for all. */
static inline __attribute__((always_inline)) void
put_lines(local uchar *text, ulong number, uint phase, uint digits) {
    for (uint line = 0; line < 15; line++, number++) {
        if (phase % 3 == 0) {
            vstore4(FIZZ, 0, text);
            text += 4;
        }
        if (phase % 5 == 0) {
            vstore4(BUZZ, 0, text);
            text += 4;
        }
        if (phase % 3 != 0 && phase % 5 != 0) {
            ulong rest = number;
            for (uint i = digits; i-- > 0; rest /= 10)
                text[i] = '0' + rest % 10;
            text += digits;
        }
        *text++ = '\n';
        phase = phase < 14 ? phase + 1 : 0;
    }
}

/* Each work-item copies its own 15 lines out.  No barrier: nobody else reads them. */
kernel void fizzbuzz_own(global uchar *text, ulong first, uint digits,
                         local uchar *lines) {
    const uint bytes = 8 * digits + 47;
    local uchar *mine = lines + get_local_id(0) * bytes;
    put_lines(mine, first + 15 * get_global_id(0), first % 15, digits);

    text += get_global_id(0) * bytes;
    for (uint i = 0; i < bytes; i++)
        text[i] = mine[i];
}

/* All copy out what all have written, 16 bytes each, neighbours side by side.  A group
 * has a multiple of 16 work-items, so its bytes are a multiple of 16, too. */
kernel void fizzbuzz_together(global uint4 *text, ulong first, uint digits,
                              local uint4 *lines) {
    const uint bytes = 8 * digits + 47, vectors = get_local_size(0) * bytes / 16;
    put_lines((local uchar *)lines + get_local_id(0) * bytes,
              first + 15 * get_global_id(0), first % 15, digits);
    barrier(CLK_LOCAL_MEM_FENCE);

    text += get_group_id(0) * vectors;
    for (uint i = get_local_id(0); i < vectors; i += get_local_size(0))
        text[i] = lines[i];
}

/* The table.  After 1200 lines, a page, the text is the same again but for the digits
 * in front of each number's last two; these count up once in 100 lines.  A page has a
 * multiple of 16 bytes.  Between such digits of one number and of the next stand at
 * least three bytes that never change:
 *
 *     1 2 3 4 5|9 7 \n|1 2 3 4 5|9 8 \n|F i z z \n|...
 *
 * so any four bytes hold digits of one number at most: of its eight, ABCDEFGH, what is
 * seen through one of 12 windows, or'ed with what never changes there:
 *
 *     0 ....   1 ...A   2 ..AB   3 .ABC   4 ABCD   5 BCDE   ...   10 GH..   11 H... */
enum { DIGITS = 8, WINDOWS = 12, PAGES = 4, HUNDREDS = 12 };
enum { NUMBERS = 64, STRIDE = 13 }; /* 32 lanes write 13 words apart: 32 banks */

static inline ulong characters(uint number) {
    ulong text = 0;
    for (int i = 0; i < DIGITS; i++, number /= 10)
        text = text << 8 | ('0' + number % 10);
    return text;
}

/* A group writes four pages, of `positions` times 16 bytes.  `hundreds` is the first
 * line's number without its last two digits, `used` a mask: short numbers do not use
 * all eight digits.  Four bytes of `windows` belong to 16 of `fixed`. */
kernel void fizzbuzz_uniform(global uint4 *text, global const uint4 *fixed,
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
                (uint4)(p[w & 255], p[w & 255], p[w & 255], p[w & 255]);
            text[page * positions + at] = letters | digits;
        }
    }
}

/* As many bytes, always the same: what storing alone takes. */
kernel void fizzbuzz_fill(global uint4 *text) {
    text[get_global_id(0)] = (uint4)(0x7a7a6946); /* Fizz */
}
