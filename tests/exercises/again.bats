# Lines to be put in order, and old questions that come back.
load helper.bash

# puzzle STEP : the lines as `order` shows them, with their letters, in $output.
puzzle() {
    exercise order "$1" < /dev/null
    [ "$status" -eq 2 ]
    [[ $output == *"error: an order is missing"* ]]
}

# letters STEP : the letters of our own lines, in their order; and in $wrong that of the other one.
letters() {
    local line ours
    puzzle "$1"
    wrong=
    ours=$(sed -n '/^kernel void dot_coalesced/,/^}/p' "$ROOT/kernels/step05_dot_strided.cl" |
        sed -e '1,/ {$/d' -e '/^}/d' -e 's/ *\/\*.*\*\///' -e '/^ *$/d' -e 's/^ *//')
    right=()
    while IFS= read -r line; do
        right+=("$(awk -v line="$line" -v used=" ${right[*]} " '
            /^  [a-z]  / && substr($0, 6) == line && !index(used, " " $1 " ") {
                print $1
                exit
            }' <<< "$output")")
    done <<< "$ours"
    wrong=$(awk -v used="${right[*]}" '/^  [a-z]  / && !index(" " used " ", " " $1 " ") { print $1 }' <<< "$output")
}

@test "order: the lines of a kernel, of which one belongs to a known mistake" {
    letters step05
    [ "${#right[@]}" -eq 9 ]
    [ "${#wrong}" -eq 1 ]
    exercise order step05 <<< "${right[*]}"
    [ "$status" -eq 0 ]
    [[ $output == *"right: now type them into "*$'\n'"next: make step05 exercise" ]]
    grep -q ' step05 ordered$' "$LOCKSTEP_WORK/progress"
    puzzle step05 # the same all day
    grep -q "^  $wrong  " <<< "$output"
    # Another order that is as good; one that is not; the mistake; what is no order.
    local other=("${right[@]:2:2}" "${right[@]:0:2}" "${right[@]:4}")
    exercise order step05 <<< "${other[*]}"
    [[ $status -eq 2 && $output == *"these lines do not compile"* ]] || [ "$status" -eq 0 ]
    other=("${right[@]:0:2}" "${right[3]}" "${right[2]}" "${right[@]:4}")
    exercise order step05 <<< "${other[*]}"
    [ "$status" -eq 0 ]
    exercise order step05 <<< "${right[*]:0:7} ${right[8]} ${right[7]}"
    [[ $status -eq 2 && $output == *"not yet: the first 7 lines are right"* ]]
    exercise order step05 <<< "${right[*]:0:8} $wrong"
    [[ $status -eq 2 && $output == *"$wrong is the line of a known mistake: "* ]]
    exercise order step05 <<< "a b"
    [[ $output == *"9 lines are needed, and you gave 2"* ]]
    exercise order step05 <<< "a a b c d e f g h"
    [[ $output == *"a is there twice"* ]]
    exercise order step05 <<< "a b c d e f g h z"
    [[ $output == *"z is no line"* ]]
    exercise order step02
    [[ $status -eq 2 && $output == *"error: step02 has no lines to be put in order"*"  hint    make step02 hint helps"* ]]
    exercise order step06 < /dev/null # a function, in which the exercise's part is
    [[ ${lines[0]} == "These are the lines of group_sum, shuffled"* ]]
}

# noted DAYS EVENT : so many days ago.
noted() {
    echo "$(date -d "-$1 days" +%F) $2" >> "$LOCKSTEP_WORK/progress"
}

# due : how many questions are asked today.
due() {
    exercise review < /dev/null
    sed -n 's/^1 of \([0-9]\), .*/\1/p' <<< "$output"
}

@test "review: an old question comes back after 1, 3, 7, 16 and 35 days, and sooner if it is missed" {
    exercise review
    [ "$output" = 'no question was answered yet; make step05 predict asks the first ones' ]
    mkdir -p "$LOCKSTEP_WORK"
    local row days=(1 3 7 16 35 35)
    for row in 0 1 2 3 4 5; do
        for before in 1 0; do # a day too early, and on the day
            rm -f "$LOCKSTEP_WORK/progress"
            noted 200 'step05 outcome 1 32 missed'
            [ $row -eq 0 ] || for ((i = 0; i < row; i++)); do
                noted $((days[row] - before)) 'step05 reviewed 1 32 right'
            done
            [ $row -gt 0 ] || sed -i "s/^[^ ]*/$(date -d "-$((1 - before)) days" +%F)/" "$LOCKSTEP_WORK/progress"
            exercise review <<< 32
            if [ $before -eq 1 ]; then
                [[ $output == "nothing is due today; the next question is due on "* ]]
            else
                [[ $output == *"1 of 1, step05: "*"the answer   32       right"* ]]
            fi
        done
    done
    # The answer that was just given is noted, and after a wrong one it begins with a day again.
    grep -q " step05 reviewed 1 32 right$" "$LOCKSTEP_WORK/progress"
    noted 1 'step05 reviewed 1 8 missed'
    exercise review <<< 7
    [[ $output == *"the answer   32       missed"*"docs/step05_dot_strided.md explains it"* ]]
    # At once, a right answer puts nothing off, and a wrong one is noted.
    rm "$LOCKSTEP_WORK/progress"
    noted 0 'step05 outcome 1 32 missed'
    NOW=yes exercise review <<< 32
    [[ $output == *"the answer   32       right"* && $(wc -l < "$LOCKSTEP_WORK/progress") -eq 1 ]]
    NOW=yes exercise review <<< 7
    [ "$(tail -n 1 "$LOCKSTEP_WORK/progress")" = "$(date +%F) step05 reviewed 1 7 missed" ]
    # Three a day, the longest due first.
    rm "$LOCKSTEP_WORK/progress"
    for number in 1 2 3; do
        noted 9 "step05 outcome $number 32 missed"
        noted 8 "step06 outcome $number 32 missed"
    done
    noted 20 'step03 outcome 3 b right'
    exercise review <<< $'b\n1\n1'
    [[ $output == *"1 of 3, step03: "*"2 of 3, step05: "*"3 of 3, step05: "*"4 more are due: make review asks them" ]]
    echo '9999-99-99 step07 outcome 1 3 right' >> "$LOCKSTEP_WORK/progress" # changed by hand
    exercise review <<< $'3\na\n1'
    [ "$status" -eq 0 ]
}
