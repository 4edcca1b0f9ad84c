#!/bin/sh
# plots.sh : draws docs/pictures/step08-errors.svg from the stored rows of step 08.  Errors are
# the same on every device, so it takes the rows of one of them.

cd "$(dirname "$0")/../.." || exit 2
. common/commands/files.sh
make_scratch

picture=docs/pictures/step08-errors.svg
awk -F '"' -f common/commands/plots.awk docs/results/pocl-3.1.csv > "$scratch/data" &&
    gnuplot -e "data = '$scratch/data'" common/commands/plots.gp > "$scratch/svg" || exit 2

# The data that were drawn stand at its end, where a test reads them.
{
    sed 's/[[:blank:]]*$//' "$scratch/svg"
    sed '1s/^# /<!-- /' "$scratch/data"
    echo '-->'
} | put "$picture" || exit
echo "$picture"
