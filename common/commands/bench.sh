#!/bin/sh
# bench.sh STEP ... -- ARGUMENTS : runs the steps at full size, with more launches.

steps=''
while [ "$1" != -- ]; do
    steps="$steps $1"
    shift
done
shift
# shellcheck disable=SC2086 # a list of words is meant
exec sh common/commands/run.sh $steps -- --full "$@"
