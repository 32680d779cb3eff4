"""How long an author waits: from saving one of 1,000 pages to the event that loads the page anew.

The median and the slowest of 20 are printed. Nothing passes or fails.
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

ROUNDS, PAGES = 20, 1_000


def main():
    parent = sys.argv[1] if len(sys.argv) > 1 else ("/dev/shm" if os.access("/dev/shm", os.W_OK) else "/tmp")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="previews-", dir=parent))
    process = None
    try:
        builds.PAGES = PAGES
        builds.write(folder / "site", "index.md")
        (folder / "site/index.md").write_text("# Home\n")
        (folder / "sitegen.toml").write_text(builds.CONFIGURATION)
        program = pathlib.Path(os.environ.get("BIN_FOLDER", builds.ROOT / ".build/release")) / "sitegen"
        process = subprocess.Popen(
            [program, "serve", "--port", "0"], cwd=folder, stderr=subprocess.PIPE, text=True,
            env=os.environ | {"TMPDIR": str(folder)},
        )
        url = re.search(r"http://\S+/", process.stderr.readline())[0]
        process.stderr.readline()
        with requests.get(url + "_preview/events", stream=True, timeout=60) as events:
            lines = (line for line in events.iter_lines(chunk_size=1) if line)
            newest = next(lines)
            times = []
            page = folder / "site/section-07/page-00507.md"
            text = page.read_text()
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
        print(f"{PAGES:,} pages, from saving one to the event, {ROUNDS} times: "
              f"median {statistics.median(times):.0f} ms, slowest {max(times):.0f} ms")
    finally:
        if process:
            process.terminate()
            process.wait()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
