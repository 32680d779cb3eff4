"""siteauth as a service: restarts under load, sockets of systemd, reloads, metrics, plain CGI."""

import http.client
import json
import os
import shutil
import signal
import subprocess
import time

import pytest
import requests

from demo_site import BIN, NAVIGATE, ROOT, takes_connections, wait_for
from own_service import cookie
from readers import Readers


def reader(port, fields):
    """Asks for a page again and again on one connection."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask():
        connection.request("GET", "/company/hr/", headers=fields)
        answer = connection.getresponse()
        answer.read()
        return answer.status

    return ask


KEPT = """
    upstream kept { server unix:%s/check.sock; keepalive 4; }
"""


@pytest.mark.parametrize("activated", [False, True])
@pytest.mark.parametrize("kept", [False, True])
def test_no_request_fails_while_siteauth_is_restarted(own, signed_in, activated, kept):
    """With systemd's sockets one process follows the other; without, the new one takes the path over."""
    if kept:
        # What the handbook advises against, and what has to work all the same.
        conf = own.folder / "snippets/siteauth/siteauth.conf"
        conf.write_text(conf.read_text().replace("fastcgi_pass $siteauth_check;", "fastcgi_pass kept; fastcgi_keep_conn on;"))
    if activated:
        own.listen()
    process = own.siteauth(activated=activated)
    own.nginx(http=KEPT % own.folder if kept else "")
    alice = cookie(signed_in())
    readers, restarts = Readers(lambda: reader(own.port, alice)), 0
    while readers.count < 4_000 and restarts < 200:
        if activated:
            own.stop(process)
            process = own.siteauth(activated=True)
        else:
            former, process = process, own.siteauth()
            own.stop(former)
        restarts += 1
    answers = readers.finish(4_000)
    assert set(answers) == {200} and restarts >= 3
    log = (own.folder / "nginx.log").read_text()
    assert "[error]" not in log, log[:1000]


def test_one_whose_sockets_were_taken_over_leaves_by_itself(own):
    first = own.siteauth()
    own.siteauth()
    assert first.wait(timeout=60) == 0
    assert "siteauth: stopping: another process has taken over the sockets" in first.log.read_text()


def test_sockets_of_systemd_have_to_have_our_names_and_to_be_local(own):
    own.listen()
    script = 'exec 3<&%d 4<&%d; LISTEN_PID=$$ LISTEN_FDS=2 LISTEN_FDNAMES=a:b exec "$@"' % tuple(
        listening.fileno() for listening in own.listening[:2]
    )
    command = [
        "bash", "-c", script, "siteauth", BIN / "siteauth", "--config", own.secrets,
        "--site", own.demo.folder / "public", "--state", own.folder / "state",
    ]
    result = subprocess.run(
        command, capture_output=True, text=True, pass_fds=[listening.fileno() for listening in own.listening]
    )
    assert result.returncode == 64
    assert "systemd handed over the sockets 'a', 'b'; they must be 'check' and 'pages'" in result.stderr


def events(process):
    lines = [json.loads(line) for line in process.log.read_text().splitlines()]
    return [(line["event"], line["level"]) for line in lines]


def test_a_changed_configuration_is_read_again_and_a_bad_one_is_not(own, signed_in):
    process = own.siteauth("--log-format", "json")
    own.nginx()
    alice = cookie(signed_in())

    def status():
        return requests.get(own.url + "/company/hr/", headers=alice | NAVIGATE, allow_redirects=False).status_code

    text = own.secrets.read_text()
    old, new = text.split('cookie_secret = "')[1].split('"')[0], os.urandom(32).hex()
    assert status() == 200
    # Both secrets open cookies; by the change of the file alone.
    own.secrets.write_text(text.replace(f'"{old}"', f'["{new}", "{old}"]'))
    wait_for(lambda: ("reload", "notice") in events(process))
    assert status() == 200
    # Two mistakes are two lines, and nothing changes.
    own.secrets.write_text(text.replace("client_id", "client_idd").replace(old, "short"))
    process.send_signal(signal.SIGHUP)
    wait_for(lambda: "the new configuration has mistakes; the old one stays in use" in process.log.read_text())
    messages = process.log.read_text()
    assert "client_idd" in messages and "cookie_secret" in messages
    assert "short" not in messages and old not in messages
    assert status() == 200
    # A line half typed and a NUL once ended the process, or the file early.
    for damage in ["[\n", "[$", "d=[}", "e=2026-11-23t:", '\0\nallowed_tenants = ["x"]\n']:
        before = events(process).count(("reload", "error"))
        own.secrets.write_text(text + damage)
        process.send_signal(signal.SIGHUP)
        wait_for(lambda before=before: events(process).count(("reload", "error")) >= before + 2)
        assert process.poll() is None and status() == 200
    # Without the old secret everybody is signed out: the new configuration really is in use.
    own.secrets.write_text(text.replace(old, new))
    process.send_signal(signal.SIGHUP)
    wait_for(lambda: events(process).count(("reload", "notice")) >= 2)
    assert status() == 303


