#!/bin/sh
# run.sh FILES : runs tests, shows them as they pass, and closes with their numbers.
# A test that did not report (its file failed to load, say) counts as failed.

bats --tap "$@" | awk '
    /^1\.\./ { planned += substr($0, 4) }
    /^ok / { if (/ # skip/) skipped++; else passed++ }
    /^not ok / { failed++ }
    { print; fflush() }
    END {
        failed += planned - passed - failed - skipped
        printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
        exit failed > 0 || passed == 0
    }'
