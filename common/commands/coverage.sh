#!/bin/sh
# coverage.sh TESTS : runs these files of tests with the build of `make coverage`, and says what
# of common/ they do not reach.  That they pass is not asked here.

find "$BUILD" -name '*.gcda' -exec rm -f {} +
sh common/commands/test.sh "$@"
[ $? != 2 ] || exit 2
python3 tests/coverage.py "$BUILD"
