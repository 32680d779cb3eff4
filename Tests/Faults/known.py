"""Findings whose cause is known; a machine counts them, and does not fail for them.

Remove a line here when its cause is gone: then the machine guards that it stays so.
"""

import re

KNOWN = {
    r"fopen /proc/self/maps":
        "Swift's runtime reads the command line from there; without it a program believes that it has no arguments",
    r"open /proc/\d+/stat\).*SIGILL":
        "libdispatch traps if it cannot read the state of one of its threads",
    r"pread \S+/\.sitegen/cache/highlight\).*(no whole release|next run: current)":
        "code whose answer cannot be read from the cache a second time is published without colours, and stays so",
    r"the next run: .*a release that was built later, or at the same second, was activated before":
        "an activation that died between the release's own name and 'current' makes its pack one that is not newer than all before",
    r"activate: .*the next run leaves \['releases/\.unpublished'\]":
        "an activation of what is current already tidies nothing up; the next build does",
    r"start.* --call thread .*SIGSEGV":
        "a start that fails after the first thread ends by exit(3), which destroys what that thread is using",
    r"^serve .*(open|openat|getdents64) site[/)].*changes are not shown any more":
        "the preview does not watch a folder that it could not list once",
    r"descriptors: [456] for .*SIGILL":
        "libdispatch traps without a descriptor for its epoll",
    r"exit status 74, but current is '\w+'; it was '\w+': sitegen: error: 'standard output'":
        "the release has changed, but the exit status is that of the message about it, which could not be printed",
    r"leaves \['\.(scratch-|cache/index\.)[^,]*'\]":
        "a scratch file or a new index of the cache stays in the output folder if its build could not unlink it or was killed",
}


def reason(finding):
    """Why a finding is known, or `None`."""
    return next((why for pattern, why in KNOWN.items() if re.search(pattern, finding)), None)
