"""Readers sign in and out at providers that others wrote, and groups come from their claims."""

from contextlib import closing

import pytest
import requests
from playwright.sync_api import expect

from other_providers import Browser, Canaille, Django, Mock, OtherSite

KINDS = [Mock, Django, Canaille]


@pytest.fixture(scope="module", params=KINDS, ids=[kind.package for kind in KINDS])
def site(request, tmp_path_factory):
    with closing(OtherSite(request.param, tmp_path_factory.mktemp("other"))) as site:
        yield site.start()


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
