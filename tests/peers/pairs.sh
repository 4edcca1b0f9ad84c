#!/bin/sh
# pairs.sh : what reduce.sh, scan.sh and histogram.sh share; they read it with `.`.  Sets $build,
# and $kept, a folder that goes when the script ends.

build=${BUILD:-build}
mkdir -p "$build/peers"
. common/commands/files.sh
make_scratch
# shellcheck disable=SC2034 # for the scripts that read this
kept=$scratch

# compiled NAME OPTIONS ... : tests/peers/NAME_cuda.cu, for the GPU that is there
compiled() {
    name=$1
    shift
    nvcc -O3 -std=c++17 "-arch=${ARCH:-native}" tests/peers/"$name"_cuda.cu "$@" \
        -o "$build/peers/${name}_cuda"
}

# value VARIANT SIZE COLUMN FILE : of the rows of a step, split at tabs
value() {
    awk -F '\t' -v variant="$1" -v size="$2" -v column="$3" '
        FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["variant"] == variant && $at["size"] == size { print $at[column] }' "$4"
}

# peer_ms NAME SIZE FILE : the median of a peer's rows, which begin with its name and size
peer_ms() {
    awk -v name="$1" -v size="$2" '$1 == name && $2 == size { print $3 }' "$3"
}

# heading, and show NAME : lines "ours peers" of milliseconds; how many times slower the peer is
heading() {
    printf '%-34s %9s %9s   %s\n' 'best median ms, or fastest ms' ours peer \
        'peer / ours, pair by pair'
}
show() {
    awk -v name="$1" '{ ratios = ratios sprintf(" %.3f", $2 / $1) }
        NR == 1 || $1 < o { o = $1 } NR == 1 || $2 < p { p = $2 }
        END { printf "%-34s %9.5f %9.5f  %s\n", name, o, p, ratios }'
}
