"""README's pictures and those of the handbook; `make pictures` renews them."""

import os
import pathlib

import pytest

from kinds_of_pages import OF_EMULATOR, read

PICTURES = {"page": (read("/handbook/explanation/access/"), 1440, 900), "emulator": (OF_EMULATOR["picker"], 960, 640)}


@pytest.mark.skipif("PICTURES_FOLDER" not in os.environ, reason="'make pictures' takes them")
@pytest.mark.parametrize("name", PICTURES)
def test_pictures_of_readme(places, page, name):
    visit, width, height = PICTURES[name]
    page.set_viewport_size({"width": width, "height": height})
    visit(page, places)
    page.wait_for_load_state("networkidle")
    page.screenshot(path=pathlib.Path(os.environ["PICTURES_FOLDER"]) / f"{name}.png")
