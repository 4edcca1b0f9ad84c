load helper.bash

# A single program needs no daemon of MPI's that would connect it with others.
export OMPI_MCA_ess_singleton_isolated=1

# has_mpi : is the step built with MPI?
has_mpi() {
    [ -s "$BUILT/mpi" ] && command -v mpirun > /dev/null ||
        skip "no MPI here; \`make step22 run\` brings it"
}

# sum_of ARGUMENTS : the sum that a single rank finds.
sum_of() {
    "$STEM" --repeats 1 "$@" | sed -n 's/^The sum, on every rank: //p'
}

# ranks N ARGUMENTS : so many ranks of the step, in at most 20 seconds.
ranks() {
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    (cd "$ROOT" && RANKS=$1 exec timeout 20 sh common/commands/ranks.sh "$BUILT/$STEM" --repeats 1 "${@:2}")
}

@test "step22: without MPI: every element in one share, whatever n and the number of ranks" {
    local n of as sums
    for n in 5 60000; do
        sums=''
        for of in 1 3 $((n == 5 ? 7 : 2)); do
            for ((as = 0; as < of; as++)); do
                sums="$sums $of:$(sum_of --size $n --as $as --of $of)"
            done
        done
        echo "$n: $sums"
        tr ' ' '\n' <<< "$sums" | awk -F : 'NF { sum[$1] += $2; count[$1]++ }
            END {
                for (of in sum)
                    wrong = wrong || sum[of] != sum[1] || count[of] != of
                exit wrong || sum[1] == 0
            }'
    done
    right --size 100003 --of 100000 --as 99999
    says 2 "there is no single rank 3 of 3" "$STEM" --size 9 --as 3 --of 3
    says 2 "there is no single rank 1 of 0" "$STEM" --size 9 --as 1
}

@test "step22: built without MPI it is skipped, names what brings it, and does a single share" {
    cd "$ROOT"
    "${CC:-cc}" $(cat compile_flags.txt) "steps/$STEM.c" "$BUILT/libcommon.a" -lOpenCL -lpng -lm \
        -pthread -o "$BATS_TEST_TMPDIR/one"
    says 77 "skipped: there is no MPI" "$BATS_TEST_TMPDIR/one" --size 1000
    [[ $stderr == *"make step22 run brings it"* && -z $output ]]
    run -0 "$BATS_TEST_TMPDIR/one" --size 1000 --repeats 1 --of 3
    [[ $output == *"  right"* ]]
    MPICC=/nonexistent run -0 sh common/commands/mpi.sh compile
    [ -z "$output" ]
}

@test "step22: one rank alone is right at its default, in groups of 100 and at size 1" {
    right --of 1
    [[ $output == *"one rank alone"*"kernels "*"allreduce, 8 bytes"*"one rank, not all on its device"* ]]
    [[ $output != *"a rank for each device"* ]]
    LOCKSTEP_MAX_GROUP=100 right --of 1 --size 10007
    right --of 1 --size 1 --format json
}

@test "step22: 1, 2, 3, 4 and 7 ranks find the same sum, bit for bit; also more ranks than elements" {
    has_mpi
    local n count wanted
    for n in 2 100003; do
        wanted=$(sum_of --size $n --of 1)
        for count in 1 2 3 $((n == 2 ? 7 : 4)); do
            run -0 ranks $count --size $n
            [[ $output == *$'\n'"The sum, on every rank: $wanted"$'\n'* && $output != *WRONG* ]]
            [[ $output == *"Ranks: $count, on this machine $count, with "* ]]
        done
    done
    run -0 ranks 3 --size 1000 --format csv --rows "$BATS_TEST_TMPDIR/rows"
    [ "${#lines[@]}" -eq 6 ] # the heading, four rows and the headline: rank 0 alone prints
    [ "$(wc -l < "$BATS_TEST_TMPDIR/rows")" -eq 6 ]
}

@test "step22: make's command starts ranks, says so as root, and knows RANKS" {
    has_mpi
    cd "$ROOT"
    unset OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
    RANKS=2 run -0 --separate-stderr sh common/commands/run.sh "$STEM" -- --size 1000 --repeats 1
    [[ $output == *"Ranks: 2, "* ]]
    [ "$(id -u)" != 0 ] || [[ $stderr == *"mpirun as root: OMPI_ALLOW_RUN_AS_ROOT=1"* ]]
}

