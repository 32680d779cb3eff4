"""Gateways that ask siteauth about an application: what its readers get, and what nobody gets through any of them."""

import itertools
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from urllib.parse import unquote

import pytest

import http_2
import raw_http
from demo_site import ALICE, BOB, NAVIGATE, TENANT, answering, browser, cookies, finish
from echo_application import Echo, fields_of
from gateways import GATEWAYS, Envoy, GatedSite, HAProxy, IngressNginx
from hostile_requests import FIELDS, SMUGGLED, TARGETS

PATH = "/company/hr/"


@pytest.fixture(scope="module", params=GATEWAYS)
def site(request, demo):
    with answering(Echo) as echo, closing(GatedSite(demo.folder / "public", GATEWAYS[request.param], echo)) as site:
        site.start()
        site.alice, site.bob = finish(site), finish(site, account=BOB)
        yield site


def test_readers_reach_it_by_their_right_and_strangers_by_the_sign_in(site):
    answer = site.alice.get(f"{site.url}{PATH}x?a=b%2Fc")
    fields = fields_of(answer.content)
    assert answer.status_code == 200 and answer.json()["path"] == f"{PATH}x?a=b%2Fc"
    assert fields["x-auth-user"] == [f"{ALICE}@{TENANT}"] and fields["x-auth-name"] == ["Alice%20Adams"]
    assert fields["x-auth-groups"] == ["hr"]
    assert site.alice.post(site.url + PATH, data="sent").json()["body"] == "sent"
    for method in ["GET", "POST", "HEAD"]:
        assert site.bob.request(method, site.url + PATH, headers=NAVIGATE).status_code == 403
    assert "may not open" in site.bob.get(site.url + PATH, headers=NAVIGATE).text or isinstance(site.front, IngressNginx)
    assert site.bob.get(site.url + "/company/").status_code == 200
    fields = fields_of(site.ask("/press/wiki/x")[2])
    assert not any(value for name in fields if name.startswith("x-auth") or name == "cookie" for value in fields[name])
    # Without a session: a script gets 401, and a browser comes back to the address that it asked for.
    script = site.ask(f"{PATH}y?c=d", "Sec-Fetch-Mode: cors")[0]
    assert script == 401 or isinstance(site.front, IngressNginx)
    stranger = browser(site)
    begun = stranger.get(f"{site.url}{PATH}y?c=d", headers=NAVIGATE, allow_redirects=False)
    while not begun.headers["Location"].startswith(site.entra):
        begun = stranger.get(begun.headers["Location"], headers=NAVIGATE, allow_redirects=False)
    picked = stranger.post(begun.headers["Location"], data={"account": ALICE}, allow_redirects=False)
    page = stranger.get(picked.headers["Location"], headers=NAVIGATE)
    assert page.url == f"{site.url}{PATH}y?c=d" and page.json()["path"] == f"{PATH}y?c=d"


def test_the_session_does_not_reach_the_application_and_other_cookies_do(site):
    for others in ["a=b; c=d", ""]:
        body = site.ask(PATH, cookie=f"__Host-session={site.alice.cookies['__Host-session']}; {others}".strip("; "))[2]
        assert "".join(fields_of(body).get("cookie", [])) == others
        assert site.alice.cookies["__Host-session"] not in body.decode()


def test_nobody_names_themselves(site):
    """Every mixture of separators, alone and beside each other, and fields of which the client says that they end here."""
    for name in ["User", "Name", "Groups", "Token", "Cookie"]:
        spellings = [f"X{a}Auth{b}{name}: forged" for a, b in itertools.product("-_.~", repeat=2)]
        for fields in [*([spelling] for spelling in spellings), spellings, [*spellings, *spellings]]:
            body = site.ask(PATH, *fields, *map(str.lower, fields), cookie=cookies(site.alice))[2]
            assert b"forged" not in body, fields
        for named in [f"X-Auth-{name}", "Cookie", "Upgrade"]:
            body = site.ask(PATH, f"Connection: {named}", f"X-Auth-{name}: forged", cookie=cookies(site.alice))[2]
            assert b"forged" not in body and site.alice.cookies["__Host-session"] not in body.decode(), named
            assert b'"fields"' not in body or fields_of(body).get("x-auth-user", [""])[0] in ("", f"{ALICE}@{TENANT}"), named
    told = ["X-Forwarded-Host: evil.example", "X-Forwarded-Proto: evil.example", "X-Real-IP: evil.example", "Forwarded: host=evil.example"]
    body = site.ask(PATH, *(told if isinstance(site.front, HAProxy) else []), cookie=cookies(site.alice))[2]
    assert b'"fields"' in body and b"evil.example" not in body
    assert b'"fields"' not in site.ask(PATH, host="evil.example", cookie=cookies(site.alice))[2] or isinstance(site.front, IngressNginx)


