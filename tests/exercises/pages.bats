# What every exercise's page must hold.
load helper.bash

@test "exercises: every step from 01 on has one, with its cheats, and no page is an orphan" {
    cd "$ROOT"
    for step in steps/step*.c; do
        stem=$(basename "$step" .c)
        case $stem in step00_*) continue ;; esac
        [ -f "docs/exercises/$stem.md" ] || { echo "$stem has no exercise"; return 1; }
        [ -f "tests/cheats/$stem.md" ] || { echo "$stem has no cheats"; return 1; }
        for test in exercise_begins exercise_solved cheats_fail predictions_hold hints_help; do
            grep -q "^    .*$test" "tests/$stem.bats" || { echo "tests/$stem.bats lacks $test"; return 1; }
        done
    done
    for page in docs/exercises/*.md tests/cheats/*.md; do
        [ -f "steps/$(basename "$page" .md).c" ] || { echo "orphan: $page"; return 1; }
    done
}

@test "exercises: a page says what its plain file has programs look at" {
    cd "$ROOT"
    for plain in docs/exercises/*.txt; do
        page=${plain%.txt}.md
        [ -f "$page" ] || { echo "orphan: $plain"; return 1; }
        text=$(sed -n '/^## Rule/,/^## Start/p' "$page" | paste -s -d ' ' -)
        for part in "$(sed -n 's/^rule  *//p' "$plain")" "make $(basename "$plain" | cut -d_ -f1) check" \
            "[${plain##*/}](${plain##*/})"; do
            [[ $text == *"$part"* ]] || { echo "$page lacks: $part"; return 1; }
        done
        counted=$(awk '/^[^ #]/ { inside = $1 == "count" } inside && /^    /' "$plain")
        [ -n "$counted" ]
        while IFS='|' read -r kernel access count limit ours; do
            read -r kernel _ <<< "$kernel"
            limit=${limit//[!0-9.]/} access=$(echo $access)
            [[ $ours =~ ^\ ours\ [0-9.]+$ ]]
            [[ $kernel == host || $text == *"\`$kernel\`"* ]] || { echo "$page lacks $kernel"; return 1; }
            [[ $access == "wait for a "* || $access == branch || $text == *"${access##* }\`"* ]] ||
                { echo "$page lacks $access"; return 1; }
            [[ ${text//,/} == *" $limit "* ]] || { echo "$page lacks $limit"; return 1; } # 20,000 in prose
        done <<< "$counted"
    done
    for page in docs/exercises/*.md; do
        [ -f "${page%.md}.txt" ] || { echo "$page has no plain file"; return 1; }
    done
}

@test "exercises: times are measured in every step but 01, which has none" {
    cd "$ROOT"
    for plain in docs/exercises/*.txt; do
        case $plain in */step01_*) continue ;; esac
        grep -q '^measure .* | ' "$plain" || { echo "$plain measures nothing"; return 1; }
    done
}

@test "exercises: what a change is worth is stored, and no question asks about the reader's device" {
    cd "$ROOT"
    [ "$(grep -h '^worth ' docs/exercises/*.txt | wc -l)" -ge 10 ]
    while IFS=: read -r plain variants; do
        stem=$(basename "$plain" .txt)
        for variant in "${variants% | *}" "${variants#* | }"; do
            grep -hF "\"$stem\",\"$variant\"," docs/results/nvidia-h[12]00.csv |
                grep -qE ',[0-9]+,[0-9]+,[0-9.]+,' ||
                { echo "$plain: no stored row \"$variant\""; return 1; }
        done
    done < <(grep '^worth ' docs/exercises/*.txt | sed 's/:worth  */:/')
    run -1 grep -n 'your device' docs/exercises/*.md
}

@test "exercises: steps 01 to 05 ask why, once, with three answers" {
    cd "$ROOT"
    for plain in docs/exercises/step0[1-5]_*.txt; do
        [ "$(grep -cE '^predict  *[1-9] why [|] [abc]$' "$plain")" -eq 1 ] || { echo "$plain asks no why"; return 1; }
        for letter in a b c; do
            [ "$(grep -c "^   - $letter: " "${plain%.txt}.md")" -eq 1 ] ||
                { echo "${plain%.txt}.md lacks answer $letter"; return 1; }
        done
    done
}

@test "exercises: marked parts open and close in turn, once for each block of the page" {
    cd "$ROOT"
    for page in docs/exercises/*.md; do
        stem=$(basename "$page" .md)
        file=kernels/$stem.cl
        grep -qF '/* exercise { */' "$file" || file=steps/$stem.c
        parts=$(awk '/\/\* exercise { \*\//  { if (open++) exit 1; parts++ }
                     /\/\* } exercise \*\// { if (open-- != 1) exit 1 }
                     END { if (open) exit 1; print parts + 0 }' "$file")
        blocks=$(awk '/^## / { start = $2 == "Start" } start && /^```c$/ { n++ } END { print n + 0 }' "$page")
        [ "$parts" -ge 1 ] && [ "$parts" = "$blocks" ] || { echo "$page: $parts parts, $blocks blocks"; return 1; }
    done
}

@test "exercises: a question about a ratio names the GPU whose stored rows it is asked of" {
    cd "$ROOT"
    PYTHONPATH=common/commands/exercise python3 -B - > "$BATS_TEST_TMPDIR/asked" << 'END'
import cards, pathlib, re

for plain in sorted(pathlib.Path("docs/exercises").glob("*.txt")):
    questions = plain.with_suffix(".md").read_text().split("## Predict")[1]
    for number, rows in re.findall(r"^predict +(\d) measured [^|]*\|(.*)$", plain.read_text(), re.M):
        stored = cards.stored(plain.stem, [variant.strip() for variant in rows.split("|")])
        question = re.search(rf"^{number}\. .*?\n\n", questions, re.M | re.S)
        print(plain.stem, number, stored.card, *re.findall(r"\bH\d+", question[0]))
END
    cat "$BATS_TEST_TMPDIR/asked"
    [ "$(wc -l < "$BATS_TEST_TMPDIR/asked")" -ge 30 ]
    grep -q ' H100 ' "$BATS_TEST_TMPDIR/asked"
    [ -z "$(awk '{ for (i = 4; i <= NF; i++) if ($i != $3) print } NF < 4' "$BATS_TEST_TMPDIR/asked")" ]
}
