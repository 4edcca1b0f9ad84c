/* The lens: what a GPU, whose lanes move in lockstep, would do with a kernel.
 *
 *   main.c          build/lens: puts all the rest into any OpenCL program, or calls
 *                   alone.c
 *   layer.c         is called by the OpenCL loader, where that knows layers
 *   preload.c       begins and ends the lens inside of that program
 *   intercept.c     is called in place of OpenCL's functions
 *   recorded.c      makes the launches of command buffers one by one
 *   launch.c        replays a launch, and decides what becomes of that
 *   repeats.c       says whether one with equal arguments has other data
 *   beside.c        replays it again with the kernels of other files
 *   programs.c      remembers programs and kernels; copies.c, buffers; queues.c, queues
 *   image_copies.c  describes images to the replay, and copies what they hold
 *   svm.c           remembers shared virtual memory
 *   sources.c       joins the texts of programs that are linked
 *   alone.c         launches a kernel without a program: call.c reads with what,
 *                   signature.c what it wants, slots.c puts both together, range.c
 *                   the sizes, values.c the contents, members.c those of structures,
 *                   formula.c what depends on a size, trials.c which guesses a mistake
 *                   comes from
 *   all_sizes.c     launches it at all sizes up to 300
 *   macros.c        finds out which macros the device's own compiler defines
 *   idle.c          counts what the device has left to do when the host has waited
 *
 *   table.c         the report: a line for each launch, then the picture of one
 *   summaries.c     keeps for it what came out of launches, and says which matter
 *   folded.c        puts launches that are too many into one line
 *   report.c        the report along the lines of the source; rows.c, for programs
 *   comparison.c    compares what two kernels made of a launch; elements.c, its values
 *   mistakes.c      the mistakes that were found, in words; mistake_rows.c, for
 *                   programs
 *   page.c          the page of --html; page_launch.c, a launch of it as JSON;
 *                   page.html, page.css, page_data.js, page_draw.js and page.js, which
 *                   the build embeds
 *   drawing.c       draws a picture as text; svg.c, as SVG
 *   picture.c       makes the picture of an access or a divergence
 *   facts.c         gathers counts by source line; sums.c adds them up
 *   source_lines.c  finds the text of a source line
 *
 *   lanes.c         replays a launch: each work-item a coroutine, 32 in lockstep
 *   backward.c      replays a small launch in a second order, for its mistakes
 *   order.c         says which warp and which group run next
 *   runtime.c       is what a kernel calls during that; sub_group.c, across lanes
 *   print.c         is what it calls for printf()
 *   texels.c        is what it calls for images; images.c knows formats and samplers
 *   recording.c     keeps the steps of one group, for the page
 *   counts.c        counts sectors, passes, branches and atomics; banks.c, passes
 *   races.c         looks for races, out-of-bounds accesses, uninitialised reads
 *   limits.c        says what a group needs that few devices have
 *   async.c         looks for mistakes around asynchronous copies
 *   endless.c       proves that a group never ends
 *
 *   compile.c       makes a library of a kernel's unchanged source; command.c, cache.c,
 *                   temporary.c
 *   complaint.c     says what the compiler has to say about that source
 *   instrument.c    puts calls of runtime.c into it
 *   restore.c       brings back accesses that the compiler has removed
 *   divide.c        guards divisions of whole numbers
 *   llvm.c          splits LLVM's text, and finds where an instruction's source is
 *   uniform.c       says which values are the same for all work-items
 *   unset.c         follows what private variables hold that nothing was put in
 *   uses.c          finds loads of vectors that only serve to set components, and
 *                   values that nothing uses
 *   reconverge.c    finds where lanes that diverge at a branch reconverge
 *   changes.c       says which kernels of two files have the same code
 *   gdb.py          shows gdb which lane is at work
 *   real.c, options.c, memory.c, region.c, folder.c, arguments.c, half.c, spelling.c,
 *                   digits.c, progress.c  serve all of them
 *
 * Each part uses those below it and no part above it: what intercepts uses what
 * reports, that uses what replays, and that uses code which has been compiled. (lanes.c
 * calls the kernel, which calls runtime.c; both share lanes.h.)
 *
 * builtins.cl defines OpenCL's built-in functions for the replay; operations.h holds
 * the numbers that it shares with C. */
#ifndef LENS_H
#define LENS_H

#include "banks.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { MAX_LANES = 64 }; /* in a warp */

/* The memory that the model has, in bytes: the pieces that global memory moves in, the
 * lines of its cache, the pages that addresses are translated by, and the banks of
 * local memory. */
enum { SECTOR = 32, LINE = 128, PAGE = 4096 };

/* Functions that programs and kernels call are visible; all others stay in here. */
#define VISIBLE __attribute__((visibility("default")))