def test_no_connection_becomes_one_of_another_protocol(site):
    """Nobody judges what follows; nginx as a gateway passes every protocol on, as the page says."""
    for protocols in [["h2c"], ["foo"], ["H2C, websocket"], ["websocket, h2c"], ["h2c", "websocket"], ["websocket", "h2c"]]:
        fields = ["Connection: Upgrade, HTTP2-Settings", "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA", *(f"Upgrade: {name}" for name in protocols)]
        body = site.ask(PATH, *fields, cookie=cookies(site.alice))[2]
        reached = fields_of(body).get("upgrade", []) if b'"fields"' in body else []
        assert set(reached) <= {"websocket"} or isinstance(site.front, IngressNginx), protocols
    fields = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
    status, _, body = site.ask(PATH, *fields, cookie=cookies(site.alice))
    assert fields_of(body)["upgrade"] == ["websocket"] if status == 200 else isinstance(site.front, Envoy) and status == 403


def test_a_script_that_fails_lets_nobody_through(site):
    if isinstance(site.front, HAProxy):
        status, _, body = site.ask("/press/wiki/", "X-Fail: 1", "X-Auth-User: forged", cookie=cookies(site.alice))
        assert status == 503 and b'"fields"' not in body


def test_no_request_reaches_the_application_without_the_right(site):
    Echo.seen.clear()
    bob = cookies(site.bob)
    others = ["HEAD", "POST", "OPTIONS", "TRACE", "PUT", "get", "PROPFIND"]
    told = [*FIELDS, *(f"{name}: {value}" for name in [
        "X-Forwarded-Uri", "X_Forwarded_Uri", "X-Original-URI", "X-Original-URL", "X-Auth-Request-Redirect", "X_Auth_Request_Redirect",
        "X-Forwarded-Method", "X-Original-Method", "X-Forwarded-Prefix", "X-Envoy-Original-Path", "X-Envoy-Auth-Partial-Body", "Connection",
    ] for value in ["/press/wiki/", "/press/wiki/\r\nX-Forwarded-Uri: /press/wiki/", "X-Forwarded-Uri", "x-forwarded-uri, cookie"])]
    disguises = ["../../", "%2e%2e/%2e%2e/", "..%2f..%2f", "%252e%252e/%252e%252e/", "..;/..;/", "..\\..\\", "..%5c..%5c", ".%2e/.%2e/",
                 "#/../../", "%23/../../", "x%0d%0aX-Forwarded-Uri:%20/press/wiki/x/../../../", "%00/../../../"]
    targets = [*TARGETS, "/verify", "/verify/press/wiki/", "/verify-status", PATH + "a/" * 4000, *(PATH + disguise + "press/wiki/" for disguise in disguises[2:]),
               *("/press/wiki/" + disguise + "company/hr/" for disguise in disguises)]
    asked = [(target, method, cookie, ()) for number, target in enumerate(targets)
             for method, cookie in [("GET", ""), ("GET", bob), (others[number % len(others)], bob)]]
    asked += [(PATH, "GET", cookie, fields) for cookie in ["", bob] for field in told for fields in [(field,), (field, field)]]

    def ask(request):
        target, method, cookie, fields = request
        status, head, body = site.ask(target, *fields, method=method, cookie=cookie)
        assert "evil.example" not in head.replace("http://evil.example/company", "") or status >= 400, (request, head)

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(ask, asked))
        host = f"localhost:{site.port}"
        list(pool.map(lambda text: site.send(text.replace("{host}", host).encode("latin-1"), seconds=0.3), SMUGGLED))
    for path in [PATH, "/press/../company/hr/", "/company/%68r/", "//company/hr/"]:
        fields = {":method": "GET", ":scheme": "https", ":authority": host, ":path": path, "cookie": bob}
        http_2.ask(site.port, site.authority, fields)
    # Some gateways resolve '..' before they ask, and the public path is then one.
    for path in Echo.seen:
        assert path.startswith("/press/wiki/") and ".." not in unquote(unquote(unquote(path))), path


def test_a_reader_s_odd_addresses_are_judged_by_every_reading(site):
    """What an application may take for another address than the gateway did is for nobody."""
    for target in [PATH + "x/%2e%2e/y", PATH + "..%2f..%2fpress/", PATH + "%252e%252e/x", PATH + "x%5cy", PATH + "x%00"]:
        status, _, body = site.ask(target, cookie=cookies(site.alice))
        assert status >= 300 or b'"fields"' not in body or "%2e" not in body.decode().lower(), target


def test_the_door_answers_the_gateway_alone_and_by_its_field_alone(site):
    def ask(path, target, name="X-Forwarded-Uri", source="127.0.0.1"):
        return raw_http.ask(site.door, path, f"{name}: {target}", cookie=cookies(site.alice), source=source)[0]

    assert ask("/verify", PATH, source="127.0.0.9") == 403
    for path in ["/", PATH, "/auth/me", "/auth/sign-in", "/_errors/503.html", "/access", "/verifyx"]:
        assert ask(path, PATH) == 404
    # No address, no right; neither of one that could be two.
    for target in ["", "x", "http://x" + PATH, f"{PATH}, {PATH}", f"{PATH} {PATH}", PATH + "\t", "*", PATH + "\xff"]:
        for name in ["X-Forwarded-Uri", "X-Auth-Request-Redirect", "X-Original-URL"]:
            assert ask("/verify-status", target, name) in (400, 403), target
