"""The listener for operators: a socket of siteauth, and the server of nginx in front of it."""

import contextlib
import json
import os
import resource
import shutil
import socket
import subprocess
import time

import pytest
import requests

import raw_http
from demo_site import BIN, NAVIGATE, ROOT, cookies, free_port, wait_for
from fastcgi import status_page
from own_service import cookie


@pytest.fixture
def watched(own):
    """The server of status-server.conf; two sites, of which the second one does not run."""
    own.status_port = free_port()
    folder = own.folder / "run"
    (folder / "docs").mkdir(parents=True)
    (folder / "docs/status.sock").symlink_to(own.folder / "status.sock")
    (own.folder / "secret.sock").symlink_to(own.folder / "status.sock")
    locations = own.folder / "snippets/siteauth/status.conf"
    locations.write_text(locations.read_text().replace("/run/siteauth", str(folder)))
    server = (ROOT / "nginx/status-server.conf").read_text()
    assert "127.0.0.1:9464" in server
    own.nginx(http=server.replace("9464", str(own.status_port)))
    return own


def ask(port, path, *fields, **options):
    status, _, body = raw_http.ask(port, path, *fields, **options)
    return status, body.decode()


def test_metrics_and_readiness_say_how_it_goes(own, signed_in):
    process = own.serve()
    wait_for(lambda: own.status_page("ready") == (200, "ready\n"))
    for _ in range(5):
        assert requests.get(own.url + "/company/hr/", headers=cookie(signed_in())).status_code == 200
    requests.get(own.url + "/company/hr/", headers=NAVIGATE, allow_redirects=False)
    # A thread is free again a moment after its answer.
    wait_for(lambda: 'siteauth_threads_busy{socket="pages"} 0\n' in own.metrics())
    metrics = own.metrics()
    version = subprocess.run([BIN / "siteauth", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    assert f", version {version}\n" in process.log.read_text()
    for line in [
        'siteauth_checks_total{verdict="allowed"} 5', 'siteauth_checks_total{verdict="sign_in_required"} 1',
        "siteauth_check_duration_seconds_count 6", 'siteauth_sign_ins_total{outcome="begun"} 1',
        'siteauth_provider_calls_total{endpoint="metadata",outcome="answered"} 1', "siteauth_ready 1",
        f'siteauth_threads{{socket="check"}} {os.cpu_count() + 2}', "siteauth_revocations 0",
        'siteauth_threads_busy{socket="pages"} 0', f'siteauth_build_info{{version="{version}"}} 1',
        'siteauth_events_total{event="start",level="notice"} 1',
    ]:
        assert line + "\n" in metrics, line
    assert "siteauth_keys_age_seconds" in metrics
    started = next(line for line in metrics.splitlines() if line.startswith("siteauth_start_time_seconds "))
    assert abs(time.time() - int(started.split()[1])) < 60
    assert process.poll() is None


def test_what_readers_cannot_be_served_for_is_in_answer_metrics_and_log(own):
    process = own.siteauth("--log-format", "json")
    wait_for(lambda: own.status_page("ready")[0] == 200)
    shutil.move(own.folder / "state/revoked", own.folder / "elsewhere")
    assert own.status_page("ready") == (503, "the list of ended sessions cannot be read\n")
    assert own.status_page("health") == (200, "alive\n")
    assert "siteauth_ready 0\n" in own.metrics()

    def problems():
        lines = [json.loads(line) for line in process.log.read_text().splitlines()]
        return [(line["level"], line["message"]) for line in lines if line["event"] == "problem"]

    wait_for(problems)
    shutil.move(own.folder / "elsewhere", own.folder / "state/revoked")
    wait_for(lambda: len(problems()) == 2)
    assert problems() == [("error", "not ready: the list of ended sessions cannot be read"), ("notice", "ready again")]
    assert 'siteauth_events_total{event="problem",level="error"} 1\n' in own.metrics()
    assert own.status_page("ready") == (200, "ready\n")


def test_it_answers_while_all_other_threads_are_busy(own):
    own.siteauth()
    with contextlib.ExitStack() as stack:
        for name, threads in [("check", os.cpu_count() + 2), ("pages", 16)]:
            # A connection that says nothing holds a thread for five seconds.
            for _ in range(2 * threads):
                silent = stack.enter_context(socket.socket(socket.AF_UNIX))
                silent.connect(str(own.folder / f"{name}.sock"))
        start = time.monotonic()
        assert status_page(own.folder / "status.sock", "health") == (200, "alive\n")
        assert "siteauth_build_info" in own.metrics()
        assert time.monotonic() - start < 4
        with pytest.raises(TimeoutError):
            with socket.socket(socket.AF_UNIX) as late:
                late.settimeout(1)
                late.connect(str(own.folder / "pages.sock"))
                late.sendall(b"\1\1\0\1\0\10\0\0\0\1\0\0\0\0\0\0\1\4\0\1\0\0\0\0\1\5\0\1\0\0\0\0")
                late.recv(1)


def test_a_lack_of_descriptors_is_logged_and_counted_once(own):
    process = own.siteauth("--log-format", "json")
    # As many as it has open, so that the next connection of nginx is one too many.
    count = max(int(name) for name in os.listdir(f"/proc/{process.pid}/fd")) + 1
    soft, hard = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (count, hard))
    with contextlib.ExitStack() as stack:
        for name in ["check", "pages"] * 5:
            stack.enter_context(socket.socket(socket.AF_UNIX)).connect(str(own.folder / f"{name}.sock"))
        wait_for(lambda: "no connection of nginx can be accepted" in process.log.read_text())
        time.sleep(0.3)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (soft, hard))
    lines = [json.loads(line) for line in process.log.read_text().splitlines()]
    reported = [line for line in lines if "can be accepted" in line["message"]]
    assert 1 <= len(reported) <= 2 and all(line["level"] == "error" for line in reported)
    # Without descriptors it may not have been ready either.
    errors = [line for line in lines if (line["event"], line["level"]) == ("problem", "error")]
    assert f'siteauth_events_total{{event="problem",level="error"}} {len(errors)}\n' in own.metrics()


