#!/usr/bin/env python3
"""Makes every system call fail once, in turn, and looks at what the programs leave.

    every_call.py                                       everything
    every_call.py text check --every 10                 some scenarios, one fault in ten
    every_call.py text --call write --nth 3 --error 28  one fault again
"""

import argparse
import collections
import shutil
import sys
import time

from control_file import CALLS, ERRORS, Control, clean_up_when_told_to_end, error_name, faults, scratch

import building
import known
import serving

SCENARIOS = building.SCENARIOS | serving.SCENARIOS


class Sweep:
    """Runs a scenario with each fault; `findings` is what went wrong."""

    def __init__(self, name, scenario, control, show=print):
        self.name, self.scenario, self.control, self.show = name, scenario, control, show
        self.runs, self.missed, self.findings, self.known = collections.Counter(), 0, [], collections.Counter()

    def count(self):
        """The calls of a run without a fault."""
        self.scenario.prepare()
        self.control.forget_counts()
        result = self.scenario.run(self.control.environment)
        counts = self.control.counts
        problems = self.scenario.check(result)
        assert not problems, (self.name, problems)
        return counts

    def run(self, chosen):
        for call, nth, error in chosen:
            self.scenario.prepare()
            with self.control.armed(call, nth, error):
                result = self.scenario.run(self.control.environment)
            if not self.control.failed:
                # The number of calls varies a little.
                self.missed += 1
            self.runs[call] += 1
            what = self.control.what
            for problem in self.scenario.check(result):
                finding = f"{self.name} --call {call} --nth {nth} --error {error} ({error_name(error)}; {what}): {problem}"
                self.add(finding)

    def add(self, finding):
        if why := known.reason(finding):
            self.known[why] += 1
            return
        self.findings.append(finding)
        self.show(f"finding: .venv/bin/python Tests/Faults/every_call.py {finding}")

    def summary(self):
        runs = ", ".join(f"{call} {number}" for call, number in self.runs.items())
        lines = [f"{self.name}: {sum(self.runs.values())} faults ({runs}); {self.missed} did not happen; {len(self.findings)} findings"]
        return "\n".join(lines + [f"    known, {number} times: {why}" for why, number in self.known.items()])


def sweep(name, choose, show=print):
    """Runs one scenario in a folder of its own, with the faults that `choose` picks from the counts."""
    folder = scratch("every-call")
    try:
        site = folder / "site"
        site.mkdir()
        scenario = SCENARIOS[name](site)
        # A program that runs on has its control from its start.
        work = Sweep(name, scenario, getattr(scenario, "control", None) or Control(folder, scenario.program), show)
        try:
            work.run(choose(work.count()))
        finally:
            for problem in scenario.end():
                work.add(f"{name}: {problem}")
        return work
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", nargs="*", help=f"of {', '.join(SCENARIOS)}")
    parser.add_argument("--every", type=int, default=1, metavar="K", help="one fault in so many")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--call", choices=CALLS)
    parser.add_argument("--nth", type=int)
    parser.add_argument("--error", type=int)
    options = parser.parse_args()
    clean_up_when_told_to_end()

    def choose(counts):
        if options.nth:
            return [(options.call, options.nth, options.error or ERRORS[options.call][0])]
        return faults({c: n for c, n in counts.items() if options.call in (None, c)}, options.every, options.seed)

    findings = 0
    for name in options.scenario or SCENARIOS:
        start = time.monotonic()
        work = sweep(name, choose, show=lambda line: print(line, flush=True))
        print(f"{work.summary()}\n    in {time.monotonic() - start:.0f} s", flush=True)
        findings += len(work.findings)
    sys.exit(findings > 0)


if __name__ == "__main__":
    main()
