#!/bin/sh
# matmul.sh [ARGUMENTS] : compares step 18 with the matrix products of OpenBLAS and CLBlast
# (Debian: libopenblas-dev, libclblast-dev) and, on an NVIDIA GPU with nvcc, cuBLAS.  Same
# data, same clock, in turn: step 18 itself does that, and checks what the peer computed.
# A peer that is not there is passed over, and said so.

build=${BUILD:-build}/peers step=${BUILD:-build}/step18_matmul
mkdir -p "$build"

compile() { # compile SOURCE [OPTIONS] : to a shared library
    source=$1
    shift
    "${CC:-cc}" -std=c11 -O2 -fPIC -shared -iquote common -DCL_TARGET_OPENCL_VERSION=120 \
        -DKERNEL_DIR='"kernels"' -DBUILD_DIR='"build"' "tests/peers/$source.c" -o "$build/$source.so" "$@"
}
has() { # has HEADER
    echo "#include <$1>" | "${CC:-cc}" -E - > /dev/null 2>&1
}
compare() { # compare SOURCE [ARGUMENTS]
    library=$build/$1.so
    shift
    "$step" --peer "$library" "$@" | awk '/^[0-9]+ x .*:$/ || (/, host clock/ && !/^plain C/)'
}

on=$("$step" --size 1 --repeats 1 2>&1 | sed -n '1s/.* on //p')
echo "step18_matmul and its peers on $on"
case $on in
    *NVIDIA*)
        if command -v nvcc > /dev/null; then
            nvcc -O2 "-arch=${ARCH:-native}" -Xcompiler -fPIC -shared tests/peers/matmul_cublas.cu \
                -lcublas -o "$build/matmul_cublas.so" && compare matmul_cublas "$@"
        else
            echo 'cuBLAS is not here: it wants nvcc'
        fi
        ;;
    *)
        # Debian's OpenBLAS takes older kernels for processors that it does not know.
        if grep -qs avx512f /proc/cpuinfo; then
            export OPENBLAS_CORETYPE="${OPENBLAS_CORETYPE:-SkylakeX}"
        fi
        export OPENBLAS_THREAD_TIMEOUT=4 # or its threads keep a core busy while ours are timed
        if has cblas.h; then
            compile matmul_openblas -lopenblas && compare matmul_openblas "$@"
        else
            echo 'OpenBLAS is not here: apt-get install libopenblas-dev'
        fi
        ;;
esac
if has clblast_c.h; then
    # shellcheck disable=SC2046 # a list of words is meant
    compile matmul_clblast $(ls common/*.c) -lclblast -lOpenCL -lpng -lm && compare matmul_clblast "$@"
else
    echo 'CLBlast is not here: apt-get install libclblast-dev'
fi
