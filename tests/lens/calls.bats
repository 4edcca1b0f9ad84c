load helper.bash

# The arguments of a kernel without a program, and what it prints.

@test "printf: what a kernel prints is shown in OpenCL's formats, once, and below the launch" {
    run -0 lens kernel --check "$ROOT/tests/lens/prints.cl" 'talks(x[4], f=1.5)' --global 4
    [[ $output == *$'\n\nprinted\nitem 3 of 4,  1.50|-7    |0000ff|A|%|0x10|44\n'* ]]
    [[ $output == *$'\ntext 1.000000,2.000000,3.000000,4.000000 1.500000,1.500000 -1,5 1,2,3,4,ff,6,7,8 -1,2,3 0.25,0.50 1,2\n'* ]]
    [[ $output == *$'\n3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3|(?) (?)\n\nx[4]: 1 1 1 1\n'* ]]
    # The size of x is guessed, so that the kernel is replayed several times.
    kernel grows.cl 'kernel void grows(global int *x) { printf("once\n"); x[5000] = 1; }'
    run -0 lens kernel "$BATS_TEST_TMPDIR/grows.cl" --global 1
    [ "$(grep -cx once <<< "$output")" -eq 1 ]
}

@test "printf: lines come in the order of the replay, are bounded, and leave rows alone" {
    run -0 lens kernel --lanes 4 "$ROOT/tests/lens/prints.cl" in_order --global 8 --local 8
    [[ $output == *$'\nprinted\n0\n1\n2\n3\n4\n5\n6\n7\n\n'* ]]
    run -0 lens kernel "$ROOT/tests/lens/prints.cl" floods --global 1
    [[ $output == *$'characters\n('*' more calls of printf() are not shown)'* ]]
    [ "${#output}" -lt 80000 ]
    run -0 --separate-stderr lens kernel --format tsv "$ROOT/tests/lens/prints.cl" in_order --global 4
    [[ $output != *printed* && $stderr == *$'printed\n0\n1\n2\n3'* ]]
}

@test "printf: under a program the device prints, and the lens does not print once more" {
    whole_pocl
    quickly
    run -0 lens "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/prints.cl" in_order 4 4 i4
    [ "$(grep -c '^2$' <<< "$output")" -eq 1 ]
    [[ $output != *printed* ]]
}

# given TEXT CALL OPTION ... : what lens kernel --check says of a kernel of given.cl.
given() {
    run -0 lens kernel --check "$ROOT/tests/lens/given.cl" "${@:2}"
    [[ $output == *"$1"* ]] || { echo "$output"; return 1; }
}

# refused_call TEXT CALL : it is refused, with this text; a mark stands below its place, which
# is that of the "~" in the call.
refused_call() {
    local LC_ALL=C.UTF-8 before=${2%%\~*} # a letter is one place wide
    says 2 "$1" lens kernel "$ROOT/tests/lens/given.cl" "${2/\~/}"
    [[ $stderr == *$'\n'"          ${before//?/ }^"$'\n'* ]] || { echo "$stderr"; return 1; }
}

@test "calls: a structure by value has its members in order, with those of others in it" {
    local nested='(4, 2, ((1, ((1,2),(3,4))), (7, (5,6,7,8))), (1.5,2.5,3.5), 9, 0.5, items + 11, (1,2,3))'
    local flat='(4, 2, 1, 1,2,3,4, 7, 5,6,7,8, 1.5,2.5,3.5, 9, 0.5, items + 11, 1,2,3)' by
    for by in "$nested" "$flat"; do
        given 'out[8]: 4 2 1 2 3 7 8 1.5' "first_members(out[8], by=$by)" --global 1
        given 'out[8]: 3.5 9 0.5 12 3 -1 2 1' "other_members(out[8], by=$by, p=(-1,2), m=1)" --global 1
    done
}

@test "calls: a structure by value may be guessed, have formulas, bytes, or come from a file" {
    given 'guessed  by=(8,1) ' 'scale(x[8]=3)' --global 8
    given 'x[8]: 2.5 2.5 2.5 2.5 1 1 1 1' 'scale(x[8]=1, by=(items / 2, 2.5))' --global 8
    given 'x[8]: 2 2 2 2 1 1 1 1' 'scale(x[8]=1, by:uchar=(4,0,0,0,0,0,0,0x40))' --global 8
    printf '\3\0\0\0\0\0\0\100' > "$BATS_TEST_TMPDIR/shape"
    given 'x[8]: 2 2 2 1 1 ' "scale(x[8]=1, by=file:$BATS_TEST_TMPDIR/shape)" --global 8
    run -0 lens kernel --all-sizes "$ROOT/tests/lens/given.cl" 'scale(x[n - 1]=1, by=(n - 1, 2))'
    run -1 lens kernel --all-sizes "$ROOT/tests/lens/given.cl" 'scale(x[n - 1]=1, by=(n, 2))'
    [[ $output == *out-of-bounds* ]]
    says 2 'by cannot be (64, 2, 3)' lens kernel "$ROOT/tests/lens/given.cl" 'scale(by=(64, 2, 3))'
    [[ $stderr == *'it is a struct shape, which has only 2 members'* ]]
    says 2 'by cannot be 1.5' lens kernel "$ROOT/tests/lens/given.cl" 'scale(by=(1.5, 2))'
    says 2 'by cannot be (a, 2)' lens kernel "$ROOT/tests/lens/given.cl" 'scale(by=(a, 2))'
}

@test "calls: the numbers of a buffer without a type can be given one; a buffer can be null" {
    given 'launch   sum4(raw[256]:float=1, out[64]=0) ' 'sum4(raw[256]:float=1)' --global 64
    given 'out[64]: 4 4 4 4 ' 'sum4(raw[256]:float=1, out[64])' --global 64
    given 'raw[4]: 2 4 6 8' 'double_bytes(raw[4]:float=(1, 2, 3, 4))' --global 4
    given 'b[1]: 2' 'perhaps(a=null, b[1])' --global 1
    says 2 "raw cannot hold numbers of type 'floot'" lens kernel "$ROOT/tests/lens/given.cl" 'sum4(raw:floot=1)'
    run -1 lens kernel "$ROOT/tests/lens/given.cl" 'scale(x=null)' --global 1
    [[ $output == *'out-of-bounds access: x in global memory, bytes 0 to 3 of 0'* ]]
}

# All that may be wrong with a call is in unit/calls.c.
@test "calls: what cannot be read is shown, with a mark at its place" {
    refused_call "a ')' is missing" 'straße(größe=1~'
    refused_call 'there is a control character in the call' $'scale(x~\e[31m=1)'
    [[ $stderr == *'scale(x?[31m=1)'* && $stderr != *$'\e'* ]]
}
