#!/bin/sh
# lint.sh : looks for mistakes in the sources without running them, on all cores.
# lint.sh host COMPILER FILE ...    compiles C files, with every warning an error
# lint.sh tidy FILE ...             asks clang-tidy; .clang-tidy says what
# lint.sh kernels FILE ...          reads kernel files as OpenCL C 1.2, likewise
# lint.sh mistakes FILE ...         the same for known mistakes, which must compile, too
# lint.sh places FILE ...           finds pointers that are moved back, as in `p - 1` and `p[-1]`
# lint.sh words FILE ...            finds the old words of words.txt, and what to say instead

host() {
    compiler=$1 warnings='-Wshadow -Wcast-qual -Wformat=2 -Wnull-dereference'
    [ "$1" != gcc ] || warnings="$warnings -Wduplicated-branches"
    shift
    for file; do # some need a library that only peers of a step have
        library=$(sed -n 's/^#include <\(cblas.*\|clblast.*\)>$/\1/p' "$file")
        [ -z "$library" ] || echo "#include <$library>" | "$compiler" -E - > /dev/null 2>&1 || continue
        # shellcheck disable=SC2046,SC2086 # lists of words are meant
        "$compiler" $(cat compile_flags.txt) -O2 $warnings -Werror -c "$file" -o /dev/null || return
        grep -q '^#include <mpi.h>$' "$file" || continue
        # shellcheck disable=SC2046,SC2086 # with MPI, too
        "$compiler" $(cat compile_flags.txt) $(sh common/commands/mpi.sh compile) -O2 $warnings \
            -Werror -c "$file" -o /dev/null || return
    done
}

# Only what compiles here: some files need a library of peers.
tidy() { # tidy FILE ...
    for file; do
        # shellcheck disable=SC2046 # a list of words is meant
        clang $(cat compile_flags.txt) -w -fsyntax-only "$file" 2> /dev/null || continue
        # shellcheck disable=SC2046
        clang-tidy --quiet "$file" -- $(cat compile_flags.txt) -w 2> /dev/null || return
    done
}

opencl() { # opencl WARNINGS FILE ...
    warnings=$1
    shift
    for file; do
        # shellcheck disable=SC2086 # a list of words is meant
        clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -I kernels $warnings \
            -target spir64-unknown-unknown -fsyntax-only "$file" || return
    done
}

# A pointer in front of an array is undefined, even if nothing is read there.  No compiler says
# so where the array's place is known at run time only; clang's tree shows each such pointer.
# Of a node's place the tree prints what is new: the line may stand some nodes before it.
places() {
    ! for file; do
        grep -nH '\[-' "$file" /dev/null
        # shellcheck disable=SC2046 # a list of words is meant
        clang $(cat compile_flags.txt) -w -fsyntax-only -Xclang -ast-dump "$file" |
            awk -v file="$file" '
                { for (rest = $0; match(rest, /line:[0-9]+/); rest = substr(rest, RSTART + RLENGTH))
                      line = substr(rest, RSTART + 5, RLENGTH - 5) }
                /-(BinaryOperator|CompoundAssignOperator|UnaryOperator) .*[*]\047.* \047(-|-=|--)\047/ {
                    print file ":" line ": a pointer is moved back" }'
    done | grep .
}

# The longest match wins: words that the third field allows hide the pattern in them.
words() { # words FILE ...
    tab=$(printf '\t')
    while IFS=$tab read -r pattern say but; do
        case $pattern in
            '' | '#'*) continue ;;
            *[ABCDEFGHIJKLMNOPQRSTUVWXYZ]*) regular=-E ;;
            *) regular=-iE ;;
        esac
        grep -noH "$regular" -e "$pattern${but:+|$but}" "$@" |
            awk -F : -v say="$say" -v but="${but:-^$}" '
                tolower($3) !~ "^(" but ")$" { printf "%s:%s: \"%s\": say \"%s\"\n", $1, $2, $3, say }'
    done < common/commands/words.txt | LC_ALL=C sort -t : -k 1,1 -k 2,2n | grep . && return 1
    return 0
}

case $1 in
    host) shift && host "$@" && exit ;;
    tidy) shift && tidy "$@" && exit ;;
    kernels) shift && opencl '-Wall -Wextra -Werror' "$@" && exit ;;
    mistakes) shift && opencl -w "$@" && exit ;;
    places) shift && places "$@"; exit ;;
    words) shift && words "$@"; exit ;;
esac
[ $# = 0 ] || exit 255 # the part has failed; xargs goes no further

c_files() {
    find steps common tests -name '*.[ch]'
}

on_all_cores() { # on_all_cores PART ... < FILES
    xargs -n 8 -P "$(getconf _NPROCESSORS_ONLN)" sh common/commands/lint.sh "$@"
}

layout() { # the same layout everywhere: clang-format 14 and later agree on it
    c_files | xargs clang-format --dry-run -Werror
}

lines() { # lines that fit a projector, without trailing blanks; the man page shows a screen
    ! find steps kernels common tests docs Makefile README.md .ci -type f ! -path 'docs/results/*' ! -path 'tests/fuzz/corpus/*' \
        ! -name '*.diff' ! -name '*.png' -exec grep -nE '[[:blank:]]$' {} + &&
        ! grep -rnE '^.{89,}' steps kernels common tests/lens --include='*.[ch]' --include='*.cl' |
            grep -vE '^kernels/[^:]*:[0-9]+:// lens: ' && # a launch is one line
        ! grep -rnE '^.{89,}' common/lens --include='*.css' --include='*.js' --include='*.html'
}

old_words() {
    # shellcheck disable=SC2046 # a list of files is meant
    words README.md Makefile $(find common -type f ! -name words.txt) \
        $(find docs -maxdepth 1 -name '*.md' ! -name CHANGELOG.md) \
        $(find steps kernels tests docs/exercises -type f -name 'step*')
}

scripts() {
    shellcheck common/commands/*.sh tests/*.sh tests/peers/*.sh .ci/run
}

passed=0 failed=0
try() { # try TITLE COMMAND ...
    title=$1
    shift
    if "$@"; then
        echo "ok   $title"
        passed=$((passed + 1))
    else
        echo "FAIL $title"
        failed=$((failed + 1))
    fi
}

gcc_files() {
    c_files | grep '\.c$' | on_all_cores host gcc
}

clang_files() {
    c_files | grep '\.c$' | on_all_cores host clang
}

tidy_files() {
    c_files | grep '\.c$' | on_all_cores tidy
}

kernel_files() {
    find kernels -name '*.cl' | on_all_cores kernels
}

step_files() {
    find steps -name '*.c' | on_all_cores places
}

mistake_files() {
    find "${BUILD:-build}/mistakes" -name '*.cl' | on_all_cores mistakes
}

try 'gcc: no warning' gcc_files
try 'clang: no warning' clang_files
try 'clang-tidy: nothing to say' tidy_files
try 'kernels: valid OpenCL C 1.2' kernel_files
try 'mistakes: valid OpenCL C 1.2' mistake_files
try 'steps: no pointer in front of an array' step_files
try 'clang-format: nothing to change' layout
try 'lines: at most 88 columns' lines
try 'words: none of common/commands/words.txt' old_words
try 'shellcheck: no complaint' scripts

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
