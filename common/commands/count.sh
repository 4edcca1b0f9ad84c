#!/bin/sh
# count.sh : runs every step under the lens and stores what it counts, for docs/.
#
#     docs/results/lens/counts.csv                  what every launch does, and its busiest access
#     docs/results/lens/step05-dot_tree.txt  the report of a kernel, and its picture (.svg),
#                                            for each <!-- lens: step05 dot_tree --> in docs/
#
# `make all` first; `make docs` afterwards.  Counts are the same on every machine.

lens=${BUILD:-build}/lens
mkdir -p docs/results/lens

run() { # run STEP OPTIONS ... : a step under the lens, at its own small size
    source=$(ls steps/"$1"_*.c) stem=$(basename "$source" .c)
    shift
    # shellcheck disable=SC2046 # a list of words is meant
    "$lens" --quiet "$@" "${BUILD:-build}/$stem" --repeats 1 $(sed -n 's/^ \* Lens  *//p' "$source")
}

cat docs/*.md | sed -n 's/^<!-- lens: \(step[0-9]*\) \([a-z0-9_]*\) -->$/\1 \2/p' | sort -u |
    while read -r step kernel; do
        name=docs/results/lens/$step-$kernel
        echo "$name" >&2
        run "$step" --kernel "$kernel" --svg "$name.svg" </dev/null >"$name.txt" || exit
    done || exit

echo 'step,kernel,arguments,global,local,busy_lanes,line,name,sectors,ideal,diverged,passes,barriers,atomics,load_sectors,load_lines,load_used,store_sectors,store_lines,store_used' \
    >docs/results/lens/counts.csv
for source in steps/step*.c; do
    stem=$(basename "$source" .c)
    step=${stem%%_*}
    [ "$step" = step00 ] && continue # what it launches depends on the device's speed
    echo "$step" >&2
    run "$step" --format tsv </dev/null |
        awk -F '\t' -v step="$step" -f common/commands/count.awk >>docs/results/lens/counts.csv
done
