load helper.bash

@test "step19: four ways are right, and the text is the first 20 lines" {
    right --format csv
    [ "$(grep -c '"ok","gather [0-9]* ms"' <<< "$output")" -eq 4 ]
    [[ $output == *$'\n"step19_fizzbuzz_branches","headline: lanes 15 lines apart, not 1 apart"'* ]]
    writes 1 20
}

@test "step19: the text is awk's, of any length" {
    quickly
    writes_lengths
}

@test "step19: the text is awk's, from any line, with smaller groups, too" {
    quickly
    writes_anywhere
    LOCKSTEP_MAX_GROUP=100 writes 14 10001
}

@test "step19: on stdout is the text alone, through make too" {
    cd "$ROOT"
    unset MAKEFLAGS MFLAGS MAKELEVEL FLAGS
    make SETUP=no step19 run ARGS="--size 100 --repeats 1" \
        > "$BATS_TEST_TMPDIR/text" 2> "$BATS_TEST_TMPDIR/table"
    fizzbuzz 1 100 | cmp - "$BATS_TEST_TMPDIR/text"
    grep -q "^15 lines, one gathers" "$BATS_TEST_TMPDIR/table"
}

@test "step19: no text with --output none or --full; no line has no text and no table" {
    run -0 --separate-stderr "$STEM" --repeats 1 --output none --size 100
    [[ ${lines[0]} == "$STEM: the same "* && $output == *"15 lines each"*right* ]]
    [ -z "$stderr" ]
    run -0 --separate-stderr "$STEM" --full --repeats 1 --size 1000 --format csv
    [ "${#lines[@]}" -eq 6 ] # the heading, four rows, the headline
    run -0 "$STEM" --size 0
    [ -z "$output" ]
}

@test "step19: a reader who leaves is no error, a full disk is one" {
    set -o pipefail
    "$STEM" --repeats 1 --size 1000000 2> "$BATS_TEST_TMPDIR/errors" | head -3 \
        > "$BATS_TEST_TMPDIR/text"
    fizzbuzz 1 3 | cmp - "$BATS_TEST_TMPDIR/text"
    [ ! -s "$BATS_TEST_TMPDIR/errors" ]
    [ -w /dev/full ] || skip "no /dev/full here"
    to_full_disk() { "$STEM" --size 20 --repeats 1 > /dev/full; }
    says 2 "cannot write the text" to_full_disk
}

@test "step19: options that are no good have a message and a hint" {
    says 2 "--first needs a whole number from 0 to 1, not '2'" "$STEM" --first 2
    says 2 "--from needs a whole number from 0 to 1000000000000, not '-1'" "$STEM" --from -1
    says 2 "not '1000000000001'" "$STEM" --from 1000000000001
    says 2 "--output must be write or none, not 'all'" "$STEM" --output all
    says 2 "elements are too many" "$STEM" --size 1000000000000
    run -0 "$STEM" --help
    [[ $output == *--first*--from*--output* ]]
}

# Lines 0 to 1919 are 60 warps with a line each, and all of them have all words: 9 + 5 + 5
# stores.  With 15 lines each they are one group of 4 warps: words are 39 stores, and only
# the first warp has numbers of one digit.
@test "step19: lens: with a line each warps diverge; with 15 they do not, until one gathers" {
    counts 1919 "fizzbuzz_branches (first=0 apart=1), 1920 items in groups of 128" \
        $'if (number % 15 == 0)\n branch 60 of 60 diverged' \
        $'else if (number % 3 == 0)\n branch 60 of 60 diverged' \
        $'else if (number % 5 == 0)\n branch 60 of 60 diverged' \
        "store cells 1140 x 4.4 lanes" "store cells 60 x 17.1 lanes" \
        "fizzbuzz_fifteen (first=0), 128 items in groups of 128" \
        "store cells 156 x 32.0 lanes" "store cells 32 x 32.0 lanes" \
        "fizzbuzz_gather (first=0), 128 items in groups of 128" \
        $'if (id == 0) {\n branch 1 of 4 diverged' \
        "store text $(fizzbuzz 0 1920 | wc -c) x 1.0 lanes 1.00 sectors"
}

