"""A small site with two states, and what a whole release of each looks like."""

import os
import pathlib
import re
import shutil
import subprocess

from control_file import ROOT_OF_TESTS  # noqa: F401  puts Tests/EndToEnd on the path
from demo_site import BIN, ROOT, write

# A word for each kind of reader; no other page may have it.
WORDS = {"public": "quokka", "signed-in": "wombat", "hr": "numbat", "board": "bilby"}
SETTINGS = """
releases_kept = 3
precompress = true
base_url = "https://docs.example.com"
[groups]
hr = { role = "HR" }
board = { group = "b0a2d000-0000-4000-8000-00000000b0a2" }
"""


def page(access, title, text=""):
    line = {"public": "public\nwidens: true", "signed-in": "signed-in"}.get(access, f"[{access}]")
    return f"---\naccess: {line}\n---\n# {title}\n\nA {WORDS[access]}. {text}\n"


PAGES = {
    "site/index.md": page("public", "Home"),
    "site/team.md": page("signed-in", "Team", "\n\n```python\nx = 1\n```\n\n![a picture](picture.png)\n\n[News](news.md)"),
    "site/hr/index.md": page("hr", "Human resources"),
    "site/hr/pay.md": "# Pay\n\n| a | b |\n|---|---|\n| numbat | 1 |\n",
    "site/board/index.md": page("board", "The board"),
}
# What the two states differ in: a text, or also who may read a page.
TEXT = {
    "old": {"site/news.md": page("signed-in", "News", "Of yesterday."), "site/plan.md": page("signed-in", "Plan")},
    "new": {"site/news.md": page("signed-in", "News", "Of today, and longer."), "site/plan.md": page("signed-in", "Plan")},
}
RULE = {
    "old": {"site/news.md": page("signed-in", "News"), "site/plan.md": page("signed-in", "Plan", "Everybody.")},
    "new": {"site/news.md": page("signed-in", "News"), "site/plan.md": page("hr", "Plan", "Nobody else.")},
}


def bounded(command, **options):
    """What a run came to; `is_stuck` if it had to be ended."""
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    is_stuck = False
    try:
        output, errors = process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        output, errors = process.communicate()
        is_stuck = True
    result = subprocess.CompletedProcess(command, process.returncode, output, errors.decode(errors="replace"))
    result.is_stuck = is_stuck
    return result


def tree(folder):
    """The files of a folder with their bytes; a link has its target."""
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = b"-> " + os.readlink(path).encode()
        elif path.is_file():
            found[name] = path.read_bytes()
    return found


def difference(found, wanted):
    """A few words about how two trees differ."""
    words = [f"missing {name}" for name in wanted.keys() - found.keys()]
    words += [f"additional {name}" for name in found.keys() - wanted.keys()]
    words += [f"other bytes in {name}" for name in found.keys() & wanted.keys() if found[name] != wanted[name]]
    return ", ".join(sorted(words)[:6])


def judge(release, theme, trees):
    """The state of which a release is, by its files and the shared theme; or what is wrong with it."""
    for state, wanted in trees.items():
        if release == wanted:
            for name, content in release.items():
                if name.startswith("theme/") and theme.get(name.removeprefix("theme/")) != content:
                    return None, f"the shared theme lacks {name}"
            return state, ""
    nearest = min((difference(release, wanted) for wanted in trees.values()), key=len, default="")
    return None, f"no whole release: {nearest}"


def has_no_more_readers(release, wanted):
    """Whether the policy is the same, the pages are the same, and no page has a word of other readers."""

    # Some names have a digest of the content.
    def named(files):
        return {re.sub("[0-9a-f]{16}", "#", name): content for name, content in files.items()}

    release, wanted = named(release), named(wanted)
    if release.get("access") != wanted["access"] or release.keys() != wanted.keys():
        return False
    return all(
        word.encode() not in content or word.encode() in wanted[name]
        for name, content in release.items() for word in WORDS.values())


class SmallSite:
    def __init__(self, folder, states=TEXT):
        self.folder, self.states = folder, states
        self.output = folder / "public"
        write(folder, {"sitegen.toml": SETTINGS, **PAGES})
        shutil.copy(ROOT / "site/handbook/page.png", folder / "site/picture.png")
        self.trees = {}
        for state in ["old", "new"]:
            self.change(state)
            clean = folder / f"clean-{state}"
            result = self.sitegen("build", "--output", clean)
            assert result.returncode == 0, result.stderr
            self.trees[state] = tree(clean / "releases/1")
            shutil.rmtree(clean)

    def change(self, state):
        for name, text in self.states[state].items():
            if not (self.folder / name).exists() or (self.folder / name).read_text() != text:
                (self.folder / name).write_text(text)

    def sitegen(self, *arguments, environment=None):
        return bounded([BIN / "sitegen", *arguments], cwd=self.folder, env=os.environ | (environment or {}))

    def build(self, environment=None, arguments=()):
        return self.sitegen("build", "--jobs", "1", *arguments, environment=environment)

    def clean_up(self):
        shutil.rmtree(self.output, ignore_errors=True)

    def current(self):
        """The state of the current release; `none` without one, and `None` with what is wrong."""
        current = self.output / "current"
        if not os.path.lexists(current):
            return "none", ""
        release = self.output / os.readlink(current)
        if not release.is_dir():
            return None, f"current leads to '{os.readlink(current)}', which is not there"
        return judge(tree(release), tree(self.output / "theme"), self.trees)

    def leftovers(self):
        """What no finished build leaves, but for retired releases: the next one that publishes removes them."""
        known = re.compile(r"current|\.lock|theme(/.*)?|releases(/(\.removed-)?[0-9]+(/.*)?)?")
        names = [str(path.relative_to(self.output)) for path in self.output.rglob("*")]
        return [name for name in names if not known.fullmatch(name) or name.startswith("theme/") and name.endswith(".partial")]
