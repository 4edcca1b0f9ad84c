load helper.bash

# A copy of the tree in a folder that has a hostile name, built once for this file.
setup_file() {
    export TREE="$BATS_FILE_TMPDIR/a folder's \"name\", \\d #%\$(touch run)" COMPILED=$POCL_CACHE_DIR
    mkdir "$TREE"
    cd "$BATS_TEST_DIRNAME/.." || return
    tar cf - --exclude=./build --exclude=./.git . | tar xf - -C "$TREE"
    unset BUILD FLAGS MAKEFLAGS MFLAGS MAKELEVEL POCL_CACHE_DIR ARGS DEVICE_ARGS
    export SETUP=no CFLAGS=-O0 # compiled in a third of the time
    make -C "$TREE" -s -j2 all 2> "$BATS_FILE_TMPDIR/log" || { cat "$BATS_FILE_TMPDIR/log"; return 1; }
}

setup() {
    ROOT=$TREE
    unset BUILD FLAGS MAKEFLAGS MFLAGS MAKELEVEL POCL_CACHE_DIR
    cd "$TREE" || return
    mkdir -p build/limits
    cp "${LIMITS_DIR:-$BATS_TEST_DIRNAME/../build/limits}"/*.txt build/limits/ 2> /dev/null || true
    QUICK='ARGS=--size 1000 --repeats 1'
}

@test "make step03 run, run step03, and two steps at once" {
    run -0 make step03 run "$QUICK"
    [[ $output == *step03_dot_coalesced* && $output != *step05* ]]
    run -0 make run step03 "$QUICK"
    [[ $output == *step03_dot_coalesced* ]]
    run -0 make -j2 step03 step05 run "$QUICK"
    [[ $output == *step03_dot_coalesced*step05_dot_strided* ]]
    [ ! -e run ] # which the folder's name would touch
}

@test "make step06 lens prints the first report of docs/lens.md" {
    run -0 make -s step06 lens 'LENS_OPTIONS=--table --kernel *dense --kernel *sequential'
    shown=$(awk '/^```text/ && !report { report = 1; next } /^```/ && report { exit } report' docs/lens.md)
    # Busy lanes are an average over all instructions, and other compilers make other ones.
    diff <(sed 's/ 31\.[0-9] / 31 /' <<< "$shown") <(sed 's/ 31\.[0-9] / 31 /' <<< "$output")
}

@test "make step03 races, in that folder" {
    run -0 make step03 races 'ARGS=--size 1000'
    [[ $output == *"no mistake found"* ]]
}

@test "make -j2 run: the story, a line for each step, and what they print in build/run/" {
    [ -z "$COMPILED" ] || export POCL_CACHE_DIR=$COMPILED # what other tests compiled
    PATH=$TREE/build:$PATH quickly
    run -0 --separate-stderr make -j2 run "$QUICK"
    local stems i
    mapfile -t stems < <(LC_ALL=C ls steps) # in the order of their numbers
    stems=("${stems[@]%.c}")
    local skipped=0 # step 22, without MPI
    [ -s build/mpi ] || skipped=1
    local others=0 # has another card's ratio to stand in for the H200's?
    ! grep -q $'^headline\t.*\tH100\t' docs/results/answers.tsv || others=1
    [ "${#lines[@]}" -le 60 ] # without those that are empty
    grep -qE '^This [CG]PU: .*; at most [0-9.]+ GB/s from memory, and [0-9.]+ GFLOP/s$' <<< "${lines[0]}"
    local heading=1 # on a CPU two lines say whose answer stands where
    [[ ${lines[1]} == 'step '* ]] || heading=3
    [[ ${lines[heading]} == 'step '*' an H200'*'32 lanes, counted'*' this CPU' ||
        ${lines[heading]} == 'step '*' this GPU'*'32 lanes, counted'*' an H200' ]]
    [ "${#lines[@]}" -eq $((heading + 1 + ${#stems[@]} + 2 + others + skipped)) ]
    [ "$(grep -n '^$' <<< "$output" | tr -d '\n')" = "$((heading + 1)):$((heading + ${#stems[@]} + 3)):" ]
    [[ ${lines[heading + 1 + ${#stems[@]}]} == "an H200: stored times of "$(sed -n 's/^# date: //p' docs/results/nvidia-h200.csv) ]]
    [ $others = 0 ] || [[ ${lines[heading + 2 + ${#stems[@]}]} =~ ^"an H100, of "[0-9].*", in its place: "[0-9].* ]]
    for i in "${!stems[@]}"; do
        local stem=${stems[i]} line=${lines[i + heading + 1]}
        echo "${#line}: $line"
        [ "${#line}" -le 96 ]
        if [[ $stem == step22_* && $skipped = 1 ]]; then
            [[ $line == "22 "*" skipped" ]]
            grep -q '^skipped: there is no MPI' "build/run/$stem.txt"
            continue
        fi
        [[ $line =~ ^$(sed 's/step//; s/_.*//' <<< "$stem")\ .*(\ x\ faster|\ x\ slower|not\ told\ apart|result\ right)(\ \*)?$ ]]
        grep -q "^$stem: " "build/run/$stem.txt"
        [ "$(cut -f 1 "build/run/$stem.tsv" | sort -u | wc -l)" -eq 2 ] # "step", and its name
    done
    local last=${lines[-1 - skipped]}
    [[ $last == "$((${#stems[@]} - skipped)) steps, all results are right."*"make step05 run"* && ${#last} -le 99 ]]
    [[ $output != *$'\033'* ]]
}

# fake STEM COMMANDS : a program that does this in place of the step's, for fake_story.
fake() {
    mkdir -p "$BATS_TEST_TMPDIR/fake"
    printf '#!/bin/sh\n%s\n' "$2" > "$BATS_TEST_TMPDIR/fake/$1"
    chmod +x "$BATS_TEST_TMPDIR/fake/$1"
}

# fake_story STEM ... : the story of these steps and of step 00, as told by fake programs.
fake_story() {
    fake step00_device_limits 'echo "device          Some Device (GPU)"; echo "compute units   7, at most"'
    BUILD=$BATS_TEST_TMPDIR/fake sh common/commands/run.sh --story step00_device_limits "$@" --
}

@test "the story: a step that is wrong, cannot run, or is stopped is named with its own message" {
    fake step03_dot_coalesced 'echo a table; echo "wrong: sum is 1, expected 2" >&2; exit 1'
    fake step04_dot_groups 'echo "error: no room" >&2; echo "  hint    try less" >&2; exit 2'
    fake step05_dot_strided 'kill -KILL $$'
    fake step06_reduce_local 'exit 0'
    run -1 fake_story step03_dot_coalesced step04_dot_groups step05_dot_strided step06_reduce_local
    [[ $output == *"This GPU: Some Device, 7 units"* ]]
    [[ $output == *$'\n'"03  wrong: sum is 1, expected 2"$'\n'"04  error: no room"$'\n'* ]]
    [[ $output == *$'\n'"05  error: step05_dot_strided was ended by signal KILL"$'\n'"06  reduction "*"result right"* ]]
    [[ $output == *"3 of 5 steps are wrong or cannot run"* && $output != *"all results are right"* ]]
    grep -q "a table" "$BATS_TEST_TMPDIR/fake/run/step03_dot_coalesced.txt"
    run -2 fake_story step04_dot_groups step06_reduce_local
    fake step05_dot_strided 'kill -SEGV $$'
    BUILD=$BATS_TEST_TMPDIR/fake says 2 'error: step05_dot_strided was ended by signal SEGV' \
        sh common/commands/run.sh step05_dot_strided --
}

@test "the story: a step that is skipped is no mistake, but is named" {
    fake step03_dot_coalesced 'echo "this device cannot" >&2; exit 77'
    run -0 fake_story step03_dot_coalesced
    [[ $output == *$'\n'"03  warps: 32 work-items side by side "*" skipped"$'\n'*"1 skipped"* ]]
}

@test "the story: limits that cannot be measured end it, with the message" {
    fake step00_device_limits 'echo "error: no device" >&2; exit 2'
    BUILD=$BATS_TEST_TMPDIR/fake run -2 sh common/commands/run.sh --story step00_device_limits --
    [[ $output == "error: no device" ]]
}

@test "the story: a folder for what steps print that cannot be written ends it" {
    fake step00_device_limits 'exit 0'
    : > "$BATS_TEST_TMPDIR/fake/run"
    BUILD=$BATS_TEST_TMPDIR/fake says 2 "cannot write to the folder $BATS_TEST_TMPDIR/fake/run: " \
        sh common/commands/run.sh --story step00_device_limits --
}

@test "the story: red on a terminal, and not with NO_COLOR" {
    command -v script || skip "no script here, which brings a terminal"
    fake step03_dot_coalesced 'echo "wrong: sum" >&2; exit 1'
    fake step00_device_limits 'exit 0'
    export BUILD=$BATS_TEST_TMPDIR/fake
    local story='sh common/commands/run.sh --story step00_device_limits step03_dot_coalesced --'
    run script -qefc "env -u NO_COLOR $story" /dev/null < /dev/null
    [[ $output == *$'\033[31m03  wrong: sum\033[m'* ]]
    run script -qefc "NO_COLOR=1 $story" /dev/null < /dev/null
    [[ $output == *"03  wrong: sum"* && $output != *$'\033'* ]]
}

@test "the story: on a terminal of 80 columns no line is wider, and of 96 they are whole" {
    needs_script
    fake step00_device_limits 'echo "device  A Device with a Name that is Much Too Long for a Line (GPU)"
        echo "compute units   7, at most"
        echo "limits: read 123 GB/s, write 1, copy 1, multiply-add 12345 GFLOP/s"'
    fake step03_dot_coalesced 'echo "wrong: the sum is 1234567890, but 1234567891 is expected, in the row that stands first" >&2; exit 1'
    local story="BUILD=$BATS_TEST_TMPDIR/fake sh common/commands/run.sh --story step00_device_limits step03_dot_coalesced --"
    run -1 on_terminal 80 "$story"
    echo "$output"
    [[ $output == *$'\nstep '*'  this GPU  '*' an H200'$'\n'* && $output != *'32 lanes, counted'* ]]
    [[ $output == *'On a terminal of 96 columns'* ]]
    awk 'length($0) > 80 { bad = 1 } END { exit bad }' <<< "$output"
    run -1 on_terminal 100 "$story"
    [[ $output == *$'\nstep '*'  this GPU  32 lanes, counted '*'an H200'$'\n'* ]]
    [[ $output != *'On a terminal'* ]]
}

# a_line ANSWER ... : the story's line of a step whose headline is "one, not two": $here times
# faster here; each ANSWER is a line of docs/results/answers.tsv without its step, its fields
# divided by bars.
a_line() {
    local at=$BATS_TEST_TMPDIR/story answer
    mkdir -p "$at"
    printf '/* Step 42: a title\n *\n * Story      --repeats 3\n */\n' > "$at/step42_some.c"
    printf 'step\tvariant\trate\tnote\nstep42_some\tone\t7\t\n' > "$at/rows"
    printf 'step42_some\theadline: one, not two\t%s\t%s, 1 to 2\n' "${here:-1.5}" "${verdict:-true}" >> "$at/rows"
    printf 'device\tH200\tNVIDIA\t2026-01-01\n' > "$at/answers"
    for answer; do
        printf '%s\n' "${answer/|/|step42_some|}" | tr '|' '\t'
    done >> "$at/answers"
    sed 's/step42/step41/; s/\t4\t/\t5\t/' "$at/answers" | tail -n +2 > "$at/others"
    cat "$at/others" >> "$at/answers"
    run -0 awk -v step=step42_some -v status=0 -v cpu="${cpu:-1}" -v narrow="${narrow:-0}" -f common/commands/story.awk \
        file=program "$at/step42_some.c" file=rows "$at/rows" file=answers "$at/answers"
}

# is_line FIRST COUNTED LAST [STAR] : is that what the line says, in its columns?
is_line() {
    local wanted
    wanted=$(printf '42  %-34s%14s  %-27s%14s%s' 'one, not two' "$1" "$2" "$3" "${4:-}")
    [ "$output" = "$wanted" ] || printf 'not so: %s\nwanted: %s\n' "$output" "$wanted"
    [ "$output" = "$wanted" ]
}

@test "the story: what a GPU answers, what the lens counts, and what this device says" {
    local counts units said
    while IFS='/' read -r counts units said; do
        a_line "headline|one, not two|1234.5|true|H200|$counts|$units"
        is_line '1234 x faster' "$said" '1.50 x faster'
    done << 'END'
9,856|38,656/passes|of banks/9,856 passes, not 38,656
4,096|1,048,576/atomics|/4 k atomics, not 1,049 k
32|1/lanes|busy/32 lanes busy, not 1
4.58|32/sectors|a load/4.58 sectors, not 32
4|4/sectors|a load/both 4 sectors a load
1,234,567|/atomics|/1,234,567 atomics
|/|/
END
    a_line # nothing is stored
    is_line '' '' '1.50 x faster'
    a_line 'headline|another|7|true|H200|4|32|sectors|a load' # a GPU has measured another
    is_line '' '4 sectors a load, not 32' '1.50 x faster'
    cpu=0 a_line 'headline|one, not two|4.3773|true|H200|4|32|sectors|a load' # here is a GPU
    is_line '1.50 x faster' '4 sectors a load, not 32' '4.38 x faster'
    narrow=1 a_line 'headline|one, not two|4.3773|true|H200|4|32|sectors|a load'
    [ "$output" = "$(printf '42  %-34s%14s  %14s' 'one, not two' '4.38 x faster' '1.50 x faster')" ]
}

# Nothing is written as a fraction of a time.
@test "the story: what is slower is so many times slower, and the opposite of a GPU's answer has a star" {
    here=0.0505 verdict=reversed a_line 'headline|one, not two|25|true|H200||'
    is_line '25.0 x faster' '' '19.8 x slower' ' *'
    here=0.0505 verdict=reversed a_line 'headline|one, not two|0.04|reversed|H200||'
    is_line '25.0 x slower' '' '19.8 x slower'
    here=0.97 verdict='not told apart' a_line 'headline|one, not two|25|true|H200||'
    is_line '25.0 x faster' '' 'not told apart'
    here=2 a_line 'headline|one, not two|0.98|not told apart|H200||'
    is_line 'not told apart' '' '2.00 x faster'
    here=99.2 cpu=0 a_line 'headline|one, not two|0.5|reversed|H200||'
    is_line '99.2 x faster' '' '2.00 x slower'
}

# Step 00 measures limits, and step 01 has one row: there is nothing to compare.  Step 21 may
# find one device only, that cannot be divided.
@test "every step that compares has one headline, which fits the story" {
    [ -z "$COMPILED" ] || export POCL_CACHE_DIR=$COMPILED
    local stem arguments lesson ratio
    for stem in steps/step*.c; do
        stem=$(basename "$stem" .c) arguments='--size 1003'
        case $stem in
            step00_* | step01_*) continue ;;
            step19_* | step20* | step21_*) arguments='--size 1003 --output none' ;;
        esac
        # shellcheck disable=SC2086 # a list of words is meant
        run --separate-stderr build/$stem --repeats 1 --format csv $arguments
        [ "$status" -ne 77 ] || continue # step 22, without MPI
        [ "$status" -eq 0 ]
        if [[ $stem == step21_* && $output != *'"all 2'* ]]; then
            continue
        fi
        if [[ $stem == step11b_* && $output != *'"recorded once"'* ]]; then
            continue # this device cannot record
        fi
        lesson=$(sed -n 's/^"[a-z0-9_]*","headline: \([^"]*\)".*/\1/p' <<< "$output")
        ratio=$(sed -n 's/.*","headline: .*,\([0-9.e+-]*\),"x",.*/\1/p' <<< "$output")
        echo "$stem: $lesson: $ratio"
        [ "$(grep -c '"headline: ' <<< "$output")" -eq 1 ]
        [[ $lesson == *", not "* || $lesson == *" against "* ]] && [ "${#lesson}" -le 34 ]
        awk -v ratio="$ratio" 'BEGIN { exit !(ratio > 0) }'
    done
}

@test "make step03 step05 run: in order, and nothing but their words on stdout" {
    [ -z "$COMPILED" ] || export POCL_CACHE_DIR=$COMPILED # what other tests compiled
    run -0 --separate-stderr make -j2 step03 step05 step19 run \
        "ARGS=--size 1000 --repeats 1 --format json"
    [[ $output == *step03_*step05_*Fizz* ]]
    for line in "${lines[@]}"; do # a row of a table, or a line of FizzBuzz
        [[ $line == '{"step": '*'}' || $line =~ ^([0-9]+|Fizz|Buzz|FizzBuzz)$ ]]
    done
}

@test "make step03 asm: the machine code of each kernel" {
    run make -s step03 asm
    [ "$status" -ne 77 ] || skip "this device's code is not known"
    [ "$status" -eq 0 ]
    [[ $output == *dot_single*dot_coalesced* || $output == *dot_coalesced*dot_single* ]]
    [ "${#lines[@]}" -gt 20 ]
}

@test "make step05 builds, and no more" {
    run -0 make step05
    [[ $output != *"median ms"* ]]
}

@test "a step or a target that is not there is refused by its name" {
    run -2 make step99 run
    [[ $output == *"there is no step99"* ]]
    run -2 make step05 nosuch
    [[ $output == *nosuch* && $output != *"did you mean"* ]]
}

@test "what is misspelt is told what it is like" {
    local words like
    while IFS='|' read -r words like; do
        # shellcheck disable=SC2086 # a list of words is meant
        run -2 make $words
        [[ $output == *"; did you mean $like?"* ]] || { echo "$words: $output"; return 1; }
    done << 'END'
step05 chek|check
step3 run|step03
step7b run|step07b
stpe05 run|step05
05 run|step05
rnu|run
catchup|catch-up
catch-up STEP=3|step03
END
}

@test "the many files of the lens are one line, and a mistake in one of them is shown" {
    mkdir -p "$BATS_TEST_TMPDIR/copy"
    cp -r Makefile common steps kernels "$BATS_TEST_TMPDIR/copy"
    cd "$BATS_TEST_TMPDIR/copy"
    local one='common/lens/attach/other_kernels.c common/lens/watch/async.c common/lens/replay/arguments.c'
    find common/lens -name '*.c' | grep -vxF "$(tr ' ' '\n' <<< "$one")" | xargs rm
    run make -k -j1 $(sed 's|[^ ]*|build/shared/&|g; s/\.c/.o/g' <<< "$one")
    [ "$(grep -c 'building the lens ...' <<< "$output")" -eq 1 ]
    [[ $output != *"cc "* ]]
    echo 'int broken(' >> common/lens/watch/async.c
    run -2 make build/shared/common/lens/watch/async.o
    [[ $output == *"async.c:"*"error:"* ]]
}

@test "a lone quotation mark in ARGS is refused, and others hold words together" {
    for lone in "'" '"' '--kernel ('; do
        says 2 "the quotes or brackets in ARGS=$lone do not match" make step05 run "ARGS=$lone"
    done
    says 2 "--no such is not an option" make step05 run "ARGS='--no such'"
}

@test "ONLY chooses tests by their names, of one file and of all; none is an error" {
    mkdir -p "$BATS_TEST_TMPDIR/few/tests"
    cd "$BATS_TEST_TMPDIR/few"
    ln -s "$TREE/common" .
    : > tests/small_pocl.sh
    PATH=${PATH//$BATS_LIBEXEC:} # in which bats cannot be called
    printf '@test "one: size %s" {\n    [ -z "$ONLY" ]\n}\n' 1 1003 > tests/one.bats
    printf '@test "two: size 1" {\n    false\n}\n' > tests/two.bats
    local test=(python3 common/commands/test.py)
    ONLY='size 1$' run -0 "${test[@]}" tests/one.bats
    [[ $output == "ok 1 one: size 1 in "*$'\n'"1 passed, 0 failed, 0 skipped" ]]
    ONLY='^one.*3' run -0 "${test[@]}"
    [[ $output == "ok 1 one: size 1003 in "*$'\n'"1 passed, 0 failed, 0 skipped" ]]
    ONLY='size 1$' run -1 "${test[@]}"
    [[ $output == *"1 passed, 1 failed, 0 skipped" ]]
    ONLY='size 7' says 2 "no test here has a name that matches ONLY='size 7'" "${test[@]}"
    ONLY='(' says 2 "ONLY='(' is no regular expression: " "${test[@]}" tests/one.bats
}

@test "tests that a test runs leave the small PoCL where it is, which others use" {
    local small=$BATS_TEST_TMPDIR/small
    mkdir "$small"
    echo libpocl.so > "$small/pocl.icd"
    cd "$ROOT"
    OCL_ICD_VENDORS=$small/pocl.icd run -0 sh tests/small_pocl.sh "$small"
    [ "$(cat "$small/pocl.icd")" = libpocl.so ]
}

@test "quick: a step that is wrong or crashes fails, and so does a file of tests" {
    mkdir -p "$BATS_TEST_TMPDIR/few/tests/lens"
    cd "$BATS_TEST_TMPDIR/few"
    ln -s "$TREE/common" .
    : > tests/small_pocl.sh
    PATH=${PATH//$BATS_LIBEXEC:} # in which bats cannot be called
    fake step00_device_limits 'exit 0'
    fake step03_dot_coalesced 'echo "row  1 ms  right"'
    fake step04_dot_groups 'echo "this device cannot"; exit 77'
    export BUILD=$BATS_TEST_TMPDIR/fake
    local quick=(python3 common/commands/test.py --quick step03_dot_coalesced step04_dot_groups)
    printf '@test "%s" {\n    %s\n}\n' fine true odd 'skip "no"' > tests/layout.bats
    printf '@test "%s" {\n    %s\n}\n' unit true > tests/lens/unit.bats
    run -0 "${quick[@]}"
    [[ $output == *"ok "*" step03_dot_coalesced is right at size 1003"* && $output == *"step04_dot_groups"*" # skip"* ]]
    [[ $output == *"ok "*" fine"* && $output == *" odd "*" # skip"*$'\n'"3 passed, 0 failed, 2 skipped" ]]
    fake step05_dot_strided 'echo "row  1 ms  WRONG"; exit 1'
    fake step06_reduce_local 'echo "row  1 ms  right"; kill -SEGV $$'
    fake step07_reduce_simd 'echo "nothing, and no error"'
    printf '@test "%s" {\n    %s\n}\n' fine true bad 'echo why; false' > tests/layout.bats
    printf 'load nosuch.bash\n@test "%s" {\n    %s\n}\n' unread true > tests/lens/unit.bats
    run -1 "${quick[@]}" step05_dot_strided step06_reduce_local step07_reduce_simd
    [[ $output == *"not ok "*" step05_dot_strided is right at size 1003"*"# it ended with status 1"*WRONG* ]]
    [[ $output == *"not ok "*" step06"*"status -11"* && $output == *"not ok "*" step07"*"status 0"* ]]
    [[ $output == *"not ok "*" bad"*"# why"* && $output == *"not ok "*nosuch* ]]
    [[ $output == *$'\n'"2 passed, 5 failed, 1 skipped" ]]
    fake bats 'exit 1'
    PATH=$BATS_TEST_TMPDIR/fake:$PATH run -1 "${quick[@]}"
    [[ $output == *"not ok "*" tests/layout.bats as a whole: bats ended with status 1"* ]]
}

@test "debug, asan and coverage are builds of their own, alone and in front of a step" {
    run -0 make -n debug step03 run "$QUICK"
    [[ $output == *"-O0 -g3 -MMD"*"build/debug/steps/step03_dot_coalesced.o"* ]]
    [[ $output != *"build/debug/steps/step05"* && $output != *"build/debug/lens"* ]]
    run -0 make -n asan
    [[ $output == *"-fsanitize=address,undefined"*"build/asan/steps/step05"*"build/asan/liblens.so"* ]]
    run -0 make -n step03 coverage
    [[ $output == *"--coverage"*"build/coverage/steps/step03"*"coverage.sh tests/step03_dot_coalesced.bats"* ]]
    run -2 make debug asan
    [[ $output == *"debug asan: one build at a time"* ]]
    run -0 make asan step03 run "$QUICK"
    echo "$output"
    [[ $output == *"  right"* ]]
    grep -qF __asan_init build/asan/step03_dot_coalesced
}

@test "coverage: what ends by _exit() is counted, and kinds with one hint are told apart" {
    mkdir -p "$BATS_TEST_TMPDIR/few/common/lens/report" "$BATS_TEST_TMPDIR/few/common/commands"
    cd "$BATS_TEST_TMPDIR/few"
    ln -s "$TREE/tests" .
    ln -s "$TREE/common/commands/coverage.sh" "$TREE/common/commands/files.sh" common/commands
    cat > common/lens/report/mistake_words.c <<- 'END'
	#include <stdio.h>
	#include <unistd.h>
	struct mistake { enum { FIRST, SECOND, THIRD, FOURTH } kind; };
	const char *mistake_hint(const struct mistake *mistake) {
	    switch (mistake->kind) {
	    case FIRST:
	    case SECOND:
	        return "one hint";
	    case THIRD:
	        return "another";
	    case FOURTH:
	        break;
	    }
	    return "the last";
	}
	char *mistake_title(const struct mistake *mistake) {
	    if (mistake->kind == FIRST)
	        puts("first");
	    else if (mistake->kind == SECOND)
	        puts("second");
	    return NULL;
	}
	void nobody_calls(void) { puts(""); }
	int main(int argc, char **argv) {
	    const struct mistake mistake = {argc > 1 ? argv[1][0] - '0' : 0};
	    mistake_title(&mistake);
	    puts(mistake_hint(&mistake));
	    fflush(stdout);
	    _exit(0);
	}
	END
    local count='$(CC) $(CFLAGS_coverage) common/lens/report/mistake_words.c tests/coverage.c $(LDFLAGS_coverage) -o $(BUILD)/m'
    grep -E '^(LD|C)FLAGS_coverage :=' "$TREE/Makefile" > Makefile
    printf 'all:\n\t@mkdir -p $(BUILD); %s\n' "$count" >> Makefile
    export BUILD=build
    make -s
    echo 'import subprocess; [subprocess.run(["build/m", kind]) for kind in "13"]' > common/commands/test.py
    run -0 sh common/commands/coverage.sh
    echo "$output"
    [[ $output == *" %  common/lens/report/mistake_words.c"* && $output == *$'never called:\n  nobody_calls  common/lens/report/mistake_words.c\n'* ]]
    [[ $output == *$'no test shows:\n  FIRST\n  THIRD' ]]
    run -0 sh common/commands/coverage.sh # the counts are those of this run
    [[ $output == *$'no test shows:\n  FIRST\n  THIRD' ]]
    echo 'import os; os.system("build/m 1; sed -i s/nobody_calls/none/ common/lens/report/mistake_words.c; make -s; build/m 2")' \
        > common/commands/test.py
    run -2 sh common/commands/coverage.sh
    [[ $output == *"error: counts were lost: "*$'\n'"  hint    no file of common/ may change"* ]]
}

@test "list and help, by name" {
    run -0 make list
    [ "${#lines[@]}" -eq "$(ls steps/step*.c | wc -l)" ]
    [[ ${lines[0]} == "Step 00: "* ]]
    run -0 make help
    for target in run test quick bench list devices doctor debug asan coverage lint fuzz clean; do
        [[ $output == *"  $target "* ]]
    done
}

@test "steps are listed, told and measured in one order, in a locale that sorts otherwise, too" {
    local titles folder=$BATS_TEST_TMPDIR/locale
    titles=$(LC_ALL=C; head -qn 1 steps/step*.c | sed 's/^\/\* //')
    [[ $titles == *$'\nStep 07: '*$'\nStep 07b: '*$'\nStep 08: '* ]]
    LC_ALL=$(sh tests/other_locale.sh "$folder") || skip "no locale can be made that sorts otherwise"
    export LC_ALL LOCPATH=$folder
    [[ $(printf '%s\n' steps/step07* | sort | head -n 1) == steps/step07b_* ]]
    run -0 make -s list
    [ "$output" = "$titles" ]
    titles=$(LC_ALL=C; basename -as .c steps/step*.c | xargs)
    for target in run bench lens races; do
        run -0 make -n $target
        [[ $output == *" $titles -- "* ]]
    done
    run -0 make -s progress
    [ "$(sed 's/ .*//; 1d' <<< "$output" | xargs)" = "$(sed 's/_[^ ]*//g; s/step00 //' <<< "$titles")" ]
}

@test "what cannot be printed makes make fail" {
    [ -w /dev/full ] || skip "no /dev/full here"
    export LOCKSTEP_WORK=$BATS_TEST_TMPDIR/work
    to_full_disk() { make "$@" > /dev/full; }
    for target in list help 'step03 mistakes' 'step03 hint' 'step03 read' 'step03 exercise' doctor; do
        # shellcheck disable=SC2086 # a list of words is meant
        run -2 to_full_disk $target
        [ -n "$output" ]
    done
}

@test "devices and doctor say what is here" {
    run -0 make devices
    [[ ${lines[-1]} =~ ^\ +[0-9]+\ \  ]]
    run -0 make doctor
    [[ $output == *"a C compiler"*found*"an OpenCL device"*found* ]]
}

@test "doctor: a missing device is named, with the command that brings one" {
    OCL_ICD_VENDORS=/nonexistent run make doctor
    [[ $output == *missing* ]] || skip "this loader finds its drivers elsewhere"
    [ "$status" -eq 2 ]
    [[ $output == *"an OpenCL device"*"missing  try: "* ]]
}

@test "set-up: with SETUP=no nothing is installed, and the command is shown" {
    OCL_ICD_VENDORS=/nonexistent run make step03 run
    [ "$status" -eq 2 ] || skip "this loader finds its drivers elsewhere"
    [[ $output == *"missing: an OpenCL device"* ]]
    [[ $output == *"  hint    "*install* ]]
}

# installs_nothing TEXT COMMAND ... : it says so, with status 2 and a hint, and calls no package
# manager, though it may.
installs_nothing() {
    mkdir -p "$BATS_TEST_TMPDIR/bin"
    for tool in apt-get dnf pacman brew sudo; do
        printf '#!/bin/sh\ntouch "%s/installed"\n' "$BATS_TEST_TMPDIR" > "$BATS_TEST_TMPDIR/bin/$tool"
    done
    chmod +x "$BATS_TEST_TMPDIR"/bin/*
    SETUP='' PATH=$BATS_TEST_TMPDIR/bin:$PATH says 2 "$@"
    [ ! -e "$BATS_TEST_TMPDIR/installed" ]
}

@test "set-up: a folder for temporary files that cannot be written is named" {
    local folder=$BATS_TEST_TMPDIR/nowhere command
    : > "$BATS_TEST_TMPDIR/file"
    installs_nothing "cannot write to the folder $folder: " env TMPDIR="$folder" make step03 run
    installs_nothing "cannot write to the folder $folder: " env TMPDIR="$folder" make doctor
    folder=$BATS_TEST_TMPDIR/file
    says 2 "cannot write to the folder $folder: " env TMPDIR="$folder" \
        python3 common/commands/exercise check step05 kernels/step05_dot_strided.cl
    says 2 "cannot write to the folder $folder: " env TMPDIR="$folder" \
        python3 common/commands/test.py tests/layout.bats
    for command in 'asm --' 'mpi link' 'setup run'; do
        # shellcheck disable=SC2086 # a list of words is meant
        set -- $command
        says 2 "cannot write to the folder $folder: " \
            env TMPDIR="$folder" sh "common/commands/$1.sh" "${@:2}"
    done
    says 2 "cannot write to the folder $folder: " \
        env TMPDIR="$folder" python3 common/commands/pages count
    TMPDIR=$folder pages docs "$BATS_TEST_TMPDIR/pages" # needs none
    mkdir "$BATS_TEST_TMPDIR/ci" # where make does nothing, if it is called
    printf '#!/bin/sh\nexit 1\n' > "$BATS_TEST_TMPDIR/ci/make"
    chmod +x "$BATS_TEST_TMPDIR/ci/make"
    says 2 "cannot write to the folder $folder: " \
        env TMPDIR="$folder" PATH="$BATS_TEST_TMPDIR/ci:$PATH" sh .ci/run
    # All others take that way, too.
    run -0 grep -rlw mktemp .ci common/commands tests --include='*.sh' --include=run
    [ "$output" = common/commands/files.sh ]
    run ! grep -rlw tempfile common/commands --include='*.py' --exclude=files.py --exclude=test.py
}

@test "set-up: a full folder is named, and is no reason to install anything" {
    local disk=$BATS_TEST_TMPDIR/disk
    with_disk 64 true
    installs_nothing "cannot write to the folder $disk: No space left" \
        with_disk 64 env TMPDIR="$disk" make step03 run
    installs_nothing "cannot write to the folder $disk: No space left" \
        with_disk 64 make step03 run POCL_CACHE_DIR="$disk"
    installs_nothing "cannot write to the folder $disk/build: No space left" \
        with_disk 64 make step03 run BUILD="$disk/build"
}

@test "PoCL's folder that cannot be written is named, by set-up, doctor and each step" {
    local file=$BATS_TEST_TMPDIR/file
    : > "$file"
    export POCL_CACHE_DIR=$file/pocl
    installs_nothing "cannot write to the folder $file/pocl: " make step03 run
    installs_nothing "cannot write to the folder $file/pocl: " make doctor
    run build/step03_dot_coalesced --size 1000 --repeats 1
    [ "$status" -ne 0 ] || skip "this device is not PoCL's"
    for POCL_CACHE_DIR in "$file/pocl" "$file"; do # it finds no device, or compiles nothing
        says 2 "cannot write to the folder $POCL_CACHE_DIR: " build/step03_dot_coalesced
    done
}

@test "set-up: step 22 alone needs MPI, and shows the command that brings it" {
    export MPICC=/nonexistent
    run -2 make step22 run "$QUICK"
    [[ $output == *"missing: Open MPI"*"  hint    "*install* ]]
    run -0 make -s setup
    [ -z "$output" ]
    run make doctor
    [[ $output == *"Open MPI "*"missing  try: "* ]]
}

@test "a build folder that cannot be made is an error with a hint" {
    mkdir "$BATS_TEST_TMPDIR/locked"
    cp -r Makefile common steps kernels "$BATS_TEST_TMPDIR/locked"
    : > "$BATS_TEST_TMPDIR/locked/build"
    run -2 make -C "$BATS_TEST_TMPDIR/locked" step03 run
    [[ $output == *"cannot write to the folder build"* ]]
    [[ $output == *"  hint    "* ]]
}

@test "a wrong result makes make fail" {
    run -2 make step03 run MISTAKE=lost_tail "ARGS=--size 33 --repeats 1"
    [[ $output == *WRONG* ]]
}

@test "other flags, or another folder, compile everything anew" {
    run -0 make step03
    [ -z "$output" ]
    run -0 make step03 CFLAGS=-O1
    [[ $output == *"cc steps/step03_dot_coalesced.c"* ]]
    run -0 make step03
    [[ $output == *"cc steps/step03_dot_coalesced.c"* ]]
}

# tests/helper.bash sets these, too: so the tests themselves would not notice if make did not.
@test "make: what it runs sorts and writes numbers as in C, whatever the reader's language is" {
    local name at=$BATS_TEST_TMPDIR
    name=$(sh tests/other_locale.sh "$at/locales" tr_TR) || skip "Debian's package locales is not here"
    printf 'list:\n\t@printf "%%s\\n" step07b_prefix_sum step07_reduce_simd | sort\n' > "$at/show.mk"
    printf '\t@env printf "%%.2f\\n" 1.5\n\t@locale | grep LC_CTYPE\n' >> "$at/show.mk"
    local -a without=(env -u LC_COLLATE -u LC_NUMERIC -u LC_MESSAGES "LOCPATH=$at/locales")
    local words
    for words in "LC_ALL=$name" "LC_ALL= LANG=$name"; do
        # shellcheck disable=SC2086 # a list of words is meant
        run -0 --separate-stderr "${without[@]}" $words make -s SETUP=no -f Makefile -f "$at/show.mk" list
        echo "$output"
        [[ $output == $'step07_reduce_simd\nstep07b_prefix_sum\n1.50\nLC_CTYPE='*"$name"* ]]
    done
    run -0 "${without[@]}" "LC_ALL=$name" make -s -f "$at/show.mk" list # this language is another one
    [[ $output == $'step07b_prefix_sum\nstep07_reduce_simd\n'* ]]
}

@test "set-up: the book asks for neither a device nor a compiler" {
    run -0 make -n book
    [[ $output == *"setup.sh book"* && $output != *" run "* ]]
    run -0 make -n book run
    [[ $output == *"setup.sh run book"* ]]
}
