"""What reaches siteauth past nginx, or does not reach it: hostile bytes, few descriptors, files of others."""

import pathlib
import resource
import socket
import subprocess
import time

import requests

from demo_site import wait_for
from own_service import BIN, NAVIGATE, cookie


def test_one_failed_read_does_not_close_the_site(own, signed_in):
    alice = cookie(signed_in())
    process = own.siteauth()
    own.nginx()

    def status():
        return requests.get(own.url + "/company/hr/", headers=alice | NAVIGATE, allow_redirects=False).status_code

    # Until nothing closes a file at the wrong moment: then the policy could be read after all, and is kept.
    for _ in range(10):
        # One second after its start, siteauth reads the policy to see whether it is ready.
        time.sleep(0.3)
        used = {int(path.name) for path in pathlib.Path(f"/proc/{process.pid}/fd").iterdir()}
        soft, hard = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
        # Room for a connection, and for no file.
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (sorted(set(range(1000)) - used)[1], hard))
        failed = status()
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (soft, hard))
        if failed != 200:
            break
        process = own.siteauth()
    assert failed != 200 and status() == 200


def test_sockets_may_lie_in_the_working_folder_and_are_never_ports(own):
    command = [
        BIN / "siteauth", "--config", own.secrets, "--site", own.demo.folder / "public", "--state", own.folder / "state",
        "--check-socket", "check.sock", "--pages-socket",
    ]
    for port in [":9000", "localhost:9000", "9000", ""]:
        result = subprocess.run([*command, port], capture_output=True, text=True, cwd=own.folder)
        assert result.returncode == 64
        assert f"'--pages-socket' is '{port}'; it must be the path of a Unix socket" in result.stderr
    process = subprocess.Popen([*command, "pages.sock"], cwd=own.folder, stderr=subprocess.DEVNULL)
    own.processes.append(process)
    wait_for(lambda: (own.folder / "check.sock").is_socket() and (own.folder / "pages.sock").is_socket())


def test_an_env_file_that_everybody_may_write_is_refused(own):
    file = own.folder / ".env"
    file.write_text("AUTHORITY=http://localhost:1/from-env\n")
    command = [BIN / "siteauth", "check-config", "--config", own.secrets]
    file.chmod(0o644)
    assert "localhost:1/from-env" in subprocess.run(command, capture_output=True, text=True).stdout
    file.chmod(0o646)
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 1
    assert f"{file}: error: other users may write to this file; run 'chmod o-w {file}'" in result.stderr


def test_bytes_that_nginx_never_sends_end_no_process(own, signed_in):
    """libfcgi aborts on a parameter of 4 GB; whoever may write to the socket could stop the site."""
    process = own.siteauth()
    own.nginx()
    alice = cookie(signed_in())

    def record(kind, content, request=1):
        return bytes([1, kind, 0, request]) + len(content).to_bytes(2, "big") + bytes(2) + content

    begin, end = record(1, bytes([0, 1, 0, 0, 0, 0, 0, 0])), record(4, b"") + record(5, b"")
    huge = b"\xff\xff\xff\xfe" * 2
    for name in ["check", "pages"]:
        for hostile in [begin + record(4, huge) + end, record(9, huge, request=0), begin + end[:8] + record(9, huge, request=0)]:
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(str(own.folder / f"{name}.sock"))
                client.sendall(hostile)
                client.settimeout(60)
                assert client.recv(100) == b""
    assert process.poll() is None
    # Nobody holds the threads either, with more connections than there are of them.
    silent = [socket.socket(socket.AF_UNIX) for _ in range(40)]
    for client in silent:
        client.connect(str(own.folder / "check.sock"))
    wait_for(lambda: requests.get(own.url + "/company/hr/", headers=alice).status_code == 200)
    for client in silent:
        client.close()
