"""What a process holds: memory, descriptors and threads, and whether that grew beyond noise."""

import dataclasses
import pathlib
import re
import statistics

# Of the means (memory) and medians of the first and the last third. Under load, the descriptors of a moment are
# those of the requests under way, and memory moves by what the allocator keeps of them.
MEGABYTES, DESCRIPTORS, THREADS = 2, 5, 2


@dataclasses.dataclass
class Sample:
    resident: float  # megabytes
    own: float  # of these, what is no page of a file
    descriptors: int
    threads: int

    def __str__(self):
        return f"{self.resident:5.1f} MB ({self.own:4.1f} own)  {self.descriptors:3} descriptors  {self.threads:3} threads"


def sample(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    resident, own, threads = (int(re.search(rf"{name}:\s+(\d+)", status)[1]) for name in ["VmRSS", "RssAnon", "Threads"])
    return Sample(resident / 1024, own / 1024, len(list(pathlib.Path(f"/proc/{pid}/fd").iterdir())), threads)


def growth(samples):
    """A line for each of the three, and whether any of them grew beyond noise."""
    third = len(samples) // 3
    assert third, "too few samples to compare"
    first, last = samples[:third], samples[-third:]
    lines, has_grown = [], False
    for name, unit, average, limit in [
        ("resident", "MB", statistics.fmean, MEGABYTES), ("own", "MB", statistics.fmean, MEGABYTES),
        ("descriptors", "", statistics.median, DESCRIPTORS), ("threads", "", statistics.median, THREADS),
    ]:
        before, after = (average([getattr(one, name) for one in part]) for part in (first, last))
        is_more = after - before > limit
        has_grown = has_grown or is_more
        lines.append(f"{name:12} {before:8.1f} {unit:2} to {after:8.1f} {unit:2}, allowed {limit} more"
                     + (": GREW" if is_more else ""))
    return lines, has_grown
