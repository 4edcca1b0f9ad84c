load helper.bash

# What the lens shows must not depend on the clang that it finds: each of these was wrong with
# one of clang 18 to 23.

@test "lens: clones of kernels are not among a file's kernels, and their dimensions are seen" {
    says 2 "clones.cl has several kernels" lens kernel "$ROOT/tests/lens/clones.cl"
    [[ $stderr == *"  hint    name one of them: one, two" ]]
    says 2 "has no kernel three" lens kernel "$ROOT/tests/lens/clones.cl" three
    [[ $stderr == *"  hint    it has one, two" ]]
    run -0 lens kernel "$ROOT/tests/lens/clones.cl" two
    [[ $output == *"launch   two("*") --global 64,64 --local 16,16"* ]]
    [[ $output != *clang_ocl* ]]
    run -0 lens kernel "$ROOT/tests/lens/clones.cl" one
    [[ $output == *" --local 256"* ]]
}

@test "lens: of several branches at one place, one that mostly diverges is shown" {
    run -0 lens kernel "$ROOT/tests/lens/one_place.cl" --global 64 --local 64 'one_place(out[64]=0, n=1)'
    [[ $output == *"  2 of 20"$'\n'* ]] # two warps: a branch each that diverges, and 9 that do not
    local sentence=${output//$'\n'/ } # where it is broken depends on the length of the file's name
    [[ $sentence == *"Lanes wait: one_place, line 11 of "*"/one_place.cl splits a warp"* ]]
    [[ $output == *"11  ################################  SOME_LANES_AGAIN("* ]]
    [[ $output == *"11  #.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.  SOME_LANES_AGAIN("* ]]
    run -0 lens kernel "$ROOT/kernels/step06_reduce_local.cl" reduce_local_divergent
    sentence=${output//$'\n'/ }
    [[ $sentence == *"Lanes wait: reduce_local_divergent, line 23 of "*"/step06_reduce_local.cl splits a warp"* ]]
    # Of a long path the end is what tells.
    local far=$BATS_TEST_TMPDIR/a_folder_with_a_long_name/another_folder_with_a_long_name/and_yet_another_one
    mkdir -p "$far"
    cp "$ROOT/tests/lens/one_place.cl" "$far"
    run -0 lens kernel "$far/one_place.cl" --global 64 --local 64 'one_place(out[64]=0, n=1)'
    [[ ${output//$'\n'/ } == *", line 11 of .../"*"/and_yet_another_one/one_place.cl splits a warp"* ]]
    # In all of them lines are counted as before.
    run -0 lens --all kernel "$ROOT/tests/lens/one_place.cl" --global 64 --local 64 'one_place(out[64]=0, n=1)'
    [[ $output =~ branch\ +2\ of\ 20\ diverged ]]
}

# accesses KERNEL : what a kernel of step 18c loads and stores, by line, and its requests and bytes.
# How far a long loop is unrolled, and so how often it branches, is each processor's with clang 18.
accesses() {
    lens --format tsv kernel "$ROOT/kernels/step18c_matmul_packed.cl" "$1(m=24, n=64, k=64)" |
        awk -F '\t' '
            $1 == "row" { for (i = 1; i <= NF; i++) name[i] = $i }
            $1 == "load" || $1 == "store" { print }
            $1 == "total" {
                line = $1
                for (i = 2; i <= NF; i++)
                    if ($i != "" && name[i] !~ /^branches/) line = line " " name[i] "=" $i
                print line
            }'
}

# The text is made for another processor, and the program for this one.
@test "lens: a vector is one access, whichever processor the compiler makes it for" {
    local number real=clang target=aarch64 folder=$BATS_TEST_TMPDIR kernel
    [ "$(uname -m)" != aarch64 ] || target=x86_64
    for ((number = 40; number >= 15; number--)); do
        ! command -v clang-$number > /dev/null || real=clang-$number
    done
    "$real" --print-targets | grep -q "^ *${target/_/-} " || skip "a clang for this processor alone"
    "$real" -x cl -S -emit-llvm -o - /dev/null | grep '^target ' > "$folder/target"
    cat > "$folder/clang" <<- END_OF_CLANG
	#!/bin/sh
	case " \$* " in
	    *' -emit-llvm '* | *' -emit-pch '*) "$real" --target=$target-linux-gnu "\$@" || exit ;;
	    *) exec "$real" "\$@" ;;
	esac
	for file; do
	    case \$file in
	        *.ll)
	            grep -q '^target triple = "$target' "\$file" || exit
	            echo "\$file" >> "$folder/made"
	            sed -i -e '/^target /d' -e "1r $folder/target" "\$file" ;;
	    esac
	done
	END_OF_CLANG
    chmod +x "$folder/clang"
    for kernel in matmul_tile matmul_row; do
        accesses "$kernel" > "$folder/here"
        LENS_CLANG=$folder/clang accesses "$kernel" > "$folder/there"
        diff "$folder/here" "$folder/there"
        [ "$(grep -c ^load "$folder/here")" -ge 2 ] && grep -q '^total .*=' "$folder/here"
    done
    [ "$(grep -c "/kernel.ll$" "$folder/made")" -ge 2 ]
}

# (clang 22 does so with what it moves out of a loop.)
@test "lens: an access that has lost its place is shown by the way to it, and not at line 0" {
    local number real=clang
    for ((number = 40; number >= 15; number--)); do
        ! command -v clang-$number > /dev/null || real=clang-$number
    done
    cat > "$BATS_TEST_TMPDIR/clang" <<- END_OF_CLANG
	#!/bin/sh
	$real "\$@" || exit
	for file; do
	    case \$file in
	        *kernel.ll) sed -i '/idxprom\| float[ ,]\|^  br label /s/, !dbg ![0-9]*//' "\$file" ;;
	    esac
	done
	END_OF_CLANG
    chmod +x "$BATS_TEST_TMPDIR/clang"
    LENS_CLANG=$BATS_TEST_TMPDIR/clang run -0 lens --format tsv kernel "$ROOT/tests/lens/no_place.cl" \
        --global 64 --local 64 'no_place(x[64]=random, out[64]=0, n=64)'
    awk -F '\t' '
        $1 == "row" { for (i = 1; i <= NF; i++) at[$i] = i }
        ($1 == "load" || $1 == "store") && $at["line"] == 4 { found++ }
        END { exit found != 2 }' <<< "$output"
}
