/* version: which Lockstep this is, for --version. */
#ifndef VERSION_H
#define VERSION_H

#define LOCKSTEP_VERSION "1.0.0"

#endif
