load helper.bash

# The generator of the book.  What it makes of the whole repository is looked at by
# `make book-test`, in a browser.

# A small repository: one chapter, its program and kernels, and what every page needs.
setup() {
    find_folders
    export TMPDIR=$BATS_TEST_TMPDIR PYTHONPYCACHEPREFIX=$BUILT/pycache
    unset PYTHONDONTWRITEBYTECODE BUILD
    cd "$BATS_TEST_TMPDIR"
    mkdir -p docs/exercises docs/results/lens docs/pictures steps kernels
    ln -s "$ROOT/docs/book" docs/book
    ln -s "$ROOT/common" common
    printf '%s\n' '# Front' '' 'See [the docs](docs/README.md).' '' '<!-- contents -->' '' \
        '- 01 [some](docs/step01_some.md)' '' '<!-- end -->' '' '[Licence](LICENSE)' > README.md
    printf '%s\n' '# Contents' '' '<!-- end -->' '' '- [Words](glossary.md)' > docs/README.md
    echo 'step01  head  First' > docs/contents.txt
    echo MIT > LICENSE
    printf '%s\n' '# Glossary' '' '| word | meaning | step |' '|---|---|---|' \
        '| **bank**<a id="bank"></a> | A part. | [step 01](step01_some.md) |' \
        '| **bank conflict**<a id="bank-conflict"></a> | A *clash* of "two". | [step 01](step01_some.md) |' \
        '| **latency**<a id="latency"></a> | A time. | [step 01](step01_some.md) |' \
        '| **page**<a id="page"></a> | A unit. | [step 01](step01_some.md) |' \
        '| **integrated**<a id="integrated"></a> GPU | One. | [step 01](step01_some.md) |' \
        '| **fence**<a id="fence"></a> | A line. | [step 02](step01_some.md) |' \
        '| **fence post**<a id="post"></a> | A post. | [step 02](step02_other.md) |' > docs/glossary.md
    sed -i 's/\[step 02\](step01_some.md)/[step 02](step02_other.md)/' docs/glossary.md
    printf '%s\n' '# Step 01: some: thing' '' 'A bank.' > docs/step01_some.md
    printf '%s\n' '# Step 02: other: thing' '' 'A fence.' > docs/step02_other.md
    printf '%s\n' '# Try it' '' 'A bank.' > docs/exercises/step01_some.md
    printf '%s\n' '/* Step 01: some: thing */' '' 'int zebra(void) { return 0; }' > steps/step01_some.c
    echo 'kernel void f(global int *x) { x[0] = 1; }' > kernels/step01_some.cl
}

# with_book CODE : Python that can import the generator's modules.
with_book() {
    PYTHONPATH="$ROOT/common/commands/book" python3 -c "$1"
}

