# The verdicts of `make step05 check`, and what stands below them.
load helper.bash

# stored_ms VARIANT : the time of step 05 that an H200 needed, as a verdict shows it.
stored_ms() {
    awk -F '"?,"?' -v variant="$1" '$1 ~ /step05/ && $2 == variant { printf "%.4g ms", $6; exit }' \
        "$ROOT/docs/results/nvidia-h200.csv"
}

# least FILE : the milliseconds that no run of the launch beats which a PASS of step 05 speaks of.
least() {
    "$BUILT/lens" kernel -Ikernels --format json --global 262144 --local 256 "$1" \
        'dot_coalesced(x[16777216]=1, y[16777216]=1, sums[262144]=0, n=16777216)' 2> /dev/null |
        sed -n 's/.*"at_least_ms":\([0-9.]*\).*/\1/p' | xargs printf %.3g
}

@test "exercises: check tells NOT YET, BROKEN, WRONG with the mistake's name, and PASS" {
    exercise exercise step05
    exercise check step05
    [ "$status" -eq 1 ]
    number=$(grep -n 'sum += x\[i\]' "$mine" | head -n 1 | cut -d : -f 1)
    diff - <(echo "$output") << END
NOT YET  step05: right, but not yet what the task asks for
  the task       $(sed -n 's/^rule  *//p' "$ROOT/docs/exercises/step05_dot_strided.txt")
  results        right at 3 sizes: 20,003, 5 and 100,003
  races          none
  dot_coalesced  line $number  sum += x[i] * y[i];
                 load x moves 32 sectors (ours 4); up to 5 will pass
                 load y moves 32 sectors (ours 4); up to 5 will pass
  see the lanes  your file: make step05 lens ARGS="--kernel $mine"
                 one kernel of it: add LENS_OPTIONS="--kernel dot_coalesced"
next: make step05 hint
END
    echo 'kernel void broken(' >> "$mine"
    exercise check step05
    [ "$status" -eq 2 ]
    [[ ${lines[0]} == "BROKEN  step05: your file does not compile" && $output == *"step05_dot_strided.cl:"* ]]
    [[ ${lines[-1]} == "next: correct that, then make step05 check" ]]
    cp "$(mistake lost_stride_tail step05_dot_strided)" "$mine"
    exercise check step05
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "WRONG  step05: "* && $output == *"  looks like     lost_stride_tail: "* ]]
    [[ $output == *"  results        the sum is "* && $output == *"  dot_strided    547 elements of x and of y are never read"* ]]
    [[ $output == *$'\n'"  see it         make step05 run ARGS=\"--kernel $mine --size 20003\""$'\n'"next: make step05 hint" ]]
    solve
    exercise check step05
    [ "$status" -eq 0 ]
    number=$(grep -n 'sum += x\[i\]' "$mine" | head -n 1 | cut -d : -f 1)
    diff - <(echo "$output") << END
PASS  step05: right, free of races, and what the task asks for
  results        right at 3 sizes: 20,003, 5 and 100,003
  races          none
  all sizes      as ours from 1 to 300, without a mistake
  dot_coalesced  line $number  sum += x[i] * y[i];
                 load x moves 4 sectors (ours 4)
                 load y moves 4 sectors (ours 4)
  on an H200     our own code took $(stored_ms contiguous) (contiguous) and $(stored_ms coalesced) (coalesced)
                 stored times of $(sed -n 's/^# date: //p' "$ROOT/docs/results/nvidia-h200.csv") at size 134,217,728; yours was not timed there
  at least       $(least "$mine") ms on an H200, bound by memory
                 ours at least $(least kernels/step05_dot_strided.cl) ms; with n=16777216
next: make next
END
    grep -q ' step05 passed [0-9]*$' "$LOCKSTEP_WORK/progress"
    for whose in yours ours; do # for the teacher; on a CPU they would say the opposite here
        grep -qE "^step05  $whose +coalesced: [0-9.]+ ms, " "$LOCKSTEP_WORK/measured"
    done
}

