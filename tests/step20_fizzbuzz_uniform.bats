load helper.bash

# text_is FIRST COUNT ARGUMENTS : with these arguments the step writes these lines, byte
# for byte, and says that it is right.
text_is() {
    local text=$BATS_TEST_TMPDIR/text errors=$BATS_TEST_TMPDIR/errors
    "$STEM" --size "$2" "${@:3}" > "$text" 2> "$errors"
    fizzbuzz "$1" "$2" | cmp "$text" -
    grep -q ' ok$' "$errors"
}

# on_linux : there is a vmsplice.
on_linux() {
    [ "$(uname)" = Linux ] || skip "no vmsplice here"
}

# Around these numbers of lines the digits get more, or 15 lines end, a page, a block.
NUMBERS='0 1 9 10 14 15 16 99 100 101 999 1000 1001 1199 1200 1201 4799 4801 9999 10000'

@test "step20: the default is 20 lines on stdout, and the lesson on stderr" {
    run -0 --separate-stderr "$STEM" --repeats 1
    [ "$output" = "$(fizzbuzz 1 20)" ]
    [[ $stderr == *"table, 9 digits"*"table, 12 digits"*"write() to a pipe"* ]]
    [[ $stderr != *WRONG* ]]
}

@test "step20: the text is awk's, as many lines as one likes, from 1 and from 0" {
    for lines in $NUMBERS 99999 100001 1000001; do
        text_is 1 "$lines"
        text_is 0 "$lines" --first 0
    done
}

@test "step20: the text in pieces of 1, 3 and 7 blocks" {
    for chunk in 1 3 7; do
        text_is 1 200003 --chunk $chunk
        text_is 98765 100003 --chunk $chunk --from 98765
    done
}

@test "step20: the text where numbers get longer, from 9 digits to 13" {
    text_is 99999437 1201 --from 99999437
    text_is 999998765 3001 --from 999998765
    text_is 9999999531 2003 --from 9999999531
    text_is 19999999123 2001 --from 19999999123
    text_is 99999998999 4801 --from 99999998999
    text_is 999999997654 4803 --from 999999997654
    text_is 1000000000000 1003 --from 1000000000000
}

@test "step20: the same in many pieces, from odd lines" {
    for from in 7 99 101 95203 999991117 9999987654 29999951234 99999970003; do
        text_is $from 60007 --from $from --chunk 1
    done
}

@test "step20: 10,000,000 lines, by their SHA-256" {
    command -v sha256sum > /dev/null || skip "no sha256sum here"
    [ "$("$STEM" --size 10000000 2> /dev/null | sha256sum)" = \
        "$(fizzbuzz 1 10000000 | sha256sum)" ]
}

@test "step20: all three kernels, every byte" {
    for size in 1 14 15 16 1003 4801 100003 1000001; do
        right --size $size --output none
        right --size $size --output none --first 0
    done
}

@test "step20: all three kernels where numbers get longer" {
    for from in 7 9997 999998766 9999999532 19999999124 99999998990 999999997655; do
        right --size 10007 --output none --from $from
    done
    [[ $output == *"15 lines each"*"copied together"*"table, "*"of a fill's rate"* ]]
}

@test "step20: the same text by vmsplice" {
    on_linux
    for size in 0 1 1003 1000001; do
        "$STEM" --size $size --chunk 3 --output vmsplice 2> /dev/null |
            cat > "$BATS_TEST_TMPDIR/lent"
        [ "${PIPESTATUS[0]}" -eq 0 ]
        fizzbuzz 1 $size | cmp "$BATS_TEST_TMPDIR/lent" -
    done
}

@test "step20: a reader who comes late gets the same text" {
    on_linux
    fizzbuzz 1 3000000 > "$BATS_TEST_TMPDIR/text"
    for way in write vmsplice; do
        "$STEM" --size 3000000 --output $way 2> /dev/null |
            (sleep 0.5; head -c 3000001; sleep 0.1; cat) |
            cmp - "$BATS_TEST_TMPDIR/text"
    done
}

