"""Findings whose cause is known; a machine counts them, and does not fail for them.

Remove a line here when its cause is gone: then the machine guards that it stays so.
"""

import re

KNOWN = {
    r"open /proc/\d+/stat\).*SIGILL":
        "libdispatch traps if it cannot read the state of one of its threads",
    r"^cold .*write anon_inode:\[eventfd\]\)":
        "a highlighter's start waits for ever if a write to an eventfd fails, which does not happen by itself",
    r"^cold --call thread .*it does not end":
        "a highlighter's start waits for ever if a thread cannot be had",
    r"^cold .*SIGILL: Subprocess/":
        "swift-subprocess traps if it cannot get the descriptors for a highlighter",
    r"^activate --call write .*exit status 74, but current is 'new'.*'standard output'":
        "what is activated stays so if it cannot be told to standard output",
}


def reason(finding):
    """Why a finding is known, or `None`."""
    return next((why for pattern, why in KNOWN.items() if re.search(pattern, finding)), None)
