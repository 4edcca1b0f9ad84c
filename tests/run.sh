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

run "$@" | awk '
    /^1\.\./ { planned += substr($0, 4); next }
    /^ok / { if (/ # skip/) skipped++; else passed++ }
    /^not ok / { failed++ }
    /^(not )?ok / { sub(/[0-9]+/, ++count) }
    { print; fflush() }
    END {
        failed += planned - passed - failed - skipped
        printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
        exit failed > 0 || passed == 0
    }'
