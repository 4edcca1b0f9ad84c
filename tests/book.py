"""book: reads the book in Chromium, as its readers do, and without any network.

    book.py FOLDER      prints what it has looked at, and what is wrong

The book is read from a copy in another folder, whose name has a blank and a #.  The exit status
is 1 if anything is wrong."""
import os
import pathlib
import shutil
import subprocess
import sys
import time
import urllib.parse

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent / "lens")]
import browse
from browser import Browser, scratch

WIDTHS = (1280, 360)
ENTER = "\ue007"

# Of the page that is open: where its links lead, which anchors it has, and what is wrong.
FACTS = """return {
    links: [...new Set([...document.querySelectorAll('a[href], link[href]:not([href^=data])')].map(a => a.href))],
    ids: [...document.querySelectorAll('[id]')].map(element => element.id),
    images: document.images.length,
    lost: [...document.images].filter(image => !image.complete || !image.naturalWidth)
        .map(image => image.src),
    comments: [...document.querySelectorAll('article p, article li, article td')]
        .filter(part => part.innerText.replace(/`[^`]*`/g, '').includes('<!--')
            && ![...part.querySelectorAll('code')].some(code => code.textContent.includes('<!--')))
        .length,
    marks: [...document.querySelectorAll('article h1, article p, article li, article td, summary')]
        .filter(part => /\\]\\((book|bookfile|word):/.test(part.textContent))
        .map(part => part.textContent)}"""
WIDTHS_NOW = "return [innerWidth, document.documentElement.scrollWidth]"


class Looks:
    """What has been looked at, and what is wrong."""

    def __init__(self):
        self.problems, self.lines = [], []

    def want(self, is_so, problem):
        if not is_so:
            self.problems.append(problem)

    def say(self, line):
        print(line, flush=True)


def search(browser, root, word):
    """The titles of the pages that are found, and what is said."""
    browser.open(f"{root}/index.html")
    browser.do("document.querySelector('.sidebar-search').focus()")
    browser.press(*word, ENTER)
    for _ in range(100):
        said = browser.do("return document.querySelector('#search-results p')?.textContent || ''")
        if "search" in browser.do("return location.pathname") and said and "…" not in said:
            break
        browser.do("return 0")
    return browser.do("""return [...document.querySelectorAll('#search-results li > a')]
        .map(link => link.textContent)"""), said


def searches(browser, root, looks):
    """Many hits, a single one, and none."""
    browser.be(1280, 800)
    many, _ = search(browser, root, "sector")
    looks.want(len(many) >= 10, f"sector: {len(many)} pages: {many}")
    looks.want(many[:1] == ["Glossary > sector"], f"sector: the glossary is not first: {many}")
    browser.open(browser.do("return document.querySelector('#search-results li > a').href"))
    top = browser.do("return document.getElementById('sector').getBoundingClientRect().top")
    looks.want(0 <= top < 400, f"sector: its row is at {top}")
    for kind in ("Step ", "Exercise "):
        looks.want(any(title.startswith(kind) for title in many), f"sector: no {kind}is found")
    one, _ = search(browser, root, "threadIdx")
    looks.want(len(one) == 1, f"threadIdx: {one}")
    none, said = search(browser, root, "zzqqxx")
    looks.want(not none and "did not match" in said, f"zzqqxx: {none}, {said}")
    looks.say(f"3 searches: {len(many)} pages, {len(one)} page, {len(none)} pages")


def theme(browser, root, looks):
    """The button goes round through three states, on every page; pictures change with it."""
    browser.prefer("light")
    browser.open(f"{root}/step05_dot_strided.html")
    seen = []
    for _ in range(4):
        seen.append(browser.do("""const shown = [...document.images].filter(image =>
                getComputedStyle(image).display !== 'none').map(image => image.src);
            return [document.body.dataset.choice,
                getComputedStyle(document.body).backgroundColor,
                shown.filter(source => source.endsWith('.dark.svg')).length,
                shown.filter(source => source.endsWith('.light.svg')).length]"""))
        browser.do("document.querySelector('.theme-toggle-content .theme-toggle').click()")
    choices = [look[0] for look in seen]
    looks.want(choices == ["auto", "dark", "light", "auto"], f"the theme's button: {choices}")
    looks.want(seen[0] == seen[3] and seen[0][1:] == seen[2][1:], f"light and auto: {seen}")
    looks.want(seen[1][1] != seen[2][1], f"dark is as light: {seen}")
    looks.want(seen[1][2] == seen[2][3] > 0 == seen[1][3] == seen[2][2], f"pictures: {seen}")
    browser.open(f"{root}/glossary.html")  # the fourth press has chosen dark
    kept = browser.do("return document.body.dataset.theme")
    looks.want(kept == "dark", f"the next page is {kept}")
    browser.open(f"{root}/lens/step05.html")
    looks.want(browser.do("return document.documentElement.dataset.theme") == "dark",
               "the page to step through does not have the theme of the book")
    browser.do("localStorage.clear()")
    browser.prefer("dark")
    browser.open(f"{root}/index.html")
    system = browser.do("return document.body.dataset.theme")
    looks.want(system == "dark", f"on a dark system the page is {system}")
    browser.prefer("light")
    looks.say(f"theme: {', '.join(choices)}; {seen[1][2]} pictures change")


