"""browse: opens a page of `lens --html` in Chromium, and does what a reader would do.

    browse.py check PAGE                            prints "ok", or what is wrong
    browse.py widths PAGE#t=1                       the same, of its widths alone
    browse.py use PAGE                              the same, of a page whose launch 0
                                                    reads 32 sectors, and whose launches
                                                    1 and 2 differ in their groups alone
    browse.py race PAGE                             the same, of a page with a race
    browse.py shot PAGE#t=1 FILE.png 1280x800 dark  takes a picture

The browser is that of tests/browser.py."""
import base64
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from browser import Browser, scratch

ARROW_RIGHT, ARROW_LEFT, TAB = "\ue014", "\ue012", "\ue004"


def line(browser):
    """The number of the line that is marked, and the step that is shown.  The page
    writes its address some time after the last step."""
    time.sleep(0.25)
    return browser.do("""const row = document.querySelector('[aria-current=step]');
        return [row ? +row.querySelector('.number').textContent : 0,
            +location.hash.match(/t=(\\d+)/)[1], +document.getElementById('slider').value];""")


def widths(browser):
    """Of the page that is open: is it as wide as the screen, at each of these steps?"""
    problems = []
    for width in (360, 768, 1280):
        browser.be(width, 740)
        for step in (1, 4, 9, 99999):
            browser.do("location.hash = location.hash.replace(/t=.*/, 't=%d'); "
                       "window.dispatchEvent(new Event('hashchange'))" % step)
            wide = browser.do("return document.documentElement.scrollWidth")
            if wide > width:
                problems.append(f"{width} pixels, step {step}: the page has {wide}")
    return problems


def check(browser, page):
    problems = []

    def want(is_so, what):
        if not is_so:
            problems.append(what)

    browser.be(1280, 800)
    browser.open(page)
    count, cut = browser.do("""const foot = document.querySelector('footer').offsetTop;
        const drawn = [...document.querySelectorAll('#memory .cells, .banks > *')];
        return [drawn.length, drawn.filter(part =>
            part.getBoundingClientRect().bottom > foot).length]""")
    want(count and not cut, f"{cut} of {count} parts of the picture are behind the buttons")
    browser.do("location.hash = 't=1'; window.dispatchEvent(new Event('hashchange'))")
    first = line(browser)
    browser.press(ARROW_RIGHT, ARROW_RIGHT, ARROW_RIGHT)
    third = line(browser)
    want(third[2] == first[2] + 3, f"three times to the right: {first} became {third}")
    lines = {first[0], third[0]}
    for _ in range(6):
        browser.press(ARROW_RIGHT)
        lines.add(line(browser)[0])
    want(len(lines) > 1, f"the keys move no line: {lines}")
    browser.press(*[ARROW_LEFT] * 9)
    want(line(browser) == first, f"back again: {first} became {line(browser)}")

    last = browser.do("""const slider = document.getElementById('slider');
        slider.value = slider.max; slider.dispatchEvent(new Event('input'));
        return document.getElementById('said').textContent;""")
    want(last == "The group has ended.", f"at the slider's end: {last}")
    differ = browser.do("""return [...document.querySelectorAll('#totals tbody tr')]
        .filter(row => row.cells[1].textContent !== row.cells[2].textContent)
        .map(row => row.textContent);""")
    want(not differ, f"totals at the end: {differ}")

    browser.do("location.hash = 't=5'; window.dispatchEvent(new Event('hashchange'))")
    want(line(browser)[1] == 5, f"#t=5 led to {line(browser)}")
    browser.open(page + "#t=7")
    browser.call("POST", "/refresh", {})
    want(line(browser)[1] == 7, f"#t=7 in the address led to {line(browser)}")

    browser.do("document.activeElement.blur()")
    before = line(browser)[2]
    browser.press(" ")
    time.sleep(0.7)
    browser.press(" ")
    stopped = line(browser)[2]
    want(stopped > before, "the space bar plays nothing")
    time.sleep(0.5)
    want(line(browser)[2] == stopped, "the space bar does not stop it")

    reached = set()
    for _ in range(25):
        browser.press(TAB)
        reached.add(browser.do("return document.activeElement.id"))
    for name in ("follow", "theme", "source", "beside", "slider", "play", "on"):
        want(name in reached, f"the keyboard does not reach {name}: {reached}")
    browser.do("document.getElementById('slider').focus()")
    before = line(browser)[2]
    browser.press(ARROW_RIGHT)
    want(line(browser)[2] == before + 1, "an arrow on the slider is not one step")

    theme = "return getComputedStyle(document.documentElement).backgroundColor"
    colours = []
    for scheme in ("light", "dark"):
        browser.prefer(scheme)
        colours.append(browser.do(theme))
    browser.do("document.getElementById('theme').click()")
    want(colours[0] != colours[1], "the browser's preference has no effect")
    want(browser.do(theme) == colours[0], "the button does not change the theme")

    return problems + widths(browser) + browser.messages()


