"""Sites that none of us wrote sign in and out at the emulator, in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from emulator import ORCHARD, ORCHARD_APPLICATION, TENANT
from flask_site import FlaskSite, authlib_site, msal_sample, tutorial

pytestmark = [
    pytest.mark.usefixtures("trust"),
    pytest.mark.filterwarnings("ignore:response_mode='form_post' is recommended"),
    # What the tutorial says of sessions, Flask-Session advises against by now.
    pytest.mark.filterwarnings("ignore::DeprecationWarning:flask_session"),
]
CONTEXT = {"ignore_https_errors": True}


@pytest.fixture
def flask_site():
    """Returns a function that starts a site, which ends with the test."""
    sites = []

    def start(build, **settings):
        sites.append(FlaskSite(build, **settings))
        return sites[-1]

    yield start
    for site in sites:
        site.close()


def expect_picker(page, endpoint):
    expect(page).to_have_url(re.compile(rf"^https://localhost:\d+/[^/]+/oauth2/v2\.0/{endpoint}\?"))
    expect(page.get_by_role("heading", name="Pick an account")).to_be_visible()


def pick(page, name, endpoint="authorize"):
    expect_picker(page, endpoint)
    page.get_by_role("button", name=name).click()


AUTHORITIES = {
    "tenant id": {"authority": TENANT},
    "domain": {"authority": "example.com"},
    "common": {"authority": "common"},
    "openid connect": {"oidc_authority": f"{TENANT}/v2.0"},
    "external tenant": {"authority": "orchard.onmicrosoft.com"},
    "external tenant's own domain": {"oidc_authority": f"{ORCHARD}/v2.0"},
}


@pytest.mark.parametrize("kind", AUTHORITIES)
def test_the_flask_tutorial_signs_in_and_out(emulator, flask_site, page, kind):
    settings = {key: emulator.authority(path) for key, path in AUTHORITIES[kind].items()}
    person = "Alice Adams"
    if "external" in kind:
        person, settings["client_id"] = "Chris Customer", ORCHARD_APPLICATION
    site = flask_site(tutorial, **settings)
    page.goto(site.url)
    pick(page, person)
    expect(page).to_have_url(site.url + "/")
    expect(page.get_by_role("heading", name=f"Welcome {person}!")).to_be_visible()

    page.get_by_role("link", name="Logout").click()
    # `identity` finds the v1.0 endpoint below an `authority`, which does not ask for the account.
    if "oidc_authority" in settings:
        pick(page, person, "logout")
    # By way of the site, which wants somebody to be signed in.
    expect_picker(page, "authorize")


@pytest.mark.parametrize("response_mode", [None, "form_post"])
def test_microsofts_sample_with_msal_signs_in_and_out(emulator, flask_site, page, response_mode):
    site = flask_site(msal_sample, authority=emulator.authority("common"), response_mode=response_mode)
    page.goto(site.url)
    page.get_by_role("link", name="Login with Microsoft Identity").click()
    pick(page, "Alice Adams")
    expect(page.get_by_role("heading", name="Welcome Alice Adams!")).to_be_visible()
    page.get_by_role("link", name="Logout").click()
    pick(page, "Alice Adams", "logout")
    expect(page.get_by_role("link", name="Login with Microsoft Identity")).to_be_visible()
    page.get_by_role("link", name="Login with Microsoft Identity").click()
    expect_picker(page, "authorize")


@pytest.mark.parametrize("tenant", [TENANT, "consumers"])
def test_authlib_validates_the_id_token_and_signs_out_without_a_question(emulator, flask_site, page, tenant):
    person = "Dana Doyle" if tenant == "consumers" else "Alice Adams"
    site = flask_site(authlib_site, authority=emulator.authority(tenant))
    page.goto(site.url)
    page.get_by_role("link", name="Log in with Microsoft").click()
    pick(page, person)
    expect(page.get_by_role("heading", name=f"Welcome {person}!")).to_be_visible()
    page.get_by_role("link", name="Logout").click()
    expect(page.get_by_role("link", name="Log in with Microsoft")).to_be_visible()
    assert page.url.startswith(site.url)
    page.get_by_role("link", name="Log in with Microsoft").click()
    expect_picker(page, "authorize")


def test_authlib_refuses_the_issuer_of_common_as_it_does_at_entra(emulator, flask_site, page):
    # The discovery document's issuer is a template, which Authlib compares to the letter.
    site = flask_site(authlib_site, authority=emulator.authority("common"))
    page.goto(site.url)
    page.get_by_role("link", name="Log in with Microsoft").click()
    pick(page, "Alice Adams")
    expect(page.get_by_text("iss")).to_be_visible()
    assert page.url.startswith(site.redirect_uri)
