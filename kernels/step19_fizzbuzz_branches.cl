/* Step 19: FizzBuzz as text, in cells that are large enough.
 *
 * One line for each work-item, in a cell of its own:
 *
 *     work-item       0                 1                 2                 3
 *     global memory   FizzBuzz+.......  1+..............  2+..............  Fizz+...
 *
 * Fifteen lines for each, and then one work-item of the group moves them together:
 *
 *     work-item       0                 1                 2
 *     local memory    FizzBuzz+1+ ....  FizzBuzz+16+ ...  FizzBuzz+31+ ...
 *     global memory   FizzBuzz+1+2+ ... 14+FizzBuzz+16+ ... 29+FizzBuzz+31+ ...
 *
 * A plus stands for the end of a line, dots for what nobody wrote.  Both write whole
 * groups, also beyond the last line that is wanted: the host leaves that out. */

#define LINE 16        /* bytes of a cell for one line: 13 digits and a '\n' fit */
#define FIFTEEN 160    /* for 15 lines: 8 numbers x 13 digits + 47 bytes are 151 */
#define GROUP_MOST 128 /* work-items in a work-group */

/* A function that receives local memory must be inlined (step 06). */
#define INLINE static inline __attribute__((overloadable, always_inline))

/* ---- Each writes one line, and tells how many bytes that are ---- */

INLINE uint digits_of(ulong number) {
    uint digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

INLINE uint put_text(global uchar *at, constant char *text, uint bytes) {
    for (uint i = 0; i < bytes; i++)
        at[i] = text[i];
    return bytes;
}

/* The last digit is known first. */
INLINE uint put_number(global uchar *at, ulong number) {
    const uint digits = digits_of(number);
    at[digits] = '\n';
    for (uint i = digits; i > 0; number /= 10)
        at[--i] = '0' + number % 10;
    return digits + 1;
}

/* The same for local memory: OpenCL C 1.2 has no pointer to either. */
INLINE uint put_text(local uchar *at, constant char *text, uint bytes) {
    for (uint i = 0; i < bytes; i++)
        at[i] = text[i];
    return bytes;
}

INLINE uint put_number(local uchar *at, ulong number) {
    const uint digits = digits_of(number);
    at[digits] = '\n';
    for (uint i = digits; i > 0; number /= 10)
        at[--i] = '0' + number % 10;
    return digits + 1;
}

/* ---- A line for each work-item ---- */

kernel void fizzbuzz_branches(global uchar *cells, ulong first) {
    const size_t item = get_global_id(0);
    const ulong number = first + item;
    global uchar *cell = cells + LINE * item;

    if (number % 15 == 0)
        put_text(cell, "FizzBuzz\n", 9);
    else if (number % 3 == 0)
        put_text(cell, "Fizz\n", 5);
    else if (number % 5 == 0)
        put_text(cell, "Buzz\n", 5);
    else
        put_number(cell, number);
}

/* ---- Fifteen lines for each: `first` is a multiple of 15 ---- */

kernel void fizzbuzz_fifteen(global uchar *text, global uint *used, ulong first) {
    local uchar cells[GROUP_MOST * FIFTEEN];
    local uint lengths[GROUP_MOST];
    const uint id = get_local_id(0), items = get_local_size(0);
    const ulong number = first + 15 * get_global_id(0);

    local uchar *const begin = cells + FIFTEEN * id, *at = begin;
    /* exercise { */
    at += put_text(at, "FizzBuzz\n", 9);
    at += put_number(at, number + 1);
    at += put_number(at, number + 2);
    at += put_text(at, "Fizz\n", 5);
    at += put_number(at, number + 4);
    at += put_text(at, "Buzz\n", 5);
    at += put_text(at, "Fizz\n", 5);
    at += put_number(at, number + 7);
    at += put_number(at, number + 8);
    at += put_text(at, "Fizz\n", 5);
    at += put_text(at, "Buzz\n", 5);
    at += put_number(at, number + 11);
    at += put_text(at, "Fizz\n", 5);
    at += put_number(at, number + 13);
    at += put_number(at, number + 14);
    /* } exercise */
    lengths[id] = at - begin;
    barrier(CLK_LOCAL_MEM_FENCE);

    if (id == 0) {
        global uchar *to = text + get_group_id(0) * items * FIFTEEN;
        uint all = 0;
        for (uint item = 0; item < items; item++)
            for (uint i = 0; i < lengths[item]; i++)
                to[all++] = cells[FIFTEEN * item + i];
        used[get_group_id(0)] = all;
    }
}
