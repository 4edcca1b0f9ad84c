# The picture that moves in README, and the run that it shows.
load helper.bash

# words FILE : its words in one line, without what a device or a compiler decides: numbers, and
# whether a result that races is wrong, too.
words() {
    tr -s ' \n' ' ' < "$1" | sed -E 's/RACE step08: .* the task The upper/RACE the task The upper/
        s/ results sums.* sum_pairwise data race/ sum_pairwise data race/
        s/ (warp both|how often|looks like) .* see it / see it /; s/[0-9][0-9.,]*/N/g'
}

@test "motion: the commands print what README shows" {
    cd "$ROOT"
    TMPDIR=/tmp pages motion --text > "$BATS_TEST_TMPDIR/now"
    diff <(words docs/results/pocl-3.1/exercise.txt | fold) <(words "$BATS_TEST_TMPDIR/now" | fold)
    line=$(sed -nE 's/^ *([0-9]+) \+ +tree\[i\] \+= .*/\1/p' "$BATS_TEST_TMPDIR/now")
    [ "$(grep -cE "^ +line $line  item [0-9]+ of group 0 (reads|writes)  tree" "$BATS_TEST_TMPDIR/now")" -eq 2 ]
    [[ $(words "$BATS_TEST_TMPDIR/now") == *"RACE the task "*" data race: tree in local memory"*"PASS stepN: "* ]]
}

@test "motion: the picture is that of the stored run, and moves only for who wants it" {
    cd "$ROOT"
    pages motion --picture | cmp - docs/pictures/exercise.svg
    python3 - docs/pictures/exercise.svg << 'END'
import re
import sys
import xml.dom.minidom

text = open(sys.argv[1], encoding="utf-8").read()
xml.dom.minidom.parseString(text)
assert len(text) < 300_000
assert "<script" not in text and "url(" not in text
still, _, moving = text.partition("@media (prefers-reduced-motion: no-preference) {")
assert "animation" not in still
assert 15 <= float(re.search(r"([0-9.]+)s step-end infinite", moving)[1]) <= 25
scene = re.search(r'<g class="scene still.*?(?=<g class="scene|</svg>)', moving, re.DOTALL)[0]
assert ">RACE<" in scene and scene.count('class="place"') == 2
assert text.count('class="scene still') == 1
END
}

@test "motion: a long name of the folder for temporary files, a line that is too wide, and an exercise with other lines, are refused" {
    cd "$ROOT"
    cat > "$BATS_TEST_TMPDIR/refused.py" << 'END'
import sys
sys.path.insert(0, "common/commands/pages")
import files
import motion
from pathlib import Path

def refused(what, *words):
    try:
        what(*words)
    except files.Problem as problem:
        return problem.problem
    return "nothing"

print(refused(motion.draw, "# caption\n$ command\n" + "x" * 89 + "\n"))
file = Path(sys.argv[1])
file.write_text("other lines\n")
print(refused(motion.change, file, motion.ALONE, motion.TOGETHER))
END
    TMPDIR=$BATS_TEST_TMPDIR run -2 pages motion --text
    [[ ${lines[0]} == *"is too long a name for a terminal" && ${lines[1]} == *TMPDIR=/tmp* ]]
    run -0 python3 -B "$BATS_TEST_TMPDIR/refused.py" "$BATS_TEST_TMPDIR/other.cl"
    [[ ${lines[0]} == *"has more than 88 columns" ]]
    [[ ${lines[1]} == *"other.cl has other lines than the exercise of step08" ]]
    [ "$(< "$BATS_TEST_TMPDIR/other.cl")" = "other lines" ]
}
