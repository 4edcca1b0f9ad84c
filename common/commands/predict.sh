#!/bin/sh
# predict.sh [STEP ...]          asks the exercise's questions that are still open, then sets
#                                each prediction beside what comes out, with the reason
# predict.sh STEP --count-right  how many predictions came true
# predict.sh STEP --told         predictions and outcomes, for `make handin`
# predict.sh STEP --holds N      does question N's page say what is counted, name rows that
#                                this device and the stored results have, or offer the
#                                answers a, b and c, of which one is right?
#
# The plain file says for each question what is counted, by the lens or in the step's
# program, with its answer; or which two variants are measured: how many times slower than
# the second the first is here; or, of a question that asks why, which answer is right.
# shellcheck disable=SC2086,SC2046 # lists of words are meant

cd "$(dirname "$0")/../.." || exit 2
. common/commands/exercise_parts.sh

# question NUMBER, the answers that are offered, a line each, and why it ends so, from the
# page.
question() {
    items Predict | sed -n "$1p" | sed 's/ - \(a\|because\): .*//'
}

answers() {
    items Predict | sed -n "$1p" |
        sed -n 's/ - because: .*//; s/^.* - a: \(.*\) - b: \(.*\) - c: \(.*\)$/   a: \1\n   b: \2\n   c: \3/p'
}

because() {
    items Predict | sed -n "$1p" | sed 's/.* - because: //'
}

# of NUMBER PART : of a question's line in the plain file, "counted --size 9 | dot | load x"
# and so on, the kind, the arguments, or from a part on what stands between the bars.
of() {
    facts predict | sed -n "s/^$1 //p" | case $2 in
        kind) sed 's/ .*//' ;;
        arguments) sed 's/^[a-z]* //; s/ *|.*//' ;;
        *) awk -F ' *[|] *' -v part="$2" '{ print $part }' ;;
    esac
}

said() { # said NUMBER WHAT : the last value noted for a question
    events | awk -v step="$step" -v number="$1" -v what="$2" \
        '$2 == step && $3 == what && $4 == number { last = $5 } END { print last }'
}

# Does a guess agree with what came out?  A count within 2 %, times within a factor of 1.5,
# and a letter only with itself.
compare() { # compare SAID CAME-OUT KIND
    awk -v said="$1" -v is="$2" -v kind="$3" 'BEGIN {
        near = kind == "measured" ? 1.5 : 1.02
        right = said == is || (said > 0 && is > 0 && said <= is * near && is <= said * near)
        print right ? "right" : "missed" }'
}

# ---- Outcomes.
counted() { # counted NUMBER
    make_scratch
    "$build/lens" --quiet --waits --format tsv "$build/$stem" --repeats 1 $(of "$1" arguments) \
        > "$scratch/lens" 2> /dev/null < /dev/null
    echo "$(of "$1" 2) | $(of "$1" 3) | $(of "$1" 4) | at least 0 | ours 0" > "$scratch/wanted"
    awk -F '\t' -f common/commands/check_counts.awk "$scratch/wanted" "$scratch/lens" |
        sed -n 's/\.00 / /; s/^[gb][a-z]* .*: \([0-9.]*\) .*/\1/p'
}

# OpenCL calls that a function of the step's program makes in front of one of them.
calls() { # calls NUMBER
    awk -v inside="$(of "$1" arguments)" -v last="$(of "$1" 2)" '
        index($0, " " inside "(") && /^[a-z]/ { here = 1 }
        here && index($0, last "(") { print count + 0; exit }
        here { sub(/\/[*].*/, ""); gsub(/"[^"]*"/, ""); count += gsub(/cl[A-Z][A-Za-z]*\(/, "") }
    ' "steps/$stem.c"
}

why() { # why NUMBER
    of "$1" 2
}

ratio() { # ratio NUMBER < ROWS : median times, of the first variant to the second
    awk -F '\t' -v step="$stem" -v first="$(of "$1" 2)" -v second="$(of "$1" 3)" '
        $1 == "step" { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $1 == step && !($at["variant"] in ms) { ms[$at["variant"]] = $at["median_ms"] }
        END { if (ms[first] > 0 && ms[second] > 0) printf "%.2f\n", ms[first] / ms[second] }'
}

measured() { # measured NUMBER [MORE ARGUMENTS]
    "$build/$stem" --format tsv $(of "$1" arguments) $2 2>&1 < /dev/null | ratio "$1"
}

on_a_gpu() { # on_a_gpu NUMBER : "RATIO CARD", of stored results, whose commas become tabs
    for card in H200 H100; do
        found=$(awk -F '"' -v OFS='' '{ for (i = 1; i <= NF; i += 2) gsub(/,/, "\t", $i); print }' \
            "docs/results/nvidia-h${card#H}.csv" | ratio "$1")
        [ -z "$found" ] || { echo "$found $card" && return; }
    done
}

# ---- What is asked, and told.
in_words() { # in_words OUTCOME KIND : 0.7 is not how many times slower it is
    case $2$1 in
        measured?*) ;;
        *) echo "$1" && return ;;
    esac
    awk -v slower="$1" 'BEGIN { printf "%.3g times %s\n", slower < 1 ? 1 / slower : slower,
        slower < 1 ? "faster" : "slower" }'
}

