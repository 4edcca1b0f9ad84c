#include "fizzbuzz/pages.h"

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
    const cl_uint hundreds = piece_hundreds(piece);
    const cl_ulong used = piece_used(piece);
    const struct arg args[] = {ARG(text_buffer),
                               ARG(pages->fixed_buffer),
                               ARG(pages->windows_buffer),
                               ARG(vectors),
                               ARG(hundreds),
                               ARG(used)};
    if (table_renew(&pages->table, piece))
        TRY(bring_table(pages, queue));
    for (cl_uint i = 0; i < COUNT(args); i++)
        TRY(clSetKernelArg(pages->kernel, i, args[i].size, args[i].value));
    return CL_SUCCESS;
}
