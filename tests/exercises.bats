# The learner's and the teacher's commands, around the exercise of step 05; what every
# exercise must hold, the steps' own tests say.
load helper.bash

setup_file() {
    unset MAKEFLAGS MFLAGS MAKELEVEL FLAGS
    find_folders
    export POCL_CACHE_DIR=${POCL_CACHE_DIR:-$BUILT/pocl}
}

# exercise COMMAND [STEP] : what `make STEP COMMAND` does, in a work folder of its own.
exercise() {
    export LOCKSTEP_WORK=$BATS_TEST_TMPDIR/work
    mine=$LOCKSTEP_WORK/step05_dot_strided.cl
    run python3 "$ROOT/common/commands/exercise" "$@"
}

# of_source FUNCTION TEXT ... : what a function of the package's source.py returns, a line for each.
of_source() {
    PYTHONPATH=$ROOT/common/commands/exercise python3 -B -c '
import sys, source
print(*getattr(source, sys.argv[1])(*sys.argv[2:]), sep="\n")' "$@"
}

solve() {
    cp "$ROOT/kernels/step05_dot_strided.cl" "$mine"
}

@test "exercises: every step from 01 on has one, with its cheats, and no page is an orphan" {
    cd "$ROOT"
    for step in steps/step*.c; do
        stem=$(basename "$step" .c)
        case $stem in step00_*) continue ;; esac
        [ -f "docs/exercises/$stem.md" ] || { echo "$stem has no exercise"; return 1; }
        [ -f "tests/cheats/$stem.md" ] || { echo "$stem has no cheats"; return 1; }
        for test in exercise_begins exercise_solved cheats_fail predictions_hold hints_help; do
            grep -q "^    .*$test" "tests/$stem.bats" || { echo "tests/$stem.bats lacks $test"; return 1; }
        done
    done
    for page in docs/exercises/*.md tests/cheats/*.md; do
        [ -f "steps/$(basename "$page" .md).c" ] || { echo "orphan: $page"; return 1; }
    done
}

@test "exercises: a page says what its plain file has programs look at" {
    cd "$ROOT"
    for plain in docs/exercises/*.txt; do
        page=${plain%.txt}.md
        [ -f "$page" ] || { echo "orphan: $plain"; return 1; }
        text=$(sed -n '/^## Rule/,/^## Start/p' "$page" | paste -s -d ' ' -)
        for part in "$(sed -n 's/^rule  *//p' "$plain")" "make $(basename "$plain" | cut -d_ -f1) check" \
            "[${plain##*/}](${plain##*/})"; do
            [[ $text == *"$part"* ]] || { echo "$page lacks: $part"; return 1; }
        done
        counted=$(awk '/^[^ #]/ { inside = $1 == "count" } inside && /^    /' "$plain")
        [ -n "$counted" ]
        while IFS='|' read -r kernel access count limit ours; do
            read -r kernel _ <<< "$kernel"
            limit=${limit//[!0-9.]/} access=$(echo $access)
            [[ $ours =~ ^\ ours\ [0-9.]+$ ]]
            [[ $kernel == host || $text == *"\`$kernel\`"* ]] || { echo "$page lacks $kernel"; return 1; }
            [[ $access == "wait for a "* || $access == branch || $text == *"${access##* }\`"* ]] ||
                { echo "$page lacks $access"; return 1; }
            [[ $text == *" $limit "* ]] || { echo "$page lacks $limit"; return 1; }
        done <<< "$counted"
    done
    for page in docs/exercises/*.md; do
        [ -f "${page%.md}.txt" ] || { echo "$page has no plain file"; return 1; }
    done
}

@test "exercises: times are measured in every step but 01, which has none" {
    cd "$ROOT"
    for plain in docs/exercises/*.txt; do
        case $plain in */step01_*) continue ;; esac
        grep -q '^measure .* | ' "$plain" || { echo "$plain measures nothing"; return 1; }
    done
}

@test "exercises: steps 01 to 05 ask why, once, with three answers" {
    cd "$ROOT"
    for plain in docs/exercises/step0[1-5]_*.txt; do
        [ "$(grep -cE '^predict  *[1-9] why [|] [abc]$' "$plain")" -eq 1 ] || { echo "$plain asks no why"; return 1; }
        for letter in a b c; do
            [ "$(grep -c "^   - $letter: " "${plain%.txt}.md")" -eq 1 ] ||
                { echo "${plain%.txt}.md lacks answer $letter"; return 1; }
        done
    done
}

