#!/bin/sh
# limits.sh [PAIRS] : compares step 00 with the same limits in plain C on this CPU, in turn, and
# prints the ratios of each pair of runs.  Never part of a test: times are not judged.

build=${BUILD:-build}
pairs=${1:-5}
mkdir -p "$build/peers"
"${CC:-cc}" -std=c11 -O3 -march=native -pthread tests/peers/cpu_limits.c \
    -o "$build/peers/cpu_limits" || exit

. common/commands/files.sh
make_scratch
kept=$scratch
for pair in $(seq "$pairs"); do
    "$build/peers/cpu_limits" > "$kept/plain.$pair"
    LIMITS_DIR=$kept/limits.$pair "$build/step00_device_limits" --device cpu --repeats 15 \
        > /dev/null || exit
done

printf '%-14s %12s %12s   %s\n' limit 'OpenCL' 'plain C' 'OpenCL / plain C, pair by pair'
for limit in read copy fill multiply-add; do
    name=$limit
    [ $limit = multiply-add ] && name=fma
    for pair in $(seq "$pairs"); do
        opencl=$(awk -v n=$name '$1 == n { print $2 }' "$kept/limits.$pair"/*.txt)
        plain=$(awk -v n=$limit '$1 == n { print $2 }' "$kept/plain.$pair")
        echo "$opencl $plain"
    done | awk -v limit=$limit '
        { ratios = ratios sprintf(" %.2f", $1 / $2); o = o < $1 ? $1 : o; p = p < $2 ? $2 : p }
        END { printf "%-14s %12.1f %12.1f  %s\n", limit, o, p, ratios }'
done