def text(browser, name):
    return browser.do("return document.getElementById(arguments[0]).textContent", name)


def addresses(browser, page):
    """A kernel that is not in the page: the one that it opens with."""
    browser.open(page)
    wanted = text(browser, "kernel") + text(browser, "said")
    for number in ("99", "-1", "0.5", "", "length", "1e0x", "toString"):
        browser.open("about:blank")
        browser.open(f"{page}#k={number}")
        if text(browser, "kernel") + text(browser, "said") != wanted:
            yield f"#k={number} opens {text(browser, 'kernel')!r}"
    browser.open("about:blank")
    browser.open(page + "#k=2&t=2")
    where = text(browser, "where")
    if not where.startswith("step 2 of "):
        yield f"#k=2&t=2 opens {where!r}"


def lists(browser, page):
    """Entries differ; an arrow in a list is one step, and no other kernel."""
    browser.open(page + "#k=0&t=1")
    labels = browser.do("""return [...document.querySelectorAll('#choice option')]
        .map(option => option.textContent)""")
    if len(set(labels)) < len(labels):
        yield f"equal entries: {labels}"
    if not any("=1,000,000 " in label for label in labels):
        yield f"no commas in {labels}"
    for number in (32, 16):
        if f"chunks, groups of {number} (rounds=32)" not in labels:
            yield f"no groups of {number} in {labels}"
    for name, value in (("choice", "2"), ("follow", "1")):
        browser.do("""const list = document.getElementById(arguments[0]);
            list.focus(); list.value = arguments[1];
            list.dispatchEvent(new Event('change', {bubbles: true}));""", name, value)
        before = line(browser)[2], text(browser, "kernel"), text(browser, "launch")
        browser.press(ARROW_RIGHT)
        after = line(browser)[2], text(browser, "kernel"), text(browser, "launch")
        if after != (before[0] + 1, *before[1:]):
            yield f"behind {name}, an arrow goes from {before} to {after}"
        browser.do("""const list = document.getElementById(arguments[0]);
            list.dispatchEvent(new Event('pointerdown'));
            list.dispatchEvent(new Event('change'));""", name)
        if browser.do("return document.activeElement.id") != "slider":
            yield f"{name} keeps the keys of who chose with the mouse"


