/* programs: the program's OpenCL programs and kernels, with all that a replay needs of
 * them: source, build options, arguments, and code once it is compiled.  The caller
 * holds the lock of intercept.c. */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include "code/code.h"
#include "replay/arguments.h"
#include "watch/run.h"

/* A program's code: of all of its kernels, or of one of them alone. */
struct build {
    char name[MAX_NAME]; /* of that kernel; "": all of them */
    struct code code;
    enum { UNTRIED, READY, FAILED } state;
};

struct program {
    cl_program id;
    char *source, *options, *callers;
    char *compiled; /* the source with the headers of clCompileProgram, or NULL */
    char *macros;   /* of its device; NULL: not known yet */
    struct build **builds;
    size_t build_count;
    struct digests digests;                    /* of its functions, */
    enum { UNREAD, READ, UNREADABLE } reading; /* once they are read */
    size_t file;               /* comparison.h's number of it, if it came from there */
    struct program *own;       /* then: the program that it is beside, */
    struct program *unchanged; /* and the one that it was made from */
};

struct kernel {
    cl_kernel id;
    struct program *program;
    char name[MAX_NAME];
    cl_uint count;
    void **reached;       /* pointers into each SVM allocation that it may also reach */
    size_t reached_count; /* (CL_KERNEL_EXEC_INFO_SVM_PTRS) */
    bool reaches_all;     /* all memory of the host, too: fine-grained system SVM */
    struct argument arguments[MAX_ARGUMENTS];
};

/* A program was made from these texts; it was built with these options. */
void program_add(cl_program id, cl_uint count, const char **texts,
                 const size_t *lengths);
void program_built(cl_program id, const char *build_options);

/* It was compiled with these headers, each a program, and names for them; it was linked
 * from others.  That is joined into one text, if all have the same options. */
void program_compiled(cl_program id, const char *build_options, cl_uint count,
                      const cl_program *headers, const char **names);
void program_linked(cl_program id, cl_uint count, const cl_program *parts);

/* A kernel was made; one of its arguments was set.  `value` NULL: local memory. */
void kernel_add(cl_kernel id);
void kernel_cloned(cl_kernel id, cl_kernel from);
void kernel_set_argument(cl_kernel id, cl_uint index, size_t bytes, const void *value);

/* An argument was set to a pointer into shared virtual memory; the host has said which
 * other allocations the kernel will reach, or that it may reach all memory. */
void kernel_share_argument(cl_kernel id, cl_uint index, const void *pointer);
void kernel_share(cl_kernel id, const void *const *pointers, size_t count);
void kernel_share_all(cl_kernel id, bool all);

/* Does it reach any shared virtual memory? */
bool kernel_shares(const struct kernel *kernel);

/* Was the program of this kernel made from an intermediate language? */
bool program_is_spirv(cl_kernel id);

/* NULL: the kernel was made by a call that the lens does not know. */
struct kernel *kernel_find(cl_kernel id);
size_t kernels_seen(void);

/* "did you mean dot? the program has dot, add": those that were seen, beside the first
 * of the words wanted.  The caller frees it. */
char *kernels_in_words(const char *wanted);

/* Compiles what is not compiled yet of a kernel in each of these programs, which have
 * the same build options, at once. */
void programs_compile(struct program *const *programs, size_t count,
                      const char *kernel);

/* The code of a kernel, compiled once; NULL: it cannot be compiled. */
const struct code *program_code(struct program *program, const char *kernel);

/* Has its code global variables, which one launch leaves to the next?  Then none can be
 * left out. */
bool program_remembers(struct program *program, const char *kernel);

/* Finds what a replay has to call; false: there is nothing that can be replayed. */
bool program_call(struct program *program, const char *kernel, struct run *run);

/* A file of comparison.h, compiled with the options of the program's own `own`.  It was
 * made from the source of `unchanged`, which has the same options. */
struct program *program_beside(struct program *own, size_t file, char *source,
                               struct program *unchanged);

/* Finds out what tells the kernels of these programs apart, at once. */
void programs_read(struct program *const *programs, size_t count);

/* Is the code of this kernel the same in both programs, and all that it uses?  True
 * only if that is certain. */
bool programs_share(struct program *one, struct program *other, const char *kernel);

#endif
