# What the lens takes as legal OpenCL C, and what it refuses: built-ins and their overloads, half
# arithmetic, the arguments of a kernel without a program, printf, names.

load helper

setup_file() {
    export POCL_CACHE_DIR=$BATS_FILE_TMPDIR/pocl LENS_CACHE=$BATS_FILE_TMPDIR/cache
}

# kernel FILE TEXT : writes a kernel file into the test's folder.
kernel() {
    printf '%s\n' "$2" > "$BATS_TEST_TMPDIR/$1"
}

# newest_clang : sets CLANG to a compiler with clang's header of OpenCL C's built-ins, HEADER.
newest_clang() {
    local number
    CLANG=clang
    for number in {40..15}; do
        ! command -v clang-$number > /dev/null || CLANG=clang-$number
    done
    HEADER=$("$CLANG" -print-resource-dir)/include/opencl-c.h
    [ -f "$HEADER" ] || skip "$CLANG has no opencl-c.h"
}

# calls_made EVERY : calls.cl, every EVERY-th call, clang.log, what clang says of them by itself,
# and lens.log, with the lens's own built-ins.
calls_made() {
    command -v python3 || skip "no Python, which writes the calls"
    newest_clang
    local options=(-x cl -cl-std=CL1.2 -Xclang -cl-ext=+all)
    local strict=(-fsyntax-only -ferror-limit=0 -fno-caret-diagnostics -fshow-overloads=best
        -fmacro-backtrace-limit=1 -Wno-everything -Wincompatible-pointer-types
        -Wincompatible-pointer-types-discards-qualifiers -Wpointer-sign)
    cd "$BATS_TEST_TMPDIR"
    "$CLANG" "${options[@]}" -E -P -include "$HEADER" - < /dev/null |
        python3 "$ROOT/tests/lens/calls.py" write "$1" > calls.cl
    ! "$CLANG" "${options[@]}" "${strict[@]}" calls.cl 2> clang.log
    ! "$CLANG" "${options[@]}" "${strict[@]}" -include "$ROOT/common/lens/builtins.cl" calls.cl 2> lens.log
}

@test "built-ins: of all calls, the lens takes those that clang's own declarations take" {
    calls_made 211 # 1 takes minutes
    run -0 python3 "$ROOT/tests/lens/calls.py" compare calls.cl clang.log lens.log
    echo "$output"
    [[ ${lines[0]} =~ ^([0-9]+)\ legal,\ ([0-9]+)\ refused$ ]]
    [ "${BASH_REMATCH[1]}" -gt 200 ] && [ "${BASH_REMATCH[2]}" -gt 800 ]
    [ "${#lines[@]}" -eq 1 ]
}

@test "built-ins: legal calls of scalars beside vectors give the device's results" {
    local kernels=() number
    calls_made 211
    whole_pocl
    quickly
    "${CC:-cc}" -std=c11 -DCL_TARGET_OPENCL_VERSION=120 -o launch "$ROOT/tests/lens/launch.c" ${LDFLAGS:-} -lOpenCL
    python3 "$ROOT/tests/lens/calls.py" prove calls.cl clang.log > prove.cl
    for ((number = 0; number < $(grep -c '^.*kernel void' prove.cl); number++)); do
        kernels+=(, prove_$number 64 64 z131072)
    done
    run -0 lens --compare --quiet ./launch prove.cl "${kernels[@]:1}"
    [[ $output == *"the replay's results are the device's"* ]]
}

@test "built-ins: an ambiguous call is refused by its name, a scalar beside a vector is not" {
    cd "$BATS_TEST_TMPDIR"
    kernel narrow.cl 'kernel void narrow(global uint *o) { o[0] = min((uchar)100, 300); }'
    run ! lens kernel --check narrow.cl
    [[ $output == *"narrow.cl:1:"*"error: call to 'min' is ambiguous"* ]]
    kernel lift.cl 'kernel void lift(global float4 *o, float floor) {
        int i = get_global_id(0);
        o[i] = min(5.0f, max(floor, o[i]));
        o[i] = clamp(2.5f, o[i], (float4)9) + mad(o[i], 1.0f, (float4)1);
    }'
    run -0 lens kernel --check lift.cl 'lift(o[2]=(0,1,2,3,4,5,6,7), floor=2)' --global 2
    [[ $output == *'o[2]: 5.5 5.5 5.5 7 9 11 11 11'* ]]
}