# beside RANKS COMMAND ... : ranks of the step, and one more that is this command.  (mpirun can
# start different programs, but Open MPI 5.0.7 of Debian 13 then ends by a segmentation fault.)
beside() {
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    # shellcheck disable=SC2016 # for the shell of each rank
    timeout 20 mpirun --oversubscribe --bind-to none --mca btl ^tcp -n $(($1 + 1)) sh -c '
        last=$1 program=$2 repeats=$3
        shift 3
        [ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" != "$last" ] || exec "$@"
        exec "$program" --repeats "$repeats" --size 10007' \
        sh "$1" "$BUILT/$STEM" "${REPEATS:-1}" "${@:2}"
}

@test "step22: a rank without a device ends all of them, with one message" {
    has_mpi
    run -2 beside 3 env DEVICE=none-such "$BUILT/$STEM" --repeats 1 --size 10007
    [ "$(grep -c 'error: no device matches' <<< "$output")" -eq 1 ]
    run -2 ranks 4 --device none-such # all four
    [ "$(grep -c 'error: no device matches' <<< "$output")" -eq 1 ]
    run -2 ranks 4 --size none
    [ "$(grep -c 'error: --size needs' <<< "$output")" -eq 1 ]
    run -2 ranks 4 --as 1 --of 4
    run -0 ranks 3 --version # no rank waits for the others
    [ "${#lines[@]}" -eq 1 ]
}

@test "step22: the second rank of a machine opens its second device" {
    has_mpi
    export POCL_DEVICES='basic pthread'
    local devices second
    devices=$(step00_device_limits --devices)
    [ "$(grep -c ' cpu ' <<< "$devices")$(wc -l <<< "$devices")" = 23 ] || skip "not two devices of PoCL here"
    second=$(sed -n 's/^ *1  \([^ ]*\) .*/\1/p' <<< "$devices")
    run -2 beside 1 "$BUILT/$STEM" --repeats 1 --size 10007 --kernel "$ROOT/README.md"
    [[ $output == *"does not compile for $second"* ]]
    run -0 ranks 3 --size 1000
    [[ $output == *"Ranks: 3, on this machine 3, with 2 of its devices."* ]]
    [[ $output == *$'\na rank for each device  '*"  right, kernels "*$'\na rank for each device, not one\n'* ]]
    run -0 ranks 2 --size 1000 # no rank shares a device: all of them are those ranks
    [[ $output != *$'\na rank for each device  '* && $output == *$'\na rank for each device, not one\n'* ]]
    [[ $output != *WRONG* ]]
}

@test "step22: a rank whose kernel is wrong makes the sum wrong, and all ranks say so" {
    has_mpi
    quickly
    run -1 beside 2 "$BUILT/$STEM" --repeats 1 --size 10007 --kernel "$(mistake lost_rest)"
    [[ $output == *"wrong: "* && $output == *WRONG* ]] # mpirun may swap what two streams say
    run -1 beside 2 "$BUILT/$STEM" --repeats 1 --size 10007 --kernel "$(beyond)"
    [[ $output == *"a kernel wrote beyond a buffer"* ]]
}

# beyond : kernels that write behind the last sum.
beyond() {
    sed 's/sums\[get_group_id(0)\] = sum;/sums[get_group_id(0)] = sums[get_num_groups(0)] = sum;/' \
        "$ROOT/kernels/$STEM.cl" > "$BATS_TEST_TMPDIR/beyond.cl"
    echo "$BATS_TEST_TMPDIR/beyond.cl"
}

@test "step22: a rank that is killed ends the others, which wait for it" {
    has_mpi
    local pid=$BATS_TEST_TMPDIR/pid
    # shellcheck disable=SC2016 # the rank's own shell expands it
    REPEATS=100000 beside 3 sh -c 'echo $$ > "$1"; shift; exec "$@"' sh "$pid" \
        "$BUILT/$STEM" --repeats 100000 --size 10007 > "$BATS_TEST_TMPDIR/said" 2>&1 &
    for _ in {1..50}; do
        [ -s "$pid" ] && break
        sleep 0.1
    done
    sleep 1
    kill -KILL "$(< "$pid")"
    local status=0 began=$SECONDS
    wait $! || status=$?
    cat "$BATS_TEST_TMPDIR/said"
    [ "$status" -ne 0 ] && [ "$status" -ne 124 ] # which would be timeout's
    [ $((SECONDS - began)) -le 5 ]
    grep -q 'signal 9' "$BATS_TEST_TMPDIR/said"
}

@test "step22: lens: a third of the elements in float4, 16 sectors each, and 9 barriers" {
    run -0 lens --quiet --kernel '*' "$BUILT/$STEM" --repeats 1 --size 65536 --of 3
    report=$(tr -s ' ' <<< "$output")
    [[ $report == *"n=21845"* && $report == *"32.0 lanes 16.00 sectors (ideal 16.00)"* ]]
}

@test "step22: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step22: exercise: begins with elements lost, and ours passes with margin" {
    exercise_begins WRONG
    exercise_solved
}

@test "step22: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step22: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
