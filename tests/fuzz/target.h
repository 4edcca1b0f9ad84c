/* target: what calls.c, formulas.c and kernels.c share.  Each of them tries what reads
 * a text that users write: with whatever text, the reader takes it or refuses it by
 * lens_die(), and the sanitizers look on.  libFuzzer makes such texts up; a program
 * without it reads files. */
#ifndef TARGET_H
#define TARGET_H

/* Gives the text to what reads it; each target has its own. */
void try_text(const char *text);

/* What must hold of any text: if not, the text is a find. */
void must_hold(int condition, const char *what);

#endif
