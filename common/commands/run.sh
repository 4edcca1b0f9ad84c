#!/bin/sh
# run.sh STEP ... -- ARGUMENTS : runs the steps in order, and stops at the first that is
# wrong or cannot run.  A step that this device cannot show (77) is passed over.

steps=''
while [ "$1" != -- ]; do
    steps="$steps $1"
    shift
done
shift

for step in $steps; do
    "${BUILD:-build}/$step" "$@"
    status=$?
    case $status in
        0) ;;
        77) echo "$step was skipped, for the reason above" >&2 ;;
        *) exit $status ;;
    esac
    [ "$step" = "${steps##* }" ] || echo >&2
done
