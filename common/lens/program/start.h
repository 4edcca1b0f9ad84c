/* start: runs a program with the lens in it, and waits for its end. */
#ifndef START_H
#define START_H

/* Runs the program that these words call, with its report on our stdout, and what it
 * prints on stderr.  It is a child, because a program that does not load the library,
 * or in which that sees no launch, reports nothing: this must not look like a report of
 * no mistake.  So the status that is returned is SKIPPED then, and a line says why;
 * otherwise it is the program's. */
int run_program(char **words);

#endif
