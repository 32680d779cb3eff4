"""Orders to a program that runs with failing_calls.c: which of its system calls fails, and what time it is."""

import atexit
import contextlib
import functools
import mmap
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
from errno import (
    EACCES, EAGAIN, ECONNABORTED, ECONNREFUSED, ECONNRESET, EINTR, EIO, EMFILE, EMLINK, ENFILE, ENOLCK, ENOMEM, ENOSPC,
    EPERM, EPIPE, EROFS,
)

ROOT_OF_TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT_OF_TESTS / "EndToEnd"))

HALF = -1
# In the order of the library, each with the ways in which it fails.
ERRORS = {
    "read": [EIO, EINTR, HALF], "write": [ENOSPC, EIO, EINTR, HALF],
    "pread": [EIO, EINTR, HALF], "pwrite": [ENOSPC, EIO, EINTR, HALF],
    "open": [EMFILE, EACCES, EIO, EINTR], "rename": [EIO, ENOSPC, EACCES], "link": [EMLINK, EPERM, EIO], "mkdir": [ENOSPC, EACCES],
    "readdir": [EIO], "fsync": [EIO, EINTR], "stat": [EIO, EACCES, ENOMEM], "unlink": [EIO, EACCES], "symlink": [ENOSPC, EIO],
    "ftruncate": [EIO, EINTR], "mmap": [ENOMEM], "accept": [EMFILE, EINTR, ECONNABORTED, ENOMEM],
    "send": [ECONNRESET, EPIPE, EINTR, HALF],
    "recv": [ECONNRESET, EINTR, EAGAIN, HALF], "poll": [EINTR, ENOMEM],
    "connect": [ECONNREFUSED, EINTR, EAGAIN], "socket": [EMFILE, ENFILE],
    "pipe": [EMFILE], "flock": [EINTR, ENOLCK], "utimens": [EPERM, EROFS], "readlink": [EIO, EACCES], "spawn": [EAGAIN, ENOMEM],
    "thread": [EAGAIN],
}
CALLS = list(ERRORS)
LAYOUT = struct.Struct("=qqiiii32q512s")


def error_name(error):
    return "half" if error == HALF else os.strerror(error).lower()


def scratch(prefix):
    """A new folder with a short path; in memory, where syncing the file system waits for nobody else."""
    memory = pathlib.Path("/dev/shm")
    return pathlib.Path(tempfile.mkdtemp(prefix=f"{prefix}-", dir=memory if os.access(memory, os.W_OK) else "/tmp"))


def clean_up_when_told_to_end():
    """SIGTERM ends a run as Ctrl-C does: with its programs and its folders."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


@functools.cache
def library(source):
    """Compiles a library of this folder; it is gone when the test ends."""
    folder = tempfile.mkdtemp(prefix="faults-", dir="/tmp")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    result = pathlib.Path(folder) / f"{source}.so"
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", result, pathlib.Path(__file__).with_name(f"{source}.c"), "-ldl"],
        check=True)
    return result


class Control:
    """One program at a time takes orders from it; `environment` is what that program is started with."""

    def __init__(self, folder, program):
        path = folder / "control"
        path.write_bytes(bytes(LAYOUT.size))
        with path.open("r+b") as file:
            self.memory = mmap.mmap(file.fileno(), LAYOUT.size)
        self.environment = {
            "LD_PRELOAD": str(library("failing_calls")), "FAULTS_CONTROL": str(path), "FAULTS_PROGRAM": program,
            # A trap ends the program at once, without a report that takes seconds.
            "SWIFT_BACKTRACE": "enable=no",
        }

    def _set(self, offset, form, value):
        struct.pack_into(form, self.memory, offset, value)

    def arm(self, call, nth, error):
        """The `nth` call of that name from now on fails, once."""
        self.disarm()
        self._set(0, "=q", nth)
        self._set(20, "=i", error)
        self._set(24, "=i", 0)
        self.memory[-512:] = bytes(512)
        self._set(16, "=i", CALLS.index(call) + 1)

    def disarm(self):
        self._set(16, "=i", 0)

    @contextlib.contextmanager
    def armed(self, call, nth, error):
        self.arm(call, nth, error)
        try:
            yield
        finally:
            self.disarm()

    def set_clock(self, seconds):
        self._set(8, "=q", seconds)

    def hasten(self, factor):
        self._set(28, "=i", factor)

    @property
    def failed(self):
        return struct.unpack_from("=i", self.memory, 24)[0]

    @property
    def what(self):
        """The call that failed, and its file."""
        return self.memory[-512:].split(b"\0")[0].decode(errors="replace")

    def forget_counts(self):
        self.memory[32:32 + 8 * 32] = bytes(8 * 32)

    @property
    def counts(self):
        """How often each call was made since the counts were forgotten."""
        numbers = struct.unpack_from("=32q", self.memory, 32)
        return {call: number for call, number in zip(CALLS, numbers) if number}


def faults(counts, every=1, seed=0, all_errors=True):
    """Each call that was counted, with its number and an error; with `every`, one of so many."""
    number = seed
    for call, count in counts.items():
        for nth in range(1, count + 1):
            for index, error in enumerate(ERRORS[call]):
                number += 1
                if number % every == 0 and (all_errors or (nth + seed) % len(ERRORS[call]) == index):
                    yield call, nth, error
