load helper.bash

@test "step11: every way of waiting is right, and draws who was busy when" {
    right --size 65536 --rounds 4
    [[ $output == *"three queues "*" of the slowest, kernels idle "*"copy-out, alone"* ]]
    [[ $output == *"times the slowest alone, "*"  4x "*" faster; overlapped "* ]]
    [[ $output == *"finish after each"*"host  "*"copy-in  "*" idle "*"three queues"* ]]
}

@test "step11: --all measures long copies, too: what a copy of a batch is compared with" {
    right --size 1003 --rounds 4 --all --format csv
    for row in "to device" "to host" "to device, pinned" "to host, pinned"; do
        [[ $output == *"\"$row\","*',67108864,'* ]] || { echo "no row $row"; return 1; }
    done
}

@test "step11: right at its default, with as many rounds as are balanced" {
    right --format csv
    [ "${#lines[@]}" -ge 10 ]
    [[ $output == *'"three queues"'*',524288,'*'"host, alone"'* ]]
}

@test "step11: size 1, fewer than a group, and sizes that nothing divides" {
    for size in 1 7 31 1003 10007; do
        right --size $size
    done
}

@test "step11: json has a row for each stage and each way, and nothing else" {
    right --size 1003 --format json
    for line in "${lines[@]}"; do
        [[ $line == '{"step": "step11_timeline_gaps", '*'}' ]]
    done
    [ "${#lines[@]}" -ge 9 ]
}

@test "step11: a size that does not fit is refused, with one that would" {
    says 2 "too many" "$STEM" --size 1000000000000
}

@test "step11: writes a trace: each version a process, its rows threads" {
    local trace=$BATS_TEST_TMPDIR/trace.json
    right --size 1003 --rounds 4 --trace "$trace"
    # A span of each stage for each of 40 batches; of the four launches of compute, each.
    [ "$(grep -c '"name":"prepare","ph":"X"' "$trace")" -ge 200 ]
    [ "$(grep -c '"name":"use","ph":"X","pid":4,"tid":0,' "$trace")" -eq 40 ]
    [ "$(grep -c '"name":"compute","ph":"X","pid":4,"tid":2,' "$trace")" -eq 160 ]
    [ "$(grep -c '"name":"In, queue 2","ph":"X","pid":3,"tid":1,' "$trace")" -eq 20 ]
    grep -q '"ph":"M","pid":4,"args":{"name":"three queues"}' "$trace"
    if command -v python3; then
        python3 -m json.tool "$trace" > /dev/null
    fi
    says 2 "cannot write" "$STEM" --size 1 --repeats 1 --trace /nowhere/trace.json
}

@test "step11: each wait is needed: without it the result is wrong" {
    for wait in copy-in compute copy-out reuse; do
        run -1 "$STEM" --forget $wait --size 10007
        [[ $output == *"WRONG, $wait"* ]]
        run -1 "$STEM" --forget $wait --size 1 --format csv
        [ "${#lines[@]}" -eq 2 ]
    done
}

@test "step11: says which waits can be forgotten, and how many rounds there can be" {
    says 2 "copy-in, compute, copy-out or reuse" "$STEM" --forget nothing
    says 2 "--rounds needs a whole number from 1 to" "$STEM" --rounds 0
}

@test "step11: lens: lanes side by side, and all go round equally often" {
    counts 4096 "100.0 % used" " branch 0 of 513 diverged"
}

@test "step11: refuses a neighbour's word, which is a race in all links but the first" {
    races_refuses next_word --size 1003 --rounds 4
}

@test "step11: no race in any link" {
    no_races --size 1003 --rounds 4
    no_races --size 1
}

@test "step11: one way of waiting alone, by its place in the table" {
    right --size 1003 --only 3 --format csv
    [ "${#lines[@]}" -eq 6 ]
    [[ $output == *'"next one prepared first"'* ]]
    says 2 "--only needs a whole number from 1 to" "$STEM" --size 1 --only 0
}

@test "step11: lens: what is left to do when the host has waited" {
    waits() { # waits ONLY MEAN IDLE : of 40 waits for what is copied out
        run -0 lens --quiet --waits "$BUILT/$STEM" --repeats 1 --size 31 --rounds 1 --only "$1"
        [[ $(tr -s ' ' <<< "$output") == *" for a read 40 x $2 commands left, $3 x none"* ]]
    }
    # A batch is two copies and four launches.  So many are left when 40 - ahead batches were
    # waited for; then they run out: 39 * 6 / 40, and (38 * 12 + 6) / 40.
    waits 2 0.00 40
    waits 3 5.85 1
    waits 4 5.85 1
    waits 5 11.55 1
}

@test "step11: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step11: exercise: begins right but in turn, and ours passes with margin" {
    exercise_begins SHAPE
    exercise_solved
}

@test "step11: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step11: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
