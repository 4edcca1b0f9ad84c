#!/bin/sh
# matmul_ahead.sh [PAIRS] : compares step 18b with NVIDIA's cuBLAS (in float throughout, where
# there is nvcc) and with CLBlast (Debian: libclblast-dev), one after the other, and prints the
# ratio of each pair of runs: median against median by the device's clock.  "chain" are cuBLAS'
# products without an event between them.  CLBlast is as it comes: its tuner is not in Debian's
# package.  For a GPU, since step 18c is for CPUs.  Never part of a test: times are not judged.

pairs=${1:-5} sizes='262144 1048576 4194304 16777216 67108864'
. tests/peers/pairs.sh

peers='' libraries=''
if nvidia-smi -L > /dev/null 2>&1 && command -v nvcc > /dev/null; then
    compiled matmul_ahead -lcublas || exit
    peers='cuda' libraries='cublas chain'
else
    echo 'cuBLAS is not here: it needs an NVIDIA GPU and nvcc'
fi
if ! echo '#include <clblast_c.h>' | "${CC:-cc}" -E - > /dev/null 2>&1; then
    echo 'CLBlast is not here: apt-get install libclblast-dev'
else
    "${CC:-cc}" -std=c11 -O2 -iquote common -DCL_TARGET_OPENCL_VERSION=120 \
        -DKERNEL_DIR='"kernels"' -DBUILD_DIR='"build"' tests/peers/matmul_ahead_clblast.c \
        "$build/libcommon.a" -o "$build/peers/matmul_ahead_clblast" -lclblast -lOpenCL -lpng -lm || exit
    peers="$peers clblast" libraries="$libraries clblast"
fi
[ -n "$peers" ] || exit 0

row='equal shares'
for size in $sizes; do
    for pair in $(seq "$pairs"); do
        "$build/step18b_matmul_ahead" --rung "$row" --size "$size" --repeats 51 --format tsv \
            > "$kept/$size.$pair" || exit
        for peer in $peers; do
            "$build/peers/matmul_ahead_$peer" "$size" 51 >> "$kept/peer.$size.$pair" 2> "$kept/why" ||
                sed "s/^/$peer, $size: /" "$kept/why"
        done
    done
done

heading
for size in $sizes; do
    for library in $libraries; do
        for pair in $(seq "$pairs"); do
            echo "$(value "$row" "$size" median_ms "$kept/$size.$pair")" \
                "$(peer_ms "$library" "$size" "$kept/peer.$size.$pair")"
        done | awk 'NF == 2' | show "$library, $size"
    done
done
