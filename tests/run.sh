#!/bin/sh
# run.sh FILES | run.sh tests : runs tests, shows them as they pass, and closes with their
# numbers.  A test that did not report (its file failed to load, say) counts as failed.
# All tests run in two halves, side by side; but first, alone, those that build anew.

run() {
    [ "$*" = tests ] || { bats --tap "$@"; return; }
    bats --tap tests/make.bats
    trap 'trap - TERM; kill 0' INT TERM # in the background nobody hears Ctrl-C
    for half in 0 1; do
        # shellcheck disable=SC2046 # a list of files is meant
        bats --tap $(find tests -name '*.bats' ! -name make.bats | sort | awk "NR % 2 == $half") &
    done
    wait
}

# (mawk would wait for a whole block of lines, and nobody would see that tests pass.)
run "$@" | {
    planned=0 passed=0 failed=0 skipped=0
    while IFS= read -r line; do
        case $line in
            1..*) planned=$((planned + ${line#1..})) && continue ;;
            'ok '*' # skip'*) skipped=$((skipped + 1)) ;;
            'ok '*) passed=$((passed + 1)) ;;
            'not ok '*) failed=$((failed + 1)) ;;
        esac
        case $line in # two halves, one count
            'ok '* | 'not ok '*) title=${line#*ok } &&
                line="${line%%ok *}ok $((passed + failed + skipped)) ${title#* }" ;;
        esac
        printf '%s\n' "$line"
    done
    failed=$((planned - passed - skipped))
    echo "$passed passed, $failed failed, $skipped skipped"
    [ $failed = 0 ] && [ $passed != 0 ]
}
