"""A clean Debian 12 or 13, and machines that boot from it with a systemd of their own.

`debian_root` makes the folder of a release once for all workers and later runs, with the packages of `INSTALLED`. The packages of
`FETCHED` (of `NEEDED` in Debian 13), those that the project's packages need, and what they depend on are in the cache of apt and not installed: a
machine has no network. For the same reason, apt installs no recommended packages there.
"""

import contextlib
import ctypes
import fcntl
import hashlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

import pytest

from demo_site import ROOT, wait_for

INSTALLED = ["systemd", "systemd-sysv"]
NEEDED = ["adduser", "ca-certificates", "curl", "nginx", "openssl"]
FETCHED = [*NEEDED, "certbot", "git", "python3-pygments"]
CLONE_NEWNET = 0x40000000
# What `make deb` has built, which `make test` does first.
PACKAGES = ROOT / ".build/packages"


def the_package(name):
    """The file of one of this project's packages."""
    (found,) = PACKAGES.glob(f"{name}_*.deb")
    return found


def libraries():
    """What the packages of this project depend on."""
    shown = [subprocess.run(["dpkg-deb", "-f", path, "Depends"], capture_output=True, text=True, check=True).stdout
             for path in PACKAGES.glob("*.deb")]
    return {re.match(r"[^ (|]+", name)[0] for text in shown for name in text.strip().split(", ")} - {"systemd"}


def made_once(folder, make):
    """A folder that all workers and later runs share; the first one makes it, and removes those of other names."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            for old in folder.parent.iterdir():
                if old.is_dir():
                    shutil.rmtree(old)
            make(folder.with_suffix(".new"))
            folder.with_suffix(".new").rename(folder)
    return folder


def debian_root(suite):
    """The folder of a clean Debian, `bookworm` or a newer one, which nobody may change."""
    if os.getuid() != 0:
        pytest.skip("only root can start a machine of its own")
    fetched = sorted(libraries() | set(FETCHED if suite == "bookworm" else NEEDED))
    key = hashlib.sha256(repr((INSTALLED, fetched)).encode()).hexdigest()[:12]

    def make(folder):
        hook = (
            """echo 'APT::Install-Recommends "false";' >"$1/etc/apt/apt.conf.d/few" && """
            'chroot "$1" apt-get install --yes --download-only ' + " ".join(fetched)
        )
        log = folder.with_suffix(".log")
        with log.open("w") as output:
            made = subprocess.run(
                ["mmdebstrap", "--variant=minbase", f"--include={','.join(INSTALLED)}", "--skip=cleanup/apt",
                 f"--customize-hook={hook}", suite, folder],
                stdout=output, stderr=subprocess.STDOUT, env=os.environ | {"TMPDIR": str(folder.parent)},
            )
        assert made.returncode == 0, log.read_text()[-3000:]

    return made_once(ROOT / ".build/debian-root" / suite / key, make)


@contextlib.contextmanager
def network_of(process):
    """What this thread connects to or starts meanwhile is in the network of another process."""
    libc = ctypes.CDLL(None, use_errno=True)
    with open("/proc/thread-self/ns/net") as own, open(f"/proc/{process}/ns/net") as other:
        assert libc.setns(other.fileno(), CLONE_NEWNET) == 0, os.strerror(ctypes.get_errno())
        try:
            yield
        finally:
            assert libc.setns(own.fileno(), CLONE_NEWNET) == 0, os.strerror(ctypes.get_errno())


def control_groups():
    """Where systemd looks for its control groups: version 2 alone, or version 1 with or without it."""
    top = pathlib.Path("/sys/fs/cgroup")
    return [folder for folder in (top, top / "systemd", top / "unified") if (folder / "cgroup.procs").exists()]


class Machine:
    """Boots when it is made, and has forgotten everything when it is closed.

    `folders` are folders of this machine by their path on the new one, which can only read them.
    """

    def __init__(self, folders=None, suite="bookworm"):
        root = debian_root(suite)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="machine-", dir="/tmp"))
        self.groups = [group / self.folder.name for group in control_groups()]
        for group in self.groups:
            group.mkdir()
        command = [
            "systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--volatile=overlay", "--private-network",
            "--console=pipe", "--link-journal=no", "--machine=debian", "--directory", root,
            *(f"--bind-ro={folder}:{path}" for path, folder in (folders or {}).items()), "--boot",
        ]
        with (self.folder / "log").open("w") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, preexec_fn=self._join_groups,
            )
        self.leader = None
        try:
            wait_for(self._is_booted)
        except BaseException:
            print((self.folder / "log").read_text())
            self.close()
            raise

    def _join_groups(self):
        for group in self.groups:
            (group / "cgroup.procs").write_text("0")

    def _is_booted(self):
        assert self.process.poll() is None, (self.folder / "log").read_text()
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        # The first process of the machine; before it, nspawn has a child that sets it up.
        self.leader = next((child for child in children if self._is_first(child)), None)
        return self.leader and self.run("systemctl is-system-running", check=False).stdout.strip() in (
            "running", "degraded")

    @staticmethod
    def _is_first(process):
        with contextlib.suppress(OSError):
            return pathlib.Path(f"/proc/{process}/comm").read_text() in ("systemd\n", "init\n")

    def command(self, *words):
        """The command with which a program of the machine is started from here."""
        return [
            "nsenter", f"--target={self.leader}", "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup", "--root",
            "--wd", "env", "-i", "--chdir=/root", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8",
            "DEBIAN_FRONTEND=noninteractive", *words,
        ]

    def run(self, script, check=True):
        """Runs a shell script on the machine, as root."""
        result = subprocess.run(
            self.command("bash", "-euo", "pipefail", "-c", script), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=300,
        )
        assert not check or result.returncode == 0, f"{script}\n{result.stdout}"
        return result

    def write(self, path, text, mode=0o644):
        """Writes a file of root's."""
        self.write_bytes(path, text.encode(), mode)

    def write_bytes(self, path, content, mode=0o644):
        command = self.command("sh", "-c", 'umask 077; cat >"$0" && chmod "$1" "$0"', path, f"{mode:o}")
        subprocess.run(command, input=content, check=True)

    def network(self):
        return network_of(self.leader)

    def close(self):
        if self.leader and self.process.poll() is None:
            # The signal to which systemd halts at once.
            os.kill(int(self.leader), signal.SIGRTMIN + 13)
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for group in self.groups:
            for below in sorted(group.rglob("*"), reverse=True):
                if below.is_dir():
                    below.rmdir()
            deadline = time.monotonic() + 10
            while group.exists() and time.monotonic() < deadline:
                with contextlib.suppress(OSError):
                    group.rmdir()
        shutil.rmtree(self.folder, ignore_errors=True)
