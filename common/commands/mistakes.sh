#!/bin/sh
# mistakes.sh STEP ... : lists the mistakes that are known of the steps' kernels, with what
# each of them does.  tests/mistakes/STEP.diff has them.

. common/commands/files.sh
for step; do
    known=tests/mistakes/$step.diff
    [ -f "$known" ] || continue
    echo "$step (make ${step%%_*} run MISTAKE=NAME makes one of them)"
    sed -n 's/^== \([a-z0-9_]*\)/\1/p' "$known" |
        awk -F ' *(\\(race\\))?: ' '{ name = $1; sub(/^[^:]*: /, ""); printf "  %-28s %s\n", name, $0 }'
done | fit
