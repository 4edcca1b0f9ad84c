#!/bin/sh
# catch-up.sh [STEP], or STEP=07 : writes finished files for all exercises before that step.
# What the learner wrote is moved aside, never written over: an editor may have it open.

cd "$(dirname "$0")/../.." || exit 2
. common/commands/exercise_parts.sh

until=${STEP:-${1:-$(begun_last)}}
[ -n "$until" ] || fail 'catch-up needs a step' 'make catch-up STEP=07'
choose "step${until#step}"
until=$step
make_work
for one in $(steps_with_exercise); do
    [ "$one" != "$until" ] || break
    choose "$one"
    if has "$step" passed; then
        echo "$step  passed already"
        continue
    fi
    if assemble ours | cmp -s - "$mine" 2> /dev/null; then
        echo "$step  $mine is finished already"
        continue
    fi
    kept=''
    if [ -e "$mine" ]; then
        kept=$(unused "${mine%.*}.mine.${mine##*.}")
    fi
    assemble ours | put "$mine" "$kept" || exit
    happened "$step" given
    echo "$step  $mine is finished${kept:+; yours is $kept}"
done
