load helper.bash

# The lens's options, and what ends it.

@test "lens: each mistake in its options has its own message and a hint" {
    says 2 "no program to look at" lens
    says 2 "error: --lanes " lens --lanes 5 true
    [[ $stderr == *"'5'"*16*64* ]]
    says 2 "error: --lanes cannot be '5'" lens --lanes 32,5 true
    says 2 "error: --lanes cannot be ''" lens --lanes 32, true
    says 2 "error: --lanes has 32 twice" lens --lanes 32,64,32 true
    says 2 "error: --races is not possible here" lens --lanes 32,64 --races true
    says 2 "error: --format is not possible here" lens --format json --lanes 8,4 true
    says 2 "error: --all-sizes is not possible here" \
        lens kernel --all-sizes --lanes 8,4 "$ROOT/kernels/step03_dot_coalesced.cl"
    says 2 "error: --format " lens --format x true
    [[ $stderr == *"'x'"*text*json*tsv* ]]
    says 2 "--groups needs a whole number of at least 1, not '0'" lens --groups 0 true
    says 2 "--colour is not an option" lens --colour true
    says 2 "--lanes needs a value" lens --lanes
    says 2 "cannot run nosuch" lens nosuch
    LENS_CLANG=/nonexistent says 2 "cannot run /nonexistent" \
        lens "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/counts.cl" \
        coalesced 64 64 f64 f64
    run -0 lens --help
    for option in all-launches give-up strict races ours mistake each instead lanes groups kernel all table whole format \
        svg html preload quiet \
        version help; do
        [[ $output == *"--$option"* ]]
    done
    run -0 lens --version
    [ "$output" = "lens, Lockstep $(sed -n 's/^#define LOCKSTEP_VERSION "\(.*\)"$/\1/p' \
        "$ROOT/common/driver/version.h")" ]
}

@test "lens: a signal to it, or to the program, ends both, and is named if it is a crash" {
    says 2 "sh was ended by signal 6" lens --races sh -c 'kill -ABRT $$'
    run -143 lens sh -c 'kill -TERM $$'
    lens sh -c 'kill -TERM $PPID; exec sleep 600' &
    local status=0
    wait $! || status=$?
    [ "$status" -eq 143 ]
}

@test "lens: a full disk is an error, for reports, pictures and what it compiles" {
    [ -e /dev/full ] || skip "no /dev/full here"
    local launch=("$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/counts.cl" coalesced 64 64 f64 f64)
    for option in --races --all --format=json --format=tsv; do
        says 2 "cannot write the report" sh -c 'lens --quiet "$@" > /dev/full' sh $option "${launch[@]}"
    done
    says 2 "cannot write /dev/full" lens --quiet --all --svg /dev/full "${launch[@]}"
    LENS_CACHE='' TMPDIR=/dev/full says 2 "cannot make /dev/full/lens-" lens --quiet "${launch[@]}"
    run --separate-stderr -0 lens --quiet --races --svg "$BATS_TEST_TMPDIR/none.svg" "${launch[@]}"
    [[ $stderr == *"there was nothing to draw, so "*"none.svg is not written"* ]]
}
