"""The relying-party modules of the OpenID Foundation's conformance suite, at siteauth behind nginx.

Each module has an issuer, a siteauth and a browser of its own.
"""

import base64
import dataclasses
import json
import re
import urllib.parse

import html5lib
import pytest
import requests
from playwright.sync_api import expect

from conformance_modules import DIFFERENCE, GUID, MODULES, NOT_RUN, RESULTS, SID_OF_THE_SUITE, SID_WITH_A_SPACE, SIZES, with_outcome
from conformance_provider import CLIENT, CLIENT_SECRET, Behaviour, Issuer, Request, laid_over
from conformance_site import ConformanceSite
from handbook_pages import page as handbook_page, rows
from other_providers import NAVIGATE

STAFF = "/staff/"
PAGE = "project/conformance.md"
# The outcomes that a test below runs.
OUTCOMES = {
    "signed in", "signed in from elsewhere", "signed in twice", "refused", "not begun", "form post", "signed out",
    "signed out by the provider",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    site = ConformanceSite(tmp_path_factory.mktemp("conformance"))
    try:
        yield site.start()
    finally:
        site.close()


@pytest.fixture
def context_options():
    return {"ignore_https_errors": True}


def modules(outcome):
    found = with_outcome(outcome)
    names = [module.name.removeprefix("oidcc-client-test").strip("-") or "oidcc-client-test" for module in found]
    return pytest.mark.parametrize("module", found, ids=names)


def short_name(module):
    return f"{module.name}-{module.plan.replace(' ', '-').replace(',', '')}"


def text_of(page):
    return " ".join(html5lib.parse(page.text, namespaceHTMLElements=False).itertext())


def session_of(browser):
    return browser.session.cookies.get("__Host-session")


def status_of(site, browser, path=STAFF):
    """What the browser gets there at once; a redirect goes to the provider, who would sign the reader in once more."""
    return browser.session.get(site.url + path, allow_redirects=False, timeout=60).status_code


def expect_reader(site, browser, page):
    """The reader has the page that they asked for, and what UserInfo says of them."""
    assert (page.status_code, page.url) == (200, site.url + STAFF), text_of(page) + str(site.events())
    assert "For the staff" in page.text
    assert status_of(site, browser) == 200 and status_of(site, browser, "/board/") == 403
    me = browser.session.get(f"{site.url}/auth/me", timeout=60).json()
    assert (me["object_id"], me["name"], me["groups"]) == ("kim", "Kim Lee", ["staff"])


def expect_stranger(site, browser, issuer):
    """Nobody is signed in, and the page that was asked for leads to the provider again."""
    assert session_of(browser) is None
    answer = browser.session.get(site.url + STAFF, allow_redirects=False, timeout=60)
    assert answer.status_code == 303 and answer.headers["Location"].startswith(f"{issuer.url}/authorize?")
    assert "For the staff" not in answer.text
    assert site.events("sign_in") == []


def expect_refusal(site, page, kind, title, message):
    """The page says what is wrong to the reader, and under its number the log says it to the operator."""
    assert page.status_code in (400, 502) and "For the staff" not in page.text
    [event] = site.events(kind)
    assert message in event["message"] and event["level"] in ("warning", "error")
    told = text_of(page)
    assert title in told and event["request"] in told, told
    # Nothing of the operator's text, and nothing that the provider invented.
    assert event["message"] not in told and "example.com" not in told


# Modules that sign the reader in


@modules("signed in")
def test_an_answer_that_the_suite_wants_accepted_signs_the_reader_in(site, module):
    with site.at_issuer(short_name(module), module.behaviour) as issuer:
        browser = site.browser()
        expect_reader(site, browser, browser.get(STAFF))
        assert len(site.events("sign_in")) == 1
        assert {event["level"] for event in site.events()} == {"notice"}
        # Each endpoint once: a module ends with the request to UserInfo.
        assert [issuer.count(endpoint) for endpoint in ["authorize", "token", "userinfo"]] == [1, 1, 1]
        assert issuer.count(module.behaviour.key_set_path) == (2 if module.behaviour.rotation else 1)
    assert issuer.complaints == []
    assert {"openid", "profile", "email"} <= set(issuer.last("authorize").query["scope"].split())


@modules("signed in from elsewhere")
def test_another_site_can_begin_a_sign_in(site, module):
    with site.at_issuer(short_name(module), module.behaviour) as issuer:
        browser = site.browser()
        browser.session.headers["Sec-Fetch-Site"] = "cross-site"
        page = browser.get(f"/auth/sign-in?{urllib.parse.urlencode({'iss': issuer.url})}")
        assert (page.status_code, page.url) == (200, f"{site.url}/") and "For all" in page.text
        assert status_of(site, browser) == 200
    assert issuer.complaints == []


@modules("signed in twice")
def test_new_keys_are_asked_for_once_in_five_minutes(site, module):
    with site.at_issuer(short_name(module), module.behaviour) as issuer:
        for count in [1, 2]:
            browser = site.browser()
            expect_reader(site, browser, browser.get(STAFF))
            assert issuer.count("jwks") == count and len(site.events("sign_in")) == count
        # The suite does not change them a third time. Whoever runs its modules without a pause meets this.
        page = site.browser().get(STAFF)
        expect_refusal(site, page, "sign_in_refusal", "Signing in did not work", "'kid' is 'rsa-4'")
        assert issuer.count("jwks") == 2
    assert issuer.complaints == []


# Modules that sign nobody in


@modules("refused")
def test_an_answer_that_the_suite_wants_refused_signs_nobody_in(site, module):
    with site.at_issuer(short_name(module), module.behaviour) as issuer:
        browser = site.browser()
        page = browser.get(STAFF)
        assert page.url.startswith(f"{site.url}/auth/callback?")
        expect_refusal(site, page, "sign_in_refusal", module.title, module.message)
        # Whoever has refused the ID token does not ask who the reader is.
        asks = "sub" in module.behaviour.user_info
        assert [issuer.count(endpoint) for endpoint in ["authorize", "token", "userinfo"]] == [1, 1, asks]
        expect_stranger(site, browser, issuer)
    assert issuer.complaints == []


@modules("not begun")
def test_nobody_is_sent_to_a_provider_that_names_another_issuer(site, module):
    with site.at_issuer(short_name(module), module.behaviour) as issuer:
        browser = site.browser()
        page = browser.get(STAFF)
        assert page.url == site.url + STAFF
        expect_refusal(site, page, "provider_failure", module.title, module.message)
        assert session_of(browser) is None and site.events("sign_in") == []
        assert {request.endpoint for request in issuer.requests} == {".well-known/openid-configuration"}


@modules("form post")
def test_an_answer_that_comes_as_a_form_signs_nobody_in(site, module):
    with site.at_issuer(short_name(module), module.behaviour) as issuer:
        browser = site.browser()
        page = browser.get(STAFF)
        assert issuer.last("authorize").query["response_mode"] == "query"
        answer = browser.fill(page, state=re.search(r'name="state" value="([^"]+)"', page.text)[1])
        assert (answer.status_code, answer.url) == (400, f"{site.url}/auth/callback")
        assert "came as a form" in site.events("sign_in_refusal")[-1]["message"]
        assert issuer.count("token") == 0
        expect_stranger(site, browser, issuer)
    assert issuer.complaints == []


# Modules that sign the reader out


def frame_of(page):
    [frame] = html5lib.parse(page.text, namespaceHTMLElements=False).iter("iframe")
    return frame.get("src")


def call(site, url):
    """What the frame does in a browser that keeps the cookies of other sites back."""
    answer = requests.get(url, verify=site.authority, timeout=60)
    assert (answer.status_code, answer.text, answer.cookies.get_dict()) == (200, "", {})


@modules("signed out")
def test_signing_out_ends_the_session_here_and_at_the_provider(site, module):
    with site.at_issuer(short_name(module), module.behaviour) as issuer:
        browser = site.browser()
        expect_reader(site, browser, browser.get(STAFF))
        copy = session_of(browser)
        page = browser.post("/auth/sign-out")
        assert page.url.startswith(f"{issuer.url}/end_session_endpoint?"), text_of(page)
        # The frame of the front channel comes before the way back.
        call(site, frame_of(page))
        [link] = html5lib.parse(page.text, namespaceHTMLElements=False).iter("a")
        assert urllib.parse.urlsplit(link.get("href")).query == (
            "state=a-state-that-nobody-sent" if module.behaviour.state_after_sign_out == "other" else ""
        )
        back = browser.session.get(link.get("href"), timeout=60)
        assert back.status_code == 200 and "You are signed out" in text_of(back)
        assert len(site.events("sign_out")) == 1 and {event["level"] for event in site.events()} == {"notice"}
        assert "state" not in issuer.last("end_session_endpoint").query
        assert session_of(browser) is None and status_of(site, browser) == 303
        assert site.statuses(copy, path=STAFF, times=1) == {303}
    assert issuer.complaints == []


def test_a_provider_whose_sid_is_a_guid_ends_the_session_from_a_frame(site, page):
    """In a real browser, which would not show the frame if nginx's policy forbade it."""
    with site.at_issuer("op-initiated", Behaviour(sid=GUID)) as issuer:
        page.goto(site.url + STAFF)
        expect(page.get_by_role("heading", name="For the staff")).to_be_visible()
        page.reload()
        assert issuer.count("authorize") == 1
        with page.expect_response(lambda answer: "/auth/front-channel-sign-out?" in answer.url):
            page.goto(f"{issuer.url}/frontchannel_logout_handler")
        assert [event["message"] for event in site.events("revocation")] == [
            f"signed out sid '{GUID[:8]}…' by front channel"
        ]
        assert page.request.get(site.url + STAFF, headers=NAVIGATE, max_redirects=0).status == 303
    assert issuer.complaints == []


@modules("signed out by the provider")
@pytest.mark.parametrize("sid", [None, SID_WITH_A_SPACE])
def test_the_suites_own_sid_ends_the_session_and_so_does_one_with_a_space(site, module, sid):
    behaviour = dataclasses.replace(module.behaviour, sid=sid) if sid else module.behaviour
    with site.at_issuer(short_name(module) + ("-space" if sid else ""), behaviour) as issuer:
        browser = site.browser()
        expect_reader(site, browser, browser.get(STAFF))
        page = browser.session.get(f"{issuer.url}/frontchannel_logout_handler", timeout=60)
        assert urllib.parse.urlencode({"sid": sid or SID_OF_THE_SUITE}) in frame_of(page)
        call(site, frame_of(page))
        assert len(site.events("revocation")) == 1
        assert status_of(site, browser) == 303
    assert issuer.complaints == []


# Differences from the suite


def test_a_new_key_without_a_name_is_asked_for(site):
    with site.at_issuer("nameless-rotation", Behaviour(keys="one without kid", rotation="before the second request")) as issuer:
        browser = site.browser()
        expect_reader(site, browser, browser.get(STAFF))
        browser = site.browser()
        expect_reader(site, browser, browser.get(STAFF))
        assert issuer.count("jwks") == 2


# The provider, and the table


def exchange(authorize={}, token={}, user_info={}, credential=f"{urllib.parse.quote(CLIENT)}:{urllib.parse.quote(CLIENT_SECRET)}"):
    """What an issuer complains of when a relying party signs a reader in, with these changes to what it sends."""
    issuer = Issuer("https://id", "https://site", Behaviour())
    verifier = "v" * 43
    query = {
        "response_type": "code", "client_id": CLIENT, "scope": "openid profile", "state": "s" * 32, "nonce": "n" * 32,
        "code_challenge": "7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM", "code_challenge_method": "S256",
        "redirect_uri": "https://site/auth/callback",
    }
    location = issuer.answer(Request("GET", "authorize", laid_over(query, authorize), {}, {})).location
    code = urllib.parse.parse_qs(urllib.parse.urlsplit(location).query).get("code", [""])[0]
    form = {
        "grant_type": "authorization_code", "code": code, "code_verifier": verifier, "redirect_uri": query["redirect_uri"],
    }
    header = {"authorization": f"Basic {base64.b64encode(credential.encode()).decode()}"}
    answer = issuer.answer(Request("POST", "token", {}, laid_over(form, token), header))
    access_token = json.loads(answer.body).get("access_token", "")
    fields = {"query": {}, "form": {}, "headers": {"authorization": f"Bearer {access_token}"}} | user_info
    issuer.answer(Request("GET", "userinfo", **fields))
    return issuer.complaints


def test_the_provider_does_not_complain_of_what_the_standard_wants():
    assert exchange() == []


@pytest.mark.parametrize(("changes", "complaint"), [
    ({"authorize": {"scope": "profile"}}, "authorize: 'scope' has no 'openid'"),
    ({"authorize": {"response_type": "id_token"}}, "authorize: 'response_type' is not 'code'"),
    ({"authorize": {"nonce": None}}, "authorize: 'nonce' is missing or short"),
    ({"authorize": {"state": None}}, "authorize: 'state' is missing or short"),
    ({"authorize": {"code_challenge": None}}, "authorize: 'code_challenge' is missing"),
    ({"authorize": {"code_challenge_method": "plain"}}, "authorize: PKCE without S256"),
    ({"authorize": {"redirect_uri": "https://evil.example/"}}, "authorize: another 'redirect_uri'"),
    ({"authorize": {"max_age": "0", "prompt": "none"}}, "authorize: 'max_age' and 'prompt' disagree"),
    ({"token": {"client_secret": CLIENT_SECRET}}, "token: 'client_secret' stands in the form"),
    ({"token": {"code_verifier": "w" * 43}}, "token: 'code_verifier' does not fit"),
    ({"token": {"code": "invented"}}, "token: an unknown or used code"),
    ({"token": {"redirect_uri": "https://site/"}}, "token: another 'redirect_uri'"),
    ({"credential": f"{CLIENT}:{CLIENT_SECRET}"}, "token: no 'client_secret_basic', or a wrong one"),
    ({"user_info": {"query": {"access_token": "t"}}}, "userinfo: 'access_token' stands in the query"),
    ({"user_info": {"form": {"access_token": "t"}}}, "userinfo: the token stands in the form"),
    ({"user_info": {"headers": {}}}, "userinfo: no access token of this issuer in the header"),
], ids=lambda value: value if isinstance(value, str) else "")
def test_the_provider_complains_of_what_no_relying_party_may_send(changes, complaint):
    assert complaint in exchange(**changes)


def test_every_module_of_the_plans_is_in_the_table_once():
    plans = [(plan, module.name) for module in MODULES for plan in module.plan.split(", ")]
    assert len(plans) == len(set(plans))
    assert {plan: sum(plan == other for other, _ in plans) for plan, _ in plans} == SIZES
    for module in MODULES:
        assert module.result in RESULTS
        # What is run has a test, and what is not has none.
        assert (module.behaviour is None) == (module.result == NOT_RUN) == (module.outcome not in OUTCOMES)


def test_the_page_shows_the_table():
    text = handbook_page(PAGE).text
    shown = rows(text[text.index("\n| module |"):text.index("\n## Differences")])
    assert shown == [
        [f"`{module.name}`", module.plan, module.provider, module.siteauth, module.result] for module in MODULES
    ]


def test_the_page_counts_right_and_explains_each_difference():
    text = handbook_page(PAGE).text
    for result in RESULTS:
        count = sum(module.result == result for module in MODULES)
        assert f"| {result} | {count} |" in text, f"{result}: {count}"
    explained = text[text.index("\n## Differences"):]
    for module in MODULES:
        if module.result == DIFFERENCE and module.name != "oidcc-client-test":
            assert f"`{module.name}`" in explained
