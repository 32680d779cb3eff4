"""The content types of files, and what a file that is opened by itself may do in a browser."""

import gzip
import pathlib
import shutil
from contextlib import closing

import pytest
import requests

from demo_site import NAVIGATE, ROOT
from own_service import NGINXES, OwnService

TYPES, CHARSET = {}, {"text/html"}
for line in (ROOT / "nginx/types.conf").read_text().splitlines():
    words = line.rstrip(";").split()
    if words[:1] == ["charset_types"]:
        CHARSET |= set(words[1:])
    if "/" in line and line.startswith(" "):
        TYPES |= dict.fromkeys(words[1:], words[0])

NAMES = {f"file.{ending}": kind + ("; charset=utf-8" if kind in CHARSET else "") for ending, kind in TYPES.items()}
NAMES |= dict.fromkeys(["file", "file.", ".css", "file.unheard-of"], "application/octet-stream")
NAMES |= {"FILE.HTML": "text/html; charset=utf-8", "a.tar.gz": "application/gzip", "a.css.txt": "text/plain; charset=utf-8"}


@pytest.fixture(scope="module", params=NGINXES)
def files(request, demo, tmp_path_factory):
    """A public release with a file of each type, and one that is already compressed."""
    folder = tmp_path_factory.mktemp("types")
    shutil.copytree(demo.folder / "public", folder / "public", symlinks=True)
    shutil.copy(demo.folder / "secrets.toml", folder)
    site = folder / "public/current/site/press"
    for name in NAMES:
        (site / name).write_text("x")
    with closing(OwnService(demo, request.param)) as own:
        own.demo = type("Site", (), {"folder": folder, "entra": demo.entra})
        own.serve()
        own.site = site
        yield own


def test_a_file_has_the_type_of_its_ending(files):
    assert len(NAMES) > 100
    with requests.Session() as session:
        told = {name: session.get(f"{files.url}/press/{name}").headers["Content-Type"] for name in NAMES}
    assert told == NAMES


def test_a_compressed_copy_has_the_type_of_its_original(files):
    (files.site / "long.txt").write_text("word " * 1000)
    answer = requests.get(files.url + "/press/long.txt", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    # What sitegen wrote with 'precompress'.
    (files.site / "long.txt.gz").write_bytes(gzip.compress(b"word " * 1000))
    answer = requests.get(files.url + "/press/long.txt", headers={"Accept-Encoding": "gzip"})
    assert answer.text == "word " * 1000 and answer.headers["Content-Type"] == "text/plain; charset=utf-8"


DRAWING = pathlib.Path(__file__).with_name("drawing.svg").read_text()


@pytest.mark.parametrize("name", ["drawing.svg", "drawing.xml"])
def test_a_drawing_opened_by_itself_keeps_its_colours_and_runs_nothing(files, chromium, name):
    theme = next(files.site.parents[1].joinpath("theme").glob("*.js")).name
    (files.site / name).write_text(DRAWING.replace("SCRIPT", theme))
    with closing(chromium.new_context()) as context:
        asked = []
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("requestfailed", lambda request: asked.remove(request.url))
        answer = page.goto(f"{files.url}/press/{name}")
        page.wait_for_timeout(500)
        # Scripts of the test run beside those of the document.
        style = page.locator("#styled").evaluate("element => [getComputedStyle(element).fill, getComputedStyle(element).stroke]")
        assert style == ["rgb(1, 2, 3)", "rgb(4, 5, 6)"]
        assert page.locator("[ran]").count() == 0
        assert [url for url in asked if not url.endswith(f"/press/{name}")] == []
        assert "sandbox" in answer.headers["content-security-policy"]


def test_a_drawing_in_a_page_is_shown(files, chromium):
    (files.site / "drawing.svg").write_text(DRAWING)
    (files.site / "shows.html").write_text('<!doctype html><title>x</title><img src="drawing.svg" alt="">')
    with closing(chromium.new_context()) as context:
        page = context.new_page()
        page.goto(files.url + "/press/shows.html")
        assert page.locator("img").evaluate("image => image.naturalWidth") == 400


@pytest.mark.parametrize("name", ["page.html", "page.xhtml", "file.pdf", "file.json"])
def test_other_documents_have_the_policy_of_pages(files, name):
    (files.site / name).write_text("x")
    policy = requests.get(f"{files.url}/press/{name}", headers=NAVIGATE).headers["Content-Security-Policy"]
    assert f"script-src {files.url}/_theme/" in policy and "sandbox" not in policy and "unsafe" not in policy
