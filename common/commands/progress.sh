#!/bin/sh
# progress.sh : shows all exercises, and how far the learner is.

cd "$(dirname "$0")/../.." || exit 2
. common/commands/exercise_parts.sh

events > /dev/null # or why it cannot be read
echo 'step    state     hints   guesses  exercise'
for one in $(steps_with_exercise); do
    choose "$one"
    seen='' && ! solution_seen "$step" || seen=' (our solution was shown)'
    asked=$(items Predict | grep -c .)
    printf '%-7s %-9s %d of %d  %d of %d     %s%s\n' "$step" "$(state "$step")" \
        "$(how_often "$step" hint)" "$(items Hints | grep -c .)" \
        "$(sh common/commands/predict.sh "$step" --count-right)" "$asked" "$(title)" "$seen"
done
lost "$work/progress" "$EVENT"
