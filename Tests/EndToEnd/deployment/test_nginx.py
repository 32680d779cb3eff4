"""siteauth behind real nginx: what is served, what is not, and with which header fields."""

import http.client
import re
import socket
import ssl
import time
import urllib.parse
import warnings
from contextlib import closing

import pytest
import requests

from demo_site import ALICE, BOB, ROOT, DemoSite
from hostile_requests import FIELDS, TARGETS
from own_service import OwnService

NAVIGATE = {"Sec-Fetch-Mode": "navigate"}


def raw(demo, target, cookie="", method="GET", fields=()):
    """Sends a request line as it is; returns status and body."""
    status, _, body = send(demo, target, cookie, method, fields)
    return status, body


def raw_location(demo, target, cookie=""):
    status, head, body = send(demo, target, cookie, fields=["Sec-Fetch-Mode: navigate"])
    location = re.search(rb"(?i)\r\nlocation: ([^\r]*)", head)
    return status, body, location[1].decode("latin-1") if location else ""


def send(demo, target, cookie="", method="GET", fields=()):
    """Sends a request line as it is; returns status, head and body."""
    head = [f"{method} {target} HTTP/1.1".encode("latin-1"), b"Host: localhost", b"Connection: close"]
    if cookie:
        head.append(f"Cookie: {cookie}".encode())
    head += [field.encode("latin-1") for field in fields]
    with socket.create_connection(("127.0.0.1", demo.site_port), timeout=60) as connection:
        connection.sendall(b"\r\n".join(head) + b"\r\n\r\n")
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
    status = int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/") else 0
    head, _, body = answer.partition(b"\r\n\r\n")
    return status, head, body


def cookies(session):
    return "; ".join(f"{cookie.name}={cookie.value}" for cookie in session.cookies)


@pytest.fixture(scope="module")
def secret(demo):
    """A text that stands on the HR page and nowhere else."""
    page = next(demo.folder.glob("public/current/site/company/hr/index.html")).read_text()
    return re.search(r"<article>.*?<p>(.{30})", page, re.DOTALL)[1].encode()


@pytest.mark.parametrize("target", TARGETS)
def test_no_spelling_opens_the_hr_pages(demo, signed_in, secret, target):
    bob = cookies(signed_in(BOB))
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
def test_no_header_field_changes_the_question(demo, signed_in, secret, field):
    for cookie in ["", cookies(signed_in(BOB))]:
        status, body = raw(demo, "/company/hr/", cookie, fields=[field])
        assert status in (303, 400, 401, 403) and secret not in body
        assert b"evil.example" not in body


def test_health_check_paths_and_tokens_in_the_query_open_nothing(demo):
    for target in ["/?access_token=x", "/?token=x", "/auth/health/../check", "/healthz", "/.git/config"]:
        assert raw(demo, target)[0] in (303, 401, 404)


def test_a_stranger_cannot_tell_what_is_there(demo):
    def answer(path):
        response = requests.get(demo.url + path, headers=NAVIGATE, allow_redirects=False)
        return response.status_code, len(response.content), sorted(response.headers)

    assert answer("/company/hr/") == answer("/company/no-such/") == answer("/n/")


def test_bob_cannot_tell_which_hr_pages_are_there(demo, signed_in):
    bob = signed_in(BOB)
    there = bob.get(demo.url + "/company/hr/", headers=NAVIGATE)
    not_there = bob.get(demo.url + "/company/hr/no-such/", headers=NAVIGATE)
    assert there.status_code == not_there.status_code == 403
    assert bob.get(demo.url + "/no-such/").status_code == 404


def test_bob_cannot_tell_which_groups_there_are(demo, signed_in):
    """A list for each group, and an index for each audience that has pages."""
    bob, stranger, alice = signed_in(BOB), requests.Session(), signed_in()
    (folder,) = [path.name for path in (demo.folder / "public/current/site/_search").iterdir()
                 if alice.get(f"{demo.url}/_search/{path.name}/none").status_code == 404
                 and bob.get(f"{demo.url}/_search/{path.name}/none").status_code == 403]
    for path in ["/_reader/group/hr.json", "/_reader/group/xx.json", "/_reader/group/", "/_reader/group/hr.json/x",
                 f"/_search/{folder}/", f"/_search/{folder[::-1]}/", "/_search/x", "/_search/"]:
        assert bob.get(demo.url + path).status_code == 403, path
        assert stranger.get(demo.url + path).status_code == 401, path
    assert alice.get(demo.url + "/_reader/group/hr.json").status_code == 200


def test_titles_of_hr_pages_stand_nowhere_else(demo):
    site = demo.folder / "public" / "current" / "site"
    title = re.compile(r"<title>(.*?) · ")
    for group in ["hr", "board"]:
        titles = [title.search(page.read_text())[1] for page in site.glob(f"company/{group}/**/*.html")]
        assert titles
        for page in site.rglob("*.html"):
            if f"/company/{group}/" in str(page):
                continue
            for secret_title in titles:
                assert f">{secret_title}<" not in page.read_text(), (page, secret_title)


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


def test_a_fetch_gets_json_and_no_cookie(demo):
    answer = requests.get(demo.url + "/company/", headers={"Sec-Fetch-Mode": "cors"})
    assert answer.status_code == 401
    assert answer.json()["error"] == "sign_in_required"
    assert "Set-Cookie" not in answer.headers


