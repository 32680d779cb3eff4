"""The production server block, with the marked lines changed and nothing else: TLS and HTTP/2."""

import concurrent.futures
import re
import shutil
import socket
import ssl
import subprocess
import time
import warnings
from contextlib import closing

import pytest
import requests

import raw_http
from demo_site import NAVIGATE, NGINX, TENANT, browser, replaced
from own_service import NGINXES, copy_configuration
from secure_site import SecureSite


class Production(SecureSite):
    changes = {}

    def write_nginx(self):
        super().write_nginx()
        text = (self.folder / "site.conf").read_text()
        (self.folder / "site.conf").write_text(replaced(text, {"/var/www/html": f"{self.folder}/html"}))


@pytest.fixture(scope="module")
def production(demo):
    with closing(Production(demo.folder / "public")) as site:
        site.plain = f"http://localhost:{site.http_port}"
        yield site.start()


def check(folder, program=NGINX):
    """Lets nginx look at a configuration; it has to take it. Returns the warnings."""
    command = [program, "-t", "-e", "stderr", "-p", folder, "-c", folder / "nginx.conf"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return [line for line in result.stderr.splitlines() if "warn" in line]


def test_nginx_takes_the_configuration_without_a_word(production):
    assert check(production.folder) == []


@pytest.mark.parametrize("program", NGINXES)
def test_every_nginx_takes_the_shipped_files(production, tmp_path, program):
    copy_configuration(tmp_path, program)
    text = (production.folder / "nginx.conf").read_text()
    site = (production.folder / "site.conf").read_text()
    application = "location /wiki/ { include snippets/siteauth/application.conf; proxy_pass http://127.0.0.1:1; }"
    include = "include snippets/siteauth/siteauth.conf;"
    (tmp_path / "site.conf").write_text(site.replace(include, f"{application}\n    {include}"))
    (tmp_path / "nginx.conf").write_text(text.replace(str(production.folder / "site.conf"), str(tmp_path / "site.conf")))
    # What site.conf says of newer ones.
    told = check(tmp_path, program)
    assert all('"listen ... http2" directive is deprecated' in line for line in told), told
    assert not told or program != NGINX


def test_nginx_takes_the_demo_configuration_without_a_word(demo):
    assert check(demo.folder) == []


def test_a_sign_in_over_tls_sets_host_cookies(production):
    answer = browser(production).get(production.url + "/", headers=NAVIGATE, allow_redirects=False)
    assert answer.status_code == 303
    assert f"/{TENANT}/oauth2/v2.0/authorize?" in answer.headers["Location"]
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-browser=") and cookie.endswith("; HttpOnly; SameSite=Lax; Secure")
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"


def test_plain_http_leads_to_https(production):
    answer = requests.get(production.plain + "/company/?a=b", allow_redirects=False)
    assert answer.status_code == 301 and answer.headers["Location"] == production.url + "/company/?a=b"


@pytest.fixture
def challenges(production):
    """The folder into which an ACME client writes, with other files above it."""
    html = production.folder / "html"
    folder = html / ".well-known/acme-challenge"
    (folder / "inner").mkdir(parents=True)
    (folder / "to-ken_1").write_text("to-ken_1.thumbprint")
    for path in [html / "index.html", html / "acme-challenge", html / ".well-known/other"]:
        path.write_text("not without TLS")
    yield folder
    shutil.rmtree(html)


def test_the_file_of_a_challenge_is_sent_without_tls(production, challenges):
    answer = requests.get(production.plain + "/.well-known/acme-challenge/to-ken_1", allow_redirects=False)
    assert answer.status_code == 200 and answer.text == "to-ken_1.thumbprint"
    assert answer.headers["Content-Type"] == "text/plain"


@pytest.mark.parametrize("path", ["absent", "", "inner", "inner/"])
def test_a_challenge_without_a_file_is_not_found(production, challenges, path):
    answer = requests.get(production.plain + "/.well-known/acme-challenge/" + path, allow_redirects=False)
    assert answer.status_code == 404


@pytest.mark.parametrize("path", [
    "/", "/index.html", "/acme-challenge", "/.well-known/other", "/.well-known/acme-challenge",
    "/.well-known/acme-challenge/../other", "/.well-known/acme-challenge/%2e%2e/other",
    "/.well-known/acme-challenge/..%2fother", "/.Well-Known/acme-challenge/to-ken_1",
    "/auth/sign-in", "/company/.well-known/acme-challenge/to-ken_1",
])
def test_nothing_beside_the_challenges_is_sent_without_tls(production, challenges, path):
    status, head, _ = raw_http.ask(production.http_port, path)
    assert status == 301 and f"\r\nLocation: {production.url}{path}\r\n" in head + "\r\n"


@pytest.mark.parametrize("name", ["evil.example", "localhost.evil.example", "127.0.0.1", None])
def test_whoever_asks_for_another_name_is_shown_no_certificate(production, name):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", production.port)) as plain:
        with pytest.raises(ssl.SSLError, match="(?i)unrecognized.name"):
            context.wrap_socket(plain, server_hostname=name)


@pytest.mark.parametrize("path", ["/", "/press/", "/company/", "/auth/sign-in", "/auth/me"])
def test_whoever_names_another_host_in_the_request_is_answered_by_nobody(production, path):
    for url in [production.url, production.plain]:
        fields = NAVIGATE | {"Host": "evil.example"}
        answer = browser(production).get(url + path, headers=fields, allow_redirects=False)
        assert answer.status_code == 421 and "Location" not in answer.headers and "Set-Cookie" not in answer.headers


def test_the_versions_of_tls_and_the_time_for_a_request_are_those_of_the_page(production):
    """nginx takes both from the server for all other names."""
    versions = {}
    for version in [ssl.TLSVersion.TLSv1_1, ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3]:
        context = ssl.create_default_context(cafile=production.authority)
        # Otherwise OpenSSL itself would refuse the old versions.
        context.set_ciphers("DEFAULT:@SECLEVEL=0")
        context.set_alpn_protocols(["h2"])
        with warnings.catch_warnings(action="ignore"):
            context.minimum_version = context.maximum_version = version
        try:
            with socket.create_connection(("127.0.0.1", production.port)) as plain:
                with context.wrap_socket(plain, server_hostname="localhost") as stream:
                    versions[version.name] = stream.version(), stream.selected_alpn_protocol()
        except (ssl.SSLError, ConnectionError):
            versions[version.name] = None
    assert versions == {"TLSv1_1": None, "TLSv1_2": ("TLSv1.2", "h2"), "TLSv1_3": ("TLSv1.3", "h2")}
    context = ssl.create_default_context(cafile=production.authority)
    with socket.create_connection(("127.0.0.1", production.port), timeout=50) as plain:
        with context.wrap_socket(plain, server_hostname="localhost") as stream:
            stream.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
            start = time.monotonic()
            assert stream.recv(1) == b"" and 10 < time.monotonic() - start < 30


def test_too_many_questions_are_refused(production):
    def ask(_):
        with browser(production) as session:
            return {session.get(production.url + "/auth/me").status_code for _ in range(100)}

    # With a new connection for each, or one after the other, a slow machine never gets past the rate.
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        statuses = set()
        for _ in range(20):
            statuses |= set().union(*pool.map(ask, range(16)))
            if 429 in statuses:
                break
    assert statuses == {401, 429}


@pytest.mark.parametrize("path", ["/press/", "/_theme/"])
def test_files_go_over_the_wire_compressed(production, demo, path):
    session = browser(production)
    if path == "/_theme/":
        path = re.search(r"/_theme/[^\"]+\.css", session.get(production.url + "/press/").text)[0]
    plain, packed = (
        session.get(production.url + path, headers={"Accept-Encoding": encoding}) for encoding in ["identity", "gzip"]
    )
    assert plain.status_code == packed.status_code == 200
    assert packed.headers["Content-Encoding"] == "gzip" and "Content-Encoding" not in plain.headers
    vary = "Accept-Encoding" if path.startswith("/_theme/") else "Accept-Encoding, Cookie"
    assert plain.headers["Vary"] == packed.headers["Vary"] == vary
    assert packed.content == plain.content
    # As it lies on the disk: nginx has no work with it.
    file = demo.folder / "public" / (f"current/site{path}index.html" if path == "/press/" else path[2:])
    assert int(packed.headers["Content-Length"]) == file.with_name(file.name + ".gz").stat().st_size


def test_what_repeats_the_request_is_not_compressed(production):
    """BREACH: the length of a compressed answer tells what stands in it beside the request's own words."""
    for path in ["/auth/sign-in?return=/" + "x" * 2000, "/auth/signed-out", "/auth/account"]:
        fields = {"Accept-Encoding": "gzip"}
        answer = browser(production).get(production.url + path, headers=fields, allow_redirects=False)
        assert "Content-Encoding" not in answer.headers, path
