"""Five hundred readers who come back from the provider within one second.

Its token endpoint answers after one second, after three, and not at all; somebody who is signed in
reads a page, their account and the sign-out page meanwhile, again and again. Printed are the answers by
status, how long readers waited (median, last), and the slowest of what was asked meanwhile. Nothing
passes or fails.

    .venv/bin/python Tests/Benchmarks/crowd.py [how many]
"""

import collections
import http.client
import os
import pathlib
import signal
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "EndToEnd"))

import crowd  # noqa: E402
from demo_site import ALICE, DemoSite  # noqa: E402

FAULTS = '{"name": "slow", "endpoint": "token", "seconds": %d, "until": "further-notice"}'


def fault(site, seconds):
    connection = http.client.HTTPConnection("127.0.0.1", site.admin_port, timeout=30)
    headers = {"Host": f"localhost:{site.admin_port}", "Content-Type": "application/json"}
    connection.request("DELETE", "/faults", headers=headers)
    connection.getresponse().read()
    if seconds:
        connection.request("POST", "/faults", FAULTS % seconds, headers)
        assert connection.getresponse().status == 200
    connection.close()


def session(site):
    """The cookie of somebody who is signed in."""
    target, cookie = crowd.begin(site, ALICE)
    answer = crowd.ask(
        site.site_port, "GET", target,
        crowd.NAVIGATE | {"Host": f"localhost:{site.site_port}", "Cookie": cookie},
    )
    cookies = answer.headers.get_all("Set-Cookie")
    return next(cookie.partition(";")[0] for cookie in cookies if cookie.startswith("session="))


def measure(site, name, count, seconds=0, is_stopped=False):
    fault(site, 0)
    people = crowd.gather(site, ALICE, count)
    reader = crowd.NAVIGATE | {"Host": f"localhost:{site.site_port}", "Cookie": session(site)}
    fault(site, seconds)

    def read():
        slowest = 0
        for path in ["/company/hr/", "/auth/account", "/auth/sign-out"]:
            start = time.monotonic()
            status = crowd.ask(site.site_port, "GET", path, reader).status
            slowest = max(slowest, time.monotonic() - start if status == 200 else float("inf"))
        return slowest

    emulator = site.pid("entra-emulator")
    if is_stopped:
        os.kill(emulator, signal.SIGSTOP)
    try:
        answers, others = crowd.return_within_a_second(site, people, read)
    finally:
        os.kill(emulator, signal.SIGCONT)
    statuses = collections.Counter(status for status, _, _ in answers)
    times = sorted(seconds for _, seconds, _ in answers)
    print(
        f"{name:32} {dict(statuses)}  median {statistics.median(times):5.1f} s  last {times[-1]:5.1f} s  "
        f"meanwhile at most {max(others, default=0) * 1000:5.0f} ms",
        flush=True,
    )


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    site = DemoSite(**({"BIN_FOLDER": os.environ["BIN_FOLDER"]} if "BIN_FOLDER" in os.environ else {}))
    try:
        site.start()
        measure(site, "the provider answers at once", count)
        measure(site, "its token endpoint takes 1 s", count, seconds=1)
        measure(site, "its token endpoint takes 3 s", count, seconds=3)
        measure(site, "it does not answer", count, is_stopped=True)
    finally:
        site.close()


main()
