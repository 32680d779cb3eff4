"""Providers that are not Entra and that others wrote, a site at each, and a browser without scripts.

They listen at 127.0.0.1 and the site at localhost, so that their cookies do not meet.
"""

import contextlib
import importlib.metadata
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import types
import urllib.parse
import xml.etree.ElementTree

import html5lib
import requests

from demo_site import free_port, sitegen, wait_for, write
from own_service import OwnService

HERE = pathlib.Path(__file__).parent
NAVIGATE = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "same-origin", "Accept": "text/html"}

PAGES = {
    "sitegen.toml": """
title = "Handbook"
provider = "other"
[groups]
staff = { group = "staff" }
board = { group = "board" }
lou = { users = "%s" }
""",
    "site/index.md": "# For all\n",
    "site/staff/index.md": "---\naccess: [staff]\n---\n# For the staff\n",
    "site/board/index.md": "---\naccess: [board]\n---\n# For the board\n",
    "site/lou/index.md": "---\naccess: [lou]\n---\n# For Lou\n",
}


class Provider:
    """`package` is what PyPI calls it; `settings` are its lines of [auth], `subjects` its `sub`s."""

    package = None
    settings = ""
    subjects = {"kim": "kim", "lou": "lou"}
    issuer_path = ""

    def __init__(self, folder, site_url):
        self.folder, self.site_url, self.port = folder, site_url, free_port()
        self.host = f"127.0.0.1:{self.port}"
        self.issuer = f"http://{self.host}{self.issuer_path}"
        self.log = folder / "provider.log"

    def start(self):
        with self.log.open("w") as log:
            self.process = subprocess.Popen([sys.executable, *self.command()], stdout=log, stderr=log, cwd=self.folder)
        wait_for(self.answers)
        return self

    def answers(self):
        assert self.process.poll() is None, self.log.read_text()
        try:
            url = f"{self.issuer}/.well-known/openid-configuration"
            return requests.get(url, timeout=30).status_code == 200
        except requests.ConnectionError:
            return False

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=60)

    @property
    def version(self):
        return f"{self.package} {importlib.metadata.version(self.package)}"


class Mock(Provider):
    """Has no session of its own: it asks each time, also for what `prompt=none` forbids."""

    package = "oidc-provider-mock"
    asks_when_asked_again = True

    def command(self):
        users = [{"sub": "kim", "name": "Kim Lee", "groups": ["staff"]}, {"sub": "lou", "name": "Lou Lee"}]
        claims = [word for user in users for word in ("--user-claims", json.dumps(user))]
        return ["-m", "oidc_provider_mock", "--port", str(self.port), *claims]

    def sign_in(self, browser, page, name):
        return browser.fill(page, sub=name)

    def sign_out(self, browser, page):
        return browser.fill(page)


class Django(Provider):
    """Says name and groups at UserInfo alone, and signs out without a question for an ID token."""

    package = "django-oauth-toolkit"
    asks_when_asked_again = False
    issuer_path = "/o"
    settings = 'groups_claim = "realm_access.roles"\nid_token_hint = true\n'
    subjects = {"kim": "1", "lou": "2"}

    def command(self):
        return [HERE / "django_provider.py", str(self.port), self.site_url, self.folder]

    def sign_in(self, browser, page, name):
        return browser.fill(page, username=name, password=f"{name}-password")

    def sign_out(self, browser, page):
        return page


class Canaille(Provider):
    """Says all in the ID token, if it is asked for groups; asks before it signs out."""

    package = "Canaille"
    asks_when_asked_again = False
    settings = 'scope = "openid profile email groups"\n'

    def command(self):
        return [HERE / "canaille_provider.py", str(self.port), self.site_url]

    def sign_in(self, browser, page, name):
        page = browser.fill(page, login=name)
        page = browser.fill(page, password=f"{name}-password")
        return browser.fill(page, answer="accept") if self.host in page.url else page

    def sign_out(self, browser, page):
        return browser.fill(page, answer="logout")


class OtherSite(OwnService):
    """A site whose readers sign in at one of them."""

    def __init__(self, kind, folder):
        demo = types.SimpleNamespace(folder=folder, entra="")
        settings = PAGES["sitegen.toml"] % kind.subjects["lou"]
        write(folder, PAGES | {"sitegen.toml": settings, "secrets.toml": ""})
        super().__init__(demo)
        self.provider = kind(folder, self.url)
        demo.entra = f"http://{self.provider.host}"

    def start(self):
        folder = self.demo.folder
        built = sitegen(folder, "build", "--output", folder / "public")
        assert built.returncode == 0, built.stderr
        self.configuration = f"""
[auth]
redirect_uri = "{self.url}/auth/callback"
cookie_secret = "{os.urandom(32).hex()}"
client_id = "handbook"
client_secret = "secret-of-the-handbook"
oidc_authority = "{self.provider.issuer}"
{self.provider.settings}
"""
        self.secrets.write_text(self.configuration)
        self.provider.start()
        self.process = self.siteauth()
        self.nginx()
        return self

    @contextlib.contextmanager
    def asking_again(self):
        """Meanwhile the provider is asked about everybody who signed in two seconds ago."""
        time.sleep(2.1)
        self.reload(self.configuration + "revalidate_after_seconds = 2\n")
        yield
        self.reload(self.configuration)

    def reload(self, text):
        done = self.process.log.read_text().count("configuration read again")
        self.secrets.write_text(text)
        self.process.send_signal(signal.SIGHUP)
        wait_for(lambda: self.process.log.read_text().count("configuration read again") > done)

    def close(self):
        self.provider.close()
        super().close()


class Browser:
    """Follows redirects and fills in forms; `pages` are those of the provider that it was shown."""

    def __init__(self, site):
        self.site, self.session, self.shown = site, requests.Session(), 0
        self.session.headers.update(NAVIGATE)

    def get(self, path):
        return self.noted(self.session.get(self.site.url + path, timeout=60))

    def post(self, path):
        return self.noted(self.session.post(self.site.url + path, timeout=60))

    def noted(self, page):
        self.shown += self.site.provider.host in page.url
        return page

    def fill(self, page, **values):
        """Sends the first form that has all these fields, as a person would who looks for it."""
        for form in forms(page):
            fields, buttons = fields_of(form)
            if set(values) <= set(fields) | set(buttons):
                url = urllib.parse.urljoin(page.url, form.get("action") or page.url)
                return self.session.post(url, data=fields | values, headers={"Referer": page.url}, timeout=60)
        raise AssertionError(f"no form with {sorted(values)} at {page.url}: {page.text}")


def forms(page) -> list[xml.etree.ElementTree.Element]:
    return list(html5lib.parse(page.text, namespaceHTMLElements=False).iter("form"))


def fields_of(form):
    fields = {element.get("name"): element.get("value") or "" for element in form.iter("input") if element.get("name")}
    return fields, [element.get("name") for element in form.iter("button")]
