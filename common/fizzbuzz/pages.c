#include "fizzbuzz/pages.h"

#include <ctype.h>
#include <string.h>

/* Puts the digits of a number into the table.  The eight before its last two, A to H,
 * are left out of `fixed`, because they change from page to page.  If a word begins
 * with A, its window is 4, `ABCD`.  The next letter in the same byte has the next
 * window, and the same letter a byte later has the window before. */
static void put_number(struct table *table, size_t at, const char *line, int digits,
                       int hundreds) {
    for (int i = 0; i < digits; i++) {
        const int letter = i + 10 - digits; /* 0 to 7 are A to H */
        const int byte = (int)(at % 4);     /* of its word */
        const int window = 4 + letter - byte;
        if (letter >= 0 && letter < 8)
            table->windows[at / 4] = (cl_uchar)(STRIDE * hundreds + window);
        else
            table->fixed[at] = (cl_uchar)line[i];
        at++;
    }
}

/* Makes the table from the lines of one page, the first of this piece.  If the numbers
 * get longer on that page, the rest of the table is of no use, but it is not needed
 * either, because the piece has ended there. */
static void make_table(struct table *table, struct piece piece) {
    memset(table, 0, sizeof *table);
    table->of = piece;

    size_t at = 0;
    for (cl_ulong number = piece.first; number < piece.first + PAGE_LINES; number++) {
        char line[FIZZBUZZ_LINE];
        const size_t length = fizzbuzz_line(line, number);
        if (isdigit((unsigned char)line[0])) {
            const int digits = (int)length - 1;
            put_number(table, at, line, digits,
                       (int)(number / 100 - piece.first / 100));
            table->fixed[at + length - 1] = '\n';
        } else {
            memcpy(table->fixed + at, line, length);
        }
        at += length;
    }
}

/* Does this piece begin whole pages after the one that the table was made for? */
static bool table_fits(const struct table *table, struct piece piece) {
    return table->of.digits == piece.digits &&
           table->of.first / PIECE_SPAN == piece.first / PIECE_SPAN &&
           piece.first >= table->of.first &&
           (piece.first - table->of.first) % PAGE_LINES == 0;
}

/* A mask with a byte of ones for each of the eight digits A to H that numbers of this
 * length have.  A is in the lowest byte, and H in the highest. */
static cl_ulong used_digits(cl_uint digits) {
    cl_ulong used = 0;
    for (cl_uint digit = 3; digit <= 10 && digit <= digits; digit++)
        used |= (cl_ulong)0xff << 8 * (10 - digit);
    return used;
}

struct pages pages_new(struct step *step, const char *name) {
    struct pages pages = {.kernel = kernel_load(&step->device, &step->options, name)};
    pages.fixed_buffer = buffer_new(&step->device, sizeof pages.table.fixed);
    pages.windows_buffer = buffer_new(&step->device, sizeof pages.table.windows);
    return pages;
}

cl_int pages_open(struct pages *pages, const struct backend *backend,
                  const char *name) {
    cl_int status;
    cl_context context = backend->device.context;
    pages->kernel = kernel_create(backend->program, name, &status);
    TRY(status);
    pages->fixed_buffer = clCreateBuffer(context, CL_MEM_READ_ONLY,
                                         sizeof pages->table.fixed, NULL, &status);
    TRY(status);
    pages->windows_buffer = clCreateBuffer(context, CL_MEM_READ_ONLY,
                                           sizeof pages->table.windows, NULL, &status);
    return status;
}

void pages_close(struct pages *pages) {
    if (pages->windows_buffer)
        clReleaseMemObject(pages->windows_buffer);
    if (pages->fixed_buffer)
        clReleaseMemObject(pages->fixed_buffer);
    if (pages->kernel)
        clReleaseKernel(pages->kernel);
}

static cl_int bring_table(struct pages *pages, cl_command_queue queue) {
    const struct table *table = &pages->table;
    TRY(clEnqueueWriteBuffer(queue, pages->fixed_buffer, CL_TRUE, 0,
                             sizeof table->fixed, table->fixed, 0, NULL, NULL));
    return clEnqueueWriteBuffer(queue, pages->windows_buffer, CL_TRUE, 0,
                                sizeof table->windows, table->windows, 0, NULL, NULL);
}

cl_int pages_set(struct pages *pages, cl_command_queue queue, cl_mem text_buffer,
                 struct piece piece) {
    const cl_uint vectors = page_vectors(piece.digits);
    const cl_uint hundreds = (cl_uint)(piece.first % PIECE_SPAN / 100);
    const cl_ulong used = used_digits(piece.digits);
    const struct arg args[] = {ARG(text_buffer),
                               ARG(pages->fixed_buffer),
                               ARG(pages->windows_buffer),
                               ARG(vectors),
                               ARG(hundreds),
                               ARG(used)};
    if (!table_fits(&pages->table, piece)) {
        make_table(&pages->table, piece);
        TRY(bring_table(pages, queue));
    }
    for (cl_uint i = 0; i < COUNT(args); i++)
        TRY(clSetKernelArg(pages->kernel, i, args[i].size, args[i].value));
    return CL_SUCCESS;
}
