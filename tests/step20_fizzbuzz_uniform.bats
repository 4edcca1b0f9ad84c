load helper.bash

@test "step20: 20 lines on stdout; four ways in device memory on stderr, --all with 12 digits" {
    run -0 --separate-stderr "$STEM" --repeats 1 --all
    [ "$output" = "$(fizzbuzz 1 20)" ]
    [[ $stderr == *$'\n15 lines each '*$'\ncopied together '*$'\ntable '*$'\nfill alone '* ]]
    [[ $stderr == *$'\n15 lines each, 12 digits'*$'\ntable, 12 digits'*$'\na table, not 15 lines each\n'* ]]
    [[ $stderr != *WRONG* ]]
}

@test "step20: the text is awk's, of any length" {
    quickly
    writes_lengths
    for chunk in 1 3 7; do
        writes 1 1000001 --chunk $chunk
    done
}

@test "step20: the text is awk's, from any line, in pieces of a block" {
    quickly
    writes_anywhere --chunk 1
}

@test "step20: 10,000,000 lines, by the SHA-256 of awk's" {
    command -v sha256sum > /dev/null || skip "no sha256sum here"
    sum=$("$STEM" --size 10000000 2> /dev/null | sha256sum)
    [ "${sum%% *}" = 049663924ef63e4ac6dc67fb319745b8e2122bcb2e7231928c23d4c628962bf9 ]
}

@test "step20: all kernels are right to the last byte, with smaller groups, too" {
    quickly
    for arguments in 1 14 15 16 1003 4801 100003 1000001 '10007 --from 9999' \
        '10007 --from 9999999532 --chunk 1' '4801 --from 999999997655'; do
        # shellcheck disable=SC2086 # a list of words is meant
        right --output none --size $arguments
    done
    LOCKSTEP_MAX_GROUP=100 right --output none --size 9607 --from 994
    LOCKSTEP_MAX_GROUP=100 writes 99998 9607
}

@test "step20: a piece that is wrong is not written, and those before it are" {
    quickly
    run -1 --separate-stderr "$STEM" --size 20003 --chunk 1 --kernel "$(mistake one_hundred)"
    [ "$output" = "$(fizzbuzz 1 999)" ]
    [[ $stderr == *"wrong: line 4501, character 2 (byte "*"expected '4501\\n'"*WRONG* ]]
}

@test "step20: through make, and with a kernel file in a path with blanks" {
    mkdir "$BATS_TEST_TMPDIR/a folder"
    cp "$ROOT/kernels/$STEM.cl" "$BATS_TEST_TMPDIR/a folder/a kernel.cl"
    cd "$BATS_TEST_TMPDIR/a folder"
    writes 1 1003 --kernel "a kernel.cl"
    cd "$ROOT"
    unset MAKEFLAGS MFLAGS MAKELEVEL FLAGS
    fizzbuzz 1 100003 > "$BATS_TEST_TMPDIR/wanted"
    SETUP=no prints "$BATS_TEST_TMPDIR/wanted" make step20 run ARGS="--size 100003" 2> /dev/null
}

@test "step20: csv and json stay on stderr beside a text" {
    for format in csv json; do
        run -0 --separate-stderr "$STEM" --size 3 --format $format
        [ "$output" = "$(fizzbuzz 1 3)" ]
        [[ $stderr == *'"text, to stdout"'* ]]
    done
}

@test "step20: a reader may be slow, and may leave early" {
    "$STEM" --size 1000000 2> /dev/null | (sleep 0.3; head -c 3000001; sleep 0.1; cat) |
        cmp - <(fizzbuzz 1 1000000)
    run -0 --separate-stderr bash -c "$STEM --size 100000000 | head -3 > '$BATS_TEST_TMPDIR/head'
        exit \${PIPESTATUS[0]}"
    [ -z "$stderr" ]
    [ "$(< "$BATS_TEST_TMPDIR/head")" = "$(fizzbuzz 1 3)" ]
}

@test "step20: a full disk, a closed stdout, and options that cannot be" {
    if [ -e /dev/full ]; then
        says 2 "cannot write the text" bash -c "$STEM --size 1000000 > /dev/full"
    fi
    says 2 "stdout is closed" bash -c "$STEM --size 10 >&-"
    says 2 "--output must be write or none, not 'vmsplice'" "$STEM" --output vmsplice
    [[ $stderr == *"step 20b"* ]]
    says 2 "--first needs" "$STEM" --first 2
    says 2 "--from needs" "$STEM" --from 1000000000001
    says 2 "--chunk needs" "$STEM" --chunk 0
    says 2 "are too many" "$STEM" --size 1000000000001
    says 2 "are too many for" "$STEM" --size 100000000000 --output none
    run -0 "$STEM" --help
    [[ $output == *"--first"*"--from"*"--output"*"--chunk"* ]]
}

@test "step20: memory stays as it was, however long the text is" {
    memory_is_flat
}

@test "step20: lens: 15 lines each touch 32 sectors, vectors 16; no branch of the table diverges" {
    run -0 lens --quiet --kernel '*' "$BUILT/$STEM" --repeats 1 --size 9600 --from 100000000 \
        --output none
    [[ $output == *"in groups of 595"* ]] || skip "groups of 595 are too large here"
    report=$(tr -s ' ' <<< "$output")
    for text in "store text 2380 x 32.0 lanes 32.00 sectors (ideal 1.00) 29.81 lines 3.1 % used" \
        "store text 152 x 31.3 lanes 15.66 sectors (ideal 15.66) 4.66 lines 100.0 % used" \
        "store parts 48 x 32.0 lanes 1.00 passes (ideal 1.00)" \
        "store text 152 x 31.3 lanes 16.16 sectors (ideal 15.68)" \
        "store text: 32 lanes, 16 sectors"; do
        [[ $report == *"$text"* ]] || { echo "not there: $text"; return 1; }
    done
    for kernel in own uniform; do
        none_diverged "$(awk -v kernel=fizzbuzz_$kernel '/^fizzbuzz_/ { inside = $1 == kernel } inside' \
            <<< "$report")"
    done
}

@test "step20: no race in any kernel" {
    no_races --size 5003 --from 9999999531 --output none
}

@test "step20: 12 words for 13 are right on the first page" {
    quickly
    writes 1000 1200 --kernel "$(mistake stride_12)"
    refuses stride_12 --size 1201 --from 1000
}

@test "step20: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step20: exercise: begins right but byte by byte, and ours passes by a tenth" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step20: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step20: exercise: predictions and hints" {
    predictions_hold
    hints_help
}

@test "step20: steps 20b and 21 make the table word for word as this step does" {
    for name in put_number make_table table_fits used_digits; do
        function="/^static [^;]*\b$name(/,/^}/p"
        sed -n "$function" "$ROOT/steps/$STEM.c" > "$BATS_TEST_TMPDIR/here"
        sed -n "$function" "$ROOT/common/fizzbuzz/pages.c" > "$BATS_TEST_TMPDIR/there"
        [ -s "$BATS_TEST_TMPDIR/here" ]
        cmp "$BATS_TEST_TMPDIR/here" "$BATS_TEST_TMPDIR/there"
    done
}
