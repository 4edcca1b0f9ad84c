load helper.bash

# Programs that the lens looks into, and what it cannot look at.

@test "lens: a program is linked, loads OpenCL late, or is in Python: the report is the same" {
    local launch=("$BATS_FILE_TMPDIR/launch" k.cl odd 64 64 f64 f64) late=("$BATS_FILE_TMPDIR/late" k.cl)
    local python=(/usr/bin/python3 "$ROOT/tests/lens/twice.py" k.cl) names=$BATS_TEST_TMPDIR/names
    host late
    cd "$BATS_TEST_TMPDIR"
    cat > k.cl << 'EOK'
kernel void odd(global const float *in, global float *out) {
    uint i = get_global_id(0);
    if (i % 2)
        out[i] = in[i / 2];
}
kernel void racy(global float *in, global float *out) {
    out[0] = get_global_id(0);
}
EOK
    lens --quiet --all "${launch[@]}" > wanted
    grep -q 'branch  *2 of 2 diverged' wanted
    prints wanted lens --quiet --preload --all "${launch[@]}"
    prints wanted lens --quiet --all "${late[@]}" odd
    run -1 lens --quiet --races "${late[@]}" racy
    [[ $output == "error: racy: data race: "* ]]
    says 77 "late made no launch that was looked at" lens --preload --races "${late[@]}" racy
    # The user's own layers stay, and no call comes to us twice.
    OPENCL_LAYERS=$names/nosuch.so LD_LIBRARY_PATH='' run -0 lens sh -c 'echo "$OPENCL_LAYERS" >&2; exec "$@"' sh "${launch[@]}"
    [[ $output == "$names/nosuch.so:$BUILT/liblens.so"* ]]
    "${python[0]}" -c 'import pyopencl' 2> /dev/null || skip "no PyOpenCL here"
    export XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache
    "${python[@]}" odd # from now on it is in PyOpenCL's cache
    prints wanted lens --quiet --all "${python[@]}" odd 2> said
    [ "$(cat said)" = "note: PyOpenCL's cache, which hides sources, is off for this run (PYOPENCL_NO_CACHE=1)" ]
}

@test "lens: kernels that are linked of parts, or cloned, and launches beside a user event" {
    host parts
    export POCL_CACHE_DIR=$BATS_TEST_TMPDIR/cache # where PoCL puts headers: it takes no blank there
    for way in linked cloned beside; do
        run -0 lens --quiet --races "$BATS_FILE_TMPDIR/parts" $way
        [ "$output" = "no mistake found in 1 launch" ]
        run -1 lens --quiet --races "$BATS_FILE_TMPDIR/parts" $way racy
        [[ $output == "error: racy: data race: "* ]]
    done
    run -0 lens --quiet --all "$BATS_FILE_TMPDIR/parts" linked
    [[ $output == *"3      out[get_global_id(0)] = in[next(get_global_id(0))];"* ]]
    for way in behind after; do
        says 77 "it may wait for an event that the program sets later" \
            lens --quiet --races "$BATS_FILE_TMPDIR/parts" $way
    done
    for way in binary unlike; do
        says 77 "its source was not seen: it came as a binary, or was linked from one" \
            lens --quiet --races "$BATS_FILE_TMPDIR/parts" $way
        [ "$(grep -c 'its source was not seen' <<< "$stderr")" -eq 1 ]
    done
    # As a driver that has taken SPIR-V answers: PoCL takes none.
    printf '%s\n' '#define _GNU_SOURCE' '#include <dlfcn.h>' '#include <CL/cl.h>' \
        'cl_int clGetProgramInfo(cl_program p, cl_uint what, size_t room, void *to, size_t *size) {' \
        '    cl_int (*real)(cl_program, cl_uint, size_t, void *, size_t *);' \
        '    *(void **)&real = dlsym(RTLD_NEXT, "clGetProgramInfo");' \
        '    return what == 0x1169 && size ? (*size = 4, CL_SUCCESS) : real(p, what, room, to, size); }' \
        > "$BATS_TEST_TMPDIR/il.c"
    "${CC:-cc}" -shared -fPIC -DCL_TARGET_OPENCL_VERSION=120 -o "$BATS_TEST_TMPDIR/il.so" \
        "$BATS_TEST_TMPDIR/il.c" -ldl
    LD_PRELOAD=$BATS_TEST_TMPDIR/il.so says 77 "is not shown: SPIR-V (clCreateProgramWithIL) is not modelled" \
        lens --quiet --races "$BATS_FILE_TMPDIR/parts" binary
    # Nor does it take C++, which stands here where it does no harm.
    LAUNCH_OPTIONS='-cl-std=CL1.2 -DUNUSED=-cl-std=clc++' says 77 "coalesced is not shown: C++ for OpenCL is not" \
        lens --races "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/counts.cl" coalesced 64 64 f64 f64
    says 77 "C++ for OpenCL is not modelled" lens kernel --build -cl-std=CLC++ "$ROOT/tests/lens/alone.cl" wide
}

