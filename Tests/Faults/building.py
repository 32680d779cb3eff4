"""Commands of sitegen that change the output folder, each with one failed system call."""

import os
import shutil
import signal

from small_site import RULE, TEXT, SmallSite, has_no_more_readers, tree


def ending(result):
    """What is wrong with how a program ended, whatever it was to do."""
    if result.is_stuck:
        return ["it does not end"]
    if result.returncode < 0:
        return [f"it was ended by {signal.Signals(-result.returncode).name}: {result.stderr[-300:]}"]
    if result.returncode and "error" not in result.stderr:
        return [f"exit status {result.returncode} without a word of why"]
    return []


class Build:
    """A build of a changed site, first or beside a release: the state goes back and forth."""

    program = "sitegen"

    def __init__(self, folder, states=TEXT, is_first=False, is_cold=False):
        self.site = SmallSite(folder, states)
        self.is_first, self.is_cold = is_first, is_cold
        self.state = "old"
        self.again()

    def again(self):
        self.site.clean_up()
        self.site.change(self.state)
        if not self.is_first:
            assert self.site.build().returncode == 0

    def prepare(self):
        if self.is_first:
            self.site.clean_up()
        if self.is_cold:
            shutil.rmtree(self.site.folder / ".sitegen", ignore_errors=True)
        self.target = "new" if self.state == "old" else "old"
        self.site.change(self.target)

    def run(self, environment):
        return self.site.build(environment)

    def check(self, result):
        """What is wrong after the fault."""
        problems = ending(result)
        state, wrong = self.site.current()
        before = "none" if self.is_first else self.state
        if state is None and result.returncode == 0 and "warning" in result.stderr:
            # Without colours or a date, and said so.
            release = tree(self.site.output / os.readlink(self.site.output / "current"))
            if has_no_more_readers(release, self.site.trees[self.target]):
                state = self.target
        if state is None:
            problems.append(wrong)
        elif state not in (before, self.target):
            problems.append(f"current is '{state}'")
        elif (result.returncode == 0) != (state == self.target):
            problems.append(f"exit status {result.returncode}, but current is '{state}'; it was '{before}': {result.stderr[-300:]}")
        return problems + self.check_again()

    def check_again(self):
        """What is wrong after a run without a fault."""
        again = self.run(None)
        state, wrong = self.site.current()
        problems = [f"the next run: exit status {again.returncode}: {again.stderr[-300:]}"] if again.returncode else []
        if state != self.target:
            problems.append(f"the next run: current is '{state}': {wrong}")
        if left := self.site.leftovers():
            problems.append(f"the next run leaves {left[:5]}")
        if problems:
            self.again()
        else:
            self.state = self.target
        return problems

    def end(self):
        """What is left of all the faults after a build that publishes."""
        self.again()
        self.prepare()
        self.run(None)
        return [f"a retired release stays: {name}" for name in os.listdir(self.site.output / "releases") if "removed" in name]


class Rollback(Build):
    """Between two releases; the state says which one is current."""

    def again(self):
        self.site.clean_up()
        for state in ["old", "new"]:
            self.site.change(state)
            assert self.site.build().returncode == 0
        self.state = "new"

    def prepare(self):
        self.target = "new" if self.state == "old" else "old"

    def run(self, environment):
        return self.site.sitegen("releases", "rollback", "1" if self.target == "old" else "2", environment=environment)


class Activate(Build):
    """Activates a release of another folder over an older one."""

    def again(self):
        self.state = "old"
        site = self.site
        elsewhere, self.former = site.folder / "elsewhere", site.folder / "former"
        self.incoming = elsewhere / "current"
        if not elsewhere.exists():
            site.clean_up()
            site.change("old")
            assert site.build().returncode == 0
            shutil.copytree(site.output, self.former, symlinks=True)
            site.change("new")
            assert site.build(arguments=["--output", elsewhere]).returncode == 0
        self.restore()

    def restore(self):
        self.site.clean_up()
        shutil.copytree(self.former, self.site.output, symlinks=True)

    def prepare(self):
        self.restore()
        self.state, self.target = "old", "new"

    def run(self, environment):
        return self.site.sitegen("releases", "activate", self.incoming, environment=environment)


SCENARIOS = {
    "first": lambda folder: Build(folder, is_first=True),
    "cold": lambda folder: Build(folder, is_first=True, is_cold=True),
    "text": Build,
    "rule": lambda folder: Build(folder, RULE),
    "rollback": Rollback,
    "activate": Activate,
}
