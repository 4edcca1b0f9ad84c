#!/bin/sh
# scan.sh [PAIRS] : compares the prefix sums of step 07b with NVIDIA's own (CUB's DeviceScan),
# one after the other, and prints the ratio of each pair of runs, median against median by the
# device's clock.  For a machine with an NVIDIA GPU and nvcc.  Never part of a test: times are
# not judged.

build=${BUILD:-build} pairs=${1:-5}
if ! nvidia-smi -L > /dev/null 2>&1 || ! command -v nvcc > /dev/null; then
    echo 'scan: skipped, there is no NVIDIA GPU with nvcc'
    exit 0
fi
mkdir -p "$build/peers"
kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT

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

nvcc -O3 -std=c++17 "-arch=${ARCH:-native}" tests/peers/scan_cuda.cu \
    -o "$build/peers/scan_cuda" || exit
sizes='16777216 67108864 268435456'
for pair in $(seq "$pairs"); do
    "$build/peers/scan_cuda" 51 > "$kept/peer.$pair" || exit
    for size in $sizes; do
        "$build/step07b_prefix_sum" --size "$size" --repeats 51 --format tsv \
            > "$kept/$size.$pair" || exit
    done
done

printf '%-34s %9s %9s   %s\n' 'best median ms' ours peer 'peer / ours, pair by pair'
for size in $sizes; do
    for library in cub copy; do
        for pair in $(seq "$pairs"); do
            echo "$(value 'one launch, look-back' median_ms "$kept/$size.$pair")" \
                "$(awk -v l="$library" -v n="$size" '$1 == l && $2 == n { print $3 }' "$kept/peer.$pair")"
        done | show "$library, $size, look-back"
    done
done
