"""Each mistake of the handbook's page 'Troubleshoot' that stops a build, siteauth or nginx is made once: the
message is the one of the page, and after the remedy it works. test_troubles_of_readers.py has the others."""

import fcntl
import os
import pathlib
import re
import signal
import subprocess
import time
import types

import pytest
import requests

import test_check_config
import test_hour
import test_troubles_of_readers
from demo_site import BIN, TENANT, wait_for
from handbook_pages import page
from own_service import NAVIGATE, NGINX, OwnService
from secure_site import SecureSite
from test_handbook_messages import parts
from troubled_site import CASES, FILES, TroubledSite, build, trouble

HEADINGS = {above[2] for _, _, above in page("how-to/troubleshoot.md").prose if len(above) > 2}


def test_every_entry_of_the_page_is_tried():
    assert test_check_config.SECRETS and test_hour.CLIENT and len(HEADINGS) > 40
    assert HEADINGS == set(CASES), HEADINGS ^ set(CASES)


def test_every_number_of_microsoft_on_the_page_is_tried():
    text = "\n".join(line for _, line, above in page("how-to/troubleshoot.md").prose if "Numbers of Microsoft" in above)
    told = set(re.findall(r"\*\*(?:AADSTS)?(\d{5,7})\*\*", text))
    tried = set(test_troubles_of_readers.NUMBERS) | set(test_troubles_of_readers.NOT_HERE)
    assert told == tried, told ^ tried


BUILDS = {
    "group 'hrr' is not defined in sitegen.toml": ("access: [hrr]", "access: [hr]", ""),
    "access '...' is wider than the inherited access '...'": (
        "access: signed-in", "access: signed-in\nwidens: true", "",
    ),
    "link to '...' points to a page for '...', but this page is for '...'": (
        "", "", ("[them](/hr/)", "`/hr/`"),
    ),
    "'<...>' is removed": ("", "", ('<iframe src="x"></iframe>', "A frame.")),
    "'`<name>`' is not an HTML element and is shown as text": ("", "", ("Dear <name>.", "Dear `<name>`.")),
}


@trouble(*BUILDS)
@pytest.mark.parametrize("heading", BUILDS)
def test_a_mistake_in_a_page(tmp_path, heading):
    wrong, right, texts = BUILDS[heading]
    place = "site/hr/page.md" if wrong else "site/page.md"

    def run(matter, text):
        return build(tmp_path, FILES | {place: f"---\n{matter}\n---\n# Page\n\n{text}\n"}).stderr

    messages = run(wrong, texts and texts[0])
    for part in parts(heading):
        assert part in messages, messages
    assert re.fullmatch(r"sitegen: 3 pages; published .*\n", run(right, texts and texts[1]))


@trouble("only this account can read the release")
def test_a_build_with_umask_077(tmp_path):
    first = build(tmp_path, FILES, umask=0o077)
    assert first.returncode == 0 and "warning: only this account can read the release" in first.stderr
    # Not only once, and not only by the build that did it.
    again = build(tmp_path, FILES, umask=0o027)
    assert "[unreadable-release]" in again.stderr
    commands = re.findall("'(ch[^']*)'", again.stderr)
    assert len(commands) == 4
    for command in commands:
        own = command.replace("www-data", str(os.getgid()))
        subprocess.run(own, shell=True, cwd=tmp_path, check=True)
    # From now on the umask takes nothing from the group.
    for index in range(2):
        built = build(tmp_path, {"site/index.md": f"# Home {index}\n"}, umask=0o077)
        assert built.returncode == 0 and "warning" not in built.stderr
    for path in (tmp_path / "public").rglob("[!.]*"):
        mode = 0o050 if path.is_dir() else 0o040
        assert path.is_symlink() or path.stat().st_mode & mode == mode or ".cache" in path.parts, path
        assert path.is_symlink() or path.stat().st_mode & 0o002 == 0
    assert (tmp_path / "public/.cache").stat().st_mode & 0o077 == 0