@test "step20: a replay is not the text, but as many bytes" {
    for size in 0 1 1000 1000001; do
        bytes=$(fizzbuzz 1 $size | wc -c)
        [ "$("$STEM" --size $size --output replay 2> /dev/null | wc -c)" -eq "$bytes" ]
    done
}

@test "step20: 500,000,000 lines are 3,907,407,411 bytes" {
    way=write
    [ "$(uname)" != Linux ] || way=vmsplice
    for wanted in "1 3907407411" "0 3907407415"; do
        bytes=$("$STEM" --size 500000000 --first "${wanted% *}" --output $way \
            2> /dev/null | wc -c)
        [ "$bytes" -eq "${wanted#* }" ]
    done
}

@test "step20: through make stdout is the text and nothing else" {
    cd "$ROOT"
    unset MAKEFLAGS MFLAGS MAKELEVEL FLAGS
    SETUP=no make step20 run ARGS="--size 1000000" 2> /dev/null \
        > "$BATS_TEST_TMPDIR/text"
    fizzbuzz 1 1000000 | cmp "$BATS_TEST_TMPDIR/text" -
}

@test "step20: from another folder, with a kernel file in a path with blanks" {
    mkdir "$BATS_TEST_TMPDIR/a folder"
    cp "$ROOT/kernels/$STEM.cl" "$BATS_TEST_TMPDIR/a folder/a kernel.cl"
    cd "$BATS_TEST_TMPDIR/a folder"
    text_is 1 1003
    text_is 1 1003 --kernel "a kernel.cl"
}

@test "step20: csv and json stay on stderr beside a text" {
    run -0 --separate-stderr "$STEM" --size 3 --format csv
    [ "$output" = "$(fizzbuzz 1 3)" ]
    [[ $stderr == step,variant,*'"text, by write()"'* ]]
    run -0 --separate-stderr "$STEM" --size 3 --format json
    [ "$output" = "$(fizzbuzz 1 3)" ]
    [[ $stderr == '{"step": '*'}' ]]
}

@test "step20: a reader who leaves early is no error" {
    for way in write vmsplice replay; do
        [ $way != vmsplice ] || [ "$(uname)" = Linux ] || continue
        run -0 --separate-stderr bash -c "$STEM --size 100000000 --output $way |
            head -3 > /dev/null; exit \${PIPESTATUS[0]}"
        [ -z "$stderr" ]
    done
    [ "$("$STEM" --size 100000000 2> /dev/null | head -3)" = "$(fizzbuzz 1 3)" ]
}

@test "step20: a full disk, a closed stdout, and vmsplice without a pipe" {
    if [ -e /dev/full ]; then
        says 2 "cannot write the text" bash -c "$STEM --size 10 > /dev/full"
        says 2 "cannot write the text" bash -c "$STEM --size 1000000 > /dev/full"
    fi
    says 2 "stdout is closed" bash -c "$STEM --size 10 >&-"
    on_linux
    says 2 "vmsplice needs a pipe" bash -c \
        "$STEM --size 10 --output vmsplice > '$BATS_TEST_TMPDIR/file'"
    [ ! -s "$BATS_TEST_TMPDIR/file" ]
    says 2 "stdout is closed" bash -c "$STEM --size 10 --output vmsplice >&-"
}

@test "step20: options that cannot be are refused with a hint" {
    says 2 "--output wants" "$STEM" --output paper
    says 2 "--first needs" "$STEM" --first 2
    says 2 "--from needs" "$STEM" --from 1000000000001
    says 2 "--from needs" "$STEM" --from -1
    says 2 "--chunk needs" "$STEM" --chunk 0
    says 2 "--chunk needs" "$STEM" --chunk 65537
    says 2 "are too many" "$STEM" --size 1000000000001
    says 2 "are too many for" "$STEM" --size 100000000000 --output none
    run -0 "$STEM" --help
    [[ $output == *"--first"*"--from"*"--output"*"--chunk"* ]]
}

