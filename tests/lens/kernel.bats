load helper.bash

# A kernel without a program.

setup_file() {
    begin
    [ -z "${SKIP_FILE:-}" ] || return 0
    report drawn --svg "$BATS_FILE_TMPDIR/drawn.svg" -- coalesced 64 64 f64 f64
}

@test "kernel: computes what it should, of values that are given" {
    alone 'product(a=index, b=(1))' --global 64,64 --local 16,4 --check
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = 'launch   product(a[4096]=index, b[4096]=(1), c[4096]=0, n=64) --global 64,64 --local 16,4' ]
    [ "${lines[1]}" = 'guessed  a[4096]=index b[4096]=(1) c[4096]=0 n=64' ]
    [ "${lines[2]}" = 'c[4096]: 2016 2016 2016 2016 2016 2016 2016 2016 ...' ] # 0 + 1 ... + 63
    grep -qE '^product +2 +1 +32\.0 +none$' <<< "$output"

    alone 'types(v = (1, 2, 3, 4), two=2, half_of=5e-1, minus=-3, large=0xffffffffffff)' \
        --global 4 --local 2 --check
    [[ $output == *$'\nout[4]: 18.5 18.5 18.5 18.5\n'* ]]
    [[ $output == *$'\ncopy[4]: 281474976710655 2814'* ]]
    alone 'types(v = (1, 2, 3, 4), two=2, half_of=5e-1, minus=-3)' --global 4 --local 2 --kernel types
    [[ $output == *$'\ntypes ('*'v=(1,2,3,4) '*'minus=-3'*'), 4 items'* ]]

    printf '\1\0\0\0\2\0\0\0\3\0\0\0' > "$BATS_TEST_TMPDIR/raw" # little-endian
    alone "wide(in=file:$BATS_TEST_TMPDIR/raw)" --global 1 --check
    [[ $output == *'in[3]=file:'*$'\nout[1]: 1\n'* ]]
    alone 'wide(in[6]=(7,8,9,10), out=unset)' --global 2 --check
    [[ $output == *$'\nout[2]: 7 10\n'* ]]
    alone 'wide(in=5..5)' --global 2 --check
    [[ $output == *$'\nout[2]: 5 5\n'* ]]
}

@test "kernel: what is not given is guessed, said, and enough" {
    alone wide # 1024 work-items; an element for each is too few
    [ "$status" -eq 0 ]
    [ "${lines[1]}" = 'guessed  in[4096]=random out[1024]=0 --global 1024 --local 256' ]
    grep -qE '^wide +12 +4 +32\.0$' <<< "$output"
    alone 'tree(x=1)' --global 192,1 --check # 16 is the largest group up to 16
    [[ $output == *'part[16]'*'--local 16,1'*$'\nsums[192]: 16 16 16 16 16 16 16 16 ...'* ]]
    alone shaped # its groups, four in each dimension
    [[ $output == *'--global 32,16 --local 8,4'* ]]
    run -0 lens kernel "$ROOT/kernels/step01_dot_single.cl" --quiet # the only one there
    [[ $output == *dot_single* ]]
    # An array says how large groups may be, and a kernel in how many dimensions it is.
    run -0 lens kernel "$ROOT/kernels/step08_sum_accuracy.cl" sum_blocked
    [[ $output == *" --local 32"$'\n         (larger groups leave an array: --local gives'* ]]
    run -0 lens kernel "$ROOT/kernels/step13b_transpose.cl" transpose_local --table
    [[ $output == *" --global 64,64 --local 16,16"* && $output != *"larger groups"* ]]
    alone 'tree(part=64)' # of 256 work-items
    [[ $output == *"out-of-bounds"*$'\n  hint    what is guessed may not suit the kernel: --local sets its groups'* ]]
}

