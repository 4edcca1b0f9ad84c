#!/bin/sh
# ranks.sh PROGRAM ARGUMENTS : starts a step's program; if its header has a line " * Ranks  N",
# so many of it on this machine, by mpirun ($RANKS takes the place of N).  Where there is no
# mpirun, one program starts, and says what is missing.
#
# --oversubscribe: more ranks than cores are allowed.  --bind-to none: a rank may use all
# cores, since its OpenCL device may be all of them.  mpi_yield_when_idle: a rank that waits
# looks for messages all the time, and lets others have its core in between.  btl ^tcp: all
# ranks are here, so no network is looked for.

ranks=$(sed -n 's/^ \* Ranks  *//p' "steps/$(basename "$1").c")
{ [ -n "$ranks" ] && command -v mpirun > /dev/null; } || exec "$@"
if [ "$(id -u)$OMPI_ALLOW_RUN_AS_ROOT_CONFIRM" = 0 ]; then # in a container, say, which has no other user
    echo 'mpirun as root: OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1' >&2
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
exec mpirun -n "${RANKS:-$ranks}" --oversubscribe --bind-to none --mca btl ^tcp \
    --mca mpi_yield_when_idle 1 "$@"
