load helper.bash

# docs/for-you.md: a command for each reader.

# The page's commands, and in $prints what the page says that each of them prints, with a line of
# dashes between two parts.
read_page() {
    local line block='' text=''
    commands=() prints=()
    while IFS= read -r line; do
        case $line in
            '```sh' | '```yaml' | '```text') block=${line#'```'} text='' ;;
            '```'*)
                case $block in
                    text) prints[-1]+=${prints[-1]:+$'\n--\n'}$text ;;
                    ?*) commands+=("$text") prints+=('') ;;
                esac
                block=''
                ;;
            *) [ -z "$block" ] || text+=${text:+$'\n'}$line ;;
        esac
    done < docs/for-you.md
}

# in_order PARTS : the parts are in $output, each behind the one before.
in_order() {
    local rest=$output part=''
    while IFS= read -r line; do
        if [ "$line" != -- ]; then
            part+=${part:+$'\n'}$line
            continue
        fi
        [[ $rest == *"$part"* ]] || return 1
        rest=${rest#*"$part"}
        part=''
    done <<< "$1"$'\n--'
}

@test "for-you: every command of the page prints what the page shows" {
    cd "$ROOT"
    unset MAKEFLAGS MFLAGS MAKELEVEL FLAGS
    local i command statuses=''
    read_page
    for i in "${!commands[@]}"; do
        command=${commands[i]/#build\//}
        command=${command/#- run: cllens/lens}
        [ "$BUILT" = "$ROOT/build" ] || command=${command//build\//$BUILT/}
        case $command in
            'make step05 run') command+=" ARGS='--size 1000000 --repeats 1'" ;; # as on a CPU
        esac
        echo "$command"
        run bash -c "$command"
        statuses+=" $status"
        output=$(printf '%s\n' "$output" | sed 's/ in [0-9]*ms$//')
        in_order "${prints[i]}" || { echo "$output"; return 1; }
    done
    [ "$statuses" = ' 0 0 2 0 0 0 0' ] # the third is a verdict: make ends with 2, as it always does
}

@test "for-you: the page of the lens asks for nothing from a network" {
    cd "$ROOT"
    lens --html "$BATS_TEST_TMPDIR/dot.html" kernels/step05_dot_strided.cl 'dot_contiguous(n=65536)' \
        --global 4096
    [[ $(< "$BATS_TEST_TMPDIR/dot.html") == *dot_contiguous* ]]
    run -0 grep -oE 'https?://[^"< ]*' "$BATS_TEST_TMPDIR/dot.html"
    [ "$(sort -u <<< "$output")" = http://www.w3.org/2000/svg ] # a name, not an address
}
