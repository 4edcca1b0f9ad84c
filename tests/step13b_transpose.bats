load helper.bash

@test "step13b: two copies and six transpositions are right" {
    right --size 1000 --format csv
    [ "${#lines[@]}" -eq 10 ] # the heading, eight rows, the headline
    [[ $output == *'"copy"'*'"rows, 256 x 1"'*'"rows, 8 x 32"'*'"local memory, padded"'*'"copy, local memory"'* ]]
    [[ $output == *'"padded, four in flight"'*'"4 x 4 each, swizzled"'* ]]
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

# The control differs from the padded transposition in the place of an element alone, and
# the kernel with four loads in flight in the order of its accesses alone.
@test "step13b: lens: the control and four loads in flight make the accesses of the padded kernel" {
    run -0 lens --quiet --format tsv "$BUILT/$STEM" --repeats 1 --size 65536
    awk -F '\t' '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $1 ~ /^(launch|barrier)$/ {
            found[$2] = found[$2] $1 " " $at["global"] " " $at["local"] " " $at["lanes"] "\n"
        }
        $1 ~ /^(load|store)$/ {
            access = $2 " " $1 " " $at["memory"] " " $at["name"]
            accesses[access] += $at["accesses"]
            if ($at["sectors"] > sectors[access])
                sectors[access] = $at["sectors"]
            if ($at["passes"] > passes[access])
                passes[access] = $at["passes"]
        }
        function all_of(kernel, kinds, i, access) {
            split("load global in|store local block|load local block|store global out", kinds, "|")
            for (i = 1; i <= 4; i++) {
                access = kernel " " kinds[i]
                if (accesses[access] != 2048)
                    return kernel " makes " accesses[access] " accesses: " kinds[i]
                found[kernel] = found[kernel] kinds[i] " " sectors[access] " " passes[access] "\n"
            }
            return found[kernel]
        }
        END {
            padded = all_of("transpose_padded")
            control = all_of("transpose_copy_local")
            four = all_of("transpose_padded_four")
            printf "%s%s%s", padded, control, four
            exit padded != control || padded != four
        }' <<< "$output"
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
