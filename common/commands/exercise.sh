#!/bin/sh
# exercise.sh [STEP ...] : begins a step's exercise.  Writes the learner's file to work/
# ($LOCKSTEP_WORK) with the task in it, unless there is one, and prints the task.

cd "$(dirname "$0")/../.." || exit 2
. common/commands/exercise_parts.sh

begin() { # writes the file, unless there is one
    if [ -e "$mine" ]; then
        echo "$mine is there already, and stays as it is; \`make $step reset\` begins again" | fit
    else
        make_work
        assemble "$page" | put "$mine" || exit
        echo "$mine is yours: open it in your editor." | fit
    fi
    happened "$step" started
    printf '\n%s: %s\n\n' "$step" "$(title)"
    section '' | fit_text
    printf '\nnext: make %s check     (make %s hint helps; make watch checks on every save)\n' \
        "$step" "$step" | fit
}

for_each begin exercise "$@"
