import os
import pathlib
import shutil
import sys
from contextlib import closing

import pytest
from playwright.sync_api import expect, sync_playwright

from demo_site import ALICE, ROOT, DemoSite, finish, write
from emulator import Emulator
from kinds_of_pages import Places
from own_service import OwnService
from redis_server import RedisServer
from secure_site import SecureSite

# Its python3 has merman, which Debian has no package of.
os.environ["PATH"] = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"

# A busy machine is no reason to fail, and what comes in time costs nothing.
expect.set_options(timeout=60_000)


@pytest.fixture(scope="session")
def demo():
    with closing(DemoSite()) as site:
        yield site.start()


@pytest.fixture
def own(demo, request):
    """The demo's site with a siteauth and an nginx that belong to one test."""
    with closing(OwnService(demo)) as service:
        if getattr(request.module, "SIGNS_IN", False):
            service.takes_sign_ins()
        yield service


@pytest.fixture
def redis(tmp_path):
    server = RedisServer(tmp_path / "redis").start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def emulator():
    with closing(Emulator()) as emulator:
        yield emulator.start()


@pytest.fixture(scope="session")
def features(tmp_path_factory):
    """The demo with another site, in which everything stands once that Markdown and front matter bring into a page."""
    folder = tmp_path_factory.mktemp("features")
    shutil.copytree(ROOT / "Tests/EndToEnd/features", folder, dirs_exist_ok=True)
    page = "---\ntags: [one]\norder: {0}\n---\n# Page {0}\n\nText.\n"
    write(folder, {f"site/list/page-{number}.md": page.format(number) for number in range(8)})
    # What is built in was that when sitegen was built.
    shutil.copytree(ROOT / "templates", folder / "templates", dirs_exist_ok=True)
    with closing(DemoSite(CONFIG=str(folder / "sitegen.toml"))) as site:
        yield site.start()


@pytest.fixture(scope="session")
def asking(demo):
    """The demo with a page that asks before anybody is sent to Entra."""
    with closing(OwnService(demo)) as own:
        own.secrets.write_text(own.secrets.read_text() + 'sign_in = "page"\n')
        own.serve()
        yield own


@pytest.fixture(scope="session")
def unavailable(demo):
    """The demo's site behind an nginx that reaches no siteauth."""
    with closing(OwnService(demo)) as own:
        own.nginx()
        yield own


@pytest.fixture
def secure(demo):
    sites = []

    def start(settings="", states=("state",)):
        sites.append(SecureSite(demo.folder / "public", settings, states))
        return sites[-1].start()

    yield start
    for site in sites:
        site.close()


@pytest.fixture
def places(request):
    return Places(request.getfixturevalue)


@pytest.fixture
def trust(emulator, monkeypatch):
    """The one way in which all that is built on requests learns of a certificate authority."""
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", emulator.front.authority)


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(playwright):
    program = shutil.which("chromium")
    browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
    yield browser
    browser.close()


@pytest.fixture
def context(chromium, request):
    """A fresh browser profile that notes what its pages complain about; a file of tests may have options for it."""
    context = chromium.new_context(**getattr(request.module, "CONTEXT", {}))
    context.complaints = []

    def note(message):
        # A 401 or 403 is an answer here, and a browser prints it like an error.
        if message.type in ("error", "warning") and "status of 40" not in message.text:
            context.complaints.append(message.text)

    def note_error(error):
        # Whoever goes on before a page has faded in ends the fading, which Chromium reports.
        if "Transition was" not in str(error.error):
            context.complaints.append(str(error.error))

    context.on("console", note)
    context.on("weberror", note_error)
    yield context
    complaints = context.complaints
    context.close()
    assert complaints == [], "the browser's console"


@pytest.fixture
def page(context):
    return context.new_page()


@pytest.fixture
def signed_in(demo):
    """Returns a function that signs somebody in without a browser."""

    def sign_in(account=ALICE, site=demo):
        session = finish(site, account=account)
        assert "session" in session.cookies, session.cookies
        return session

    return sign_in
