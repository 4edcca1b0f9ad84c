#!/bin/sh
# peers.sh STEP ... : compares those of the steps that have peers with them: programs and
# libraries of other people, that do the same.  Never part of a test: times are not judged.

looked=''
for step; do
    case $step in
        step00_*) peer=limits ;;
        step06_* | step09b_*) peer=reduce ;;
        step07c_*) peer=scan ;;
        step09c_*) peer=histogram ;;
        step13b_*) peer=transpose ;;
        step14b_*) peer='sort' ;;
        step18b_*) peer=matmul_ahead ;;
        step18c_*) peer=matmul_packed ;;
        step20b_*) peer=fizzbuzz_out ;;
        *) continue ;;
    esac
    case " $looked " in *" $peer "*) continue ;; esac
    looked="$looked $peer"
    echo "== $peer"
    sh tests/peers/"$peer".sh || exit
done
