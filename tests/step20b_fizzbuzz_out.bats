load helper.bash

# on_linux : there is a vmsplice.
on_linux() {
    [ "$(uname)" = Linux ] || skip "no vmsplice here"
}

@test "step20b: 20 lines on stdout, and all ways out on stderr" {
    run -0 --separate-stderr "$STEM" --repeats 1
    [ "$output" = "$(fizzbuzz 1 20)" ]
    [[ $stderr == *$'\nloop, write() '*$'\nring, write() '*$'\none piece, write() '* ]]
    [ "$(uname)" != Linux ] || [[ $stderr == *$'\nring, vmsplice() '*$'\nring, vmsplice, checked '*$'\none piece, vmsplice() '* ]]
    [[ $stderr == *" % ("*"of the rate of one piece"* && $stderr != *WRONG* ]]
}

@test "step20b: the text is awk's, of any length" {
    quickly
    writes_lengths
    writes 1 1000001 --chunk 7
    writes 1 200003 --chunk 3 --unchecked
    writes 1 200003 --chunk 3 --output loop
}

@test "step20b: the text is awk's, from any line, in pieces of a block" {
    quickly
    writes_anywhere --chunk 1
}

@test "step20b: 10,000,000 lines, by the SHA-256 of awk's, and through vmsplice" {
    command -v sha256sum > /dev/null || skip "no sha256sum here"
    ways=write
    [ "$(uname)" != Linux ] || ways='write vmsplice'
    for way in $ways; do
        sum=$("$STEM" --size 10000000 --output $way 2> /dev/null | sha256sum)
        [ "${sum%% *}" = 049663924ef63e4ac6dc67fb319745b8e2122bcb2e7231928c23d4c628962bf9 ]
    done
}

@test "step20b: vmsplice: the same text in small pieces, for a reader that is slow or late" {
    on_linux
    quickly
    for lines in 0 1 1003 1000001; do
        writes 0 $lines --output vmsplice
        writes 1 $lines --output vmsplice --chunk 1
    done
    writes 99998 9607 --output vmsplice
    fizzbuzz 1 3000000 > "$BATS_TEST_TMPDIR/wanted"
    slowly() { "$STEM" --size 3000000 --output vmsplice --chunk 3 2> /dev/null | (sleep 0.3; head -c 3000001; sleep 0.1; cat); }
    set -o pipefail
    prints "$BATS_TEST_TMPDIR/wanted" slowly
}

@test "step20b: a replay is not the text, but as many bytes" {
    for size in 0 1000 1000001; do
        [ "$("$STEM" --size $size --output replay 2> /dev/null | wc -c)" -eq \
            "$(fizzbuzz 1 $size | wc -c)" ]
    done
}

@test "step20b: 500,000,000 lines are 3,907,407,411 bytes" {
    way=write
    [ "$(uname)" != Linux ] || way=vmsplice
    bytes=$("$STEM" --size 500000000 --output $way --unchecked 2> /dev/null | wc -c)
    [ "$bytes" -eq 3907407411 ]
    bytes=$("$STEM" --size 500000000 --output $way --unchecked --first 0 2> /dev/null | wc -c)
    [ "$bytes" -eq 3907407415 ]
}

@test "step20b: a piece that is wrong does not leave, and those before it do" {
    quickly
    run -1 --separate-stderr "$STEM" --size 20003 --chunk 1 --kernel "$(mistake one_hundred)"
    [ "$output" = "$(fizzbuzz 1 999)" ]
    [[ $stderr == *"wrong: line 4501, character 2 (byte "*"expected '4501\\n'"*WRONG* ]]
}

@test "step20b: what is not checked before it leaves is checked in the rows" {
    quickly
    refuses one_hundred --size 20003 --output none --chunk 1
}

@test "step20b: all rows are right, in one piece and in many, with smaller groups, too" {
    quickly
    right --output none --size 1
    LOCKSTEP_MAX_GROUP=100 right --output none --size 9607 --from 994 --chunk 1 --seed 3
    right --output none --size 30007 --from 9999999532 --chunk 2
}

@test "step20b: through make, and csv and json stay on stderr beside a text" {
    for format in csv json; do
        run -0 --separate-stderr "$STEM" --size 3 --format $format
        [ "$output" = "$(fizzbuzz 1 3)" ]
        [[ $stderr == *'"text, to stdout"'* ]]
    done
    cd "$ROOT"
    unset MAKEFLAGS MFLAGS MAKELEVEL FLAGS
    fizzbuzz 1 100003 > "$BATS_TEST_TMPDIR/wanted"
    SETUP=no prints "$BATS_TEST_TMPDIR/wanted" make step20b run ARGS="--size 100003" 2> /dev/null
}

