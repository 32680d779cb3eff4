"""Forms of an application behind nginx, sent when the session has ended."""

from contextlib import closing

import pytest
import requests
from flask import request
from playwright.sync_api import expect

from flask_site import FlaskSite
from own_service import OwnService

TEXT = "An hour's work, typed by hand"


def notes(site):
    """A page with a form, and what was sent with it."""
    site.saved = []

    @site.app.get("/company/notes")
    def form():
        return '<form method="post" action="/company/notes"><textarea name="text"></textarea><button>Save</button></form>'

    @site.app.post("/company/notes")
    def save():
        site.saved.append(request.form["text"])
        return f"<p>Saved {len(site.saved)}</p>"


@pytest.fixture
def site(demo):
    with closing(FlaskSite(notes)) as application, closing(OwnService(demo)) as own:
        own.takes_sign_ins()
        own.application = application
        own.serve(
            "location /company/ { include snippets/siteauth/application.conf;"
            f" proxy_pass http://127.0.0.1:{application.port}; }}"
        )
        yield own


def sign_in(page, url):
    page.goto(url)
    if page.get_by_role("heading", name="Pick an account").is_visible():
        page.get_by_role("button", name="Alice Adams").click()


def test_a_form_without_a_session_is_refused_in_words_and_can_be_sent_again(site, context):
    page = context.new_page()
    sign_in(page, site.url + "/company/notes")
    page.get_by_role("textbox").fill(TEXT)
    session = [cookie for cookie in context.cookies() if cookie["name"] == "session"]
    context.clear_cookies(name="session")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Nothing was saved")).to_be_visible()
    assert session and site.application.saved == []
    with context.expect_page() as other:
        page.get_by_role("link", name="Sign in from a new tab").click()
    if other.value.get_by_role("heading", name="Pick an account").is_visible():
        other.value.get_by_role("button", name="Alice Adams").click()
    expect(other.value).to_have_url(site.url + "/auth/account")
    # Browsers ask before they send a form once more; this one is not asked.
    page.reload()
    expect(page.get_by_text("Saved 1")).to_be_visible()
    assert site.application.saved == [TEXT]


@pytest.mark.parametrize("size", [60_000, 70_000, 900_000])
def test_a_large_form_is_refused_in_the_same_words(site, size):
    answer = requests.post(
        site.url + "/company/notes", data={"text": "x" * size}, headers={"Sec-Fetch-Mode": "navigate"}
    )
    assert answer.status_code == 401 and "Nothing was saved" in answer.text
