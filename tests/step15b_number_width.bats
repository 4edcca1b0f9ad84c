load helper.bash

# pi_of NAME : what the row of that name in $output, a csv, has computed.
pi_of() {
    awk -F '"' -v name="$1" '$4 == name { sub(/.*pi /, "", $(NF - 1)); print $(NF - 1); exit }' <<< "$output"
}

@test "step15b: each width is right, and leaves the digits that it has" {
    right --format csv --size 1048576 --seed 5
    [ "$(pi_of 'half, 1 work-item')" = 3.1243749 ]
    [ "$(pi_of 'float, 1 work-item')" = 3.1413933 ]
    [ "$(pi_of 'float, 1, backwards')" = 3.1415917 ]
    [[ $output != *'"double"'* ]] || [ "$(pi_of 'double, 1 work-item')" = 3.1415917 ]
    # Mesa's llvmpipe has half arithmetic, with RUSTICL_FEATURES=fp16; PoCL from LLVM 19 on may.
    [[ $output != *'"half arithmetic"'* || $(pi_of 'half arithmetic') == 3.14[01]* ]]
    [[ $output == *'"half in memory"'*'"float"'* ]]
}

# The sums of the first 45 and of the first 4096 terms are those of all terms.
@test "step15b: a half sum stops after 45 terms, and a float sum after 4096" {
    quickly
    local terms half float
    for terms in 44 45 46 4095 4096 4097; do
        right --format csv --size $terms
        half+=" $(pi_of 'half, 1 work-item')"
        float+=" $(pi_of 'float, 1 work-item')"
    done
    echo "$half;$float"
    [ "$half" = " 3.1234371 3.1243749 3.1243749 3.1243749 3.1243749 3.1243749" ]
    [[ $float == *" 3.1413932 3.1413933 3.1413933" ]]
}

@test "step15b: size 1, fewer than a group, sizes that nothing divides, smaller groups" {
    quickly
    for size in 1 2 31 1003 100003; do
        right --size $size --seed $size
    done
    for group in 7 100; do
        LOCKSTEP_MAX_GROUP=$group right --all --size 10007
    done
    [[ $output == *"If nothing were rounded, these terms would give pi 3.1414972."* ]]
}

@test "step15b: a size beyond the device's memory is an error" {
    says 2 "are too many for" "$STEM" --size 1000000000000
}

@test "step15b: lens: a load of 32 halves touches 2 sectors, of floats 4, of doubles 8" {
    quickly
    counts 65536 "store halves 2048 x 32.0 lanes 2.00 sectors (ideal 2.00) 1.00 lines 100.0 % used" \
        "half_sum (n=65536), 1 item in groups of 1: 1.0 of 32 lanes busy" \
        "squares_half (n=65536), 2048 items in groups of 256: 32.0 of 32 lanes busy" \
        "load x 2048 x 32.0 lanes 2.00 sectors (ideal 2.00) 1.00 lines 100.0 % used" \
        "load pairs 1024 x 32.0 lanes 4.00 sectors (ideal 4.00) 1.00 lines 100.0 % used" \
        "squares_float (n=65536), 2048 items in groups of 256: 32.0 of 32 lanes busy; line 54, load x: 4.00 sectors (ideal 4.00)"
    [[ $output != *squares_double* || $output == *"load x: 8.00 sectors (ideal 8.00)"* ]]
}

@test "step15b: no race in any kernel" {
    quickly
    no_races --all --size 5000
}

@test "step15b: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step15b: exercise: begins with a sum that is a half, and ours passes with margin" {
    exercise_begins WRONG
    exercise_solved
}

@test "step15b: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step15b: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
