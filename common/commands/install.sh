#!/bin/sh
# install.sh [--remove] : installs the lens as the program cllens into $DESTDIR$PREFIX, or
# removes it.  The program finds its files relative to itself, so that the whole may be moved.
to=${DESTDIR:-}${PREFIX:-/usr/local} built=${BUILD:-build}
texts="builtins.cl conversions.cl builtins.cuh half.cuh cooperative.cuh hip.cuh operations.h"
# shellcheck disable=SC2086 # each word is a file
files="bin/cllens lib/cllens/liblens.so $(printf 'lib/cllens/%s ' $texts)
    share/man/man1/cllens.1 share/bash-completion/completions/cllens"
made=lib/cllens/folders # names the folders that were not there before

if [ "$1" = --remove ]; then
    folders=$(cat "$to/$made" 2> /dev/null)
    for file in $files $made; do
        rm -f "$to/$file" || exit 2
    done
    rm -f "$to"/lib/cllens/cuda/*.h "$to"/lib/cllens/cuda/*/*.h
    rmdir "$to"/lib/cllens/cuda/*/ 2> /dev/null
    [ ! -d "$to/lib/cllens/cuda" ] || rmdir "$to/lib/cllens/cuda"
    [ ! -d "$to/lib/cllens" ] || rmdir "$to/lib/cllens"
    for folder in $folders; do
        [ ! -d "$to/$folder" ] || rmdir "$to/$folder" 2> /dev/null
    done
    exit 0
fi

new=$(cat "$to/$made" 2> /dev/null)
put() { # put MODE FILE NAME
    folder=${3%/*}
    while [ "$folder" != . ] && [ ! -d "$to/$folder" ]; do
        new="$new $folder"
        folder=$(dirname "$folder")
    done
    install -d "$to/${3%/*}" && install -m "$1" "$2" "$to/$3" && return
    echo "error: cannot write $to/$3" >&2
    echo "  hint    choose another folder: make install PREFIX=\$HOME/.local" >&2
    exit 2
}

put 755 "$built/lens" bin/cllens
put 644 "$built/liblens.so" lib/cllens/liblens.so
for text in $texts; do
    put 644 "$built/$text" "lib/cllens/$text"
done
for header in "$built"/cuda/*.h "$built"/cuda/*/*.h; do
    put 644 "$header" "lib/cllens/${header#"$built"/}"
done
put 644 "$built/cllens.1" share/man/man1/cllens.1
put 644 common/lens/cllens.bash share/bash-completion/completions/cllens
# shellcheck disable=SC2086 # a word is a folder
printf '%s\n' $new | sort -ru > "$to/$made" # what lies in a folder before that
echo "installed $to/bin/cllens"