@test "exercises: marked parts open and close in turn, once for each block of the page" {
    cd "$ROOT"
    for page in docs/exercises/*.md; do
        stem=$(basename "$page" .md)
        file=kernels/$stem.cl
        grep -qF '/* exercise { */' "$file" || file=steps/$stem.c
        parts=$(awk '/\/\* exercise { \*\//  { if (open++) exit 1; parts++ }
                     /\/\* } exercise \*\// { if (open-- != 1) exit 1 }
                     END { if (open) exit 1; print parts + 0 }' "$file")
        blocks=$(awk '/^## / { start = $2 == "Start" } start && /^```c$/ { n++ } END { print n + 0 }' "$page")
        [ "$parts" -ge 1 ] && [ "$parts" = "$blocks" ] || { echo "$page: $parts parts, $blocks blocks"; return 1; }
    done
}

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

@test "exercises: check tells SHAPE, BROKEN, WRONG with the mistake's name, and PASS" {
    exercise exercise step05
    exercise check step05
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "SHAPE  step05: "* && $output == *"32.00 sectors per access, at most 5 (ours 4), line "* ]]
    [ "${lines[-1]}" = "next: make step05 hint" ]
    echo 'kernel void broken(' >> "$mine"
    exercise check step05
    [ "$status" -eq 2 ]
    [[ ${lines[0]} == "BROKEN  step05: "* && $output == *"step05_dot_strided.cl:"* ]]
    cp "$(mistake lost_stride_tail step05_dot_strided)" "$mine"
    exercise check step05
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "WRONG  step05: "* && $output == *"matches the known mistake lost_stride_tail: "* ]]
    [[ $output == *"ours has"* && $output == *" of group "* && $output == *"lane "* ]]
    solve
    exercise check step05
    [ "$status" -eq 0 ]
    [[ ${lines[0]} == "PASS  step05: "* && $output == *"yours  coalesced: "*"ours   coalesced: "* ]]
    grep -q ' step05 passed$' "$LOCKSTEP_WORK/progress"
}

@test "exercises: check passes a step that measures no time, and says nothing of times" {
    cd "$ROOT"
    exercise exercise step01
    cp kernels/step01_dot_single.cl "$LOCKSTEP_WORK"/
    exercise check step01
    [ "$status" -eq 0 ]
    [[ ${lines[0]} == "PASS  step01: right in 5 runs, "* && $output == *"store sum of dot_single: 1 "* ]]
    [[ $output != *"times of a run"* && $output != *"yours"* ]]
    [ ! -e "$LOCKSTEP_WORK/measured" ]
    grep -q ' step01 passed$' "$LOCKSTEP_WORK/progress"
}

@test "exercises: a program whose threads wait for each other for ever is wrong, before long" {
    [ -r /proc/self/stat ] || skip "no /proc here"
    exercise exercise step21
    mine=$LOCKSTEP_WORK/step21_fizzbuzz_devices.c
    cp "$ROOT/steps/step21_fizzbuzz_devices.c" "$mine"
    sed -i 's/ready = ready && slot->state != TAKEN;/ready = false;/' "$mine"
    SECONDS=0
    PATIENCE=300 exercise check step21
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "WRONG  step21: it waits for ever ("*"): which thread wakes which?" ]]
    [ $SECONDS -lt 200 ]
    [ -z "$(pgrep -f "$BUILT/work/step21_fizzbuzz_devices")" ]
}

@test "exercises: what never ends, and what the lens cannot count, is no pass" {
    exercise exercise step05
    solve
    sed -i 's/    sums\[item\] = sum;/    while (n) ;\n&/' "$mine"
    exercise check step05
    [ "$status" -eq 1 ]
    line=$(grep -n 'while (n)' "$mine")
    [[ ${lines[0]} == "WRONG  step05: a kernel does not end (--size 20003)" ]]
    [[ $output == *"dot_coalesced: endless loop: "*"  line ${line%%:*} "*"while (n) ;"* ]]
    sed -i 's/while (n) ;/while (n) n += 2;/' "$mine" # 20003 is odd: no state comes back soon
    exercise check step05
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "WRONG  step05: a kernel does not end (--size 20003)" ]]
    [[ $output == *"dot_coalesced: step limit exceeded: after "*" steps of one group "*"  line ${line%%:*} "*"while (n) n += 2;"* ]]
    PATIENCE=3 LENS_CLANG=/nonexistent exercise check step05
    echo "$output"
    [ "$status" -eq 2 ]
    [[ ${lines[0]} == "NO VERDICT  step05: no end after 3 seconds of computing ("*"): does a loop end?" ]]
    # What sleeps uses no time; it is ended all the same.
    solve
    mkdir "$BATS_TEST_TMPDIR/programs"
    cat > "$BATS_TEST_TMPDIR/programs/step05_dot_strided" <<< '#!/bin/sh
