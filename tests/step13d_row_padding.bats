load helper.bash

@test "step13d: every layout is right, also after the timed launches" {
    right --size 10007 --repeats 3 --format csv
    [ "${#lines[@]}" -eq 13 ] # the heading, eleven rows, the headline
    [[ $output == *'"128 apart"'*'"129 apart"'*'"rotated, 128 apart"'*'"float4, 132 apart"'*'"transposed"'*'"read once, 129 apart"'* ]]
}

@test "step13d: size 1, vectors that are not full, other numbers of columns, another seed" {
    for size in 1 31 1003 70001; do
        right --size $size --seed $size
    done
    for columns in 4 96 100 1021; do
        right --size 1003 --columns $columns
    done
    [[ $output == *'1024 apart'*'1040 apart'* ]] # a multiple of 4
}

@test "step13d: smaller groups, and a number of columns that is too small or too large" {
    LOCKSTEP_MAX_GROUP=7 right --size 5000 --lanes 8
    says 2 "--columns needs a whole number from 4" "$STEM" --columns 3
    says 2 "--columns needs a whole number from 4" "$STEM" --columns 1025
}

# Rows that begin 0, 16, 8, 4 and 1 banks further on: all 32 lanes in one bank, 16 of them, 8, 4,
# and a lane in each.  To look up 32 lines takes 8 passes.
@test "step13d: lens: 32 L1 passes, 16, and 8 from then on" {
    local found
    found=$(lens --quiet --format tsv --kernel '*' "$BUILT/$STEM" --repeats 1 --size 4096 2> /dev/null |
        awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            $1 == "launch" { launch = $2 " " $at["arguments"] }
            $1 == "load" { print launch, $at["name"], $at["sectors"], $at["l1_passes"], $at["ideal_l1_passes"] }')
    diff - <(grep ' matrix ' <<< "$found" | sed 's/columns=128 //; s/ matrix//') << 'END'
multiply_rows rows=128 pitch=128 32.00 32.00 1.00
multiply_rows rows=128 pitch=144 32.00 16.00 1.00
multiply_rows rows=128 pitch=136 32.00 8.00 1.00
multiply_rows rows=128 pitch=132 32.00 8.00 1.00
multiply_rows rows=128 pitch=129 32.00 8.00 1.00
multiply_rotated rows=128 pitch=128 32.00 8.00 1.00
multiply_rows_float4 rows=128 pitch=128 32.00 32.00 4.00
multiply_rows_float4 rows=128 pitch=132 32.00 8.00 4.00
multiply_transposed rows=128 pitch=128 4.00 1.00 1.00
multiply_rows rows=512 pitch=128 32.00 32.00 1.00
multiply_rows rows=512 pitch=129 32.00 8.00 1.00
END
    [ "$(grep -c '^multiply_rows .* x 1.00 1.00 1.00$' <<< "$found")" -eq 7 ] # a broadcast
}

@test "step13d: lens: rows of 100 numbers need no padding" {
    run -0 lens --quiet --banks --table --kernel multiply_rows "$BUILT/$STEM" --repeats 1 --size 4096 --columns 100
    [[ $(tr -s ' ' <<< "$output") == *"rows=128 pitch=100 32 4 8.00 1.00 32.0 none"* ]]
}

@test "step13d: its header's line Banks asks for L1 passes, and for a picture of the banks" {
    cd "$ROOT"
    BUILD=$BUILT run -0 sh common/commands/lens.sh step13d_row_padding --
    grep -qE '^multiply_rows rows=128 pitch=128 +32 +4 +32\.00 +1\.00 ' <<< "$output"
    [[ $output == *"The banks need 32 passes for these 32 lanes, where 1 would do."* ]]
}

@test "step13d: no race in any kernel" {
    no_races --size 5000
}

@test "step13d: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step13d: exercise: begins right but in one bank, and ours passes with margin" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step13d: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step13d: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
