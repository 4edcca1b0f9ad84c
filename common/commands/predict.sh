#!/bin/sh
# predict.sh [STEP ...]          asks the exercise's questions that are still open, then sets
#                                each prediction beside what comes out, with the reason
# predict.sh STEP --count-right  how many predictions came true
# predict.sh STEP --told         predictions and outcomes, for `make handin`
# predict.sh STEP --holds N      does question N's page say what the lens counts, or name
#                                rows that this device and the stored results have?
#
# A question's outcome is "counted: `ARGUMENTS` KERNEL | WHAT | COUNT", by the lens, whose
# answer stands on the page, or "measured: `ARGUMENTS` VARIANT | VARIANT": how many times as
# long as the second the first takes on this device.
# shellcheck disable=SC2086,SC2046 # lists of words are meant

cd "$(dirname "$0")/../.." || exit 2
. common/commands/exercise_parts.sh

# of NUMBER KEY : of a question, what stands behind "- KEY:"; the question itself: no KEY.
of() {
    items Predict | sed -n "$1p" | awk -v key="$2" '{
        count = split($0, parts, / - (counted|measured|answer|because): /)
        if (key == "") print parts[1]
        rest = $0
        for (i = 2; i <= count; i++) {
            rest = substr(rest, length(parts[i - 1]) + 1)
            name = rest
            sub(/^ - /, "", name)
            sub(/:.*/, "", name)
            if (name == key) print parts[i]
            rest = substr(rest, length(name) + 6)
        }
    }'
}

said() { # said NUMBER WHAT : the last value noted for a question
    awk -v step="$step" -v number="$1" -v what="$2" \
        '$2 == step && $3 == what && $4 == number { last = $5 } END { print last }' \
        "$work/progress" 2> /dev/null
}

# Does a guess agree with what came out?  A count within 2 %, times within a factor of 1.5.
compare() { # compare SAID CAME-OUT KIND
    awk -v said="$1" -v is="$2" -v kind="$3" 'BEGIN {
        near = kind == "counted" ? 1.02 : 1.5
        right = said == is || (said > 0 && is > 0 && said <= is * near && is <= said * near)
        print right ? "right" : "missed" }'
}

# ---- Outcomes.
counted() { # counted "`ARGUMENTS` KERNEL | WHAT | COUNT"
    arguments=$(echo "$1" | cut -d '`' -f 2)
    wanted=$(echo "$1" | cut -d '`' -f 3 | sed 's/ *| */|/g; s/^ *//')
    scratch=$(mktemp -d) || exit 2
    "$build/lens" --quiet --waits --format json "$build/$stem" --repeats 1 $arguments > "$scratch/lens" 2> /dev/null < /dev/null
    echo "$wanted|0|at least 0" | awk -F '|' -f common/commands/check_counts.awk - "$scratch/lens" |
        sed -n 's/\.00 / /; s/^[gb][a-z]* .*: \([0-9.]*\) .*/\1/p'
    rm -rf "$scratch"
}

ratio() { # ratio "VARIANT | VARIANT" < CSV : median times, of the first to the second
    awk -F '"' -v step="$stem" -v pair="$1" '
        BEGIN { split(pair, wanted, / *\| */) }
        $2 == step {
            split($7, number, ",")
            for (i = 1; i <= 2; i++)
                if ($4 == wanted[i] && !(i in ms)) ms[i] = number[4]
        }
        END { if (ms[1] > 0 && ms[2] > 0) printf "%.2f\n", ms[1] / ms[2] }'
}

measured() { # measured "`ARGUMENTS` VARIANT | VARIANT" [MORE ARGUMENTS]
    "$build/$stem" --format csv $(echo "$1" | cut -d '`' -f 2) $2 2>&1 < /dev/null | grep -a '^"step' |
        ratio "$(echo "$1" | cut -d '`' -f 3 | sed 's/^ *//')"
}

on_an_h200() { # of the stored results
    ratio "$(of "$1" measured | cut -d '`' -f 3 | sed 's/^ *//')" < docs/results/nvidia-h200.csv
}

# ---- What is asked, and told.
ask() { # ask NUMBER
    printf '\nquestion %s of %s: %s\n' "$1" "$asked" "$(of "$1" '')" | wrapped
    while :; do
        printf 'your guess, a number: '
        read -r guess || { echo && fail 'a guess is missing' "type a number for each of the $asked questions"; }
        case $guess in
            '' | *[!0-9.]* | *.*.* | .) echo 'a number, such as 32 or 1.5, please' ;;
            *) happened "$step" predicted "$1" "$guess" && return ;;
        esac
    done
}

tell() { # tell NUMBER
    kind=measured
    [ -z "$(of "$1" counted)" ] || kind=counted
    is=$($kind "$(of "$1" $kind)")
    [ -n "$is" ] || fail "question $1 has no outcome" "does \`make $step run\` work, and \`make $step lens\`?"
    how=$(compare "$(said "$1" predicted)" "$is" $kind)
    [ "$(said "$1" outcome)" = "$is" ] || happened "$step" outcome "$1" "$is" "$how"
    printf '\n%s. %s\n' "$1" "$(of "$1" '')" | wrapped
    printf '   you said %-8s it is %-8s %s' "$(said "$1" predicted)" "$is" "$how"
    [ $kind = counted ] || printf ', on your device; %s on an NVIDIA H200' "$(on_an_h200 "$1")"
    printf '\n'
    printf '   because %s\n' "$(of "$1" because)" | wrapped
}

# How a question ended last: right, missed, or nothing yet.
ended() {
    awk -v step="$step" -v number="$1" '$2 == step && $3 == "outcome" && $4 == number { how = $6 }
        END { print how }' "$work/progress" 2> /dev/null
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
            [ -z "$(said "$number" predicted)" ] || echo "  $step question $number: said $(said \
                "$number" predicted), is $(said "$number" outcome), $(ended "$number")"
        done
        ;;
    --holds)
        if [ -n "$(of "$3" counted)" ]; then
            is=$(counted "$(of "$3" counted)")
            how=$(compare "$(of "$3" answer)" "$is" counted)
        else
            is=$(measured "$(of "$3" measured)" '--repeats 1') stored=$(on_an_h200 "$3")
            how=${is:+${stored:+right}}
        fi
        [ -n "$is" ] && [ "$how" = right ] && echo "holds: $is${stored:+, stored $stored}"
        ;;
    *) for_each questions predict "$@" ;;
esac
