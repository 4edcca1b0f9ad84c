#!/bin/sh
# sanitize.sh : builds the steps with the address and undefined-behaviour sanitizers, runs
# them at small sizes, and runs one under valgrind.  What the OpenCL driver does itself is
# not ours: tests/leaks.txt and tests/valgrind.txt name it.
# sanitize.sh PART : a step of what is built, or the lens, or valgrind.

part=$1
export BUILD=build/asan # as `make asan` builds it; the Makefile has told the sanitizers what to do

everything() { # on as many cores as there are; a part that breaks off has failed
    make -s BUILD=build all && make -s asan all || exit
    {
        { echo lens; echo valgrind; ls steps; } |
            xargs -n 1 -P "$(getconf _NPROCESSORS_ONLN)" sh common/commands/sanitize.sh ||
            echo 'FAIL a part broke off'
    } | tee $BUILD/all || exit
    failed=$(grep -c '^FAIL' $BUILD/all)
    echo "$(grep -c '^ok  ' $BUILD/all) passed, $failed failed"
    [ "$failed" = 0 ]
    exit
}

try() { # try STATUS TITLE COMMAND ... : the command must end with this status
    wanted=$1 title=$2 log=$BUILD/$part.log
    shift 2
    if "$@" > "$log" 2>&1; [ $? = "$wanted" ]; then
        echo "ok   $title"
    else
        echo "FAIL $title"
        cat "$log"
    fi
}

watch() { # watch STATUS TITLE COMMAND ... : a program under the sanitized lens
    wanted=$1 title=$2
    shift 2
    try "$wanted" "$title" env ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" $BUILD/lens --quiet "$@"
}

# What MPI does not free is in modules that it unloads, so that no name can suppress it.
with_mpi() {
    export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"
    try 0 "$stem, sanitized, 4 ranks" sh common/commands/ranks.sh "$BUILD/$stem" --size 10007 --repeats 1
}

step() {
    stem=${part%.c} one=''
    if [ "$stem" = step22_dot_machines ]; then # one rank needs no MPI
        one='--of 3'
        [ ! -s $BUILD/mpi ] || with_mpi
    fi
    # shellcheck disable=SC2086 # a list of words is meant
    try 0 "$stem, sanitized" "$BUILD/$stem" --size 10007 --repeats 1 $one
    # shellcheck disable=SC2086
    try 0 "$stem, sanitized, size 1" "$BUILD/$stem" --size 1 --repeats 1 --format json $one
    # shellcheck disable=SC2086
    try 2 "$stem, sanitized, a broken kernel" "$BUILD/$stem" --kernel README.md $one
    try 2 "$stem, sanitized, no such device" "$BUILD/$stem" --device nosuch
    case $stem in # the lens is the same for all: some that differ, and its own tests
        step05_* | step07_* | step11_* | step16_* | step20_*) ;;
        *) return ;;
    esac
    watch 0 "$stem, the sanitized lens" --svg "$BUILD/$stem.svg" "$BUILD/$stem" --size 1003 --repeats 1
    watch 0 "$stem, the sanitized lens, races" --races "$BUILD/$stem" --size 1003 --repeats 1
}

lens() {
    wrong=build/mistakes/step06_reduce_local
    watch 0 'step06, the sanitized lens, beside ours' --ours kernels/step06_reduce_local.cl \
        --mistake $wrong.no_barrier_after_store.cl $BUILD/step06_reduce_local --size 1003 \
        --repeats 1 --kernel $wrong.last_warp_without_barrier.cl
    watch 0 'step06, the sanitized lens, each mistake' --ours kernels/step06_reduce_local.cl \
        --mistake $wrong.lost_tile_tail.cl --mistake $wrong.no_barrier_in_rounds.cl --each \
        $BUILD/step06_reduce_local --size 1003 --repeats 1
    watch 1 'step06, the sanitized lens, a replay instead' --instead $wrong.lost_tile_tail.cl \
        $BUILD/step06_reduce_local --size 10007 --repeats 1
    ${CC:-cc} -fsanitize=address -std=c11 -DCL_TARGET_OPENCL_VERSION=120 -o $BUILD/launch tests/lens/launch.c -lOpenCL
    watch 0 'tests/lens/alone.cl, the sanitized lens, no program' kernel -DCOUNT=1 \
        tests/lens/alone.cl 'product(a=0..9)' --global 64,64 --races --check
    # shellcheck disable=SC2046 # a list of words is meant
    watch 0 'tests/lens/counts.cl, the sanitized lens' $BUILD/launch tests/lens/counts.cl \
        $(sed '$!s/$/ ,/' tests/lens/counts.txt)
    for launch in 'no_barrier_before 64 64 f64 f1' 'groups_add_to_same 128 64 f128 f64' \
        'last_group_no_fence 256 64 f256 f4 z1 f1' 'reads_past_end 64 64 f64 f64' \
        'past_local_array 64 64 f64' 'past_private_array 64 64 i64 i64' \
        'reads_unwritten_local 64 64 f64 f64' 'barrier_in_branch 64 64 f64' 'two_barriers 64 64 f64'; do
        # shellcheck disable=SC2086 # a list of words is meant
        watch 1 "${launch%% *}, the sanitized lens, races" --races $BUILD/launch tests/lens/races.cl $launch
    done
    watch 0 'tests/lens/races.cl, the sanitized lens, races' --races $BUILD/launch tests/lens/races.cl \
        tree 128 64 f128 f2 , tree_in_argument 128 64 f128 f2 l256 , histogram 128 64 i128 z64 , \
        float_add 128 64 f128 z1 , right_fence 64 64 f64 f64 f64 , branch_of_group 256 64 f256 f256
}

# It runs a plain build, with kernels of its own: it hides newer vector instructions from
# PoCL's compiler.
valgrind_runs() {
    POCL_CACHE_DIR=$(pwd)/$BUILD/pocl-valgrind
    export POCL_CACHE_DIR
    try 0 'step03 and the lens, valgrind' build/lens --quiet valgrind -q --error-exitcode=99 \
        --suppressions=tests/valgrind.txt build/step03_dot_coalesced --size 1000 --repeats 1
}

case $part in
    '') everything ;;
    lens) lens ;;
    valgrind) valgrind_runs ;;
    *) step ;;
esac
