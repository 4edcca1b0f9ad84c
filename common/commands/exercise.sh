#!/bin/sh
# exercise.sh COMMAND [STEP ...] : what a learner and a teacher type, but for `check` and
# `predict`, which are scripts of their own.  Without a STEP it is the exercise begun last.
#
#     exercise  writes the learner's file to work/ ($LOCKSTEP_WORK), with the task in it
#     hint      one hint more                solution  how the learner's file differs from ours
#     next      the next open exercise       reset     begin anew; the old file is kept
#     progress  all of them                  watch     check on every save
#     catch-up  finished files for all steps before the STEP
#     handin    work/handin.txt: the device, what passed, predictions, measured rows

cd "$(dirname "$0")/../.." || exit 2
. common/commands/exercise_parts.sh

begin() { # writes the file, unless there is one
    if [ -e "$mine" ]; then
        echo "$mine is there already, and stays as it is; \`make $step reset\` begins anew"
    else
        mkdir -p "$work" && assemble "$page" > "$mine.new" && mv "$mine.new" "$mine"
        [ -e "$mine" ] ||
            fail "cannot write $mine" 'is there room, and may you write here?'
        echo "$mine is yours: open it in your editor."
    fi
    happened "$step" started
    printf '\n%s: %s\n\n' "$step" "$(title)"
    section ''
    printf '\nnext: make %s check     (make %s hint helps; make watch checks on every save)\n' \
        "$step" "$step"
}

hint() {
    total=$(items Hints | grep -c .) given=$(how_often "$step" hint)
    [ "$given" -lt "$total" ] && given=$((given + 1)) && happened "$step" hint "$given"
    items Hints | head -n "$given" | awk -v total="$total" '{ print "hint " NR " of " total ": " $0 }' |
        wrapped
    [ "$given" -lt "$total" ] || echo "that was the last one; make $step solution shows ours"
}

solution() {
    [ -e "$mine" ] || fail "there is no $mine" "\`make $step exercise\` writes it"
    has "$step" passed || agrees "$step has not passed yet: show the solution all the same?" ||
        fail "$step has not passed yet" "make $step hint helps; make $step solution ARGS=--yes shows it"
    happened "$step" solution
    if assemble ours | diff -u --label "$mine" --label "$ours" "$mine" -; then
        echo "$mine is the same as ours"
    fi
}

reset() {
    if [ -e "$mine" ]; then
        kept=$(unused "$mine.old")
        agrees "begin $step anew? $mine is kept as $kept" ||
            fail "$mine is there" "make $step reset ARGS=--yes begins anew, and keeps it as $kept"
        mv "$mine" "$kept" || fail "cannot move $mine" 'may you write here?'
    fi
    happened "$step" reset
    begin
}

# How far an exercise is: open, started, given or passed.
state() {
    for what in passed given started; do
        has "$step" $what && echo $what && return
    done
    echo open
}

progress() {
    echo 'step    state     hints   guesses  exercise'
    for one in $(steps_with_exercise); do
        choose "$one"
        asked=$(items Predict | grep -c .)
        printf '%-7s %-9s %d of %d  %d of %d     %s\n' "$step" "$(state)" "$(how_often "$step" hint)" \
            "$(items Hints | grep -c .)" "$(sh common/commands/predict.sh "$step" --count-right)" "$asked" \
            "$(title)"
    done
}

# The next one behind the exercise begun last, and from the first again.
go_on() {
    for one in $(steps_with_exercise | awk -v last="$1" '
        { all[NR] = $0; if ($0 == last) at = NR }
        END { for (i = 1; i <= NR; i++) print all[(at + i - 1) % NR + 1] }'); do
        choose "$one"
        case $(state) in open | started) begin && return ;; esac
    done
    echo "all exercises are done; \`make progress\` shows them"
}

# Checks when the file changes: told by inotify where that is, else by looking each second.
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

# An editor may be at it: what the learner wrote is moved aside, never written over.
catch_up() { # catch_up STEP
    choose "$1"
    for one in $(steps_with_exercise); do
        [ "$one" != "$1" ] || return 0
        choose "$one"
        mkdir -p "$work" || fail "cannot make $work/" 'may you write here?'
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
            mv "$mine" "$kept" || fail "cannot move $mine" 'may you write here?'
        fi
        assemble ours > "$mine" || fail "cannot write $mine" 'is there room?'
        happened "$step" given
        echo "$step  $mine is finished${kept:+; yours is $kept}"
    done
}

unused() { # unused FILE.EXT : FILE.EXT, or FILE.2.EXT ...
    name=$1 number=2
    while [ -e "$name" ]; do
        name=${1%.*}.$number.${1##*.} number=$((number + 1))
    done
    echo "$name"
}

# Nothing personal: no name, no path, no machine but its OpenCL device.
handin() {
    mkdir -p "$work" || fail "cannot make $work/" 'may you write here?'
    {
        echo 'Lockstep: what was done'
        printf '\ndevices\n'
        "$build"/step00_device_limits --devices | sed 's/^/  /'
        printf '\nexercises\n'
        progress | sed 's/^/  /'
        printf '\npredictions\n'
        for one in $(steps_with_exercise); do
            sh common/commands/predict.sh "$one" --told
        done
        printf '\nmeasured\n'
        [ ! -f "$work/measured" ] || sed 's/^/  /' "$work/measured"
    } > "$work/handin.txt" || fail "cannot write $work/handin.txt" 'is there room?'
    echo "$work/handin.txt is there to be handed in; read it first"
}

command=$1
shift
[ $# -gt 0 ] || set -- "$(awk '$3 == "started" { last = $2 } END { print last }' "$work/progress" 2> /dev/null)"
case $command in
    progress | handin | next) ;;
    catch-up) [ -n "${STEP:-$1}" ] || fail 'catch-up needs a step' 'make catch-up STEP=07' ;;
    *) [ -n "$1" ] || fail "$command needs a step" "make step05 $command, or first: make next" ;;
esac
case $command in
    progress | handin) $command ;;
    next) go_on "$1" ;;
    catch-up) step=${STEP:-$1} && catch_up "step${step#step}" ;;
    check | predict) for one in "$@"; do sh "common/$command.sh" "$one" || exit; done ;;
    exercise) for one in "$@"; do choose "$one" && begin; done ;;
    *) for one in "$@"; do choose "$one" && $command; done ;;
esac
