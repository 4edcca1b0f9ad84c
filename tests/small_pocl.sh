#!/bin/sh
# small_pocl.sh FOLDER : lays out a PoCL in FOLDER, for tests, which compiles in a third of the
# time.  Only what tests/helper.bash sets OCL_ICD_VENDORS to FOLDER/pocl.icd for uses it.
#
# For each program that PoCL compiles, it reads its library of built-in functions whole: 23,000
# of them, of which our kernels name 60.  That takes half a second, and no setting avoids it.
# But PoCL looks for the library beside itself, so that a link to the same PoCL in another
# folder finds another library: here it has only the functions whose names stand in our kernels.
# The driver, its compiler and the functions are the same, and a kernel that calls any other
# function does not compile, so that no test can pass for that reason.
#
# Nothing is made, and tests use PoCL as it is, where there is no PoCL or another driver beside
# it, where no clang can read the library, and where step 03 is not right with what was made.
# What was made stays as long as PoCL and the names in our kernels are the same.  Where a driver is
# chosen, all is left as it is: a test may run `make test` itself, and others use what was made.

[ -z "$OCL_ICD_VENDORS" ] || exit 0
folder=$1
. common/commands/files.sh
make_scratch
build=${BUILD:-build}

# The names in our kernels; and all that it is made from: these, PoCL, and the processor, which
# chooses among PoCL's libraries.
cat kernels/*.cl* tests/lens/[!b]*.cl tests/mistakes/* tests/cheats/* tests/step*.bats \
    tests/exercises/* docs/exercises/*.md |
    LC_ALL=C grep -oE '[a-z_][a-z_0-9]+' | LC_ALL=C sort -u > "$scratch/words"
{
    echo "$folder"
    cat "$scratch/words" tests/small_pocl.sh /etc/OpenCL/vendors/*
    grep -m 1 -E '^(flags|Features)' /proc/cpuinfo # of x86, of ARM
    # shellcheck disable=SC2046 # a list of paths is meant
    ls -lL $(cat /etc/OpenCL/vendors/*) /usr/share/pocl \
        $(PATH=$PATH:/sbin ldconfig -p | sed -n 's/.*libpocl.*=> //p')
} > "$scratch/from" 2> /dev/null
cmp -s "$scratch/from" "$folder/from" && exit
rm -rf "$folder"
[ "$(ls /etc/OpenCL/vendors)" = pocl.icd ] || exit 0

# compiles_03 : compiles the kernels of step 03 anew, and is right; prints what PoCL says of it.
compiles_03() {
    rm -rf "$scratch/cache"
    POCL_CACHE_DIR=$scratch/cache POCL_DEBUG=llvm "$build/step03_dot_coalesced" --size 1000 \
        --repeats 1 2>&1
}

# PoCL says which library it uses, as seen from its own folder; and clang has to be of its LLVM.
library=$(compiles_03 | sed -n 's|.*Using \(/.*\.bc\) as the built-in lib.*|\1|p' | head -n 1)
driver=${library%/../../share/*}/$(basename "$(cat /etc/OpenCL/vendors/pocl.icd)")
[ -f "$library" ] && [ -f "$driver" ] || exit 0
clang=clang-$(ldd "$driver" | sed -n 's/.*libLLVM[a-z.-]*\([0-9][0-9]*\).* => .*/\1/p' | head -n 1)
command -v "$clang" > /dev/null || exit 0

# All of its functions, and those of them that are wanted: of _Z7_cl_fmafff the name is fma.
# What has no types in its name belongs to PoCL itself; what its functions call comes with them.
"$clang" -w -x ir -S -emit-llvm -o "$scratch/all.ll" "$library" || exit 0
sed -n 's/^define [^@]*@\([A-Za-z0-9_]*\)(.*/\1/p' "$scratch/all.ll" |
    awk 'FILENAME != "-" { wanted[$0]; next }
        !/^_Z[0-9]/ { if (/pocl|printf/) print; next }
        {
            name = substr($0, 3) + 0
            name = substr($0, 3 + length(name), name)
            sub(/^_cl_/, "", name)
            if (name in wanted) print
        }' "$scratch/words" - > "$scratch/names"

# clang takes them out of the library, and all that they call.
awk '{ print "void f" NR "(void) __asm__(\"" $0 "\");"; calls = calls " f" NR "();" }
    END { print "void lockstep_wants(void) {" calls " }" }' "$scratch/names" > "$scratch/wants.c"
lib=$folder/lib/$(basename "${driver%/*}") share=$folder/share/pocl
mkdir -p "$lib" "$share"
ln -s "$driver" "${driver%/*}/pocl" "$lib"
ln -s "${library%/*}/include" "$share"
"$clang" -cc1 -triple "$(sed -n 's/^target triple = "\(.*\)"/\1/p' "$scratch/all.ll")" -w -O0 \
    -emit-llvm-bc -mlink-builtin-bitcode "$library" "$scratch/wants.c" -o "$share/${library##*/}"
echo "$lib/${driver##*/}" > "$folder/pocl.icd"

export OCL_ICD_VENDORS="$folder/pocl.icd"
made=$(compiles_03)
case $made in
    *"Using $folder"*'  right'*) cp "$scratch/from" "$folder" ;;
    *) rm -rf "$folder" ;;
esac
