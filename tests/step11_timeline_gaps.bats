load helper.bash

@test "step11: every version is right, says how many batches it asks for, and is drawn" {
    right --size 100003 --seed 7
    [[ $output == *"finish after each "*" 0 more"*"one batch ahead "*" 1 more"*"three queues "*" 2 more"* ]]
    [[ $output == *"finish after each:"*"host  "*" idle "*"three queues:"*"compute  "*" idle "* ]]
}

@test "step11: right at its default, with as many rounds as the clock chooses" {
    right --format csv
    [ "${#lines[@]}" -eq 5 ] # the heading, three rows, the headline
    [[ $output == *'"three queues"'*'"headline: one batch ahead, not one by one"'* ]]
}

@test "step11: size 1, fewer than a group, sizes that nothing divides, small groups" {
    for size in 1 31 1003; do
        right --size $size
    done
    LOCKSTEP_MAX_GROUP=3 right --size 1003
}

@test "step11: --timeline writes a picture, or what trace viewers read" {
    local file=$BATS_TEST_TMPDIR/timeline
    right --size 1003 --timeline "$file.json"
    # A span of each stage for each of 40 batches; two of the host.
    [ "$(grep -c '"name":"prepare","ph":"X"' "$file.json")" -eq 120 ]
    [ "$(grep -c '"name":"use","ph":"X","pid":2,"tid":0,' "$file.json")" -eq 40 ]
    [ "$(grep -c '"name":"compute","ph":"X","pid":2,"tid":2,' "$file.json")" -eq 40 ]
    grep -q '"ph":"M","pid":2,"args":{"name":"three queues"}' "$file.json"
    right --size 31 --timeline "$file.svg"
    [[ $(< "$file.svg") == *'<svg'*'three queues'* ]]
    says 2 "cannot write" "$STEM" --size 1 --repeats 1 --timeline /nowhere/timeline.svg
}

@test "step11: any number of batches, also fewer than slots, and stored times are of 40" {
    for batches in 1 2 4 7; do
        right --size 1003 --batches $batches
        [[ $output == *"The stored times are of 40 batches."* ]]
    done
    right --size 1003 --batches 2
    [[ $output == *"three queues "*" 1 more"* ]]
    right --size 1003 --batches 40
    [[ $output != *"stored times are of"* ]]
    says 2 "--batches" "$STEM" --size 31 --batches 0
}

# By hand, in the chapter: 3 + 3 + 3 + 0 are left with one batch ahead, and 6 + 6 + 3 + 0 with two.
@test "step11: lens: four batches, as by hand" {
    run -0 lens --quiet --waits "$BUILT/$STEM" --repeats 1 --size 4096 --batches 4
    local report
    report=$(tr -s ' ' <<< "$output")
    [[ $report == *" for a read 8 x 3.00 commands left, 2 x none"* ]]
    [[ $report == *" clFinish 8 x 0.00 commands left, 8 x none"* ]]
}

@test "step11: lens: what is left to do when the host has waited" {
    run -0 lens --quiet --waits "$BUILT/$STEM" --repeats 1 --size 4099
    local report
    report=$(tr -s ' ' <<< "$output")
    # A batch is three commands.  One ahead: they are left 39 times of 40.  Two ahead: six are
    # left 38 times, and then three: (39 * 3 + 38 * 6 + 3) / 80.
    [[ $report == *" for a read 80 x 4.35 commands left, 2 x none"* ]]
    # Finished after each.
    [[ $report =~ " clFinish "([0-9]+)" x 0.00 commands left, "([0-9]+)" x none" ]]
    [ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]}" ]
    [ "${BASH_REMATCH[1]}" -ge 40 ]
    [[ $report == *" 1 all 8.0 1 of 4,105"* ]]
}

# The versions in one queue have 80 batches, so 81 is the first in three queues.  Before them there
# are 20 waits, which compare the clocks of host and device.  That a slot is not used again too
# early is the exercise's cheat always.
@test "step11: each wait is needed: without it the result is wrong" {
    needs_wait timeline_gaps:81 copy-in:81 --size 31
    needs_wait copy-out:81 timeline_gaps:81 --size 31
    forgetting wait:101 copy-out:81 "$STEM" --repeats 1 --size 31
    [[ $output == *"wrong: three queues: batch 0: words[0] is "*", expected "* ]]
}

@test "step11: no race" {
    no_races --size 1003
}

@test "step11: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step11: exercise: begins right but one by one, and ours passes with margin" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step11: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step11: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
