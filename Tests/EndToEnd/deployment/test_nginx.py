"""siteauth behind real nginx: what is served, what is not, and with which header fields."""

import http.client
import re
from contextlib import closing

import pytest
import requests

import raw_http
from demo_site import BOB, NAVIGATE, ROOT, DemoSite, cookies, finish, pick, write
from hostile_requests import FIELDS, TARGETS


def raw(demo, target, cookie="", method="GET", fields=()):
    """Sends a request line as it is; returns status and body."""
    return raw_http.ask(demo.site_port, target, *fields, method=method, cookie=cookie)[::2]


@pytest.fixture(scope="module")
def secret(demo):
    """A text that stands on the HR page and nowhere else."""
    page = next(demo.folder.glob("public/current/site/company/hr/index.html")).read_text()
    return re.search(r"<article>.*?<p>(.{30})", page, re.DOTALL)[1].encode()


@pytest.fixture(scope="module")
def bob(demo):
    return finish(demo, account=BOB)


@pytest.mark.parametrize("target", TARGETS)
def test_no_spelling_opens_the_hr_pages(demo, bob, secret, target):
    bob = cookies(bob)
    for cookie in ["", bob]:
        for method in ["GET", "HEAD", "POST", "OPTIONS", "PUT", "get", "PROPFIND"]:
            status, body = raw(demo, target, cookie, method)
            assert secret not in body
            allowed = {0, 303, 400, 401, 403, 404, 405, 414}
            if target.startswith("http://evil"):
                allowed.add(301)  # to the one name that cookies belong to
            # The addresses that are public in the end, whatever was written around them.
            if target.startswith("/press#"):
                allowed.add(200)
            assert status in allowed, (method, status)


@pytest.mark.parametrize("field", FIELDS)
def test_no_header_field_changes_the_question(demo, bob, secret, field):
    for cookie in ["", cookies(bob)]:
        status, body = raw(demo, "/company/hr/", cookie, fields=[field])
        assert status in (303, 400, 401, 403) and secret not in body
        assert b"evil.example" not in body


def test_a_stranger_cannot_tell_what_is_there(demo):
    def answer(path):
        response = requests.get(demo.url + path, headers=NAVIGATE, allow_redirects=False)
        return response.status_code, len(response.content), sorted(response.headers)

    assert answer("/company/hr/") == answer("/company/no-such/") == answer("/n/")


def test_bob_cannot_tell_which_hr_pages_are_there(demo, bob):
    there = bob.get(demo.url + "/company/hr/", headers=NAVIGATE)
    not_there = bob.get(demo.url + "/company/hr/no-such/", headers=NAVIGATE)
    assert there.status_code == not_there.status_code == 403
    assert bob.get(demo.url + "/no-such/").status_code == 404


def test_bob_cannot_tell_which_groups_there_are(demo, signed_in, bob):
    """A list for each group, and an index for each audience that has pages."""
    stranger, alice = requests.Session(), signed_in()
    (folder,) = [path.name for path in (demo.folder / "public/current/site/_search").iterdir()
                 if alice.get(f"{demo.url}/_search/{path.name}/none").status_code == 404
                 and bob.get(f"{demo.url}/_search/{path.name}/none").status_code == 403]
    for path in ["/_reader/group/hr.json", "/_reader/group/xx.json", "/_reader/group/", "/_reader/group/hr.json/x",
                 "/_reader/group/hr.txt", "/_reader/group/xx.txt", "/company/hr/index.md",
                 f"/_search/{folder}/", f"/_search/{folder[::-1]}/", "/_search/x", "/_search/"]:
        assert bob.get(demo.url + path).status_code == 403, path
        assert stranger.get(demo.url + path).status_code == 401, path
    assert alice.get(demo.url + "/_reader/group/hr.json").status_code == 200