@test "exercises: a PASS on a GPU shows its own two times, and no stored ones" {
    exercise exercise step05
    solve
    mkdir "$BATS_TEST_TMPDIR/gpu"
    ln -s "$BUILT"/* "$BATS_TEST_TMPDIR/gpu"
    rm "$BATS_TEST_TMPDIR/gpu/step00_device_limits"
    printf '#!/bin/sh\n"%s" "$@" | sed "s/ cpu / gpu /"\n' "$BUILT/step00_device_limits" \
        > "$BATS_TEST_TMPDIR/gpu/step00_device_limits"
    chmod +x "$BATS_TEST_TMPDIR/gpu/step00_device_limits"
    BUILD=$BATS_TEST_TMPDIR/gpu exercise check step05
    [ "$status" -eq 0 ]
    for whose in '  on this GPU    yours' '                 ours'; do
        [ "$(grep -cE "^$whose, coalesced: [0-9.]+ ms, [0-9.]+ GB/s" <<< "$output")" -eq 1 ]
    done
    [[ $output != *H200* && ${lines[-1]} == "next: make next" ]]
}

@test "exercises: a wrong result can be seen with the command that stands below it" {
    cd "$ROOT"
    export LOCKSTEP_WORK=$BATS_TEST_TMPDIR/work
    exercise exercise step05
    cp "$(mistake lost_stride_tail step05_dot_strided)" "$mine"
    exercise check step05
    local command
    command=$(sed -n 's/^  see it  *//p' <<< "$output")
    [[ $command == make\ step05\ run\ * ]]
    run ! bash -c "SETUP=no $command"
    [[ $output == *"wrong: the sum is "* ]]
    # Quotes in the arguments, settings, and a program of the learner's.
    typed() {
        PYTHONPATH=common/commands/exercise python3 -B -c '
import sys, check, facts, subject
step, file, arguments = sys.argv[1:]
print(check.as_typed(subject.Subject(facts.choose(step), file, True, "", ""), "run", arguments))' "$@"
    }
    run -0 typed step18 work/a.cl 'LOCKSTEP_MAX_GROUP=7 --rung "local tile" --m 3'
    [ "$output" = "LOCKSTEP_MAX_GROUP=7 make step18 run ARGS='--kernel work/a.cl --rung \"local tile\" --m 3'" ]
    run -0 typed step22 work/a.c 'LOCKSTEP_MAX_GROUP=100 --size 3 --of 7'
    [ "$output" = "LOCKSTEP_MAX_GROUP=100 ${BUILD:-build}/work/step22_dot_machines --size 3 --of 7" ]
}

# Four are two rounds by hand; of a row of 16 bytes, a vload4 is one load.
@test "exercises: loads between two branches are those of clang's code for a GPU" {
    cd "$ROOT"
    between() {
        PYTHONPATH=common/commands/exercise python3 -B -c '
import sys, source
print(source.loads_between_branches(*sys.argv[1:]))' "${1:-$file}" "${2:-dot_groups_counted}"
    }
    [ "$(between kernels/step04_dot_groups.cl)" -eq 8 ]
    [ "$(between kernels/step04_dot_groups.cl dot_groups)" -eq 2 ]
    [ "$(between kernels/step04_dot_groups.cl no_such_kernel)" -eq -1 ]
    [ "$(LENS_CLANG=false between kernels/step04_dot_groups.cl)" -eq -1 ]
    with_part step04_dot_groups << 'END'
    float sum = 0.0f;
    uint i = item;
    for (; i < n && n - i > items; i += 2 * items)
        sum += x[i] * y[i] + x[i + items] * y[i + items];
    if (i < n)
        sum += x[i] * y[i];
END
    [ "$(between)" -eq 4 ]
    with_part step04_dot_groups << 'END'
    float sum = 0.0f;
    for (uint i = item; i < n / 4; i += items)
        sum += dot(vload4(i, x), vload4(i, y));
END
    [ "$(between)" -eq 2 ]
    printf '#!/bin/sh\ncase "$*" in *nvptx64*) exit 1 ;; esac\nexec clang "$@"\n' > "$BATS_TEST_TMPDIR/clang"
    chmod +x "$BATS_TEST_TMPDIR/clang"
    LENS_CLANG=$BATS_TEST_TMPDIR/clang STAGES=loads judged step04 kernels/step04_dot_groups.cl
    [ "$status" -eq 2 ]
    [[ ${lines[0]} == "NO VERDICT  step04: clang makes no code for an NVIDIA GPU here" ]]
}