exec sleep 100'
    cp "$BUILT/lens" "$BATS_TEST_TMPDIR/programs/"
    chmod +x "$BATS_TEST_TMPDIR/programs/step05_dot_strided"
    PATIENCE=1 BUILD=$BATS_TEST_TMPDIR/programs LENS_CLANG=/nonexistent exercise check step05
    [ "$status" -eq 2 ]
    [[ ${lines[0]} == "NO VERDICT  step05: no end after 20 seconds ("*"): does it wait for what never comes?" ]]
    solve
    sed -i 's/    sums\[item\] = sum;/    sums[item + (1ul << 36)] = sum;/' "$mine"
    exercise check step05
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "WRONG  step05: the device's driver was ended while it ran dot_"* ]]
    [[ $output == *"out-of-bounds access: far from any buffer"* ]]
    solve # but another name for x: what is to be counted is not there
    sed -i '/dot_coalesced/,/^}/s/\bx\b/values/g' "$mine"
    exercise check step05
    [ "$status" -eq 2 ]
    [[ ${lines[0]} == "NO VERDICT  step05: "* && $output == *"load x of dot_coalesced"* ]]
    LENS_CLANG=/nonexistent exercise check step05
    [ "$status" -eq 2 ]
    [[ ${lines[0]} == "NO VERDICT  step05: "* ]]
    run ! grep -q ' step05 passed$' "$LOCKSTEP_WORK/progress"
}

@test "exercises: what is right in the runs, and wrong when the lens looks on, is WRONG" {
    sed 's/add_float(sum, in_group)/add_float(sum, in_group + (n == 2053))/' \
        "$ROOT/kernels/step09_atomic_contention.cl" > "$BATS_TEST_TMPDIR/lucky.cl"
    quickly # and at no size beyond that number: 17 million atomics take long
    STAGES='run races' run python3 "$ROOT/common/commands/exercise" check step09 "$BATS_TEST_TMPDIR/lucky.cl"
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "WRONG  step09: its results are right by luck (--size 2053)" ]]
}

# judged STEP FILE : the verdict on kernels that are not the learner's, in $output.
judged() {
    [ -n "${OPTIMIZED:-}" ] || quickly
    run python3 "$ROOT/common/commands/exercise" check "$1" "$2"
    echo "$output"
    [ "${#lines[@]}" -le 12 ]
}

# with_part STEM < LINES : our kernels with these lines in the marked part, in $file.
with_part() {
    file=$BATS_TEST_TMPDIR/$1.cl
    awk '
        FILENAME == "-" { part = part $0 "\n"; next }
        index($0, "/* } exercise */") { inside = 0 }
        !inside
        index($0, "/* exercise { */") { inside = 1; printf "%s", part }' - "$ROOT/kernels/$1.cl" > "$file"
}

@test "exercises: a race that is right by luck is RACE, with the mistake's name" {
    judged step06 "$(mistake last_warp_without_barrier step06_reduce_local)"
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "RACE  step06: "* && $output == *": data race: "* ]]
    [[ $output == *"matches the known mistake last_warp_without_barrier: "* ]]
}

@test "exercises: what is wrong only at the size that is measured is WRONG" {
    sed '/exercise {/,/} exercise/s/i < n;/i < n - (n == 300007u);/' \
        "$ROOT/kernels/step03_dot_coalesced.cl" > "$BATS_TEST_TMPDIR/large.cl"
    run -0 grep -c 300007u "$BATS_TEST_TMPDIR/large.cl"
    judged step03 "$BATS_TEST_TMPDIR/large.cl"
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "WRONG  step03: "*"(--size 300007 --repeats 1)" ]]
}

