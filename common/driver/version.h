/* version: which Lockstep this is, for --version. */
#ifndef VERSION_H
#define VERSION_H

#define LOCKSTEP_VERSION "0.2.0-dev"

#endif
