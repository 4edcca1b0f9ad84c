load helper.bash

# What the lens takes as legal OpenCL C, and what it refuses: built-ins and their overloads,
# names, half arithmetic.

# calls_made : here are calls.cl, every 211th call (all of them take minutes), clang.log, what
# clang says of them by itself, and lens.log, with the lens's own built-ins.  Once for this file.
calls_made() {
    command -v python3 || skip "no Python, which writes the calls"
    newest_clang
    local options=(-x cl -cl-std=CL1.2 -Xclang -cl-ext=+all)
    local strict=(-fsyntax-only -ferror-limit=0 -fno-caret-diagnostics -fshow-overloads=best
        -fmacro-backtrace-limit=1 -Wno-everything -Wincompatible-pointer-types
        -Wincompatible-pointer-types-discards-qualifiers -Wpointer-sign)
    cd "$BATS_FILE_TMPDIR"
    [ ! -e lens.log ] || return 0
    "$CLANG" "${options[@]}" -E -P -include "$HEADER" - < /dev/null |
        python3 "$ROOT/tests/lens/calls.py" write 211 > calls.cl
    run -1 "$CLANG" "${options[@]}" "${strict[@]}" calls.cl
    echo "$output" > clang.log
    run -1 "$CLANG" "${options[@]}" "${strict[@]}" -include "$ROOT/common/lens/code/builtins.cl" calls.cl
    echo "$output" > lens.log
}

@test "built-ins: of all calls, the lens takes those that clang's own declarations take" {
    calls_made
    run -0 python3 "$ROOT/tests/lens/calls.py" compare calls.cl clang.log lens.log
    echo "$output"
    [[ ${lines[0]} =~ ^([0-9]+)\ legal,\ ([0-9]+)\ refused$ ]]
    [ "${BASH_REMATCH[1]}" -gt 200 ] && [ "${BASH_REMATCH[2]}" -gt 800 ]
    [ "${#lines[@]}" -eq 1 ]
}

@test "built-ins: legal calls of scalars beside vectors give the device's results" {
    local kernels=() number
    calls_made
    whole_pocl
    quickly
    python3 "$ROOT/tests/lens/calls.py" prove calls.cl clang.log > prove.cl
    for ((number = 0; number < $(grep -c '^.*kernel void' prove.cl); number++)); do
        kernels+=(, prove_$number 64 64 z131072)
    done
    run -0 lens --compare --quiet "$BATS_FILE_TMPDIR/launch" prove.cl "${kernels[@]:1}"
    [[ $output == *"the replay's results are the device's"* ]]
}

@test "built-ins: an ambiguous call is refused by its name, a scalar beside a vector is not" {
    cd "$BATS_TEST_TMPDIR"
    kernel narrow.cl 'kernel void narrow(global uint *o) { o[0] = min((uchar)100, 300); }'
    run ! lens kernel --check narrow.cl
    [[ $output == *"narrow.cl:1:"*"error: call to 'min' is ambiguous"* ]]
    kernel lift.cl 'kernel void lift(global float4 *o, float floor) {
        int i = get_global_id(0);
        o[i] = min(5.0f, max(floor, o[i]));
        o[i] = clamp(2.5f, o[i], (float4)9) + mad(o[i], 1.0f, (float4)1);
    }'
    run -0 lens kernel --check lift.cl 'lift(o[2]=(0,1,2,3,4,5,6,7), floor=2)' --global 2
    [[ $output == *'o[2]: 5.5 5.5 5.5 7 9 11 11 11'* ]]
}

@test "names: what a file only declares is refused by name, and nothing stands in for it" {
    cd "$BATS_TEST_TMPDIR"
    kernel unknown.cl 'int random(void); void exit(int); extern constant int environ;
kernel void draws(global int *x) { x[get_global_id(0)] = random(); }
kernel void leaves(global int *x) { if (x[0] == 0) exit(3); }
kernel void asks(global int *x) { x[0] = environ; }
kernel void knows(global float *x) { x[0] = pow(sin(x[0]), 2) + fmax(x[1], 1); }'
    says 77 'draws cannot be looked at: it calls random, which the lens does not know' lens kernel --check unknown.cl draws
    says 77 'leaves cannot be looked at: it calls exit, which the lens does not know' lens kernel --check unknown.cl leaves
    says 77 'asks cannot be looked at: it uses environ, which the file only declares' lens kernel --check unknown.cl asks
    run -0 lens kernel --check unknown.cl 'knows(x[2]=0)' --global 1
    [[ $output == *'x[2]: 1 0'* ]]
}

@test "names: letters beyond ASCII are shown as written, and can be given" {
    cd "$BATS_TEST_TMPDIR"
    kernel größe.cl 'kernel void straße(global int *größe, int länge) {
    local int fläche[64];
    fläche[get_local_id(0)] = länge;
    größe[get_global_id(0)] = fläche[get_local_id(0) ^ 1];
}'
    run -1 lens kernel --races größe.cl 'straße(größe[länge]=3, länge=64)' --global 64
    [[ $output == *'launch   straße(größe[64]=3, länge=64) --global 64 --local 64'* ]]
    [[ $output == *'error: straße: data race: fläche in local memory'* ]]
    says 2 'straße has no argument große' lens kernel größe.cl 'straße(große=1)'
}

@test "names: the mark of UTF-8 in front of a kernel file is skipped, alone and in a program" {
    cd "$BATS_TEST_TMPDIR"
    printf '\xef\xbb\xbfkernel void k(global int *x) {\n    x[get_global_id(0)] = 1;\n}\n' > marked.cl
    run -0 lens kernel --check marked.cl
    [[ $output == *'x[1024]: 1 1 1 '* ]]
    run -0 lens --quiet --all "$BATS_FILE_TMPDIR/launch" marked.cl k 64 64 z64
    [[ $output == *'     2  '*'x[get_global_id(0)] = 1;'* ]]
}

# half_kernel TEXT CALL OPTION ... : what lens kernel --check says of a kernel of half.cl.
half_kernel() {
    run -0 lens kernel --check "$ROOT/tests/lens/half.cl" "${@:2}"
    [[ $output == *"$1"* ]] || { echo "$output"; return 1; }
}

@test "half: all of them convert both ways, and are rounded to the nearest, ties to even" {
    half_kernel $'right[1]: 65536\n' 'there_and_back(bits[65536], right[1]=0)' --global 65536
    half_kernel $'right[1]: 63486\n' 'rounds(right[1]=0)' --global 65536
    half_kernel 'out[8]: 65504 inf -inf 0 5.9604645e-08 65504 5.9604645e-08 2' 'limits(out[8])' --global 1
}

@test "half: kernels of other libraries run, with halves by value and in buffers" {
    half_kernel 'y[8]: 4.5 8 6.5 6.5 4.5 8 8 6.5' \
        'axpy(y[8]=(1,2,3,4,1,2,3,4), x[2]=(2,4,0,-2,2,4,4,-2), alpha=0.5, n=2)' --global 2
    half_kernel 'y[4]: 2 2 2 2' 'norm(x[4]=1, y[4], n=4)' --global 4
    # A file without the extension's pragma has all other conversions.
    kernel plain.cl 'kernel void k(global int *x) { x[0] = convert_int_rte(2.5f) + convert_int_sat(3.5); }'
    run -0 lens kernel --check "$BATS_TEST_TMPDIR/plain.cl" 'k(x[1])' --global 1
    [[ $output == *'x[1]: 5'* ]]
}
