# What a learner and a teacher type around an exercise; what `check` itself says, verdicts.bats
# has.
load helper.bash

@test "exercises: begin writes the file and the task, and never writes over anything" {
    exercise exercise step05
    [ "$status" -eq 0 ]
    [[ $output == *"$mine is yours"* && $output == *"next: make step05 check"* ]]
    [ "$(head -c 12 "$mine")" = '/* Exercise:' ]
    echo '/* mine */' >> "$mine"
    cp "$mine" "$BATS_TEST_TMPDIR/before"
    exercise exercise step05
    [[ $output == *"stays as it is"* ]]
    cmp "$mine" "$BATS_TEST_TMPDIR/before"
}

@test "exercises: hints come one by one" {
    exercise hint step05
    [[ $output == "hint 1 of 3: "* && $output != *"hint 2"* ]]
    exercise hint step05
    [[ $output == *"hint 2 of 3: "* && $output != *"hint 3"* ]]
    exercise hint step05
    exercise hint step05
    [[ $output == *"hint 3 of 3: "*"last one"* ]]
    [ "$(grep -c ' step05 hint ' "$LOCKSTEP_WORK/progress")" -eq 3 ]
}

@test "exercises: the solution asks first, then shows the difference" {
    exercise exercise step05
    exercise solution step05 < /dev/null
    [ "$status" -eq 2 ]
    [[ $output == *"has not passed yet"*"  hint    "* ]]
    ARGS=--yes exercise solution step05
    [ "$status" -eq 0 ]
    [[ $output == *"+    for (uint round = 0; round < rounds; round++, i += items)"* ]]
    solve
    sed -i '1i/* a line of mine */' "$mine"
    echo '2026-01-01 step05 passed' >> "$LOCKSTEP_WORK/progress"
    exercise solution step05 < /dev/null
    [[ $output == *"-/* a line of mine */"* ]]
}

@test "exercises: reset asks first, and keeps what was there" {
    exercise exercise step05
    echo '/* mine */' >> "$mine"
    exercise reset step05 < /dev/null
    [ "$status" -eq 2 ]
    tail -n 1 "$mine" | grep -q mine
    ARGS=--yes exercise reset step05
    [ "$status" -eq 0 ]
    run ! grep -q '/\* mine \*/' "$mine"
    grep -q '/\* mine \*/' "$mine".old*
}

# answered STEP ANSWER ... : what predict says when these are typed.
answered() {
    exercise predict "$1" < <(printf '%s\n' "${@:2}")
    [ "$status" -eq 0 ]
}

# on_a_cpu : skips the test where a GPU measures, whose own times are scored.
on_a_cpu() {
    ! "$BUILT/step00_device_limits" --devices | grep -qE ' (gpu|other) ' || skip "a GPU is scored by its own times"
}