/* What a kernel file is called whose source gives it no name, by #line. */
#define OWN_NAME "kernel.cl"
/* And what the code around it, which calls its kernels, is called. */
#define CALLER "lens"

/* ---- Code: an instrumented kernel file. */
enum kind { LOAD, VOLATILE_LOAD, STORE, ATOMIC, BRANCH, BARRIER, OTHER };

struct place { /* in the source */
    const char *file;
    unsigned line, column;
    const struct place *call; /* of its function, in the kernel; NULL: in no function */
};

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
    enum stored value;   /* that it stores */
};

enum { EXIT = -1 }; /* the "block" behind a kernel's end */

struct block { /* instructions that are always executed together, up to a branch */
    unsigned instructions;
    unsigned branch; /* the site of its last instruction */
    int *successors;
    size_t successor_count;
    int reconverge; /* where lanes that diverge here are together again, or EXIT */
    struct place *places; /* its lines, in order */
    size_t place_count;
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
    char *kernel, *why;
};

struct recursion { /* a kernel calls a function that calls itself */
    const char *kernel, *function;
    unsigned site; /* where it does so */
};

struct code {
    struct site *sites;
    struct block *blocks;
    struct object *objects; /* the arrays that the file itself declares */
    char **names;           /* of files and arrays, each once */
    struct refusal *refusals;
    struct recursion *recursions;
    size_t site_count, block_count, object_count, name_count, refusal_count;
    size_t recursion_count;
    void *library; /* from dlopen */
};

/* Writes a kernel file in LLVM's text form to `out`, with a call at the beginning of
 * every block and in front of every load, store and built-in that the lens looks at.
 * `text` is taken apart. */
struct code instrument(char *text, FILE *out);

/* What the replay lacks for this kernel, as in "it calls read_imagef, ..."; NULL:
 * nothing. */
const char *code_refusal(const struct code *code, const char *kernel);

/* Fills in `reconverge` of the blocks of one kernel. */
void find_reconvergence(struct block *blocks, size_t first, size_t count);

/* Compiles a kernel file for the replay; false: it prints why not.  `macros` are
 * directives that go before it; `callers` is OpenCL C that calls its kernels;
 * `build_options` are those of clBuildProgram. */
bool code_compile(struct code *code, const char *text, const char *macros,
                  const char *callers, const char *build_options);

/* The same for several files, which have the same build options: that takes less time
 * than one after the other.  `code` and `compiled` are filled in. */
struct source {
    const char *text, *macros, *callers, *build_options;
    struct code code;
    bool compiled;
};
void code_compile_all(struct source *sources, size_t count);

/* Do these options of clBuildProgram ask for C++ for OpenCL, which is not modelled? */
bool code_is_cpp(const char *build_options);
#define IS_CPP "C++ for OpenCL is not modelled: only kernels in OpenCL C are"

/* Where a source begins: behind the mark of UTF-8, which clang takes at the beginning
 * of a file alone. */
const char *code_begin(const char *source);

/* LLVM's text form of a whole kernel file, in which each kernel has the names, types
 * and address spaces of its arguments (-cl-kernel-arg-info).  One that does not compile
 * is an error, with what the compiler says.  `types`: also all that debuggers know of
 * types.  The caller frees it. */
char *code_describe(const char *file, const char *source, const char *build_options,
                    bool types);

/* What compiled it, as in "clang 15", because counts depend on that; or the compiler's
 * name, if it does not say its version. */
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
    bool whole;             /* a later launch needs what all groups leave */
    bool local_chosen;      /* by us: the program left it open */
    struct object *objects; /* arguments first, then the arrays of the file */
    size_t object_count;

    size_t groups, groups_replayed; /* from here on: what came out */
    uint64_t items_replayed;
    uint64_t lane_steps, instructions, lane_instructions, barriers;
    bool backward;          /* the last warp and the last group ran first */
    bool stopped;           /* by a mistake, or at the limit of steps */
    uint64_t limit;         /* of steps, if it was stopped there; 0: it was not */
    bool endless;           /* stopped because it never ends */
    struct place at_work;   /* where it was stopped */
    struct tally **tallies; /* by site and object; counts.c */
    struct branch_tally *branches; /* by block */
    struct shadow *shadows;        /* by object; races.c */
    struct mistake *mistakes;      /* the same */
    size_t mistake_count;
    struct mistake *notes; /* what devices forgive */
    size_t note_count;
};

/* Runs a launch and fills in what came out; releases that again. */
void replay_run(struct replay *replay);
void replay_end(struct replay *replay);

/* One access by one lane. */
struct access {
    unsigned site, lane, item; /* the lane in its warp, the work-item in its group */
    unsigned object;           /* its number; object_count: it is in none */
    uintptr_t address;
    size_t bytes;
    bool fails; /* a compare-exchange that finds another value, and writes nothing */
};

#endif