def test_a_program_gets_as_markdown_what_its_reader_may_read(demo, signed_in):
    stranger, bob, alice = requests.Session(), signed_in(BOB), signed_in()
    everybody = stranger.get(demo.url + "/llms.txt")
    assert everybody.status_code == 200 and "/press/index.md" in everybody.text and "/hr/" not in everybody.text
    assert stranger.get(demo.url + "/_reader/signed-in.txt").status_code == 401
    for reader, group in [(bob, 403), (alice, 200)]:
        groups = alice.get(demo.url + "/auth/me").json()["groups"]
        lists = [reader.get(f"{demo.url}/_reader/{name}.txt") for name in ["signed-in", *(f"group/{name}" for name in groups)]]
        assert {answer.status_code for answer in lists[1:]} == {group}
        addresses = [word for answer in lists if answer.ok for word in re.findall(r"\]\((/[^)]*/index\.md)\)", answer.text)]
        assert len(addresses) > 20 and ("/company/hr/index.md" in addresses) == (reader is alice)
        for address in addresses:
            page = reader.get(demo.url + address)
            assert page.status_code == 200 and page.text.startswith("# "), address
    assert page.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert page.headers["Cache-Control"] == "private, no-store" and "Cookie" in page.headers["Vary"]


def test_header_fields_of_pages_and_assets(demo, signed_in):
    alice = signed_in()
    page = alice.get(demo.url + "/company/hr/")
    assert page.headers["Cache-Control"] == "private, no-store"
    assert "Cookie" in page.headers["Vary"]
    ahead = alice.get(demo.url + "/company/hr/", headers={"Sec-Purpose": "prefetch"})
    assert ahead.headers["Cache-Control"] == "private, no-cache" and "Cookie" in ahead.headers["Vary"]
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert f"script-src {demo.url}/_theme/;" in policy
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    again = alice.get(demo.url + "/company/hr/", headers={"If-None-Match": page.headers["ETag"]})
    assert again.status_code == 304
    style = re.search(r'href="(/_theme/site\.[0-9a-f]+\.css)"', page.text)[1]
    stranger = requests.get(demo.url + style)
    assert stranger.status_code == 200
    assert stranger.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    refused = requests.get(demo.url + "/company/hr/", headers=NAVIGATE, allow_redirects=False)
    assert refused.headers["Cache-Control"] == "no-store"
    assert "Content-Security-Policy" in refused.headers


def test_a_neighbours_cookie_in_another_encoding_hides_nothing(demo, signed_in):
    session = signed_in().cookies["session"]
    assert raw(demo, "/company/hr/", fields=[f"Cookie: n=\xff\xfe; session={session}"])[0] == 200


def test_nobody_is_shown_the_forbidden_page_without_having_wanted_one(demo):
    assert requests.get(demo.url + "/auth/forbidden", headers=NAVIGATE).status_code == 404


def test_a_name_of_the_host_leads_to_the_one_that_cookies_belong_to(demo):
    connection = http.client.HTTPConnection("127.0.0.1", demo.site_port)
    connection.request("GET", "/company/", headers={"Host": "evil.example"})
    answer = connection.getresponse()
    assert answer.status == 301
    assert answer.headers["Location"] == demo.url + "/company/"


def test_routes_have_locations_and_locations_have_routes():
    """nginx and siteauth name the same paths."""
    routes = set(re.findall(r'case "(/auth/[a-z-]+)"', (ROOT / "Sources/RelyingParty/Exchange/Route.swift").read_text()))
    nginx = "".join(path.read_text() for path in (ROOT / "nginx").glob("*.conf"))
    assert set(re.findall(r"SITE_ROUTE (/auth/[a-z-]+);", nginx)) <= routes
    variables = set(re.findall(r"fastcgi_param (SITE_[A-Z_]+)\b", nginx))
    read = set(re.findall(r'(?:variable|field)\("(SITE_[A-Z_]+)"\)', (ROOT / "Sources/siteauth/Gateway.swift").read_text()))
    assert variables == read


def test_a_large_session_and_a_long_address_fit_into_one_answer(tmp_path, signed_in):
    """With nginx's usual 4 KB the sign-in would end in a 503, each time."""
    names = [f"a-group-with-a-long-name-{number:02}" for number in range(80)]
    groups = "".join(f'{name} = {{ role = "HR" }}\n' for name in names)
    write(tmp_path, {"site/index.md": "# Home\n", "sitegen.toml": 'title = "Many groups"\n[groups]\n' + groups})
    with closing(DemoSite(CONFIG=str(tmp_path / "sitegen.toml"))) as site:
        site.start()
        session, wanted = requests.Session(), f"/?{'x' * 1400}"
        callback = pick(site, session, path=wanted)
        finished = session.get(callback, headers=NAVIGATE, allow_redirects=False)
        assert finished.status_code == 303 and finished.headers["Location"] == site.url + wanted
        assert len(session.cookies["session"]) > 2500
        assert session.get(site.url + wanted, headers=NAVIGATE).status_code == 200