@test "exercises: a limit that is beyond all sizes of a step is WRONG" {
    sed '/exercise {/,/} exercise/s/at_rows(x, y, pitch)/at_rows(x, min(y, 0x3ffu), pitch)/' \
        "$ROOT/kernels/step13_memory_layout.cl" > "$BATS_TEST_TMPDIR/few_rows.cl"
    OPTIMIZED=yes judged step13 "$BATS_TEST_TMPDIR/few_rows.cl" # a large size
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "WRONG  step13: "*"\"rows to tiles, 256 x 1\" (--size 1050625)" ]]
    printf '%s\n' 'a[7]' > "$BATS_TEST_TMPDIR/ours"
    printf '%s\n' 'a[7] + x.s15 /* 90 */' '(ushort)a << 3; 1u << 14; 0x7FF' '/* 91' '92 */ 17u + 1e30f + convert_float4(a) + convert_uchar_sat(a)' \
        > "$BATS_TEST_TMPDIR/theirs"
    run -0 of_source numbers "$(< "$BATS_TEST_TMPDIR/ours")" "$(< "$BATS_TEST_TMPDIR/theirs")"
    [ "$(sort -n <<< "$output" | paste -s -d ' ' -)" = "3 17 255 2047 16384 65535 16777216" ]
}

@test "exercises: the shape at one size alone is no pass" {
    with_part step03_dot_coalesced <<'END'
    float sum = 0.0f;
    const uint own = (n + items - 1) / items;
    if (n == 16384)
        for (uint i = item; i < n; i += items)
            sum += x[i] * y[i];
    else
        for (uint i = item * own; i < min(n, item * own + own); i++)
            sum += x[i] * y[i];
END
    judged step03 "$file"
    [ "$status" -eq 1 ]
    [[ ${lines[0]} =~ ^SHAPE\ \ step03:.*\(--size\ 1[456][0-9]+\)$ && ${lines[0]} != *16384* ]]
    [[ $output == *"load x of dot_coalesced: "*" sectors per access, at most "*" (ours "*"), line "* ]]
}

@test "exercises: code that another compiler may read otherwise is refused, and says why" {
    with_part step03_dot_coalesced <<'END'
    float sum = 0.0f; /*
#if this is a comment */
#ifdef __x86_64__
    for (uint i = item; i < n; i += items)
        sum += x[i] * y[i];
 # /**/ else
    if (item == 0)
        for (uint i = 0; i < n; i++)
            sum += x[i] * y[i];
#endif
END
    judged step03 "$file"
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "SHAPE  step03: "*"without the preprocessor" ]]
    [[ $output == *"line 26: #ifdef __x86_64__"*"line 29: #else"* && $output != *"this is a comment"* ]]
    with_part step03_dot_coalesced <<< '    if (__OPENCL_VERSION__ > 120) return;'
    judged step03 "$file"
    [[ ${lines[0]} == "SHAPE  step03: "* && $output == *"line 24: __OPENCL_VERSION__"* ]]
    for hidden in '%:ifdef A' '??=if A' '#\
if A' '  #  undef n' '#define n 7' '#include "other.h"'; do
        with_part step03_dot_coalesced <<< "$hidden"
        run -0 of_source directives "$(< "$ROOT/kernels/step03_dot_coalesced.cl")" "$(< "$file")"
        [[ $output == "line 24: #"[iud]* ]] || { echo "missed: $hidden: $output"; return 1; }
    done
    for hidden in 'if (__clang_major__ > 14)' 'sum = sizeof __FILE__;' 'sum = __COUNTER__;'; do
        with_part step03_dot_coalesced <<< "$hidden"
        run -0 of_source directives "$(< "$ROOT/kernels/step03_dot_coalesced.cl")" "$(< "$file")"
        [[ $output == "line 24: __"* ]] || { echo "missed: $hidden: $output"; return 1; }
    done
    for own in "$ROOT"/kernels/*.cl; do # a macro may stand outside, for a name
        sed '1i#define SQUARE(x) ((x) * (x))' "$own" > "$BATS_TEST_TMPDIR/same.cl"
        run -0 of_source directives "$(< "$own")" "$(< "$BATS_TEST_TMPDIR/same.cl")"
        [ -z "$output" ]
    done
}

@test "exercises: races are looked for at an odd size, too, unless the size is told" {
    cd "$ROOT"
    quickly
    # shellcheck disable=SC2030,SC2031 # each test has an environment of its own
    awk '/kernel void add_each_int\(/ { here = 1 } here && sub(/if \(item < n\)/, "") { here = 0 } 1' \
        kernels/step09_atomic_contention.cl > "$BATS_TEST_TMPDIR/unguarded.cl"
    run -1 cmp -s kernels/step09_atomic_contention.cl "$BATS_TEST_TMPDIR/unguarded.cl"
    run ! sh common/commands/races.sh step09_atomic_contention -- --kernel "$BATS_TEST_TMPDIR/unguarded.cl"
    [[ $output == *"no mistake found"*"and with LOCKSTEP_MAX_GROUP=100 --size 10007 --all:"*add_each_int*"out-of-bounds"* ]]
    run -0 sh common/commands/races.sh step03_dot_coalesced -- --size 1000
    [[ $output != *"and with"* ]]
    run -0 sh common/commands/lens.sh step03_dot_coalesced --
    [[ $output != *"and with"* ]]
    for step in steps/*.c; do # what a header says is odd
        odd=$(sed -n 's/^ \* Races  *//p' "$step" | head -n 1)
        [[ ${odd:---size 10007} =~ ^(LOCKSTEP_MAX_GROUP=100 )?--(size|m)\ [0-9]*[13579](\ .*)?$ ]]
    done
}

