/* The lens: what a GPU, whose lanes move in lockstep, would do with a kernel.
 *
 *   main.c       build/lens: preloads the rest into any OpenCL program
 *   wishes.c     reads what main.c was asked for
 *   opencl.c     listens to the program's calls, and stops it at each launch
 *   compile.c    makes a library with hooks of the kernel's unchanged source
 *   macros.c     asks the device's own compiler what it defines
 *   cache.c      keeps what clang made, for the next time
 *   hooks.c      puts the hooks in, and learns which block follows which
 *   meet.c       tells where lanes that part at a branch meet again
 *   lanes.c      replays the launch: each work-item a coroutine, 32 in lockstep
 *   calls.c      is what the kernel calls meanwhile: hooks, barriers, atomics
 *   sub_group.c  does what the lanes of a warp do with each other's values
 *   counts.c     counts sectors, banks, branches and atomics on the way
 *   races.c      finds races, stray accesses, and reads of what nobody wrote
 *   judge.c      compares what came out with what another file's kernel makes
 *   changes.c    says which kernels of two files have the same code
 *   report.c     tells what was counted, along the lines of the source
 *   rows.c       writes what was counted as JSON or as tab-separated values
 *   picture.c    draws an access or a divergence, as text or as SVG
 *   waits.c      counts what the device has left to do when the host has waited
 *
 * builtins.cl defines OpenCL's built-in functions for the replay. */
#ifndef LENS_H
#define LENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { LANES_MOST = 64 }; /* in a warp */

/* The memory that the model has, in bytes: the pieces that global memory moves in, the
 * lines of its cache, and the banks of local memory. */
enum { SECTOR = 32, LINE = 128, BANKS = 32, WORD = 4 };

/* Calls that we stand in for, and hooks, are found from outside; all else stays here.
 */
#define VISIBLE __attribute__((visibility("default")))

/* REAL(clFinish) declares real_clFinish: what a program would call if we were not here.
 */
#define REAL(name)                                                                     \
    __typeof__(&name) real_##name;                                                     \
    find_real(&real_##name, #name)
void find_real(void *function, const char *name); /* opencl.c */

/* ---- What the user asked for: main.c hands it on in the environment. */
struct wishes {
    unsigned lanes;
    bool races, all, compare, judge, each, instead, waits;
    enum { TEXT, JSON, TSV } format;
    size_t groups;            /* replay so many at most; 0: as many as are quick */
    const char *kernel, *svg; /* this kernel alone; where pictures go */
    const char *clang;
    FILE *out;                     /* where reports go */
    size_t kernels_seen, launches; /* so far; launches that were replayed */
    bool mistaken, sampled;        /* one of these launches */
};
extern struct wishes wishes;

/* What a kernel file is called whose source gives it no name, by #line. */
#define OWN_NAME "kernel.cl"
/* And what the code around it, which calls its kernels, is called. */
#define CALLER "lens"

/* ---- Code: a kernel file, with hooks. */
enum kind { LOAD, VOLATILE_LOAD, STORE, ATOMIC, BRANCH, BARRIER, OTHER };

struct place { /* in the source */
    const char *file;
    unsigned line, column;
};

struct site { /* an instruction with a hook */
    enum kind kind;
    struct place place;
};

enum { EXIT = -1 }; /* the "block" behind a kernel's end */

struct block { /* instructions that are always executed together, up to a branch */
    unsigned instructions;
    unsigned branch; /* the site of its last instruction */
    int *successors;
    size_t successor_count;
    int meet;             /* where lanes that part here meet again: a block, or EXIT */
    struct place *places; /* its lines, in order */
    size_t place_count;
};

enum space { GLOBAL, CONSTANT, LOCAL, PRIVATE };

struct object { /* memory that a kernel may touch */
    const char *name;
    const char *type; /* of an argument, as in "float4*"; NULL: it is none */
    enum space space;
    char *base;
    size_t bytes;
};

struct code {
    struct site *sites;
    struct block *blocks;
    struct object *objects; /* the arrays that the file itself declares */
    char **names;           /* of files and arrays, each once */
    size_t site_count, block_count, object_count, name_count;
    void *library;        /* from dlopen */
    const char *stranger; /* what nobody can count; NULL: there is none */
};

/* Reads LLVM's text form of a kernel file, which is taken apart on the way, and writes
 * it to `out` with a call at the beginning of every block and in front of every load,
 * store and built-in that concerns the lens. */
struct code hooks_insert(char *text, FILE *out);

/* Fills in `meet` of the blocks of one kernel. */
void blocks_meet(struct block *blocks, size_t first, size_t count);

/* Compiles a kernel file for the replay, or returns false and says why.  `macros` are
 * directives that go before it; `callers` is OpenCL C that calls its kernels; `options`
 * are those of clBuildProgram. */
bool code_compile(struct code *code, const char *source, const char *macros,
                  const char *callers, const char *options);

/* What compiled it, as in "clang 15": counts depend on that.  If clang does not say its
 * version, the name it was called by. */
const char *code_compiler(void);

/* ---- A launch, replayed. */
struct replay {
    const struct code *code;
    const char *kernel, *source;
    char *scalars; /* "n=4096 stride=2" */
    void (*call)(uint64_t *arguments);
    uint64_t *arguments;
    size_t global[3], local[3], offset[3]; /* in work-items */
    unsigned dimensions;
    size_t groups_wanted;   /* to replay; 0: as many as are quick */
    bool local_chosen;      /* by us: the program left it open */
    struct object *objects; /* arguments first, then the arrays of the file */
    size_t object_count;

    size_t groups, groups_replayed; /* from here on: what came out */
    uint64_t lane_steps, instructions, lane_instructions, barriers;
    bool stopped;                  /* by a mistake, or because it would never end */
    struct tally **tallies;        /* by site and object; counts.c */
    struct branch_tally *branches; /* by block */
    struct shadow *shadows;        /* by object; races.c */
    struct mistake *mistakes;      /* the same */
    size_t mistake_count;
};

void replay_run(struct replay *replay);
void replay_end(struct replay *replay); /* forgets what came out */

/* One access by one lane. */
struct access {
    unsigned site, lane, item; /* the lane in its warp, the work-item in its group */
    unsigned object;           /* its number; object_count: it is in none */
    uintptr_t address;
    size_t bytes;
};

/* ---- Errors of the lens itself, in the project's form. */
_Noreturn void lens_die(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define HINT "\n  hint    "

/* Memory, zeroed, or an end with a message. */
void *lens_allocate(size_t count, size_t bytes);
/* One more place at the end of an array that doubles when it is full. */
#define GROW(array, count)                                                             \
    ((array) = lens_grow((array), (count), sizeof *(array)), &(array)[(count)++])
void *lens_grow(void *array, size_t count, size_t bytes);

#endif
