#!/bin/sh
# lens.sh [--races] STEP ... -- ARGUMENTS : runs the steps under the lens.  A step's header
# says, behind "Lens", at which size its counts are best read; LENS_OPTIONS, which options
# the lens itself gets, as in
#
#     make step05 lens LENS_OPTIONS="--lanes 64 --svg /tmp/step05.svg"

options=--quiet steps=''
while [ "$1" != -- ]; do
    case $1 in
        --*) options="$options $1" ;;
        *) steps="$steps $1" ;;
    esac
    shift
done
shift

for step in $steps; do
    own=$(sed -n 's/^ \* Lens  *//p' "steps/$step.c")
    # shellcheck disable=SC2086 # lists of words are meant
    "${BUILD:-build}/lens" $options $LENS_OPTIONS "${BUILD:-build}/$step" --repeats 1 $own "$@"
    status=$?
    case $status in
        0) ;;
        77) echo "$step was skipped, for the reason above" >&2 ;;
        *) exit $status ;;
    esac
done
