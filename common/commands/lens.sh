#!/bin/sh
# lens.sh [--races] STEP ... -- ARGUMENTS : runs the steps under the lens.  A step's header
# says, behind "Lens", at which size its counts are best read, and may name the kernels that
# matter; LENS_OPTIONS has options for the lens itself, as in
#
#     make step05 lens LENS_OPTIONS="--lanes 64 --svg /tmp/step05.svg"
#
# Races are looked for at an odd size, too, unless the arguments have a size: where groups
# divide the work evenly, a missing guard does no harm.  It is 10007, in groups of at most 100
# work-items, which no power of two divides, and with the rows that come with --all; or what
# the header says behind "Races", once for each such line.
#
# Where the header has a line "Waits", the lens also counts what is left to do on the device
# whenever the host has waited (--waits); that stands above the table of kernels.
#
# A line "Pages" asks for cache lines and pages in the table (--pages), and a line "Banks" for
# passes over the banks of the L1 (--banks).
#
# The steps repeat what they measure, and not what they launch for a check: so the lens sees
# which launches matter.

set -f # a pattern behind --kernel is the lens's
options=--quiet steps='' races='' repeats=3
while [ "$1" != -- ]; do
    case $1 in
        --races) races=yes repeats=1 options="$options $1" ;;
        --*) options="$options $1" ;;
        *) steps="$steps $1" ;;
    esac
    shift
done
shift
case " $*" in *' --size'* | *' --'[mnk]' '*) races='' ;; esac

unseen=0 settings='' blanks=$IFS newline='
'

# look STEP ARGUMENTS ... : ends with the lens's status, unless that is right.  Where a step
# cannot be looked at, or skips itself (77), the others still are; but then a reader must not see
# success, so --races ends with that status.
look() {
    step=$1
    shift
    # shellcheck disable=SC2086 # lists of words are meant
    env $settings LENS_CALLED="make ${step%%_*} lens${*:+ ARGS=\"$*\"}" \
        "${BUILD:-build}/lens" $options $named $asked $LENS_OPTIONS "${BUILD:-build}/$step" \
        --repeats $repeats $own "$@"
    status=$?
    case $status in
        0) ;;
        77)
            echo "$step was not looked at, for the reason above" >&2
            case $options in *--races*) unseen=77 ;; esac
            ;;
        *) exit $status ;;
    esac
}

# The kernels that the header names, unless the options ask for others.
named_kernels() {
    case "$options $LENS_OPTIONS" in *--races* | *--kernel* | *--all*) return ;; esac
    awk -v want=kernels -f common/commands/lens_header.awk "steps/$step.c" |
        sed 's/[^ ][^ ]*/--kernel &/g; s/^./--table &/'
}

for step in $steps; do
    own=$(awk -v want=arguments -f common/commands/lens_header.awk "steps/$step.c")
    named=$(named_kernels) asked=''
    case $options in
        *--races*) ;;
        *) asked=$(sed -n 's/^ \* Waits .*/--waits/p; s/^ \* Pages .*/--pages/p; s/^ \* Banks .*/--banks/p' "steps/$step.c") ;;
    esac
    look "$step" "$@"
    if [ -z "$races" ] || [ "$status" != 0 ]; then
        continue
    fi
    lines=$(sed -n 's/^ \* Races  *//p' "steps/$step.c")
    IFS=$newline
    for odd in ${lines:-LOCKSTEP_MAX_GROUP=100 --size 10007 --all}; do
        IFS=$blanks
        echo "and with $odd:"
        case $odd in LOCKSTEP_*) settings=${odd%% *} odd=${odd#* } ;; esac
        # shellcheck disable=SC2086 # a list of words is meant
        look "$step" $odd "$@"
        settings=''
    done
    IFS=$blanks
done
exit $unseen
