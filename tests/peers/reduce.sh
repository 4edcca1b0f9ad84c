#!/bin/sh
# reduce.sh [PAIRS] : compares the sums of steps 06, 07 and 09b, and the dot product of step 09b,
# with their peers, alternating, and prints the ratio of each pair of runs.  On an NVIDIA GPU, with
# nvcc: CUB's sum and cuBLAS's dot product, median against median by the device's clock.  (The rows
# of steps 06 and 07 leave a sum for each group; the one of step 09b, like CUB, a single number.)  On
# a CPU: a loop in plain C that reads, with a thread on each core, against the dot product of step
# 04, fastest against fastest.  Never part of a test: times are not judged.

pairs=${1:-5}
. tests/peers/pairs.sh

heading
if nvidia-smi -L > /dev/null 2>&1; then
    compiled reduce -lcublas || exit
    for pair in $(seq "$pairs"); do
        "$build/peers/reduce_cuda" 51 > "$kept/peer.$pair" || exit
        for stem in step06_reduce_local step07_reduce_simd step09b_last_group; do
            number=${stem%%_*}
            for size in 1048576 268435456; do
                "$build/$stem" --all --size $size --repeats 51 --format tsv || exit
            done > "$kept/${number#step}.$pair"
        done
    done
    for size in 1048576 268435456; do
        while read -r step library variant; do
            for pair in $(seq "$pairs"); do
                echo "$(value "$variant" $size median_ms "$kept/$step.$pair")" \
                    "$(peer_ms "$library" $size "$kept/peer.$pair")"
            done | show "$library, $size, step $step"
        done <<END
06 cub 64, four loads in flight
07 cub 64, four loads in flight
09b cub one launch, last group
09b cublas dot product, last group
END
    done
else
    size=67108864 # elements of two vectors: as many bytes as the peer reads
    "${CC:-cc}" -std=c11 -O3 -march=native -pthread tests/peers/cpu_limits.c \
        -o "$build/peers/cpu_limits" || exit
    for pair in $(seq "$pairs"); do
        "$build/peers/cpu_limits" > "$kept/peer.$pair" &&
            "$build/step04_dot_groups" --device cpu --size $size --repeats 9 --format tsv \
                > "$kept/04.$pair" || exit
        echo "$(value 'one block for each core' $size fastest_ms "$kept/04.$pair")" \
            "$(awk -v n=$size '$1 == "read" { print n * 8e-6 / $2 }' "$kept/peer.$pair")"
    done | show 'read loop in C, step 04'
fi
