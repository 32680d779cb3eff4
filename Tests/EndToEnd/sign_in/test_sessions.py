"""How sessions go on and end, in a real browser and with more than one siteauth."""

import os
import time

import pytest
import requests
from playwright.sync_api import expect

from demo_site import ALICE, BOB, TENANT, finish, wait_for
from secure_site import PICTURE

BOARD = "b0a2d000-0000-4000-8000-00000000b0a2"
CONTEXT = {"ignore_https_errors": True}


def sign_in(page, url, name="Alice Adams"):
    page.goto(url)
    page.get_by_role("button", name=name).click()


def cookie(context):
    return next(c["value"] for c in context.cookies() if c["name"] == "__Host-session")


def shown(page):
    """The way a page came about: the addresses that a navigation went through."""
    addresses = []
    page.on("request", lambda request: request.is_navigation_request() and addresses.append(request.url))
    return addresses


def test_after_a_while_a_navigation_goes_through_entra_and_nobody_notices(secure, page):
    site = secure("revalidate_after_seconds = 2\nrevalidate_grace_seconds = 600")
    sign_in(page, site.url + "/company/hr/?a=1#part")
    expect(page.locator("#Site-account")).to_contain_text("Alice Adams")
    time.sleep(2.1)
    # What the page fetches is not sent away.
    fetched = page.evaluate("fetch('/company/hr/').then(answer => answer.status + answer.url)")
    assert fetched == "200" + site.url + "/company/hr/"
    way = shown(page)
    page.goto(site.url + "/company/hr/?b=2#part")
    expect(page).to_have_url(site.url + "/company/hr/?b=2#part")
    assert any("prompt=none" in url for url in way)
    expect(page.locator("#Site-account")).to_contain_text("Alice Adams")


def test_a_disabled_account_is_out_at_the_next_navigation(secure, page):
    site = secure("revalidate_after_seconds = 2\nrevalidate_grace_seconds = 600")
    sign_in(page, site.url + "/company/hr/")
    expect(page.locator("#Site-account")).to_contain_text("Alice Adams")
    copy = cookie(page.context)
    site.order(f"users/{ALICE}", change="disable")
    time.sleep(2.1)
    assert site.statuses(copy, "/company/hr/", fields=PICTURE) == {200}
    page.goto(site.url + "/company/hr/")
    expect(page.locator("body")).to_contain_text("AADSTS50057")
    assert not [c for c in page.context.cookies() if c["name"] == "__Host-session"]
    assert site.statuses(copy, "/company/hr/", fields=PICTURE) == {401}


def test_signing_out_elsewhere_ends_the_session_here(secure, page):
    """By the hidden frame of the emulator's sign-out page."""
    site = secure()
    sign_in(page, site.url + "/company/hr/")
    expect(page.locator("#Site-account")).to_contain_text("Alice Adams")
    copy = cookie(page.context)
    assert site.statuses(copy, "/company/hr/") == {200}
    time.sleep(1)
    with page.expect_response(lambda answer: "front-channel-sign-out" in answer.url) as told:
        page.goto(f"{site.entra}/{TENANT}/oauth2/v2.0/logout")
        page.get_by_role("button", name="Alice Adams").click()
    assert told.value.status == 200
    assert "cookie" not in told.value.request.all_headers()
    assert "x-frame-options" not in told.value.headers
    wait_for(lambda: site.statuses(copy, "/company/hr/") == {303})
    page.goto(site.url + "/company/hr/")
    expect(page.get_by_role("heading", name="Pick an account")).to_be_visible()
    assert "by front channel" in site.log("siteauth-0")
    # Signing in again works, and the old cookie stays dead.
    time.sleep(1)
    page.get_by_role("button", name="Alice Adams").click()
    expect(page).to_have_url(site.url + "/company/hr/")
    assert site.statuses(copy, "/company/hr/") == {303}


def test_nothing_but_microsoft_may_frame_it_and_nothing_else_may_be_framed(secure):
    site = secure()
    front = requests.get(site.url + "/auth/front-channel-sign-out?sid=x", verify=site.authority)
    policy = front.headers["Content-Security-Policy"]
    assert f"frame-ancestors {site.entra} https://login.microsoftonline" in policy
    assert front.status_code == 200 and front.content == b"" and "Set-Cookie" not in front.headers
    other = requests.get(site.url + "/auth/signed-out", verify=site.authority)
    assert "frame-ancestors 'none'" in other.headers["Content-Security-Policy"]