@test "exercises: a verdict has a colour on a terminal, and none with NO_COLOR or elsewhere" {
    needs_script
    cd "$ROOT"
    exercise exercise step05
    local check="python3 common/commands/exercise check step05"
    run script -qefc "env -u NO_COLOR TERM=xterm $check" /dev/null < /dev/null
    [[ ${lines[0]} == $'\033[33mNOT YET\033[m  step05: '* ]]
    echo 'kernel void broken(' >> "$mine"
    run script -qefc "env -u NO_COLOR TERM=xterm $check" /dev/null < /dev/null
    [[ ${lines[0]} == $'\033[31mBROKEN\033[m  step05: '* ]]
    for plain in 'NO_COLOR=1 TERM=xterm' '-u NO_COLOR TERM=dumb'; do
        run script -qefc "env $plain $check" /dev/null < /dev/null
        [[ ${lines[0]} == "BROKEN  step05: "* && $output != *$'\033'* ]]
    done
    run env -u NO_COLOR TERM=xterm $check
    [[ ${lines[0]} == "BROKEN  step05: "* && $output != *$'\033'* ]]
}

@test "exercises: on 80 columns a verdict has 12 lines, of which the last two are the mistake and the next step" {
    needs_script
    cd "$ROOT"
    local file
    file=$(mistake last_warp_without_barrier step06_reduce_local)
    run on_terminal 80 python3 common/commands/exercise check step06 "${file@Q}"
    echo "$output"
    [ "${#lines[@]}" -le 12 ]
    awk '{ seen = 1 } length($0) > 80 { bad = 1 } END { exit bad || !seen }' <<< "$output"
    [[ $output == *$'\n'"  looks like     last_warp_without_barrier: "*$'\n'"next: make step06 hint" ]]
    run on_terminal 80 python3 common/commands/exercise check step13b kernels/step13b_transpose.cl
    [ "${#lines[@]}" -le 12 ]
    for access in 'load in' 'store out' 'load local' 'store local'; do # all of them, if without their lines
        [[ $output == *" $access "* ]]
    done
}

@test "exercises: check passes a step that measures no time, and says nothing of times" {
    cd "$ROOT"
    exercise exercise step01
    cp kernels/step01_dot_single.cl "$LOCKSTEP_WORK"/
    exercise check step01
    [ "$status" -eq 0 ]
    [[ ${lines[0]} == "PASS  step01: right, free of races, and "* ]]
    [[ $output == *"  results        right at 5 sizes: 1,009, 1, 2, 100,003 and 300,007"* ]]
    [[ $output == *"line 8  *sum = total;"*"store sum is executed 1 time (ours 1)"* ]]
    [[ $output != *" ms"* && $output != *"yours"* ]]
    [ ! -e "$LOCKSTEP_WORK/measured" ]
    grep -q ' step01 passed [0-9]*$' "$LOCKSTEP_WORK/progress"
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
    [ "${lines[1]}" = "  the task       $(sed -n 's/^rule  *//p' "$ROOT/docs/exercises/step21_fizzbuzz_devices.txt")" ]
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
    [[ $output == *"dot_coalesced  endless loop: "*"  line ${line%%:*} "*"while (n) ;"* ]]
    sed -i 's/while (n) ;/while (n) n += 2;/' "$mine" # 20003 is odd: no state comes back soon
    exercise check step05
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "WRONG  step05: a kernel does not end (--size 20003)" ]]
    [[ $output == *"dot_coalesced  step limit exceeded: after "*" steps of one group "*"  line ${line%%:*} "*"while (n) n += 2;"* ]]
    PATIENCE=3 LENS_CLANG=/nonexistent exercise check step05
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
    [[ ${lines[0]} == "NO VERDICT  step05: "* && $output == *"  not found      load x of dot_coalesced"* ]]
    LENS_CLANG=/nonexistent exercise check step05
    [ "$status" -eq 2 ]
    [[ ${lines[0]} == "NO VERDICT  step05: "* && ${lines[-1]} == "next: make doctor" ]]
    run ! grep -q ' step05 passed' "$LOCKSTEP_WORK/progress"
}

