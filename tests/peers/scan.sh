#!/bin/sh
# scan.sh [PAIRS] : compares the prefix sums of step 07c with NVIDIA's own (CUB's DeviceScan),
# one after the other, and prints the ratio of each pair of runs, median against median by the
# device's clock.  For a machine with an NVIDIA GPU and nvcc.  Never part of a test: times are
# not judged.

pairs=${1:-5} sizes='16777216 67108864 268435456'
if ! nvidia-smi -L > /dev/null 2>&1 || ! command -v nvcc > /dev/null; then
    echo 'scan: skipped, there is no NVIDIA GPU with nvcc'
    exit 0
fi
. tests/peers/pairs.sh

compiled scan || exit
for pair in $(seq "$pairs"); do
    "$build/peers/scan_cuda" 51 > "$kept/peer.$pair" || exit
    for size in $sizes; do
        "$build/step07c_look_back" --size "$size" --repeats 51 --format tsv \
            > "$kept/$size.$pair" || exit
    done
done

heading
for size in $sizes; do
    for library in cub copy; do
        for pair in $(seq "$pairs"); do
            echo "$(value 'one launch, look-back' "$size" median_ms "$kept/$size.$pair")" \
                "$(peer_ms "$library" "$size" "$kept/peer.$pair")"
        done | show "$library, $size, look-back"
    done
done
