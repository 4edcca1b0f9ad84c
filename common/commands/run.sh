#!/bin/sh
# run.sh [--full] STEP ... -- ARGUMENTS : runs the steps in order, and stops at the first that
# is wrong or cannot run.  A step that this device cannot show (77) is passed over.

options='' steps=''
while [ "$1" != -- ]; do
    case $1 in
        --*) options="$options $1" ;;
        *) steps="$steps $1" ;;
    esac
    shift
done
shift

for step in $steps; do
    # shellcheck disable=SC2086 # a list of words is meant
    "${BUILD:-build}/$step" $options "$@"
    status=$?
    case $status in
        0) ;;
        77) echo "$step was skipped, for the reason above" >&2 ;;
        *) exit $status ;;
    esac
    [ "$step" = "${steps##* }" ] || echo >&2
done
