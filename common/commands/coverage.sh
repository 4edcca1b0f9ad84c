#!/bin/sh
# coverage.sh TESTS : runs these files of tests with the build of `make coverage`, and says what
# of common/ they do not reach.  That they pass is not asked here.

find "$BUILD" -name '*.gcda' -exec rm -f {} +
python3 common/commands/test.py "$@"
[ $? != 2 ] || exit 2
python3 tests/coverage.py "$BUILD"
