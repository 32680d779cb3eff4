"""How long a reader goes on reading after the account was disabled, with siteauth asking Microsoft Graph.

usage: access_ends.py [--interval 1] [--rounds 20] [--readers 1 5000]

From the emulator's answer to the change until the first page that is refused; the moment of the change is random within
an interval. A usual interval is longer than one that can be waited for often, so its times follow from these: the round
of questions, the second between two looks at the clock, and the interval. Nothing passes or fails.
"""

import argparse
import os
import pathlib
import random
import re
import statistics
import sys
import time
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "EndToEnd"))
from demo_site import ALICE, TENANT, DemoSite, finish, wait_for  # noqa: E402
from secure_site import SecureSite  # noqa: E402

USUAL = 60


class Crowd(SecureSite):
    """Besides Alice, so many accounts have signed in."""

    def __init__(self, public, interval, readers):
        super().__init__(public, f"graph_poll_seconds = {interval}\nrevalidate_after_seconds = 0")
        self.others = [uuid.uuid4() for _ in range(readers - 1)]

    def write_tenants(self):
        super().write_tenants()
        path = self.folder / "tenants.toml"
        users = "".join(f'[[tenant.user]]\nobject_id = "{one}"\nname = "A"\nuser_name = "{one}@example.com"\n'
                        for one in self.others)
        path.write_text(path.read_text().replace("[[tenant.user]]", users + "[[tenant.user]]", 1))

    def record(self):
        folder, tenant = self.folder / "state/provider-sessions", uuid.UUID(TENANT).hex
        end, fresh = time.time() + 31 * 86_400, self.folder / "fresh"
        for one in self.others:
            fresh.touch()
            # siteauth removes files of the past.
            os.utime(fresh, (end, end))
            fresh.rename(folder / f"account-{one.hex}-{tenant}")

    def calls(self):
        """How many requests Graph has had, and how long they took together."""
        text = self.metrics()
        count = sum(int(n) for n in re.findall(r'calls_total\{endpoint="graph",outcome="\w+"\} (\d+)', text))
        return count, float(re.search(r'duration_seconds_sum\{endpoint="graph"\} ([\d.]+)', text)[1])


def measure(site, interval, rounds):
    times = []
    for number in range(rounds):
        print(f"\rround {number + 1} of {rounds}", end="", file=sys.stderr, flush=True)
        cookie = finish(site).cookies["__Host-session"]
        assert site.statuses(cookie, times=1) == {200}
        # Graph has been asked since the sign-in.
        time.sleep(interval * (2 + random.random()))
        site.order(f"users/{ALICE}", change="disable")
        start = time.monotonic()
        wait_for(lambda: site.statuses(cookie, times=1) != {200}, 10 * interval + 60)
        times.append(time.monotonic() - start)
        site.order(f"users/{ALICE}", change="enable")
        # A session that begins in the second of a revocation has ended.
        time.sleep(1.1)
    print(file=sys.stderr)
    return times


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--interval", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--readers", type=int, nargs="+", default=[1, 5000])
    options = parser.parse_args()
    demo = DemoSite()
    try:
        demo.start()
        print(f"{'readers':>8}{'requests a round':>18}{'seconds a round':>17}{'median s':>10}{'worst s':>9}"
              f"{f'every {USUAL} s: median':>24}{'worst':>8}")
        for readers in options.readers:
            site = Crowd(demo.folder / "public", options.interval, readers)
            try:
                site.start()
                site.record()
                times = measure(site, options.interval, options.rounds)
                before = site.calls()
                wait_for(lambda: site.calls()[0] > before[0])
                first = site.calls()
                # From the start of one round to the start of the next one, as many calls belong to one.
                time.sleep(20)
                last = site.calls()
                requests = 1 + -(-readers // 300)
                took = (last[1] - first[1]) / (last[0] - first[0]) * requests
                median, worst = (USUAL + 1) / 2 + took, USUAL + 1 + took
                print(f"{readers:8,}{requests:18}{took:17.2f}{statistics.median(times):10.2f}{max(times):9.2f}"
                      f"{median:24.1f}{worst:8.1f}")
            finally:
                site.close()
    finally:
        demo.close()


if __name__ == "__main__":
    main()
