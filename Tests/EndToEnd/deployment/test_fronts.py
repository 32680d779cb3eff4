"""Other servers in front of nginx, by the recipes of the handbook: who reads what, and what nobody gets."""

import contextlib
import re
import socketserver
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

import http_2
import raw_http
from demo_site import ALICE, BOB, answering, cookies, finish
from echo_application import Echo, Tunnel, fields_of
from fronted_site import FRONTS, Apache, FrontedSite
from hostile_requests import FIELDS, SMUGGLED, SMUGGLED_BY_HTTP_2, TARGETS
from readers import Readers

NAVIGATE = "Sec-Fetch-Mode: navigate"
READER, NEIGHBOUR = "127.0.0.7", "127.0.0.8"


@pytest.fixture(scope="module", params=FRONTS)
def site(request, demo):
    with contextlib.ExitStack() as stack:
        echo = stack.enter_context(answering(Echo))
        tunnel = stack.enter_context(answering(Tunnel, socketserver.ThreadingTCPServer))
        applications = {"/company/wiki/": echo, "/company/chat/": tunnel}
        # In place of the server for monitoring, one that answers whatever is asked.
        site = FrontedSite(demo.folder / "public", FRONTS[request.param], applications, echo)
        stack.enter_context(contextlib.closing(site)).start()
        site.alice, site.bob = finish(site), finish(site, account=BOB)
        page = next(demo.folder.glob("public/current/site/company/hr/index.html")).read_text()
        site.secret = re.search(r"<article>.*?<p>(.{30})", page, re.DOTALL)[1].encode()
        yield site


def test_readers_sign_in_and_read_what_is_theirs(site):
    answer = site.alice.get(site.url + "/company/hr/")
    assert answer.status_code == 200 and site.secret in answer.content
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert f"script-src {site.url}/_theme/;" in answer.headers["Content-Security-Policy"]
    tag = {"If-None-Match": answer.headers["ETag"]}
    assert site.alice.get(site.url + "/company/hr/", headers=tag).status_code == 304
    assert site.alice.head(site.url + "/company/hr/").status_code == 200
    assert site.bob.get(site.url + "/company/").status_code == 200
    forbidden = site.bob.get(site.url + "/company/hr/", headers={"Range": "bytes=0-99"} | tag)
    assert forbidden.status_code == 403 and site.secret not in forbidden.content
    stranger = requests.get(
        site.url + "/company/hr/?a=b", headers={"Sec-Fetch-Mode": "navigate"}, verify=site.authority, allow_redirects=False)
    assert stranger.status_code == 303 and stranger.headers["Location"].startswith(site.entra)
    assert stranger.headers["Set-Cookie"].startswith("__Host-browser=") and "Secure" in stranger.headers["Set-Cookie"]


def test_a_program_gets_401_and_a_browser_is_sent_to_the_provider(site):
    """What the page shows under 'Try it', where curl asks a site without a server in front."""
    for fields, expected in [((), 401), (("Accept: text/html",), 303)]:
        status, head, _ = site.ask("/", *fields, method="HEAD")
        assert status == expected and "strict-transport-security: max-age=31536000" in head.lower()


def test_large_header_fields_pass(site):
    """A session with many groups, cookies of applications, and a long address to come back to."""
    large = [f"Cookie: {cookies(site.alice)}; other={'x' * 6000}", f"Referer: {site.url}/{'x' * 4000}"]
    status, _, body = site.ask("/company/hr/?" + "x" * 4000, *large)
    assert status == 200 and site.secret in body
    status, head, _ = site.ask("/company/hr/?" + "x" * 1000, NAVIGATE, *large[1:])
    assert status == 303 and len(head) > 2500


def test_no_request_opens_the_hr_pages(site):
    bob = cookies(site.bob)
    others = ["HEAD", "POST", "OPTIONS", "TRACE", "PUT", "get", "PROPFIND"]
    asked = [(target, "GET", cookie, ()) for target in TARGETS for cookie in ["", bob]]
    asked += [(target, others[index % len(others)], bob, ()) for index, target in enumerate(TARGETS)]
    asked += [("/company/hr/", "GET", cookie, (field,)) for field in FIELDS for cookie in ["", bob]]
    allowed = {0, 303, 400, 401, 403, 404, 405, 414, 421, 501}

    def ask(request):
        target, method, cookie, fields = request
        status, head, body = site.ask(target, *fields, method=method, cookie=cookie)
        assert site.secret not in body, request
        # One target is public whatever is behind the '#'; Caddy answers other names with nothing.
        nothing = target.startswith("http://evil") and body == b""
        assert status in allowed or status == 200 and (target.startswith("/press#") or nothing), (status, request)
        assert "evil.example" not in head and b"evil.example" not in body, request

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(ask, asked))


