#!/bin/sh
# other_locale.sh FOLDER : makes a locale there, and prints its name: that of most desktops, in
# which step07b_prefix_sum comes before step07_reduce_simd.  LOCPATH=FOLDER finds it.  Exit
# status 1: it cannot be made here; Debian's package `locales` has what it is made of.

mkdir -p "$1" && localedef -i en_US -f UTF-8 "$1/en_US.UTF-8" > /dev/null 2>&1
first=$(printf '%s\n' step07b_prefix_sum step07_reduce_simd |
    LOCPATH=$1 LC_ALL=en_US.UTF-8 sort | head -n 1)
[ "$first" = step07b_prefix_sum ] && echo en_US.UTF-8
