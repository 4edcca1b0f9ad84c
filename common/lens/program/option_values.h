/* option_values: takes an option's value: looks whether it can be one, which is an
 * error if not, and passes it on in the environment. */
#ifndef OPTION_VALUES_H
#define OPTION_VALUES_H

struct taken {
    const char *option;   /* without the dashes */
    const char *variable; /* that carries it */
    const char *text;     /* the value; NULL: the option has none */
    const char *choices;  /* its only values, with commas between; NULL: no matter */
};

/* An option without a value. */
void take_flag(const struct taken *taken);

/* Any text; and a further one, if the option may be given several times. */
void take_text(const struct taken *taken);
void take_texts(const struct taken *taken);

/* A whole number of at least 1. */
void take_number(const struct taken *taken);

/* One of the choices. */
void take_choice(const struct taken *taken);

/* One of them, or several with commas between, each of them once. */
void take_several(const struct taken *taken);

/* A file that can be read; and a further one. */
void take_readable(const struct taken *taken);
void take_readables(const struct taken *taken);

/* A device whose file comes with the lens, the path of such a file, or "none". */
void take_device(const struct taken *taken);

/* What makes the exit status 1, as fail_on.h reads it. */
void take_fail_on(const struct taken *taken);

/* A file that a page or a picture is written to: a new one, or one of that kind. */
void take_page_file(const struct taken *taken);
void take_picture_file(const struct taken *taken);

/* A file that is read if it is there, and written otherwise. */
void take_baseline(const struct taken *taken);

#endif