@test "exercises: predict scores what an H200 has measured; a CPU's own is told, in words" {
    on_a_cpu
    answered step03 512 4.3 b
    [[ $output == *"question 2 of 3: An NVIDIA H200 adds up 262,144 products."* ]]
    [[ $output == *"you said     4.3"$'\n'"   NVIDIA H200  4.27     right (within a factor of 1.5)"* ]]
    [[ $output =~ $'\n   this CPU     one work-item alone is '([0-9.]+" times "(FASTER|slower)|"about as fast"|"not clearly faster or slower")" here. A core runs" ]]
    [[ $output == *$'\n\ncounted: by the lens, lane by lane (make step03 lens)\nNVIDIA H200: stored times of '"$(
        sed -n 's/^# date: //p' "$ROOT/docs/results/nvidia-h200.csv")"$'\nnext: make step03 exercise' ]]
    told=$(tr -s ' \n' ' ' <<< "$output")
    [[ $told == *"to its last. Not scored. 3. Two neighbours"* ]]
    exercise predict step03 --count-right
    [ "$output" = 3 ]
    grep -q ' step03 outcome 2 4.27 right$' "$LOCKSTEP_WORK/progress"
    grep -qE ' step03 here 2 [0-9.]+ cpu( unclear)?$' "$LOCKSTEP_WORK/progress"
}

@test "exercises: predict misses what only the CPU's clock says, and says FASTER in place of 0.13" {
    on_a_cpu
    answered step03 512 4.3 b
    for said in 0.13:'7.7 times FASTER' 2.4:'2.4 times slower' 1.1:'about as fast' 1.12:'1.1 times slower' \
        0.91:'about as fast' 1234.5:'1234 times slower'; do
        printf '2026-01-01 step03 %s\n' 'predicted 2 0.13' "here 2 ${said%%:*} cpu" >> "$LOCKSTEP_WORK/progress"
        exercise predict step03 < /dev/null
        [[ $output == *"   NVIDIA H200  4.27     missed"$'\n'* ]]
        [[ $output == *"   this CPU     one work-item alone is ${said#*:} here. "* ]]
    done
    echo '2026-01-01 step03 here 2 1.4 cpu unclear' >> "$LOCKSTEP_WORK/progress"
    exercise predict step03 < /dev/null
    [[ $output == *"   this CPU     one work-item alone is not clearly faster or slower here. "* ]]
    exercise predict step03 --count-right
    [ "$output" = 2 ]
}

@test "exercises: predict scores a GPU's own times in place of stored ones" {
    mkdir -p "$BATS_TEST_TMPDIR/gpu" "$BATS_TEST_TMPDIR/work"
    cat > "$BATS_TEST_TMPDIR/gpu/step05_dot_strided" << 'END'
#!/bin/sh
echo "$*" >> "${0%/*}/asked"
case $* in *--size*) slow=1 ;; *) slow=9.1 ;; esac
printf 'step\tvariant\tdevice\tsize\tmedian_ms\tfastest_ms\n'
printf 'step05_dot_strided\t%s\tSome (new) GPU\t64\t%s\t0.5\n' coalesced 1 contiguous $slow
END
    cat > "$BATS_TEST_TMPDIR/gpu/step00_device_limits" << 'END'
