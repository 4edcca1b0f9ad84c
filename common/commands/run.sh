#!/bin/sh
# run.sh [--full] STEP ... -- ARGUMENTS : runs the steps in order, and stops at the first that
# is wrong or cannot run.  A step that this device cannot show (77) is passed over.
#
# run.sh --story STEP ... -- ARGUMENTS : runs them all, and prints one line for each: what a GPU
# answers, measured and counted (from docs/results/answers.tsv), and what this device does.
# What the steps print goes to build/run/.  A line " * Story  --NAME
# VALUE" of a step's header gives it an option here, such as fewer repeats.
#
# Exit status: 0 all are right; 1 a result is wrong; 2 a step cannot run.

. common/commands/files.sh
build=${BUILD:-build} options='' steps='' story=''
while [ "$1" != -- ]; do
    case $1 in
        --story) story=yes ;;
        --*) options="$options $1" ;;
        *) steps="$steps $1" ;;
    esac
    shift
done
shift

# ended_by_signal STEP STATUS : what a shell says only on a terminal.
ended_by_signal() {
    printf 'error: %s was ended by signal %s\n  hint    "make %s races" looks for the mistake in the kernel\n' \
        "$1" "$(kill -l "$2")" "${1%%_*}"
}

if [ -z "$story" ]; then
    for step in $steps; do
        # shellcheck disable=SC2086 # a list of words is meant
        sh common/commands/ranks.sh "$build/$step" $options "$@"
        status=$?
        case $status in
            0) ;;
            77) echo "$step was skipped, for the reason above" >&2 ;;
            129 | 13[07] | 14[13]) exit $status ;; # HUP, INT, KILL, PIPE, TERM: on purpose
            *)
                [ $status -gt 128 ] || exit $status
                ended_by_signal "$step" $status >&2
                exit 2
                ;;
        esac
        [ "$step" = "${steps##* }" ] || echo >&2
    done
    exit 0
fi

# progress TEXT : on a terminal, until the step's line takes its place.
progress() {
    [ ! -t 2 ] || printf '\r%-79s\r%s' '' "$1" >&2
}

# run_step STEP : runs a step; what it prints goes to $build/run/STEP.txt, its rows to STEP.tsv.
run_step() {
    step=$1
    shift
    progress "$step ..."
    : > "$build/run/$step.tsv"
    # shellcheck disable=SC2046 # a list of words is meant
    sh common/commands/ranks.sh "$build/$step" --rows "$build/run/$step.tsv" --repeats 5 --brief \
        $(sed -n 's/^ \* Story  *\(--[a-z]* [0-9]*\).*/\1/p' "steps/$step.c") "$@" \
        > "$build/run/$step.txt" 2>&1
    status=$?
    progress ''
    return $status
}

# trouble STEP STATUS : what it says itself, which signal ended it, or why it has no message.
trouble() {
    if [ "$2" -gt 128 ]; then
        ended_by_signal "$1" "$2" | head -n 1
    else
        grep -aE -m 1 '^(wrong|error): ' "$build/run/$1.txt" && return
        reason=$(unwritable "$build/run")
        echo "${reason:+error: cannot write to $build/run: $reason; }ended with status $2"
    fi
}

# line STEP STATUS : the step's line.  A file that is missing has nothing to say.
line() {
    awk -v step="$1" -v status="$2" -v cpu=$cpu -v narrow=$narrow -f common/commands/story.awk \
        file=program "steps/$1.c" file=rows "$build/run/$1.tsv" file=answers $answers
}

