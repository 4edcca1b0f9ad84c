load helper.bash

# What the lens once was silent about, or wrong about.  The kernels lie in
# tests/lens/verdicts.cl.

# looked STATUS CALL OPTIONS ... : the lens looks for mistakes in a kernel, without a driver.
looked() {
    run env OCL_ICD_VENDORS=/nowhere timeout 300 lens kernel --races \
        "$ROOT/tests/lens/verdicts.cl" "${@:2}"
    echo "$output"
    [ "$status" -eq "$1" ]
}

# line_of TEXT : the number of the line in the kernel file that has this text.
line_of() {
    grep -nF -m1 -- "$1" "$ROOT/tests/lens/verdicts.cl" | cut -d: -f1
}

# silent CALL OPTIONS ... : it finds no mistake, and no note.
silent() {
    looked 0 "$@"
    [[ $output == *"no mistake found in 1 launch" ]]
    [[ $output != *"lens: "* && $output != *"error: "* ]]
}

# finds TEXT LINE CALL OPTIONS ... : it finds this mistake, in the line with that text.
finds() {
    looked 1 "${@:3}"
    [[ $output == *"error: $1"* ]]
    [[ $output == *$'\n'"  line $(line_of "$2") "* ]]
    [[ $output == *"  hint    "* ]]
}

@test "verdicts: buffers of half, size_t, enum and vectors of three have elements, not bytes" {
    silent 'halves(in[32]=0.1, out[32])' --global 32 --check
    [[ $output == *"out[32]: 0.0999756 "* || $output == *"out[32]: 0.099975586 "* ]]
    finds 'halves: out-of-bounds access: in in global memory, bytes 64 to 65 of 64' 'vload_half(i, in)' \
        'halves(in[32], out[33])' --global 33 --local 33
    silent 'types(h[32], u[32], s[32], d[32], c[32], l[32])' --global 32 --check
    [[ $output == *"h[32]: 0 0.0999756 -2 65504 1 0.0999756 -2 65504 "* ]]
    [[ $output == *"u[32]: 1 2 0 1 2 1 "* && $output == *"s[32]: 0 1 2 3 "* ]]
    [[ $output == *"d[32]: 0 -1 -2 -3 "* && $output == *"c[32]: 1 1 1 "* ]]
    [[ $output == *"l[32]: 0 0 1 1 2 2 "* ]]
}

@test "verdicts: a whole number that is divided by 0 is named, and so is the smallest one by -1" {
    finds 'divides: division by zero: ' 'all / parts' 'divides(x[64]=7, parts=0)' --global 64 --local 64
    [[ $output == *"times   64"* && $output == *"compare the divisor with 0"* && $output != *crash* ]]
    finds 'divides: division out of range: the smallest whole number by -1' 'all / parts' \
        'divides(x[64]=-2147483648, parts=-1)' --global 64 --local 64
    silent 'divides(x[64]=-2147483647, parts=-1)' --global 64 --local 64
    finds 'divides_four: division by zero: ' 'x[i].wxyz' 'divides_four(x[64]=(1,2,3,0))' --global 64 --local 64
    silent 'divides_four(x[64]=(1,2,3,4))' --global 64 --local 64 --check
    [[ $output == *"x[64]: 1 0 1 1 "* ]]
    silent 'divides_where_it_can(x[64]=(0,3), y[64]=0)' --global 64 --local 64
    # The table's replay does not look for mistakes, but this one it meets.
    run -1 lens kernel "$ROOT/tests/lens/verdicts.cl" 'divides(x[64]=7, parts=0)' --global 64 --local 64
    [[ $output == *"error: divides: division by zero: "* ]]
}

@test "verdicts: OpenCL has no recursion, be it finite or not" {
    finds 'recursion: recursion: steps() calls itself' 'return steps(n - 1)' 'recursion(x[64])' --global 64 --local 64
    [[ $output == *"OpenCL C has no recursion (specification 1.2, 6.9 i)"* ]]
    finds 'endless_recursion: recursion: forever() calls itself' 'x[i] = forever(' 'endless_recursion(x[64])' --global 64
    [[ $output != *"private array"* ]]
}