def width_at(browser, width):
    """How wide a page is on a screen of that width.  The page of the lens arranges itself again
    when the window has changed, so it has two seconds to fit."""
    browser.be(width, 800)
    for _ in range(40):
        inner, wide = browser.do(WIDTHS_NOW)
        if inner == width and wide <= width:
            break
        time.sleep(0.05)
    return wide


def read_pages(browser, folder, looks):
    """Every page at every width: its messages, its images, its width.  Where its links lead
    and which anchors it has is returned."""
    links, ids, images = {}, {}, 0
    pages = sorted(folder.rglob("*.html"))
    for page in pages:
        name = str(page.relative_to(folder))
        browser.be(WIDTHS[0], 800)
        browser.open(page.as_uri())
        facts = browser.do(FACTS)
        links[page], ids[page] = facts["links"], set(facts["ids"])
        images += facts["images"]
        for image in facts["lost"]:
            looks.want(False, f"{name}: no image {image}")
        looks.want(not facts["comments"], f"{name}: a comment of the source is shown")
        for text in facts["marks"]:
            looks.want(False, f"{name}: Markdown is shown: {text}")
        for width in WIDTHS:
            wide = width_at(browser, width)
            looks.want(wide <= width, f"{name}: {wide} pixels wide on a screen of {width}")
        for message in browser.messages():
            looks.want(False, f"{name}: {message}")
    looks.say(f"{len(pages)} pages at {WIDTHS[0]} and {WIDTHS[1]} pixels, {images} images")
    return links, ids


def follow(folder, links, ids, looks):
    """Every link leads to a file of the book, and to an anchor of it, or to another site."""
    inside = outside = 0
    for page, targets in links.items():
        for target in targets:
            url = urllib.parse.urlsplit(target)
            if url.scheme != "file":
                looks.want(url.scheme in ("http", "https"), f"{page.name}: {target}")
                outside += 1
                continue
            inside += 1
            file = pathlib.Path(urllib.parse.unquote(url.path))
            anchor = urllib.parse.unquote(url.fragment)
            name = page.relative_to(folder)
            if not file.is_file() or folder not in file.parents:
                looks.want(False, f"{name}: {target} leads nowhere")
            elif anchor and file in ids and file.parent.name != "lens":
                looks.want(anchor in ids[file], f"{name}: {file.name} has no #{anchor}")
    looks.say(f"{inside} links inside the book, {outside} to other sites")


def apart():
    """Goes on in a network without any other machine, where that is permitted."""
    if os.environ.get("APART"):
        return
    up = ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
    alone = subprocess.run([*up, "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if alone.returncode == 0:
        os.environ["APART"] = "yes"
        os.execvp(up[0], [*up, sys.executable, *sys.argv])


def main():
    book = pathlib.Path(sys.argv[1])
    if not (book / "index.html").is_file():
        print(f"error: {book} has no book\n  hint    make book", file=sys.stderr)
        return 2
    apart()
    looks = Looks()
    looks.say("without network" if os.environ.get("APART") else "the network stays on here")
    with scratch() as room:
        folder = pathlib.Path(room).resolve() / "a book #1"
        shutil.copytree(book, folder)
        browser = Browser(room + "/profile", (1280, 800))
        try:
            root = folder.as_uri()
            searches(browser, root, looks)
            theme(browser, root, looks)
            stepping = sorted((folder / "lens").glob("*.html"))
            looks.want(stepping, "there is no page to step through")
            for page in stepping[:1]:
                looks.problems += browse.check(browser, page.as_uri())
                looks.say(f"keyboard: lens/{page.name}")
            links, ids = read_pages(browser, folder, looks)
            follow(folder, links, ids, looks)
        finally:
            browser.end()
    print("\n".join(looks.problems) or "ok")
    return 1 if looks.problems else 0


if __name__ == "__main__":
    sys.exit(main())
