"""How long an author waits: from saving a page to the event that loads the page anew.

On sites of 1,000 and of 10,000 pages; the median and the slowest of 20 are printed, and the bar for
the median. A missed bar fails nothing.
"""

import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import requests

import builds
import corpus

ROUNDS = 20
# Pages, and milliseconds in the median.
BARS = {1_000: 100, 10_000: 300}


def measure(folder, count):
    site = builds.Site(folder, corpus.Rich(count))
    page = folder / f"site/section-02/page-{2 + count // corpus.FOLDER:05}.md"
    text = page.read_text()
    process = subprocess.Popen(
        [builds.SITEGEN, "serve", "--port", "0"], cwd=folder, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"TMPDIR": str(folder)},
    )
    try:
        url = re.search(r"http://\S+/", process.stderr.readline())[0]
        process.stderr.readline()
        with requests.get(url + "_preview/events", stream=True, timeout=60) as events:
            lines = (line for line in events.iter_lines(chunk_size=1) if line)
            newest = next(lines)
            times = []
            for number in range(ROUNDS):
                time.sleep(0.2)
                draft = page.with_name(".draft")
                draft.write_text(f"{text}\nSaved {number}.\n")
                start = time.monotonic()
                draft.rename(page)
                while (line := next(lines)) == newest:
                    pass
                times.append((time.monotonic() - start) * 1000)
                newest = line
    finally:
        process.terminate()
        process.wait()
    median = statistics.median(times)
    print(f"{len(site.pages):,} pages, from saving one to the event, {ROUNDS} times: median {median:.0f} ms, "
          f"bar {BARS[count]} ms{': missed' if median > BARS[count] else ''}; slowest {max(times):.0f} ms")


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="previews-", dir=sys.argv[1] if len(sys.argv) > 1 else builds.MEMORY))
    try:
        for count in BARS:
            measure(folder / str(count), count)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
