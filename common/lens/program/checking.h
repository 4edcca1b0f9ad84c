/* checking: `lens check FILE...`: all launches that lines of the files name. */
#ifndef CHECKING_H
#define CHECKING_H

/* `optind` counts the word "check"; options stand before it, between the files and
 * behind them, and hold for all launches.  Returns the exit status: WRONG if anything
 * fails. */
int check_files(int argc, char **argv);

#endif