#!/bin/sh
echo '    0  Some (new) GPU                     gpu   1.0'
END
    chmod +x "$BATS_TEST_TMPDIR"/gpu/*
    printf '2026-01-01 step05 %s\n' 'outcome 1 32 right' > "$BATS_TEST_TMPDIR/work/progress"
    BUILD=$BATS_TEST_TMPDIR/gpu answered step05 32 4.4 a
    [[ $output == *"   NVIDIA H200  4.38"$'\n'*"   this GPU     9.1      missed"* && $output != *"Not scored"* ]]
    [ "$(tail -n 1 "$BATS_TEST_TMPDIR/gpu/asked")" = "--format tsv --repeats 5" ] # at a GPU's own size
    rm -r "$BATS_TEST_TMPDIR/work"
    mkdir "$BATS_TEST_TMPDIR/work"
    printf '2026-01-01 step05 %s\n' 'outcome 1 32 right' > "$BATS_TEST_TMPDIR/work/progress"
    BUILD=$BATS_TEST_TMPDIR/gpu answered step05 32 9 a
    [[ $output == *"   this GPU     9.1      right (within a factor of 1.5)"* ]]
    grep -q ' step05 outcome 2 9.10 right$' "$LOCKSTEP_WORK/progress"
}

@test "exercises: predict concludes nothing where a launch of the slower one was fast, too" {
    mkdir -p "$BATS_TEST_TMPDIR/cpu" "$BATS_TEST_TMPDIR/work"
    cat > "$BATS_TEST_TMPDIR/cpu/step05_dot_strided" << 'END'
#!/bin/sh
printf 'step\tvariant\tdevice\tsize\tmedian_ms\tfastest_ms\n'
printf 'step05_dot_strided\t%s\tSome CPU\t64\t%s\t%s\n' coalesced 1.5 "$FAST" contiguous 1 0.9
END
    echo '#!/bin/sh' > "$BATS_TEST_TMPDIR/cpu/step00_device_limits"
    chmod +x "$BATS_TEST_TMPDIR"/cpu/*
    local said
    for said in 1.0:'not clearly faster or slower' 1.1:'1.5 times FASTER'; do
        printf '2026-01-01 step05 %s\n' 'outcome 1 32 right' > "$BATS_TEST_TMPDIR/work/progress"
        FAST=${said%%:*} BUILD=$BATS_TEST_TMPDIR/cpu answered step05 32 4.4 a
        [[ $output == *"   this CPU     contiguous chunks are ${said#*:} here. "* ]]
        BUILD=/nonexistent exercise predict step05 < /dev/null # as it was noted
        [[ $output == *"   this CPU     contiguous chunks are ${said#*:} here. "* ]]
    done
}

@test "exercises: predict counts and measures once for a guess, and then tells that again" {
    answered step03 512 4.3 b
    first=$(sed -n '/^1\. /,$p' <<< "$output")
    cp "$LOCKSTEP_WORK/progress" "$BATS_TEST_TMPDIR/before"
    BUILD=/nonexistent exercise predict step03 < /dev/null
    [ "$status" -eq 0 ]
    diff <(sed -n '/^1\. /,$p' <<< "$output") <(echo "$first")
    cmp "$LOCKSTEP_WORK/progress" "$BATS_TEST_TMPDIR/before"
    # What was noted before there were stored answers is scored once more, by these.
    printf '2026-01-01 step04 %s\n' 'predicted 1 16' 'predicted 2 210' 'predicted 3 c' 'outcome 1 16.00 right' \
        'outcome 2 0.20 missed' 'here 2 0.20 cpu' >> "$LOCKSTEP_WORK/progress"
    BUILD=/nonexistent exercise predict step04 < /dev/null
    [[ $output == *"   NVIDIA H200  214      right"* && $output == *" times FASTER here"* ]]
    grep -q ' step04 outcome 2 213.69 right$' "$LOCKSTEP_WORK/progress"
    # Without a measurement the stored answer is told all the same, and the reader is told why.
    sed -i '/ here /d' "$LOCKSTEP_WORK/progress"
    BUILD=/nonexistent exercise predict step04 < /dev/null
    [ "$status" -eq 0 ]
    [[ $output == *"   NVIDIA H200  214      right"*"   this CPU     nothing was measured: does "* ]]
}

@test "exercises: predict asks, then sets guess and answer side by side" {
    exercise predict step03 < <(printf 'many\n32\n1000\n7\nd\nb\n')
    [ "$status" -eq 0 ]
    [[ $output == *"a number, such as"*"a, b or c: one of the letters"* ]]
    [[ $output == *"   you said     32"$'\n'"   counted      512      missed"$'\n'"   because      they take 32 elements"* ]]
    [[ $output == *"   you said     1000"$'\n'"   NVIDIA H200  4.27"*"   because      the 32 wait"* ]]
    [[ $output == *"   a: "*"   b: "*"   c: "*"   you said     b"$'\n'"   the answer   b        right"$'\n'"   because "* ]]
    exercise predict step03 < /dev/null # the answers stand, and no question is asked again
    [[ $output == *"your guesses stay"*"you said     32"* && $output != *"your guess,"* ]]
    exercise predict step03 --count-right
    [ "$output" = 1 ]
    exercise predict step03 --told
    [[ $output == *"step03 question 3: said b, is b, right" ]]
    [[ $output =~ 'question 2: said 1000, is '[0-9.]+' times '(slower|faster)', missed' ]]
    echo '2026-01-01 step03 outcome 2 0.05 missed' >> "$LOCKSTEP_WORK/progress"
    exercise predict step03 --told
    [[ $output == *'question 2: said 1000, is 20 times faster, missed'* ]]
    exercise predict step04 < /dev/null
    [ "$status" -eq 2 ]
    [[ $output == *"a guess is missing"* ]]
}

@test "exercises: next and progress go through all of them" {
    exercise next
    [[ $output == *"step01: Your first kernel"* ]]
    echo '2026-01-01 step01 passed' >> "$LOCKSTEP_WORK/progress"
    exercise next
    [[ $output == *"step02: Which clock?"* ]]
    echo '2026-01-01 step02 passed' >> "$LOCKSTEP_WORK/progress"
    exercise next
    [[ $output == *"step03"* ]]
    echo '2026-01-01 step03 passed' >> "$LOCKSTEP_WORK/progress"
    exercise next
    [[ $output == *"step04"* ]]
    exercise progress
    [ "$status" -eq 0 ]
    [ "$(grep -c '^step' <<< "$output")" -eq $((1 + $(ls "$ROOT"/docs/exercises/*.md | wc -l))) ]
    [[ $output == *"step01  passed"*"step03  passed"*"step04  started"*"step05  open"* ]]
}

@test "exercises: next follows a timetable of the workshop's page, until it is told to go on with all" {
    PLAN=half-day exercise next
    [[ $status -eq 0 && ${lines[0]} == "1 of 4: step05; before you begin: make step05 predict" ]]
    [[ ${lines[-1]} == "next: make step05 check "* ]]
    exercise next # the plan is kept; step 02 is only shown there
    [[ ${lines[0]} == "step05 has not passed yet: make step05 check goes on with it" ]]
    [[ ${lines[-1]} == "next: make step03 check "* ]]
    exercise next
    exercise next
    [[ ${lines[-1]} == "next: make step09 check "* ]]
    for step in 05 03 06 09; do
        echo "2026-01-01 step$step passed" >> "$LOCKSTEP_WORK/progress"
    done
    exercise next
    [ "$output" = "all exercises of this plan are done; make next PLAN=all goes on with others" ]
    exercise progress
    [[ ${#lines[@]} -eq 6 && ${lines[1]} == "step05  passed "* && ${lines[4]} == "step09  passed "* ]]
    [[ ${lines[5]} == "(plan half-day: 4 of "*" exercises; PLAN=all goes through all)" ]]
    PLAN=all exercise next
    [[ ${lines[-1]} == "next: make step09b check "* ]]
    PLAN=half exercise next
    [[ $status -eq 2 && $output == "error: there is no plan half"*"plans are 90-minutes, half-day, "* ]]
}

@test "exercises: catch-up finishes what a timetable has before a step, and nothing else" {
    PLAN=half-day exercise next
    STEP=03 exercise catch-up
    [ "$status" -eq 0 ]
    [[ $output == "step05  "*" is finished; yours is "* && ${#lines[@]} -eq 1 ]]
    STEP=07 exercise catch-up # which is not in it
    [[ $output == "step01  "* && ${#lines[@]} -eq 6 ]]
}

@test "exercises: each timetable has its minutes, and only steps that there are" {
    PYTHONPATH=$ROOT/common/commands/exercise python3 -B -c '
import plans
minutes = {plan: sum(row.minutes for row in plans.rows_of(plan)) for plan in plans.NAMES}
assert minutes["90-minutes"] == 90 and 180 <= minutes["half-day"] <= 240, minutes
assert 180 <= minutes["busy-half-day"] <= 240 and 600 <= minutes["two-days"] <= 900, minutes
for plan in plans.NAMES:
    assert len(plans.steps_of_plan(plan)) >= 3, plan
    for row in plans.rows_of(plan):
        assert not row.step or row.step in plans.steps_with_exercise() + ["step00"], row'
}

@test "exercises: catch-up keeps the learner's own files" {
    exercise exercise step03
    own=$(ls "$LOCKSTEP_WORK"/step03*)
    echo '/* mine */' >> "$own"
    STEP=05 exercise catch-up
    [ "$status" -eq 0 ]
    grep -q '/\* mine \*/' "${own%.*}.mine.${own##*.}"
    run ! grep -q '/\* mine \*/' "$own"
    [ -f "$LOCKSTEP_WORK"/step04_dot_groups.cl ]
    [ ! -e "$LOCKSTEP_WORK"/step05_dot_strided.cl ]
    [ -f "$LOCKSTEP_WORK"/step01_dot_single.cl ] && [ -f "$LOCKSTEP_WORK"/step02_dot_timed.c ]
    LOCKSTEP_WORK=$LOCKSTEP_WORK run -0 python3 "$ROOT/common/commands/exercise" check step04
}

