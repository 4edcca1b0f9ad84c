/* complaint: what the compiler says about a kernel file, as far as it is about that. */
#ifndef COMPLAINT_H
#define COMPLAINT_H

#include <stdbool.h>

struct complaint {
    char *lines;      /* the compiler's own, indented; the caller frees them */
    const char *hint; /* what the reader can do */
    bool of_file;     /* the file is wrong for any compiler, not for the replay alone */
};

/* `log` is what stopped the replay, in this folder; `plain`, what the compiler says of
 * the file without the lens. */
struct complaint complaint_read(const char *log, const char *plain, const char *folder);

/* For other programs, if it is asked for rows: one for each error and each note. */
void complaint_rows(const struct complaint *complaint);

#endif
