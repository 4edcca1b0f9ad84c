#!/bin/sh
# races.sh STEP ... -- ARGUMENTS : looks for races, out-of-bounds accesses and uninitialised
# reads in the steps' kernels.

exec sh common/commands/lens.sh --races --strict "$@"