# on_full_disk : fills $disk, and then each command must say so, and leave all files as they are.
on_full_disk() {
    export LOCKSTEP_WORK=$disk/work ARGS=--yes
    python3 common/commands/exercise exercise step03 step05
    echo old > "$LOCKSTEP_WORK/handin.txt"
    cp README.md "$disk"
    head -c 1000000 /dev/zero > "$disk/fill" 2> /dev/null
    cksum "$disk"/README.md "$LOCKSTEP_WORK"/* > "$BATS_TEST_TMPDIR/before"
    local command status
    for command in handin hint 'exercise step04' reset 'catch-up step05' 'predict step03' docs; do
        echo "$command"
        case $command in
            docs) set -- python3 common/commands/pages docs "$disk" ;;
            # shellcheck disable=SC2086 # a list of words is meant
            *) set -- python3 common/commands/exercise $command ;;
        esac
        "$@" > "$BATS_TEST_TMPDIR/said" 2>&1 <<< 7
        status=$?
        cat "$BATS_TEST_TMPDIR/said"
        [ "$status" -eq 2 ] || return 1
        grep -q "error: cannot write $disk/" "$BATS_TEST_TMPDIR/said" || return 1
        cksum "$disk"/README.md "$LOCKSTEP_WORK"/* | cmp - "$BATS_TEST_TMPDIR/before" || return 1
    done
}

@test "exercises: a full disk is an error, and each file stays as it was" {
    cd "$ROOT"
    export -f on_full_disk
    with_disk 64 true
    run with_disk 64 bash -c on_full_disk
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "exercises: watch checks at once, and whenever the file is saved" {
    exercise exercise step05
    python3 "$ROOT/common/commands/exercise" watch step05 > "$BATS_TEST_TMPDIR/seen" 2>&1 &
    watcher=$!
    for _ in $(seq 60); do
        grep -q '^next' "$BATS_TEST_TMPDIR/seen" && break
        sleep 1
    done
    echo 'kernel void broken(' >> "$mine"
    for _ in $(seq 60); do
        grep -q '^BROKEN' "$BATS_TEST_TMPDIR/seen" && break
        sleep 1
    done
    kill $watcher
    grep -q '^NOT YET' "$BATS_TEST_TMPDIR/seen"
    grep -q '^BROKEN' "$BATS_TEST_TMPDIR/seen"
}

@test "exercises: on a terminal of 80 columns, no line of a task, a hint or a verdict is wider" {
    cd "$ROOT"
    export LOCKSTEP_WORK=$BATS_TEST_TMPDIR/work
    on_terminal 80 make -s step05 exercise > "$BATS_TEST_TMPDIR/task"
    grep -q 'next: make step05 check' "$BATS_TEST_TMPDIR/task"
    awk 'length($0) > 80 { print "too wide: " $0; bad = 1 } END { exit bad }' "$BATS_TEST_TMPDIR/task"
    diff <(sed -n '/no longer does/,/touch 4/p' docs/exercises/step05_dot_strided.md | tr -s ' \n' '\n') \
        <(sed -n '/no longer does/,/touch 4/p' "$BATS_TEST_TMPDIR/task" | tr -s ' \n' '\n')
    fits 80 88 python3 common/commands/exercise check step05
}

@test "exercises: on a terminal a verdict is the last word, and a script gets its status" {
    needs_script
    cd "$ROOT"
    export LOCKSTEP_WORK=$BATS_TEST_TMPDIR/work
    make -s step05 exercise > /dev/null
    run -0 on_terminal 80 make step05 check
    [ "${lines[-1]}" = "next: make step05 hint" ]
    [[ $output == *"NOT YET  step05"* ]] # behind what make may say of its building
    run -2 make step05 check
    [[ $output == *"next: make step05 hint"* ]]
}

@test "exercises: what is asked for wrongly is told how to be asked for" {
    exercise check step05
    [ "$status" -eq 2 ]
    [[ $output == *"make step05 exercise"* ]]
    exercise exercise step00
    [ "$status" -eq 2 ]
    [[ $output == *"has no exercise"* ]]
    exercise hint
    [ "$status" -eq 2 ]
    exercise catch-up
    [ "$status" -eq 2 ]
}

@test "exercises: make knows the commands, and the last exercise begun is meant" {
    export LOCKSTEP_WORK=$BATS_TEST_TMPDIR/work
    cd "$ROOT"
    unset MAKEFLAGS MFLAGS MAKELEVEL FLAGS
    run -0 make SETUP=no step05 exercise
    run -0 make SETUP=no hint
    [[ $output == *"hint 1 of 3"* ]]
    run -0 make SETUP=no help
    [[ $output == *"catch-up"*"handin"* ]]
    run ! make SETUP=no step05 check MISTAKE=step_of_one
    [[ $output == *"NOT YET  step05: "* || $output == *"WRONG  step05: "*"  looks like     step_of_one: "* ]]
    run ! grep -q passed "$LOCKSTEP_WORK/progress"
}

@test "exercises: every target of an exercise is a command of that name" {
    cd "$ROOT"
    for target in $(sed -n 's/^EXERCISE := //p' Makefile); do
        run -0 python3 common/commands/exercise "$target" --help
    done
    exercise exercise step03 step05
    exercise check
    [[ ${lines[0]} == "NOT YET  step05: "* ]]
    exercise check step03 step05
    [[ ${lines[0]} == "NOT YET  step03: "* ]]
}

@test "exercises: damaged files in work/ are read as far as they can be, and nothing is lost silently" {
    exercise exercise step05
    printf '2026-01-01 step03 passed\r\n2026-01-01 step04 solution\r\n2026-01-01 step04 passed\r\n' \
        >> "$LOCKSTEP_WORK/progress"
    printf '2026-01-01 step03 predicted 1 4\r\n\033[2J\001\377\n' >> "$LOCKSTEP_WORK/progress"
    echo '2026-01-01 step03 checked SHAPE' >> "$LOCKSTEP_WORK/progress" # a verdict's old word
    printf '%s\n' 'step03  yours  32 work-items: 1.5 ms, 2.9 GB/s, 81 % of the limit' \
        'step03  ours   32 work-items: 1.5 ms,  ' 'step03  yours  /home/anna/x: 1 ms, 2 GB/s' \
        $'step03  yours  \033[2Jx: 1 ms, 2 GB/s' > "$LOCKSTEP_WORK/measured"
    exercise progress
    [ "$status" -eq 0 ]
    [[ $output == *"step03  passed"*"step04  passed"*" (our solution was shown)"*"step05  started"* ]]
    [ "$(grep -c 'solution was shown' <<< "$output")" -eq 1 ]
    [[ ${lines[-1]} == "(1 of the lines in $LOCKSTEP_WORK/progress cannot be read: they are left out)" ]]
    exercise handin
    [ "$status" -eq 0 ]
    [[ $output == *"(1 of the lines in "*progress*"(2 of the lines in "*measured* ]]
    text=$LOCKSTEP_WORK/handin.txt
    LC_ALL=C run -1 grep -aq $'[\001-\010\013-\037\177-\377]' "$text"
    run -1 grep -q anna "$text"
    grep -qx 'exercise  step03  passed  hints 0  solution unseen  file -' "$text"
    grep -qx 'exercise  step04  passed  hints 0  solution seen  file -' "$text"
    grep -qx 'guess     step03  1  said 4  open' "$text"
    [ "$(grep -c '^time      step03  y*ours ' "$text")" -eq 2 ]
    rm "$text" && mkdir "$text"
    exercise handin
    [ "$status" -eq 2 ]
    [[ $output == *"error: cannot write $text: it is a folder"*"  hint    "* ]]
    [ -z "$(ls -A "$text")" ]
    rmdir "$text"
    rm "$LOCKSTEP_WORK"/{progress,measured} && mkdir "$LOCKSTEP_WORK/progress"
    for command in handin progress; do
        exercise $command
        [ "$status" -eq 2 ]
        [[ $output == *"error: $LOCKSTEP_WORK/progress is a folder"* ]]
    done
    rmdir "$LOCKSTEP_WORK/progress"
    exercise handin
    [[ ${lines[0]} == 'nothing was done yet' ]]
}
