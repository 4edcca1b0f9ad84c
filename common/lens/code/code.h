/* code: an instrumented kernel file, and the way to it. */
#ifndef CODE_H
#define CODE_H

#include "digests.h"
#include "work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What a kernel file is called whose source gives it no name, by #line. */
#define OWN_NAME "kernel.cl"
/* And what the code around it, which calls its kernels, is called. */
#define CALLER "lens"

enum kind { LOAD, VOLATILE_LOAD, STORE, ATOMIC, BRANCH, BARRIER, OTHER };

struct place { /* in the source */
    const char *file;
    unsigned line, column;
    const struct place *call; /* of its function, in the kernel; NULL: in no function */
};

/* Are they one in the source, whatever calls the function that it is in? */
bool place_is_same(const struct place *one, const struct place *other);

/* What a value is, from item to item, whatever the data are. */
enum stored { VARIES, ONE_OF_GROUP, ONE_OF_LAUNCH, CONSTANT_VALUE };

struct site { /* an instrumented instruction */
    enum kind kind;
    struct place place;
    bool real;          /* it loads a float or a double, or some of them */
    unsigned alignment; /* of the access, in bytes, as its type promises; 0: of none */
    bool unwritten;     /* it stores what a private variable held that nothing was in */
    bool may_be_unwritten; /* the same where one way through the kernel has set it */
    bool for_component;  /* it loads a vector, of which some components are to be set */
    bool overwrites;     /* an atomic that stores, and what was there is of no use */
    bool beside_written; /* its statement stores other things as well that were set */
    enum stored value;   /* that it stores; of an atomic, its address */
};

enum {
    EXIT = -1,   /* the "block" behind a kernel's end */
    NOWHERE = -2 /* behind one whose end no lane reaches */
};

struct block { /* instructions that are always executed together, up to a branch */
    unsigned instructions;
    unsigned branch; /* the site of its last instruction */
    int *successors;
    size_t successor_count;
    int reconverge; /* where lanes that diverge here are together again, or EXIT */
    struct place *places; /* its lines, in order */
    size_t place_count;
    struct effort effort;
};

enum space { GLOBAL, CONSTANT, LOCAL, PRIVATE };

struct object { /* memory that a kernel may touch */
    const char *name;
    const char *type;   /* of an argument, as in "float4*"; NULL: it is none */
    const char *kernel; /* whose array it is; NULL: an argument, or of the whole file */
    enum space space;
    char *base;
    size_t bytes;
    bool read_only, write_only; /* for kernels, as the host has said */
    const struct image *image;  /* what its bytes are; NULL: a buffer or an array */
};

struct refusal { /* a kernel needs something that the replay lacks */
    const char *kernel, *why;
};

struct recursion { /* a kernel calls a function that calls itself */
    const char *kernel, *function;
    unsigned site; /* where it does so */
};

struct code { /* what is added to one of these, constants.c writes and reads */
    struct site *sites;
    struct block *blocks;
    struct object *objects; /* the arrays that the file itself declares */
    struct refusal *refusals;
    struct recursion *recursions;
    size_t site_count, block_count, object_count, refusal_count, recursion_count;
    const char *compiler; /* as in "clang 15"; NULL: it does not say */
    void *library;        /* from dlopen; all of this is a part of it */
};

/* How kernel files are compiled. */
struct compiling {
    const char *clang; /* the compiler's name */
    const char
        *cache;   /* the folder that keeps what is compiled; NULL or "": none does */
    bool watched; /* as mistakes are found best: what else a compiler may remove or
                     join stays, and reads of unset memory are found */
    bool indices; /* an index that leaves its array is found, too */
    bool debug;   /* a debugger can follow */
};

/* From now on they are compiled in this way. */
void code_use(struct compiling how);
extern struct compiling compiling;

/* Writes a kernel file in LLVM's text form to `out`, with a call at the beginning of
 * every block and in front of every load, store and built-in that the lens looks at,
 * and with all that is known of it (constants.h).  `text` is taken apart. */
void instrument(char *text, FILE *out);

/* What the replay lacks for this kernel, as in "it calls read_imagef, ..."; NULL:
 * nothing. */
const char *code_refusal(const struct code *code, const char *kernel);

/* Fills in `reconverge` of the blocks of one kernel; before, it is NOWHERE for those
 * whose end no lane reaches. */
void find_reconvergence(struct block *blocks, size_t first, size_t count);

/* What a kernel file is written in; its name says so. */
enum language { OPENCL_C, CUDA, HIP };
enum language code_language(const char *file);

/* A kernel file, and what becomes of it.  `macros` are directives that go before it;
 * `callers` is a text in its language that calls its kernels; `build_options` are those
 * of clBuildProgram.  If it is a `trial`, not a word is said where it does not compile.
 */
struct source {
    const char *text, *macros, *callers, *build_options;
    const char *kernel; /* of CUDA: the one that is wanted; NULL: all of them */
    const char
        *left_out; /* what the text lacks of the file (leave_out.h); NULL: nothing */
    enum language language;
    bool trial;
    struct code code;
    struct digests digests;
    bool compiled;
};

/* Compiles it for the replay; false: it prints why not.  `code` and `compiled` are
 * filled in. */
bool code_compile(struct source *source);

/* The same for several files, which have the same build options and language: that
 * takes less time than one after the other. */
void code_compile_all(struct source *sources, size_t count);

/* Finds the digests of all functions of several files (digests.h), which have the same
 * build options; they need no callers.  Where `compiled` is false, a file does not
 * compile, of which not a word is said. */
void code_digest_all(struct source *sources, size_t count);

/* Do these options of clBuildProgram ask for C++ for OpenCL, which is not modelled? */
bool code_is_cpp(const char *build_options);
#define IS_CPP "C++ for OpenCL is not modelled: only kernels in OpenCL C are"

/* Where a source begins: behind the mark of UTF-8, which clang takes at the beginning
 * of a file alone. */
const char *code_begin(const char *source);

/* LLVM's text form of a whole kernel file, in which each kernel has the names, types
 * and address spaces of its arguments (-cl-kernel-arg-info).  One that does not compile
 * is an error, with what the compiler says.  `types`: also all that debuggers know of
 * types, which is where those of CUDA's arguments stand.  NULL: its callers name
 * what is not there.  The caller frees it.  The source may get another text, without
 * what the kernel does not need (leave_out.h). */
char *code_describe(const char *file, struct source *source, bool types);

/* What compiled it, as in "clang 15", because counts depend on that; or the compiler's
 * name, if it does not say its version. */
const char *code_compiler(void);

#endif