ask() { # ask NUMBER
    printf '\nquestion %s of %s: %s\n' "$1" "$asked" "$(question "$1")" | wrapped
    answers "$1" | wrapped
    expected='a number' kind=$(of "$1" kind)
    [ $kind != why ] || expected='a, b or c'
    while :; do
        printf 'your guess, %s: ' "$expected"
        read -r guess || { echo && fail 'a guess is missing' "$asked questions are asked: type $expected here"; }
        case $kind:$guess in
            why:[abc]) break ;;
            why:*) echo 'one of the letters a, b and c, please' ;;
            *: | *:*[!0-9.]* | *.*.* | *:.) echo 'a number, such as 32 or 1.5, please' ;;
            *) break ;;
        esac
    done
    happened "$step" predicted "$1" "$guess"
}

tell() { # tell NUMBER
    kind=$(of "$1" kind)
    is=$($kind "$1") || exit
    [ -n "$is" ] || fail "question $1 has no outcome" "does \`make $step run\` work, and \`make $step lens\`?"
    how=$(compare "$(said "$1" predicted)" "$is" $kind) where='on your device' stored=''
    [ $kind != measured ] || stored=$(on_a_gpu "$1")
    card=${stored#* } stored=${stored% *}
    if [ $how = missed ] && [ "$(compare "$(said "$1" predicted)" "${stored:-0}" $kind)" = right ]; then
        how=right where='for a GPU' # which the lesson is about, even if a CPU's clock says otherwise
    fi
    [ "$(said "$1" outcome)" = "$is" ] || happened "$step" outcome "$1" "$is" "$how"
    printf '\n%s. %s\n' "$1" "$(question "$1")" | wrapped
    answers "$1" | wrapped
    printf '   you said %-8s it is %-8s %s' "$(said "$1" predicted)" "$(in_words "$is" $kind)" "$how"
    if [ $kind = measured ]; then
        printf ', %s%s' "$where" "${stored:+; $(in_words "$stored" $kind) on an NVIDIA $card}"
    fi
    printf '\n'
    printf '   because %s\n' "$(because "$1")" | wrapped
}

# How a question ended last: right, missed, or nothing yet.
ended() {
    events | awk -v step="$step" -v number="$1" '
        $2 == step && $3 == "outcome" && $4 == number { how = $6 }
        END { print how }'
}

questions() {
    asked=$(items Predict | grep -c .)
    [ -z "$(said "$asked" predicted)" ] || echo 'You have guessed already; your guesses stay.'
    for number in $(seq "$asked"); do
        [ -n "$(said "$number" predicted)" ] || ask "$number"
    done
    for number in $(seq "$asked"); do tell "$number"; done
    printf '\nnext: make %s exercise\n' "$step"
}

case $2 in
    --*) choose "$1" && asked=$(items Predict | grep -c .) ;;
esac
case $2 in
    --count-right)
        for number in $(seq "$asked"); do ended "$number"; done | grep -c right || :
        ;;
    --told)
        for number in $(seq "$asked"); do
            guess=$(said "$number" predicted) is=$(said "$number" outcome)
            [ -z "$guess" ] || echo "  $step question $number: said $guess, $(
                [ -n "$is" ] && echo "is $(in_words "$is" "$(of "$number" kind)"), $(ended "$number")" ||
                    echo 'not told yet: a later question is open')"
        done
        ;;
    --holds)
        kind=$(of "$3" kind)
        case $kind in
            counted) is=$(counted "$3") && how=$(compare "$(of "$3" 5)" "$is" $kind) ;;
            calls) is=$(calls "$3") && how=$(compare "$(of "$3" 3)" "$is" $kind) ;;
            measured)
                is=$(measured "$3" '--repeats 1') stored=$(on_a_gpu "$3")
                stored=${stored% *}
                how=${is:+${stored:+right}}
                ;;
            why)
                is=$(why "$3")
                [ "$(answers "$3" | grep -c "^   [abc]: .")$(answers "$3" | grep -c "^   $is: ")" != 31 ] || how=right
                ;;
        esac
        [ -n "$is" ] && [ "$how" = right ] && echo "holds: $is${stored:+, stored $stored}"
        ;;
    *) for_each questions predict "$@" ;;
esac
