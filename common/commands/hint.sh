#!/bin/sh
# hint.sh [STEP ...] : one hint more than the last time.

cd "$(dirname "$0")/../.." || exit 2
. common/commands/exercise_parts.sh

hint() {
    total=$(items Hints | grep -c .) given=$(how_often "$step" hint)
    [ "$given" -lt "$total" ] && given=$((given + 1)) && happened "$step" hint "$given"
    items Hints | head -n "$given" | awk -v total="$total" '{ print "hint " NR " of " total ": " $0 }' |
        wrapped || exit
    [ "$given" -lt "$total" ] || echo "that was the last one; make $step solution shows ours"
}

for_each hint hint "$@"