@test "exercises: what is right in the runs, and wrong when the lens looks on, is WRONG" {
    sed 's/add_float(sum, in_group)/add_float(sum, in_group + (n == 2053))/' \
        "$ROOT/kernels/step09_atomic_contention.cl" > "$BATS_TEST_TMPDIR/lucky.cl"
    quickly # and at no size beyond that number: 17 million atomics take long
    STAGES='run races' run python3 "$ROOT/common/commands/exercise" check step09 "$BATS_TEST_TMPDIR/lucky.cl"
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "WRONG  step09: the results are right by luck (--size 2053 --all)" ]]
}

@test "exercises: a race that is right by luck is RACE, with the mistake's name" {
    judged step06 "$(mistake last_warp_without_barrier step06_reduce_local)"
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "RACE  step06: "* && $output =~ "  reduce_local_"[a-z]*"  data race: " ]]
    [[ $output =~ "  looks like "\ *"last_warp_without_barrier: " ]]
    [[ $output =~ $'\n  how often      '[0-9]+' times'$'\n' ]]
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
    [[ ${lines[0]} =~ ^NOT\ YET\ \ step03:.*\(--size\ 1[456][0-9]+\)$ && ${lines[0]} != *16384* ]]
    [[ $output =~ "  dot_coalesced  line "[0-9]+"  sum += x[i] * y[i];"$'\n'\ +"load x moves "[0-9.]+" sectors (ours "[0-9.]+"); up to "[0-9.]+" will pass" ]]
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
    [[ ${lines[0]} == "NOT YET  step03: "*"without the preprocessor" ]]
    [[ $output == *"line 26: #ifdef __x86_64__"*"line 29: #else"* && $output != *"this is a comment"* ]]
    with_part step03_dot_coalesced <<< '    if (__OPENCL_VERSION__ > 120) return;'
    judged step03 "$file"
    [[ ${lines[0]} == "NOT YET  step03: "* && $output == *"line 24: __OPENCL_VERSION__"* ]]
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
    [[ $output == *"load x has 32 busy lanes (ours 32), moves 16 sectors (ours 4)"* ]]
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
    [[ ${lines[0]} == "NOT YET  step03: "* && $output == *"load x moves 32 sectors (ours 4); up to 20 will pass for accesses as wide"* ]]
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
    [[ ${lines[0]} == "NOT YET  step03: "* && $output =~ "load x is executed "[0-9]+" times (ours "[0-9]+"); up to "[0-9]+" will pass" ]]
}

@test "exercises: what the step says is wrong comes first; a share of a sum is no mistake" {
    judged step05 "$(mistake step_of_one step05_dot_strided)"
    [[ ${lines[2]} =~ ^\ \ results\ +the\ sum\ is\ .*,\ expected\  ]]
    [[ ${lines[3]} == "  dot_coalesced  19418 elements of x and of y are never read, the first is x[550]" ]]
    [[ ${lines[4]} == "                 548 elements of x and of y are read more than once, the first is x[1], twice" ]]
    [[ $output != *"sums["* ]] # which work-item adds up what is the learner's own choice
    # Where each reads what it reads in ours, its part of the sum says something.
    judged step05 "$(mistake whole_sum step05_dot_strided)"
    [[ $output == *"  dot_coalesced  sums["*", ours has "*"each element of x and of y is read as in ours"* ]]
    # Where others read the same elements, it says nothing again.
    awk '!done && sub(/y\[i\]/, "y[i ^ (round \\& 1)]") { done = 1 } 1' "$ROOT/kernels/step05_dot_strided.cl" \
        > "$BATS_TEST_TMPDIR/swapped.cl"
    judged step05 "$BATS_TEST_TMPDIR/swapped.cl"
    [[ ${lines[3]} == "  dot_coalesced  each element of y is read as often as in ours, but "*" of them by other work-items, the first is y["* ]]
    [[ $output != *"sums["* ]]
    judged step01 "$(mistake lost_tail step01_dot_single)"
    [[ $output != *"up to you"* ]] # there the sum itself is in the buffer
    judged step20 "$(mistake rounded_too_early step20_fizzbuzz_uniform)"
    [[ ${lines[2]} == "  results  "*"  line "*", character "*" is '"*"', expected '"* ]]
    [[ ${lines[3]} == "  fizzbuzz_"*"  text["*"] differs from ours" || ${lines[3]} == "  fizzbuzz_"*"  text["*"].s"[0-9]" differs from ours" ]]
}