@test "step20b: a reader may leave early" {
    for way in write vmsplice replay; do
        [ $way != vmsplice ] || [ "$(uname)" = Linux ] || continue
        run -0 --separate-stderr bash -c "$STEM --size 100000000 --output $way |
            head -3 > '$BATS_TEST_TMPDIR/head'; exit \${PIPESTATUS[0]}"
        [ -z "$stderr" ]
        [ $way = replay ] || [ "$(< "$BATS_TEST_TMPDIR/head")" = "$(fizzbuzz 1 3)" ]
    done
}

@test "step20b: a full disk, a closed stdout, vmsplice without a pipe, and wrong options" {
    if [ -e /dev/full ]; then
        says 2 "cannot write the text" bash -c "$STEM --size 10 > /dev/full"
    fi
    says 2 "stdout is closed" bash -c "$STEM --size 10 >&-"
    file=$BATS_TEST_TMPDIR/file
    if [ "$(uname)" = Linux ]; then
        echo before > "$file"
        says 2 "vmsplice needs a pipe" timeout 20 bash -c \
            "$STEM --size 10 --output vmsplice >> '$file'"
        [ "$(< "$file")" = before ]
        run -0 timeout 20 bash -c "$STEM --size 10 --output replay 1<> '$file'"
    fi
    says 2 "--output must be" "$STEM" --output paper
    says 2 "--first needs" "$STEM" --first 2
    says 2 "--from needs" "$STEM" --from 1000000000001
    says 2 "--chunk needs" "$STEM" --chunk 0
    says 2 "are too many" "$STEM" --size 1000000000001
    says 2 "too large for" "$STEM" --chunk 262144
    run -0 "$STEM" --help
    [[ $output == *"--first"*"--from"*"--output"*"--chunk"*"--unchecked"* ]]
}

@test "step20b: memory stays as it was, however long the text is" {
    memory_is_flat
    [ "$(uname)" != Linux ] || memory_is_flat --output vmsplice
}

# A reader that moves the pages on into a pipe of its own, and reads them from there.
@test "step20b: a reader that moves pages on gets the text by write, and sees others by vmsplice" {
    on_linux
    "${CC:-cc}" -std=c11 -O2 -o "$BATS_TEST_TMPDIR/move" "$ROOT/tests/move.c"
    fizzbuzz 1 1000000 > "$BATS_TEST_TMPDIR/wanted"
    moved() { "$STEM" --size 1000000 --chunk 1 "$@" 2> /dev/null | "$BATS_TEST_TMPDIR/move"; }
    set -o pipefail
    prints "$BATS_TEST_TMPDIR/wanted" moved
    moved --output vmsplice > "$BATS_TEST_TMPDIR/moved"
    run -1 cmp -s "$BATS_TEST_TMPDIR/moved" "$BATS_TEST_TMPDIR/wanted"
}

@test "step20b: lens: ring, loop and replay: when the host has waited, what is left to do" {
    run -0 lens --quiet --waits "$BUILT/$STEM" --repeats 1 --size 48000 --from 100000000 --chunk 1
    # Ten pieces: three more have been asked for, until there are no more.
    [[ $(tr -s ' ' <<< "$output") == *" for a marker 10 x "*" commands left, 1 x none"* ]]
    run -0 lens --quiet --waits "$BUILT/$STEM" --repeats 1 --size 48000 --from 100000000 --chunk 1 --output loop
    [[ $(tr -s ' ' <<< "$output") == *" for a marker 10 x 0.00 commands left, 10 x none"* ]]
}

@test "step20b: without the wait for a piece the text is wrong" {
    forgetting wait:3 fizzbuzz_out:3 "$STEM" --size 48000 --from 100000000 --chunk 1
    [ "$status" -eq 1 ]
    [[ $output == *"wrong: line 100009600"* ]]
}

@test "step20b: no race" {
    no_races --size 5003 --from 9999999531
}

@test "step20b: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step20b: exercise: begins with pages that change in the pipe, and ours passes" {
    exercise_begins WRONG
    DEVICE=cpu exercise_solved # on a GPU there is a row more, and its waits
}

@test "step20b: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step20b: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
