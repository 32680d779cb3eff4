"""Page and policy of one release, while 'current' is pointed at others."""

import itertools
import os
import pathlib
import re
import threading
import types
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from demo_site import ROOT
from fake_siteauth import FakeSiteauth
from own_service import NGINXES, OwnService

SECRETS = '[auth]\nredirect_uri = "http://localhost/auth/callback"\n'


class Site:
    """Two releases whose files say which of them they are of, and an nginx in front."""

    def __init__(self, folder, program):
        self.public = folder / "public"
        for number in [1, 2]:
            release = self.public / f"releases/{number}"
            for name in ["site/page/index.html", "site/file.html", "errors/404.html", "errors/503.html"]:
                (release / name).parent.mkdir(parents=True, exist_ok=True)
                (release / name).write_text(f"release {number}")
        self.numbers = itertools.count(1)
        self.asked = []
        self.verdict = "204 No Content"
        self.flips_when_asked = True
        self.flip()
        (folder / "secrets.toml").write_text(SECRETS)
        self.own = OwnService(types.SimpleNamespace(folder=folder, entra="http://localhost:1"), program)
        self.services = [
            FakeSiteauth(self.own.folder / "check.sock", self.check),
            FakeSiteauth(self.own.folder / "pages.sock", self.page),
        ]
        # What site.conf advises where several teams share a machine.
        line = re.search(r"#(disable_symlinks .*;)", (ROOT / "nginx/site.conf").read_text())[1]
        self.own.nginx(line)

    def flip(self):
        """Points 'current' at the other release, in one step."""
        link = self.public / f"link-{threading.get_ident()}"
        link.symlink_to(f"releases/{1 + next(self.numbers) % 2}")
        os.replace(link, self.public / "current")

    def check(self, variables):
        self.asked.append(variables["SITE_RELEASE"])
        if self.flips_when_asked:
            self.flip()
        number = pathlib.Path(variables["SITE_RELEASE"]).name
        return f"Status: {self.verdict}\r\nSet-Cookie: judged={number}\r\n\r\n"

    def page(self, variables):
        number = pathlib.Path(variables["SITE_RELEASE"]).name
        return f"Status: 200 OK\r\nContent-Type: text/plain\r\n\r\nrelease {number}"

    def close(self):
        self.own.close()
        for service in self.services:
            service.close()


@pytest.fixture(scope="module", params=NGINXES)
def site(request, tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("releases"), request.param)
    yield site
    site.close()


@pytest.fixture(autouse=True)
def usual(site):
    site.verdict, site.flips_when_asked = "204 No Content", True
    site.asked.clear()


@pytest.mark.parametrize("path", ["/page/", "/page", "/page/index.html", "/file.html", "/no-such/", "/no-such.html"])
def test_a_page_is_of_the_release_that_was_judged(site, path):
    """siteauth is asked in a subrequest; a page that is not there is another internal redirect."""
    for _ in range(10):
        answer = requests.get(site.own.url + path)
        assert answer.status_code == (404 if "no-such" in path else 200)
        assert answer.text == f"release {pathlib.Path(site.asked[-1]).name}"
    assert len(set(site.asked)) == 2


@pytest.mark.parametrize("verdict", ["401 Unauthorized", "403 Forbidden", "500 Internal Server Error"])
def test_a_refusal_is_of_the_release_that_was_judged(site, verdict):
    site.verdict = verdict
    for _ in range(10):
        answer = requests.get(site.own.url + "/page/")
        assert answer.text == f"release {pathlib.Path(site.asked[-1]).name}"


def test_a_page_is_of_the_release_that_was_judged_under_load(site):
    site.flips_when_asked = False
    stopped = threading.Event()

    def flip():
        while not stopped.is_set():
            site.flip()

    def get(_):
        with requests.Session() as session:
            for _ in range(150):
                answer = session.get(site.own.url + "/page/")
                yield answer.text, re.search(r"judged=(\d)", answer.headers["Set-Cookie"])[1]

    flipping = threading.Thread(target=flip)
    flipping.start()
    try:
        with ThreadPoolExecutor(8) as pool:
            pairs = set().union(*pool.map(lambda number: set(get(number)), range(8)))
    finally:
        stopped.set()
        flipping.join()
    assert pairs == {("release 1", "1"), ("release 2", "2")}
    # What nginx says when a variable needs itself, or was never set.
    assert not re.search("cycle|uninitialized|realpath", site.own.log())


def test_without_a_release_there_is_nothing(site):
    site.flips_when_asked = False
    link = site.public / "current"
    target = os.readlink(link)
    for other in ["releases/3", "/", "releases/1/site/page"]:
        link.unlink()
        link.symlink_to(other)
        assert requests.get(site.own.url + "/page/").status_code == 503
    link.unlink()
    link.symlink_to(target)
    assert site.asked == [] and requests.get(site.own.url + "/page/").status_code == 200


def test_a_link_in_a_release_leads_nowhere(site):
    """It could lead to the pages of another site on this machine, or to a file that nginx alone may read."""
    outside = site.public.parent / "outside"
    (outside / "page").mkdir(parents=True)
    for name in ["secret.html", "page/index.html", "site.0123456789abcdef.css"]:
        (outside / name).write_text("secret")
    theme = site.public / "theme"
    theme.mkdir()
    (theme / "real.css").write_text("real")
    links = {theme / "site.0123456789abcdef.css": "site.0123456789abcdef.css", theme / "folder": "page"}
    for number in [1, 2]:
        release = site.public / f"releases/{number}"
        links |= {release / "site/link.html": "secret.html", release / "site/folder": "page"}
    for link, name in links.items():
        link.symlink_to(outside / name)
    try:
        for path in ["/link.html", "/folder/", "/folder/index.html", "/_theme/site.0123456789abcdef.css",
                     "/_theme/folder/index.html"]:
            answer = requests.get(site.own.url + path)
            assert answer.status_code in (403, 404) and "secret" not in answer.text, path
        assert requests.get(f"{site.own.url}/_theme/real.css").text == "real"
        assert requests.get(f"{site.own.url}/file.html").text.startswith("release ")
    finally:
        for link in links:
            link.unlink()
