load helper.bash

# The kernels of the steps.

@test "lens: every step's kernels give the device's results" {
    for source in "$ROOT"/steps/step*.c; do
        stem=$(basename "$source" .c)
        [ "$stem" = step00_device_limits ] && continue # it launches as much as it can
        [ "$stem" = step07_reduce_simd ] && continue   # asks for the device's own way
        [[ $stem == step17* ]] && continue             # libraries' sines have last digits of their own
        [ "$stem" = step10b_group_tail ] && continue   # its kernel writes down the time
        size=20003
        [ "$stem" = step16_shock_filter ] && size=14400 # what follows a line's end means nothing
        run lens --compare --quiet "$stem" --size "$size" --repeats 1
        [ "$status" -ne 77 ] || continue # this device lacks what the step needs, or MPI is missing
        [ "$status" -eq 0 ]
        [[ $output == *"the replay's results are the device's"* ]] || { echo "$stem: $output"; return 1; }
    done
}

@test "races: silent on every kernel of the steps" {
    export LIMITS_DIR=$BATS_TEST_TMPDIR
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