# peak_kb LINES BYTES : the most memory that the step has had when so many bytes of this
# text are read.  Behind them is more than a pipe holds: so the step is still there.
peak_kb() {
    # shellcheck disable=SC2016 # $$ is the process that becomes the step
    sh -c 'echo $$ > "$1"; exec "$2" --size "$3"' sh "$BATS_TEST_TMPDIR/pid" \
        "$STEM" "$1" 2> /dev/null | {
        head -c "$2" > /dev/null
        awk '/^VmHWM:/ { print $2 }' "/proc/$(cat "$BATS_TEST_TMPDIR/pid")/status"
        cat > /dev/null
    }
}

@test "step20: memory stays as it was, however long the text is" {
    grep -qs '^VmHWM:' /proc/self/status || skip "no VmHWM here"
    few=$(peak_kb 4000000 20000000)
    many=$(peak_kb 100000000 700000000)
    echo "$few kB, and then $many kB"
    [ "$few" -gt 0 ]
    [ "$many" -lt $((few + 200000)) ]
}

# part KERNEL : what the report in $output says about one kernel.
part() {
    tr -s ' ' <<< "$output" |
        awk -v kernel="$1" '/^fizzbuzz_/ { inside = $1 == kernel } inside'
}

# has TEXT ... : the part of the report in $report has each of these.
has() {
    for text in "$@"; do
        [[ $report == *"$text"* ]] || { echo "not there: $text"; return 1; }
    done
}

@test "step20: lens: no branch of the table diverges, and 32 lanes store 16 sectors" {
    run -0 lens --quiet --kernel '*' "$BUILT/$STEM" --repeats 1 --size 9600 --from 100000000 \
        --output none
    [[ $output == *"in groups of 595"* ]] || skip "groups of 595 are too large here"
    report=$(part fizzbuzz_uniform)
    has "2 groups of 19 warps" " 0 of " \
        "store parts 48 x 32.0 lanes 1.00 passes (ideal 1.00)" \
        "store text 152 x 31.3 lanes 16.16 sectors (ideal 15.68)" \
        "store text: 32 lanes, 16 sectors"
    none_diverged "$report"
}

@test "step20: lens: 15 lines each are 32 sectors, copied together every byte is used" {
    run -0 lens --quiet --kernel '*' "$BUILT/$STEM" --repeats 1 --size 9600 --from 100000000 \
        --output none
    [[ $output == *"in groups of 160"* ]] || skip "groups of 160 are too large here"
    report=$(part fizzbuzz_own)
    has "store text 2380 x 32.0 lanes 32.00 sectors (ideal 1.00) 29.81 lines 3.1 % used"
    none_diverged "$report"
    report=$(part fizzbuzz_together)
    has "1.00 barriers in each" "100.0 % used" "store text: 32 lanes, 16 sectors"
}

@test "step20: refuses a digit that counts up alone" {
    refuses digit_change --size 20003 --output none
}

@test "step20: refuses leading zeros" {
    refuses no_mask --size 1003 --from 123456789 --output none
}

@test "step20: refuses windows that are a byte off" {
    refuses byte_phase --size 100 --from 9999999990
}

@test "step20: 12 words for 13 are right on the first page" {
    quickly
    text_is 1000 1200 --from 1000 --kernel "$(mistake stride_12)"
}

@test "step20: a missing barrier in front of the table's digits is a race" {
    races_refuses no_barrier --size 1003 --output none
}

@test "step20: no race in any kernel" {
    no_races --size 10007 --output none
    no_races --size 1003 --from 9999999531 --output none
}

@test "step20: refuses the second block's mistake in front of a text, too" {
    refuses next_block --size 9601 --from 1000
    refuses lost_last_block --size 9601 --from 1000
}

@test "step20: a file that has text already is not waited for" {
    on_linux
    file=$BATS_TEST_TMPDIR/file
    echo before > "$file"
    says 2 "vmsplice needs a pipe" timeout 20 bash -c \
        "$STEM --size 10 --output vmsplice >> '$file'"
    run -0 timeout 20 bash -c "$STEM --size 0 --output replay >> '$file'"
    run -0 timeout 20 bash -c "$STEM --size 10 --output replay 1<> '$file'"
}

@test "step20: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step20: exercise: begins right but with lanes that part, and ours passes" {
    exercise_begins SHAPE
    exercise_solved
}

@test "step20: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step20: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
