"""A siteauth that takes orders about its system calls, and readers who sign in at an emulator."""

import os
import re
import signal
import subprocess
import time

import requests

from control_file import Control
from demo_site import ALICE, BIN, BOB, CLIENT, CLIENT_SECRET, COOKIE_SECRET, TENANT
from emulator import EntraEmulator, built_in_tenants
from gateway import NAVIGATE, ask
from small_site import SmallSite

CAROL = "ca401000-0000-4000-8000-00000000000c"
# Who may open what: the rules of small_site.py.
PATHS = {"/": "public", "/team/": "signed-in", "/hr/": "hr", "/hr/pay/": "hr", "/board/": "board"}
MAY = {None: {"public"}, ALICE: {"public", "signed-in", "hr"}, BOB: {"public", "signed-in"}, CAROL: {"public", "signed-in", "board"}}


def picked(address, account):
    """What the browser is sent back with; `None` if it is not sent back."""
    answer = requests.post(address, data={"account": account}, allow_redirects=False, timeout=60)
    return answer.headers.get("Location")


def until(condition, seconds=20):
    """Whether it comes true in time; the caller judges."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > deadline:
            return None
        time.sleep(0.005)
    return value


class Service:
    def __init__(self, folder, settings=""):
        self.folder = folder
        (folder / "site").mkdir()
        self.site = SmallSite(folder / "site")
        self.site.build()
        self.release = str((self.site.output / "current").resolve())
        self.emulator = EntraEmulator(folder).start(built_in_tenants())
        self.secrets = folder / "secrets.toml"
        self.secrets.write_text(f"""[auth]
redirect_uri = "http://localhost:3000/auth/callback"
cookie_secret = "{COOKIE_SECRET}"
client_id = "{CLIENT}"
client_secret = "{CLIENT_SECRET}"
authority = "{self.emulator.url}/{TENANT}"
revalidate_after_seconds = 0
{settings}
""")
        self.secrets.chmod(0o600)
        self.log = folder / "siteauth.log"
        self.log.touch()
        self.process = None
        self.control = Control(folder, "siteauth")

    def command(self):
        return [str(word) for word in [
            BIN / "siteauth", "serve", "--config", self.secrets, "--site", self.site.output, "--state", self.folder / "state",
            "--check-socket", self.folder / "check", "--pages-socket", self.folder / "pages", "--status-socket", self.folder / "status"]]

    def start(self, command=None, environment=None):
        """Whether it came up; otherwise it has ended or hangs."""
        if self.process and self.process.poll() is None:
            self.stop()
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                command or self.command(), stderr=log, stdout=log, cwd=self.folder,
                env=os.environ | self.control.environment | (environment or {}))

        def is_ready():
            # The line itself may be what could not be written.
            is_unheard = self.control.failed and self.log.name in self.control.what
            return "ready for" in self.log.read_text() or is_unheard and self.check("/team/", "") == 401

        return bool(until(lambda: is_ready() or self.process.poll() is not None)) and self.process.poll() is None

    def stop(self):
        """Whether it ended by itself when it was told to."""
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
            return True
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return False

    def kill(self):
        self.process.kill()
        self.process.wait()

    def hang_up(self):
        self.process.send_signal(signal.SIGHUP)

    def page(self, route, cookie="", body=b"", seconds=60, **variables):
        variables = {
            "SITE_ROUTE": route, "QUERY_STRING": "", "SITE_RELEASE": self.release, "SITE_REQUEST_ID": "00c0ffee", "HTTP_COOKIE": cookie,
            "SITE_CLIENT_ADDRESS": "127.0.0.1"} | NAVIGATE | variables
        if body:
            variables |= {"CONTENT_LENGTH": str(len(body)), "CONTENT_TYPE": "application/x-www-form-urlencoded"}
        return ask(self.folder / "pages", variables, body, seconds)

    def check(self, path, cookie):
        """The answer to nginx's question; anything of 2xx lets the reader in."""
        return ask(self.folder / "check", {"SITE_PATH": path, "SITE_RELEASE": self.release, "HTTP_COOKIE": cookie} | NAVIGATE).status

    def begin(self):
        """Where a stranger is sent, and the cookies they get."""
        return self.page("/auth/sign-in", SITE_WANTED="/team/")

    def finish(self, begun, callback, more=""):
        cookies = "; ".join(f"{name}={value}" for name, value in begun.cookies.items()) + more
        return self.page("/auth/callback", cookies, QUERY_STRING=callback.split("?", 1)[1])

    def sign_in(self, account):
        """A cookie and the session's id at the provider; `None` if it does not succeed."""
        begun = self.begin()
        callback = picked(begun.field("location"), account) if begun.status == 303 else None
        if not callback:
            return None
        finished = self.finish(begun, callback)
        session = finished.cookies.get("session")
        return (f"session={session}", re.search(r"session_state=([0-9a-f-]+)", callback)[1]) if session else None

    def sign_out(self, cookie):
        return self.page("/auth/sign-out", cookie, REQUEST_METHOD="POST", HTTP_SEC_FETCH_SITE="same-origin")

    def tell(self, sid):
        """What the provider's page does when somebody signs out there."""
        return self.page("/auth/front-channel-sign-out", QUERY_STRING=f"sid={sid}")

    def wrongs(self, readers, is_exact=True):
        """Who gets what is not theirs; with `is_exact`, also who does not get what is.

        `readers` are pairs of an account, `None` for strangers, and a cookie."""
        wrongs = []
        for account, cookie in readers:
            for path, audience in PATHS.items():
                status, may = self.check(path, cookie), audience in MAY[account]
                if 200 <= status < 300 and not may:
                    wrongs.append(f"{account or 'a stranger'} gets {status} for {path}")
                if is_exact and may and status != 204:
                    wrongs.append(f"{account or 'a stranger'} gets {status} for {path}, which is theirs")
                if status == 0 and is_exact:
                    wrongs.append(f"no answer for {path}")
        return wrongs

    def close(self):
        if self.process and self.process.poll() is None:
            self.stop()
        self.emulator.close()
