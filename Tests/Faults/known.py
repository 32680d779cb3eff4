"""Findings whose cause is known; a machine counts them, and does not fail for them.

Remove a line here when its cause is gone: then the machine guards that it stays so.
"""

import re

KNOWN = {
    r"fopen /proc/self/maps":
        "Swift's runtime reads the command line from there; without it a program believes that it has no arguments",
    r"open /proc/\d+/stat\).*SIGILL":
        "libdispatch traps if it cannot read the state of one of its threads",
    r"descriptors: [456] for .*SIGILL":
        "libdispatch traps without a descriptor for its epoll",
    r"leaves \['\.scratch-[^,]*\]":
        "a scratch file that could not be unlinked, or whose build was killed before that, stays in the output folder",
}


def reason(finding):
    """Why a finding is known, or `None`."""
    return next((why for pattern, why in KNOWN.items() if re.search(pattern, finding)), None)
