"""What reaches siteauth past nginx, or does not reach it: hostile bytes, few descriptors, files of others."""

import pathlib
import resource
import subprocess
import time

import requests

from demo_site import BIN, NAVIGATE, wait_for
from own_service import cookie


def test_one_failed_read_does_not_close_the_site(own, signed_in):
    alice = cookie(signed_in())
    process = own.serve()

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
