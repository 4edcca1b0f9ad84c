load helper.bash

# What the lens once was silent about, or wrong about.  The kernels lie in
# tests/lens/verdicts.cl.

# looked STATUS CALL OPTIONS ... : the lens looks for mistakes in a kernel, without a driver.
looked() {
    run env OCL_ICD_VENDORS=/nowhere timeout 60 lens kernel --races \
        "$ROOT/tests/lens/verdicts.cl" "${@:2}"
    echo "$output"
    [ "$status" -eq "$1" ]
}

# at TEXT : the number of the line in the kernel file that has this text.
at() {
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
    [[ $output == *$'\n'"  line $(at "$2") "* ]]
    [[ $output == *"  hint    "* ]]
}

@test "verdicts: buffers of half, size_t, enum and vectors of three have elements, not bytes" {
    silent 'halves(in[32]=0.1, out[32])' --global 32 --check
    [[ $output == *"out[32]: 0.0999756 "* || $output == *"out[32]: 0.099975586 "* ]]
    finds 'halves: out-of-bounds access: in in global memory, bytes 64 to 65 of 64' 'vload_half(i, in)' \
        'halves(in[32], out[33])' --global 33 --local 33
    silent 'types(h[32], u[32], s[32], d[32], c[32], l[32])' --global 32 --check
    [[ $output == *"h[32]: 0 0.099975586 -2 65504 1 0.099975586 -2 65504 "* ]]
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
