"""Another application behind the same nginx: what it is told, and what nobody can tell it."""

import itertools
import json
import re
from contextlib import closing

import pytest

import raw_http
from demo_site import ALICE, BOB, TENANT, answering, free_port
from echo_application import Echo, fields_of
from own_service import OwnService


def behind(port):
    """Locations of an application, one of which takes larger uploads."""
    sizes = {"/company/hr/": "client_max_body_size 3m;", "/company/": "", "/press/": ""}
    return "".join(
        f"location {path} {{ include snippets/siteauth/application.conf; {size} proxy_pass http://127.0.0.1:{port}; }}\n"
        for path, size in sizes.items()
    )


@pytest.fixture(scope="module", params=["", "underscores_in_headers on;"])
def application(request, demo):
    with answering(Echo) as port, closing(OwnService(demo)) as own:
        own.serve(behind(port), http=request.param)
        own.application_port = port
        yield own


def ask(own, target, cookie="", fields=(), method="GET", **options):
    return raw_http.ask(own.port, target, "Sec-Fetch-Mode: navigate", *fields, cookie=cookie, method=method, **options)


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


# By which proxies of all kinds tell applications who asks, from where, and for what.
FORGED = """
X-Auth-User X-Auth-Name X-Auth-Groups X-Auth-Token X-Auth-Cookie X-Auth-Email X-Auth-Username
Remote-User Remote-Groups Remote-Email Remote-Name X-Remote-User X-Remote-Groups X-Remote-Email
X-Forwarded-User X-Forwarded-Email X-Forwarded-Groups X-Forwarded-Preferred-Username
X-Forwarded-Access-Token X-WebAuth-User X-WebAuth-Groups X-WebAuth-Email X-WebAuth-Name
X-Auth-Request-User X-Auth-Request-Email X-Auth-Request-Groups X-Auth-Request-Preferred-Username
X-Auth-Request-Access-Token X-MS-Client-Principal X-MS-Client-Principal-Id X-MS-Client-Principal-Name
X-MS-Client-Principal-IDP X-MS-Token-AAD-Id-Token X-Goog-Authenticated-User-Email
X-Goog-IAP-JWT-Assertion Cf-Access-Authenticated-User-Email Cf-Access-Jwt-Assertion X-Amzn-Oidc-Identity
X-Amzn-Oidc-Data X-Authentik-Username X-Authentik-Groups X-Pomerium-Claim-Email X-Vouch-User
X-Token-Subject X-Credential-Username X-Consumer-Username OIDC-CLAIM-sub SSL-Client-S-DN
X-SSL-Client-Verify X-Client-Cert X-User X-User-Id X-Username X-Email X-Groups X-Roles
X-Real-IP X-Client-IP X-Cluster-Client-IP True-Client-IP CF-Connecting-IP Fastly-Client-IP X-Envoy-External-Address
X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto X-Forwarded-Port X-Forwarded-Prefix X-Forwarded-Server
X-Forwarded-Scheme X-Forwarded-Ssl X-Forwarded-Uri X-Forwarded-Method X-Scheme Front-End-Https X-Url-Scheme
X-Original-URI X-Original-URL X-Original-Host X-Original-Method X-Rewrite-URL X-Script-Name X-HTTP-Method-Override
X-HTTP-Method X-Method-Override Forwarded Via Proxy Proxy-Authorization Proxy-Connection Authorization
X-Accel-Internal X-Sendfile-Type X-Accel-Mapping HTTP2-Settings X-Anything-Else
""".split()


def spellings(name):
    """Every mixture of '-' and '_', then other cases of letters."""
    first, *rest = name.split("-")
    for separators in itertools.product("-_", repeat=len(rest)):
        spelling = first + "".join(map("".join, zip(separators, rest)))
        yield from [spelling, spelling.lower(), spelling.upper()]


@pytest.mark.parametrize("name", FORGED)
def test_no_spelling_of_a_field_gets_through(application, alice, bob, name):
    # One by one, then all of them, and each twice.
    all_spellings = list(dict.fromkeys(spellings(name)))
    for fields in [[s] for s in all_spellings[:12]] + [all_spellings, all_spellings * 2]:
        forged = [f"{spelling}: forged" for spelling in fields]
        for cookie, path in [(bob, "/company/x"), ("", "/press/x")]:
            status, _, body = ask(application, path, cookie, forged)
            # Of some, nginx takes no more than one.
            assert status == (400 if name == "Authorization" and len(fields) > 1 else 200), fields
            assert b"forged" not in body, (fields, body)
            # A space before the colon is no part of a name for some, and refused by nginx.
            assert ask(application, path, cookie, [f"{fields[0]} : forged"])[0] == 400


REQUEST_FIELDS = """
Accept Accept-Encoding Accept-Language Cache-Control Pragma If-Match If-Modified-Since If-None-Match If-Range
If-Unmodified-Since Last-Event-ID Range User-Agent Content-Disposition Content-Encoding Content-Language
Content-Range Content-Type Access-Control-Request-Headers Access-Control-Request-Method Origin Referer
Sec-Fetch-Dest Sec-Fetch-Site Sec-Fetch-User X-CSRF-Token X-CSRFToken X-XSRF-TOKEN X-Requested-With
""".split()


