"""Three machines behind HAProxy under load, while each part dies in turn; and what a page costs.

Printed are, for each fault, the answers that readers got by status, how long the longest time without a
page was, and for how long; then the CPU of each program for a page, how long a sign-out takes to be known
everywhere, and what Redis is asked. Nothing passes or fails.

    .venv/bin/python Tests/Benchmarks/several_machines.py [seconds for each fault]
"""

import collections
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "EndToEnd"))
import requests  # noqa: E402

from cluster import Cluster  # noqa: E402
from demo_site import DemoSite, wait_for  # noqa: E402
from redis_server import RedisPair  # noqa: E402
from secure_site import NAVIGATE, finish, sign_out  # noqa: E402

SECONDS = int(sys.argv[1]) if len(sys.argv) > 1 else 12
PAGE = "/company/"
COUNT = """
local threads = {}
function setup(thread) table.insert(threads, thread) end
function init() statuses = {} end
function response(status) statuses[status] = (statuses[status] or 0) + 1 end
function done(summary)
   local total = {}
   for _, thread in ipairs(threads) do
      for status, count in pairs(thread:get("statuses")) do total[status] = (total[status] or 0) + count end
   end
   for status, count in pairs(total) do print("status " .. status .. " " .. count) end
   local e = summary.errors
   print("broken " .. e.connect + e.read + e.write + e.timeout)
end
"""


class Probe(threading.Thread):
    """A reader of their own, who asks again and again, to see for how long there is no page."""

    def __init__(self, cluster, cookie):
        super().__init__(daemon=True)
        self.cluster, self.cookie = cluster, cookie
        self.longest, self.refused, self.is_done = 0, collections.Counter(), False
        self.start()

    def run(self):
        session = requests.Session()
        fields = NAVIGATE | {"Cookie": f"__Host-session={self.cookie}"}
        last = time.monotonic()
        while not self.is_done:
            try:
                status = session.get(
                    self.cluster.url + PAGE, headers=fields, verify=self.cluster.authority, allow_redirects=False, timeout=20,
                ).status_code
            except requests.RequestException:
                status = "broken"
            now = time.monotonic()
            if status == 200:
                self.longest = max(self.longest, now - last)
                last = now
            else:
                self.refused[status] += 1
            time.sleep(0.01)
        self.longest = max(self.longest, time.monotonic() - last)


def load(url, cookies, seconds, folder):
    """Requests of many readers, by status."""
    list_of = ", ".join(f'"{cookie}"' for cookie in cookies)
    script = folder / "count.lua"
    script.write_text(COUNT + f"""
local cookies = {{ {list_of} }}
local n = 0
function request()
   n = n % #cookies + 1
   return wrk.format("GET", nil, {{ ["Cookie"] = "__Host-session=" .. cookies[n], ["Sec-Fetch-Mode"] = "navigate", ["Host"] = wrk.headers["Host"] }})
end
""")
    output = subprocess.run(
        ["wrk", "-t1", "-c32", f"-d{seconds}s", "--timeout", "20s", "-s", script, url], capture_output=True, text=True, check=True,
    ).stdout
    counted = {int(status): int(count) for status, count in re.findall(r"^status (\d+) (\d+)", output, re.M)}
    counted["broken"] = int(re.search(r"^broken (\d+)", output, re.M)[1])
    return counted


def cpu(pids):
    """Seconds that processes have used."""
    total = 0
    for pid in pids:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += (int(fields[11]) + int(fields[12])) / 100
    return total


class Run:
    def __init__(self, cluster, redis, cookies, folder):
        self.cluster, self.redis, self.cookies, self.folder = cluster, redis, cookies, folder
        self.total = 0

    def fault(self, name, *steps):
        """`steps` are pairs: a second, and what is done then."""
        probe = Probe(self.cluster, self.cookies[0])

        def act():
            begin = time.monotonic()
            for second, step in steps:
                time.sleep(max(0, begin + second - time.monotonic()))
                step()

        thread = threading.Thread(target=act)
        thread.start()
        counted = load(self.cluster.url + PAGE, self.cookies, SECONDS, self.folder)
        thread.join()
        wait_for(lambda: self.cluster.up() == len(self.cluster.machines))
        probe.is_done = True
        probe.join()
        self.total += sum(value for key, value in counted.items() if key != "broken")
        shown = ", ".join(f"{value} × {key}" for key, value in counted.items() if value)
        print(f"{name:44} {shown:46} longest without a page {probe.longest:5.2f} s {dict(probe.refused)}", flush=True)

    def costs(self, name, url, programs):
        """CPU for a page, of each program."""
        before = {program: cpu(pids) for program, pids in programs.items()}
        counted = load(url, self.cookies, SECONDS, self.folder)
        pages = counted.get(200, 0)
        self.total += pages
        assert pages > 0.99 * sum(counted.values()), counted
        used = {program: (cpu(pids) - before[program]) * 1e6 / pages for program, pids in programs.items()}
        parts = ", ".join(f"{program} {value:.0f}" for program, value in used.items())
        print(f"{name:44} {pages / SECONDS:7.0f} pages/s; µs of CPU for a page: {parts}; together {sum(used.values()):.0f}", flush=True)


