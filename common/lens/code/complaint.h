/* complaint: what the compiler says about a kernel file, as far as it is about that. */
#ifndef COMPLAINT_H
#define COMPLAINT_H

#include <stdbool.h>
#include <stddef.h>

enum severity { NONE, ERROR, NOTE, WARNING };

struct diagnostic {
    enum severity severity;
    size_t place; /* the length of "kernel.cl:3", with which its line begins */
};

/* What begins at this line of the compiler's, if a diagnostic does. */
struct diagnostic complaint_at(const char *line);

struct complaint {
    char *lines;       /* the compiler's own, indented; the caller frees them */
    const char *hint;  /* what the reader can do */
    const char *lacks; /* of CUDA, in words: the file needs this, which is not modelled;
                          NULL: that is not known */
    bool of_file; /* the file is wrong for any compiler, not for the replay alone */
};

/* `log` is what stopped the replay, in this folder; `plain`, what the compiler says of
 * the file without the lens. */
struct complaint complaint_read(const char *log, const char *plain, const char *folder);

/* For other programs, if it is asked for rows: one for each error and each note. */
void complaint_rows(const struct complaint *complaint);

#endif
