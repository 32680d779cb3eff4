#!/usr/bin/env python3
"""Records what the programs write, and looks at every state that a power loss could leave.

    power_loss.py                    builds, rollback, activation, and siteauth's sign-out
    power_loss.py text --no-fsync    a build that does not sync: there must be findings
    power_loss.py --random 20        so many random states more at each point
"""

import argparse
import collections
import os
import random
import shutil
import sys

import building
import known
from control_file import clean_up_when_told_to_end, library, scratch
from recorded_changes import Recording, write_mark, write_tree
from running_siteauth import ALICE, Service
from small_site import difference, judge, tree

# What became of names and bytes that were not synced, of all alike; then come random ones.
WHOLE = [("all", "whole"), ("all", "lost"), ("all", "half"), ("all", "zeros"), ("none", "whole"), ("none", "lost")]
DAMAGES = ["whole", "lost", "half", "zeros"]


def states(recording, chance, count):
    """Each crash point with the trees that may be there."""
    for point in range(-1, recording.length):
        for names, damage in WHOLE:
            share = (lambda n: n) if names == "all" else (lambda n: 0)
            yield point, f"{names} names, bytes {damage}", recording.tree(point, share, lambda: damage)
        for number in range(count):
            found = recording.tree(point, lambda n: chance.randint(0, n), lambda: chance.choice(DAMAGES))
            yield point, f"random {number}", found


def release_of(files):
    """The current release and the shared theme of a tree of an output folder."""
    link = files.get("current")
    if link is None:
        return None, {}
    prefix = link[3:].decode() + "/"
    release = {name.removeprefix(prefix): content for name, content in files.items() if name.startswith(prefix) and content is not None}
    theme = {name.removeprefix("theme/"): content for name, content in files.items() if name.startswith("theme/") and content is not None}
    return release, theme


class Findings:
    def __init__(self, name, show):
        self.name, self.show, self.counts, self.states, self.points = name, show, collections.Counter(), 0, 0
        self.known = 0

    def add(self, point, state, problem):
        if known.reason(f"{self.name}: {problem}"):
            self.known += 1
            return
        self.counts[problem] += 1
        if self.counts[problem] <= 3:
            self.show(f"finding: power_loss.py {self.name}: after change {point}, {state}: {problem}")

    @property
    def total(self):
        return sum(self.counts.values())

    def summary(self):
        return f"{self.name}: {self.points} changes and syncs, {self.states} states, {self.total} findings, {self.known} known"


def record(folder, output, log, run):
    """Runs something with the recording library, and checks that the recording is complete."""
    log.unlink(missing_ok=True)
    recording = Recording(output)
    run({"LD_PRELOAD": str(library("recorded_disk")), "RECORDED_FOLDER": str(output), "RECORDED_LOG": str(log)})
    recording.read(log)
    files, _ = recording.tree(recording.length, lambda n: n, lambda: "whole")
    missed = difference({name: content for name, content in files.items() if content is not None}, tree(output))
    assert not missed, f"the recording is not complete: {missed}"
    return recording


def lose_power(name, options, chance, show=print):
    """One command of sitegen, which ends with success."""
    folder = scratch("power-loss")
    findings = Findings(name, show)
    try:
        (folder / "site").mkdir()
        scenario = building.SCENARIOS[name](folder / "site")
        site = scenario.site
        scenario.prepare()
        site.output.mkdir(exist_ok=True)
        if options.no_fsync:
            (site.folder / "sitegen.toml").write_text("fsync = false\n" + (site.folder / "sitegen.toml").read_text())

        def run(environment):
            result = scenario.run(environment)
            assert result.returncode == 0, result.stderr

        recording = record(folder, site.output, folder / "log", run)
        before = "none" if name in ("first", "cold") else scenario.state
        findings.points = recording.length
        for point, state, (files, times) in states(recording, chance, options.random):
            findings.states += 1
            release, theme = release_of(files)
            found, wrong = ("none", "") if release is None else judge(release, theme, site.trees)
            if found is None:
                findings.add(point, state, wrong)
            elif found not in (before, scenario.target):
                findings.add(point, state, f"current is '{found}'")
            elif point == recording.length - 1 and found != scenario.target:
                findings.add(point, state, f"the command has succeeded, but current is '{found}'")
            if options.recover and findings.states % options.recover == 0 and found is not None:
                shutil.rmtree(site.output)
                site.output.mkdir()
                write_tree(files, times, site.output)
                for problem in recovery(scenario):
                    findings.add(point, state, problem)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return findings


def recovery(scenario):
    """What is wrong after the same command in a folder that a power loss has left."""
    result = scenario.run(None)
    if result.returncode:
        return [f"the next run: {result.stderr[-300:]}"]
    found, wrong = scenario.site.current()
    again = [] if found == scenario.target else [f"the next run: current is '{found}': {wrong}"]
    return again + ([f"the next run leaves {left[:4]}"] if (left := scenario.site.leftovers()) else [])


def lose_sign_out(options, chance, show=print):
    """A sign-out that was confirmed is still one after a power loss."""
    folder = scratch("power-loss")
    findings = Findings("sign-out", show)
    service = Service(folder)
    state, log = folder / "state", folder / "log"
    state.mkdir(mode=0o700)
    try:
        cookies = {}

        def run(environment):
            assert service.start(environment=environment)
            cookies["alice"], cookies["gone"] = service.sign_in(ALICE)[0], service.sign_in(ALICE)[0]
            assert service.sign_out(cookies["gone"]).status == 303
            write_mark(log)
            service.stop()

        recording = record(folder, state, log, run)
        findings.points, (promised,) = recording.length, recording.marks
        whole, _ = recording.tree(recording.length, lambda n: n, lambda: "whole")
        names = [name for name in whole if name.startswith("revoked/") and whole[name] is not None]
        assert len(names) == 1
        for point, what, (files, times) in states(recording, chance, options.random):
            findings.states += 1
            if point >= promised and not times.get(names[0]):
                findings.add(point, what, "the session is not ended any more")
            if options.recover and findings.states % (10 * options.recover) == 0:
                shutil.rmtree(state)
                state.mkdir(mode=0o700)
                write_tree(files, times, state)
                os.chmod(state / "provider.json", 0o600) if (state / "provider.json").exists() else None
                if not service.start():
                    findings.add(point, what, f"siteauth does not start: {service.log.read_text()[-300:]}")
                    continue
                readers = [(None, ""), (ALICE, cookies["alice"])] + ([(None, cookies["gone"])] if point >= promised else [])
                for wrong in service.wrongs(readers):
                    findings.add(point, what, wrong)
    finally:
        service.close()
        shutil.rmtree(folder, ignore_errors=True)
    return findings


SCENARIOS = ["first", "text", "rule", "rollback", "activate"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", nargs="*", help=f"of {', '.join(SCENARIOS)}, sign-out")
    parser.add_argument("--random", type=int, default=10, help="random states at each point")
    parser.add_argument("--recover", type=int, default=50, metavar="K", help="after one state of so many, build or serve again")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-fsync", action="store_true", help="builds do not sync")
    options = parser.parse_args()
    clean_up_when_told_to_end()
    total = 0
    for name in options.scenario or [*SCENARIOS, "sign-out"]:
        chance = random.Random(options.seed)
        findings = lose_sign_out(options, chance) if name == "sign-out" else lose_power(name, options, chance)
        print(findings.summary(), flush=True)
        total += findings.total
    sys.exit(total > 0)


if __name__ == "__main__":
    main()
