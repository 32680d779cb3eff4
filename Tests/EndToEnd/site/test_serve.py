"""The preview: the real program, real changes on disk, a real browser."""

import os
import re
import signal
import subprocess
import time

import pytest
import requests
from playwright.sync_api import expect

import raw_http
from demo_site import BIN, sitegen, wait_for

PAGES = {
    "sitegen.toml": '[groups]\nhr = { role = "HR" }\nboard = { role = "Board" }\n',
    "site/index.md": "---\naccess: public\nwidens: true\n---\n# Home\n\nFirst words.\n",
    "site/team.md": "---\naccess: signed-in\n---\n# Team\n",
    "site/hr/index.md": "---\naccess: [hr]\n---\n# Salaries\n",
}


class Preview:
    def __init__(self, folder, *arguments):
        for path, text in PAGES.items():
            self.folder = folder
            self.write(path, text)
        self.temporary = folder / "temporary"
        self.temporary.mkdir()
        self.lines = open(folder / "lines", "w+")
        self.process = subprocess.Popen(
            [BIN / "sitegen", "serve", "--port", "0", *arguments],
            cwd=folder, stderr=self.lines, env=os.environ | {"TMPDIR": str(self.temporary)},
        )
        self.url = self.said(r"preview at (http://\S+?)/?;")[1]
        self.said(r"checked in \d+ ms")

    def said(self, pattern, seconds=60):
        for _ in range(seconds * 20):
            if found := re.search(pattern, (self.folder / "lines").read_text()):
                return found
            assert self.process.poll() is None, (self.folder / "lines").read_text()
            time.sleep(0.05)
        raise AssertionError(f"{pattern} in\n" + (self.folder / "lines").read_text())

    def write(self, path, text):
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        # As most editors save: a new file takes the old one's name.
        draft = file.with_name("." + file.name)
        draft.write_text(text)
        draft.rename(file)

    def get(self, path, **headers):
        return requests.get(self.url + path, headers=headers, allow_redirects=False, timeout=60)

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.process.wait(60)


@pytest.fixture
def serve(tmp_path):
    previews = []

    def start(*arguments):
        previews.append(Preview(tmp_path, *arguments))
        return previews[-1]

    yield start
    for preview in previews:
        preview.end()


