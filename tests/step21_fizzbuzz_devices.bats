load helper.bash

# text_of ARGUMENTS : what the step writes; its table is kept for table().
text_of() {
    "$STEM" "$@" 2> "$BATS_TEST_TMPDIR/table"
}

table() {
    undivided < "$BATS_TEST_TMPDIR/table"
}

# undivided : leaves out what is said of a device that cannot be divided, as those of PoCL 7.1.
undivided() {
    grep -v '^this device cannot be divided: CL_' || true
}

# wanted FIRST COUNT : keeps these lines, for several comparisons.
wanted() {
    fizzbuzz "$1" "$2" > "$BATS_TEST_TMPDIR/wanted"
}

# is_wanted : so is the text on stdin, to the last byte.
is_wanted() {
    cmp - "$BATS_TEST_TMPDIR/wanted"
}

# lost_by DEVICE : how many pieces it has lost, after CL_OUT_OF_RESOURCES.
lost_by() {
    table | sed -n "s/^device $1 failed: CL_OUT_OF_RESOURCES; pieces lost: \([0-9]*\)$/\1/p"
}

# slowly : a reader who sleeps first, so that each worker has time for a piece.
slowly() {
    sleep 0.2
    cat
}

@test "step21: right by default: the text, each device alone and all, to the host and kept there" {
    run -0 --separate-stderr "$STEM" --repeats 1
    [ "$output" = "$(fizzbuzz 1 20)" ]
    local devices
    devices=$(grep -c '^device [0-9]*, [0-9]* units* of .*: [0-9]* lines$' <<< "$stderr")
    [ "$(grep -c '  right$' <<< "$stderr")" -eq $((2 * (devices + 1))) ]
    grep -qE '^text, by all .* [0-9.]+ +right, too few lines$' <<< "$stderr"
    [[ $stderr == *"text, by all "*"device 0, to the host "*"all $devices, kept there "* ]]
    [ "$devices" -eq 1 ] || [[ $stderr == *$'\nall devices, not the best alone\n'* ]]
}

@test "step21: the text is awk's, of any length" {
    writes_lengths
}

@test "step21: the text is awk's, from any line, by one device and by parts" {
    writes_anywhere
    writes_anywhere --split 3
}

@test "step21: the same from one device, from parts, and from more parts than there are" {
    wanted 1 1000001
    for parts in 1 2 4 16; do
        text_of --split $parts --size 1000001 | is_wanted
    done
    for parts in 2 3 4; do
        DEVICE=cpu POCL_MAX_PTHREAD_COUNT=7 text_of --split $parts --size 1000001 | is_wanted
        [ "$(table | grep -c '^device ')" -eq $parts ] || ! table | grep -q '^device 1, '
    done
    POCL_MAX_PTHREAD_COUNT=1 text_of --split 2 --size 1000001 | is_wanted
    for parts in 1 2 4 16; do
        writes 1 10001 --split $parts
        writes 0 100003 --split $parts
    done
}

# The sum is that of the same lines by seq and sed.
@test "step21: ten million lines have the right SHA-256, and each is taken once" {
    local sum=049663924ef63e4ac6dc67fb319745b8e2122bcb2e7231928c23d4c628962bf9 lines
    for parts in 1 2; do
        [ "$(text_of --split $parts --size 10000000 | sha256sum)" = "$sum  -" ]
        lines=$(table | sed -n 's/^device .*: \([0-9]*\) lines$/\1/p' | paste -sd+)
        [ $((lines)) -eq 10000000 ]
    done
}

@test "step21: in order, also with a slow device and with a slow reader" {
    wanted 1 1000000
    text_of --split 2 --size 1000000 --slow 0 | is_wanted
    for i in 1 2; do
        text_of --split 2 --size 1000000 | slowly | is_wanted
    done
    # Threads that get no core for a while.
    local spinners=()
    for i in 1 2 3 4; do
        while :; do :; done &
        spinners+=($!)
    done
    for i in 1 2 3; do
        text_of --split 2 --size 1000000 | is_wanted
    done
    kill "${spinners[@]}"
}