def test_what_an_application_needs_of_a_request_reaches_it(application, alice):
    sent = {name: f"value-of-{name}" for name in REQUEST_FIELDS}
    fields = fields_of(ask(application, "/company/x", alice, [f"{n}: {v}" for n, v in sent.items()])[2])
    assert {name: fields.get(name.lower()) for name in sent} == {name: [value] for name, value in sent.items()}
    # Whatever a client sends, no other names arrive.
    known = {name.lower() for name in [*REQUEST_FIELDS, "Sec-Fetch-Mode", "Host", "Connection"]}
    ours = {"x-auth-user", "x-auth-name", "x-auth-groups"}
    assert set(fields) <= known | ours | {"x-real-ip", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"}


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "evil.example:80", "127.0.0.1"])
def test_the_name_of_the_site_is_the_configurations_word(application, alice, host):
    status, _, body = ask(application, "/company/x", alice, host=host)
    assert status == 200 and b"evil" not in body
    assert fields_of(body)["host"] == [f"localhost:{application.port}"]


def test_the_scheme_of_the_site_is_the_configurations_word(application, own, alice):
    """TLS may end in front of nginx."""
    own.siteauth()
    own.origin = "https://docs.example.com"
    own.nginx(behind(application.application_port))
    fields = fields_of(ask(own, "/company/x", alice)[2])
    assert fields["x-forwarded-proto"] == ["https"]
    assert fields["x-forwarded-host"] == fields["host"] == ["docs.example.com"]
    # nginx's own redirect, to the address with the slash.
    status, head, _ = ask(own, "/company", alice)
    assert status == 301 and "Location: /company/" in head.split("\r\n")


def test_an_upload_has_the_size_that_its_location_allows(application, alice):
    for path, status in [("/company/hr/x", 200), ("/company/x", 413)]:
        length = ["Content-Length: 2000000"]
        assert ask(application, path, alice, length, "POST", body=b"a" * 2_000_000)[0] == status
    # Of a stranger's upload, the application sees nothing.
    Echo.seen.clear()
    assert ask(application, "/company/hr/x", "", ["Content-Length: 2000000"], "POST", body=b"a" * 2_000_000)[0] == 401
    assert Echo.seen == []


def test_an_application_that_is_down_is_not_taken_for_siteauth(own, alice):
    siteauth = own.serve(behind(free_port()))
    for path, size in [("/company/x", 0), ("/company/hr/x", 2_000_000)]:
        status, _, body = ask(own, path, alice, [f"Content-Length: {size}"], "POST", body=b"a" * size)
        assert status == 502 and b"The application does not answer" in body
    own.stop(siteauth)
    status, _, body = ask(own, "/company/x", alice)
    assert status == 503 and b"The site is not available" in body


def test_the_session_is_not_handed_on_and_other_cookies_are(application, alice):
    _, _, body = ask(application, "/company/hr/", f"a=b; {alice}; browser=x; c=d")
    assert fields_of(body)["cookie"] == ["a=b; c=d"]
    assert alice not in body.decode()
    _, _, body = ask(application, "/company/hr/", alice)
    assert "cookie" not in fields_of(body)


@pytest.mark.parametrize("target", ["/company/x/%2e%2e/y", "/company/./y", "/company//y", "/press/../company/y"])
def test_the_application_gets_the_path_that_was_judged(application, alice, target):
    status, _, body = ask(application, target, alice)
    assert status == 200 and json.loads(body)["path"] == re.sub("/x/../", "/", "/company/y")


def test_the_application_hands_out_no_file_of_nginx(application, alice):
    _, _, body = ask(application, "/company/accel", alice)
    assert b"not available" not in body


def test_identity_is_a_question_that_no_url_reaches(application, alice):
    for target in ["/auth/identity", "/auth/identity?x", "/auth//identity"]:
        status, head, _ = ask(application, target, alice)
        assert status == 404 and "X-Auth" not in head
    status, head, _ = ask(application, "/company/hr/", alice)
    assert status == 200 and "X-Auth" not in head


def test_an_application_gets_odd_paths_and_no_reading_of_one_leads_past_a_rule(application, alice, bob):
    for target in ["/company/100%25", "/company/job/feature%252Fx", "/company/What%3F", "/company/C%23;a=b", "/company/x//y"]:
        status, _, body = ask(application, target, bob)
        assert status == 200, target
        # nginx writes slashes once, and escapes what it has decoded.
        assert json.loads(body)["path"].replace("%3B", ";") == target.replace("//", "/"), target
    for target in ["/company/%252e%252e/x", "/company/..;/x", "/company/%255C", "/company/hr%252Fx", "/company/%2568r/x"]:
        assert ask(application, target, bob)[0] == 403, target
    assert ask(application, "/company/hr%252Fx", alice)[0] == 200
    assert ask(application, "/company/a%2Fb", alice)[0] == 404


def test_an_administrator_allows_encoded_slashes_and_the_undecoded_address_is_judged(application, own, alice, bob):
    own.serve(
        'if ($request_uri ~ ^/company/) { set $has_encoded_slash ""; }\n'
        "location /company/ { set $auth_target $request_uri; include snippets/siteauth/application.conf;"
        f" proxy_pass http://127.0.0.1:{application.application_port}$request_uri; }}\n"
    )
    for target in ["/company/a%2Fb?c=%2F", "/company/a%2fb%20c", "/company/100%25"]:
        status, _, body = ask(own, target, bob)
        assert status == 200 and json.loads(body)["path"] == target, target
    for target in ["/company/hr%2Fx", "/company/x/%2e%2e/y", "/press/../company/y", "/company/%2e%2e/company/y", "/company//x"]:
        assert ask(own, target, bob)[0] == 403, target
    assert ask(own, "/company/hr%2Fx", alice)[0] == 200
    assert ask(own, "/press/a%2Fb", alice)[0] == ask(own, "/_theme/..%2fcompany/x", alice)[0] == 404
