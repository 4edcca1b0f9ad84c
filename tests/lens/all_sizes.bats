load helper.bash

# A kernel at all sizes.

# all_sizes CALL OPTIONS ... : a kernel of tests/lens/sizes.cl at all sizes; warps have 32
# lanes, and groups two warps, unless OPTIONS say something else.
all_sizes() {
    run env OCL_ICD_VENDORS=/nowhere lens kernel tests/lens/sizes.cl "$1" --all-sizes \
        --local 64 --lanes 32 "${@:2}"
    echo "$output"
}

# shows_alone TEXT : the command in $output shows the same mistake, with this text.
shows_alone() {
    local command mistake
    command=$(grep -A1 '^To see it alone:' <<< "$output" | tail -n 1)
    [[ $command == *"$1"* ]]
    mistake=$(eval "$command" | grep '^error: ')
    [[ -n $mistake && $output == *"$mistake"* ]]
}

@test "all sizes: a right kernel has no mistake in any case" {
    all_sizes right_tree --local 3
    [ "$status" -eq 0 ]
    [[ $output == *'t[local]'* && $output == *' in 894 cases '*'n from 1 to 300; groups of 3;'* ]]
    run -0 lens kernel tests/lens/sizes.cl no_size --all-sizes --order last
    [[ $output == *'groups of 1, 3, 32, 64, 100, 128, 256'*'warps of 4, 8, 16, 32, 64 lanes'* ]]
    all_sizes places # and is said to have other results
    [ "$status" -eq 0 ]
    [[ $output == *'  note    the result depends on the order of warps: places[0] is 0 with --order '*'(n=33, '* ]]
}

@test "all sizes: the smallest case with a mistake, and the command that shows it" {
    all_sizes off_by_one --local 4
    [[ $status -eq 1 && $output == *'fails: n=1, --global 4 --local 4;'*'x[n] was guessed'* ]]
    shows_alone "off_by_one(x[1]=random, y[1]=0, n=1)' --global 4 --local 4"
    run lens kernel tests/lens/sizes.cl 'far_neighbour' --all-sizes
    [[ $status -eq 1 && $output == *'fails: n=33, --global 33 --local 1;'*'bytes 132 to 135 of 132'* ]]
    shows_alone 'x[33]=random'
    run lens kernel tests/lens/sizes.cl 'far_neighbour(x[2*(n+1)/2])' --all-sizes --local 64
    [ "$status" -eq 0 ]
    run lens kernel tests/lens/sizes.cl one_warp --all-sizes
    [[ $status -eq 1 && $output == *'data race: t in local memory'* ]]
    shows_alone '--local 32 --lanes 16'
    all_sizes neighbour
    [[ $status -eq 1 && $output == *'n=1,'*'uninitialised read: t in local memory'* ]]
    all_sizes late_reader --order turns
    [ "$status" -eq 0 ]
    all_sizes late_reader
    [[ $status -eq 1 && $output == *'data race: number in local memory'* ]]
    shows_alone '--order last'
}

@test "all sizes: a result that is not that of --ours, and the command that shows it" {
    local ours=tests/lens/sizes.cl wrong=$BATS_TEST_TMPDIR/wrong.cl
    all_sizes right_tree --ours $ours --local 3
    [[ $status -eq 0 && $output == *$',\nand in each the results are those of tests/lens/sizes.cl:\n'* ]]
    sed '/void right_tree/,/^}/s/= t\[0\]/= t[0] + (n == 200)/' $ours > "$wrong"
    right_tree() {
        run lens kernel "$wrong" 'right_tree(x[n]=1..2)' --all-sizes --local 64 --ours $ours "$@"
        echo "$output"
    }
    right_tree
    [[ $status -eq 1 && $output == *'fails: n=200, --global 256 --local 64;'* ]]
    [[ $output == *$'\nright_tree (n=200): sums[0] is '*', ours has '*' of group 0, lane 0, wrote it'* ]]
    run -0 eval "$(tail -n 1 <<< "$output")"
    [[ $output == *$'\nsums[200]: '* ]]
    right_tree --quick --total sums
    [[ $status -eq 1 && $output == *' (n=200): the sum of sums is '*', ours has '* ]]
    right_tree --format json --quick
    python3 -c '
import json, sys
rows = [json.loads(line) for line in sys.stdin if line.startswith("{")]
assert [row["row"] for row in rows] == ["difference", "reads", "verdict"], rows
assert rows[0]["arguments"] == "n=200" and rows[0]["name"] == "sums"
assert rows[1]["kind"] == "read as in ours" and rows[1]["name"] == "x"
assert rows[2]["verdict"] == "difference found"' <<< "$output"
    # Another work-item leaves the same: of a total that is no difference.
    sed '/void right_tree/,/^}/s/sums\[get_group_id(0)\]/sums[get_num_groups(0) - 1 - get_group_id(0)]/' \
        $ours > "$wrong"
    right_tree --quick
    [[ $status -eq 1 && $output == *' (n=65): sums[0] is '* ]]
    right_tree --quick --total sums
    [[ $status -eq 0 && $output == *'one of these for each size and group, by turns: --quick'* ]]
}

@test "all sizes: ours must be right, and have the same arguments" {
    local ours=tests/lens/sizes.cl other=$BATS_TEST_TMPDIR/other.cl
    sed 's/<= n/< n/' $ours > "$other"
    says 2 'off_by_one of tests/lens/sizes.cl makes a mistake itself, where n=1' \
        lens kernel "$other" off_by_one --all-sizes --local 4 --ours $ours
    sed '/void off_by_one/s/uint n/ulong n/' $ours > "$other"
    says 2 'has other arguments' lens kernel "$other" off_by_one --all-sizes --ours $ours
    says 2 'has no kernel right_tree' lens kernel $ours right_tree --all-sizes --ours tests/lens/counts.cl
    says 2 '--ours is not possible here' lens kernel $ours right_tree --ours $ours
    says 2 '--quick is not possible here' lens kernel $ours right_tree --quick
    says 2 '--total needs --ours FILE' lens kernel $ours right_tree --all-sizes --total sums
    says 2 '--total is not possible here' lens --total sums true
}

@test "all sizes: what is no size, or does not end, is said" {
    local file=tests/lens/sizes.cl
    all_sizes waits
    [[ $status -eq 77 && $output == *'waits takes more than '*' steps: n=1; '*'--order first'* ]]
    says 2 'which argument is the size?' lens kernel -DCOUNT=1 "$file" two_sizes --all-sizes
    says 2 'several arguments are named' lens kernel "$file" 'two_sizes(width, height)' --all-sizes
    run -0 lens kernel "$file" 'two_sizes(y[width*height], width, height=width/2+1)' \
        --global width,height --local 8,4 --lanes 64 --order last --all-sizes
    says 2 "cannot have the size 'm'" lens kernel "$file" 'off_by_one(x[m])' --all-sizes
    says 2 "n cannot be 'm'" lens kernel "$file" 'off_by_one(n=m)' --all-sizes
    says 2 '--global cannot be' lens kernel "$file" off_by_one --global n+ --all-sizes
    says 2 'not possible here' lens kernel "$file" off_by_one --check --all-sizes
    says 2 'not possible here' lens --all-sizes true
    alone 'wide(in[3*items-2])' --races
    [[ $status -eq 0 && $output == *'in[3070]=random'* ]]
}
