"""How large packs are, and how long packing and activating takes: the handbook, and 10,000 pages.

The server's folder is on the disk of TMPDIR, and each release is synced to it, as on a server.
"""

import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

import corpus
from builds import MEMORY, ROOT, SITEGEN, run

ROUNDS = 3
SITE = "https://docs.example.com"


def sitegen(folder, *words, stdin=None):
    return run([SITEGEN, *words], folder, stdin)


def measure(name, site, page, server):
    """Prints rows: the first pack, and one after a change of one page."""
    release = site / "public/current"
    manifest, pack = site / "manifest", site / "site.pack"
    full, delta = [], []
    for number in range(ROUNDS):
        shutil.rmtree(server, ignore_errors=True)
        for rows, since in [(full, []), (delta, ["--since", manifest])]:
            page.write_text(page.read_text() + f"\nChange {number} of {len(since)}.\n")
            sitegen(site, "build", "--quiet", "--no-fsync")
            seconds = []
            if since:
                start = time.monotonic()
                manifest.write_bytes(
                    subprocess.run([SITEGEN, "releases", "manifest", "-o", server], check=True, capture_output=True).stdout
                )
                seconds.append(time.monotonic() - start)
            seconds.append(sitegen(site, "releases", "pack", *since, "--site", SITE, pack)[0])
            wall, cpu, peak = sitegen(site, "releases", "activate", "--site", SITE, "-o", server, pack)
            rows.append([pack.stat().st_size, seconds[-1], wall, cpu, peak])
            time.sleep(1.1)
    files = [path for path in release.resolve().rglob("*") if path.is_file()]
    text = sum(path.stat().st_size for path in files if path.suffix != ".gz")
    print(f"{name}: {len(files)} files, {text / 1e6:.1f} MB without compressed copies; manifest {manifest.stat().st_size:,} bytes")
    tar = subprocess.run(f"tar -C {release.resolve()} --exclude=*.gz -c . | gzip | wc -c", shell=True, capture_output=True, text=True)
    print(f"  tar | gzip: {int(tar.stdout):,} bytes")
    for what, rows in [("all files", full), ("one page changed", delta)]:
        size, packing, wall, cpu, peak = (statistics.median(column) for column in zip(*rows))
        print(
            f"  {what}: {size:,.0f} bytes; packing {packing:.2f} s;"
            f" activation {wall:.2f} s, {cpu:.2f} s of CPU, {peak:.0f} MB"
        )


def main():
    with tempfile.TemporaryDirectory(dir=MEMORY) as memory, tempfile.TemporaryDirectory() as disk:
        memory, server = pathlib.Path(memory), pathlib.Path(disk) / "public"
        handbook = memory / "handbook"
        shutil.copytree(ROOT / "site", handbook / "site")
        shutil.copy(ROOT / "sitegen.toml", handbook)
        if (ROOT / "templates").exists():
            shutil.copytree(ROOT / "templates", handbook / "templates")
        measure("handbook", handbook, handbook / "site/handbook/how-to/check.md", server)
        large = memory / "large"
        large.mkdir()
        corpus.simple(10_000).write(large / "site")
        (large / "sitegen.toml").write_text(corpus.CONFIGURATION)
        measure("10,000 pages", large, sorted((large / "site").rglob("*.md"))[5000], server)


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    main()
