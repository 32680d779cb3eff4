"""What a stranger's hour leaves behind: disk, inodes, memory, descriptors and threads of siteauth and nginx.

Every endpoint that needs no session is asked at the rate that the shipped site.conf lets an address through,
from one address and then from 64 (of 127.0.0.0/8). An hour's requests may be sent in less time: then nginx's
limits are raised as far. Nothing passes or fails.

    .venv/bin/python Tests/Benchmarks/exhaustion.py --minutes 10 --hours 1
"""

import argparse
import collections
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "EndToEnd"))
from demo_site import DemoSite, free_port, wait_for  # noqa: E402

# Of site.conf, for each address and second.
PAGES_RATE, CALLBACK_RATE, FRONT_CHANNEL_RATE = 50, 20, 1
NAVIGATE = "Sec-Fetch-Mode: navigate\r\n"


class Connection:
    """A kept connection from one address; raw, because one core has to ask more than siteauth answers."""

    def __init__(self, address, port):
        self.address, self.port, self.socket = address, port, None

    def ask(self, target, fields="", method="GET", body=""):
        """The status and the header of the answer."""
        length = f"Content-Length: {len(body)}\r\n" if method == "POST" else ""
        request = f"{method} {target} HTTP/1.1\r\nHost: localhost\r\n{fields}{length}\r\n{body}".encode()
        for _ in range(2):
            try:
                if self.socket is None:
                    self.socket = socket.create_connection(("127.0.0.1", self.port), 60, (self.address, 0))
                self.socket.sendall(request)
                return self.receive()
            except OSError:
                # nginx closes a connection after a thousand requests.
                self.close()
        return 0, ""

    def receive(self):
        data = b""
        while b"\r\n\r\n" not in data:
            data += self.more()
        header, body = data.split(b"\r\n\r\n", 1)
        text = header.decode("latin-1")
        if length := re.search(r"content-length: (\d+)", text, re.IGNORECASE):
            while len(body) < int(length[1]):
                body += self.more()
        elif "chunked" in text.lower():
            while not body.endswith(b"0\r\n\r\n"):
                body += self.more()
        if "connection: close" in text.lower():
            self.close()
        return int(text.split(" ", 2)[1]), text

    def more(self):
        data = self.socket.recv(65_536)
        if not data:
            raise ConnectionError
        return data

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket = None


def rounds(connection, theme):
    """One request after the other, for ever: as many of each kind for a front-channel call as nginx lets through."""
    state, browser = "", ""
    while True:
        for _ in range(5):
            yield "page", connection.ask("/company/hr/?a=1", NAVIGATE)[0]
            status, header = connection.ask("/auth/sign-in?return=/company/", NAVIGATE)
            yield "sign-in", status
            if found := re.search(r"[?&]state=([^&\s]+)", header):
                state = found[1]
                cookie = re.search(r"set-cookie: (browser=[^;]+)", header, re.IGNORECASE)
                browser = f"Cookie: {cookie[1]}\r\n" if cookie else ""
            yield "callback, invented", connection.ask(f"/auth/callback?code=x&state={uuid.uuid4()}", NAVIGATE)[0]
            yield "callback, fresh", connection.ask(f"/auth/callback?code=x&state={state}", NAVIGATE)[0]
            code = f"/auth/callback?code={uuid.uuid4()}&state={state}"
            yield "callback, fresh, same browser", connection.ask(code, NAVIGATE + browser)[0]
            yield "callback, refused", connection.ask("/auth/callback?error=x&state=y", NAVIGATE)[0]
            yield "account", connection.ask("/auth/account", NAVIGATE)[0]
            yield "me", connection.ask("/auth/me", "Cookie: session=" + "A" * 3000 + "\r\n")[0]
            yield "sign-out", connection.ask("/auth/sign-out", NAVIGATE)[0]
            yield "sign-out, posted", connection.ask("/auth/sign-out", NAVIGATE, "POST", "token=" + "t" * 900)[0]
            yield "signed-out", connection.ask("/auth/signed-out")[0]
            yield "nowhere", connection.ask(f"/auth/{uuid.uuid4()}")[0]
            for _ in range(2):
                yield "page of many", connection.ask(f"/{uuid.uuid4()}/", NAVIGATE)[0]
        yield "theme", connection.ask(theme)[0]
        yield "theme, none", connection.ask(f"/_theme/{uuid.uuid4()}.css")[0]
        yield "errors", connection.ask("/_errors/404.html")[0]
        yield "front channel", connection.ask(f"/auth/front-channel-sign-out?sid={uuid.uuid4()}")[0]


ROUND = 74


def stranger(address, port, theme, factor, done, answers):
    connection, start, count = Connection(address, port), time.monotonic(), 0
    for kind, status in rounds(connection, theme):
        answers[kind, status] += 1
        count += 1
        # A round takes as long as one front-channel call is allowed to.
        ahead = start + count / ROUND / (FRONT_CHANNEL_RATE * factor) - time.monotonic()
        if ahead > 0 and done.wait(ahead) or done.is_set():
            return connection.close()


