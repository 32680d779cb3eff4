"""The demo as `make demo` runs it, on free ports and in a folder that is gone afterwards."""

import os
import pathlib
import random
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The programs under test; with BIN_FOLDER, those of a debug build.
BIN = pathlib.Path(os.environ.get("BIN_FOLDER", ROOT / ".build/release")).absolute()
TENANT = "11111111-aaaa-4000-8000-000000000001"
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
        self.process = subprocess.Popen(
            ["nginx/demo.sh"],
            cwd=ROOT,
            env=os.environ
            | {
                "SITE_PORT": str(self.site_port),
                "ENTRA_PORT": str(self.entra_port),
                "ADMIN_PORT": str(self.admin_port),
                "RUN_FOLDER": str(self.folder),
            }
            | self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if "Ctrl-C" in line:
                return self
        raise AssertionError("the demo does not start:\n" + "".join(lines))

    def pid(self, name):
        """The process of one of the three programs, a child of the script."""
        children = subprocess.run(
            ["ps", "-o", "pid=,comm=", "--ppid", str(self.process.pid)],
            capture_output=True,
            text=True,
        ).stdout
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


def write(folder, files):
    """Writes texts by path, and the folders above them."""
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def wait_for(condition, seconds=60):
    """Long enough for a machine that has much else to do: waiting costs only where it fails."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.02)
