"""Runs a program that renders many documents in one go, NUL between them."""

import os
import subprocess
import sys
from pathlib import Path

SIZE = 2000
SECONDS = 60
FAILS = "THE PROGRAM FAILS: "
HANGS = FAILS + "not done"
FOLDER = Path(__file__).resolve().parent
PROGRAMS = os.environ.get("BIN_FOLDER", f"{FOLDER.parents[1]}/.build/release")
SITEGEN = [f"{PROGRAMS}/sitegen", "markdown", "-z", "--unsafe"]
ORACLE = [sys.executable, str(FOLDER / "oracle.py")]


class Program:
    def __init__(self, command: list[str]) -> None:
        self.command = command

    def html(self, documents: list[str]) -> list[str]:
        """Each document's HTML; what went wrong, for one with which the program fails."""
        found: list[str] = []
        for start in range(0, len(documents), SIZE):
            found += self.batch(documents[start : start + SIZE], SECONDS)
        return found

    def batch(self, documents: list[str], seconds: float) -> list[str]:
        try:
            finished = subprocess.run(
                self.command, input="\0".join(documents).encode(), capture_output=True, timeout=seconds,
                env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
            )
            fragments = finished.stdout.split(b"\0")
            # The last one's NUL may be there or not.
            if len(fragments) == len(documents) + 1 and not fragments[-1]:
                fragments.pop()
            failure = f"status {finished.returncode}, {len(fragments)} fragments for "
            failure += f"{len(documents)} documents\n{finished.stderr.decode(errors='replace')}"
            if finished.returncode == 0 and len(fragments) == len(documents):
                return [fragment.decode(errors="backslashreplace") for fragment in fragments]
        except subprocess.TimeoutExpired:
            failure = f"not done after {seconds} s"
        if len(documents) == 1:
            return [FAILS + failure[:500]]
        middle = len(documents) // 2
        seconds = max(3.0, seconds / 2)
        return self.batch(documents[:middle], seconds) + self.batch(documents[middle:], seconds)
