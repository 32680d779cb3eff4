"""What the handbook promises for the oldest browsers: the menu, the search and the colours of text.

The features that they lack are unknown here, too: rules with them get a name that no browser knows, and
the interfaces of scripts are taken away.
"""

import re

import pytest
from playwright.sync_api import expect

from theme_site import DESK, PHONE, SITE, build, serve

UNKNOWN = ["light-dark(", ":has(", ":popover-open", "::details-content", '" / ""', "@view-transition", "scroll(self"]
TAKEN_AWAY = """
for (const name of ["popover", "showPopover", "hidePopover", "togglePopover"]) delete HTMLElement.prototype[name];
delete HTMLButtonElement.prototype.popoverTargetElement;
delete Document.prototype.fragmentDirective;
delete HTMLDialogElement.prototype.closedBy;
delete window.onscrollend;
"""
CODE = '# Code\n\n```py linenums="1" hl_lines="1"\nimport sys\n```\n\n[Link](index.md)\n\n==Marked==\n\n> [!TIP]\n> Words\n'
ME = {"name": "Alice Adams", "object_id": "alice", "groups": []}
FILES = {f"/_reader/{name}.json": {"sections": [], "search": []} for name in ["public", "signed-in"]}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return build(tmp_path_factory.mktemp("older"), **{"site/code.md": CODE})


@pytest.fixture
def older(context, page, built):
    serve(context, built, ME, FILES)
    context.add_init_script(TAKEN_AWAY)

    def answer(route, request):
        text = next((built / "theme").glob("site.*.css")).read_text()
        for feature in UNKNOWN:
            assert feature in text, feature
            text = text.replace(feature, re.sub(r"(\w)", r"unknown-\1", feature, count=1) if feature != '" / ""' else '" unknown ""')
        route.fulfill(body=text, content_type="text/css")

    def without_integrity(route, request):
        path = built / "current/site" / request.url.removeprefix(SITE + "/") / "index.html"
        route.fulfill(body=re.sub(r' integrity="[^"]*"', "", path.read_text()), content_type="text/html")

    context.route(re.compile(r"/_theme/site\..*\.css"), answer)
    context.route(re.compile(re.escape(SITE) + "/code/"), without_integrity)
    return page


def colour(locator, name="color"):
    return locator.evaluate(f"node => getComputedStyle(node)['{name}']")


def test_text_has_its_colours(older):
    older.emulate_media(color_scheme="dark")
    older.goto(SITE + "/code/")
    assert colour(older.locator("html"), "backgroundColor") == "rgb(255, 255, 255)"
    assert colour(older.locator("html")) == "rgb(26, 30, 39)"
    assert colour(older.locator("article a").last) == "rgb(63, 78, 201)"
    assert colour(older.locator("pre .k").first) == "rgb(164, 19, 60)"
    assert colour(older.locator(".markdown-alert-title")) == "rgb(19, 112, 60)"
    assert colour(older.locator("mark"), "backgroundColor") == "rgb(255, 241, 168)"
    # Numbers beside code need a grid that only ':has()' asks for.
    expect(older.locator(".code-numbers")).to_be_hidden()


def test_the_account_menu_opens_and_closes(older):
    older.set_viewport_size(DESK)
    older.goto(SITE + "/code/")
    button = older.get_by_role("button", name="Alice Adams")
    entry = older.get_by_role("button", name="Sign out")
    expect(button).to_be_visible()
    expect(entry).to_be_hidden()
    button.click()
    expect(entry).to_be_visible()
    button.click()
    expect(entry).to_be_hidden()


def test_the_list_of_pages_opens_on_a_phone(older):
    older.set_viewport_size(PHONE)
    older.goto(SITE + "/code/")
    pages = older.get_by_role("navigation", name="Pages")
    expect(pages).to_be_hidden()
    older.get_by_role("link", name="Pages").click()
    expect(pages.get_by_role("link", name="Guide")).to_be_visible()
    older.get_by_role("link", name="Close").click()
    expect(pages).to_be_hidden()


def test_the_search_opens(older):
    older.goto(SITE + "/code/")
    older.keyboard.press("Control+k")
    dialog = older.get_by_role("dialog", name="Search")
    dialog.get_by_role("combobox").fill("words")
    expect(dialog).to_contain_text("No pages found")
    older.mouse.click(5, 5)
    expect(dialog).to_be_hidden()
    older.keyboard.press("?")
    shortcuts = older.get_by_role("dialog", name="Keyboard shortcuts")
    shortcuts.get_by_role("table").click()
    expect(shortcuts).to_be_visible()
    older.mouse.click(5, 5)
    expect(shortcuts).to_be_hidden()


def test_a_search_script_that_does_not_run_says_so(context, older):
    context.route(re.compile(r"/_theme/search\..*\.js"), lambda route: route.fulfill(body="const a = ;", content_type="text/javascript"))
    older.goto(SITE + "/code/")
    older.evaluate("document.querySelector('.search-open').dataset.integrity = ''")
    older.keyboard.press("Control+k")
    expect(older.get_by_role("dialog", name="Search")).to_contain_text("The search did not answer")
    context.complaints.clear()
