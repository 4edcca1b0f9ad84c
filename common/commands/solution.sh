#!/bin/sh
# solution.sh [STEP ...] : how the learner's file differs from ours.  Asks first, unless the
# exercise has passed.

cd "$(dirname "$0")/../.." || exit 2
. common/commands/exercise_parts.sh

solution() {
    [ -e "$mine" ] || fail "there is no $mine" "\`make $step exercise\` writes it"
    has "$step" passed || agrees "$step has not passed yet: show the solution all the same?" ||
        fail "$step has not passed yet" "make $step hint helps; make $step solution ARGS=--yes shows it"
    happened "$step" solution
    assemble ours | diff -u --label "$mine" --label "$ours" "$mine" -
    case $? in
        0) echo "$mine is the same as ours" ;;
        1) ;; # they differ
        *) exit 2 ;;
    esac
}

for_each solution solution "$@"