def test_no_request_becomes_a_part_of_anothers(site):
    """Alice reads all the time; nobody else sees her pages, and she sees no answer to what others sent."""
    host = f"localhost:{site.port}"

    def read():
        answer = site.alice.get(site.url + "/company/hr/")
        return "hers" if answer.status_code == 200 and site.secret in answer.content else answer.text[:500]

    def smuggle(text):
        assert site.secret not in site.send(text.replace("{host}", host).encode("latin-1"), seconds=0.3), text

    def smuggle_by_http_2(fields):
        usual = {":method": "POST", ":scheme": "https", ":authority": host, ":path": "/press/"}
        sent = {name: value.replace("{host}", host) for name, value in (usual | fields).items()}
        body = ("0\r\n\r\nGET /company/hr/ HTTP/1.1\r\nHost: " + host + "\r\n\r\n").encode()
        assert site.secret not in http_2.ask(site.port, site.authority, sent, body, seconds=0.3), fields

    alice = Readers(lambda: read, count=1)
    try:
        with ThreadPoolExecutor(16) as pool:
            list(pool.map(smuggle, SMUGGLED))
            list(pool.map(smuggle_by_http_2, SMUGGLED_BY_HTTP_2))
    finally:
        pages = alice.finish()
    assert set(pages) == {"hers"}


def test_http_2_is_spoken_and_judged(site):
    host = f"localhost:{site.port}"
    for cookie, opens in [(cookies(site.alice), True), (cookies(site.bob), False), ("", False)]:
        for path in ["/company/hr/", "/press/../company/hr/", "/company/%68r/", "//company/hr/"]:
            fields = {":method": "GET", ":scheme": "https", ":authority": host, ":path": path, "cookie": cookie}
            assert (site.secret in http_2.ask(site.port, site.authority, fields)) == opens, path


def test_the_readers_address_is_the_one_that_the_server_in_front_saw(site):
    forged = ["X-Forwarded-For: 1.2.3.4", "X-Forwarded-For: 127.0.0.1", "X-Real-IP: 1.2.3.4", "Forwarded: for=1.2.3.4"]
    for field in ["X: y", *forged, f"{forged[0]}\r\n{forged[1]}"]:
        assert site.ask("/press/address", field, source=READER)[0] == 404
    assert {line.split()[0] for line in site.log_of_requests("/press/address", 6)} == {READER}
    # Connections to nginx are kept, and each of them is used for many readers.
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda source: site.ask(f"/press/of-{source}", source=source), [READER, NEIGHBOUR] * 20))
    for source in [READER, NEIGHBOUR]:
        assert {line.split()[0] for line in site.log_of_requests(f"/press/of-{source}", 20)} == {source}


def test_addresses_are_read_as_clouds_write_them(site):
    """Azure Application Gateway writes the port behind the address."""
    addresses = {
        "203.0.113.9": "203.0.113.9", "203.0.113.9:54321": "203.0.113.9", "1.2.3.4:1, 203.0.113.9:54321": "203.0.113.9",
        "127.0.0.1, 203.0.113.9": "203.0.113.9", "[2001:db8::9]:54321": "2001:db8::9", "2001:db8::9": "2001:db8::9",
        "unknown": "127.0.0.1", "x, 203.0.113.9": "203.0.113.9",
    }
    for number, (forwarded, address) in enumerate(addresses.items()):
        request = (
            f"GET /press/{number} HTTP/1.1\r\nHost: localhost:{site.port}\r\nX-Forwarded-For: {forwarded}\r\n"
            "Connection: close\r\n\r\n"
        ).encode()
        if site.takes_proxy_protocol:
            # Then the field says nothing.
            request, address = b"PROXY TCP4 198.51.100.7 127.0.0.1 1 2\r\n" + request, "198.51.100.7"
        assert site.send_to_nginx(request, source="127.0.0.1").startswith(b"HTTP/1.1 404")
        assert [line.split()[0] for line in site.log_of_requests(f"/press/{number}", 1)] == [address]


def test_each_reader_has_a_limit_of_their_own(site):
    with ThreadPoolExecutor(16) as pool:
        answers = set(pool.map(lambda _: site.ask("/auth/callback", source=READER)[0], range(60)))
    assert 429 in answers and len(answers) == 2
    assert site.ask("/auth/callback", source=NEIGHBOUR)[0] != 429


def test_health_is_for_the_server_in_front(site):
    def ask(path, source="127.0.0.1"):
        return raw_http.ask(site.health_port, path, source=source)[0]

    assert ask("/docs/ready") == 200 and ask("/docs/ready", READER) == 403
    for path in ["/", "/docs/metrics", "/docs/health", "/docs/ready/", "/docs/ready/../metrics", "/other/ready"]:
        assert ask(path) == 404


