#!/bin/sh
# peers.sh STEP ... : compares those of the steps that have peers with them: programs and
# libraries of other people, that do the same.  Never part of a test: times are not judged.

for step; do
    case $step in
        step00_*) peer=limits ;;
        step06_*) peer=reduce ;;
        step18_*) peer=matmul ;;
        *) continue ;;
    esac
    echo "== $peer"
    sh tests/peers/"$peer".sh || exit
done
