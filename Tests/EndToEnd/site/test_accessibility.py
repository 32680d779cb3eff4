"""axe finds nothing wrong with any kind of page, and no page has anything to complain about."""

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect

from kinds_of_pages import KINDS, LOOKS, look

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """
rules => axe.run(document, {
    runOnly: { type: "tag", values: rules }, resultTypes: ["violations"], preload: false, iframes: false,
})
"""

CONTEXT = {"ignore_https_errors": True}


def violations(page):
    # What Playwright evaluates is none of the page's scripts, so the page's policy stays as it is.
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(AXE_SCRIPT + "\n;undefined")
    found = page.evaluate(RUN, RULES)["violations"]
    return [
        f"{rule['id']}: {rule['help']}: {' '.join(node['html'].split())[:160]} ({'; '.join(check['message'] for check in node['any'])})"
        for rule in found
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_pages_are_accessible_and_complain_of_nothing(places, page, kind):
    """In light and dark, wide and narrow; the console of the browser has to stay empty, too."""
    KINDS[kind](page, places)
    found = []
    for scheme, width in LOOKS:
        look(page, scheme, width)
        found += [f"{scheme}, {width} pixels: {violation}" for violation in violations(page)]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"{scheme}, {width} pixels: the page is wider than the screen")
    if kind.startswith("emulator"):
        expect(page.get_by_text("This is not Microsoft.")).to_be_visible()
    # A page that is not available is one that the browser notes so.
    page.context.complaints = [text for text in page.context.complaints if "status of 503" not in text]
    assert not found, "\n" + "\n".join(found)