def test_nginx_answers_monitoring_on_a_port_of_its_own(watched):
    watched.siteauth()
    port = watched.status_port
    wait_for(lambda: ask(port, "/docs/ready") == (200, "ready\n"))
    assert ask(port, "/docs/health") == (200, "alive\n")
    _, head, body = raw_http.ask(port, "/docs/metrics")
    assert "\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n" in head
    assert b"siteauth_ready 1\n" in body
    assert ask(port, "/docs/metrics", method="HEAD") == (200, "")
    assert ask(port, "/wiki/ready")[0] == 502


@pytest.mark.parametrize("path", [
    "/", "/metrics", "/docs/", "/docs/check", "/docs/metrics/", "/docs/metricsx", "/../secret.sock/metrics",
    "/docs/../metrics", "/./metrics", "/%2e%2e/metrics", "/..%2f..%2fx/metrics", "/docs%00/metrics", "/docs:x/metrics",
    "/docs/status.sock/metrics", "/-docs/metrics", "/$uri/metrics", "/docs/metrics?SITE_STATUS=x",
])
def test_no_other_path_reaches_a_socket(watched, path):
    watched.siteauth()
    status, text = ask(watched.status_port, path, "Site_Status: metrics", "Proxy: x")
    assert status in (400, 404) and "siteauth_" not in text or "?" in path and status == 200


def test_the_site_itself_has_no_pages_for_operators(watched, signed_in):
    watched.siteauth()
    alice = cookies(signed_in())
    for page in ["health", "ready", "metrics"]:
        for path in [f"/auth/{page}", f"/docs/{page}"]:
            status, text = ask(watched.port, path, f"SITE_STATUS: {page}", cookie=alice)
            assert status in (403, 404) and "siteauth_" not in text and text not in ("alive\n", "ready\n"), path
    for page in ["check", "../metrics", "", "metrics\n"]:
        assert watched.status_page(page)[0] == 404
    for method in ["POST", "PUT", "DELETE"]:
        assert ask(watched.status_port, "/docs/metrics", method=method)[0] == 404


def test_the_journal_is_told_the_priority_of_each_line(own, tmp_path):
    """journald reads it from the beginning of a line, and takes it away."""
    read, write = os.pipe()
    status = os.fstat(write)

    def lines(command, stream):
        path = tmp_path / "log"
        with path.open("w") as log:
            target, identity = (write, f"{status.st_dev}:{status.st_ino}") if stream else (log, "1:2")
            subprocess.run(command, stderr=target, env=os.environ | {"JOURNAL_STREAM": identity})
        return os.read(read, 65_536).decode() if stream else path.read_text()

    secrets = tmp_path / "secrets.toml"
    secrets.write_text(own.secrets.read_text() + "wrong = 1\n")
    secrets.chmod(0o600)
    try:
        command = [BIN / "siteauth", "serve", "--config", secrets]
        assert all(line.startswith("<3>") for line in lines(command, True).splitlines())
        assert "<" not in lines(command, False)
        for arguments, text in [(["--config", own.secrets, "--site", tmp_path / "none"], "<3>siteauth: error: "),
                                (["--unknown"], "<3>siteauth: error: ")]:
            assert lines([BIN / "siteauth", "serve", *arguments], True).startswith(text)
    finally:
        os.close(read)
        os.close(write)