def test_tampered_cookies_are_asked_to_sign_in_again(demo, signed_in):
    value, before = signed_in().cookies["session"], len(demo.log("siteauth"))
    other = "B" if value[50] == "A" else "A"
    for broken in [value[:-1], value[1:], value + "A", value[:50] + other + value[51:], "x" * 6000, ""]:
        answer = requests.get(
            demo.url + "/company/", headers=NAVIGATE | {"Cookie": f"session={broken}"},
            allow_redirects=False,
        )
        assert answer.status_code in (303, 400)
    assert "siteauth: error" not in demo.log("siteauth")[before:]


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
    named = set(re.findall(r"SITE_ROUTE (/auth/[a-z-]+);", (ROOT / "nginx/siteauth.conf").read_text()))
    assert named <= routes
    variables = set(re.findall(r"\b(SITE_[A-Z_]+)\b", "".join(
        (ROOT / "nginx" / name).read_text() for name in ["siteauth.conf", "gateway.conf", "files.conf", "application.conf", "status.conf"])))
    read = set(re.findall(r'(?:variable|field)\("(SITE_[A-Z_]+)"\)', (ROOT / "Sources/siteauth/Gateway.swift").read_text()))
    assert variables == read


def test_a_large_session_and_a_long_address_fit_into_one_answer(tmp_path, signed_in):
    """With nginx's usual 4 KB the sign-in would end in a 503, each time."""
    names = [f"a-group-with-a-long-name-{number:02}" for number in range(80)]
    (tmp_path / "site").mkdir()
    (tmp_path / "site/index.md").write_text("# Home\n")
    (tmp_path / "sitegen.toml").write_text(
        'title = "Many groups"\nsource = "site"\n[groups]\n'
        + "".join(f'{name} = {{ role = "HR" }}\n' for name in names)
    )
    site = DemoSite(CONFIG=str(tmp_path / "sitegen.toml"))
    try:
        site.start()
        session = requests.Session()
        navigate = {"Sec-Fetch-Mode": "navigate"}
        wanted = f"{site.url}/?{'x' * 1400}"
        begun = session.get(wanted, headers=navigate, allow_redirects=False)
        picked = session.post(
            begun.headers["Location"], data={"account": ALICE}, allow_redirects=False
        )
        finished = session.get(picked.headers["Location"], headers=navigate, allow_redirects=False)
        assert finished.status_code == 303 and finished.headers["Location"] == wanted
        assert len(session.cookies["session"]) > 2500
        assert session.get(wanted, headers=navigate).status_code == 200
    finally:
        site.close()


@pytest.fixture(scope="module")
def lenient_nginx(demo):
    """nginx that leaves paths as they come: siteauth must not rely on it for what is judged."""
    with closing(OwnService(demo)) as own:
        own.siteauth()
        own.nginx(locations="merge_slashes off;")
        own.site_port = own.port
        yield own


@pytest.mark.parametrize("target", TARGETS)
def test_no_spelling_opens_them_where_slashes_are_not_merged(lenient_nginx, secret, target):
    """Hostile inputs HP-03."""
    status, body = raw(lenient_nginx, target)
    assert secret not in body
    allowed = {0, 303, 400, 401, 403, 404, 405, 414} | ({200} if target.startswith("/press#") else set())
    assert status in allowed | ({301} if target.startswith("http://evil") else set())


RETURNS = [
    "//evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example", "/\t/evil.example",
    "/%09/evil.example", "/%2f%2fevil.example", "/%5cevil.example", "/.//evil.example",
    "/..//evil.example", "https:evil.example", "https://evil.example", "@evil.example",
    "/;@evil.example//", "javascript:alert(1)", "/%0d%0aLocation:%20https://evil.example",
    "/\u2028/evil.example", "/\x85/evil.example", "/%e3%80%82evil.example", "/" + "a" * 9000,
]


@pytest.mark.parametrize("times", [0, 1, 2])
@pytest.mark.parametrize("wanted", RETURNS)
def test_nobody_is_sent_elsewhere_after_signing_in(demo, signed_in, wanted, times):
    """Hostile inputs HR-01 to HR-14, through nginx, as they are and encoded."""
    session = signed_in()
    for _ in range(times):
        wanted = urllib.parse.quote(wanted, safe="")
    # The body of a URL is ASCII at least.
    text = wanted.encode("utf-8").decode("latin-1").replace("\t", "%09")
    for query in [f"return={text}", f"return=/&return={text}", f"return[]={text}"]:
        status, _, location = raw_location(demo, f"/auth/sign-in?{query}", cookies(session))
        assert status in (303, 400, 404, 414)
        if status == 303:
            assert location.startswith(demo.url + "/")
            assert location[len(demo.url) + 1:][:1] not in ("/", "\\")


def test_the_versions_of_tls_and_the_time_for_a_request_are_those_of_the_page(secure):
    """nginx takes both from the server for all other names."""
    site = secure()
    versions = {}
    for version in [ssl.TLSVersion.TLSv1_1, ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3]:
        context = ssl.create_default_context(cafile=site.authority)
        # Otherwise OpenSSL itself would refuse the old versions.
        context.set_ciphers("DEFAULT:@SECLEVEL=0")
        with warnings.catch_warnings(action="ignore"):
            context.minimum_version = context.maximum_version = version
        try:
            with socket.create_connection(("127.0.0.1", site.port)) as plain:
                with context.wrap_socket(plain, server_hostname="localhost") as stream:
                    versions[version.name] = stream.version()
        except (ssl.SSLError, ConnectionError):
            versions[version.name] = None
    assert versions == {"TLSv1_1": None, "TLSv1_2": "TLSv1.2", "TLSv1_3": "TLSv1.3"}
    context = ssl.create_default_context(cafile=site.authority)
    with socket.create_connection(("127.0.0.1", site.port), timeout=50) as plain:
        with context.wrap_socket(plain, server_hostname="localhost") as stream:
            stream.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
            start = time.monotonic()
            assert stream.recv(1) == b"" and 10 < time.monotonic() - start < 30
