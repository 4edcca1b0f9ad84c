# What the lens takes as legal OpenCL C, and what it refuses: built-ins and their overloads, half
# arithmetic, the arguments of a kernel without a program, printf, names.

load helper.bash

setup_file() {
    begin
    export POCL_CACHE_DIR=$BATS_FILE_TMPDIR/pocl LENS_CACHE=$BATS_FILE_TMPDIR/cache
}

# kernel FILE TEXT : writes a kernel file into the test's folder.
kernel() {
    printf '%s\n' "$2" > "$BATS_TEST_TMPDIR/$1"
}

# calls_made EVERY : calls.cl, every EVERY-th call, clang.log, what clang says of them by itself,
# and lens.log, with the lens's own built-ins.
calls_made() {
    command -v python3 || skip "no Python, which writes the calls"
    newest_clang
    local options=(-x cl -cl-std=CL1.2 -Xclang -cl-ext=+all)
    local strict=(-fsyntax-only -ferror-limit=0 -fno-caret-diagnostics -fshow-overloads=best
        -fmacro-backtrace-limit=1 -Wno-everything -Wincompatible-pointer-types
        -Wincompatible-pointer-types-discards-qualifiers -Wpointer-sign)
    cd "$BATS_TEST_TMPDIR"
    "$CLANG" "${options[@]}" -E -P -include "$HEADER" - < /dev/null |
        python3 "$ROOT/tests/lens/calls.py" write "$1" > calls.cl
    run -1 "$CLANG" "${options[@]}" "${strict[@]}" calls.cl
    echo "$output" > clang.log
    run -1 "$CLANG" "${options[@]}" "${strict[@]}" -include "$ROOT/common/lens/builtins.cl" calls.cl
    echo "$output" > lens.log
}

@test "built-ins: of all calls, the lens takes those that clang's own declarations take" {
    calls_made 211 # 1 takes minutes
    run -0 python3 "$ROOT/tests/lens/calls.py" compare calls.cl clang.log lens.log
    echo "$output"
    [[ ${lines[0]} =~ ^([0-9]+)\ legal,\ ([0-9]+)\ refused$ ]]
    [ "${BASH_REMATCH[1]}" -gt 200 ] && [ "${BASH_REMATCH[2]}" -gt 800 ]
    [ "${#lines[@]}" -eq 1 ]
}

@test "built-ins: legal calls of scalars beside vectors give the device's results" {
    local kernels=() number
    calls_made 211
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

@test "printf: what a kernel prints is shown in OpenCL's formats, once, and below the launch" {
    run -0 lens kernel --check "$ROOT/tests/lens/prints.cl" 'talks(x[4], f=1.5)' --global 4
    [[ $output == *$'\n\nprinted\nitem 3 of 4,  1.50|-7    |0000ff|A|%|0x10|44\n'* ]]
    [[ $output == *$'\ntext 1.000000,2.000000,3.000000,4.000000 1.500000,1.500000 -1,5 1,2,3,4,ff,6,7,8 -1,2,3 0.25,0.50 1,2\n'* ]]
    [[ $output == *$'\n3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3|(?) (?)\n\nx[4]: 1 1 1 1\n'* ]]
    # The size of x is guessed, so that the kernel is replayed several times.
    kernel grows.cl 'kernel void grows(global int *x) { printf("once\n"); x[5000] = 1; }'
    run -0 lens kernel "$BATS_TEST_TMPDIR/grows.cl" --global 1
    [ "$(grep -c once <<< "$output")" -eq 1 ]
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

# fuzz LENS WORD ... : tests/fuzz/fuzz.py with these words, on a folder whose lens is this one.
fuzz() {
    command -v python3 || skip "no Python, which writes the kernels"
    mkdir -p "$BATS_TEST_TMPDIR/build"
    ln -sf "$1" "$BATS_TEST_TMPDIR/build/lens"
    whole_pocl
    quickly
    run python3 "$ROOT/tests/fuzz/fuzz.py" --build "$BATS_TEST_TMPDIR/build" "${@:2}"
}

@test "fuzz: random kernels give the device's results, and races are found where they are" {
    fuzz "$BUILT/lens" --seed 19 --count 2
    echo "$output"
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = 'random kernels from seed 19 on' ]
    [ "${lines[-1]}" = '2 kernels, 0 found' ]
    [ -z "$(find "$BATS_TEST_TMPDIR/build/fuzz" -name '*.cl')" ]
    run -0 python3 "$ROOT/tests/fuzz/generate.py" 19
    [ "$output" = "$(python3 "$ROOT/tests/fuzz/generate.py" 19)" ]
}

@test "fuzz: what does not hold is found, kept, and named with the command that repeats it" {
    printf '#!/bin/sh\necho "error: 3 words differ"\ncase "$*" in kernel*) exit 0 ;; esac\nexit 1\n' \
        > "$BATS_TEST_TMPDIR/wrong"
    chmod +x "$BATS_TEST_TMPDIR/wrong"
    fuzz "$BATS_TEST_TMPDIR/wrong" --seed 30 --count 2
    [ "$status" -eq 1 ]
    [[ $output == *'found: seed 31: with 32 lanes, results differ'$'\n'*'error: 3 words differ'$'\n'*'repeat  make fuzz SEED=31 COUNT=1'* ]]
    [[ $output == *'found: seed 30: with 32 lanes, a barrier is missing, which --races does not find'* ]]
    [ "${lines[-1]}" = '2 kernels, 4 found' ]
    [ -e "$BATS_TEST_TMPDIR/build/fuzz/kernel-31.cl" ] && [ -e "$BATS_TEST_TMPDIR/build/fuzz/dropped-30.cl" ]
    # After its time, no more are begun.
    fuzz "$BATS_TEST_TMPDIR/wrong" --seed 30 --count 200 --seconds 0
    [[ $status -eq 0 && ${lines[-1]} == '0 kernels, 0 found' ]]
}
