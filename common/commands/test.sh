#!/bin/sh
# test.sh FILES | test.sh tests : runs tests, shows them as they pass, then the ten slowest,
# and closes with their numbers.  A test that did not report (its file failed to load, say)
# counts as failed.  All tests run on as many cores as there are, a file on each.  In the
# order of their names the long files come first, so that none of them is still running when all others are done.
# ONLY=REGULAR-EXPRESSION : of these tests, only those whose names match it, as in ONLY='size 1'.

. common/commands/files.sh
make_scratch
pattern=$ONLY
unset ONLY # which is not for what tests call

# matching TESTS : those of their files in which a test has such a name.
matching() {
    find "$@" -name '*.bats' | LC_ALL=C sort | while read -r file; do
        sed -n 's/^@test "\(.*\)" {$/\1/p' "$file" | grep -qE -e "$pattern" && echo "$file"
    done
}

run() {
    [ "$*" = tests ] || { bats --tap --timing -f "$pattern" "$@"; return; }
    matching tests | xargs -n 1 -P "$(getconf _NPROCESSORS_ONLN)" bats --tap --timing -f "$pattern"
}

reason=$(grep -E -e "$pattern" /dev/null 2>&1)
[ -z "$reason" ] || fail "ONLY='$pattern' is no regular expression: ${reason##*: }" \
    "a character that is not meant as an operator has a \\ before it"
[ -n "$(matching "$@")" ] || fail "no test here has a name that matches ONLY='$pattern'" \
    "their names: grep -rh '^@test' $*"

slowest=$scratch/slowest
: > "$slowest"

sh tests/small_pocl.sh "$PWD/${BUILD:-build}/small-pocl"

# Tests leave a user's limits as they are.  If none are known, PoCL measures them in a gigabyte
# of memory, which takes a fifth of the time: no test says how fast this device is.
limits=${LIMITS_DIR:-${BUILD:-build}/limits}
export LIMITS_DIR="$scratch/limits"
mkdir "$LIMITS_DIR"
cp "$limits"/*.txt "$LIMITS_DIR" 2> /dev/null
POCL_MEMORY_LIMIT=1 "${BUILD:-build}/step00_device_limits" --repeats 3 --unless-known \
    > /dev/null 2>&1 || true # what keeps it from measuring, its own tests say

# (mawk would wait for a whole block of lines before it shows that tests pass.)
run "$@" | {
    planned=0 passed=0 failed=0 skipped=0
    while IFS= read -r line; do
        case $line in
            1..*) planned=$((planned + ${line#1..})) && continue ;;
            'ok '*' # skip'*) skipped=$((skipped + 1)) ;;
            'ok '*) passed=$((passed + 1)) ;;
            'not ok '*) failed=$((failed + 1)) ;;
        esac
        case $line in # several files, one count
            'ok '* | 'not ok '*)
                title=${line#*ok } title=${title#* }
                line="${line%%ok *}ok $((passed + failed + skipped)) $title"
                milliseconds=${title##* in } && echo "${milliseconds%%ms*} ${title% in *}" >> "$slowest"
                ;;
        esac
        printf '%s\n' "$line"
    done
    [ "$planned" -le 10 ] || {
        echo 'the slowest:'
        LC_ALL=C sort -rn "$slowest" | head -n 10 |
            awk '{ printf "%7.1f s ", $1 / 1000; $1 = ""; print }'
    }
    failed=$((planned - passed - skipped))
    echo "$passed passed, $failed failed, $skipped skipped"
    [ $failed = 0 ] && [ $passed != 0 ]
}
