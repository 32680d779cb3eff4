"""Findings whose cause is known; a machine counts them, and does not fail for them.

Remove a line here when its cause is gone: then the machine guards that it stays so.
"""

import re

KNOWN = {
    r"open /proc/\d+/stat\).*SIGILL":
        "libdispatch traps if it cannot read the state of one of its threads",
    r"descriptors: [456] for .*SIGILL":
        "libdispatch traps without a descriptor for its epoll",
    r"leaves \['\.(scratch-|cache/index\.)[^,]*'\]":
        "a scratch file or a new index of the cache stays in the output folder if its build could not unlink it or was killed",
}


def reason(finding):
    """Why a finding is known, or `None`."""
    return next((why for pattern, why in KNOWN.items() if re.search(pattern, finding)), None)
