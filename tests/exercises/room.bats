# What learners hand in, and what a teacher sees of it.
load helper.bash

# handed NAME [EXERCISE ...] : writes in/NAME.txt; each exercise as "step05 passed 1".
handed() {
    mkdir -p "$BATS_TEST_TMPDIR/in"
    PYTHONPATH=$ROOT/common/commands/exercise python3 -B -c '
import sys, form
handin = form.HandIn(name=sys.argv[1], date="2026-11-28", version="1.0.0",
                     device=form.Device("cpu", float(len(sys.argv)), 9.0, "a processor"))
for words in sys.argv[2:]:
    step, state, hints = words.split()
    handin.exercises.append(form.Exercise(step, state, int(hints), "unseen", "-"))
    handin.guesses.append(form.Guess(step, 1, "8", "32", "missed"))
print(form.write(handin), end="")' "$@" > "$BATS_TEST_TMPDIR/in/$1.txt"
}

# room [PATTERN] : what `make room` says of these files.
room() {
    FILES=${1:-$BATS_TEST_TMPDIR/in/*} run python3 "$ROOT/common/commands/exercise" room
    echo "$output"
}

@test "room: handin writes one small text, which has nothing personal but the name that was given" {
    exercise exercise step05
    exercise hint step05
    AS='../x' exercise handin
    [[ $status -eq 2 && $output == *"error: AS=../x is no name"*"  hint    "* ]]
    solve
    exercise check step05
    AS=table3 exercise handin
    [ "$status" -eq 0 ]
    text=$LOCKSTEP_WORK/handin-table3.txt
    head -n 2 "$text" | diff - <(printf 'Lockstep hand-in, form 1\nname      table3\n')
    grep -qE '^device    (cpu|gpu)  [0-9.]+ GB/s  [0-9.]+ GFLOP/s  ' "$text"
    grep -qx 'exercise  step05  passed  hints 1  solution unseen  file as passed' "$text"
    grep -q '^time      step05  yours .* ms, ' "$text"
    [ "$(wc -c < "$text")" -lt 4000 ]
    run ! grep -qF -e "$(hostname)" -e "$HOME/" -e "$ROOT" -e 'sum +=' "$text"
    # With the code that has passed, for a solution to show; and it was changed meanwhile.
    echo >> "$mine"
    AS=table3 CODE=yes exercise handin
    grep -qx 'code      step05  |        sum += x\[i\] \* y\[i\];' "$text"
    grep -q 'file changed$' "$text"
    room "$text"
    [[ $status -eq 0 && $output == *$'\ntable3  1\n'* ]]
}

@test "room: twenty hand-ins, five of them damaged in five ways, fit one screen" {
    local number in=$BATS_TEST_TMPDIR/in
    for number in {1..20}; do
        handed "table$number" 'step05 passed 0' "step03 passed $((number % 3))" 'step06 started 0'
    done
    head -n 4 "$in/table4.txt" > "$in/cut" && mv "$in/cut" "$in/table4.txt" # cut short
    head -c 3000 /dev/urandom > "$in/table5.txt"
    : > "$in/table6.txt"
    rm "$in/table7.txt" && mkdir "$in/table7.txt" && touch "$in/table7.txt/x"
    sed -i 2,4d "$in/table8.txt" # lines are lost
    room "$in/table[0-9]*"
    [ "$status" -eq 0 ]
    [[ $output == *"left out: table4.txt: its end is missing"* ]]
    [[ $output == *"left out: table5.txt: it is no hand-in"* ]]
    [[ $output == *"left out: table6.txt: it is empty"* ]]
    [[ $output == *"left out: x: it is empty"* ]] # a folder is what is in it
    [[ $output == *"left out: table8.txt: 3 of its lines are missing"* ]]
    [[ $output == *"15 hand-ins: exercises, most passed first"* ]]
    [[ $output == *$'\n         03   05   06\ntable1   1    +    o\ntable2   2    +    o\ntable3   +    +    o\n'* ]]
    [[ $output == *$'\npassed   15   15   0\n'* ]]
    [[ $output == *"step03, question 1: 15 of 15 missed it; most said 8 (15), right is 32"* ]]
    [[ $output == *$'\n      5 GB/s  cpu    a processor '*' table1, table2 and 13 more'* ]]
    [ "$(wc -L <<< "$output")" -le 96 ]
}

@test "room: what an editor of Windows has saved is read; what was changed by hand is counted, and said" {
    handed a 'step05 passed 0'
    handed b 'step05 passed 0'
    handed c 'step05 passed 0'
    handed d 'step05 started 0'
    handed e 'step05 passed 0'
    cd "$BATS_TEST_TMPDIR/in"
    sed -i 's/$/\r/; 1s/^/\xef\xbb\xbf/' a.txt
    iconv -f utf-8 -t utf-16 b.txt > new && mv new b.txt
    tr '\n' '\r' < c.txt | sed 's/  */ /g' > new && mv new c.txt # old Macs, and other blanks
    sed -i 's/started/passed/' d.txt
    printf 'and this\n' | sed -i '3r /dev/stdin' e.txt
    room
    [ "$status" -eq 0 ]
    [[ $output == *$'\npassed  5\n'* ]]
    [[ $output == *$'\nnote: d: it was changed by hand\nnote: e: it was changed by hand\nnote: e: it has a line that cannot be read; line 4: and this'* ]]
    [[ $output != *"note: a:"* && $output != *"note: b:"* && $output != *"note: c:"* ]]
    sed -i 's/form 1/form 7/' a.txt
    room
    [[ $output == *"left out: a.txt: its form is 7, and this clone reads form 1"* ]]
}

@test "room: nothing of a hand-in reaches a terminal or a page raw" {
    handed a 'step05 passed 0'
    cd "$BATS_TEST_TMPDIR/in"
    sed -i $'s/a processor/\033[2J\033]0;x\a<script>\u202e\\&/' a.txt
    cp a.txt $'\033[2J.txt'
    sed -i 's/^name .*/name -/' $'\033[2J.txt'
    export HTML=$BATS_TEST_TMPDIR/page.html
    room
    [[ $status -eq 0 && $output == *'?[2J?]0;x?<script>?&'* && $output == *$'\n?[2J '* ]]
    LC_ALL=C run -1 grep -aq $'[\001-\010\013-\037\177]' <<< "$output"
    grep -q '?\[2J?\]0;x?&lt;script&gt;?&amp;' "$HTML"
    LC_ALL=C run -1 grep -aqE $'[\001-\010\013-\037\177]|<script' "$HTML"
    run -0 grep -q '<td class="cell passed" title="passed without a hint">+</td>' "$HTML"
}

@test "room: what cannot be read is an error that says what to do" {
    room "$BATS_TEST_TMPDIR/none*"
    [[ $status -eq 2 && $output == "error: no file is called "*"  hint    make room FILES="* ]]
    FILES='' run -2 python3 "$ROOT/common/commands/exercise" room
    [[ $output == *"error: room needs files"* ]]
    mkfifo "$BATS_TEST_TMPDIR/pipe"
    room "$BATS_TEST_TMPDIR/pipe"
    [[ $status -eq 2 && $output == *"left out: pipe: it is no file"*"error: no file is a hand-in"* ]]
    head -c 2000000 /dev/zero > "$BATS_TEST_TMPDIR/large"
    handed a 'step05 passed 0'
    handed b
    cp "$BATS_TEST_TMPDIR/in/a.txt" "$BATS_TEST_TMPDIR/in/again.txt"
    room "$BATS_TEST_TMPDIR/large $BATS_TEST_TMPDIR/in"
    [[ $status -eq 0 && $output == *"left out: large: it has more than 1048576 bytes"* ]]
    [[ $output == *"note: again.txt: is shown as a', since another one is of a"* && $output == *$'\nb       .\n'* ]]
}
