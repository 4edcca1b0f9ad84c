load helper.bash

# What the lens says, and what it does in hostile surroundings.

setup_file() {
    cd "$BATS_TEST_DIRNAME/.."
    PATH=$PWD/${BUILD:-build}:$PATH
    if lens true 2>&1 | grep -q 'no clang'; then
        skip "no clang that the lens could compile kernels with"
    fi
}

# in_scratch : from here on we are in the test's own folder.
in_scratch() {
    cd "$BATS_TEST_TMPDIR"
}

# host : builds tests/lens/launch.c, once for this file of tests, and sets $launch to it.
host() {
    launch=$BATS_FILE_TMPDIR/launch
    [ -e "$launch" ] || "${CC:-cc}" -std=c11 -DCL_TARGET_OPENCL_VERSION=120 -o "$launch" \
        "$ROOT/tests/lens/launch.c" ${LDFLAGS:-} -lOpenCL
}

# ---- What the compiler says.

@test "messages: a typing error is the file's, with clang's own lines and its caret" {
    in_scratch
    printf '%s\n' 'kernel void twice(global float *x) {' '    int i = get_global_id(0)' \
        '    x[i] *= 2;' '}' > typing.cl
    run -2 lens kernel typing.cl
    [ "${lines[0]}" = 'error: typing.cl does not compile:' ]
    [ "${lines[1]}" = "  typing.cl:2:29: error: expected ';' at end of declaration" ]
    [[ $output == *$'get_global_id(0)\n  '*'  ^'* && $output == *$'\n  hint    '* ]]
    [[ $output != *"the replay lacks"* && $output != *"$BATS_TEST_TMPDIR"* ]]
    # Several errors, a note with a macro of the file's own, and none about the lens's files.
    printf '%s\n' '#define PLUS(x) (x +)' 'kernel void k(global struct nowhere *p, global int *x) {' \
        '    x[0] = PLUS(3);' '    x[1] = p->none;' '}' > several.cl
    run -2 lens kernel several.cl
    [[ $output == *'several.cl:3:12: error: '*'several.cl:1:21: note: '*'several.cl:4:13: error: '* ]]
    [[ $output != *builtins.cl* && $output != *main.cl* && $output != *' generated.'* ]]
}

@test "messages: what clang calls fatal is shown, and what it was included by" {
    in_scratch
    echo '#include "nosuch.h"' > inner.h
    printf '%s\n' '#include "inner.h"' 'kernel void k(global int *x) { x[0] = 1; }' > k.cl
    run -2 lens kernel k.cl
    [ "${lines[0]}" = 'error: k.cl does not compile:' ]
    [ "${lines[1]}" = '  In file included from k.cl:1:' ]
    [[ ${lines[2]} == *"inner.h:1:10: fatal error: 'nosuch.h' file not found" ]]
    [[ $output == *'hint    -I FOLDER '* && $output != *main.cl* ]]
    local left right
    left=$(printf '(%.0s' {1..300}) right=$(printf ')%.0s' {1..300})
    echo "kernel void k(global int *x) { x[0] = ${left}1$right; }" > k.cl
    run -2 lens kernel k.cl
    [[ $output == *'fatal error: bracket nesting level exceeded'* ]]
    printf '%s\n' 'global int g = 3;' 'kernel void k(global int *x) { x[0] = g; }' > k.cl
    run -2 lens kernel k.cl
    [[ $output == *'k.cl:1:12: error: program scope variable'*'hint    '*'--build -cl-std=CL2.0' ]]
    run -0 lens kernel k.cl --build -cl-std=CL2.0
}

@test "messages: the replay lacks something only where clang alone takes the file" {
    in_scratch
    # The lens has a function of that name, which the file's declaration contradicts.
    printf '%s\n' 'int lens_fence(int);' 'kernel void k(global int *x) { x[0] = 1; }' > k.cl
    run -77 lens kernel k.cl
    [[ $output == *'the replay lacks something that it needs'*'k.cl:1:5: error: '*'hint '* ]]
    host
    run lens --quiet "$launch" k.cl k 1 1 i1
    [[ $status -eq 77 && $output == *'the replay lacks something that this kernel file needs'* ]]
}

@test "messages: a clang that crashes says so, and leaves no files" {
    in_scratch
    echo 'typedef void (*f)(void); void g(void) {} kernel void k(global int *x) { f h = g; h(); }' > k.cl
    run lens kernel k.cl
    [ "$status" -eq 77 ] || skip "this clang does not crash at a function pointer"
    [[ $output == *crashed* ]] || skip "this clang does not crash at a function pointer"
    run find "$TMPDIR" -name 'main-*'
    [ -z "$output" ]
}

@test "messages: what a killed lens has left is removed, and what another one uses is not" {
    in_scratch
    local ago
    ago=$(date -d '1 hour ago' +%Y%m%d%H%M)
    echo 'kernel void k(global int *x) { x[0] = 1; }' > k.cl
    mkdir lens-killed lens-in_use lens-a lens-young1 lens-others
    touch lens-killed/main.cl lens-in_use/main.cl lens-others/mine
    touch -t "$ago" lens-killed lens-in_use lens-a lens-others
    flock lens-in_use lens kernel k.cl > /dev/null
    [ ! -e lens-killed ]
    [ -e lens-in_use/main.cl ]
    [ -e lens-a ]
    [ -e lens-young1 ]
    [ -e lens-others/mine ]
    # Killed in mid-work, it leaves a folder which nobody holds.
    printf '#!/bin/sh\nkill -9 $PPID\n' > clang-killer
    chmod +x clang-killer
    run env LENS_CLANG=./clang-killer LENS_CACHE= lens kernel k.cl
    [ "$status" -eq 137 ]
    local left
    left=$(find . -maxdepth 1 -name 'lens-??????' -newer clang-killer ! -name lens-young1)
    [ -d "$left" ]
    touch -t "$ago" "$left"
    lens kernel k.cl > /dev/null
    [ ! -e "$left" ]
}
