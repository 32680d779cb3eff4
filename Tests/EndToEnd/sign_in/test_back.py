"""Back after signing out, in three engines: whatever they keep, and with and without scripts."""

import time
from contextlib import closing

import pytest

from engines import ENGINES, BrowserError
from own_service import OwnService
from secure_site import SecureSite

SHOWN = "[location.href, document.title, document.body?.innerText].join('\\n')"


@pytest.fixture(scope="module")
def site(demo):
    """Starts a site once: for WebKit behind TLS, without which it keeps pages that it must not store."""
    started = {}

    def start(engine, header):
        key = (engine == "WebKit", header)
        if key not in started:
            started[key] = TLSSite(demo.folder / "public", header).start() if key[0] else plain(demo, header)
        return started[key]

    yield start
    for site in started.values():
        site.close()


LINES = {"kept": "", "dropped": "fastcgi_hide_header Clear-Site-Data;"}


def plain(demo, header):
    site = OwnService(demo)
    site.entra = demo.entra
    site.takes_sign_ins()
    site.serve(LINES[header])
    return site


class TLSSite(SecureSite):
    def __init__(self, public, header):
        super().__init__(public)
        self.header = header

    def write_nginx(self):
        super().write_nginx()
        # With HSTS, WebKit would ask the provider at the same host by TLS, too.
        change(self.folder / "site.conf", 'set $hsts "max-age=31536000";', 'set $hsts "";' + LINES[self.header])

    def write_tenants(self):
        super().write_tenants()
        # Without scripts, the provider would show the frames of its applications first.
        change(self.folder / "tenants.toml", "logout_url =", "# logout_url =")


def change(file, old, new):
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))


def until(browser, is_wanted, seconds=30):
    """What the browser shows until it shows what is wanted; between two pages, it may have no answer."""
    shown, end = [], time.monotonic() + seconds
    while not shown or not is_wanted(shown[-1]):
        assert time.monotonic() < end, shown[-1:]
        try:
            shown.append(browser.evaluate(SHOWN) or "")
        except BrowserError:
            time.sleep(0.02)
    return shown


# Pages that no engine keeps are asked for again, whatever else is there: once is enough.
@pytest.mark.parametrize(
    "header, runs_scripts, keeps_pages",
    [("kept", True, True), ("dropped", True, True), ("dropped", False, True), ("dropped", False, False)],
    ids=["header", "no header", "nothing", "nothing, not kept"],
)
@pytest.mark.parametrize("engine", ENGINES)
def test_back_after_signing_out_leads_to_the_sign_in(playwright, site, engine, header, runs_scripts, keeps_pages):
    site = site(engine, header)
    for attempt in range(6):
        try:
            with closing(ENGINES[engine](playwright, keeps_pages=keeps_pages, runs_scripts=runs_scripts).start()) as browser:
                return sign_out_and_go_back(browser, site.entra, site.url, runs_scripts)
        except TimeoutError:
            # WebKit's driver sometimes never answers again between two pages, whatever they are.
            if attempt == 5:
                raise


def sign_out_and_go_back(browser, entra, site, runs_scripts):
    browser.open(site + "/handbook/")
    until(browser, lambda shown: "Alice Adams" in shown)
    browser.evaluate("[...document.querySelectorAll('button')].find(one => /Alice/.test(one.textContent)).click()")
    until(browser, lambda shown: shown.startswith(site + "/handbook/\n") and "Handbook" in shown)
    browser.open(site + "/company/hr/salary-bands/")
    until(browser, lambda shown: "salary-bands/\nSalary bands" in shown and ("Alice" in shown or not runs_scripts))
    if not runs_scripts:
        browser.open(site + "/auth/account")
        until(browser, lambda shown: "Your account" in shown)
    browser.evaluate("document.querySelector('[action=\"/auth/sign-out\"] button').click()")
    until(browser, lambda shown: "signed-out\nYou are signed out" in shown)
    for _ in range(2 if runs_scripts else 3):
        browser.back()
        shown = until(browser, lambda shown: shown.startswith(entra) and "Pick an account" in shown)
        for seen in shown:
            assert not seen.startswith(site) or seen.startswith(site + "/auth/signed-out\n"), seen
