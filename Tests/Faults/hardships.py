#!/usr/bin/env python3
"""Machines that die, fill up, forbid, run short and change their clocks.

    hardships.py                             all of them
    hardships.py death disk --seconds 60     some of them, each for so long

`disk` and `forbidden` mount file systems of their own, so they need root.
"""

import argparse
import sys

import death
import limits
import storage
from control_file import clean_up_when_told_to_end
from hardship import Hardship

HARDSHIPS = {
    "death": death.death, "disk": storage.disk, "forbidden": storage.forbidden, "descriptors": limits.descriptors, "clocks": limits.clocks,
}


def endure(name, options, show=print):
    work = Hardship(name, options, show)
    HARDSHIPS[name](work)
    return work


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hardship", nargs="*", help=f"of {', '.join(HARDSHIPS)}")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    clean_up_when_told_to_end()
    findings = 0
    for name in options.hardship or HARDSHIPS:
        work = endure(name, options, lambda line: print(line, flush=True))
        print(work.summary(), flush=True)
        findings += len(work.findings)
    sys.exit(findings > 0)


if __name__ == "__main__":
    main()