@trouble("only this account can read the release")
@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder to another group")
def test_a_folder_that_lost_its_group(tmp_path):
    build(tmp_path, FILES)
    public = tmp_path / "public"
    os.chown(public, -1, 12345)
    for path in [public, *public.rglob("*")]:
        if not path.is_symlink():
            path.chmod(path.stat().st_mode & ~0o007)
    assert "[unreadable-release]" in build(tmp_path, FILES).stderr


@trouble("another build publishes to 'public'")
def test_two_builds_at_once(tmp_path):
    assert build(tmp_path, FILES).returncode == 0
    with (tmp_path / "public/.lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        refused = build(tmp_path, FILES | {"site/index.md": "# New\n"}, "--wait", "0")
        assert refused.returncode == 74 and "error: another build publishes to 'public'" in refused.stderr
    assert "published release 2" in build(tmp_path, {}).stderr


@pytest.fixture(scope="module")
def site():
    site = TroubledSite()
    yield site
    site.close()


STARTS = {
    "only one of 'server_metadata_url', 'oidc_authority', 'authority' can be given": dict(
        oidc_authority="https://login.example.com"),
    "'allowed_tenants' is missing": dict(authority="https://login.microsoftonline.com/common"),
    "'cookie_secret' is or contains a published example": dict(cookie_secret="the output of: siteauth generate-secret"),
}


@trouble(*STARTS)
@pytest.mark.parametrize("heading", STARTS)
def test_a_mistake_in_secrets_toml(site, heading):
    site.write(**STARTS[heading])
    code, text = site.check()
    for part in parts(heading):
        assert code == 1 and part in text, text
    remedies = {"allowed_tenants": [TENANT]} if "allowed_tenants" in heading else {}
    site.write(**remedies)
    assert site.check()[0] == 0


@trouble("[auth] is missing")
def test_keys_in_no_table(site):
    site.write(session_idle_seconds=3600)
    text = site.own.secrets.read_text().replace('"3600"', "3600")
    site.own.secrets.write_text(text.removeprefix("[auth]\n").replace("3600", "1"))
    code, told = site.check()
    # One line for the header, and still one for each other mistake.
    assert code == 1 and re.sub(r"\S*secrets.toml", "", told).splitlines() == [
        ":1:1: error: [auth] is missing; write '[auth]' on a line above this key",
        ":6:24: error: 'session_idle_seconds' is 1; it must be 60 to 2592000",
    ]
    site.own.secrets.write_text(text)
    assert site.check()[0] == 0


@trouble("other users have permissions on this file")
@pytest.mark.parametrize("mode, owner", [(0o644, 0), (0o604, 0), (0o620, 0), (0o660, 0), (0o640, os.getuid())])
def test_secrets_that_others_may_read_or_change(site, mode, owner):
    site.write()
    if os.getuid() == 0 and mode == 0o640:
        # The file is the account's own, so its group has no need of it; a file of root's is read by the group.
        site.own.secrets.chmod(mode)
        assert site.check()[0] == 0
        owner = 65534
    os.chown(site.own.secrets, owner, -1)
    site.own.secrets.chmod(mode)
    for path in [site.folder, site.own.folder]:
        path.chmod(0o755)
    command = [BIN / "siteauth", "check-config", "--config", site.own.secrets]
    user = {} if owner == os.getuid() else {"user": owner}
    told = subprocess.run(command, capture_output=True, text=True, **user)
    assert told.returncode == 1 and f"other users have permissions on this file (mode {mode:o})" in told.stderr
    subprocess.run(re.search("run '(chmod [^']*)'", told.stderr)[1], shell=True, check=True)
    assert subprocess.run(command, capture_output=True, text=True, **user).returncode == 0
    os.chown(site.own.secrets, os.getuid(), -1)


def test_a_folder_in_which_everybody_may_replace_the_secrets(site):
    site.write()
    mode = site.own.folder.stat().st_mode
    try:
        for folder in [0o777, 0o1777]:
            site.own.folder.chmod(folder)
            code, told = site.check()
            assert code == 1 and "other users may write to the folder of this file; run 'chmod o-w" in told
        subprocess.run(re.search("run '(chmod [^']*)'", told)[1], shell=True, check=True)
        assert site.check()[0] == 0
    finally:
        site.own.folder.chmod(mode)


@trouble("the clock of this machine is ...")
def test_a_clock_that_is_an_hour_off(site):
    site.write()
    try:
        for offset, word in [(3600, "behind"), (-3600, "ahead of")]:
            site.provider.order("clock", offset=offset)
            code, told = site.check("--live")
            assert code == 1
            assert re.search(rf"error: the clock of this machine is 3\d99|3600 s {word} the provider's", told), told
            assert "note: run 'timedatectl set-ntp true'" in told
    finally:
        site.provider.order("clock", offset=0)
    assert site.check("--live")[0] == 0


@trouble("'...' is the document of Entra's version 1.0")
def test_the_document_of_version_1(site):
    address = f"{site.authority}/.well-known/openid-configuration"
    site.write(authority=None, server_metadata_url=address)
    code, told = site.check("--live")
    assert code == 1 and f"'{address}' is the document of Entra's version 1.0; the URL must end in '/v2.0/" in told
    site.write(authority=None, server_metadata_url=f"{site.authority}/v2.0/.well-known/openid-configuration")
    assert site.check("--live")[0] == 0


@trouble("there is no release in '...'")
def test_siteauth_without_a_release(site, tmp_path):
    site.write()
    command = [BIN / "siteauth", "serve", "--config", site.own.secrets, "--site", tmp_path / "public", "--state",
               tmp_path / "state", "--check-socket", tmp_path / "c", "--pages-socket", tmp_path / "p"]
    told = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert told.returncode == 1 and f"there is no release in '{tmp_path}/public'; run 'sitegen build'" in told.stderr
    build(tmp_path, FILES)
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert any("ready for" in line for line in process.stderr)
    finally:
        process.terminate()
        process.communicate()


@pytest.fixture
def own(site):
    site.write()
    demo = types.SimpleNamespace(folder=site.folder, url="", entra=site.provider.url)
    service = OwnService(demo)
    service.secrets.write_text(site.own.secrets.read_text())
    yield service
    service.close()


def answer(own, path="/", **options):
    return requests.get(own.url + path, headers=NAVIGATE, allow_redirects=False, timeout=60, **options)


def wait_until_stopped(pid):
    """A signal is sent at once, and the last thread stops some time later."""
    def states():
        return {text.rpartition(")")[2].split()[0] for text in map(pathlib.Path.read_text, threads)}
    threads = list(pathlib.Path(f"/proc/{pid}/task").glob("*/stat"))
    while states() != {"T"}:
        time.sleep(0.01)


def shown(response):
    return re.search("<h1>(.*)</h1>", response.text)[1]


@trouble("The site is not available")
def test_nginx_without_siteauth(own):
    own.nginx()
    assert answer(own).status_code == 503 and shown(answer(own)) == "The site is not available"
    assert "No such file or directory" in own.log()
    process = own.siteauth()
    assert answer(own).status_code == 303
    own.stop(process)
    (own.folder / "check.sock").touch()
    process = own.siteauth()
    process.kill()
    process.wait()
    assert answer(own).status_code == 503
    assert "Connection refused" in own.log()
    process = own.siteauth()
    process.send_signal(signal.SIGSTOP)
    wait_until_stopped(process.pid)
    assert shown(answer(own)) == "The site is not available"
    process.send_signal(signal.SIGCONT)
    assert "upstream timed out" in own.log()
    wait_for(lambda: answer(own).status_code == 303)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can start nginx under another account")
def test_nginx_that_may_not_connect(own):
    wrapper = own.folder / "nginx"
    wrapper.write_text(f'#!/bin/sh\nexec setpriv --reuid=65534 --regid=65534 --clear-groups {NGINX} "$@"\n')
    own.folder.chmod(0o777)
    wrapper.chmod(0o755)
    own.program = wrapper
    own.demo.folder.chmod(0o755)
    # Not the folder of the secrets: siteauth would refuse it.
    secrets = own.folder / "etc/secrets.toml"
    secrets.parent.mkdir()
    secrets.write_text(own.secrets.read_text())
    secrets.chmod(0o600)
    own.secrets = secrets
    own.siteauth()
    own.nginx()
    assert shown(answer(own)) == "The site is not available"
    assert "Permission denied" in own.log()
    for name in ["check", "pages"]:
        os.chown(own.folder / f"{name}.sock", -1, 65534)
    assert answer(own).status_code == 303


@trouble("There is no such page")
def test_a_wrong_address(site, own):
    (site.folder / "site/open.md").write_text("---\naccess: public\nwidens: true\n---\n# Open\n")
    assert build(site.folder, {}).returncode == 0
    own.siteauth()
    own.nginx()
    assert answer(own, "/open/").status_code == 200
    for path, title in [("/_theme/none.css", "There is no such page"), ("/open%2F", "404 Not Found")]:
        wrong = answer(own, path)
        assert wrong.status_code == 404 and shown(wrong) == title, path


@trouble("503 Service Temporarily Unavailable on every page")
def test_nginx_that_finds_no_release(own):
    own.siteauth()
    own.nginx()
    current = own.demo.folder / "public/current"
    target = os.readlink(current)
    current.unlink()
    try:
        for path in ["/", "/hr/", "/auth/me"]:
            assert answer(own, path).status_code == 503
            assert "503 Service Temporarily Unavailable" in answer(own, path).text
    finally:
        current.symlink_to(target)
    assert answer(own).status_code == 303


@trouble("403 Forbidden, without a reference number")
def test_a_location_that_does_not_say_who_may_read_it(own):
    own.siteauth()
    own.nginx(locations="location /hr/ { add_header X-Own yes; }")
    closed = answer(own, "/hr/")
    assert closed.status_code == 403 and "403 Forbidden" in closed.text and "<code>" not in closed.text
    own.stop(own.processes[-1])
    own.nginx(locations="location /hr/ { include snippets/siteauth/files.conf; add_header X-Own yes; }")
    assert answer(own, "/hr/").status_code == 303


@trouble("429 Too Many Requests")
def test_a_network_that_asks_too_often(own):
    own.siteauth()
    shipped = (own.folder / "snippets/siteauth/siteauth.conf").read_text()
    (own.folder / "snippets/siteauth/siteauth.conf").write_text(shipped.replace("burst=1000", "burst=2"))
    own.nginx()
    conf = own.folder / "nginx.conf"
    text = conf.read_text()
    for rate, expected in [("1r/s", 429), ("1000r/s", 401)]:
        own.stop(own.processes[-1])
        conf.write_text(text.replace("zone=siteauth:1m rate=1000r/s", f"zone=siteauth:1m rate={rate}"))
        own.processes.append(subprocess.Popen([NGINX, "-e", "stderr", "-p", own.folder, "-c", conf]))
        wait_for(lambda: not isinstance(attempt(own), requests.ConnectionError))
        statuses = {requests.get(own.url + "/auth/me").status_code for _ in range(6)}
        assert (429 in statuses) == (expected == 429), statuses


def attempt(own):
    try:
        return answer(own, "/_theme/none")
    except requests.ConnectionError as error:
        return error


@trouble("421 Misdirected Request, or a failed TLS handshake")
def test_another_name_of_the_site(site):
    secure = SecureSite(site.folder / "public")
    try:
        secure.start()
        other = secure.url.replace("localhost", "127.0.0.1")
        with pytest.raises(requests.exceptions.SSLError):
            requests.get(other, verify=secure.authority)
        misdirected = requests.get(secure.url, headers={"Host": "other.example.com"}, verify=secure.authority)
        assert misdirected.status_code == 421
        conf = secure.folder / "site.conf"
        server = f"""server {{
            listen 127.0.0.1:{secure.port} ssl http2; server_name other.example.com;
            ssl_certificate {secure.folder}/localhost.crt; ssl_certificate_key {secure.folder}/localhost.key;
            return 301 {secure.url}$request_uri;
        }}"""
        conf.write_text(conf.read_text() + server)
        secure.processes["nginx"].send_signal(signal.SIGHUP)

        def target():
            return requests.get(
                secure.url + "/hr/", headers={"Host": "other.example.com"}, verify=secure.authority,
                allow_redirects=False,
            ).headers.get("Location")

        wait_for(lambda: target() == secure.url + "/hr/")
    finally:
        secure.close()
