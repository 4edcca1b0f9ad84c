load helper.bash

# docs/wild.md: mistakes as they were found in other people's kernels.

# The page's commands, each with what the page says that it prints: in $commands and $prints.
read_page() {
    local line block='' text=''
    commands=() prints=()
    while IFS= read -r line; do
        case $line in
            '```sh' | '```text') block=${line#'```'} text='' ;;
            '```'*)
                [ "$block" != sh ] || commands+=("$text") prints+=('')
                [ "$block" != text ] || prints[-1]=$text
                block=''
                ;;
            *) [ -z "$block" ] || text+=${text:+$'\n'}$line ;;
        esac
    done < docs/wild.md
}

# How often a mistake happens depends on the compiler.
@test "wild: every command of the page prints what the page shows" {
    local i found=0 silent=0
    read_page
    for i in "${!commands[@]}"; do
        [[ ${commands[i]} == 'build/lens kernel '* ]] || continue
        echo "${commands[i]}"
        run bash -c "${commands[i]/#build\//}"
        [ -n "${prints[i]}" ]
        output=$(grep -v '^  times ' <<< "$output")
        [[ $output == *"$(grep -v '^  times ' <<< "${prints[i]}")"* ]] || { echo "$output"; return 1; }
        case ${prints[i]} in
            'error: '*) [ "$status" -eq 1 ] && found=$((found + 1)) ;;
            'no mistake found in 1 launch') [ "$status" -eq 0 ] && silent=$((silent + 1)) ;;
            *) [ "$status" -eq 0 ] ;;
        esac
    done
    [ "$found" -eq 3 ]
    [ "$silent" -eq 4 ] # three repairs, and the launch in which the first mistake does not show
}

# (An image has no size that --all-sizes could choose.)
@test "wild: mistakes are found at the smallest size too, and repairs are silent at every size" {
    local file mistaken repaired arguments
    while read -r file mistaken repaired arguments; do
        run -1 lens kernel "kernels/wild/$file.cl" "$mistaken$arguments" --all-sizes
        [[ $output == *"error: $mistaken: data race: "* ]]
        run -0 lens kernel "kernels/wild/$file.cl" "$repaired$arguments" --all-sizes
        [[ $output == *$'\nno data race, out-of-bounds access or uninitialised read in '* ]]
    done << 'END'
tree_rounds row_sum_hurried row_sum (x[items],sums[groups],part[local])
last_group histogram_unfenced histogram (x[items],parts[8*groups],finished[1],total[8])
END
}

@test "wild: the table of sums has those of warps from 64 lanes to 4" {
    local lanes sums=()
    for lanes in 64 32 16 8 4; do
        run -0 lens kernel kernels/wild/tree_rounds.cl 'row_sum_hurried(x[64]=1, sums[1], part[64])' \
            --global 64 --local 64 --lanes $lanes --order first --check
        [[ $output =~ sums\[1\]:\ ([0-9]+) ]]
        sums+=("${BASH_REMATCH[1]}")
    done
    [[ $(< docs/wild.md) == *"| the sum of 64 ones | ${sums[0]} | ${sums[1]} | ${sums[2]} | ${sums[3]} | ${sums[4]} |"* ]]
}

@test "wild: docs/cllens.md shows what the first one prints" {
    run -1 lens --races kernels/wild/tree_rounds.cl 'row_sum_hurried(x[64], sums[1], part[64])' \
        --global 64 --local 64
    output=$(grep -v '^  times ' <<< "error: ${output#*error: }")
    [[ $(grep -v '^  times ' docs/cllens.md) == *"$output"* ]]
}
