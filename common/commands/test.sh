#!/bin/sh
# run.sh FILES | run.sh tests : runs tests, shows them as they pass, and closes with their
# numbers.  A test that did not report (its file failed to load, say) counts as failed.
# All tests run on as many cores as there are, a file on each.  In the order of their names
# the long files come first, and nobody waits for one of them in the end.

run() {
    [ "$*" = tests ] || { bats --tap --timing "$@"; return; }
    find tests -name '*.bats' | sort |
        xargs -n 1 -P "$(getconf _NPROCESSORS_ONLN)" bats --tap --timing
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
        case $line in # several files, one count
            'ok '* | 'not ok '*) title=${line#*ok } &&
                line="${line%%ok *}ok $((passed + failed + skipped)) ${title#* }" ;;
        esac
        printf '%s\n' "$line"
    done
    failed=$((planned - passed - skipped))
    echo "$passed passed, $failed failed, $skipped skipped"
    [ $failed = 0 ] && [ $passed != 0 ]
}
