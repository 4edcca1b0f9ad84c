/* steps: what each step of compiling has in common: a run of clang, and files. */
#ifndef STEPS_H
#define STEPS_H

#include "code.h"
#include "command.h"

/* Runs a compiler; what it says goes to the file "log" in the folder. */
bool step_run(struct command *command, const char *folder);

/* ---- Files of the folder. */
FILE *step_open(const char *folder, const char *name, const char *mode);
void step_write(const char *folder, const char *name, const char *const *texts,
                size_t count);
/* The caller frees it. */
char *step_read(const char *folder, const char *name);
/* kernel.cl, which main.cl includes. */
void step_write_kernel(const char *folder, const struct source *source);

/* ---- Words of a command. */
/* The path of a file in the folder. */
void step_add_file(struct command *command, const char *folder, const char *name);
/* Of the program's own build options, those that decide what the source means. */
void step_add_options(struct command *command, const struct source *source,
                      bool for_builtins);
/* OpenCL C 1.2, if the program asks for no other. */
void step_add_standard(struct command *command, const struct source *source);
/* The compiler, and all options for LLVM's text of a file. */
void step_add_text_options(struct command *command, const struct source *source,
                           bool for_builtins);
/* Where included files are; `header` is the precompiled builtins.cl, or empty. */
void step_add_folders(struct command *command, const struct source *source,
                      const char *header);

/* Runs clang over main.cl of this folder, with further options, among which blanks are
 * kept in quotes; what it makes is called `name`.  False: it has found errors. */
bool step_clang(const char *folder, const struct source *source, const char *header,
                const char *also, const char *name);

#endif
