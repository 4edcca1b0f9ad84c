#!/bin/sh
# sort.sh [PAIRS] : compares the sort of step 14b with NVIDIA's own (CUB's
# DeviceRadixSort::SortPairs), one after the other, and prints the ratio of each pair of runs,
# median against median by the device's clock.  For a machine with an NVIDIA GPU and nvcc.
# Never part of a test: times are not judged.

pairs=${1:-3} sizes='16777216 67108864'
if ! nvidia-smi -L > /dev/null 2>&1 || ! command -v nvcc > /dev/null; then
    echo 'sort: skipped, there is no NVIDIA GPU with nvcc'
    exit 0
fi
. tests/peers/pairs.sh

compiled sort || exit
for pair in $(seq "$pairs"); do
    "$build/peers/sort_cuda" 21 > "$kept/peer.$pair" || exit
    for size in $sizes; do
        "$build/step14b_counting_sort" --all --size "$size" --repeats 21 --format tsv \
            > "$kept/$size.$pair" || exit
    done
done

# against PEER VARIANT : in each size
against() {
    for size in $sizes; do
        for pair in $(seq "$pairs"); do
            echo "$(value "$2" "$size" median_ms "$kept/$size.$pair")" \
                "$(peer_ms "$1" "$size" "$kept/peer.$pair")"
        done | show "$1, $size"
    done
}

heading
against cub_8_bits 'counts of warps, sorted'
against cub_4_bits 'sorted, 4 bits'
against cub_12_bits 'sorted, 12 bits, 2 x 6'
against cub_32_bits 'sorted, 32 bits, 4 x 8'
