"""Firefox, WebKit and Chromium, with and without what they keep in memory, behind the same few commands.

Playwright drives its own builds of Firefox and WebKit only. Debian's are driven as W3C WebDriver says:
WebKit by its driver, Firefox by Marionette, which has the same commands over TCP.
"""

import base64
import http.client
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
from contextlib import closing

from playwright.sync_api import Error

from demo_site import free_port, is_listening, wait_for

MINI_BROWSER = next(pathlib.Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), None)
CAPABILITIES = {"acceptInsecureCerts": True, "pageLoadStrategy": "none", "timeouts": {"script": 20_000}}


class BrowserError(Exception):
    pass


class Driven:
    """A browser that takes commands of WebDriver; `command` sends one."""

    def __init__(self, playwright, keeps_pages=True, runs_scripts=True):
        self.keeps_pages, self.runs_scripts = keeps_pages, runs_scripts
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="engine-", dir="/tmp"))
        self.processes = []
        self.log = (self.folder / "log").open("w")

    def run(self, *command, **environment):
        process = subprocess.Popen(
            command, stdout=self.log, stderr=self.log, env=os.environ | {"HOME": str(self.folder)} | environment
        )
        self.processes.append(process)

    def open(self, url):
        self.command("Navigate", url=url)

    def evaluate(self, expression):
        return self.command("ExecuteScript", script=f"return {expression}", args=[])

    def back(self):
        self.command("Back")

    def url(self):
        return self.command("GetCurrentURL")

    def screenshot(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self.command("TakeScreenshot")))

    def close(self):
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Firefox(Driven):
    def start(self):
        port = free_port()
        preferences = {
            "marionette.port": port,
            "javascript.enabled": self.runs_scripts,
            "fission.bfcacheInParent": self.keeps_pages,
            "browser.sessionhistory.max_total_viewers": -1 if self.keeps_pages else 0,
            "datareporting.policy.dataSubmissionEnabled": False,
            "network.captive-portal-service.enabled": False,
            "network.connectivity-service.enabled": False,
            "browser.shell.checkDefaultBrowser": False,
            "app.update.enabled": False,
            "extensions.update.enabled": False,
            "services.settings.server": "data:,",
            "browser.startup.homepage": "about:blank",
        }
        (self.folder / "user.js").write_text(
            "".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences.items())
        )
        self.run("firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", str(self.folder),
                 MOZ_HEADLESS_WIDTH="1280", MOZ_HEADLESS_HEIGHT="900", MOZ_CRASHREPORTER_DISABLE="1")
        wait_for(lambda: is_listening(port))
        self.connection = socket.create_connection(("127.0.0.1", port), 60)
        self.number = 0
        self.received()
        self.command("NewSession", capabilities={"alwaysMatch": CAPABILITIES})
        return self

    def received(self):
        length = b""
        while (byte := self.connection.recv(1)) != b":":
            length += byte
        text = b""
        while len(text) < int(length):
            text += self.connection.recv(int(length) - len(text))
        return json.loads(text)

    def command(self, name, **parameters):
        self.number += 1
        text = json.dumps([0, self.number, f"WebDriver:{name}", parameters])
        self.connection.sendall(f"{len(text.encode())}:{text}".encode())
        _, _, error, result = self.received()
        if error:
            raise BrowserError(error["message"])
        return result.get("value") if isinstance(result, dict) else result


class WebKit(Driven):
    ENDPOINTS = {
        "Navigate": ("POST", "url"), "ExecuteScript": ("POST", "execute/sync"), "GetCurrentURL": ("GET", "url"),
        "TakeScreenshot": ("GET", "screenshot"), "Back": ("POST", "back"), "GetTitle": ("GET", "title"),
    }  # fmt: skip

    def start(self):
        display, self.port = self.display(), free_port()
        self.run("WebKitWebDriver", f"--port={self.port}", DISPLAY=display, GDK_BACKEND="x11", NO_AT_BRIDGE="1",
                 WEBKIT_DISABLE_COMPOSITING_MODE="1", WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS="1")
        wait_for(lambda: is_listening(self.port))
        options = {
            "binary": str(MINI_BROWSER),
            "args": ["--automation", f"--enable-page-cache={str(self.keeps_pages).lower()}",
                     f"--enable-javascript={str(self.runs_scripts).lower()}",],
        }
        session = self.send("POST", "/session", {"capabilities": {"alwaysMatch": CAPABILITIES | {
            "webkitgtk:browserOptions": options}}})
        self.path = f"/session/{session['sessionId']}/"
        return self

    def display(self):
        reading, writing = os.pipe()
        with open(writing, "w") as told:
            self.processes.append(subprocess.Popen(
                ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1440x1000x24", "-nolisten", "tcp"],
                pass_fds=[writing], stderr=self.log))
        with open(reading) as told:
            return ":" + told.readline().strip()

    def send(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        with closing(connection):
            connection.request(method, path, json.dumps(body) if body is not None else None)
            value = json.loads(connection.getresponse().read())["value"]
        if isinstance(value, dict) and "error" in value:
            raise BrowserError(value["message"])
        return value

    def command(self, name, **parameters):
        method, endpoint = self.ENDPOINTS[name]
        return self.send(method, self.path + endpoint, parameters if method == "POST" else None)


class Chromium:
    """Driven by Playwright, which switches the memory for pages off unless told otherwise."""

    def __init__(self, playwright, keeps_pages=True, runs_scripts=True):
        self.playwright, self.keeps_pages, self.runs_scripts = playwright, keeps_pages, runs_scripts

    def start(self):
        self.browser = self.playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"],
            ignore_default_args=["--disable-back-forward-cache"] if self.keeps_pages else [],
        )
        self.page = self.browser.new_context(java_script_enabled=self.runs_scripts).new_page()
        self.protocol = self.page.context.new_cdp_session(self.page)
        return self

    def open(self, url):
        self.page.goto(url, wait_until="commit")

    def evaluate(self, expression):
        try:
            return self.page.evaluate(expression)
        except Error as error:
            raise BrowserError(error.message) from error

    def back(self):
        # Playwright's own Back waits for an event that a page from memory does not send.
        history = self.protocol.send("Page.getNavigationHistory")
        entry = history["entries"][history["currentIndex"] - 1]
        self.protocol.send("Page.navigateToHistoryEntry", {"entryId": entry["id"]})

    def close(self):
        self.browser.close()


ENGINES = {"Chromium": Chromium, "Firefox": Firefox, "WebKit": WebKit}
