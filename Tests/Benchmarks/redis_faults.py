"""How soon readers meet a fault of Redis, and how soon it is over for them.

One machine, one reader who asks all the time; seconds from the fault until the first page is refused, the
longest answer, and seconds from the repair until the first page. Nothing passes or fails.

    .venv/bin/python Tests/Benchmarks/redis_faults.py
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "EndToEnd"))

from demo_site import DemoSite, wait_for  # noqa: E402
from own_service import OwnService  # noqa: E402
from redis_server import PASSWORD, RedisServer  # noqa: E402
from tls_front import make_certificate  # noqa: E402

ROUNDS = 5


class Reader(threading.Thread):
    """Notes when each answer came, how long it took, and its status."""

    def __init__(self, own):
        super().__init__(daemon=True)
        self.own, self.answers, self.is_done = own, [], False
        self.session = own.sign_in()[0]
        self.start()

    def run(self):
        while not self.is_done:
            start = time.monotonic()
            status = self.own.status(self.session)
            now = time.monotonic()
            self.answers.append((now, now - start, status))
            time.sleep(0.01)

    def first(self, status, since):
        wait_for(lambda: any(at > since and found == status for at, _, found in self.answers))
        return next(at for at, _, found in self.answers if at > since and found == status) - since

    def slowest(self, since):
        return max((duration for at, duration, _ in self.answers if at > since), default=0)


def expired(folder):
    """A certificate in the place of the server's, whose last day was yesterday."""
    request = ["openssl", "x509", "-x509toreq", "-in", "redis.crt", "-signkey", "redis.key", "-copy_extensions", "copy"]
    sign = ["openssl", "x509", "-req", "-CA", "authority.crt", "-CAkey", "authority.key", "-CAcreateserial",
            "-copy_extensions", "copy", "-days", "-1", "-out", "expired.crt"]
    text = subprocess.run(request, cwd=folder, check=True, capture_output=True).stdout
    subprocess.run(sign, cwd=folder, check=True, capture_output=True, input=text)


def main():
    demo = DemoSite()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="faults-", dir="/tmp"))
    make_certificate(folder, "authority", "/CN=An authority", "CA:TRUE")
    make_certificate(folder, "redis", "/CN=localhost", signed_by="authority")
    expired(folder)
    tls = ["--tls-key-file", folder / "redis.key", "--tls-ca-cert-file", folder / "authority.crt", "--tls-auth-clients", "no"]
    good, bad = ([*tls, "--tls-cert-file", folder / f"{name}.crt"] for name in ["redis", "expired"])
    redis, other = RedisServer(folder / "one"), RedisServer(folder / "two")
    own = None
    try:
        demo.start()
        own = OwnService(demo)
        own.takes_sign_ins()
        secure, replica = ([*lines, "--tls-port", str(port)] for lines, port in [(good, redis.port + 1), (good, other.port + 1)])
        redis.start(*secure)
        other.start(*replica)
        other.follow(redis)
        url = "rediss://:{}@localhost:{}/1"
        urls = [url.format(PASSWORD.replace("/", "%2F"), server.port + 1) for server in [redis, other]]
        own.secrets.write_text(
            own.secrets.read_text() + f'redis = ["{urls[0]}", "{urls[1]}"]\nredis_ca_file = "{folder}/authority.crt"\n')
        own.siteauth()
        own.nginx()
        wait_for(lambda: own.status(own.sign_in()[0]) == 200)
        reader = Reader(own)

        def measure(name, damage, repair):
            refused, back, slowest = [], [], 0
            for _ in range(ROUNDS):
                wait_for(lambda: reader.answers and reader.answers[-1][2] == 200)
                start = time.monotonic()
                damage()
                refused.append(reader.first(303, start))
                time.sleep(1.5)
                slowest = max(slowest, reader.slowest(start))
                start = time.monotonic()
                repair()
                back.append(reader.first(200, start))
            print(f"{name:44} refused after {max(refused):.2f} s at most, slowest answer {slowest:.2f} s, "
                  f"back {max(back):.2f} s after the repair", flush=True)

        def swap_certificate(name):
            redis.tell("CONFIG", "SET", "tls-cert-file", str(folder / f"{name}.crt"))
            # Connections that are open go on with the old one.
            redis.tell("CLIENT", "KILL", "TYPE", "normal")

        measure("killed, started again (with its start)", redis.stop, lambda: redis.start(*secure))
        measure("frozen", redis.freeze, redis.thaw)
        measure("its certificate has expired", lambda: swap_certificate("expired"), lambda: swap_certificate("redis"))
        measure("it becomes a replica, and there is no primary", lambda: redis.tell("REPLICAOF", "127.0.0.1", "1"),
                lambda: redis.tell("REPLICAOF", "NO", "ONE"))
        # The other server takes over.
        other.follow(redis)
        start = time.monotonic()
        redis.stop()
        refused = reader.first(303, start)
        start = time.monotonic()
        other.tell("REPLICAOF", "NO", "ONE")
        print(f"{'killed; the replica becomes the primary':44} refused after {refused:.2f} s, "
              f"back {reader.first(200, start):.2f} s after the replica is the primary", flush=True)
        reader.is_done = True
        reader.join()
    finally:
        if own:
            own.close()
        redis.stop()
        other.stop()
        demo.close()
        shutil.rmtree(folder, ignore_errors=True)


main()
