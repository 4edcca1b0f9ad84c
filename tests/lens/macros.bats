load helper.bash

# The device's own macros.

# conditions CONDITION [FILE] : ours.cl copies; FILE, or other.cl, goes outside where the
# condition is true.
conditions() {
    cd "$BATS_TEST_TMPDIR"
    echo 'kernel void copy(global const float *x, global float *out) {
        const uint i = get_global_id(0);
        out[i] = x[i];
    }' > ours.cl
    { printf '%s\n' "$1" 'enum { FAR = 1 };' '#else' 'enum { FAR = 0 };' '#endif'
        sed 's/ x\[i\]/ x[i + FAR]/' ours.cl; } > "${2:-other.cl}"
}

# defined MACRO : does the device's compiler define it?
defined() {
    printf '%s\n' "#ifndef $1" '#error no' '#endif' 'kernel void k(global float *x) { *x = 0; }' \
        > "$BATS_TEST_TMPDIR/k.cl"
    "$BATS_FILE_TMPDIR/launch" "$BATS_TEST_TMPDIR/k.cl" k 1 1 f1 2> /dev/null
}

@test "macros: what is wrong only with the device's own is seen to be wrong" {
    local macro count=0 mistakes line
    for macro in __x86_64__ __aarch64__ POCL_DEVICE_ADDRESS_BITS __OPENCL_VERSION__; do
        defined "$macro" || continue
        count=$((count + 1))
        # However it is asked, and in whichever way the lens looks.
        conditions "#ifdef $macro"
        conditions "#if 1 + $macro >= 2" sum.cl
        conditions "#if !defined NONE && defined($macro)" defined.cl
        run -1 lens --quiet --races "$BATS_FILE_TMPDIR/launch" other.cl copy 64 64 f64 e64
        [[ $output == "error: copy: out-of-bounds access: x in global memory, bytes 256 "* ]]
        run -1 --separate-stderr lens --quiet --ours ours.cl --mistake other.cl \
            "$BATS_FILE_TMPDIR/launch" other.cl copy 64 64 f64 e64
        [ "${lines[-1]}" = "matches the known mistake other.cl" ]
        mistakes=(--mistake other.cl --mistake sum.cl --mistake defined.cl)
        run -0 --separate-stderr lens --quiet --ours ours.cl "${mistakes[@]}" --each \
            "$BATS_FILE_TMPDIR/launch" ours.cl copy 64 64 f64 e64
        [ "${#lines[@]}" -eq 3 ]
        for line in 0 1 2; do
            [[ ${lines[$line]} == "${mistakes[2 * line + 1]}"$'\t'OUTSIDE$'\t'* ]]
        done
        conditions "#ifndef $macro"
        run -0 lens --quiet --races "$BATS_FILE_TMPDIR/launch" other.cl copy 64 64 f64 e64
    done
    [ "$count" -ge 1 ]
}

@test "macros: values are the device's, and what only it understands does no harm" {
    cd "$BATS_TEST_TMPDIR"
    echo 'kernel void k(global int *x) { x[0] = __OPENCL_VERSION__ + __INT_MAX__ / 2; }' > k.cl
    run -0 lens --quiet --compare "$BATS_FILE_TMPDIR/launch" k.cl k 1 1 i1
    [ "$output" = "the replay's results are the device's" ]
    defined POCL_DEVICE_ADDRESS_BITS || skip "no PoCL"
    printf '%s\n' 'kernel void k(global float *x) {' '#ifdef POCL_DEVICE_ADDRESS_BITS' \
        'x[0] = _cl_sqrt(x[0]);' '#endif' '}' > k.cl
    run -0 --separate-stderr lens --quiet --races "$BATS_FILE_TMPDIR/launch" k.cl k 1 1 f1
    [ "$output" = "no mistake found in 1 launch" ]
    [[ $stderr == *"the replay is without them"* ]]
}

@test "macros: a device that does not answer is looked at as before" {
    conditions '#ifdef __x86_64__'
    POCL_EXTRA_BUILD_FLAGS='-DLENS_STRING=1 -Werror' run -0 --separate-stderr lens --quiet --races \
        "$BATS_FILE_TMPDIR/launch" other.cl copy 64 64 f64 e64
    [ "$output" = "no mistake found in 1 launch" ]
}

@test "macros: a kernel that reads a clock shows the same in each replay" {
    defined __x86_64__ || skip "another processor"
    cd "$BATS_TEST_TMPDIR"
    echo 'kernel void k(global ulong *x) {
        uint unit;
        x[0] = __builtin_ia32_rdtsc();
        x[1] = __builtin_ia32_rdtscp(&unit);
        x[2] = x[1] > x[0] && unit == 0;
    }' > ours.cl
    sed 's/ == 0;/ == 1;/' ours.cl > other.cl
    run -0 lens --quiet --ours ours.cl --mistake other.cl --each "$BATS_FILE_TMPDIR/launch" \
        ours.cl k 1 1 i6
    [[ $output == *$'\tWRONG\t'*$'\tk: x[2] is 0, ours has 1' ]]
}
