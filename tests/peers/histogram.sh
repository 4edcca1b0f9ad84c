#!/bin/sh
# histogram.sh [PAIRS] : compares step 09c's private histogram of 256 bins with CUB's on the
# same numbers, alternating, and prints the ratio of each pair of runs: median against median
# by the device's clock.  Needs an NVIDIA GPU and nvcc.  Never part of a test: times are not
# judged.  CUB's time includes that it sets its counts to 0; ours adds to what is there.

pairs=${1:-3} sizes='67108864 268435456'
if ! nvidia-smi -L > /dev/null 2>&1 || ! command -v nvcc > /dev/null; then
    echo 'histogram: skipped, there is no NVIDIA GPU with nvcc'
    exit 0
fi
. tests/peers/pairs.sh

compiled histogram || exit
for pair in $(seq "$pairs"); do
    "$build/peers/histogram_cuda" 51 > "$kept/peer.$pair" || exit
    for size in $sizes; do
        "$build/step09c_histogram" --size "$size" --repeats 21 --format tsv > "$kept/$size.$pair" || exit
    done
done

heading
for size in $sizes; do
    for library in cub_whole cub_float; do
        for pair in $(seq "$pairs"); do
            echo "$(value '256 bins, private' "$size" median_ms "$kept/$size.$pair")" \
                "$(peer_ms $library "$size" "$kept/peer.$pair")"
        done | show "$library, $size, 256 bins"
    done
done
