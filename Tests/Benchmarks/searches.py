"""What search costs: the build, the index, and 30 questions in a browser on a site of 10,000 pages.

The pages are those of corpus.py with other words: 60,000 made-up ones, as common as words are (Zipf),
and as long. nginx serves the release without asking who reads. A missed bar fails nothing.
"""

import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

import builds
import corpus
from vocabulary import Vocabulary

PORT, ROUNDS = 8907, 3


def write(folder, search=True):
    vocabulary = Vocabulary(60_000)
    folder.mkdir()
    (folder / "sitegen.toml").write_text(f'title = "Bench"\naccess = "public"\nsearch = {str(search).lower()}\n')
    corpus.Rich(10_000, vocabulary, {}).write(folder / "site")
    chance = random.Random(3)
    for file in (folder / "site").rglob("page-*.md"):
        file.write_text(re.sub(r"title: Page (\d+)", lambda match: f"title: {vocabulary.text(chance, 3).capitalize()} {match[1]}", file.read_text()))
    return vocabulary


def build(folder, fresh):
    if fresh:
        shutil.rmtree(folder / "public", ignore_errors=True)
    page = folder / "site/section-07/page-00007.md"
    page.write_text(page.read_text() + f"\nchanged {time.monotonic_ns()}\n")
    return builds.run([builds.SITEGEN, "build", "--quiet"], folder)


def measure_builds(sites):
    print(f"{'':28}{'wall s':>8}{'CPU s':>8}{'peak MB':>9}")
    for fresh, name in [(True, "from nothing"), (False, "one page changed")]:
        results = {key: [] for key in sites}
        for _ in range(ROUNDS):
            for key, folder in sites.items():
                results[key].append(build(folder, fresh))
        medians = {key: [statistics.median(column) for column in zip(*values)] for key, values in results.items()}
        for key, (wall, cpu, memory) in medians.items():
            print(f"{name + ', ' + key:28}{wall:8.2f}{cpu:8.2f}{memory:9.0f}")
        if fresh:
            shares = [1 - without / whole for without, whole in zip(*medians.values())]
            print("the search's share: " + "; ".join(
                f"{column} {share:.0%}, bar 33%{': missed' if share > 1 / 3 else ''}"
                for column, share in zip(builds.COLUMNS, shares)))


def questions(vocabulary, titles):
    words = vocabulary.words
    longer = [word for word in words if len(word) > 6]
    yield from (("common", word) for word in words[:5])
    yield from (("rare", word + " ") for word in longer[20_000:20_005])
    yield from (("two words", f"{words[3 + n]} {longer[100 * n + 50]}") for n in range(5))
    yield from (("three words", f"{words[n]} {words[40 + n]} {words[300 + n]}") for n in range(5))
    yield from (("prefix", longer[40 * n][:2 + n % 2]) for n in range(5))
    yield from (("typo", word[:3] + word[4:] + " ") for word in longer[300:303])
    yield from (("title", title) for title in titles[:2])


def serve(folder):
    run = folder / "nginx"
    run.mkdir()
    temporary = "".join(f"{name}_temp_path {run}/{name}; " for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    (run / "nginx.conf").write_text(
        f"master_process off; daemon off; pid {run}/pid; error_log {run}/errors; events {{}}\n"
        f"http {{ include /etc/nginx/mime.types; access_log off; {temporary}\n"
        f"server {{ listen 127.0.0.1:{PORT}; root {folder}/public/current/site;\n"
        f"location / {{ try_files $uri $uri/index.html =404; add_header Cache-Control 'private, no-cache'; }}\n"
        "location = /auth/me { return 401; }\n"
        f"location ^~ /_theme/ {{ alias {folder}/public/theme/; }} }} }}\n")
    return subprocess.Popen(["nginx", "-c", run / "nginx.conf"], stderr=subprocess.DEVNULL)


# From the last key to the list of pages, and to the last snippet; the pause after a key is in it.
ASK = """async (text) => {
    const dialog = document.querySelector("dialog.search"), input = dialog.querySelector("input");
    const start = performance.now();
    let listed, last;
    const watch = new MutationObserver(() => { last = performance.now() - start; listed ??= last; });
    watch.observe(dialog, { childList: true, subtree: true });
    input.value = text;
    input.dispatchEvent(new Event("input"));
    do await new Promise((resolve) => setTimeout(resolve, 300)); while (last === undefined || performance.now() - start < last + 300);
    return [listed, last, dialog.querySelector(".search-status").textContent, dialog.querySelectorAll(".search-snippet mark").length];
}"""


def ask_all(folder, vocabulary):
    titles = [re.search("title: (.+) ", file.read_text())[1].lower() for file in sorted((folder / "site").rglob("page-*.md"))[:2]]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        rows = []
        for kind, text in questions(vocabulary, titles):
            # Each in a browser that knows nothing yet, but for the script.
            context = browser.new_context()
            page = context.new_page()
            page.goto(f"http://localhost:{PORT}/section-01/")
            page.keyboard.press("/")
            page.wait_for_function("typeof SearchIndex === 'function' && searchIndexes")
            page.evaluate("searchIndexes")
            devtools = context.new_cdp_session(page)
            devtools.send("Network.enable")
            wire = []
            devtools.on("Network.loadingFinished", lambda event: wire.append(event["encodedDataLength"]))
            listed, whole, status, marks = page.evaluate(ASK, text)
            page.wait_for_timeout(50)
            rows.append((kind, text, sum(wire), len(wire), listed, whole, status, marks))
            context.close()
        browser.close()
    for kind, text, size, requests, listed, whole, status, marks in rows:
        print(f"{kind:12}{text[:30]:32}{size / 1000:7.1f} KB{requests:4} requests{listed:7.0f} ms{whole:7.0f} ms  {status}, {marks} marks")
    for column, unit, scale, bar in [(2, "KB", 1000, None), (4, "ms to the list", 1, 100), (5, "ms to the last snippet", 1, None)]:
        values = [row[column] / scale for row in rows]
        median = statistics.median(values)
        told = f"; bar {bar}{': missed' if median > bar else ''}" if bar else ""
        print(f"{unit:24}median {median:6.1f}, most {max(values):6.1f}{told}")


def main():
    parent = sys.argv[1] if len(sys.argv) > 1 else ("/dev/shm" if os.access("/dev/shm", os.W_OK) else "/tmp")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="searches-", dir=parent))
    try:
        vocabulary = write(folder / "with")
        shutil.copytree(folder / "with", folder / "without")
        (folder / "without/sitegen.toml").write_text((folder / "with/sitegen.toml").read_text().replace("true", "false"))
        measure_builds({"no search": folder / "without", "search": folder / "with"})
        shutil.rmtree(folder / "without")
        site = folder / "with/public/current/site"
        files = [file for file in (site / "_search").rglob("*") if file.is_file()]
        pages = sum(file.stat().st_size for file in site.rglob("*.html"))
        print(f"index: {sum(file.stat().st_size for file in files) / 1e6:.2f} MB in {len(files)} file(s); pages: {pages / 1e6:.0f} MB")
        script = next((folder / "with/public/theme").glob("search.*.js")).stat().st_size
        print(f"script, when it is wanted: {script / 1000:.1f} KB")
        server = serve(folder / "with")
        try:
            time.sleep(0.5)
            ask_all(folder / "with", vocabulary)
        finally:
            server.terminate()
            server.wait()
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
