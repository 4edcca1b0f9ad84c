/* Step 20: each work-item computes where its bytes belong, and writes them there.
 *
 * From 10 to 99, from 100 to 999 and so on, numbers have the same number of digits.  Of
 * any 15 lines there, 8 are numbers, 4 are Fizz, 2 are Buzz, and 1 is FizzBuzz: that is
 * 8 * digits + 47 bytes with the ends of the lines.  So the lines from 15 * k on,
 * counted from 0, begin k * (8 * digits + 47) bytes after the first one. */

#define FIZZ ((uchar4)('F', 'i', 'z', 'z'))
#define BUZZ ((uchar4)('B', 'u', 'z', 'z'))

/* Writes 15 lines.  It has branches, but all lanes take the same ones: their numbers
 * are multiples of 15 apart, so `phase`, a number's remainder by 15, is the same. */
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

/* Each work-item copies its own 15 lines from local memory, byte by byte.  It needs no
 * barrier, because it reads only what it has written itself. */
kernel void fizzbuzz_own(global uchar *text, ulong first, uint digits,
                         local uchar *lines) {
    const uint bytes = 8 * digits + 47;
    local uchar *mine = lines + get_local_id(0) * bytes;
    put_lines(mine, first + 15 * get_global_id(0), first % 15, digits);

    text += get_global_id(0) * bytes;
    for (uint i = 0; i < bytes; i++)
        text[i] = mine[i];
}

/* The work-items of a group copy what all of them have written: neighbours copy
 * neighbouring vectors of 16 bytes.  A group has a multiple of 16 work-items, so the
 * bytes of its lines are a multiple of 16, too. */
kernel void fizzbuzz_together(global uint4 *text, ulong first, uint digits,
                              local uint4 *lines) {
    const uint bytes = 8 * digits + 47;
    put_lines((local uchar *)lines + get_local_id(0) * bytes,
              first + 15 * get_global_id(0), first % 15, digits);
    /* exercise { */
    barrier(CLK_LOCAL_MEM_FENCE);

    const uint vectors = get_local_size(0) * bytes / 16;
    text += get_group_id(0) * vectors;
    for (uint i = get_local_id(0); i < vectors; i += get_local_size(0))
        text[i] = lines[i];
    /* } exercise */
}

/* The table.  Fizz and Buzz repeat after 15 lines, the last two digits of the numbers
 * after 100, so both repeat after 300.  Four times 300 lines are a page, because they
 * fill whole vectors.  Two pages differ only in the digits in front of the last two:
 * the hundreds.  Between the hundreds of two numbers are at least three other bytes:
 *
 *     1 2 3 4 5|9 7 \n|1 2 3 4 5|9 8 \n|F i z z \n|...
 *
 * So four bytes never show the hundreds of more than one number.  What they show of its
 * eight digits ABCDEFGH is one of 12 windows; a dot is a zero byte:
 *
 *     0 ....   1 ...A   2 ..AB   3 .ABC   4 ABCD   5 BCDE   ...   10 GH..   11 H... */
enum { DIGITS = 8, WINDOWS = 12, PAGES = 4, HUNDREDS = 12 };

/* 4 pages have 48 different hundreds, and one more if the first line is not a multiple
 * of 100; 64 fill two warps.  The words of two numbers are 13 apart, which is odd, so
 * 32 lanes that write the same window of 32 numbers reach 32 banks. */
enum { NUMBERS = 64, STRIDE = 13 };

/* The last eight digits of a number, the highest in the lowest byte. */
static inline ulong characters(uint number) {
    ulong text = 0;
    for (int i = 0; i < DIGITS; i++, number /= 10)
        text = text << 8 | ('0' + number % 10);
    return text;
}

/* A group writes four pages of `positions` vectors.  `hundreds` belongs to the launch's
 * first line, and `used` has a byte of ones for each digit A to H that numbers have.
 * For each vector, `fixed` has its 16 bytes, and `windows` a byte for each of its four
 * words: 13 * number + window, where the page's first hundreds are number 0. */
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
                (uint4)(p[w & 255], p[w >> 8 & 255], p[w >> 16 & 255], p[w >> 24]);
            text[page * positions + at] = letters | digits;
        }
    }
}

/* Stores as many bytes, always the same ones: that is what storing alone costs. */
kernel void fizzbuzz_fill(global uint4 *text) {
    text[get_global_id(0)] = (uint4)(0x7a7a6946); /* Fizz */
}

// lens: fizzbuzz_own(text[(8 * digits + 47) * items], first=1000000005, digits=10, lines[(8 * digits + 47) * local]) --global 256 --local 128
// lens: fizzbuzz_together(text[(8 * digits + 47) * items / 16], first=1000000005, digits=10, lines[(8 * digits + 47) * local / 16]) --global 256 --local 128
// lens: fizzbuzz_uniform(text[4 * positions * groups], fixed[positions], windows[positions]=(185008896, 185008896, 2052, 17302528, 16779525, 2309, 17302528, 2309, 525312, 17302528, 2309, 34145537, 33556998, 2566, 34145537, 2566), positions=635, hundreds=10000000, used=0xffffffffffffffff) --global 1270 --local 635
// lens: fizzbuzz_fill(text[items]) --global 4096 --local 256