def opening(browser, page):
    """The worst access, all of its sectors on the screen, and the ideal below them."""
    browser.open("about:blank")
    browser.open(page)
    said = text(browser, "said")
    if "32 sectors, where 4 would do" not in said:
        yield f"it opens with: {said}"
    cut = browser.do("""const foot = document.querySelector('footer').offsetTop;
        return [...document.querySelectorAll('#memory .cells')]
            .filter(cells => cells.getBoundingClientRect().bottom > foot).length""")
    count = browser.do("return document.querySelectorAll('#memory .cells').length")
    if (cut, count) != (0, 32 + 4):
        yield f"{cut} of {count} sectors are behind the buttons"
    would = browser.do("return document.querySelectorAll('#memory .would').length")
    if would != 32:
        yield f"the ideal has {would} words of 32"
    name = browser.do("""const memory = document.getElementById('memory');
        return memory.getAttribute('role') + ': ' + memory.getAttribute('aria-label')""")
    if name != f"img: {said}":
        yield f"the picture's name is {name}"
    wide = browser.do("""return [...document.querySelectorAll('#source .text')]
        .filter(text => text.scrollWidth > text.clientWidth + 1).length""")
    if wide:
        yield f"{wide} lines of the source are cut"
    launch = text(browser, "launch")
    for words in ("2,048 work-items", "This is group 0, the first of "):
        if words not in launch:
            yield f"{launch} has no {words!r}"
    browser.do("document.getElementById('welcome-away').click()")
    browser.open("about:blank")
    browser.open(page)
    if not browser.do("return document.getElementById('welcome').hidden"):
        yield "what was sent away comes again"


def bars(browser, page):
    """A click on a bar leads to its step."""
    browser.open(page + "#k=0&t=1")
    where = browser.do("""const strip = document.getElementById('strip');
        const box = strip.getBoundingClientRect();
        const stops = +document.getElementById('slider').max + 1;
        strip.dispatchEvent(new MouseEvent('click', {bubbles: true,
            clientX: box.left + box.width * 2.5 / stops, clientY: box.top + 9}));
        return +document.getElementById('slider').value""")
    if where != 2:
        yield f"the third bar leads to stop {where}"


POINT = """const [name, kind] = arguments;
    document.querySelector(name).dispatchEvent(new PointerEvent(kind,
        {bubbles: true, pointerType: 'mouse'}));"""


def pointing(browser, page):
    """A lane and what it wants are lit together; a line lights its bars; a bar tells its
    step; and a line that is clicked is gone to."""
    browser.open("about:blank")
    browser.open(page + "#k=0")
    lit = """return [...document.querySelectorAll('.lit')]
        .map(element => element.className.split(' ')[0] + element.dataset.lanes)"""
    for name in ("#lanes .lane[data-lanes='9']", "#memory .cell[data-lanes='9']"):
        browser.do(POINT, name, "pointerover")
        if browser.do(lit) != ["lane9", "cell9"]:
            yield f"{name} lights {browser.do(lit)}"
        title = text(browser, "lanes-title")
        if title != "Lane 9, item 9 of its group, loads x[288]":
            yield f"lane 9 is called {title!r}"
    browser.do(POINT, "#beside", "pointerleave")
    if browser.do(lit) or not text(browser, "lanes-title").startswith("Warp 0 of 8"):
        yield f"what was pointed at stays lit: {browser.do(lit)}"
    bars = """const strip = document.getElementById('strip');
        const copy = document.createElement('canvas').getContext('2d',
            {willReadFrequently: true});
        copy.canvas.width = strip.width; copy.canvas.height = strip.height;
        copy.drawImage(strip, 0, 0);
        return copy.getImageData(0, 0, strip.width, strip.height)
            .data.filter((part, i) => i % 4 === 3 && part === 255).length"""
    before = browser.do(bars)
    browser.do(POINT, "#source .row.has:not(.at)", "pointerover")
    if not 0 < browser.do(bars) < before:
        yield f"a line lights {browser.do(bars)} of {before} points of the bars"
    browser.do(POINT, "#source", "pointerleave")
    if browser.do(bars) != before:
        yield "the bars stay pale"
    browser.do("""const strip = document.getElementById('strip');
        strip.dispatchEvent(new PointerEvent('pointermove', {bubbles: true,
            clientX: strip.getBoundingClientRect().left + 2}))""")
    if not text(browser, "where").startswith("step 1: Warp 0 "):
        yield f"the first bar tells {text(browser, 'where')!r}"
    browser.do(POINT, "#strip", "pointerleave")
    if " of warp 0" not in text(browser, "where"):
        yield f"after that, it tells {text(browser, 'where')!r}"
    wanted = browser.do("""const row = document.querySelector('.row.has:not(.at)');
        row.click(); return +row.querySelector('.number').textContent""")
    if line(browser)[0] != wanted:
        yield f"a click on line {wanted} leads to line {line(browser)[0]}"