def test_an_operator_ends_sessions(secure):
    site = secure()
    alice, bob = finish(site), finish(site, account=BOB)
    copies = [alice.cookies["__Host-session"], bob.cookies["__Host-session"]]
    assert [site.statuses(copy) for copy in copies] == [{200}, {200}]
    done = site.revoke("--user", ALICE.upper())
    assert done.returncode == 0 and ALICE in done.stdout.lower(), done.stderr
    assert [site.statuses(copy) for copy in copies] == [{303}, {200}]
    time.sleep(1.1)
    copies[0] = finish(site).cookies["__Host-session"]
    assert site.revoke("--group", "board").returncode == 0
    assert site.statuses(copies[0]) == {200}
    done = site.revoke("--group", "hr")
    assert done.returncode == 0 and "readers in the group 'hr'" in done.stdout, done.stderr
    assert [site.statuses(copy) for copy in copies] == [{303}, {200}]
    assert site.revoke("--all").returncode == 0
    assert [site.statuses(copy) for copy in copies] == [{303}, {303}]
    time.sleep(1.1)
    assert site.statuses(finish(site).cookies["__Host-session"]) == {200}


def test_a_disabled_account_is_refused_within_a_round(secure):
    """By Microsoft Graph, without a click that would ask the provider."""
    site = secure("graph_poll_seconds = 1")
    alice, bob = finish(site), finish(site, account=BOB)
    copies = [alice.cookies["__Host-session"], bob.cookies["__Host-session"]]
    assert [site.statuses(copy) for copy in copies] == [{200}, {200}]
    wait_for(lambda: "siteauth: accounts are watched" in site.log("siteauth-0"))
    assert "siteauth_account_watch_age_seconds" in site.metrics()
    site.order(f"users/{ALICE}", change="disable")
    wait_for(lambda: site.statuses(copies[0]) == {303})
    assert site.statuses(copies[1]) == {200}
    assert f"ended the sessions of '{ALICE}': the account is disabled" in site.log("siteauth-0")
    # Without Graph nobody notices anything.
    site.order("faults", name="throttled", until="further-notice", endpoint="graph", seconds=1)
    wait_for(lambda: "accounts are not watched, which ends no session: Graph wants fewer" in site.log("siteauth-0"))
    assert site.statuses(copies[1]) == {200}
    site.order("faults", name="throttled", until="off")
    wait_for(lambda: "accounts are watched again" in site.log("siteauth-0"))
    site.order(f"users/{BOB}", change="add-group", value=BOARD)
    wait_for(lambda: site.statuses(copies[1]) == {303})
    time.sleep(1.1)
    assert site.statuses(finish(site, account=BOB).cookies["__Host-session"]) == {200}


def test_revoke_says_when_nothing_could_be_written(secure):
    done = secure().revoke("--all", state="elsewhere")
    assert done.returncode == 1 and "--state" in done.stderr


@pytest.mark.parametrize("link", ["revoked/everybody -> none", "revoked/everybody -> file", "revoked -> folder"])
def test_revoke_follows_no_link_of_the_services_account(secure, link):
    """The command runs as root, and the folder belongs to the service."""
    site = secure()
    place, _, target = link.partition(" -> ")
    (site.folder / "folder").mkdir()
    (site.folder / "file").touch()
    os.utime(site.folder / "file", (1, 1))
    (site.folder / "hand-made").mkdir()
    path = site.folder / "hand-made" / place
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(site.folder / target)
    done = site.revoke("--all", state="hand-made")
    assert done.returncode == 1 and "have ended" not in done.stdout
    assert f"'{site.folder}/hand-made/revoked" in done.stderr and "are not followed" in done.stderr
    assert not (site.folder / "none").exists() and not any((site.folder / "folder").iterdir())
    assert (site.folder / "file").stat().st_mtime == 1


FRAGMENT = "/company/hr/?a=1#who%20is%20who"


def test_a_deep_link_keeps_its_fragment_where_entra_asks_nothing(secure, page):
    site = secure()
    sign_in(page, site.url + "/company/")
    expect(page).to_have_url(site.url + "/company/")
    page.context.clear_cookies(name="__Host-session")
    page.goto(site.url + FRAGMENT)
    expect(page).to_have_url(site.url + FRAGMENT)


def test_a_sign_in_page_keeps_the_fragment_in_any_case(secure, page):
    site = secure('sign_in = "page"')
    page.goto(site.url + FRAGMENT)
    expect(page.get_by_role("heading", name="This site is private")).to_be_visible()
    page.get_by_role("link", name="Sign in", exact=True).click()
    page.get_by_role("button", name="Alice Adams").click()
    expect(page).to_have_url(site.url + FRAGMENT)
    assert page.evaluate("document.title") != ""