@test "exercises: README shows what check says" {
    run python3 "$ROOT/common/commands/exercise" check step05 "$(mistake step_of_one step05_dot_strided)"
    diff <(echo "$output") "$ROOT/docs/results/pocl-3.1/step05-check.txt"
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

# The lesson is about GPUs: who is right about them is right, whatever a CPU's clock says.
@test "exercises: predict takes the answer that is right for a GPU" {
    exercise predict step03 < <(printf '4\n4.3\nb\n')
    [ "$status" -eq 0 ]
    [[ $output =~ 'you said 4.3 '\ *'it is '[0-9.]+' times '(slower|faster)' right, '('for a GPU'|'on your device')'; '[0-9.]+' times slower on an' ]]
    exercise predict step03 --count-right
    [ "$output" = 3 ]
}

@test "exercises: predict asks, then sets guess and outcome side by side" {
    exercise predict step03 < <(printf 'many\n32\n1000\n7\nd\nb\n')
    [ "$status" -eq 0 ]
    [[ $output == *"a number, such as"*"a, b or c: one of the letters"* ]]
    [[ $output == *"you said 32 "*"it is 4 "*"missed"*"because"* ]]
    [[ $output =~ 'you said 1000 '\ *'it is '[0-9.]+' times '(slower|faster)' missed, on your device; '[0-9.]+' times slower on an NVIDIA H200' ]]
    [[ $output == *"   a: "*"   b: "*"   c: "*"you said b "*"it is b "*"right"*"because"* ]]
    exercise predict step03 < /dev/null # the answers stand, and no question is asked again
    [[ $output == *"your guesses stay"*"you said 32 "* && $output != *"your guess,"* ]]
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

@test "exercises: handin is one small text without anything personal" {
    exercise exercise step05
    solve
    exercise check step05
    exercise handin
    [ "$status" -eq 0 ]
    text=$LOCKSTEP_WORK/handin.txt
    grep -q 'step05  passed' "$text"
    grep -q 'step05  yours .* ms, ' "$text"
    [ "$(wc -c < "$text")" -lt 8000 ]
    run ! grep -qF -e "$(hostname)" -e "$HOME/" -e "$ROOT" "$text"
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
    grep -q '^SHAPE' "$BATS_TEST_TMPDIR/seen"
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
    [[ $output == *"SHAPE  step05"* ]] # behind what make may say of its building
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
    [[ $output == *"SHAPE  step05: "* || $output == *"WRONG  step05: "*"matches the known mistake step_of_one"* ]]
    run ! grep -q passed "$LOCKSTEP_WORK/progress"
}

@test "exercises: every target of an exercise is a command of that name" {
    cd "$ROOT"
    for target in $(sed -n 's/^EXERCISE := //p' Makefile); do
        run -0 python3 common/commands/exercise "$target" --help
    done
    exercise exercise step03 step05
    exercise check
    [[ ${lines[0]} == "SHAPE  step05: "* ]]
    exercise check step03 step05
    [[ ${lines[0]} == "SHAPE  step03: "* ]]
}

# limited STEM SED : our kernels, with a limit put into them, are WRONG beyond it.
limited() {
    file=$BATS_TEST_TMPDIR/$1.cl
    sed "$2" "$ROOT/kernels/$1.cl" > "$file"
    run ! cmp -s "$ROOT/kernels/$1.cl" "$file"
    STAGES=beyond NAMES=no OPTIMIZED=yes judged "${1%%_*}" "$file"
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "WRONG  ${1%%_*}: "* ]]
}