def legend(browser, page):
    """Only what the bars show is explained."""
    browser.open("about:blank")
    browser.open(page + "#k=0")
    shown = browser.do("""return [...document.querySelectorAll('#legend li')]
        .filter(item => item.offsetWidth).map(item => item.textContent)""")
    if shown != ["costs more than its ideal"]:
        yield f"the legend is {shown}"


def narrow(browser, page):
    """On a telephone: five lines around the marked one, the sentence, the picture, and
    the lanes, from top to bottom, and some of the picture above the buttons."""
    browser.be(360, 740)
    browser.open("about:blank")
    browser.open(page + "#k=0")
    tops = browser.do("""return ['source', 'said', 'of-memory', 'of-lanes']
        .map(name => document.getElementById(name).getBoundingClientRect().top)""")
    if tops != sorted(tops):
        yield f"at 360 pixels the parts begin at {tops}"
    seen = browser.do("""const foot = document.querySelector('footer')
            .getBoundingClientRect().top;
        const box = document.getElementById('source').getBoundingClientRect();
        const inside = (row, top, bottom) => row.getBoundingClientRect().top >= top - 1
            && row.getBoundingClientRect().bottom <= bottom + 1;
        return [[...document.querySelectorAll('.row')]
                .filter(row => inside(row, box.top, box.bottom)).length,
            [...document.querySelectorAll('.row.at')]
                .filter(row => inside(row, box.top, box.bottom)).length,
            [...document.querySelectorAll('#memory .cells')]
                .filter(cells => inside(cells, 0, foot)).length]""")
    if seen[0] not in (5, 6) or seen[1] != 1 or seen[2] < 8:
        yield f"at 360 pixels one sees {seen}: lines, the marked one, and sectors"
    browser.be(1280, 800)


def printed(browser, page):
    """On paper: all of the picture, light, nothing that only a screen has, and colours
    that are the message are printed."""
    browser.open(page + "#k=0")
    browser.prefer("dark")
    browser.print_out(True)
    for width, height in ((720, 1040), (1040, 720)):
        browser.be(width, height)
        facts = browser.do("""const of = (name, what) => getComputedStyle(
                document.querySelector(name))[what];
            const paper = document.documentElement.getBoundingClientRect().bottom;
            return [of('footer', 'display'), of('.choices', 'display'),
                of('html', 'backgroundColor'), of('.lane.work', 'printColorAdjust'),
                of('.cell.used', 'printColorAdjust'), of('#beside', 'overflowY'),
                [...document.querySelectorAll('#memory .cells, #totals tr')]
                    .filter(cell => cell.getBoundingClientRect().bottom > paper).length,
                document.documentElement.scrollWidth <= innerWidth]""")
        if facts != ["none", "none", "rgb(247, 246, 242)", "exact", "exact", "visible",
                     0, True]:
            yield f"printed with a width of {width}: {facts}"
    browser.print_out(False)
    browser.be(1280, 800)


# WCAG 2.1: contrast of a text with what lies behind it.
CONTRAST = """
    const pen = document.createElement('canvas').getContext('2d',
        {willReadFrequently: true});
    const colour = text => {
        pen.clearRect(0, 0, 1, 1); pen.fillStyle = text; pen.fillRect(0, 0, 1, 1);
        return [...pen.getImageData(0, 0, 1, 1).data];
    };
    const light = ([r, g, b]) => [r, g, b].map(part => part / 255)
        .map(part => part <= .03928 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4)
        .reduce((sum, part, i) => sum + part * [.2126, .7152, .0722][i], 0);
    const behind = element => {
        const own = colour(getComputedStyle(element).backgroundColor);
        return own[3] === 255 ? own : behind(element.parentElement);
    };
    return arguments[0].flatMap(name => [...document.querySelectorAll(name)])
        .filter(element => element.textContent.trim() && element.offsetWidth)
        .map(element => {
            const [one, other] = [colour(getComputedStyle(element).color),
                behind(element)].map(light).sort((a, b) => b - a);
            return [(one + .05) / (other + .05), element.className, element.textContent];
        }).filter(found => found[0] < 4.5)"""


