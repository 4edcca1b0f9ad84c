#!/bin/sh
# lint.sh : looks for mistakes in the sources without running them.
# shellcheck disable=SC2317 # the functions are called by name

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

host() { # host COMPILER : every C file, with every warning an error
    for file in steps/*.c common/*.c common/lens/*.c tests/*.c tests/*/*.c; do
        library=$(sed -n 's/^#include <\(cblas.*\|clblast.*\)>$/\1/p' "$file") # a peer's, and optional
        [ -z "$library" ] || echo "#include <$library>" | "$1" -E - > /dev/null 2>&1 || continue
        "$1" -std=c11 -iquote common -DCL_TARGET_OPENCL_VERSION=120 -DKERNEL_DIR='""' \
            -DBUILD_DIR='""' -DLENS_DIR='""' -O2 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror \
            -c "$file" -o /dev/null || return
    done
}

kernels() { # every kernel file as OpenCL C 1.2
    for file in kernels/*.cl; do
        clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -Wall -Wextra -Werror \
            -target spir64-unknown-unknown -fsyntax-only "$file" || return
    done
}

mistakes() { # a kernel with a mistake is wrong in what it does: it must compile
    for file in build/mistakes/*.cl; do
        clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -I kernels \
            -target spir64-unknown-unknown -w -fsyntax-only "$file" || return
    done
}

layout() { # the same layout everywhere, as the .clang-format of clang-format 14 and later has it
    clang-format --dry-run -Werror steps/*.c common/*.[ch] common/lens/*.[ch] \
        tests/*.c tests/*/*.c
}

lines() { # lines that fit a projector, without trailing blanks
    ! grep -nE '[[:blank:]]$' steps/* kernels/* common/*.* common/lens/* tests/*.* tests/*/*.* \
        docs/*.md README.md &&
        ! grep -nE '^.{89,}' steps/*.c kernels/*.cl common/*.[ch] common/lens/* tests/lens/*.cl
}

try 'gcc: no warning' host gcc
try 'clang: no warning' host clang
try 'kernels: valid OpenCL C 1.2' kernels
try 'mistakes: valid OpenCL C 1.2' mistakes
try 'clang-format: nothing to change' layout
try 'lines: at most 88 columns' lines
try 'shellcheck: no complaint' shellcheck common/commands/*.sh tests/*.sh tests/peers/*.sh \
    .ci/run

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
