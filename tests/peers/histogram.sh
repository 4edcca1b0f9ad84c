#!/bin/sh
# histogram.sh [PAIRS] : compares step 09c's private histogram of 256 bins with CUB's on the
# same numbers, alternating, and prints the ratio of each pair of runs: median against median
# by the device's clock.  Needs an NVIDIA GPU and nvcc.  Never part of a test: times are not
# judged.  CUB's time includes that it sets its counts to 0; ours adds to what is there.

build=${BUILD:-build} pairs=${1:-3}
mkdir -p "$build/peers"
kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT

nvidia-smi -L > /dev/null 2>&1 || { echo 'there is no NVIDIA GPU to compare on'; exit 0; }

# value VARIANT COLUMN FILE : of the rows of a step, split at tabs
value() {
    awk -F '\t' -v variant="$1" -v column="$2" '
        FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["variant"] == variant { print $at[column] }' "$3"
}

# show NAME : lines "ours peers" of milliseconds; how many times slower the peer is
show() {
    awk -v name="$1" '{ ratios = ratios sprintf(" %.3f", $2 / $1) }
        NR == 1 || $1 < o { o = $1 } NR == 1 || $2 < p { p = $2 }
        END { printf "%-34s %9.5f %9.5f  %s\n", name, o, p, ratios }'
}

nvcc -O3 -std=c++17 "-arch=${ARCH:-native}" tests/peers/histogram_cuda.cu \
    -o "$build/peers/histogram_cuda" || exit
printf '%-34s %9s %9s   %s\n' 'best median ms' ours peer 'peer / ours, pair by pair'
for pair in $(seq "$pairs"); do
    "$build/peers/histogram_cuda" 51 > "$kept/peer.$pair" || exit
    for size in 67108864 268435456; do
        "$build/step09c_histogram" --size $size --repeats 21 --format tsv > "$kept/$size.$pair" || exit
    done
done
for size in 67108864 268435456; do
    for library in cub_whole cub_float; do
        for pair in $(seq "$pairs"); do
            echo "$(value '256 bins, private' median_ms "$kept/$size.$pair")" \
                "$(awk -v l=$library -v n=$size '$1 == l && $2 == n { print $3 }' "$kept/peer.$pair")"
        done | show "$library, $size, 256 bins"
    done
done