def everywhere(cluster, times):
    """Seconds from a sign-out at one machine until the last machine refuses a copy of the cookie."""
    durations = []
    for _ in range(times):
        session = finish(cluster)
        cookie = session.cookies["__Host-session"]

        def answer(machine):
            # A machine is named by the balancer's cookie.
            name = ["one", "two", "three"][machine]
            fields = NAVIGATE | {"Cookie": f"__Host-session={cookie}; machine={name}"}
            return requests.get(cluster.url + PAGE, headers=fields, verify=cluster.authority, allow_redirects=False).status_code

        wait_for(lambda: {answer(machine) for machine in range(3)} == {200})
        sign_out(cluster, session)
        start = time.monotonic()
        while {answer(machine) for machine in range(3)} != {303}:
            assert time.monotonic() - start < 30
        durations.append(time.monotonic() - start)
    print(f"{'a sign-out is known everywhere':44} median {statistics.median(durations):.2f} s, at most {max(durations):.2f} s, of {times}")


def questions(cluster, redis):
    """What one question and one ended session cost Redis."""
    def figures():
        text = redis.primary.tell("INFO")
        return [int(re.search(rf"^{name}:(\d+)", text, re.M)[1]) for name in
                ["total_commands_processed", "total_net_input_bytes", "total_net_output_bytes", "used_memory"]]

    cookies = [cluster.sign_in() for _ in range(100)]
    time.sleep(1.1)
    before = figures()
    for cookie in cookies:
        fields = NAVIGATE | {"Cookie": f"__Host-session={cookie}"}
        requests.get(cluster.url + PAGE, headers=fields, verify=cluster.authority, allow_redirects=False)
    commands, received, sent, _ = (after - earlier for after, earlier in zip(figures(), before))
    print(f"100 pages of 100 readers: {commands} commands, {received} bytes to Redis, {sent} bytes from it (with other questions)")
    key = redis.primary.tell("KEYS", "*:ended:everybody").removesuffix("everybody")
    start = figures()[3]
    text = "".join(f"SET {key}{number:032x} 1790000000 EX 2678400\n" for number in range(100_000))
    redis.primary.pipe(text)
    print(f"an ended session takes {(figures()[3] - start) / 100_000:.0f} bytes of Redis")
    print(f"the cookie of a session has {statistics.median(map(len, cookies)):.0f} characters")


def main():
    demo = DemoSite()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="several-", dir="/tmp"))
    redis = RedisPair(folder)
    cluster = None
    try:
        demo.start()
        redis.start()
        cluster = Cluster(demo.folder / "public", redis.settings).start()
        wait_for(lambda: requests.get(
            cluster.url + PAGE, headers=NAVIGATE | {"Cookie": f"__Host-session={cluster.sign_in()}"},
            verify=cluster.authority, allow_redirects=False).status_code == 200)
        run = Run(cluster, redis, [cluster.sign_in() for _ in range(50)], folder)
        one = cluster.machines[0]
        machine = lambda machine: {"nginx": machine.pids("nginx"), "siteauth": machine.pids("siteauth-0")}  # noqa: E731
        balancer = {"HAProxy": [cluster.balancer.pid], "Redis": redis.pids()}
        every = {name: [pid for each in cluster.machines for pid in machine(each)[name]] for name in ["nginx", "siteauth"]}
        run.costs("three machines behind the balancer", cluster.url + PAGE, every | balancer)
        for other in ["two", "three"]:
            cluster.ask_balancer(f"disable server docs/{other}")
        run.costs("one machine behind the balancer", cluster.url + PAGE, machine(one) | balancer)
        for other in ["two", "three"]:
            cluster.ask_balancer(f"enable server docs/{other}")
        questions(cluster, redis)
        everywhere(cluster, 30)
        run.fault("nothing")
        run.fault("kill -9 of a siteauth, back after 3 s", (3, lambda: one.kill("siteauth-0")), (6, lambda: one.again("siteauth-0")))
        run.fault("kill -9 of an nginx, back after 3 s", (3, lambda: one.kill("nginx")), (6, lambda: one.again("nginx")))

        def crash():
            one.kill("nginx")
            one.kill("siteauth-0")

        def boot():
            one.again("siteauth-0")
            one.again("nginx")

        run.fault("a whole machine, back after 4 s", (3, crash), (7, boot))
        run.fault("Redis killed and started at once", (3, redis.primary.stop), (3, redis.primary.start))
        run.fault("Redis killed, back after 3 s", (3, redis.primary.stop), (6, redis.primary.start))
        run.fault("Redis frozen for 3 s", (3, redis.primary.freeze), (6, redis.primary.thaw))
        redis.start_sentinel()
        run.fault("Redis killed for good, Sentinel's failover", (3, redis.primary.stop))
        redis.swap()
        run.fault("all data of Redis lost", (SECONDS - 1, lambda: redis.primary.tell("FLUSHALL")))
        print(f"{run.total} requests", flush=True)
    finally:
        if cluster:
            cluster.close()
        redis.stop()
        demo.close()
        shutil.rmtree(folder, ignore_errors=True)


signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
main()