# 64 lines in a row need the four arms that 32 need: half as many warps, each with the same 19
# stores of words, and twice as many lanes in each.  Eight lines may do without an arm.
@test "step19: lens: with 64 lanes the same share waits, with 8 lanes a smaller one" {
    shares 64 33 "store cells      570 x  8.8 lanes"
    shares 8 4.6 "branch           128 of 240 diverged"
}

# shares LANES BUSY TEXT: the lens, with so many lanes in a warp, has about so many busy where
# neighbours write neighbouring lines, and prints TEXT.  (Compilers differ in a few instructions.)
shares() {
    run -0 lens --quiet --lanes "$1" --kernel fizzbuzz_branches "$BUILT/$STEM" --repeats 1 \
        --output none --size 1920 --from 10005
    awk -v lanes="$1" -v expected="$2" '
        sub(/.*apart=1\), 1920 items in groups of 128: /, "") {
            found = $3 == lanes && $1 > expected * 0.96 && $1 < expected * 1.04
        }
        END { exit !found }' <<< "$output"
    grep -qF "$3" <<< "$output"
}

# Lanes that are 15 lines apart need the same arm: 15 groups of 4 warps share 1920 lines, and
# each group has one kind of them.  So it stores as often as with 15 lines each: words with
# 4 x 39 stores, 6 digits of a number with 4 x 8 x 6, and what ends its line with 4 x 8.  (To
# empty 5 words of a cell, 60 warps store 300 times.)  All 32 lanes take part.
@test "step19: lens: the same kernel does not diverge where lanes are 15 lines apart" {
    run -0 lens --quiet --format tsv --kernel fizzbuzz_branches "$BUILT/$STEM" --repeats 1 \
        --output none --size 1920 --from 100005
    awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $1 == "launch" { launch = $at["arguments"]; sub(/.* /, "", launch) }
        $1 == "branch" { diverged += $at["diverged"]; so_far[launch] = diverged }
        $1 == "store" && $at["name"] == "cells" && launch == "apart=15" {
            stores[$at["accesses"]] = $at["lanes"] }
        END { for (n in stores) print n, stores[n]
            print so_far["apart=1"], diverged
            exit so_far["apart=1"] != 180 || diverged != 180 || stores[156] != 32 ||
                stores[192] != 32 || stores[32] != 32 || stores[300] != 32 }' <<< "$output"
}

# The rate is that of what is stored, to the byte: cells with their empty ends, or the text of
# a group, and a zero.
@test "step19: rates count what is stored" {
    run -0 "$STEM" --repeats 1 --output none --size 1919 --format csv
    local text
    text=$(fizzbuzz 0 1920 | wc -c)
    awk -F , -v text="$text" 'NR > 1 && !/headline: / {
            want = 1920 * ($2 ~ /a line/ ? 20 : 156 / 15)
            if ($2 ~ /gathers/) want = text + 1
            off = $9 * $6 * 1e6 / want
            print $2, want, off
            wrong += off < 0.999 || off > 1.001 }
        END { exit wrong || NR != 6 }' <<< "$(sed 's/, 15/ 15/; s/, one/ one/' <<< "$output")"
}

@test "step19: the lens draws each arm of if and else, and where lanes reconverge" {
    cd "$ROOT"
    BUILD=$BUILT run -0 sh common/commands/lens.sh "$STEM" --
    picture=$(sed -n '/^Lanes wait: fizzbuzz_branches/,/^Time runs downwards/p' <<< "$output")
    grep -qE '^ +[0-9]+  #\.{14}#\.{14}#\.  put_text\(cell, "FizzBuzz' <<< "$picture"
    for text in '"Fizz\n"' '"Buzz\n"' 'put_number' 'reconverge: copy_cells'; do
        [ "$(grep -cF "$text" <<< "$picture")" -eq 1 ]
    done
}

@test "step19: small cells and numbers of 32 bits are right where no number is long" {
    quickly
    right --size 1000 --kernel "$(mistake number_of_32_bits)"
    right --size 1000 --kernel "$(mistake small_cells)"
}

@test "step19: no race in any kernel" {
    no_races --size 4000
    no_races --from 999999999990 --size 100
}

@test "step19: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step19: exercise: begins right, but lanes wait, and ours passes with margin" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step19: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step19: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
