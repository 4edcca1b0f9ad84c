#!/bin/sh
# start_commands.sh FILE[:JOB] : the commands by which FILE starts Lockstep on a bare system,
# one on a line and without sudo.  FILE is a page, the Containerfile, devcontainer.json, or a
# workflow, of which JOB is meant.

file=${1%:*} job=${1##*:}
case $file in
    *.md) # the first block with `make run`
        awk '/^```/ { if (block ~ /(^|\n)make run\n/) { printf "%s", block; exit } block = ""; next }
            { block = block $0 "\n" }' "$file"
        ;;
    *Containerfile) sed -n 's/^RUN //p' "$file" ;;
    *.json) sed -n 's/^ *"[a-zA-Z]*Command": "\(.*\)",\{0,1\}$/\1/p' "$file" ;;
    *.yml)
        awk -v job="  $job:" '/^  [a-z]/ { inside = $0 == job }
            inside && sub(/^ *- run: /, "")' "$file"
        ;;
esac | sed 's/ && /\n/g' | sed 's/^sudo //'
