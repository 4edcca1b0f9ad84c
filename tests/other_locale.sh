#!/bin/sh
# other_locale.sh FOLDER [LANGUAGE] : makes a locale there, and prints its name; LOCPATH=FOLDER
# finds it.  en_US is that of most desktops, in which step07b_prefix_sum comes before
# step07_reduce_simd; in tr_TR the capital of i is another letter than I, and 0.5 is 0,5.  Exit
# status 1: it cannot be made here; Debian's package `locales` has what it is made of.

name=${2:-en_US}.UTF-8
mkdir -p "$1" && localedef -i "${2:-en_US}" -f UTF-8 "$1/$name" > /dev/null 2>&1
first=$(printf '%s\n' step07b_prefix_sum step07_reduce_simd |
    LOCPATH=$1 LC_ALL=$name sort | head -n 1)
[ "$first" = step07b_prefix_sum ] && echo "$name"