# Each of its three workers ends with the first piece that it loses.
@test "step21: one device fails: it loses three pieces at most, and no line is lost or comes twice" {
    wanted 1 4000000
    local devices=1 lost
    DEVICE=cpu text_of --split 2 --size 1000 > /dev/null
    ! table | grep -q '^device 1, ' || devices=2
    for ((one = 0; one < devices; one++)); do
        DEVICE=cpu text_of --split 2 --size 4000000 --break $one | slowly | is_wanted
        if table | grep -q '^device 1, '; then
            [ "$(table | grep -c failed)" -eq 1 ]
            lost=$(lost_by $one)
            [ "$lost" -ge 1 ] && [ "$lost" -le 3 ]
        fi
    done
    DEVICE=cpu writes 1 1000 --split 2 --break 0
}

@test "step21: all devices fail: each worker loses a piece, and the host writes the rest" {
    wanted 1 1000001
    DEVICE=cpu text_of --split 1 --size 1000001 --break 0 | is_wanted
    [ "$(lost_by 0)" -eq 3 ]
}

@test "step21: a device that failed is not compared with others" {
    run -0 "$STEM" --output none --split 2 --break 0 --size 1000000 --device cpu
    [[ $output == *"device 0 failed: CL_OUT_OF_RESOURCES"* ]]
    [[ $output == *$'\nto the host: not compared, as a device failed\nkept there: not compared'* ]]
    [[ $output != *"  right"* ]]
}

@test "step21: no text with --output none; through make only the text is on stdout" {
    POCL_MAX_PTHREAD_COUNT=2 run -0 --separate-stderr "$STEM" --output none \
        --size 10000 --repeats 2 --split 2 --device cpu --format json
    [[ $output == *'"device 0, to the host"'*'"GB/s"'*'"all '*', to the host"'*'kept there"'* ]]
    [ "$(grep -c '"result": "ok"' <<< "$output")" -eq "${#lines[@]}" ]
    cd "$ROOT"
    unset MAKEFLAGS MFLAGS MAKELEVEL FLAGS
    make SETUP=no step21 run ARGS="--size 100" \
        > "$BATS_TEST_TMPDIR/text" 2> "$BATS_TEST_TMPDIR/table"
    wanted 1 100
    is_wanted < "$BATS_TEST_TMPDIR/text"
    table | grep -q "text, by all .*  right"
}

@test "step21: a reader who leaves is no error; a full disk is one" {
    set -o pipefail
    for size in 1000 100000000; do
        [ "$(text_of --size $size | head -3 | paste -sd' ')" = '1 2 Fizz' ]
    done
    [ -z "$(table)" ] # (a pipe takes 1000 lines whole, and then there is a row)
    [ -w /dev/full ] || skip "no /dev/full here"
    to_full_disk() { "$STEM" --size "$1" > /dev/full; }
    for size in 20 10000000; do
        says 2 "cannot write the text" to_full_disk $size
    done
}

@test "step21: options, devices and kernel files that are no good have a message and a hint" {
    says 2 "--output must be write or none, not 'vmsplice'" "$STEM" --output vmsplice
    says 2 "--split needs a whole number from 1 to 16, not '17'" "$STEM" --split 17
    says 2 "--break needs a whole number from 0 to 15, not 'x'" "$STEM" --break x
    says 2 "--first needs a whole number from 0 to 1, not '2'" "$STEM" --first 2
    says 2 "--from needs a whole number from 0 to 1000000000000, not" "$STEM" --from 1000000000001
    says 2 "1000000000001 lines are too many" "$STEM" --size 1000000000001
    run -0 "$STEM" --help
    [[ $output == *--first*--from*--output*--split*--break*--slow* ]]
    says 2 "no device matches 'nosuch'" "$STEM" --device nosuch
    says 2 "there is no device 15 to break" "$STEM" --device cpu --break 15
    says 2 "there is no device 15 to slow down" "$STEM" --device cpu --slow 15
    says 2 "there is no kernel fizzbuzz_devices" "$STEM" \
        --kernel "$ROOT/kernels/step19_fizzbuzz_branches.cl"
    local file=$BATS_TEST_TMPDIR/broken.cl
    echo 'kernel void fizzbuzz_devices(global uint4 *text) { *text = nonsense; }' > "$file"
    says 2 "$file does not compile for" "$STEM" --kernel "$file"
    [[ $stderr == *nonsense* && -z $output ]]
}