def test_nobody_goes_around_the_server_in_front(site):
    """nginx believes the address of a reader from the server in front only."""
    forged = "X-Forwarded-For: 127.0.0.1\r\nForwarded: for=127.0.0.1\r\n"
    request = f"GET /press/around HTTP/1.1\r\nHost: localhost:{site.port}\r\n{forged}Connection: close\r\n\r\n"
    heads = {b"": not site.takes_proxy_protocol, b"PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n": site.takes_proxy_protocol}
    for head, is_taken in heads.items():
        answer = site.send_to_nginx(head + request.encode(), source="127.0.0.9")
        assert answer.startswith(b"HTTP/1.1 404") == is_taken
    assert [line.split()[0] for line in site.log_of_requests("/press/around", 1)] == ["127.0.0.9"]


def test_other_names_are_not_served(site):
    for name in ["evil.example", f"evil.example:{site.port}", "127.0.0.1", f"localhost.evil.example:{site.port}"]:
        for path in ["/", "/press/", "/company/", "/auth/sign-in", "/auth/me"]:
            status, head, body = site.ask(path, NAVIGATE, host=name)
            # Caddy's answer to a name that it does not know, and Traefik's.
            assert status == 421 or (status, body) in [(200, b""), (404, b"404 page not found\n")]
            assert "Location:" not in head and "Set-Cookie:" not in head


def test_an_application_learns_who_reads_how_and_from_where(site):
    forged = ["X-Auth-User: admin", "X_Auth_User: admin", "X-Forwarded-Proto: http", "X-Forwarded-Host: evil.example",
              "X-Forwarded-For: 1.2.3.4"]
    status, _, body = site.ask("/company/wiki/x%20y", *forged, cookie=cookies(site.alice), source=READER)
    fields = fields_of(body)
    assert status == 200 and fields["x-auth-user"][0].startswith(ALICE) and len(fields["x-auth-user"]) == 1
    assert fields["x-forwarded-proto"] == ["https"] and fields["x-forwarded-for"] == fields["x-real-ip"] == [READER]
    assert fields["host"] == fields["x-forwarded-host"] == [f"localhost:{site.port}"] and b"evil" not in body
    status, head, _ = site.ask("/company/wiki", cookie=cookies(site.alice))
    assert status == 301 and re.search(r"(?im)^location: (\S+)", head)[1] in ("/company/wiki/", site.url + "/company/wiki/")
    sent = site.alice.post(site.url + "/company/wiki/", data=b"a" * 500_000)
    assert sent.status_code == 200 and len(sent.json()["body"]) == 500_000
    Echo.seen.clear()
    # HAProxy asks for '/docs/ready' meanwhile.
    assert site.ask("/company/wiki/x")[0] == 401 and not [path for path in Echo.seen if path.startswith("/company/")]


def test_websockets_are_for_those_who_may_open_them(site):
    fields = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", f"Origin: {site.url}"]
    for cookie, expected in [(cookies(site.alice), b"hello"), ("", b"HTTP/1.1 401 ")]:
        head = ["GET /company/chat/ HTTP/1.1", f"Host: localhost:{site.port}", *fields, f"Cookie: {cookie}"]
        answer = site.send("\r\n".join(head).encode() + b"\r\n\r\n", until=expected)
        assert expected in answer and answer.startswith(b"HTTP/1.1 101 " if cookie else expected)


def test_the_file_of_a_challenge_is_sent_without_tls_by_apache(site):
    if not isinstance(site.front, Apache):
        return  # The others get their certificates otherwise.
    folder = site.folder / "html/.well-known/acme-challenge"
    folder.mkdir(parents=True)
    # nginx's temporary files are in it, so Apache's account cannot enter the folder otherwise.
    site.folder.chmod(0o755)
    (folder / "token").write_text("token.thumbprint")
    (site.folder / "html/other").write_text("not without TLS")
    url = f"http://localhost:{site.plain_port}"
    assert requests.get(f"{url}/.well-known/acme-challenge/token", allow_redirects=False).text == "token.thumbprint"
    for path in ["/other", "/.well-known/acme-challenge/../../other", "//other", "/.well-known/other"]:
        status, _, body = raw_http.ask(site.plain_port, path)
        assert b"not without TLS" not in body and status in (301, 400)


def test_plain_http_leads_to_https(site):
    if site.leaves_tls:
        return  # nginx does it (test_production.py).
    answer = requests.get(f"http://localhost:{site.plain_port}/company/?a=b", allow_redirects=False)
    # Caddy leaves out the port of https, whatever it is.
    assert answer.status_code in (301, 308)
    assert answer.headers["Location"] in (site.url + "/company/?a=b", "https://localhost/company/?a=b")
