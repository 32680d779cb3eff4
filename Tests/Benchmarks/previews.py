"""How long an author waits: from saving a file until the page in the browser has the change.

Four kinds of change are saved in turn to sites of 12, 1,000 and 10,000 pages: the text and the title
of a page, its template, and a style sheet. As a browser does, the program waits for the event, then asks
for the page, and for a style sheet also for that. Medians and the slowest are printed beside the bar for
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

ROUNDS = 10
# Pages, and milliseconds in the median.
BARS = {12: 100, 1_000: 100, 10_000: 200}
ADDRESS = "section-00/page-00000/"


def changes(folder):
    """For each kind of change the file, and its text with a number."""
    page, template = folder / "site/section-00/page-00000.md", folder / "templates/page.html"
    style = folder / "templates/theme/site.css/zz.css"
    source, markup = page.read_text(), template.read_text()
    return {
        "text": (page, lambda number: f"{source}\nSaved {number}.\n"),
        "title": (page, lambda number: source.replace("title: Page 0", f"title: Saved {number}.")),
        "template": (template, lambda number: markup.replace("<article>", f"<article>Saved {number}.")),
        "style sheet": (style, lambda number: f'.saved::after {{ content: "Saved {number}."; }}\n'),
    }


def is_visible(url, kind, number):
    page = requests.get(url + ADDRESS, timeout=60).text
    if kind == "style sheet":
        page = requests.get(url + re.search(r'href="/([^"]+\.css)"', page)[1], timeout=60).text
    return f"Saved {number}." in page


def measure(folder, count):
    site = builds.Site(folder, corpus.Rich(count))
    shutil.copytree(builds.ROOT / "templates", folder / "templates")
    kinds = changes(folder)
    process = subprocess.Popen(
        [builds.SITEGEN, "serve", "--port", "0"], cwd=folder, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"TMPDIR": str(folder)},
    )
    times = {kind: [] for kind in kinds}
    try:
        url = re.search(r"http://\S+/", process.stderr.readline())[0]
        process.stderr.readline()
        with requests.get(url + "_preview/events", stream=True, timeout=60) as events:
            lines = (line for line in events.iter_lines(chunk_size=1) if line)
            next(lines)
            for number in range(ROUNDS * len(kinds)):
                kind = list(kinds)[number % len(kinds)]
                path, text = kinds[kind]
                time.sleep(0.2)
                draft = path.with_name(".draft")
                draft.write_text(text(number))
                start = time.monotonic()
                draft.rename(path)
                next(lines)
                while not is_visible(url, kind, number):
                    if time.monotonic() - start > 10:
                        raise RuntimeError(f"after ten seconds, the {kind} is not in {url}{ADDRESS}")
                times[kind].append((time.monotonic() - start) * 1000)
    finally:
        process.terminate()
        process.wait()
    for kind, waits in times.items():
        median = statistics.median(waits)
        print(f"{len(site.pages):,} pages, {kind}: median {median:.0f} ms, bar {BARS[count]} ms"
              f"{': missed' if median > BARS[count] else ''}; slowest {max(waits):.0f} ms")


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="previews-", dir=sys.argv[1] if len(sys.argv) > 1 else builds.MEMORY))
    try:
        for count in BARS:
            measure(folder / str(count), count)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
