load helper.bash

# apart COMMAND ... : the command, on a device whose maps are copies; see tests/apart.c.
apart() {
    local library=$BATS_FILE_TMPDIR/apart.so
    [ -e "$library" ] || "${CC:-cc}" -std=c11 -shared -fPIC -DCL_TARGET_OPENCL_VERSION=120 \
        -o "$library" "$ROOT/tests/apart.c" -lOpenCL -ldl
    run env LD_PRELOAD="$library" "$@"
}

@test "step11c: every way is right in each round, and says what a further use takes" {
    right --size 100003 --seed 7 --repeats 3
    [[ $output == *"copied, used once "*"pinned, used once "*"mapped, used once "* ]]
    [ "$(grep -cE '(copied|pinned|mapped), 100 uses .* a further use -?[0-9]+\.[0-9]{3} ms$' <<< "$output")" -eq 3 ]
    [[ $output == *"Asked, this device says that it "*"A kernel sees mapped words at "*"Measured in 100 uses, mapped words "* ]]
}

@test "step11c: right at its default; csv has nothing but rows, and one headline" {
    right --format csv
    [ "${#lines[@]}" -eq 8 ] # the heading, six rows, the headline
    [[ $output == *'"mapped, 100 uses"'*'"headline: mapped, not copied, used once"'* ]]
}

@test "step11c: PoCL's memory is its host's, and a kernel sees the host's address there" {
    right --size 1003
    [[ $output != *"pthread-"* || $output == *"shares its host's memory."*"the host's own address: no copy."* ]]
}

@test "step11c: size 1, fewer than a group, sizes and chunks that nothing divides, small groups" {
    for size in 1 31 1003; do
        right --size $size
        right --size $size --chunk 1
        right --size $size --chunk 7
    done
    LOCKSTEP_MAX_GROUP=3 right --size 1003 --chunk 2
    right --size 100003 --chunk 1 # several chunks for each work-item
    says 2 "--chunk" "$STEM" --size 31 --chunk 513
}

@test "step11c: nothing is concluded from too few rounds" {
    right --size 1003 --repeats 2
    [[ $output == *"mapped words and a copy are not told apart."* ]]
}

@test "step11c: also right where a map is a copy, of which a kernel knows another address" {
    apart "$STEM" --repeats 1 --size 1003
    [ "$status" -eq 0 ]
    [[ $output == *"A kernel sees mapped words at another address than the host."* ]]
    # A round to warm up and one more, each with two maps; pinned memory; a look at an address.
    [[ $output == *"apart: 6 maps, "*" unmaps, 0 of them forgotten"* ]]
}

# Nothing but the mapped rows is wrong then; and where memory is shared, nothing is.
@test "step11c: each unmap is needed where a map is a copy, and its lack is not seen elsewhere" {
    apart FORGET=unmap "$STEM" --repeats 1 --size 1003
    [ "$status" -eq 1 ]
    [[ $output == *"wrong: mapped, used once: the sum in round 0 is "*", expected "* ]]
    [[ $output == *"wrong: mapped, 100 uses: the sum in round 0 is "*", expected "* ]]
    [ "$(grep -cE '^mapped, .* WRONG' <<< "$output")" -eq 2 ]
    [ "$(grep -cE '^(copied|pinned), .* right' <<< "$output")" -eq 4 ]
    right --size 1003
    [[ $output != *"the host's own address: no copy."* ]] || {
        apart FORGET=unmap APART=no "$STEM" --repeats 1 --size 1003
        [ "$status" -eq 0 ]
    }
}

# The trap of the chapter: the mapped buffer is mapped once, as pinned memory is.
@test "step11c: a buffer that stays mapped is wrong where a map is a copy, and right elsewhere" {
    apart "$STEM" --keep-mapped --repeats 1 --size 1003
    [ "$status" -eq 1 ]
    [ "$(grep -cE '^mapped, .* WRONG' <<< "$output")" -eq 2 ]
    [ "$(grep -cE '^(copied|pinned), .* right' <<< "$output")" -eq 4 ]
    [[ $output == *"apart: 2 maps, "* ]]
    right --size 1003
    [[ $output != *"the host's own address: no copy."* ]] || right --size 1003 --keep-mapped
}

# Of 6 rounds: 6 rows poison their sums, 4 copy once, 2 map; beside them, 12 writes fill four
# buffers and their guards, one map makes pinned memory, and one is for the kernel that looks at an address.
@test "step11c: lens: words are copied, or mapped, once for each set of them" {
    run -0 lens --quiet --waits "$BUILT/$STEM" --repeats 5 --size 4099 --chunk 1
    local report
    report=$(tr -s ' ' <<< "$output")
    [[ $report == *" blocking write 72 x 0.00 commands left, 72 x none"* ]]
    [[ $report == *" blocking map 14 x 0.00 commands left, 14 x none"* ]]
}

# A word is 4 bytes, so 32 lanes need 4 sectors if they are neighbours.
@test "step11c: lens: neighbours read neighbours" {
    run -0 lens --quiet --table --kernel zero_copy "$BUILT/$STEM" --repeats 1 --size 4096 --chunk 1
    tr -s ' ' <<< "$output" | grep -q '^zero_copy 4 all 32.0 none$'
}

@test "step11c: no race" {
    no_races --size 1003 --chunk 1
}

@test "step11c: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step11c: exercise: begins right but with a copy for each use, and ours passes with margin" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step11c: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step11c: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