@test "exercises: what the compiler warns of stands above all else, unless ours has it or all is right" {
    with_part step03_dot_coalesced <<< '
    float sum = 0.0f;
    for (uint i = item; i < n; i + items)
        sum += x[i] * y[i];'
    judged step03 "$file"
    [[ ${lines[0]} == "WRONG  step03: a kernel does not end "* ]]
    [[ $output == *$'\n  warning        line 26: '*$'\n  warning        line 26: expression result unused\n'*"endless loop"* ]]
    with_part step03_dot_coalesced <<< '
    float sum = 0.0f, unused = 1.0f;
    for (uint i = item; i < n; i += items)
        sum += x[i] * y[i];'
    STAGES=run judged step03 "$file"
    [[ $output == *"warning        line 25: unused variable 'unused'"* ]]
    judged step03 "$file"
    [[ $status -eq 0 && $output != *warning* ]]
}

@test "exercises: a known mistake is named in whatever kernel of the step it is made" {
    run grep -A 1 -E '^== (blocks_stay|no_barrier )' "$ROOT/tests/mistakes/step13b_transpose.diff"
    [[ $output == *"blocks_stay"*"@@ kernel void transpose_local("*"@@ kernel void transpose_padded("* ]]
    # In the kernel of the exercise, where it is not known.
    file=$BATS_TEST_TMPDIR/step13b_transpose.cl
    awk '/^kernel/ { here = /transpose_padded\(/ }
        here { sub(/\(x \+ row\) \* pitch \+ y \+ lane/, "(y + row) * pitch + x + lane") }
        { print }' "$ROOT/kernels/step13b_transpose.cl" > "$file"
    judged step13b "$file"
    [[ ${lines[0]} == "WRONG  step13b: "* && $output == *"looks like     blocks_stay: "* ]]
    # What is known there keeps its name.
    judged step13b "$(mistake no_barrier step13b_transpose)"
    [[ $output == *"looks like     no_barrier: "* ]]
}

@test "exercises: of two groups that write one element in one line, the index is looked at first" {
    judged step20 "$(mistake same_place step20_fizzbuzz_uniform)"
    [[ ${lines[0]} == "RACE  step20: "* && $output == *"  hint           does the index lack the group"* ]]
    [[ $output == *"looks like     same_place: "* ]]
}

@test "exercises: PASS shows each count once, also those of an earlier line" {
    judged step13b "$ROOT/kernels/step13b_transpose.cl"
    [ "$status" -eq 0 ]
    for local in load store; do
        [ "$(grep -c " $local local needs 1 pass (ours 1)$" <<< "$output")" -eq 1 ]
    done
    [ "$(grep -c " load in moves 4 sectors (ours 4), " <<< "$output")" -eq 1 ]
}

@test "exercises: one work-item that counts for its group is not of the shape asked for" {
    with_part step09c_histogram <<'END'
    for (uint bin = id; bin < bins; bin += size)
        group_counts[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < size && id == 0; k++)
        for (uint i = item + k; i < n; i += items)
            group_counts[mul_hi(((global const uint *)x)[i], bins)]++;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = id; bin < bins; bin += size)
        atomic_add(&counts[bin], group_counts[bin]);
END
    STAGES=count NAMES=no judged step09c "$file"
    [ "$status" -eq 1 ]
    [[ $output == *"  histogram_private  "*" of 32 lanes busy (ours 32"*"); 24 or more will pass"* ]]
}