# linked TEXT : with + for a new line, what words.link makes of it as the page of step 01.
linked() {
    TEXT=${1//+/$'\n'} with_book '
import os, pathlib, re, words
found = words.link(os.environ["TEXT"], pathlib.Path("docs/step01_some.md"), words.of_repository())
print(re.sub(r" \"[^\"]*\"\)", ")", found).replace("\n", "+"))'
}

@test "book: the first use of a word leads to the glossary, and no other" {
    while IFS='~' read -r text wanted; do
        echo "$text"
        [ "$(linked "$text")" = "${wanted:-$text}" ]
    done << 'END'
A bank. Banks again.~A [bank](word:bank). Banks again.
Banks and latencies.~[Banks](word:bank) and [latencies](word:latency).
A bank+conflict in a bank.~A [bank+conflict](word:bank-conflict) in a [bank](word:bank).
# A bank++| bank |++`bank` [bank](x.md) <b title="bank">++A bank.~# A bank++| bank |++`bank` [bank](x.md) <b title="bank">++A [bank](word:bank).
A fence on a page.~
One integrated circuit, one integrated GPU.~One integrated circuit, one [integrated GPU](word:integrated).
An embankment, a bank-like thing, BANK.~
<details>+<summary>A bank</summary>++A bank.~<details>+<summary>A bank</summary>++A [bank](word:bank).
<details><summary>A bank</summary>++<b>A</b> bank+conflict, a bank.~<details><summary>A bank</summary>++<b>A</b> [bank+conflict](word:bank-conflict), a [bank](word:bank).
END
    run -0 linked 'x++```c+bank+```++<!-- bank -->'
    [[ $output != *word:* ]]
    run -0 with_book 'import words; print({w.anchor: w.meaning for w in words.of_repository()}["bank-conflict"])'
    [ "$output" = 'A clash of "two".' ]
}

# made PAGE : what the book has of this page of docs/.
made() {
    PAGE=$1 with_book '
import os, pathlib, pages, shelf, sys
book = pages.Book()
path = pathlib.Path(os.environ["PAGE"])
place = shelf.place(path)
lines = pages.lines_of(path, path.read_text().split("\n"))
print("\n".join(line.text for line in book.rewritten(place.name, lines)))
print("\n".join(book.problems), file=sys.stderr)'
}

@test "book: links lead to pages, listings and files of the book" {
    mkdir -p docs/results/release
    touch docs/results/lens/step01.html docs/results/a.csv docs/results/README.md
    printf '%s\n' '[a](../steps/step01_some.c#L3) [b](../kernels/step01_some.cl) [c](glossary.md#bank)' \
        '[d](results/lens/step01.html#t=1) [e](results/a.csv) [f](results/) [g](exercises/)' \
        '[h](../LICENSE) [i](#here) [j](README.md) [k](https://example.org/a) [two' 'lines](step01_some.md)' \
        '`[no](none.md)`' '<!-- gone -->' '## Here' > docs/some.md
    run -0 --separate-stderr made docs/some.md
    diff - <(echo "$output") << 'END'
[a](book:steps/step01_some.c#L3) [b](book:kernels/step01_some.cl) [c](book:glossary#bank)
[d](bookfile:lens/step01.html#t=1) [e](bookfile:results/a.csv) [f](book:results/index) [g](book:exercises/index)
[h](book:LICENSE) [i](book:some#here) [j](book:index) [k](https://example.org/a) [two
lines](book:step01_some)
`[no](none.md)`

## Here
END
    [ -z "$stderr" ]
}

@test "book: a page that is named by its file is named by its title" {
    printf '%s\n' 'See [glossary.md](glossary.md), [docs/glossary.md](glossary.md#bank), [a.md](glossary.md).' > docs/some.md
    run -0 --separate-stderr made docs/some.md
    [ "$output" = 'See [Glossary](book:glossary), [Glossary](book:glossary#bank), [a.md](book:glossary).' ]
}

@test "book: an exercise folds its reasons and its hints" {
    run -0 with_book '
import folding, pages, pathlib
text = """## Predict

1. What?

   - because: so
     it is.
   - on a CPU: it is ... here.

2. Which?

   - a: This.
   - because: no.

## Hints

1. One,
   two.
2. Three."""
lines = pages.lines_of(pathlib.Path("x.md"), text.split("\n"))
print("\n".join(line.text for line in folding.folded(lines, "step01") if line.text))'
    diff - <(echo "$output") << 'END'
## Predict
1. What?
   <details><summary>Why?</summary>
   - because: so
     it is.
   - on a CPU: it is ... here (`make step01 predict` fills this in).
   </details>
2. Which?
   - a: This.
   <details><summary>Why?</summary>
   - because: no.
   </details>
## Hints
<details><summary>Hint 1</summary>
One,
two.
</details>
<details><summary>Hint 2</summary>
Three.
</details>
END
}

@test "book: what a link does not find is named, with the page and its line" {
    printf '%s\n' '# A' '' 'Some [text](none.md) and' '[more](glossary.md#none), [a](#b)' \
        '![p](pictures/none.svg) [l](../steps/step01_some.c#L9)' > docs/some.md
    run -0 made docs/some.md
    for text in 'docs/some.md:3: there is no none.md' 'docs/some.md:4: docs/glossary.md has no #none' \
        'docs/some.md:4: docs/some.md has no #b' 'docs/some.md:5: there is no picture pictures/none.svg' \
        'docs/some.md:5: steps/step01_some.c has no #L9'; do
        grep -qxF "$text" <<< "$output" || { echo "not said: $text"; return 1; }
    done
}

@test "book: a picture becomes a light and a dark one, with its text and its size" {
    printf '%s\n' '<svg width="80" height="20.4"><style>:root{color-scheme:light dark}a{b:c}' \
        '@media (prefers-color-scheme: dark) { a { b: d } .e { f: g } }' 'i{j:k}</style></svg>' > docs/pictures/p.svg
    echo '<svg viewBox="0 0 30 40"></svg>' > docs/pictures/q.svg
    printf '%s\n' '![two "words"' 'of it](../pictures/p.svg)' '![q](../pictures/q.svg)' > docs/exercises/some.md
    run -0 --separate-stderr made docs/exercises/some.md
    local size='alt="two &quot;words&quot; of it" width="80" height="20"'
    [[ $output == *"<img src=\"../pictures/p.light.svg\" $size class=\"only-light\">"* ]]
    [[ $output == *"<img src=\"../pictures/p.dark.svg\" $size class=\"only-dark\">"* ]]
    [[ $output == *'<img src="../pictures/q.svg" alt="q" width="30" height="40">'* ]]
    run -0 with_book 'import pathlib, pictures
for svg in pictures.split(pathlib.Path("docs/pictures/p.svg").read_text()): print(svg.replace("\n", ""))'
    [ "${lines[0]}" = '<svg width="80" height="20.4"><style>:root{color-scheme:light}a{b:c}i{j:k}</style></svg>' ]
    [ "${lines[1]}" = '<svg width="80" height="20.4"><style>:root{color-scheme:dark}a{b:c} a { b: d } .e { f: g } i{j:k}</style></svg>' ]
}

# book : as `make book` runs it.
book() {
    BUILD=${BUILD_HERE:-build} python3 "$ROOT/common/commands/book" "$@"
}

@test "book: without Sphinx it says what is missing, and writes nothing" {
    export BOOK_PYTHON=none
    says 2 'error: missing: Sphinx, MyST, Furo, sphinx-copybutton' \
        python3 -S "$ROOT/common/commands/book"
    [ ! -e build ]
}

needs_sphinx() {
    python3 -c 'import sphinx, myst_parser, furo, sphinx_copybutton' 2> /dev/null ||
        /usr/bin/python3 -c 'import sphinx, myst_parser, furo, sphinx_copybutton' 2> /dev/null ||
        skip "no Sphinx with MyST and Furo, which make book brings"
}

@test "book: the same pages make the same bytes, whatever a broken run has left" {
    needs_sphinx
    echo '<header><script src="../../../common/lens/report/page/page.js"></script>' > docs/results/lens/step01.html
    run -0 book
    [[ $output == "build/book/index.html: 2 chapters, "* ]]
    diff build/book/lens/step01.html - << 'END'
<header>
<a href="../step01_some.html">← Step 01: some: thing</a><script src="page.js"></script>
END
    cmp common/lens/report/page/page.js build/book/lens/page.js
    mkdir other
    cp -r build/book other/first
    mkdir -p build/book.new/x build/book-source/y
    echo half > build/book-source/half.md
    echo old > build/book/old.html
    run -0 book
    diff -r other/first build/book
    [ ! -e build/book.new ] && [ ! -e build/book-source ]
    grep -q 'id="L3"' build/book/steps/step01_some.c.html
    grep -q 'href="steps/step01_some.c.html"' build/book/step01_some.html
    grep -q 'href="../step01_some.html">Chapter<' build/book/steps/step01_some.c.html
    grep -q 'Reading this book' build/book/index.html
    grep -q '"bank conflict":\[\[[0-9]*,"bank-conflict"\]\]' build/book/searchindex.js
    run -1 grep -l 'url(/javascript' -r build/book
    for word in bank thing; do # no listing is found by its words
        grep -q "$word" build/book/searchindex.js
    done
    run -1 grep -q zebra build/book/searchindex.js
}

@test "book: a mistake of a page is named with its line in the repository, and the old book stays" {
    needs_sphinx
    run -0 book
    printf '%s\n' '### Too deep' >> docs/step01_some.md
    says 2 'docs/step01_some.md:4: WARNING: Non-consecutive header level' book
    [ -s build/book/index.html ]
    printf '%s\n' '[x](none.md)' > docs/step01_some.md
    says 2 'docs/step01_some.md:1: there is no none.md' book
}

@test "book: a folder that cannot be written is named" {
    needs_sphinx
    touch file
    BUILD_HERE=file/x says 2 'error: cannot write file/x/book-source/' book
}

@test "book: a printed book needs a book, and an old one stays if Chromium fails" {
    says 2 'error: build/book has no book' book pdf
    mkdir -p build/book bin
    echo '<head></head><article role="main">x</article>' > build/book/index.html
    cp build/book/index.html build/book/step01_some.html
    for page in step02_other exercises/step01_some glossary; do
        mkdir -p "$(dirname "build/book/$page")"
        cp build/book/index.html "build/book/$page.html"
    done
    echo old > build/book/lockstep.pdf
    printf '#!/bin/sh\necho no screen\nexit 3\n' > bin/chromium
    chmod +x bin/chromium
    PATH=$PWD/bin:$PATH says 2 'error: Chromium has printed nothing' book pdf
    [ "$(< build/book/lockstep.pdf)" = old ]
    [ ! -e build/book/printed.html ]
}
