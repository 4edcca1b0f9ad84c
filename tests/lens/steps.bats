load helper.bash

# Mistakes in the kernels of the steps, and none.

@test "races: silent on every kernel of the steps" {
    export LIMITS_DIR=$BATS_TEST_TMPDIR
    quickly
    for file in "$ROOT"/steps/step*.c; do
        grep -q no_races "$ROOT/tests/$(basename "$file" .c).bats" && continue # there
        run lens --races --quiet "$(basename "$file" .c)" --repeats 1 --size 16387
        [ "$status" -eq 77 ] && continue # this device lacks what the step needs
        [ "$status" -eq 0 ]
        [[ $output == *"no mistake found in "* ]]
    done
}

# wrong STEM.MISTAKE TEXT : the mistake is caught before the kernel has run.
wrong() {
    quickly
    run -1 lens --races --quiet "${1%%.*}" --repeats 1 --size 16387 \
        --kernel "$BUILT/mistakes/$1.cl"
    [[ $output == *"error: "*"$2"* ]]
}

@test "races: wrong kernels of the steps that go outside, or race" {
    wrong step02_dot_timed.too_far "out-of-bounds access"
    wrong step03_dot_coalesced.no_bounds_guard "out-of-bounds access"
    wrong step04_dot_groups.no_bounds_guard "out-of-bounds access"
    wrong step04_dot_groups.local_index "data race"
}

@test "races: what the step itself finds wrong is said to be no race" {
    quickly
    run --separate-stderr -1 lens --quiet --races step05_dot_strided --repeats 1 --size 1000 \
        --kernel "$(mistake first_of_each_stride step05_dot_strided)"
    [[ $output == "no mistake found in "* ]]
    [[ $stderr == *"wrong: the sum is "*"ended with status 1: what it found wrong is no race"* ]]
}
