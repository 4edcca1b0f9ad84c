#!/bin/sh
# next.sh [STEP] : goes to the next open exercise after the STEP, or after the exercise begun
# last, and from the first again.

cd "$(dirname "$0")/../.." || exit 2
. common/commands/exercise_parts.sh

last=${1:-$(begun_last)}
for step in $(steps_with_exercise | awk -v last="$last" '
    { all[NR] = $0; if ($0 == last) at = NR }
    END { for (i = 1; i <= NR; i++) print all[(at + i - 1) % NR + 1] }'); do
    case $(state "$step") in open | started) exec sh common/commands/exercise.sh "$step" ;; esac
done
echo "all exercises are done; \`make progress\` shows them"
