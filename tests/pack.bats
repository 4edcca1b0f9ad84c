# `make pack`: what a workshop needs.
load helper.bash

setup() {
    command -v pandoc > /dev/null || skip 'there is no pandoc: make pack brings it'
    export BUILD=$BATS_TEST_TMPDIR/build
}

@test "pack: its pages need no network, and all that one leads to is there" {
    cd "$ROOT"
    run -0 python3 common/commands/pack
    [ "$output" = "$BUILD/pack/index.html" ]
    cd "$BUILD/pack"
    for page in index teacher opening card learners slides; do
        [ -s "$page.html" ]
        run ! grep -E '(src|href)="(http|//)|url\(http|@import' "$page.html"
        run ! grep -F '](' "$page.html" # all Markdown was understood
    done
    for target in $(grep -oE 'href="[^"#:]+"' index.html | cut -d '"' -f 2); do
        [ -s "$target" ]
    done
    [ "$(grep -o 'lens/step[0-9a-z]*.html' index.html | paste -s -d ' ' -)" = \
        "lens/step05.html lens/step02.html lens/step03.html lens/step06.html lens/step09.html" ]
    # A page of the lens shows the same wherever it is.
    cp -r "$BUILD/pack" "$BATS_TEST_TMPDIR/stick"
    cd "$BATS_TEST_TMPDIR/stick/lens"
    [ "$(grep -ohE '(src|href)="[^#":]*"' ./*.html | sort -u | wc -l)" -eq 4 ]
    for target in $(grep -ohE '(src|href)="[^#":]*"' ./*.html | cut -d '"' -f 2); do
        [ -s "$target" ]
    done
    cd "$BUILD/pack"
    [ "$(tar tzf lockstep.tar.gz | grep -c '^lockstep/kernels/step05_dot_strided.cl$')" -eq 1 ]
}

@test "pack: the teacher's page has the steps of the plan, in its order" {
    cd "$ROOT"
    PLAN=busy-half-day run -0 python3 common/commands/pack
    [ "$(tr '\n' ' ' < "$BUILD/pack/teacher.html" | grep -oE '<h2 id="[^"]*">[0-9]+b? ' | sed 's/.*>//' |
        paste -s -d '' -)" = "10 10b 11 13 13b 14 " ]
    for part in Misconception Draw Ask Stuck; do
        [ "$(grep -c "<strong>$part</strong>" "$BUILD/pack/teacher.html")" -eq 6 ]
    done
    grep -q 'If something goes wrong' "$BUILD/pack/teacher.html"
    [ "$(grep -c '<strong>Exercise: ' "$BUILD/pack/teacher.html")" -eq 6 ]
    [ "$(grep -c '<strong>Ours:</strong>' "$BUILD/pack/teacher.html")" -eq 6 ]
    PLAN=nosuch run -2 python3 common/commands/pack
    [[ $output == "error: there is no plan nosuch"*"  hint    plans are 90-minutes, half-day, "* ]]
}

@test "pack: each question is a slide, with the right answer among those to vote on" {
    cd "$ROOT"
    PLAN=90-minutes run -0 python3 common/commands/pack
    python3 - "$BUILD/pack/slides.html" << 'END'
import re, sys
slides = re.findall(r"<section.*?</section>", open(sys.argv[1], encoding="utf-8").read(), re.S)
text = [re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", slide)) for slide in slides]
assert len(slides) == 1 + 2 * 9, len(slides)
for asked, answer, plain in zip(slides[1::2], slides[2::2], text[2::2]):
    options = [re.sub(r"\s+", " ", re.sub("<[^>]*>", "", one)).strip()
               for one in re.findall(r"<li>(.*?)</li>", asked, re.S)]
    assert len(options) in (3, 4) and len(set(options)) == len(options), options
    letter, right = re.search(r" ([ABCD]) : (.*?) Because ", plain).groups()
    assert options["ABCD".index(letter)] == right.strip(), (options, plain)
one = next(slide for slide in text if "step 05, question 1 " in slide.lower())
assert re.search(" 1 +4 +8 +32 ", one), one
END
}

@test "pack: without pandoc it says what is missing, and leaves what was there" {
    cd "$ROOT"
    run -0 python3 common/commands/pack
    mkdir "$BATS_TEST_TMPDIR/bin"
    python=$(python3 -c 'import sys; print(sys.executable)')
    PATH=$BATS_TEST_TMPDIR/bin run -2 "$python" common/commands/pack
    [[ $output == "error: missing: pandoc"*"  hint    "* ]]
    [ -s "$BUILD/pack/index.html" ]
}
