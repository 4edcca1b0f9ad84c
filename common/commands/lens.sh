#!/bin/sh
# lens.sh [--races] STEP ... -- ARGUMENTS : runs the steps under the lens.  A step's header
# says, behind "Lens", at which size its counts are best read; LENS_OPTIONS, which options
# the lens itself gets, as in
#
#     make step05 lens LENS_OPTIONS="--lanes 64 --svg /tmp/step05.svg"
#
# Races are looked for at an odd size, too, unless the arguments have a size: where groups
# divide the work evenly, a missing guard does no harm.  It is 10007, or what the header says
# behind "Races".

options=--quiet steps='' races=''
while [ "$1" != -- ]; do
    case $1 in
        --races) races=yes options="$options $1" ;;
        --*) options="$options $1" ;;
        *) steps="$steps $1" ;;
    esac
    shift
done
shift
case " $*" in *' --size'* | *' --'[mnk]' '*) races='' ;; esac

# look STEP ARGUMENTS ... : ends with the lens's status, unless that is right or skipped.
look() {
    step=$1
    shift
    # shellcheck disable=SC2086 # lists of words are meant
    "${BUILD:-build}/lens" $options $LENS_OPTIONS "${BUILD:-build}/$step" --repeats 1 $own "$@"
    status=$?
    case $status in
        0) ;;
        77) echo "$step was skipped, for the reason above" >&2 ;;
        *) exit $status ;;
    esac
}

for step in $steps; do
    own=$(sed -n 's/^ \* Lens  *//p' "steps/$step.c")
    look "$step" "$@"
    if [ -z "$races" ] || [ "$status" != 0 ]; then
        continue
    fi
    odd=$(sed -n 's/^ \* Races  *//p' "steps/$step.c")
    odd=${odd:---size 10007}
    echo "and with $odd:"
    # shellcheck disable=SC2086 # a list of words is meant
    look "$step" $odd "$@"
done