# device ARGUMENTS : "This CPU: PoCL 3.1 on 2 cores; ...", out of what step 00 has printed.
device() {
    "$build"/step00_device_limits --unless-known "$@" 2> "$build/run/limits.txt" |
        awk '/^device / { sub(/^device +/, ""); sub(/ \([A-Z]*\)$/, ""); name = $0 }
            /^platform +Portable Computing Language/ { pocl = "PoCL " $NF; sub(/[+-].*/, "", pocl) }
            /^compute units/ { units = $3 + 0 }
            /^limits: read/ && FILENAME == "-" {
                gsub(/[,;]/, "")
                limits = "; at most " $3 " GB/s from memory, and " $10 " GFLOP/s"
            }
            END {
                about = pocl ? pocl " on " units " cores" : name ", " units " units"
                print (units ? (cpu ? "This CPU: " : "This GPU: ") about : "This device") limits
            }' cpu=$cpu "$build/run/step00_device_limits.txt" -
}

# begin ARGUMENTS : the lines above the steps' lines.
begin() {
    ! grep -q '^device .*(CPU)$' "$build/run/step00_device_limits.txt" || cpu=1
    device "$@" | fit
    if [ $cpu = 1 ]; then
        printf '%s\n' "The lessons are about GPUs: so a GPU's answer comes first, and this CPU's own comes last." \
            '* means that this CPU answers the opposite.' | fit
        first='an H200' last='this CPU'
    else
        first='this GPU' last='an H200'
    fi
    counted=''
    [ $narrow = 1 ] || counted=$(printf '%-27s' '32 lanes, counted')
    printf '\n%-38s%14s  %s%14s\n' step "$first" "$counted" "$last"
}

# stored_by ANSWERS : whose stored ratios stand above; those of some steps are another card's.
stored_by() {
    awk -F '\t' '
        $1 == "device" { dates[$2] = $4 }
        $1 == "headline" && $6 != "H200" && $6 != "" {
            split($2, name, "_")
            others[$6] = others[$6] (others[$6] ? ", " : "") substr(name[1], 5)
        }
        END {
            if ("H200" in dates)
                print "an H200: stored times of " dates["H200"]
            for (card in others)
                print "an " card ", of " dates[card] ", in its place: " others[card]
        }' "$1"
}

reason=$(unwritable "$build/run")
[ -z "$reason" ] || fail "cannot write to the folder $build/run: $reason" 'make room there: make clean'
red='' plain=''
[ ! -t 1 ] || [ -n "$NO_COLOR" ] || red=$(printf '\033[31m') plain=$(printf '\033[m')
device='' before=''
for word in "$@"; do
    [ "$before" != --device ] || device=$word
    before=$word
done
"$build"/step00_device_limits --unless-known ${device:+--device "$device"} > "$build/run/limits.txt" || exit 2
answers=docs/results/answers.tsv
[ -r $answers ] || answers=/dev/null
right=0 skipped=0 failed=0 result=0 cpu=0
narrow=0 # is there no room for what the lens counts?
if [ "$columns" -gt 0 ] && [ "$columns" -lt 96 ]; then narrow=1; fi
for step in $steps; do
    run_step "$step" "$@"
    status=$?
    [ "$step" != step00_device_limits ] || begin "$@"
    case $status in
        0) right=$((right + 1)) ;;
        77) skipped=$((skipped + 1)) ;;
        *)
            failed=$((failed + 1))
            [ $status = 1 ] && result=1 || [ $result = 1 ] || result=2
            number=${step%%_*}
            said=$(printf '%-3s %s\n' "${number#step}" "$(trouble "$step" $status)" | fit)
            printf '%s%s%s\n' "$red" "$said" "$plain"
            continue
            ;;
    esac
    line "$step" $status
done
{
    echo
    stored_by $answers
    if [ $failed = 0 ]; then
        echo "$right steps, all results are right.  The first lesson: make step05 run, and docs/step05_dot_strided.md"
    else
        echo "$failed of $((right + skipped + failed)) steps are wrong or cannot run.  What they print is in $build/run/"
    fi
    [ $skipped = 0 ] || echo "$skipped skipped, for the reasons in $build/run/"
    [ $narrow = 0 ] || echo "On a terminal of 96 columns, each line also has what 32 lanes of a GPU do."
} | fit
exit $result
