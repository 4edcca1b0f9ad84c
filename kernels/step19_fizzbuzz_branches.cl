/* Step 19: FizzBuzz as text, in cells that are always large enough.
 *
 * Where a line of the output begins depends on all lines before it.  So each work-item
 * writes into a cell of local memory, whose place depends only on its number.  What it
 * has written ends with a zero.  Then the work-items of a group copy all of the cells:
 *
 *     work-item        0                1                2
 *     local memory     FizzBuzz+00000   1+000000000000   2+000000000000
 *     global memory    FizzBuzz+00000   1+000000000000   2+000000000000
 *
 * Or one of them gathers the text of all, without the empty ends of the cells:
 *
 *     work-item        0                1                2
 *     local memory     FizzBuzz+1+...   FizzBuzz+16+..   FizzBuzz+31+..
 *     global memory    FizzBuzz+1+ ... 14+FizzBuzz+16+ ... 29+FizzBuzz+31+ ...
 *
 * A plus is '\n', and each 0 after it is a byte that is zero.  All groups are whole, so
 * they write beyond the last line that is wanted, and the host leaves that out. */

#define LINE 5     /* uints in a cell of one line: 13 digits, '\n' and a zero fit */
#define FIFTEEN 39 /* of 15 lines: 8 numbers x 13 digits + 47 bytes are 151 */
#define MAX_GROUP 128

/* Both cells have an odd number of uints, which avoids bank conflicts.  A function that
 * receives local memory must be inlined (step 06). */
#define INLINE static inline __attribute__((always_inline))

/* ---- One output line, stored at `at`; the functions return its bytes. ---- */

INLINE uint put_text(local uchar *at, constant char *text, uint bytes) {
    for (uint i = 0; i < bytes; i++)
        at[i] = text[i];
    return bytes;
}

INLINE uint digits_of(ulong number) {
    uint digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

/* Stores the last digit first, because the division finds it first. */
INLINE uint put_number(local uchar *at, ulong number) {
    const uint digits = digits_of(number);
    at[digits] = '\n';
    for (uint i = digits; i > 0; number /= 10)
        at[--i] = '0' + number % 10;
    return digits + 1;
}

/* ---- A cell of `words` uints for each work-item of the group. ---- */

/* The work-item's cell, all zeros. */
INLINE local uchar *empty_cell(local uint *cells, uint words) {
    local uint *cell = cells + words * get_local_id(0);
    for (uint i = 0; i < words; i++)
        cell[i] = 0;
    return (local uchar *)cell;
}

/* All work-items together: neighbours copy neighbouring uints. */
INLINE void copy_cells(global uint *text, local const uint *cells, uint words) {
    const uint items = get_local_size(0);
    global uint *to = text + get_group_id(0) * items * words;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < items * words; i += items)
        to[i] = cells[i];
}

/* ---- An output line for each work-item. ---- */

/* The lines of neighbours are `apart` from each other, as with 6 groups of 2:
 *
 *     group             0     1     2     3       4       5
 *     numbers, 1 apart  0 1   2 3   4 5   6 7     8 9    10 11
 *     numbers, 3 apart  0 3   1 4   2 5   6 9     7 10    8 11  */
kernel void fizzbuzz_branches(global uint *text, ulong first, uint apart) {
    local uint cells[MAX_GROUP * LINE];
    local uchar *cell = empty_cell(cells, LINE);
    const uint group = get_group_id(0), begin = group - group % apart;
    const ulong number = first + begin * get_local_size(0) + group % apart +
                         apart * get_local_id(0);

    if (number % 15 == 0)
        put_text(cell, "FizzBuzz\n", 9);
    else if (number % 3 == 0)
        put_text(cell, "Fizz\n", 5);
    else if (number % 5 == 0)
        put_text(cell, "Buzz\n", 5);
    else
        put_number(cell, number);
    copy_cells(text, cells, LINE);
}

/* ---- Fifteen lines for each work-item; `first` is a multiple of 15. ---- */

/* Returns how many bytes they have. */
INLINE uint put_fifteen(local uchar *cell, ulong number) {
    local uchar *at = cell;
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
    return at - cell;
}

kernel void fizzbuzz_fifteen(global uint *text, ulong first) {
    local uint cells[MAX_GROUP * FIFTEEN];
    local uchar *cell = empty_cell(cells, FIFTEEN);
    put_fifteen(cell, first + 15 * get_global_id(0));
    copy_cells(text, cells, FIFTEEN);
}

/* The same, but one work-item gathers the text of its group. */
kernel void fizzbuzz_gather(global uchar *text, ulong first) {
    local uint cells[MAX_GROUP * FIFTEEN];
    local uint lengths[MAX_GROUP];
    const uint id = get_local_id(0), items = get_local_size(0);
    local uchar *cell = empty_cell(cells, FIFTEEN);
    lengths[id] = put_fifteen(cell, first + 15 * get_global_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);

    if (id == 0) {
        global uchar *to = text + get_group_id(0) * items * FIFTEEN * sizeof(uint);
        for (uint item = 0; item < items; item++) {
            local const uchar *from = (local uchar *)(cells + FIFTEEN * item);
            for (uint i = 0; i < lengths[item]; i++)
                *to++ = from[i];
        }
        *to = 0;
    }
}

// lens: fizzbuzz_branches(text[5 * items], first=0, apart=15) --global 1920 --local 128
// lens: fizzbuzz_fifteen(text[39 * items], first=0) --global 256 --local 128
// lens: fizzbuzz_gather(text[156 * items], first=0) --global 256 --local 128
