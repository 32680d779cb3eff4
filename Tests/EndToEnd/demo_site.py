"""The demo as `make demo` runs it, on free ports and in a folder that is gone afterwards."""

import contextlib
import http.server
import os
import pathlib
import random
import re
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

import requests

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The programs under test; with BIN_FOLDER, those of a debug build.
BIN = pathlib.Path(os.environ.get("BIN_FOLDER", ROOT / ".build/release")).absolute()
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
NAVIGATE = {"Sec-Fetch-Mode": "navigate"}
TENANT = "11111111-aaaa-4000-8000-000000000001"
CLIENT = "22222222-bbbb-4000-8000-000000000002"
CLIENT_SECRET = "emulated~secret.is-no-secret_at-all"
ALICE = "a11ce000-0000-4000-8000-00000000000a"
BOB = "b0b00000-0000-4000-8000-00000000000b"
# siteauth refuses a secret that anybody can read somewhere.
COOKIE_SECRET = secrets.token_urlsafe(32)


# Whoever holds the abstract socket that is named after a port has that port until the process ends.
claims = []


def free_port():
    """A port where nobody listens, given to this process alone of all that test on this machine.

    It is below those that the kernel takes for outgoing connections.
    """
    for port in random.sample(range(20_000, 32_000), 1000):
        claim = socket.socket(socket.AF_UNIX)
        try:
            claim.bind(f"\0end-to-end-port-{port}")
            with socket.socket() as probe:
                probe.bind(("", port))
        except OSError:
            claim.close()
            continue
        claims.append(claim)
        return port
    raise AssertionError("no port is free")


@contextlib.contextmanager
def answering(handler, kind=http.server.ThreadingHTTPServer):
    """A server in this process whose requests the handler answers; yields its port."""
    with kind(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()


def is_listening(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class DemoSite:
    def __init__(self, **environment):
        # A short path: a Unix socket's has 107 bytes at most.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="demo-", dir="/tmp"))
        self.site_port, self.entra_port, self.admin_port = free_port(), free_port(), free_port()
        self.url = f"http://localhost:{self.site_port}"
        self.entra = f"http://localhost:{self.entra_port}"
        self.admin = f"http://localhost:{self.admin_port}"
        self.environment = environment
        self.process = None

    def start(self):
        ports = {"SITE_PORT": self.site_port, "ENTRA_PORT": self.entra_port, "ADMIN_PORT": self.admin_port}
        settings = {name: str(port) for name, port in ports.items()} | {"RUN_FOLDER": str(self.folder)}
        self.process = subprocess.Popen(
            ["nginx/demo.sh"], cwd=ROOT, env=os.environ | settings | self.environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, start_new_session=True,
        )
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if "Ctrl-C" in line:
                return self
        raise AssertionError("the demo does not start:\n" + "".join(lines))

    def pid(self, name):
        """The process of one of the three programs, a child of the script."""
        command = ["ps", "-o", "pid=,comm=", "--ppid", str(self.process.pid)]
        children = subprocess.run(command, capture_output=True, text=True).stdout
        return next(int(line.split()[0]) for line in children.splitlines() if name[:15] in line)

    def interrupt(self):
        """Ctrl-C; returns the exit code and what was printed since the start."""
        self.process.send_signal(signal.SIGINT)
        output = self.process.communicate(timeout=60)[0]
        return self.process.returncode, output

    def log(self, name):
        return (self.folder / f"{name}.log").read_text()

    def close(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(timeout=60)
        if self.process:
            self.process.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def is_running(number):
    """A process that has ended may still wait for its parent, and is not."""
    try:
        return pathlib.Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def order(site, path, **values):
    """Tells the emulator of a site something at its page for administrators."""
    answer = requests.post(f"{site.admin}/{path}", json=values, timeout=60)
    assert answer.status_code == 200, answer.text
    return answer.json()


def write(folder, files):
    """Writes texts by path, and the folders above them."""
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def texts(path):
    """The texts of one file by their names, which stand above them in lines such as '>>> NAME'."""
    parts = re.split(r"^>>> (.*)\n", path.read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def replaced(text, changes):
    """The text with other words in place of some, each of which is there."""
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, str(new))
    return text


def temporary_paths(folder):
    """Lines for nginx: the folders that it makes at its start."""
    return "".join(f"{name}_temp_path {folder}/t;\n" for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])


def sitegen(folder, *arguments, **options):
    """Runs sitegen in a folder; what it says is text."""
    return subprocess.run(
        [BIN / "sitegen", *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=300, **options
    )


def siteauth(folder, *arguments, **variables):
    """Runs siteauth in a folder, without the variables of this machine."""
    return subprocess.run(
        [BIN / "siteauth", *map(str, arguments)], cwd=folder, env={"PATH": os.environ["PATH"]} | variables,
        capture_output=True, text=True, timeout=60,
    )


def browser(site):
    """A session of requests that believes the certificate of the site, if it has one."""
    session = requests.Session()
    session.trust_env, session.verify = False, getattr(site, "authority", True)
    return session


def pick(site, session, account=ALICE, path="/"):
    """Somebody asks for a page of the site and picks an account; the address with which they are sent back."""
    begun = session.get(site.url + path, headers=NAVIGATE, allow_redirects=False)
    picked = session.post(begun.headers["Location"], data={"account": account}, allow_redirects=False)
    return picked.headers["Location"]


def finish(site, session=None, account=ALICE):
    """The session of somebody who has signed in, or has tried to."""
    session = session or browser(site)
    session.get(pick(site, session, account), headers=NAVIGATE, allow_redirects=False)
    return session


def cookies(session):
    return "; ".join(f"{cookie.name}={cookie.value}" for cookie in session.cookies)


def takes_connections(path):
    """Whether a program listens at a socket in the file system; its name is there a moment earlier."""
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect_ex(str(path)) == 0


def wait_for(condition, seconds=60):
    """Long enough for a machine that has much else to do: waiting costs only where it fails."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.02)