# endless TEXT WHY CALL OPTIONS ... : it proves soon that a group never ends, in the line with
# this text, and says why.
endless() {
    finds "${3%%(*}: endless loop: " "$1" "${@:3}"
    [ -z "$2" ] || [[ $output == *"  why     "*"$2"* ]]
    [[ $output != *"no mistake found"* && $output != *"step limit"* ]]
}

@test "verdicts: a group that comes back to the state in which it was never ends" {
    local SECONDS=0
    endless 'atomic_cmpxchg(lock' 'item 0, which wrote that last, goes on when these lanes of its warp have left' \
        'spins_in_warp(lock[1]=0, total[1]=0)' --global 32 --local 32
    [[ $output == *"lock in global memory, bytes 0 to 3 of 4, changes no more"* ]]
    [[ $output == *$'\n'"  line $(line_of '/* guarded */') "*"it goes on here"* ]]
    endless 'atomic_cmpxchg(lock' 'item 0, which wrote that last, ' 'spins_in_warp(lock[1]=0, total[1]=0)' --global 256 --local 128
    endless 'atomic_xchg(lock, 1)' 'item 0, which wrote that last, goes on when' \
        'spins_beside(lock[1]=0, total[1]=0)' --global 32 --local 32
    endless 'atomic_add(flag, 0)' 'item 0 waits at a barrier that these do not reach' \
        'spins_before_barrier(flag[1]=0)' --global 64 --local 64
    endless 'while (flag[0] == 0)' '' 'spins_alone(flag[1]=0)' --global 64 --local 64
    endless 'while (flag[0] == 0)' '' 'spins_alone(flag[1]=0)' --global 32 --local 32 --order last
    endless 'for (;;) /* idle */' '' 'spins_idle(out[64])' --global 64 --local 64
    endless 'while (n)' '' 'spins_on_argument(out[64]=1, n=1)' --global 64 --local 64
    [ "$SECONDS" -lt 30 ] # a loop that is not proven takes up to a minute each
    silent 'waits_for_warp_before(flag[1]=0, out[64])' --global 64 --local 64
    silent 'counts_in_memory(count[1]=0)' --global 32 --local 32
}

# names LINE_TEXT WORDS : the report has a line of the source with these words before it.
names() {
    [[ $output == *$'\n'"  line $(printf '%-4s' "$(line_of "$1")") $2 "* ]]
}

@test "verdicts: of a lock that is never released, the report names its owner" {
    endless '&locks[bin]' 'item 3, which wrote that last, goes on when these lanes of its warp' \
        'spins_by_bin(locks[4]=0, sums[4]=0)' --global 64 --local 64
    [[ $output == *"locks in global memory, bytes 12 to 15 of 16, changes no more"* ]]
    names '&locks[bin]' 'item 31 of group 0 does an atomic'
    names '&locks[bin]' 'item 3 of group 0 sets locks[3] to 1'
    endless "/* the other's */" 'item 0, which wrote that last, goes round in a loop, too' \
        'spins_crosswise(locks[2]=0)' --global 64 --local 64
    names '/* the own one */' 'item 0 of group 0 sets locks[0] to 1'
    names "/* the other's */" 'item 0 of group 0 does an atomic'
    endless '/* the second time */' 'item 0, which wrote that last, waits for itself' \
        'spins_for_itself(lock[1]=0, total[1]=0)' --global 32 --local 32
    names '/* the first time */' 'item 0 of group 0 sets lock[0] to 1'
    endless '/* kept */' 'item 0 of group 0, which wrote that last, has ended' \
        'spins_for_the_dead(lock[1]=0, total[1]=0)' --global 64 --local 64
    names '/* kept */' 'item 0 of group 0 sets lock[0] to 7'
    endless '/* kept */' 'item 0 of group 0, which wrote that last, has ended' \
        'spins_for_the_dead(lock[1]=0, total[1]=0)' --global 64 --local 32
    names '/* kept */' 'item 0 of group 1 does an atomic'
    endless '/* all groups */' 'it waits for another group' \
        'spins_for_all_groups(count[1]=0, out[64])' --global 64 --local 32
    names 'atomic_inc(count)' 'item 0 of group 0 sets count[0] to 1'
    silent 'spins_for_all_groups(count[1]=0, out[32])' --global 32 --local 32
    endless '(&lock, 0, 1)' 'item 0, which wrote that last, goes on when these lanes of its warp' \
        'takes_turns(total[1]=0)' --global 64 --local 64 --lanes 64
    for lanes in 4 32; do
        silent 'takes_turns(total[1]=0)' --global 256 --local 128 --lanes "$lanes"
        silent 'takes_it_in_the_loop(lock[1]=0, total[1]=0)' --global 256 --local 128 --lanes "$lanes"
    done
}

