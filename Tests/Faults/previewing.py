"""`sitegen serve`, with one failed system call between its start and the first change that it shows."""

import os
import re
import shutil
import signal
import subprocess

import requests

from building import ending
from demo_site import BIN
from running_siteauth import until
from small_site import Result, SmallSite, page


class Serve:
    program = "sitegen"

    def __init__(self, folder):
        self.site = SmallSite(folder)
        self.temporary = folder / "temporary"
        self.temporary.mkdir()
        self.lines = folder / "lines"
        self.number = 0
        self.browser = requests.Session()
        self.browser.trust_env = False

    def prepare(self):
        shutil.rmtree(self.temporary)
        self.temporary.mkdir()
        self.change()

    def change(self):
        """As most editors save: a new file takes the old one's name."""
        self.number += 1
        self.word = f"change{self.number}x"
        draft = self.site.folder / "site/.draft"
        draft.write_text(page("public", "Home", self.word))
        draft.rename(self.site.folder / "site/index.md")

    def shows(self):
        try:
            return self.word in self.browser.get(self.url, timeout=20).text
        except requests.RequestException:
            return False

    def is_over(self):
        return self.process.poll() is not None

    def run(self, environment):
        with self.lines.open("w") as lines:
            self.process = subprocess.Popen(
                [BIN / "sitegen", "serve", "--port", "0", "--jobs", "1"], cwd=self.site.folder, stderr=lines, stdout=lines,
                env=os.environ | environment | {"TMPDIR": str(self.temporary)})
        found = until(lambda: re.search(r"preview at (http://\S+?)/?;", self.lines.read_text()) or self.is_over(), 10)
        self.url = found[1] if found and found is not True else None
        if self.url and not self.is_over():
            until(lambda: self.shows() or self.is_over(), 5)
            self.change()
            until(lambda: self.shows() or self.is_over(), 5)
        return None

    def check(self, _):
        problems = []
        if not self.is_over() and not self.url:
            problems.append("it neither serves nor ends")
        elif not self.is_over():
            for _ in range(2):
                if not self.shows() and not self.is_over():
                    self.change()
                    until(lambda: self.shows() or self.is_over(), 5)
            if not self.shows():
                problems.append("changes are not shown any more")
        was_over = self.is_over()
        if not was_over:
            self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(timeout=15)
            is_stuck = False
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            is_stuck = True
        result = Result([], self.process.returncode, "", self.lines.read_text())
        result.is_stuck = is_stuck
        problems += ending(result)
        if was_over and result.returncode == 0:
            problems.append(f"it ends as if all were well: {result.stderr[-300:]}")
        if not was_over and (left := os.listdir(self.temporary)):
            problems.append(f"it leaves {left[:3]} in the temporary folder")
        return problems

    def end(self):
        self.browser.close()
        return []


SCENARIOS = {"serve": Serve}
