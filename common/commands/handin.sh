#!/bin/sh
# handin.sh : writes work/handin.txt for the teacher: the device, what passed, predictions,
# measured rows.  Nothing personal is in it: no name, no path, no machine but its device.

cd "$(dirname "$0")/../.." || exit 2
. common/commands/exercise_parts.sh

make_work
devices=$("$build"/step00_device_limits --devices) || exit
{
    echo 'Lockstep: what was done'
    printf '\ndevices\n'
    printf '%s\n' "$devices" | sed 's/^/  /'
    printf '\nexercises\n'
    sh common/commands/progress.sh | sed 's/^/  /'
    printf '\npredictions\n'
    for one in $(steps_with_exercise); do
        sh common/commands/predict.sh "$one" --told
    done
    printf '\nmeasured\n'
    [ ! -f "$work/measured" ] || sed 's/^/  /' "$work/measured"
} | put "$work/handin.txt" || exit
echo "$work/handin.txt is there to be handed in; read it first"