@test "verdicts: in a program such a group is a mistake, or ends the program" {
    launcher
    local file=$BATS_TEST_TMPDIR/spins.cl
    sed -n '/^kernel void spins_in_warp(/,/^}/p' "$ROOT/tests/lens/verdicts.cl" > "$file"
    run -1 timeout 60 lens --quiet --races "$launch" "$file" spins_in_warp 32 32 z1 z1
    [[ $output == *"error: spins_in_warp: endless loop: lock in global memory"* ]]
    [[ $output != *"no mistake found"* ]]
    run -77 timeout 60 lens --quiet --give-up "$launch" "$file" spins_in_warp 32 32 z1 z1
    [[ $output == *"note: spins_in_warp: it never ends: "*"still at work  while (atomic_cmpxchg"* ]]
    [[ $output == *"Of 1 launch only the beginning was counted."* ]]
}

@test "verdicts: groups may run one after the other, in any order" {
    for groups in 2 3 8; do
        endless 'atomic_or(&done[group - 1]' 'it waits for another group' \
            "waits_for_group_before(done[$groups]=0)" --global $((32 * groups)) --local 32
        silent "waits_for_number_before(done[$((groups + 1))]=0)" --global $((32 * groups)) --local 32
    done
    [[ $output != *"order   last"* ]]
}

@test "verdicts: of a kernel that was not seen to its end, that comes first" {
    local call=('spins_and_counts(flag[1]=0, out[32])' --global 32 --local 32)
    looked 77 "${call[@]}"
    [[ $output == *"note: spins_and_counts: step limit exceeded: after 67108864 steps of one group "* ]]
    [[ $output == *$'\n'"  line "*" still at work  while (flag[0] == 0)"* ]]
    [[ $output != *$'\n'"no mistake found"* ]]
    local file=$ROOT/tests/lens/verdicts.cl
    run -0 lens kernel "$file" 'spins_in_warp(lock[1]=0, total[1]=0)' --global 32 --local 32
    [[ $output == *"note: spins_in_warp: it never ends: "*"still at work  while (atomic_cmpxchg"* ]]
    [[ $output == *"Of 1 launch only the beginning was counted."* ]]
    run -77 lens kernel "$file" 'spins_in_warp(lock[1]=0, total[1]=0)' --global 32 --local 32 --give-up
    [[ $output == *"it never ends"* ]]
}

@test "verdicts: a small launch is replayed in a second order, which is said where it matters" {
    finds 'fences_other_memory: data race: places in local memory' '= places[item]' \
        'fences_other_memory(out[64])' --global 64 --local 64
    [[ $output == *"  order   last, the second that was tried"*"  times   64"* ]]
    [ "$(grep -c '^error: ' <<< "$output")" = 1 ]
    silent 'fences_this_memory(out[64])' --global 64 --local 64 --check
    [[ $output == *"out[64]: 0 1 2 3 4 5 6 7 "* ]] # what the usual order leaves
    silent 'fences_other_memory(out[64])' --global 64 --local 64 --order turns
}

