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