@test "exercises: a limit is found that is computed, or comes of a type" {
    local part='/exercise {/,/} exercise/'
    limited step03_dot_coalesced "$part{s/i < n;/i < min(n, most);/;s/float sum = .*/&const uint most = 1024 * 1024;/}"
    limited step03_dot_coalesced "${part}s/x\[i\]/x[i \& 0x7fffff]/"
    limited step04_dot_groups "$part{s/x + i)/x + (uint)(float)i)/;s/x\[i\]/x[(uint)(float)i]/}"
    limited step05_dot_strided "${part}s/x\[i\]/x[i << 8 >> 8]/"
    limited step01_dot_single "${part}s/x\[i\]/x[(uint)convert_float(i)]/"
    limited step10b_group_tail "${part}s/item < n/item < n \&\& item \/ 1000 < 64/"
}

@test "exercises: a limit is found outside the marked part, and beyond a step's own sizes" {
    limited step08_sum_accuracy '/sum_single/,/^}/s/i < n;/i < min(n, 1u << 26);/'
    limited step10_work_distribution 's/i < n \/ 4;/i < min(n \/ 4, 4096u);/'
    limited step10c_tiny_launches '/halve/,/^}/s/item + lower < n/item + lower < min(n, 1u << 21)/'
    limited step18c_matmul_packed '/matmul_ikj/,/^}/s/j < n \/ 16/j < min(n, 4096u) \/ 16/'
}

@test "exercises: numbers: clang's text tells what is computed, and what a float holds" {
    cat > "$BATS_TEST_TMPDIR/ours" <<'END'
  %4 = add i32 %2, 77
END
    cat > "$BATS_TEST_TMPDIR/theirs" <<'END'
define i32 @f9999(i32 %0, [8888 x float]* align 7777 %1) #6666 {
5555:                                             ; preds = %4444
  %4 = add i32 %2, 77
  %5 = call i32 @_Z3minjj(i32 noundef %4, i32 noundef 1048576) #3333, !dbg !2222
  %6 = lshr i32 %5, 13
  %7 = and <2 x i32> %6, <i32 -4096, i32 77>
  %8 = uitofp i64 %7 to float
  %9 = fcmp ogt double %8, 0x4150000000000000
  %10 = fcmp ogt double %8, 1.500000e+06
  %11 = trunc <4 x i32> %7 to <4 x i16>
}
!2222 = !DILocation(line: 1111, column: 10)
END
    run -0 of_source constants "$(< "$BATS_TEST_TMPDIR/ours")" "$(< "$BATS_TEST_TMPDIR/theirs")"
    [ "$(sort -n <<< "$output" | paste -s -d ' ' -)" = "77 4096 8192 65535 1048576 1500000 4194304 16777216" ]
}

# beyond_lines STEM : MOST, LEAST and the arguments of each line, with tabs between them.
beyond_lines() {
    awk -v OFS='\t' '{ sub(/^elsewhere +/, "") }
        $1 == "beyond" {
            least = split($2, range, "-") > 1 ? range[1] : 0
            most = range[least ? 2 : 1]
            sub(/^beyond +[^ ]+ +/, "")
            print most, least, $0
        }' "$ROOT/docs/exercises/$1.txt"
}

# beyond LEAST ARGUMENTS NUMBER ... : the arguments of a line, for each of these numbers.
beyond() {
    PYTHONPATH=$ROOT/common/commands/exercise python3 -B -c '
import sys, source
least, arguments, *numbers = sys.argv[1:]
for number in numbers:
    print(source.beyond(arguments, int(number), int(least)))' "$@"
}

# split ARGUMENTS : its words, in $words; what goes into the environment, in $settings.
split() {
    local word
    words=() settings=()
    eval "set -- $1"
    for word; do
        case $word in LOCKSTEP_*) settings+=("$word") ;; *) words+=("$word") ;; esac
    done
}