@test "step21: from a folder with a blank in its name, with groups of 100" {
    mkdir "$BATS_TEST_TMPDIR/a folder"
    cd "$BATS_TEST_TMPDIR/a folder"
    cp "$ROOT/kernels/$STEM.cl" "my kernel.cl"
    LOCKSTEP_MAX_GROUP=100 writes 1 10003 --kernel "my kernel.cl"
}

# A page is 595 times 16 bytes: 18 warps of 32 lanes and one of 19, in each of two groups.
@test "step21: lens: no branch diverges, and 31.3 of 32 lanes write" {
    run -0 lens --quiet --kernel '*' "$BUILT/$STEM" --repeats 1 --size 9600 --from 100000000 \
        --output none --split 1
    local report
    report=$(tr -s ' ' <<< "$output")
    for text in "1190 items in groups of 595: 31.4 of 32 lanes busy" \
        "2 groups of 19 warps; 1.00 barriers in each" \
        "store parts 48 x 32.0 lanes 1.00 passes (ideal 1.00)" \
        "load fixed 38 x 31.3 lanes 15.68 sectors (ideal 15.68)" \
        "load windows 38 x 31.3 lanes 3.95 sectors (ideal 3.95)" \
        "load parts 152 x 31.3 lanes 1.32 passes (ideal 1.00)" \
        "store text 152 x 31.3 lanes 16.16 sectors (ideal 15.68)"; do
        [[ $report == *"$text"* ]] || { echo "not there: $text"; return 1; }
    done
    none_diverged "$output"
}

@test "step21: lens: launches of several devices at once are not mixed up, and have no race" {
    POCL_MAX_PTHREAD_COUNT=2 run -0 lens --quiet --compare "$BUILT/$STEM" --repeats 1 \
        --size 100000 --output none --split 2
    [[ $output == *"the replay's results are the device's"* ]]
    wanted 1 100000
    lens --races "$BUILT/$STEM" --split 2 --size 100000 \
        > "$BATS_TEST_TMPDIR/report" 2> "$BATS_TEST_TMPDIR/text"
    grep -q "no mistake found" "$BATS_TEST_TMPDIR/report"
    undivided < "$BATS_TEST_TMPDIR/text" | head -n 100000 | is_wanted
}

@test "step21: a wrong text is not begun; what shows only later is written by the host" {
    quickly
    run -1 --separate-stderr "$STEM" --split 2 --size 1000 --kernel "$(mistake byte_phase)"
    [ -z "$output" ]
    [[ $stderr == *"wrong: line 100, "*WRONG*"device 0 failed: its text is wrong; pieces lost: 0"* ]]
    # It is after the first 64 blocks, which each device has to write before the text begins.
    wanted 4200000 400000
    run -1 bash -c '"$0" --from 4200000 --size 400000 --kernel "$1" > "$2" 2> "$3"' \
        "$STEM" "$(mistake middle_number)" "$BATS_TEST_TMPDIR/text" "$BATS_TEST_TMPDIR/table"
    is_wanted < "$BATS_TEST_TMPDIR/text"
    [[ $(table) == *"wrong: line 45616"*WRONG*"failed: its text is wrong; pieces lost: 1"* ]]
}

@test "step21: mistakes that short texts hide" {
    quickly
    right --size 4599 --kernel "$(mistake lost_last_page)"
    right --size 1000 --kernel "$(mistake page_offset)"
    right --size 5799 --kernel "$(mistake group_offset)" # two groups: from line 5800 on
    right --from 1000000000 --size 1000 --kernel "$(mistake unused_zeros)"
    refuses digit_change --from 999999000 --size 2000 --output none
}

@test "step21: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step21: exercise: begins wrong, and ours passes" {
    exercise_begins WRONG
    exercise_solved
}

@test "step21: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step21: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
