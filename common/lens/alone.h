/* alone: `lens kernel FILE CALL`, a kernel without a host program and without a driver.
 */
#ifndef ALONE_H
#define ALONE_H

/* Launches a kernel of the file and reports that.  `call` says which and with what, see
 * call.h; NULL: all is guessed.  Returns the exit status. */
int alone_run(const char *file, const char *call);

#endif
