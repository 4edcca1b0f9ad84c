"""browser: Chromium, as tests use it: without a window, and through chromedriver.

It speaks WebDriver, and needs nothing but Python's own library.  Source: W3C, WebDriver."""
import contextlib
import json
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request


@contextlib.contextmanager
def scratch():
    """A folder that goes at the end, as far as a browser that is just ending lets it."""
    folder = tempfile.mkdtemp()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


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
        else:
            self.driver.kill()
            hint = "does it run by itself?"
            raise SystemExit(f"error: chromedriver does not answer\n  hint    {hint}")
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

    def print_out(self, is_on):
        """From here on the page is as it is printed, on a page of A4; or no longer."""
        self.call("POST", "/goog/cdp/execute", {
            "cmd": "Emulation.setEmulatedMedia",
            "params": {"media": "print" if is_on else ""}})

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
