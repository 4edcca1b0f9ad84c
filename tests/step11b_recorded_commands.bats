load helper.bash

@test "step11b: every way is right in each round, and says what its calls take" {
    right --size 1003 --seed 5 --repeats 3
    [[ $output == *"finish after each launch "*"one launch after another "*"right, calls "* ]]
    [[ $output == *"four links in a launch "*"right, calls "*" its kernels can"* ]]
    # PoCL can record.
    [[ $output != *"pthread-"* || $output == *"recorded once "*"Recorded, not one after another: "*"Recording took "* ]]
    [[ $output != *"recorded once "* || $output == *"later arguments are "@(ignored|used)"."* ]]
}

@test "step11b: size 1, and sizes that nothing divides" {
    for size in 1 2 31 100003; do
        right --size $size
    done
}

@test "step11b: a device that cannot record has the other rows, and the headline" {
    # With other kernels put in the place of ours, the lens refuses to record.
    run -0 lens --instead "$ROOT/kernels/$STEM.cl" "$BUILT/$STEM" --repeats 1 --size 100 --format csv
    [ "$(grep -c '^"' <<< "$output")" -eq 4 ]
    [[ $output != *"recorded once"* && $output == *'"headline: four links in a launch, not one"'* ]]
}

@test "step11b: the recorded launches are made: with other results they would not be right" {
    run -1 "$STEM" --size 100 --repeats 1 --kernel "$(mistake link_skipped)"
    [[ $output == *"recorded once "*WRONG* || $output != *"recorded once"* ]]
}

@test "step11b: the kernel that enqueues itself compiles, where a device offers that" {
    local needs=+__opencl_c_device_enqueue,+__opencl_c_generic_address_space
    for clang in "$(compgen -c clang- | grep -E '^clang-[0-9]+$' | sort -V | tail -n 1)"; do
        "$clang" -x cl -cl-std=CL3.0 -Xclang -finclude-default-header -Xclang \
            -cl-ext=$needs,+__opencl_c_program_scope_global_variables -target spir64-unknown-unknown \
            -Wall -Wextra -Werror -S -emit-llvm -o "$BATS_TEST_TMPDIR/kernel.ll" "$ROOT/kernels/$STEM.cl"
        grep -q '@recorded_commands_by_device(' "$BATS_TEST_TMPDIR/kernel.ll"
        grep -q '@__enqueue_kernel' "$BATS_TEST_TMPDIR/kernel.ll"
    done
}

@test "step11b: lens: a link in 64 launches with two loads each, or four in 16 with five" {
    run -0 lens --quiet --all "$BUILT/$STEM" --repeats 1 --size 32
    [ "$(grep -c '^recorded_commands ' <<< "$output")" -eq 64 ]
    [ "$(grep -c '^recorded_commands_four ' <<< "$output")" -eq 16 ]
}

# The 65th launch of recorded_commands is the first of "one launch after another".
@test "step11b: each launch has to wait for the one before it" {
    needs_wait recorded_commands_four:2 recorded_commands_four:1 --size 1003
    needs_wait recorded_commands:66 recorded_commands:65 --size 1003
}

@test "step11b: no race in any launch" {
    no_races --size 1003
}

@test "step11b: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step11b: exercise: begins with one link of four, and ours passes with margin" {
    exercise_begins WRONG
    exercise_solved
}

@test "step11b: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step11b: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
