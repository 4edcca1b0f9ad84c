#!/bin/sh
# coverage.sh TESTS : runs these files of tests with the build of `make coverage`, and says what
# of common/ they do not reach.  That they pass is not asked here.
#
# What was executed is counted in a folder of this run alone, so that what else is run with
# this build meanwhile, or another run of this, neither adds to it nor removes it.

. common/commands/files.sh
make_scratch
case $BUILD in /*) built=$BUILD ;; *) built=$PWD/$BUILD ;; esac
export GCOV_PREFIX="$scratch" GCOV_ERROR_FILE="$scratch/errors"

# gcov wants its notes beside the counts, and those of the programs that the tests ran.
mkdir -p "$scratch$built"
(cd "$built" && find . -name '*.gcno' -exec tar cf - {} +) | tar xf - -C "$scratch$built"

python3 common/commands/test.py "$@"
[ $? != 2 ] || exit 2
[ ! -s "$GCOV_ERROR_FILE" ] || fail "counts were lost: $(head -n 1 "$GCOV_ERROR_FILE")" \
    "no file of common/ may change while this runs; repeat it"
python3 tests/coverage.py "$scratch$built"