def test_a_saved_page_loads_itself_anew_and_errors_are_shown_above_it(serve, page):
    preview = serve()
    page.goto(preview.url + "/")
    expect(page.get_by_text("First words.")).to_be_visible()
    preview.write("site/index.md", "# Home\n\nSecond words.\n")
    expect(page.get_by_text("Second words.")).to_be_visible()

    preview.write("site/index.md", "# Home\n\nThird words, [gone](gone.md).\n")
    overlay = page.get_by_role("alert")
    expect(overlay).to_contain_text("site/index.md:3:14: error: link to 'gone.md' is dead: there is no such page")
    expect(page.get_by_text("Third words, gone.")).to_be_visible()
    # On a phone, the panel leaves the menu in reach.
    page.set_viewport_size({"width": 320, "height": 640})
    panel, menu = overlay.bounding_box(), page.get_by_label("View as").bounding_box()
    assert panel["y"] + panel["height"] <= menu["y"] and panel["width"] > 280
    assert "1 error, checked in" in (preview.folder / "lines").read_text()
    # While it is in doubt who may read a page, the site before the change is shown.
    preview.write("site/team.md", "---\nacces: [hr]\n---\n# Secret team\n")
    expect(overlay).to_contain_text("Not shown: this is the site before the last change")
    # Another page tells it, too, and the page itself is not there until that is clear.
    page.goto(preview.url + "/hr/")
    expect(page.get_by_role("alert")).to_contain_text("acces")
    page.goto(preview.url + "/team/")
    expect(page.get_by_text("This page has changed.")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("acces")
    # The browser notes the status.
    page.context.complaints = [text for text in page.context.complaints if "503" not in text]
    assert page.get_by_text("Secret").count() == 0
    preview.write("site/team.md", "# Team\n")
    preview.write("site/index.md", "# Home\n\nFourth words.\n")
    expect(page.get_by_role("alert")).to_have_count(0)
    # In a tab of their own: the first one may be loading itself anew just now.
    home = page.context.new_page()
    home.goto(preview.url + "/")
    expect(home.get_by_text("Fourth words.")).to_be_visible()

    preview.write("site/new/deep/page.md", "# A new page\n")
    address = preview.url + "/new/deep/page"
    wait_for(lambda: requests.get(address + "/").status_code == 200)
    deep = page.context.new_page()
    deep.goto(address)
    expect(deep).to_have_url(address + "/")
    expect(deep.get_by_role("heading", name="A new page")).to_be_visible()


def test_a_preview_that_other_machines_can_reach_opens_with_its_key_alone(serve, page):
    preview = serve("--host", "0.0.0.0")
    address, key = preview.url.split("/?key=")
    # As a program on another machine, which can write into the field 'Host' what it likes.
    for path in ["/", "/hr/", "/_preview/events", "/auth/me", "/?key=" + "0" * 32]:
        assert requests.get(address + path, allow_redirects=False, timeout=60).status_code == 403
    page.goto(preview.url)
    expect(page).to_have_url(address + "/")
    expect(page.get_by_text("First words.")).to_be_visible()
    assert key not in page.evaluate("document.cookie")
    # The script that reloads the page has the key, too.
    preview.write("site/index.md", "# Home\n\nSecond words.\n")
    expect(page.get_by_text("Second words.")).to_be_visible()
    stranger = page.context.browser.new_context().new_page()
    stranger.goto(address + "/")
    expect(stranger.get_by_text("Open the URL that 'sitegen serve' has printed")).to_be_visible()


def test_a_site_that_cannot_be_shown_yet_shows_why(serve, page, monkeypatch):
    monkeypatch.setitem(PAGES, "site/team.md", "---\nacces: [hr]\n---\n# Team\n")
    preview = serve()
    preview.said(r"1 error, checked in \d+ ms; pages show the site before the last change\n")
    page.goto(preview.url + "/team/")
    expect(page.get_by_text("The site cannot be shown.")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(1)
    expect(page.get_by_role("alert")).to_contain_text("site/team.md:2:1: error: unknown key 'acces'")
    assert page.get_by_text("The site is being read.").count() == 0
    # Other errors, and the page has those.
    preview.write("site/team.md", "---\naccess: [hs]\n---\n# Team\n")
    expect(page.get_by_role("alert")).to_contain_text("'hs'")
    expect(page.get_by_role("alert")).not_to_contain_text("acces'")
    preview.write("site/team.md", "# Team\n")
    expect(page.get_by_role("heading", name="Team")).to_be_visible()
    # The browser notes the status of the page that was not there yet.
    page.context.complaints = [text for text in page.context.complaints if "503" not in text]


def test_nobody_else_may_ask(serve):
    preview = serve()
    port = int(preview.url.rsplit(":", 1)[1])
    assert preview.get("/", Host=f"evil.example:{port}").status_code == 421
    assert preview.get("/hr/", **{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}).status_code == 403
    page = preview.get("/", Origin="https://evil.example")
    assert not [name for name in page.headers if name.lower().startswith("access-control")]
    assert page.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert f"script-src {preview.url}/_theme/ {preview.url}/_preview/;" in page.headers["Content-Security-Policy"]
    head = requests.head(preview.url + "/", timeout=60)
    assert head.headers["Content-Length"] == str(len(page.content)) and head.content == b""

    for path in ["/../../../etc/passwd", "/..%2f..%2faccess", "/%2e%2e/access", "/_theme/../access", "//access"]:
        assert raw_http.ask(port, path)[0] == 404, path
    listening = subprocess.run(["ss", "-Hltn", f"sport = :{port}"], capture_output=True, text=True).stdout
    assert listening == "" or f"127.0.0.1:{port}" in listening


def test_it_begins_and_ends_politely(serve):
    preview = serve()
    assert not list(preview.temporary.iterdir())
    assert not (preview.folder / "public").exists()
    port = preview.url.rsplit(":", 1)[1]

    busy = sitegen(preview.folder, "serve", "--port", port)
    assert (busy.returncode, busy.stderr) == (74, f"sitegen: error: port {port} is in use; '--port' sets another one\n")
    for host in ["::", "192.168.0.1", "example.com"]:
        open_to_all = sitegen(preview.folder, "serve", "--host", host, "--port", "0")
        assert open_to_all.returncode == 1 and "because a preview shows confidential pages" in open_to_all.stderr
    unknown = sitegen(preview.folder, "serve", "--as", "bord")
    assert unknown.returncode == 1 and "did you mean 'board'?" in unknown.stderr
    with requests.get(preview.url + "/_preview/events", stream=True, timeout=60) as events:
        assert events.headers["Content-Type"] == "text/event-stream"
        assert next(events.iter_lines()).startswith(b'data: {"generation":')
        assert preview.end() == 0
    assert list(preview.temporary.iterdir()) == []
