"""The production server block, with the marked lines changed and nothing else: TLS and HTTP/2."""

import concurrent.futures
import os
import re
import shutil
import ssl
import socket
import subprocess

import pytest
import requests

from demo_site import BIN, ROOT, TENANT, DemoSite, free_port, wait_for
from own_service import NGINX, NGINXES, copy_configuration


def answers(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def production(demo):
    site = DemoSite()
    folder = site.folder
    tls, plain = free_port(), free_port()
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
        check=True, capture_output=True,
    )
    text = "".join((ROOT / f"nginx/{name}.conf").read_text() for name in ["http", "site", "other-names"])
    sockets = (f"set $siteauth_{name} unix:{folder}/{name}.sock;" for name in ["check", "pages"])
    changes = {
        "set $site docs;": " ".join(sockets),
        "/etc/letsencrypt/live/docs.example.com/fullchain.pem": f"{folder}/cert.pem",
        "/etc/letsencrypt/live/docs.example.com/privkey.pem": f"{folder}/key.pem",
        "/var/log/nginx/docs.log": f"{folder}/site.log",
        "/srv/docs/public/current": f"{demo.folder}/public/current",
        "/var/www/html": f"{folder}/html",
        "https://login.microsoftonline.com": demo.entra,
        "https://docs.example.com": f"https://localhost:{tls}",
        "docs.example.com": "localhost",
        "listen 443": f"listen 127.0.0.1:{tls}",
        "listen 80": f"listen 127.0.0.1:{plain}",
    }
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    text = re.sub(r"    listen \[::\].*\n", "", text)
    (folder / "snippets").mkdir()
    (folder / "snippets/siteauth").symlink_to(ROOT / "nginx")
    temporary = "".join(
        f"{name}_temp_path {folder}/t;\n" for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    )
    user = "user root;\n" if os.getuid() == 0 else ""
    (folder / "site.conf").write_text(text)
    (folder / "nginx.conf").write_text(
        f"{user}daemon off;\npid {folder}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\n"
        f"include /etc/nginx/mime.types;\ndefault_type application/octet-stream;\n{temporary}include {folder}/site.conf;\n}}\n"
    )
    secrets = (demo.folder / "secrets.toml").read_text()
    (folder / "secrets.toml").write_text(secrets.replace(demo.url, f"https://localhost:{tls}"))
    (folder / "secrets.toml").chmod(0o600)
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    site.command = [nginx, "-e", "stderr", "-p", folder, "-c", folder / "nginx.conf"]
    site.url, site.plain = f"https://localhost:{tls}", f"http://localhost:{plain}"
    site.tls_port = tls
    processes = [
        subprocess.Popen(site.command, stderr=subprocess.DEVNULL),
        subprocess.Popen(
            [BIN / "siteauth", "--config", folder / "secrets.toml", "--site", demo.folder / "public", "--state",
             folder / "state", "--check-socket", folder / "check.sock", "--pages-socket", folder / "pages.sock"],
            stderr=subprocess.DEVNULL,
        ),
    ]
    wait_for(lambda: (folder / "check.sock").exists() and (folder / "pages.sock").exists())
    wait_for(lambda: answers(tls))
    yield site
    for process in processes:
        process.terminate()
        process.wait(timeout=60)
    site.close()


def test_nginx_takes_the_configuration_without_a_word(production):
    result = subprocess.run([*production.command, "-t"], capture_output=True, text=True)
    assert result.returncode == 0
    assert "warn" not in result.stderr and "emerg" not in result.stderr


@pytest.mark.parametrize("program", NGINXES)
def test_every_nginx_takes_the_shipped_files(production, tmp_path, program):
    copy_configuration(tmp_path, program)
    text = (production.folder / "nginx.conf").read_text()
    site = (production.folder / "site.conf").read_text()
    application = "location /wiki/ { include snippets/siteauth/application.conf; proxy_pass http://127.0.0.1:1; }"
    include = "include snippets/siteauth/siteauth.conf;"
    (tmp_path / "site.conf").write_text(site.replace(include, f"{application}\n    {include}"))
    (tmp_path / "nginx.conf").write_text(text.replace(str(production.folder / "site.conf"), str(tmp_path / "site.conf")))
    result = subprocess.run(
        [program, "-t", "-e", "stderr", "-p", tmp_path, "-c", tmp_path / "nginx.conf"], capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    # What site.conf says of newer ones.
    warnings = [line for line in result.stderr.splitlines() if "[warn]" in line]
    assert all('"listen ... http2" directive is deprecated' in line for line in warnings), warnings
    assert not warnings or program != NGINX


def test_nginx_takes_the_demo_configuration_without_a_word(demo):
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    result = subprocess.run(
        [nginx, "-t", "-e", "stderr", "-p", demo.folder, "-c", demo.folder / "nginx.conf"],
        capture_output=True, text=True,
    )
    assert result.returncode == 0 and "warn" not in result.stderr


def test_a_sign_in_over_tls_sets_host_cookies(production):
    answer = requests.get(
        production.url + "/", headers={"Sec-Fetch-Mode": "navigate"}, allow_redirects=False,
        verify=str(production.folder / "cert.pem"),
    )
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
    with socket.create_connection(("127.0.0.1", int(production.plain.split(":")[2]))) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: connection.recv(4096), b"")).decode()
    assert answer.startswith("HTTP/1.1 301 ") and f"\r\nLocation: {production.url}{path}\r\n" in answer


@pytest.mark.parametrize("name", ["evil.example", "localhost.evil.example", "127.0.0.1", None])
def test_whoever_asks_for_another_name_is_shown_no_certificate(production, name):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", production.tls_port)) as plain:
        with pytest.raises(ssl.SSLError, match="(?i)unrecognized.name"):
            context.wrap_socket(plain, server_hostname=name)


@pytest.mark.parametrize("path", ["/", "/press/", "/company/", "/auth/sign-in", "/auth/me"])
def test_whoever_names_another_host_in_the_request_is_answered_by_nobody(production, path):
    fields = {"Host": "evil.example", "Sec-Fetch-Mode": "navigate"}
    for url in [production.url, production.plain]:
        answer = requests.get(
            url + path, headers=fields, verify=str(production.folder / "cert.pem"), allow_redirects=False
        )
        assert answer.status_code == 421 and "Location" not in answer.headers and "Set-Cookie" not in answer.headers


def test_http_2_is_spoken(production):
    context = ssl.create_default_context(cafile=str(production.folder / "cert.pem"))
    context.set_alpn_protocols(["h2"])
    with socket.create_connection(("127.0.0.1", production.tls_port)) as plain:
        with context.wrap_socket(plain, server_hostname="localhost") as connection:
            assert connection.selected_alpn_protocol() == "h2"


def test_too_many_questions_are_refused(production):
    certificate = str(production.folder / "cert.pem")

    def ask(_):
        with requests.Session() as session:
            return {session.get(production.url + "/auth/me", verify=certificate).status_code for _ in range(100)}

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
    verify = str(production.folder / "cert.pem")
    if path == "/_theme/":
        path = re.search(r"/_theme/[^\"]+\.css", requests.get(production.url + "/press/", verify=verify).text)[0]
    plain = requests.get(production.url + path, headers={"Accept-Encoding": "identity"}, verify=verify)
    packed = requests.get(production.url + path, headers={"Accept-Encoding": "gzip"}, verify=verify)
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
        answer = requests.get(
            production.url + path, headers={"Accept-Encoding": "gzip"},
            verify=str(production.folder / "cert.pem"), allow_redirects=False,
        )
        assert "Content-Encoding" not in answer.headers, path
