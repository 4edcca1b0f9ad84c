"""browse: opens a page of `lens --html` in Chromium, and does what a reader would do.

    browse.py check PAGE                            prints "ok", or what is wrong
    browse.py widths PAGE#t=1                       the same, of its widths alone
    browse.py shot PAGE#t=1 FILE.png 1280x800 dark  takes a picture

It speaks WebDriver with chromedriver, and needs nothing but Python's own library.
Source: W3C, WebDriver."""
import base64
import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

ARROW_RIGHT, ARROW_LEFT, TAB = "\ue014", "\ue012", "\ue004"


class Browser:
    def __init__(self, folder, size):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.root = f"http://127.0.0.1:{port}"
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--mute-audio",
                     "--disable-dev-shm-usage", "--disable-background-networking",
                     "--hide-scrollbars", f"--user-data-dir={folder}",
                     f"--window-size={size[0]},{size[1]}"]
        wanted = {"browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL"},
                  "goog:chromeOptions": {"args": arguments}}
        self.session = ""
        for _ in range(100):
            try:
                made = self.call("POST", "/session",
                                 {"capabilities": {"alwaysMatch": wanted}})
                break
            except OSError:
                time.sleep(0.1)
        self.session = "/session/" + made["sessionId"]

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            self.root + (self.session if path != "/session" else "") + path,
            json.dumps(body).encode() if body is not None else None,
            {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{path}: {error.read().decode()}") from error

    def open(self, page):
        self.call("POST", "/url", {"url": page})

    def do(self, script, *values):
        return self.call("POST", "/execute/sync", {"script": script, "args": values})

    def press(self, *keys):
        actions = []
        for key in keys:
            actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.call("POST", "/actions", {"actions": [
            {"type": "key", "id": "keyboard", "actions": actions}]})

    def be(self, width, height):
        """Sets the size of the page; a window cannot be narrow enough."""
        self.call("POST", "/goog/cdp/execute", {
            "cmd": "Emulation.setDeviceMetricsOverride",
            "params": {"width": width, "height": height, "deviceScaleFactor": 1,
                       "mobile": False}})

    def prefer(self, theme):
        self.call("POST", "/goog/cdp/execute", {
            "cmd": "Emulation.setEmulatedMedia",
            "params": {"features": [{"name": "prefers-color-scheme",
                                     "value": theme}]}})

    def messages(self):
        """What stands on the console, but not of the browser's own pages."""
        return [message["message"]
                for message in self.call("POST", "/se/log", {"type": "browser"})
                if not message["message"].startswith("chrome:")]

    def end(self):
        try:
            if self.session:
                self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()


def line(browser):
    """The number of the line that is marked, and the step that is shown."""
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
    for _ in range(20):
        browser.press(TAB)
        reached.add(browser.do("return document.activeElement.id"))
    for name in ("follow", "theme", "source", "slider", "play", "on"):
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


def main():
    page, _, at = sys.argv[2].partition("#")
    address = pathlib.Path(page).resolve().as_uri() + ("#" + at if at else "")
    size, theme = (1280, 800), "light"
    if sys.argv[1] == "shot":
        size = tuple(int(side) for side in sys.argv[4].split("x"))
        theme = sys.argv[5]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(folder, size)
        try:
            if sys.argv[1] == "shot":
                browser.be(*size)
                browser.prefer(theme)
                browser.open(address)
                picture = browser.call("GET", "/screenshot")
                pathlib.Path(sys.argv[3]).write_bytes(base64.b64decode(picture))
                problems = browser.messages()
            elif sys.argv[1] == "widths":
                browser.open(address)
                problems = widths(browser) + browser.messages()
            else:
                problems = check(browser, address)
        finally:
            browser.end()
    print("\n".join(problems) or "ok")
    return 1 if problems else 0


sys.exit(main())
