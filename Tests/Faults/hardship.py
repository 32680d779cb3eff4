"""What was tried of a hardship, and what went wrong; places to try it."""

import contextlib
import random
import shutil
import subprocess
import time

import known
from control_file import scratch


class Hardship:
    """What was tried, and what went wrong."""

    def __init__(self, name, options, show):
        self.name, self.show = name, show
        self.runs, self.findings, self.known, self.skipped = 0, [], 0, ""
        self.chance = random.Random(options.seed)
        self.deadline = time.monotonic() + options.seconds

    def goes_on(self):
        return time.monotonic() < self.deadline

    def add(self, what, problems):
        for problem in problems:
            finding = f"hardships.py {self.name}: {what}: {problem}"
            if known.reason(finding):
                self.known += 1
                continue
            self.findings.append(finding)
            self.show(f"finding: {finding}")

    def summary(self):
        return self.skipped or f"{self.name}: {self.runs} runs, {len(self.findings)} findings, {self.known} known"


@contextlib.contextmanager
def mounted(folder, options):
    """A file system of its own; `None` where that is not allowed."""
    folder.mkdir(exist_ok=True)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True)
    try:
        yield folder if done.returncode == 0 else None
    finally:
        if done.returncode == 0:
            subprocess.run(["umount", "-l", folder], check=True)


@contextlib.contextmanager
def workplace():
    folder = scratch("hardships")
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