@test "exercises: beyond a small number, a right file is right" {
    local stem most least arguments
    quickly
    for stem in $(basename -s .txt "$ROOT"/docs/exercises/*.txt); do
        while IFS=$'\t' read -r most least arguments <&3; do
            split "$(beyond "$least" "$arguments" 2)"
            echo "$stem: ${words[*]}"
            run -0 env "${settings[@]}" "$stem" --repeats 1 "${words[@]}"
        done 3< <(beyond_lines "$stem")
    done
}

# launched STEM : the largest value of each argument of the kernel that an exercise counts in,
# and of each dimension, with $words: a line for each.
launched() {
    local kernel
    kernel=$(awk '/^[^ #]/ { inside = $1 == "count" } inside && /^ / && $1 != "host" { print $1; exit }' \
        "$ROOT/docs/exercises/$1.txt")
    env "${settings[@]}" lens --quiet --groups 1 --format tsv --kernel "${kernel:-*}" "$BUILT/$1" --repeats 1 \
        "${words[@]}" 2> /dev/null | awk -F '\t' '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $1 == "launch" {
            split($at["global"] "x" $at["local"], size, "x")
            values = $at["arguments"]
            for (i in size) values = values " size" i "=" size[i]
            count = split(values, value, " ")
            for (i = 1; i <= count; i++)
                if (split(value[i], part, "=") > 1 && part[2] + 0 > most[part[1]] + 0) most[part[1]] = part[2]
        }
        END { for (name in most) print name, most[name] }'
}

@test "exercises: what stands for a number in a line makes the launch larger" {
    local stem most least arguments number numbers texts digits
    quickly
    for stem in $(basename -s .txt "$ROOT"/docs/exercises/*.txt); do
        while IFS=$'\t' read -r most least arguments <&4; do
            [[ $arguments == *N* && $arguments != *"--lanes N"* ]] || continue # a width is no argument
            [[ $stem < step18 ]] || continue # whole tiles and pieces: what grows shows in other ways
            case $stem$arguments in
                *--points*) digits=6 ;;
                step1[5-8]*) digits=4 ;; # much is computed for each element
                *) digits=6 ;;
            esac
            numbers=(90000 40000 20000 9000 4000 2000 1000 400 200 100 40 20 8) # of few elements
            mapfile -t texts < <(beyond "$least" "$arguments" "${numbers[@]}")
            for number in "${numbers[@]}"; do
                split "${texts[0]}"
                texts=("${texts[@]:1}")
                [ "$number" -gt "$most" ] || [[ " ${words[*]} " =~ \ [0-9]{$digits,}\  ]] || break
            done
            launched "$stem" | sort > "$BATS_TEST_TMPDIR/large"
            split "$(beyond 0 "$arguments" "$((number / 2))")"
            launched "$stem" | sort > "$BATS_TEST_TMPDIR/small"
            echo "$stem $arguments, $number:"
            join "$BATS_TEST_TMPDIR"/{small,large} | awk '{ print } $3 > 1.3 * $2 { grows = 1 } END { exit !grows }'
        done 4< <(beyond_lines "$stem")
    done
}

@test "exercises: damaged files in work/ are read as far as they can be, and nothing is lost silently" {
    exercise exercise step05
    printf '2026-01-01 step03 passed\r\n2026-01-01 step04 solution\r\n2026-01-01 step04 passed\r\n' \
        >> "$LOCKSTEP_WORK/progress"
    printf '2026-01-01 step03 predicted 1 4\r\n\033[2J\001\377\n' >> "$LOCKSTEP_WORK/progress"
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
    text=$LOCKSTEP_WORK/handin.txt
    LC_ALL=C run -1 grep -aq $'[\001-\010\013-\037\177-\377]' "$text"
    run -1 grep -q anna "$text"
    grep -q 'step03  passed' "$text"
    grep -q 'step04 .*our solution was shown' "$text"
    grep -qx '  step03 question 1: said 4, not told yet: a later question is open' "$text"
    [ "$(grep -c '^  step03  y*ours ' "$text")" -eq 2 ]
    grep -q '(2 of the lines in .*measured cannot be read: they are left out)' "$text"
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
    grep -q 'nothing was done yet' "$text"
}

@test "exercises: an error of the compiler has its line, and a mark below its column" {
    printf 'kernel void f(global int *x) {\n\tx[min(1u, 2)] = y;\n}\n' > "$BATS_TEST_TMPDIR/f.cl"
    local kernels=$BATS_TEST_TMPDIR/f.cl
    for said in "error: $kernels:2:4 <Spelling=/usr/share/a:b.h:140:24>: call to '_cl_min' is ambiguous" \
        "$kernels:2:4: error: call to 'min' is ambiguous" "<kernel>:2:4: error: call to 'min' is ambiguous"; do
        run -0 of_source compiler_errors "$said" "$kernels"
        [[ ${lines[0]} == "f.cl:2:4: call to 'min' is ambiguous: its arguments must have the same type"* ]]
        [ "${lines[1]}" = $'  \tx[min(1u, 2)] = y;' ]
        [ "${lines[2]}" = $'  \t  ^' ]
    done
    run -0 of_source compiler_errors "error: $kernels does not compile for this device" "$kernels"
    [ -z "$output" ]
    with_part step03_dot_coalesced <<< '    float sum = min(get_global_id(0), 32u) ? 0 : nothing;'
    judged step03 "$file"
    [ "$status" -eq 2 ]
    [[ ${lines[0]} == "BROKEN  step03: "* && $output == *"step03_dot_coalesced.cl:24:"*"    ^"* ]]
}

@test "exercises: loads of 16 bytes may touch four times as many sectors, if all of them are used" {
    with_part step03_dot_coalesced <<'END'
    float4 four = 0.0f;
    for (uint i = item; i < n / 4; i += items)
        four += vload4(i, x) * vload4(i, y);
    float sum = four.x + four.y + four.z + four.w;
    for (uint i = n / 4 * 4 + item; i < n; i += items)
        sum += x[i] * y[i];
END
    judged step03 "$file"
    [ "$status" -eq 0 ]
    [[ $output == *"load x of dot_coalesced: 32.00 lanes (ours 32), 16.00 sectors (ours 4)"* ]]
    with_part step03_dot_coalesced <<'END'
    float sum = 0.0f; /* the vectors of a lane are apart */
    const uint own = n / 4 / items;
    for (uint i = item * own; i < (item + 1) * own; i++) {
        const float4 four = vload4(i, x) * vload4(i, y);
        sum += four.x + four.y + four.z + four.w;
    }
    for (uint i = own * items * 4 + item; i < n; i += items)
        sum += x[i] * y[i];
END
    judged step03 "$file"
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "SHAPE  step03: "* && $output == *"32.00 sectors per access, at most 20 for accesses as wide (ours 4)"* ]]
    with_part step03_dot_coalesced <<'END' # of each vector one component is used
    float sum = 0.0f;
    for (uint i = item; i < n / 4; i += items) {
        global volatile const float4 *xs = (global volatile const float4 *)x;
        global volatile const float4 *ys = (global volatile const float4 *)y;
        sum += xs[i].x * ys[i].x;
        sum += xs[i].y * ys[i].y;
        sum += xs[i].z * ys[i].z;
        sum += xs[i].w * ys[i].w;
    }
    for (uint i = n / 4 * 4 + item; i < n; i += items)
        sum += x[i] * y[i];
