#!/bin/sh
# reset.sh [STEP ...] : begins an exercise again.  Asks first, and keeps the old file.

cd "$(dirname "$0")/../.." || exit 2
. common/commands/exercise_parts.sh

reset() {
    kept=''
    if [ -e "$mine" ]; then
        kept=$(unused "$mine.old")
        agrees "begin $step again? $mine is kept as $kept" ||
            fail "$mine is there" "make $step reset ARGS=--yes begins again, and keeps it as $kept"
    fi
    happened "$step" reset
    [ -z "$kept" ] || mv "$mine" "$kept" || fail "cannot move $mine" 'may you write here?'
    sh common/commands/exercise.sh "$step" && return
    [ -z "$kept" ] || mv "$kept" "$mine"
    exit 2
}

for_each reset reset "$@"
