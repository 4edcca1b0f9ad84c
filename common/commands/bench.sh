#!/bin/sh
# bench.sh STEP ... -- ARGUMENTS : runs the steps at full size, with more launches.

exec sh common/commands/run.sh --full "$@"
