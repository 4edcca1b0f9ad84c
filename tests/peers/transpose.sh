#!/bin/sh
# transpose.sh [PAIRS] : compares the transpositions of step 13b with NVIDIA's own (cuBLAS'
# cublasSgeam) and with a copy, alternating, and prints the ratio of each pair of runs: median
# against median by the device's clock.  Needs an NVIDIA GPU and nvcc.  Never part of a test:
# times are not judged.  66064384 elements are 8128 x 8128, the others a power of two squared.

pairs=${1:-5} sizes='16777216 66064384 67108864 268435456'
if ! nvidia-smi -L > /dev/null 2>&1 || ! command -v nvcc > /dev/null; then
    echo 'transpose: skipped, there is no NVIDIA GPU with nvcc'
    exit 0
fi
. tests/peers/pairs.sh

compiled transpose -lcublas || exit
for pair in $(seq "$pairs"); do
    for size in $sizes; do
        "$build/peers/transpose_cuda" "$size" 51 > "$kept/peer.$size.$pair" || exit
        "$build/step13b_transpose" --size "$size" --repeats 51 --format tsv > "$kept/$size.$pair" || exit
    done
done

heading
for size in $sizes; do
    for variant in 'local memory, padded' '4 x 4 each, swizzled'; do
        for library in cublas copy; do
            for pair in $(seq "$pairs"); do
                echo "$(value "$variant" "$size" median_ms "$kept/$size.$pair")" \
                    "$(peer_ms "$library" "$size" "$kept/peer.$size.$pair")"
            done | show "$library, $size, ${variant#*, }"
        done
    done
done