END
    judged step03 "$file"
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "SHAPE  step03: "* && $output =~ load\ x\ of\ dot_coalesced:\ [0-9]+\ accesses,\ at\ most ]]
}

@test "exercises: what the step says is wrong comes first; a share of a sum is no mistake" {
    judged step05 "$(mistake step_of_one step05_dot_strided)"
    [[ ${lines[2]} =~ ^\ \ the\ sum\ is\ .*,\ expected\  ]]
    [[ ${lines[3]} == *": sums["*", ours has "*" (shares are yours to choose: only their sum must be right)" ]]
    judged step01 "$(mistake lost_tail step01_dot_single)"
    [[ $output != *"yours to choose"* ]] # there the sum itself is in the buffer
    judged step20 "$(mistake rounded_too_early step20_fizzbuzz_uniform)"
    [[ ${lines[2]} == "  line "*", character "*" is '"*"', expected '"* ]]
    [[ ${lines[3]} == *": text["*"] differs from ours" || ${lines[3]} == *": text["*"].s"[0-9]" differs from ours" ]]
}

@test "exercises: PASS shows each count once, also those of an earlier line" {
    judged step13b "$ROOT/kernels/step13b_transpose.cl"
    [ "$status" -eq 0 ]
    for local in load store; do
        [ "$(grep -c "^  $local local of transpose_padded: 1.00 passes (ours 1)$" <<< "$output")" -eq 1 ]
    done
    [ "$(grep -c "^  load in of transpose_padded: 4.00 sectors (ours 4), " <<< "$output")" -eq 1 ]
}

@test "exercises: one work-item that adds for its group is not of the shape asked for" {
    with_part step09_atomic_contention <<'END'
    local float all[1024];
    const uint id = get_local_id(0), size = get_local_size(0);
    all[id] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id == 0) {
        float in_all = 0.0f;
        for (uint i = 0; i < size; i++)
            in_all += all[i];
        add_float(sum, in_all);
    }
END
    STAGES=count NAMES=no judged step09 "$file"
    [ "$status" -eq 1 ]
    [[ $output == *"add_group: "*" busy lanes of 32, at least 20 (ours 24.9)"* ]]
}