def measure(site, pids):
    """One line of figures; the log is journald's business and told apart."""
    line = []
    for name, pid in pids.items():
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
        resident, threads = (int(re.search(rf"{key}:\s+(\d+)", status)[1]) for key in ["VmRSS", "Threads"])
        descriptors = len(list(pathlib.Path(f"/proc/{pid}/fd").iterdir()))
        line.append(f"{name} {resident / 1024:6.1f} MB {descriptors:4} descriptors {threads:3} threads")
    files = [path for path in (site.folder / "state").rglob("*")]
    size = sum(path.stat().st_blocks * 512 for path in files if path.exists())
    line.append(f"state {len(files)} inodes {size / 1024:.0f} KB")
    line.append(f"log {sum(path.stat().st_size for path in site.folder.glob('siteauth.log')) / 1e6:.1f} MB")
    return "; ".join(line)


def own_nginx(site, factor):
    """The demo's nginx again, with the shipped limits times the factor."""
    port = free_port()
    text = (site.folder / "nginx.conf").read_text()
    for old, new in [
        ("zone=siteauth:1m rate=1000r/s", f"zone=siteauth:1m rate={round(PAGES_RATE * factor)}r/s"),
        ("zone=siteauth_sign_in:1m rate=1000r/s", f"zone=siteauth_sign_in:1m rate={round(PAGES_RATE * factor)}r/s"),
        ("zone=siteauth_callback:1m rate=1000r/s", f"zone=siteauth_callback:1m rate={round(CALLBACK_RATE * factor)}r/s"),
        ("rate=1r/s", f"rate={round(FRONT_CHANNEL_RATE * factor)}r/s"),
        (f"listen 127.0.0.1:{site.site_port}", f"listen 127.0.0.1:{port}"),
        ("nginx.pid", "exhaustion.pid"), ("error_log stderr warn", "error_log stderr crit"),
    ]:
        assert old in text, old
        text = text.replace(old, new)
    (site.folder / "exhaustion.conf").write_text(text)
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    process = subprocess.Popen([program, "-e", "stderr", "-p", site.folder, "-c", site.folder / "exhaustion.conf"])

    def answers():
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    wait_for(answers)
    return process, port


def run(addresses, minutes, factor):
    site, nginx = DemoSite(), None
    try:
        site.start()
        nginx, port = own_nginx(site, factor)
        theme = "/_theme/" + next((site.folder / "public/theme").iterdir()).name
        pids = {"siteauth": site.pid("siteauth"), "nginx": nginx.pid}
        print(f"\n{addresses} address{'es' if addresses > 1 else ''}, limits times {factor:g}")
        print(f"   0.0 min: {measure(site, pids)}", flush=True)
        done, counts = threading.Event(), [collections.Counter() for _ in range(addresses)]
        threads = [
            threading.Thread(target=stranger, args=(f"127.9.0.{number + 1}", port, theme, factor, done, counts[number]))
            for number in range(addresses)
        ]
        start = time.monotonic()
        for thread in threads:
            thread.start()
        for step in range(10):
            time.sleep(max(0, start + (step + 1) * minutes * 6 - time.monotonic()))
            total = sum(sum(count.values()) for count in counts)
            print(f"{(time.monotonic() - start) / 60:6.1f} min: {measure(site, pids)}; {total:,} requests", flush=True)
        done.set()
        for thread in threads:
            thread.join()
        answers = sum(counts, collections.Counter())
        total, calls = sum(answers.values()), sum(n for (kind, _), n in answers.items() if kind == "front channel")
        hours = calls / addresses / 3600 / FRONT_CHANNEL_RATE
        print(f"{total:,} requests, {calls:,} of them front-channel calls: {hours:.2f} hours' worth for each address")
        for kind in sorted({kind for kind, _ in answers}):
            told = ", ".join(f"{status or 'none'}: {n:,}" for (k, status), n in sorted(answers.items()) if k == kind)
            print(f"    {kind:30}{told}")
    finally:
        if nginx:
            nginx.terminate()
            nginx.wait()
        site.close()


def main():
    parser = argparse.ArgumentParser(description="What a stranger's hour leaves behind.")
    parser.add_argument("--minutes", type=float, default=10, help="for each number of addresses")
    parser.add_argument("--hours", type=float, help="of requests to send in that time; as many as it is by default")
    parser.add_argument("--addresses", type=int, nargs="+", default=[1, 64])
    arguments = parser.parse_args()
    factor = (arguments.hours or arguments.minutes / 60) * 60 / arguments.minutes
    for addresses in arguments.addresses:
        run(addresses, arguments.minutes, factor)


if __name__ == "__main__":
    main()