def contrasts(browser, page):
    for theme in ("light", "dark"):
        browser.prefer(theme)
        browser.open("about:blank")
        browser.open(page)
        weak = browser.do(CONTRAST, [".badge", ".number", ".note", ".word", ".words",
                                     "#said span", "#launch", "h2", ".from", "#totals *",
                                     "summary", "#where", ".lane.work", ".cell.used"])
        if weak:
            yield f"{theme}: too pale: {weak}"


def use(browser, page):
    browser.be(1280, 800)
    problems = []
    for look in (addresses, lists, opening, pointing, legend, bars, narrow, printed,
                 contrasts):
        problems += look(browser, page)
    return problems + browser.messages()


def race(browser, page):
    """Both accesses are shown, and a button leads to each of them."""
    browser.be(1280, 800)
    browser.open(page)
    problems, seen = [], []
    rows = browser.do("""return [...document.querySelectorAll('#mistakes .pair .cells')]
        .map(cells => [...cells.children].map(cell => +cell.matches('.wrong.used')))""")
    if len(rows) != 2 or rows[0] != rows[1] or sum(rows[0]) != 1:
        problems.append(f"the two accesses are drawn as {rows}")
    for number in (0, 1):
        browser.do("document.querySelectorAll('#mistakes button')[arguments[0]].click()",
                   number)
        seen.append((line(browser)[0], text(browser, "said").split(",")[0],
                     browser.do("return document.querySelectorAll("
                                "'#memory .cell.wrong.used').length")))
    wanted = browser.do("""return [...document.querySelectorAll('#mistakes p')]
        .map(p => p.textContent.match(/^line (\\d+): item \\d+ of group 0 (\\w+)/))
        .filter(found => found).map(found => [+found[1], found[2]])""")
    for (at, said, marked), (number, verb) in zip(seen, wanted):
        if at != number or marked != 1 or \
                {"reads": "loads", "writes": "stores"}[verb] not in said:
            problems.append(f"'{verb}' in line {number} leads to line {at}: {said}, "
                            f"{marked} words marked")
    if len(wanted) != 2 or seen[0] == seen[1]:
        problems.append(f"the accesses are {wanted}, and lead to {seen}")
    browser.open("about:blank")
    browser.open(page)
    if line(browser)[0] != wanted[0][0]:
        problems.append(f"it opens at line {line(browser)[0]}, not at {wanted[0]}")
    return problems + browser.messages()


def main():
    page, _, at = sys.argv[2].partition("#")
    address = pathlib.Path(page).resolve().as_uri() + ("#" + at if at else "")
    size, theme = (1280, 800), "light"
    if sys.argv[1] == "shot":
        size = tuple(int(side) for side in sys.argv[4].split("x"))
        theme = sys.argv[5]
    with scratch() as folder:
        browser = Browser(folder, size)
        try:
            if sys.argv[1] == "shot":
                browser.be(*size)
                browser.prefer(theme)
                browser.open(address)
                picture = browser.call("GET", "/screenshot")
                pathlib.Path(sys.argv[3]).write_bytes(base64.b64decode(picture))
                problems = browser.messages()
            elif sys.argv[1] in ("use", "race"):
                problems = {"use": use, "race": race}[sys.argv[1]](browser, address)
            elif sys.argv[1] == "widths":
                browser.open(address)
                problems = widths(browser) + browser.messages()
            else:
                problems = check(browser, address)
        finally:
            browser.end()
    print("\n".join(problems) or "ok")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
