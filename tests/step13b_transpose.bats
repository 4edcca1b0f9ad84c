load helper.bash

@test "step13b: two copies and five transpositions are right" {
    right --size 1000 --format csv
    [ "${#lines[@]}" -eq 9 ] # the heading, seven rows, the headline
    [[ $output == *'"copy"'*'"rows, 256 x 1"'*'"rows, 8 x 32"'*'"local memory, padded"'*'"4 x 4 each, swizzled"'* ]]
}

@test "step13b: one element, less than a block, sides that no block divides, another seed" {
    for size in 1 31 1003 100003; do
        right --size $size --seed $size
    done
}

@test "step13b: groups with fewer rows, and a device whose groups are too small" {
    LOCKSTEP_MAX_GROUP=100 right --size 5000
    LOCKSTEP_MAX_GROUP=16 says 77 "this step needs groups of at least 32 work-items" \
        "$STEM" --size 31 --repeats 1
}

@test "step13b: lens: 32 sectors, or 32 passes over the banks, or neither" {
    counts 65536 "transpose_rows (pitch=256), 256 x 256 items in groups of 256 x 1: 32.0 of 32" \
        "store out 2048 x 32.0 lanes 32.00 sectors (ideal 4.00) 32.00 lines 12.5 % used" \
        "load in 2048 x 32.0 lanes 4.00 sectors (ideal 4.00) 1.00 lines" \
        "256 x 256 items in groups of 8 x 32: 32.0 of 32 lanes busy; line 26, store out: 8.00" \
        "load block 2048 x 32.0 lanes 32.00 passes (ideal 1.00)" \
        "load block 2048 x 32.0 lanes 1.00 passes (ideal 1.00)" \
        "store block 128 x 32.0 lanes 4.00 passes (ideal 4.00)" \
        "load block 512 x 32.0 lanes 4.00 passes (ideal 4.00)" \
        "store out 512 x 32.0 lanes 16.00 sectors (ideal 16.00)"
}

# The control differs from the padded transposition in the place of an element alone.
@test "step13b: lens: the copy through local memory makes the accesses of the padded kernel" {
    run -0 lens --quiet --format tsv "$BUILT/$STEM" --repeats 1 --size 65536
    awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { line = $1 " " $at["global"] " " $at["local"] " " $at["lanes"] " " $at["memory"] " " \
              $at["name"] " " $at["accesses"] " " $at["sectors"] " " $at["passes"] }
        $2 == "transpose_copy_local" && $1 ~ /^(launch|load|store|barrier)$/ { control = control line "\n" }
        $2 == "transpose_padded" && $1 ~ /^(launch|load|store|barrier)$/ { padded = padded line "\n" }
        END { printf "%s%s", control, padded
            exit control != padded || control !~ /store .* out 2048 / || control !~ /load .* block 2048 / }' <<< "$output"
}

@test "step13b: no race in any kernel" {
    no_races --size 5000
}

@test "step13b: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step13b: exercise: begins right but scattered, and ours passes with margin" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step13b: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step13b: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
