"""The interface in the language of the site, and siteauth's pages in that of the browser."""

import re
import shutil
from contextlib import closing

import pytest
from playwright.sync_api import expect

from demo_site import ROOT, DemoSite, write

CONTEXT = {"locale": "de-AT", "timezone_id": "Asia/Kolkata"}
CONFIGURATION = """
title = "אתר"
language = "he"
sign_in_language = "browser"
"""


@pytest.fixture(scope="module")
def hebrew(tmp_path_factory):
    folder = tmp_path_factory.mktemp("languages")
    page = "---\nlastmod: 2026-11-05\n---\n# דף\n\n> [!NOTE]\n> מילים\n\n## חלק\n\n## עוד\n"
    write(folder, {"site/index.md": page, "sitegen.toml": CONFIGURATION})
    # What is built in was that when sitegen was built.
    shutil.copytree(ROOT / "templates", folder / "templates")
    with closing(DemoSite(CONFIG=str(folder / "sitegen.toml"))) as site:
        yield site.start()


def test_pages_are_in_the_language_of_the_site_and_times_in_the_readers_zone(hebrew, page):
    page.goto(hebrew.url + "/")
    page.get_by_role("button", name="Alice Adams").click()
    expect(page.get_by_role("navigation", name="בדף הזה")).to_be_attached()
    expect(page.locator(".markdown-alert-title")).to_have_text("הערה")
    expect(page.locator(".about")).to_contain_text("5 בנובמבר 2026")
    page.goto(hebrew.url + "/auth/account")
    expect(page.get_by_role("heading")).to_have_text("Ihr Konto")
    time = page.locator("dd time").first
    utc = re.search(r"T(\d\d):(\d\d)Z", time.get_attribute("datetime"))
    minutes = (int(utc[1]) * 60 + int(utc[2]) + 330) % 1440
    expect(time).to_have_text(re.compile(f"^.* 20.., {minutes // 60:02}:{minutes % 60:02}$"))
