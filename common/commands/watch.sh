#!/bin/sh
# watch.sh [STEP] : checks the learner's file now, and whenever it is saved.  inotify tells
# when that is; without it, we look each second.

cd "$(dirname "$0")/../.." || exit 2
. common/commands/exercise_parts.sh

watch() {
    [ -e "$mine" ] || fail "there is no $mine" "\`make $step exercise\` writes it"
    echo "watching $mine; Ctrl-C ends"
    while :; do
        before=$(cksum "$mine" 2> /dev/null) # what is saved during a check is checked next
        sh common/commands/check.sh "$step" && echo "(still watching $mine)"
        while [ "$(cksum "$mine" 2> /dev/null)" = "$before" ]; do
            if command -v inotifywait > /dev/null; then
                inotifywait -qq -t 5 -e close_write,move,create "$work" || sleep 1
            else
                sleep 1
            fi
        done
    done
}

for_each watch watch "$@"
