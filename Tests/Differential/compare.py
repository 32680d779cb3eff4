"""Compares `sitegen markdown` with Debian's cmark-gfm on random documents.

Build sitegen (`make release`), install the package `cmark-gfm`, then for example

    python Tests/Differential/compare.py --count 100000 --seed 1
    python Tests/Differential/compare.py --mode splice

normalise.py has what may differ. Each kind of difference is told with its smallest document; unless all
are known ones, the exit status is 1.
"""

import argparse
import difflib
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

import batch
from batch import ORACLE, SITEGEN, Program
from generate import MODES, documents
from normalise import known_difference, normalised
from shrink import shrink

SHRUNK, SHOWN = 60, 10
# Markdown, their HTML and ours.
Case = tuple[str, str, str]


class Comparison:
    def __init__(self) -> None:
        self.program, self.oracle = Program(SITEGEN), Program(ORACLE)

    def both(self, markdowns: list[str]) -> Iterator[Case]:
        """Each document with their HTML and ours, both normalised."""
        theirs, ours = self.oracle.html(markdowns), self.program.html(markdowns)
        for markdown, their, our in zip(markdowns, theirs, ours, strict=True):
            yield markdown, normalised(their), normalised(our)

    def new(self, markdowns: list[str]) -> list[bool]:
        """Which of the documents differ in a way that is not known."""
        named = self.named(list(self.both(markdowns)))
        return [their != our and name is None for (_, their, our), name in named]

    def named(self, cases: list[Case]) -> Iterator[tuple[Case, str | None]]:
        """Each case with the name of its difference, if that is a known one."""
        names = {case: known_difference(*case) if case[1] != case[2] else None for case in cases}
        open_cases = [case for case in cases if case[1] != case[2] and not names[case]]
        markdowns = [case[0] for case in open_cases]
        if markdowns:
            # Where they differ without any extension, the difference is CommonMark's own.
            theirs = Program([*ORACLE, "--plain"]).html(markdowns)
            ours = Program([*self.program.command, "--commonmark"]).html(markdowns)
            for case, their, our in zip(open_cases, theirs, ours, strict=True):
                if normalised(their) != normalised(our):
                    names[case] = "CommonMark 0.30 (libcmark) and 0.29 (cmark-gfm) differ"
        for case in cases:
            yield case, names[case]


def changes(theirs: str, ours: str, context: int = 99) -> list[str]:
    lines = (theirs.splitlines(), ours.splitlines())
    return list(difflib.unified_diff(*lines, "cmark-gfm", "sitegen", "", "", context, ""))


def kind(theirs: str, ours: str) -> str:
    """The tags in which they differ: differences that look alike are told once."""
    lines = changes(theirs, ours, context=0)[2:]
    return "\n".join(re.sub(r'(?<=>)[^<]+|"[^"]*"', "…", line) for line in lines if line[0] in "+-")


def one_of_each_kind(found: Iterable[Case]) -> list[Case]:
    kinds: dict[str, Case] = {}
    # Short ones first: they say as much, and shrink fast.
    for case in sorted(found, key=lambda case: (len(case[0]), case[0])):
        kinds.setdefault(kind(*case[1:]), case)
    return list(kinds.values())


def progress(done: int, count: int, differing: int, started: float) -> None:
    if sys.stderr.isatty():
        rate = done / (time.monotonic() - started)
        left = (count - done) / rate
        line = f"{done} of {count}, {differing} differ, {rate:.0f} a second, {left:.0f} s left"
        print(f"\r{line:<78}", end="" if done < count else "\n", file=sys.stderr, flush=True)


def report(number: int, markdown: str, theirs: str, ours: str) -> str:
    lines = [markdown.replace("\t", "→"), "─" * 12, *changes(theirs, ours), ""]
    return f"{'═' * 12} {number}: {markdown!r}\n" + "\n".join(lines)


def run(options: argparse.Namespace) -> int:
    comparison = Comparison()
    source = documents(options.mode, options.seed, options.count)
    done, started = 0, time.monotonic()
    known: Counter[str] = Counter()
    differing: list[Case] = []
    while markdowns := list(islice(source, batch.SIZE)):
        for case, name in comparison.named(list(comparison.both(markdowns))):
            if name:
                known[name] += 1
            elif case[1] != case[2]:
                differing.append(case)
        done += len(markdowns)
        progress(done, options.count, len(differing), started)
    seconds = time.monotonic() - started
    print(
        f"{done} documents in {seconds:.0f} s (mode {options.mode}, seed {options.seed}): "
        f"{known.total()} with a known difference, {len(differing)} with another"
    )
    for name, times in known.most_common():
        print(f"{times:8} × {name}")
    cases = one_of_each_kind(differing)[:SHRUNK]
    # To make one smaller that never ends would never end either.
    hanging = [case for case in cases if batch.HANGS in case[1] + case[2]]
    candidates = [case[0] for case in cases if case not in hanging]
    smallest = hanging + one_of_each_kind(comparison.both(shrink(candidates, comparison.new)))
    for number, case in enumerate(smallest, start=1):
        if number <= options.show:
            print(report(number, *case))
    if len(smallest) > options.show:
        print(f"{len(smallest) - options.show} more kinds are not shown")
    return 1 if differing else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mode", choices=MODES, default="mixed")
    parser.add_argument("--show", type=int, default=SHOWN, help="how many are printed")
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
