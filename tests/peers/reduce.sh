#!/bin/sh
# reduce.sh [PAIRS] : compares the sums and dot products of step 06 and 07 with their peers,
# in turn, and prints the ratio of each pair of runs.  On an NVIDIA GPU, with nvcc: CUB's sum and
# cuBLAS's dot product, median against median by the device's clock.  On a CPU: a loop in
# plain C that reads, with a thread on each core, fastest against fastest.  Never part of a
# test: times are not judged.

build=${BUILD:-build} pairs=${1:-5}
mkdir -p "$build/peers"
kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT

# value VARIANT SIZE COLUMN FILE : of the rows of a step, split at tabs
value() {
    awk -F '\t' -v variant="$1" -v size="$2" -v column="$3" '
        FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["variant"] == variant && $at["size"] == size { print $at[column] }' "$4"
}

# show NAME : lines "ours peers" of milliseconds; how many times as long the peer takes
show() {
    awk -v name="$1" '{ ratios = ratios sprintf(" %.3f", $2 / $1) }
        NR == 1 || $1 < o { o = $1 } NR == 1 || $2 < p { p = $2 }
        END { printf "%-34s %9.5f %9.5f  %s\n", name, o, p, ratios }'
}

printf '%-34s %9s %9s   %s\n' 'best median ms, or fastest ms' ours peer 'peer / ours, pair by pair'
if nvidia-smi -L > /dev/null 2>&1; then
    nvcc -O3 -std=c++17 "-arch=${ARCH:-native}" tests/peers/reduce_cuda.cu -lcublas \
        -o "$build/peers/reduce_cuda" || exit
    for pair in $(seq "$pairs"); do
        "$build/peers/reduce_cuda" 51 > "$kept/peer.$pair" &&
            "$build/step06_reduce_local" --repeats 51 --format tsv > "$kept/06.$pair" &&
            "$build/step07_reduce_simd" --repeats 51 --format tsv > "$kept/07.$pair" || exit
    done
    for size in 1048576 268435456; do
        while read -r step library variant; do
            for pair in $(seq "$pairs"); do
                echo "$(value "$variant" $size median_ms "$kept/$step.$pair")" \
                    "$(awk -v l="$library" -v n=$size '$1 == l && $2 == n { print $3 }' "$kept/peer.$pair")"
            done | show "$library, $size, step $step"
        done <<END
06 cub many, the last adds up
07 cub many, the last adds up
06 cublas dot product, to the end
END
    done
else
    size=134217728 # floats, as many bytes as the peer reads
    "${CC:-cc}" -std=c11 -O3 -march=native -pthread tests/peers/cpu_limits.c \
        -o "$build/peers/cpu_limits" || exit
    for pair in $(seq "$pairs"); do
        "$build/peers/cpu_limits" > "$kept/peer.$pair" &&
            "$build/step06_reduce_local" --device cpu --size $size --repeats 9 --format tsv \
                > "$kept/06.$pair" || exit
        echo "$(value 'one block per core' $size fastest_ms "$kept/06.$pair")" \
            "$(awk -v n=$size '$1 == "read" { print n * 4e-6 / $2 }' "$kept/peer.$pair")"
    done | show 'read loop in C, one block per core'
fi