def test_reloading_under_load_fails_no_request(own, signed_in):
    process = own.serve()
    alice = cookie(signed_in())
    readers = Readers(lambda: reader(own.port, alice), count=2)
    for _ in range(50):
        process.send_signal(signal.SIGHUP)
        time.sleep(0.02)
    assert set(readers.finish(500)) == {200}
    assert process.poll() is None


@pytest.mark.parametrize("environment, line, told", [
    ({"CLIENT_ID": "22222222-bbbb-4000-8000-000000000002"}, "", "CLIENT_ID of the environment stay until a restart"),
    ({}, 'redis = "unix:///tmp/nobody-listens-there.sock"\n', "'redis' takes effect after a restart"),
])
def test_what_counts_from_a_restart_on_is_said_in_the_log(own, environment, line, told):
    own.environment = environment
    process = own.siteauth()
    own.secrets.write_text(own.secrets.read_text() + line)
    process.send_signal(signal.SIGHUP)
    wait_for(lambda: f"siteauth: configuration read again; {told}\n" in process.log.read_text())


def test_a_small_site_lives_on_plain_cgi(own, demo, signed_in):
    wrap = shutil.which("fcgiwrap") or "/usr/sbin/fcgiwrap"
    folder = own.folder
    for part in ["check", "pages"]:
        script = folder / f"{part}.cgi"
        text = (ROOT / "Packaging/cgi" / script.name).read_text()
        for path, other in {
            "/usr/bin/siteauth": BIN / "siteauth", "/etc/siteauth/$SITEAUTH_SITE/secrets.toml": own.secrets,
            "/srv/$SITEAUTH_SITE": demo.folder, "/var/lib/siteauth/$SITEAUTH_SITE": f"{folder}/$SITEAUTH_SITE",
        }.items():
            text = text.replace(path, str(other))
        script.write_text(text)
        script.chmod(0o700)
        process = subprocess.Popen([wrap, "-c", "8", "-p", script, "-s", f"unix:{folder}/{part}.sock"], stderr=subprocess.DEVNULL,
                                   env=os.environ | {"SITEAUTH_SITE": "state"})
        own.processes.append(process)
    wait_for(lambda: all(takes_connections(folder / f"{part}.sock") for part in ["check", "pages"]))
    # As the address that Entra knows, so that a whole sign-in runs over it.
    own.takes_sign_ins()
    own.nginx(locations=f"set $siteauth_cgi {folder};")
    begun = requests.get(own.url + "/company/hr/", headers=NAVIGATE, allow_redirects=False)
    assert begun.status_code == 303 and begun.headers["Location"].startswith(demo.entra)
    alice = signed_in(site=own)
    assert alice.get(own.url + "/company/hr/").status_code == 200
    assert alice.get(own.url + "/auth/me").json()["name"] == "Alice Adams"
    out = alice.post(own.url + "/auth/sign-out", headers={"Origin": own.url}, allow_redirects=False)
    assert out.status_code == 303
    # No process stays to tidy up, so one an hour does it for all.
    state = folder / "state"
    assert (state / "cleaned").read_text() == "0 0\n" and len(list((state / "provider-sessions").iterdir())) == 1
    (state / "revoked/old").touch()
    for path, age in [("revoked/old", 32 * 86_400), ("cleaned", 4000)]:
        os.utime(state / path, (time.time() - age,) * 2)
    requests.get(own.url + "/auth/signed-out")
    assert not (state / "revoked/old").exists() and (state / "cleaned").read_text() == "1 1\n"
    stranger = requests.get(own.url + "/company/hr/", headers=NAVIGATE | {"Proxy": "http://127.0.0.1:9"}, allow_redirects=False)
    assert stranger.status_code == 303
    # The sign-out page of the provider, too.
    carol, sid = own.sign_in()
    assert own.status(carol) == 200 and own.tell(sid) == 200
    wait_for(lambda: own.status(carol) == 303)
