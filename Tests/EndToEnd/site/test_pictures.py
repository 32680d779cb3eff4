"""Leaves pictures of what people see in `.screenshots`, and README's own; `make pictures` renews those.

What a program can judge of them is judged elsewhere.
"""

import os
import pathlib

import pytest

from kinds_of_pages import LOOKS, OF_EMULATOR, OF_SITEAUTH, OF_SITES, look, read


def search(page, places):
    read("/")(page, places)
    page.keyboard.press("/")
    page.locator("dialog[open]").wait_for()
    page.keyboard.type("travel")
    page.get_by_role("dialog").get_by_text("Travel costs").first.wait_for()


def account_menu(page, places):
    read("/")(page, places)
    page.locator(".account-button").click()
    page.get_by_role("button", name="Sign out").wait_for()


PICTURES = {
    "home": OF_SITES["home"],
    "page": OF_SITES["page"],
    "code": OF_SITES["page with much code"],
    "table": OF_SITES["page with tables"],
    "everything": OF_SITES["page with every feature"],
    "list": OF_SITES["list of a tag"],
    "account-menu": account_menu,
    "account": OF_SITEAUTH["account"],
    "sign-in": OF_SITEAUTH["sign-in page"],
    "forbidden": OF_SITEAUTH["not for you"],
    "signed-out": OF_SITEAUTH["signed out"],
    "emulator-picker": OF_EMULATOR["picker"],
    "emulator-administration": OF_EMULATOR["administration"],
    "search": search,
}

# What stands in the middle of a picture, where that is not the page's beginning.
MIDDLE = {"code": "main #systemd", "table": "main table"}

# As the handbook and README show them.
OF_README = {
    "page": (read("/handbook/explanation/access/"), 1440, 900),
    "emulator": (OF_EMULATOR["picker"], 960, 640),
}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures(places, page, screenshots, name):
    PICTURES[name](page, places)
    page.wait_for_load_state("networkidle")
    for scheme, width in LOOKS:
        look(page, scheme, width)
        if name in MIDDLE:
            page.locator(MIDDLE[name]).first.evaluate("element => element.scrollIntoView({ block: 'center' })")
        page.screenshot(path=screenshots / f"{name}-{scheme}-{width}.png")


@pytest.mark.parametrize("name", OF_README)
def test_pictures_of_readme(places, page, screenshots, name):
    folder = pathlib.Path(os.environ.get("PICTURES_FOLDER", screenshots))
    visit, width, height = OF_README[name]
    page.set_viewport_size({"width": width, "height": height})
    visit(page, places)
    page.wait_for_load_state("networkidle")
    page.screenshot(path=folder / f"{name}.png")