@test "kernel: images have a texel for each work-item, of numbers as the kernel reads them" {
    run -0 lens kernel tests/lens/images.cl 'write_ui(in=index)' --global 8,4 --check
    [[ $output == 'launch   write_ui(to[8x4]=0, in[32]=index) '*$'\nto[32]: 0 0 0 0 1 1 1 1 2 2 2 2 '* ]]
    run -0 lens kernel tests/lens/images.cl \
        'read_f(src[16x8]=(1, 2, 3, 4), how=(linear,repeat,normalized))' --global 64 --check
    [[ $output == *'how=(linear,repeat,normalized)'*$'\nout[256]: 4 5 6 7 4 5 6 7 '* ]]
}

@test "kernel: the same counts as of a program's launch, and the same pictures" {
    run -0 lens kernel tests/lens/counts.cl 'coalesced(in[64], out[64])' --global 64 --local 64 \
        --format json --svg "$BATS_TEST_TMPDIR/one.svg"
    diff <(grep '^{' <<< "$output" | sed 's|tests/lens/counts.cl|kernel.cl|') \
        "$BATS_FILE_TMPDIR/drawn.json"
    cmp "$BATS_TEST_TMPDIR/one.svg" "$BATS_FILE_TMPDIR/drawn.svg"
}

@test "kernel: --races finds races, accesses outside, uninitialised reads" {
    alone 'scatter(places=index)' --races
    [ "$status" -eq 0 ]
    [[ $output == *'no mistake found in 1 launch'* ]]
    alone 'scatter(places=0..9)' --races
    [ "$status" -eq 1 ]
    [[ $output == *'error: scatter: data race: out in global memory'* ]]
    alone 'wide(in[3070])' --races # the last that is read is 3 * 1023 = 3069
    [ "$status" -eq 0 ]
    alone 'wide(in[3069])' --races
    [ "$status" -eq 1 ]
    [[ $output == *'in in global memory, bytes 12276 to 12279 of 12276'* ]]
    alone 'wide(in=unset)' --races
    [[ $status -eq 1 && $output == *'uninitialised read: in'* ]]
    alone 'tree(part=64)' # bytes of local memory
    [[ $status -eq 1 && $output == *'part in local memory, bytes 64 to 67 of 64'* ]]
}

@test "kernel: docs/cllens.md shows what its first example prints" {
    local call=(kernels/step05_dot_strided.cl 'dot_contiguous(x=random, y=1, n=65536)' --global 4096)
    run -0 lens kernel --all "${call[@]}"
    [[ $output == *'compiled by clang 15' ]] || skip "another clang than the page's"
    run -0 lens kernel "${call[@]}"
    [[ $(< docs/cllens.md) == *"${output%%$'\n\nEvery load'*}"* ]]
}

# What cannot be read, and a value that a type does not hold, is in unit/calls.c.
@test "kernel: a wrong call is an error with a hint" {
    local file=tests/lens/alone.cl call
    for call in 'nothing' 'wide(n=1)' 'wide(in=much)' 'wide(in[x])' 'wide(in=1' 'product(n=random)' \
        'product(n=-1)' 'product(n[4]=1)' 'wide(in[1000000000000])'; do
        says 2 'error: ' lens kernel -DCOUNT=1 "$file" "$call"
    done
    says 2 'several kernels' lens kernel -DCOUNT=1 "$file"
    says 2 'does not compile' lens kernel "$file" wide
    says 2 'one word too many' lens kernel "$file" wide wide
    says 2 'cannot read /nowhere' lens kernel /nowhere
    says 2 'no kernel file' lens kernel
    says 2 'no multiple' lens kernel -DCOUNT=1 "$file" wide --global 100 --local 64
    says 2 'requires groups of 8 by 4' lens kernel -DCOUNT=1 "$file" shaped --local 8
    says 2 'not possible here' lens kernel --ours "$file" "$file"
    says 2 'not possible here' lens --global 64 true
    says 77 'several samples' lens kernel -DCOUNT=1 "$file" depth # an image of depth
    says 2 'give 2 numbers' lens kernel tests/lens/images.cl 'copy_texels(src[64])'
    says 2 'it is a sampler' lens kernel tests/lens/images.cl 'read_f(how=linea)'
}
