"""Another application behind the same nginx: what it is told, and what nobody can tell it."""

import http.server
import itertools
import json
import re
import socket
import threading

import pytest

from demo_site import ALICE, BOB, TENANT
from own_service import OwnService

NAVIGATE = "Sec-Fetch-Mode: navigate"


class Echo(http.server.BaseHTTPRequestHandler):
    """Answers with what arrived."""

    seen = []

    def answer(self):
        Echo.seen.append(self.path)
        if "accel" in self.path:
            self.send_response(200)
            self.send_header("X-Accel-Redirect", "/_errors/503.html")
            self.end_headers()
            return
        body = json.dumps({"path": self.path, "fields": self.headers.items()}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_OPTIONS = answer

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module", params=["", "underscores_in_headers on;"])
def application(request, demo):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    own = OwnService(demo)
    try:
        own.siteauth()
        own.nginx(
            "".join(
                f"location {path} {{ include siteauth/application.conf;"
                f" proxy_pass http://127.0.0.1:{server.server_port}; }}\n"
                for path in ["/company/hr/", "/company/", "/press/"]
            ),
            http=request.param,
        )
        yield own
    finally:
        own.close()
        server.shutdown()


def ask(own, target, cookie="", fields=(), method="GET"):
    head = [f"{method} {target} HTTP/1.1", "Host: localhost", "Connection: close", NAVIGATE, *fields]
    if cookie:
        head.append(f"Cookie: {cookie}")
    with socket.create_connection(("127.0.0.1", own.port), timeout=60) as connection:
        connection.sendall("\r\n".join(head).encode("latin-1") + b"\r\n\r\n")
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split(b" ", 2)[1]), head.decode("latin-1"), body


def fields_of(body):
    """Names as an application that knows no difference between '-' and '_' has them."""
    found = {}
    for name, value in json.loads(body)["fields"]:
        found.setdefault(name.lower().replace("_", "-"), []).append(value)
    return found


@pytest.fixture
def alice(signed_in):
    return "session=" + signed_in(ALICE).cookies["session"]


@pytest.fixture
def bob(signed_in):
    return "session=" + signed_in(BOB).cookies["session"]


def test_the_application_is_told_who_reads(application, alice, bob):
    status, _, body = ask(application, "/company/hr/x?a=b", alice)
    assert status == 200 and json.loads(body)["path"] == "/company/hr/x?a=b"
    fields = fields_of(body)
    assert fields["x-auth-user"] == [f"{ALICE}@{TENANT}"]
    assert fields["x-auth-name"] == ["Alice%20Adams"]
    assert fields["x-auth-groups"] == ["hr"]
    assert "x-auth-cookie" not in fields
    status, _, body = ask(application, "/company/x", bob)
    assert status == 200 and fields_of(body)["x-auth-user"] == [f"{BOB}@{TENANT}"]


def test_whoever_may_not_never_reaches_it(application, bob):
    Echo.seen.clear()
    for method in ["GET", "POST", "OPTIONS"]:
        assert ask(application, "/company/hr/", method=method)[0] in (303, 401)
        assert ask(application, "/company/x", "session=forged", method=method)[0] in (303, 401)
        assert ask(application, "/company/hr/", bob, method=method)[0] == 403
    for target in ["/company/%68r/", "/press/../company/hr/", "/press/%2e%2e/company/hr/", "/company/x/..%2fhr/",
                   "//company/hr/", "/COMPANY/HR/", "/company/HR/", "/company/hr%2fx", "/company/x;/../hr/",
                   "/company/x%00", "/company/%252e%252e/"]:
        assert ask(application, target, bob)[0] in (303, 400, 401, 403, 404)
    assert Echo.seen == []


FORGED = ["X-Auth-User", "X-Auth-Name", "X-Auth-Groups", "X-Auth-Cookie", "Remote-User", "X-Remote-User",
          "X-Forwarded-User", "X-Forwarded-Email", "X-Forwarded-Groups", "X-WebAuth-User", "X-Original-URI",
          "X-Original-URL", "X-Rewrite-URL", "X-Original-Method", "X-Forwarded-Prefix", "Forwarded", "Via", "Proxy",
          "X-Forwarded-For", "X-Real-IP", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Access-Token"]


def spellings(name):
    """Every mixture of '-' and '_', then other cases of letters."""
    first, *rest = name.split("-")
    for separators in itertools.product("-_", repeat=len(rest)):
        spelling = first + "".join(map("".join, zip(separators, rest)))
        yield from [spelling, spelling.lower(), spelling.upper()]


@pytest.mark.parametrize("name", FORGED)
def test_no_spelling_of_a_field_gets_through(application, alice, bob, name):
    # One by one, then all of them, and each twice.
    for fields in [[s] for s in spellings(name)] + [[*spellings(name), *spellings(name)]]:
        forged = [f"{spelling}: forged" for spelling in fields]
        for cookie, path in [(bob, "/company/x"), ("", "/press/x")]:
            status, _, body = ask(application, path, cookie, forged)
            assert status == 200 and b"forged" not in body, (fields, body)
            # A space before the colon is no part of a name for some, and refused by nginx.
            assert ask(application, path, cookie, [f"{fields[0]} : forged"])[0] == 400


def test_a_stranger_on_a_public_path_is_nobody(application):
    status, _, body = ask(application, "/press/x", fields=["X-Auth-User: forged"])
    fields = fields_of(body)
    assert status == 200 and not {"x-auth-user", "x-auth-name", "x-auth-groups"} & set(fields)


def test_the_session_is_not_handed_on_and_other_cookies_are(application, alice):
    _, _, body = ask(application, "/company/hr/", f"a=b; {alice}; browser=x; __Host-session=y; c=d")
    assert fields_of(body)["cookie"] == ["a=b; c=d"]
    assert alice not in body.decode()
    _, _, body = ask(application, "/company/hr/", alice)
    assert "cookie" not in fields_of(body)


def test_the_address_is_nginxs_word(application, alice):
    forged = ["X-Forwarded-For: 1.2.3.4", "X-Real-IP: 1.2.3.4", "X-Forwarded-Host: evil.example",
              "X-Forwarded-Proto: javascript"]
    fields = fields_of(ask(application, "/company/hr/", alice, forged)[2])
    assert fields["x-forwarded-for"] == fields["x-real-ip"] == ["127.0.0.1"]
    assert fields["x-forwarded-host"] == ["localhost"] and fields["x-forwarded-proto"] == ["http"]


@pytest.mark.parametrize("target", ["/company/x/%2e%2e/y", "/company/./y", "/company//y", "/press/../company/y"])
def test_the_application_gets_the_path_that_was_judged(application, alice, target):
    status, _, body = ask(application, target, alice)
    assert status == 200 and json.loads(body)["path"] == re.sub("/x/../", "/", "/company/y")


def test_nginx_takes_the_include_without_a_word(application):
    assert (application.folder / "nginx.log").read_text() == ""


def test_the_application_hands_out_no_file_of_nginx(application, alice):
    _, _, body = ask(application, "/company/accel", alice)
    assert b"not available" not in body


def test_identity_is_a_question_that_no_url_reaches(application, alice):
    for target in ["/auth/identity", "/auth/identity?x", "/auth//identity"]:
        status, head, _ = ask(application, target, alice)
        assert status == 404 and "X-Auth" not in head
    status, head, _ = ask(application, "/company/hr/", alice)
    assert status == 200 and "X-Auth" not in head
