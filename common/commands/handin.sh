#!/bin/sh
# handin.sh : writes work/handin.txt for the teacher: the device, what passed, predictions,
# measured rows.  Nothing personal is in it: no name, no path, no machine but its device.

cd "$(dirname "$0")/../.." || exit 2
. common/commands/exercise_parts.sh

make_work
readable "$work/progress"
readable "$work/measured"
row='^step[0-9]+[a-z]?  (yours|ours)   *[ -.0-~]*: [0-9.e+-]+ ms, [ -.0-~]*(/s)?[ -.0-~]*$' # a path has more "/"
devices=$("$build"/step00_device_limits --devices) || exit
{
    echo 'Lockstep: what was done'
    printf '\ndevices\n'
    printf '%s\n' "$devices" | sed 's/^/  /'
    printf '\nexercises\n'
    [ -s "$work/progress" ] || echo '  nothing was done yet'
    sh common/commands/progress.sh | sed 's/^/  /'
    printf '\npredictions\n'
    for one in $(steps_with_exercise); do
        sh common/commands/predict.sh "$one" --told
    done
    printf '\nmeasured\n'
    [ ! -f "$work/measured" ] || LC_ALL=C tr -d '\r' < "$work/measured" | LC_ALL=C grep -aE "$row" | sed 's/^/  /'
    lost "$work/measured" "$row" | sed 's/^/  /'
} | put "$work/handin.txt" || exit
echo "$work/handin.txt is there to be handed in; read it first"
