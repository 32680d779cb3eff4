"""Readers sign in and out at providers that others wrote, and groups come from their claims."""

import os
import subprocess

import pytest
import requests
from playwright.sync_api import expect

import own_service
from other_providers import Browser, Canaille, Django, Mock, OtherSite

KINDS = [Mock, Django, Canaille]


@pytest.fixture(scope="module", params=KINDS, ids=[kind.package for kind in KINDS])
def site(request, tmp_path_factory):
    site = OtherSite(request.param, tmp_path_factory.mktemp("other"))
    try:
        yield site.start()
    finally:
        site.close()


def log_of(site):
    return "\n".join(log.read_text() for log in site.folder.glob("*.log"))


def sign_in(site, name, path):
    browser = Browser(site)
    page = browser.get(path)
    assert site.provider.host in page.url, page.text
    page = site.provider.sign_in(browser, page, name)
    assert page.url == site.url + path, page.text + log_of(site)
    return browser, page


def test_groups_and_people_are_known_by_what_the_provider_says(site):
    kim, page = sign_in(site, "kim", "/staff/")
    assert (page.status_code, "For the staff" in page.text) == (200, True), log_of(site)
    assert kim.get("/board/").status_code == 403
    assert kim.get("/lou/").status_code == 403
    me = kim.get("/auth/me").json()
    assert (me["object_id"], me["groups"]) == (site.provider.subjects["kim"], ["staff"])
    assert me["name"] == ("kim" if site.provider.package == "django-oauth-toolkit" else "Kim Lee")

    lou, page = sign_in(site, "lou", "/staff/")
    assert (page.status_code, "For the staff" in page.text) == (403, False)
    assert lou.get("/lou/").status_code == 200


def test_asking_again_shows_nothing_or_the_usual_sign_in(site):
    kim, _ = sign_in(site, "kim", "/staff/")
    kim.shown = 0
    with site.asking_again():
        page = kim.get("/staff/")
    if kim.shown:
        page = site.provider.sign_in(kim, page, "kim")
    assert bool(kim.shown) == site.provider.asks_when_asked_again
    assert (page.url, page.status_code) == (f"{site.url}/staff/", 200), log_of(site)


def test_whoever_is_signed_out_at_the_provider_signs_in_as_usual(site):
    kim, _ = sign_in(site, "kim", "/staff/")
    # The site's own cookies are left.
    for cookie in list(kim.session.cookies):
        if cookie.domain == "127.0.0.1":
            kim.session.cookies.clear(cookie.domain, cookie.path, cookie.name)
    with site.asking_again():
        page = kim.get("/staff/")
    assert site.provider.host in page.url, page.text
    page = site.provider.sign_in(kim, page, "kim")
    assert (page.url, page.status_code) == (f"{site.url}/staff/", 200), log_of(site)


def test_signing_out_ends_both_sessions(site):
    kim, _ = sign_in(site, "kim", "/staff/")
    copy = {cookie.name: cookie.value for cookie in kim.session.cookies if cookie.name == "session"}
    page = site.provider.sign_out(kim, kim.post("/auth/sign-out"))
    assert page.url == f"{site.url}/auth/signed-out", page.text + log_of(site)
    assert "You are signed out" in page.text
    assert not [cookie.name for cookie in kim.session.cookies if cookie.domain.startswith("localhost")]
    assert site.provider.host in kim.get("/staff/").url
    fetch = {"Sec-Fetch-Mode": "no-cors"}
    answer = requests.get(f"{site.url}/staff/", cookies=copy, headers=fetch, timeout=60)
    assert answer.status_code == 401


@pytest.mark.parametrize("site", [Django], ids=[Django.package], indirect=True)
def test_a_real_browser_keeps_what_it_takes_to_sign_out(site, page):
    """nginx's policy lets its form go to the provider, and the cookie for it comes back in time."""
    page.goto(f"{site.url}/staff/")
    page.get_by_label("Username").fill("kim")
    page.get_by_label("Password").fill("kim-password")
    page.get_by_role("button", name="Log in").click()
    expect(page).to_have_url(f"{site.url}/staff/")
    page.goto(f"{site.url}/auth/sign-out")
    page.get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(f"{site.url}/auth/signed-out")
    page.goto(f"{site.url}/staff/")
    expect(page.get_by_label("Username")).to_be_visible()


def test_the_session_is_one_small_cookie(site):
    kim, _ = sign_in(site, "kim", "/staff/")
    ours = {cookie.name: cookie for cookie in kim.session.cookies if "localhost" in cookie.domain}
    hint = ours.pop("id-token-hint", None)
    assert set(ours) == {"session", "browser"}
    assert len(ours["session"].value) <= 512
    assert (hint is not None) == ("id_token_hint" in site.provider.settings)
    assert hint is None or hint.path == "/auth/"


def test_check_config_speaks_of_the_provider_at_hand(site):
    checked = site.siteauth_command("check-config", "--live")
    assert checked.returncode == 0, checked.stderr
    assert f"{site.url}/auth/signed-out" in checked.stdout
    assert not {"Entra", "portal"} & set(checked.stdout.split())
    assert "knows the client and its credential" in checked.stdout


def test_the_provider_may_have_an_authority_of_its_own(emulator, tmp_path):
    secrets = tmp_path / "secrets.toml"

    def check(line):
        secrets.write_text(f"""
[auth]
redirect_uri = "http://localhost:3000/getAToken"
cookie_secret = "{os.urandom(20).hex()}"
client_id = "22222222-bbbb-4000-8000-000000000033"
client_secret = "emulated~secret.is-no-secret_at-all"
authority = "{emulator.authority()}"
{line}
""")
        secrets.chmod(0o600)
        return subprocess.run(
            [own_service.BIN / "siteauth", "check-config", "--live", "--config", secrets],
            capture_output=True, text=True,
        )

    unknown = check("")
    assert unknown.returncode == 1 and "certificate" in unknown.stderr, unknown.stderr
    (tmp_path / "ca.pem").write_text(emulator.front.authority.read_text())
    known = check('provider_ca_file = "ca.pem"')
    assert known.returncode == 0, known.stderr
    # Another authority, and with it none of the machine's.
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-noenc", "-subj", "/CN=Other",
         "-keyout", tmp_path / "key.pem", "-out", tmp_path / "other.pem"],
        check=True, capture_output=True,
    )
    other = check('provider_ca_file = "other.pem"')
    assert other.returncode == 1 and "certificate" in other.stderr, other.stderr
    cut = check('provider_ca_file = "secrets.toml"')
    assert "it must hold complete certificates in PEM" in cut.stderr