@test "verdicts: two barriers are two, also on one line, or in a function that is called twice" {
    finds 'two_on_one_line: barrier divergence: work-items of the group wait at different barriers' \
        'if (item < 32) barrier' two_on_one_line --global 64 --local 64
    looked 1 two_calls --global 64 --local 64
    [[ $status -eq 1 && $output == *"wait at different barriers"* ]]
    silent one_barrier_often --global 64 --local 64
}

@test "verdicts: a barrier that lacks a flag is said to lack it" {
    finds 'fences_nothing: data race: t in local memory' 't[63 - item]' fences_nothing --global 64 --local 64
    [[ $output == *"  line $(line_of 'barrier(0)') "*"is the barrier between them"* ]]
    [[ $output == *"lacks the fence flag of this memory, CLK_LOCAL_MEM_FENCE"* ]]
    looked 1 'fences_local_alone(t[64], out[64])' --global 64 --local 64
    [[ $output == *"lacks the fence flag of this memory, CLK_GLOBAL_MEM_FENCE"* ]]
    [[ $output != *"put a barrier"* ]]
}

@test "verdicts: a race within one warp is said to be that" {
    finds 'sums_in_warp: data race: part in local memory' 'part[lane + 16]' sums_in_warp --global 32 --local 32
    [[ $output == *"  warp    both are in one warp: this can be right only where its 32 lanes move in lockstep"* ]]
    [[ $output == *sub_group_barrier* && $output == *sub_group_reduce_add* ]]
    looked 1 sums_in_warp --global 32 --local 32 --lanes 8
    [[ $output == *"error: sums_in_warp: data race"* && $output != *"  warp "* ]]
    looked 1 fences_nothing --global 64 --local 64
    [[ $output != *"  warp "* ]]
}

@test "verdicts: one missing barrier is one report, and --all shows what it folds" {
    looked 1 lacks_one_barrier --global 64 --local 64
    [ "$(grep -c '^error: ' <<< "$output")" = 1 ]
    [[ $output == *"  also    9 more of this memory between the same barriers"* ]]
    looked 1 lacks_one_barrier --global 64 --local 64 --all
    [ "$(grep -c '^error: ' <<< "$output")" = 10 ]
    looked 1 lacks_two_barriers --global 64 --local 64
    [ "$(grep -c '^error: ' <<< "$output")" = 2 ]
}

@test "verdicts: a value that must be the same is a note, be it written or read back" {
    looked 0 'reads_own_constant(x[65])' --global 64 --local 64
    [ "$(grep -c '^note: reads_own_constant: data race' <<< "$output")" = 2 ]
    [[ $output == *"it reads what it has written itself, as all do"* && $output == *"no mistake found"* ]]
    looked 1 'reads_own_constant(x[65])' --global 64 --local 64 --strict
    looked 1 reads_others_constant --global 64 --local 64
    looked 0 'seeds(in[2], out[128])' --global 128 --local 64
    [[ $output == *"note: seeds: data race: seed in local memory"*"no mistake found"* ]]
    looked 1 'seeds_for_all(in[2], out[1])' --global 128 --local 64
    [[ $output == *"error: seeds_for_all: data race: out in global memory"* ]]
}

@test "verdicts: a group that few devices have is said to be one, and what it needs" {
    looked 0 wide --global 2048 --local 1024
    [[ $output == *"note: wide: a group has 1024 work-items and 200000 bytes of local memory"* ]]
    [[ $output == *"OpenCL promises 32768 bytes"*"no mistake found in 1 launch" ]]
    looked 0 wide --global 4096 --local 2048 --strict
    [[ $output == *"note: wide: a group has 2048 work-items and "* ]]
    silent 'takes_local(x[64], part[8192])' --global 64 --local 64 # wide's array is not its own
    looked 0 'takes_local(x[64], part[8193])' --global 64 --local 64
    [[ $output == *"note: takes_local: a group has 64 work-items and 32772 bytes of local memory"* ]]
    run -0 lens kernel "$ROOT/tests/lens/verdicts.cl" wide --global 2048 --local 1024
    [[ $output == *"200000 bytes of local memory"*"1024"*"The model: "* ]]
    looked 1 'takes_local(x[64], part[268435456])' --global 64 --local 64
    [[ $output == *"error: takes_local: too much local memory: a group needs 1073741824 bytes"* ]]
    launcher
    echo 'kernel void mid(global int *x) {
        local int part[9000];
        part[get_local_id(0)] = x[get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        x[get_global_id(0)] = part[63 - get_local_id(0)];
    }' > "$BATS_TEST_TMPDIR/mid.cl"
    run -0 lens --quiet --races "$launch" "$BATS_TEST_TMPDIR/mid.cl" mid 64 64 z64
    [[ $output == *"note: mid: a group has 64 work-items and 36000 bytes of local memory"* ]]
    [[ $output =~ "  device  this one has "[0-9]+" bytes, and here groups of "[0-9]+ ]]
}

