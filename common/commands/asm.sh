#!/bin/sh
# asm.sh [--kernel NAME] STEP ... -- ARGUMENTS : prints the machine code that the device gets
# for each kernel.
#
#     NVIDIA  its compiler's PTX; as the chip's own instructions, where CUDA's tools are
#     PoCL    the library that it makes of each kernel once that is launched

build=${BUILD:-build} kernel='' steps='' missing=0
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    case $1 in
        --kernel) kernel=$2 && shift ;;
        *) steps="$steps $1" ;;
    esac
    shift
done
shift

. common/commands/files.sh
make_scratch
kept=$scratch

nvidia() { # nvidia PTX : the kernels in it
    chip=$(sed -n 's/^\.target \([a-z0-9_]*\).*/\1/p' "$1")
    if ptxas "-arch=$chip" "$1" -o "$kept/cubin" 2> "$kept/log" &&
        cuobjdump -sass "$kept/cubin" > "$kept/sass" 2>> "$kept/log"; then
        # The text of an instruction is between its address and its code, in hexadecimal.
        awk -v kernel="$kernel" '
            /Function : / { shown = kernel == "" || $NF == kernel
                            if (shown) print $NF ":" }
            shown && /^ +\/\*[0-9a-f]+\*\/ / {
                sub(/^ +\/\*[0-9a-f]+\*\/            /, "")
                sub(/ *; *\/\*.*/, "")
                print }' "$kept/sass"
    else
        awk -v kernel="$kernel" '
            /^\.entry|^\/\/ \.globl/ { shown = kernel == "" || index($0, kernel "(") }
            kernel == "" || shown' "$1"
    fi
}

for step in $steps; do
    : > "$kept/binary"
    case $step in
        step01_*) ;; # has no such option: all that it does it does by hand
        *) "$build/$step" "$@" --binary "$kept/binary" > /dev/null || exit ;;
    esac
    tr -d '\000' < "$kept/binary" > "$kept/ptx"
    if grep -q '^\.target sm_' "$kept/ptx"; then
        nvidia "$kept/ptx"
        continue
    fi
    rm -rf "$kept/pocl"
    POCL_CACHE_DIR=$kept/pocl "$build/$step" --size 1000 --repeats 1 "$@" > /dev/null || exit
    shown=''
    for library in "$kept"/pocl/*/*/*/*/*.so; do
        name=$(basename "$library" .so)
        case " $shown " in *" $name "*) continue ;; esac # one for each size of a group
        [ -z "$kernel" ] || [ "$kernel" = "$name" ] || continue
        [ -f "$library" ] || continue
        shown="$shown $name"
        echo "$name:"
        objdump -d --no-show-raw-insn --no-addresses "$library" |
            awk '/^<_pocl_kernel_.*_workgroup>:/ { inside = 1; next } /^</ { inside = 0 } inside && NF'
    done
    [ -n "$shown" ] || {
        echo "$step: no code found${kernel:+ for $kernel} (known: NVIDIA since step 02, PoCL)" >&2
        missing=77
    }
done
exit $missing
