load helper.bash

# Mistakes that no other test shows: make coverage lists the kinds that none does.

# alone_finds TEXT LINE HINT OPTION ... : `lens kernel` finds this mistake in k.cl, in the line
# with this number, and gives this hint.
alone_finds() {
    run -1 env OCL_ICD_VENDORS=/nowhere lens kernel "$BATS_TEST_TMPDIR/k.cl" k --global 8 "${@:4}"
    echo "$output"
    [[ $output == *"error: k: $1"* ]]
    [[ $output == *$'\n'"  line $2 "* ]]
    [[ $output == *$'\n'"  hint    $3"* ]]
}

@test "reached: a pointer to nowhere" {
    kernel k.cl 'kernel void k(global int *out) {
    int *last = 0;
    *last = 1;
    out[0] = *last;
}'
    alone_finds 'out-of-bounds access: far from any buffer' 3 'compare the index' --races
}

# An x86 takes a trap for an illegal instruction, and an ARM for a breakpoint; the second one of
# these is a breakpoint on both.  The third becomes a trap when it is optimised.
@test "reached: a trap, as compilers put it where C does not say what happens" {
    local trap races
    for trap in '__builtin_trap()' '__builtin_debugtrap()' '*(int *)0 = 1'; do
        kernel k.cl "kernel void k(global int *out) {
    const uint item = get_global_id(0);
    out[item] = 2; $trap;
}"
        for races in '' --races; do
            [[ $trap$races != '*'*--races ]] || continue # then it is an access like others
            alone_finds 'crash: the replay goes no further: ' 3 \
                'the compiler has put a trap there, for what C does not define' $races
        done
    done
}

@test "reached: a kernel that takes the place of another one, and does not end" {
    kernel ours.cl 'kernel void k(global int *flag) { flag[1] = 1; }'
    kernel k.cl 'kernel void k(global volatile int *flag) {
    while (flag[0] == 0)
        ;
    flag[1] = 1;
}'
    cd "$BATS_TEST_TMPDIR"
    local program=("$BATS_FILE_TMPDIR/launch" ours.cl k 8 8 z2)
    run -1 lens --quiet --instead k.cl "${program[@]}"
    [[ $output == *"error: k: step limit exceeded: does the kernel terminate? group 0 still runs"* ]]
    [[ $output == *$'\n'"  hint    try a smaller problem; or does it wait for another group?"* ]]
    run -1 lens --quiet --races --instead k.cl "${program[@]}"
    [[ $output == *"error: k: endless loop: flag in global memory"*$'\n'"  line 2 "* ]]
}