@test "verdicts: a private variable that one way does not set is found where it is used" {
    local call=(--global 64 --local 64) what='uninitialised read: a private variable'
    finds "unset_in_branch: $what" 'out[item] = mark;' 'unset_in_branch(out[64], limit=100)' "${call[@]}"
    [[ $output == *"times   64"* ]]
    finds "unset_in_branch: $what" 'out[item] = mark;' 'unset_in_branch(out[64], limit=1)' "${call[@]}"
    [[ $output != *"times   "* ]]
    silent 'unset_in_branch(out[64], limit=0)' "${call[@]}"
    finds "unset_in_sum: $what" '3 * mark' 'unset_in_sum(out[64], limit=7)' "${call[@]}"
    [[ $output == *"times   7"* ]]
    finds "unset_in_loop: $what" '= best;' 'unset_in_loop(in[9]=1, out[64], n=9)' "${call[@]}"
    silent 'unset_in_loop(in[9]=(1,3,1), out[64], n=9)' "${call[@]}"
    finds "unset_decides: $what" 'if (mark > 7)' 'unset_decides(out[64], limit=9)' "${call[@]}"
    looked 1 'unset_switch(out[64], limit=9)' "${call[@]}"
    [[ $output == *"error: unset_switch: $what"*"  times   9"* ]]
    finds "unset_index: $what" 'place & 63' 'unset_index(out[64], limit=9)' "${call[@]}"
    # A constant that has the pattern's bits is none.
    echo 'kernel void mask(global uint *x) { x[get_global_id(0)] = 0xAAAAAAAA; }' > "$BATS_TEST_TMPDIR/mask.cl"
    run -0 lens kernel --races "$BATS_TEST_TMPDIR/mask.cl" "${call[@]}"
    for limit in 0 1 63 64; do
        silent "sets_what_it_uses(out[64], pairs[512], limit=$limit)" "${call[@]}"
    done
}

@test "verdicts: a vector must lie where its type must, also if one component is used" {
    finds 'second_of_four: unaligned access: p in global memory, bytes 4 to 19 of 1040' '= four[i].y' \
        'second_of_four(p[260], out[64])' --global 64 --local 64
    [[ $output == *"  align   to 4 bytes; the type needs 16"* ]]
    finds 'sets_second_of_four: unaligned access: p in global memory, ' 'four[i].y = i' \
        'sets_second_of_four(p[260])' --global 64 --local 64
    silent 'components(p[64], q[260], out[64])' --global 64 --local 64
    silent component_of_local --global 64 --local 64
}

@test "verdicts: a native function of a large angle is noted, and is no mistake" {
    looked 0 'waves(out[64], far=2)' --global 64 --local 64 --strict
    [[ $output == *"note: waves: native function of a large angle: 102;"* ]]
    [[ $output == *"  line $(line_of 'native_sin(far') "*"  times   13"*"no mistake found in 1 launch" ]]
    silent 'waves(out[64], far=1.5)' --global 64 --local 64
    looked 0 'waves_of_two(out[64], far=1)' --global 64 --local 64
    [[ $output == *"note: waves_of_two: native function of a large angle: 102;"* ]]
}
