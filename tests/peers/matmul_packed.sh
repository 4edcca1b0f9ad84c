#!/bin/sh
# matmul_packed.sh [SIDE ...] : compares the packed product of step 18c with OpenBLAS (Debian:
# libopenblas-dev), alternating, by the host's clock.  Never part of a test: times are not
# judged.

build=${BUILD:-build}/peers
if ! printf '#include <cblas.h>\nint main(void) { return 0; }\n' |
    "${CC:-cc}" -x c - -lopenblas -o /dev/null 2> /dev/null; then
    echo 'OpenBLAS is not here: apt-get install libopenblas-dev'
    exit 0
fi
# Debian's OpenBLAS takes older kernels for processors that it does not know.
if grep -qs avx512f /proc/cpuinfo; then
    export OPENBLAS_CORETYPE="${OPENBLAS_CORETYPE:-SkylakeX}"
fi
export OPENBLAS_THREAD_TIMEOUT=4 # or its threads keep a core busy while ours are timed
mkdir -p "$build"
"${CC:-cc}" -std=c11 -O2 -iquote common -DCL_TARGET_OPENCL_VERSION=120 \
    -DKERNEL_DIR='"kernels"' -DBUILD_DIR='"build"' tests/peers/matmul_packed.c "$build/libcommon.a" \
    -o "$build/matmul_packed" -lopenblas -lOpenCL -lpng -lm || exit
[ $# -gt 0 ] || set -- 512 1024 2048
for side; do
    "$build/matmul_packed" "$side"
done