@test "lens: launches of a command buffer are looked at one after another, in either way" {
    host recorded
    "$BATS_FILE_TMPDIR/recorded" second || skip "this device cannot record"
    for option in --races --preload; do
        run -0 lens --quiet --races $option "$BATS_FILE_TMPDIR/recorded" second
        [ "$output" = "no mistake found in 4 launches (2 replayed, the others equal to one of these)" ]
        run -1 lens --quiet --races $option "$BATS_FILE_TMPDIR/recorded" racy
        [[ $output == "error: racy: data race: "* ]]
    done
    run -0 lens --quiet --waits "$BATS_FILE_TMPDIR/recorded" second
    [[ $(tr -s ' ' <<< "$output") == *" for a replay 2 x 0.00 commands left, 2 x none"* ]]
    [[ $output == *"first "*"second "* ]]
    says 77 "a command buffer is not shown: it may hold more than launches" \
        lens --quiet --races "$BATS_FILE_TMPDIR/recorded" second fill
}

@test "lens: what it could not look at is named, and is status 77" {
    local folder=$BATS_TEST_TMPDIR/colon:name quiet=$BATS_TEST_TMPDIR/quiet
    mkdir "$folder"
    cp "$BUILT/lens" "$BUILT/liblens.so" "$BUILT/builtins.cl" "$BUILT/conversions.cl" "$folder"
    says 2 "programs cannot load the lens from $folder" "$folder/lens" --races true
    mkdir "$BATS_TEST_TMPDIR/alone"
    cp "$BUILT/lens" "$BATS_TEST_TMPDIR/alone"
    says 2 "builtins.cl is missing" "$BATS_TEST_TMPDIR/alone/lens" true
    for option in --races --all --format=json; do
        says 77 "true made no OpenCL call that the lens could see" lens $option true
        [ -z "$output" ]
    done
    says 77 "true made no launch that was looked at" lens --preload --races true
    says 1 "false made no OpenCL call that the lens could see" lens --races false
    says 77 "env made no OpenCL call that the lens could see" lens --races env -u OPENCL_LAYERS \
        "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/races.cl" tree 64 64 f64 f64
    echo 'int main(void) { return 0; }' > "$quiet.c"
    if "${CC:-cc}" -static -o "$quiet" "$quiet.c" 2> /dev/null; then
        for option in --races --preload; do
            says 77 "$quiet made no OpenCL call that the lens could see" lens $option "$quiet"
            [ -z "$output" ]
        done
    fi
    # make races ends with it, too, and goes on with the other steps; make lens does not end so.
    printf '#!/bin/sh\nexit 77\n' > "$BATS_TEST_TMPDIR/lens"
    chmod +x "$BATS_TEST_TMPDIR/lens"
    cd "$ROOT"
    for races in '' --races; do
        BUILD=$BATS_TEST_TMPDIR run -$((${#races} ? 77 : 0)) \
            sh common/commands/lens.sh $races step03_dot_coalesced step05_dot_strided --
        [ "${lines[1]}" = "step05_dot_strided was not looked at, for the reason above" ]
    done
    preload_hold
    LD_PRELOAD=$hold HOLD=mean_of_rows:1 says 77 "could not be looked at" \
        lens --quiet --races step12_concurrent_dispatch --repeats 1 --size 103
    [ -z "$output" ]
}
