#!/bin/sh
# read.sh STEP ... : shows the programs of these steps and their kernels, in the pager
# ($PAGER, or less) if stdout is a terminal.

cd "$(dirname "$0")/../.." || exit 2
pager='cat'
[ ! -t 1 ] || pager=${PAGER:-$(command -v less || command -v more || echo cat)}
for step; do
    printf '%s\n\n' "==== steps/$step.c"
    cat "steps/$step.c"
    printf '\n%s\n\n' "==== kernels/$step.cl"
    cat "kernels/$step.cl"
    printf '\n'
done | $pager
