"""The pages that the benchmarks build: rich ones or simple ones.

A rich page has front matter, five sections of prose with links and lists, and three blocks of code.
No two blocks are alike, the words are as common as words are, a third of the links lead to other
folders, and a fifth of the folders is for groups. A simple page has few words, two tables, and the
block of code that all pages have. A folder has 200 pages.
"""

import os
import random
import subprocess

import code_blocks
from vocabulary import Vocabulary

FOLDER = 200
COMMITS = 200
# What readers of a group may open: each of these folders in ten.
GROUPS = {3: "[hr]", 7: "[hr, board]"}
CONFIGURATION = 'title = "Bench"\n[groups]\nhr = { role = "HR" }\nboard = { role = "Board" }\n'


class Rich:
    def __init__(self, count, vocabulary=None, groups=GROUPS):
        self.count, self.folders = count, max(1, count // FOLDER)
        self.vocabulary = vocabulary or Vocabulary()
        self.groups = groups
        self.chance = random.Random(1)

    def text(self, words):
        return self.vocabulary.text(self.chance, words)

    def target(self, folder):
        """A page to link to: one in three is in another folder, which the readers may open, too."""
        others = [other for other in range(self.folders) if other % 10 not in self.groups or other == folder]
        chosen = self.chance.choice(others) if self.chance.random() < 1 / 3 else folder
        name = f"page-{self.chance.randrange(chosen, self.count, self.folders):05}.md"
        return name if chosen == folder else f"../section-{chosen:02}/{name}"

    def page(self, folder, number):
        text = self.text
        parts = [f"---\ntitle: Page {number}\ndescription: {text(8)}\n---\n"]
        for part in range(5):
            parts.append(f"## Part {part} of {number}\n\n{text(80)} *{text(3)}* [{text(2)}]({self.target(folder)}) {text(60)}\n")
            parts.append("\n".join(f"- {text(12)}" for _ in range(5)) + "\n")
            if part < 3:
                parts.append(code_blocks.block(self.chance, self.vocabulary))
        return "\n".join(parts)

    def write(self, site):
        for folder in range(self.folders):
            path = site / f"section-{folder:02}"
            path.mkdir(parents=True)
            access = f"access: {self.groups[folder % 10]}\n" if folder % 10 in self.groups else ""
            (path / "index.md").write_text(f"---\ntitle: Section {folder}\n{access}---\n")
            for number in range(folder, self.count, self.folders):
                (path / f"page-{number:05}.md").write_text(self.page(folder, number))
        (site / "index.md").write_text("# Home\n")


class Simple(Rich):
    CODE = "```python\ndef total(prices):\n    return sum(price * 1.19 for price in prices)\n\nprint(total([3, 5]))\n```\n"

    def page(self, folder, number):
        text = self.text
        parts = [f"---\ntitle: Page {number}\ndate: 2026-01-{1 + number % 28:02}\ntags: [{text(1)}, {text(1)}]\ndescription: {text(8)}\n---\n"]
        for part in range(5):
            parts.append(f"## {text(4)} {part}\n\n{text(40)} See **{text(1)}**, `{text(1)}()` and [there](https://example.com/{text(1)}).\n\n{text(60)}\n")
            parts.append("\n".join(f"- {text(8)}" for _ in range(5)) + "\n")
            rows = "".join(f"| {text(1)} | {text(1)} | {number * row} |\n" for row in range(4))
            parts.append(self.CODE if part % 2 == 0 else f"| a | b | c |\n|---|---|---|\n{rows}")
        return "\n".join(parts)


class Including(Rich):
    """Half of a page's text and code stands in other files, from which it includes parts."""

    def __init__(self, count):
        super().__init__(count)
        self.parts = [[self.text(150), code_blocks.block(self.chance, self.vocabulary)] for _ in range(100)]
        self.included = 0

    def page(self, folder, number):
        parts = [super().page(folder, number)]
        for part in range(14):
            file, region = self.chance.randrange(len(self.parts)), part % 2
            self.included += len(self.parts[file][region])
            parts.append(("", "- an item\n  ")[part == 4] + f"{{{{#include ../parts/part-{file}.md:part-{region}}}}}\n")
        return "\n".join(parts)

    def write(self, site):
        super().write(site)
        (site / "parts").mkdir()
        for number, part in enumerate(self.parts):
            marked = [f"<!-- ANCHOR: part-{region} -->\n{text}\n<!-- ANCHOR_END: part-{region} -->\n" for region, text in enumerate(part)]
            (site / f"parts/part-{number}.md").write_text("\n".join(marked))


class Dialects(Rich):
    """Pages with keys of other tools, their blocks, and what nobody understands."""

    def page(self, folder, number):
        text, target = self.text, self.target(folder)
        parts = [super().page(folder, number).replace("---\n", "---\nicon: star\nlayout: {width: wide}\ncssclasses: [a]\n", 1)]
        for part in range(5):
            parts += [
                f'!!! tip "{text(3)}"\n    {text(30)}\n\n    - {text(9)}\n', f':::note[{text(3)}]\n{text(30)}\n:::\n',
                f'=== "{text(1)}"\n    {text(20)}\n\n=== "{text(1)}"\n    {text(20)}\n', f'{text(2)}\n: {text(12)}\n',
                f'{{% hint style="info" %}}\n{text(20)}\n{{% endhint %}}\n', f'<Card title="{text(2)}" href="{target}">\n{text(20)}\n</Card>\n',
                f'{text(9)} ==**{text(2)}**== {{{{< unknown a="{text(1)}" >}}}} <Foo bar="{text(1)}">{text(4)}</Foo> :tada: ++ctrl+c++ {{: .a }}\n',
            ]
        return "\n".join(parts)


def simple(count):
    vocabulary = Vocabulary(400)
    vocabulary.words, vocabulary.sums = vocabulary.words[:40], vocabulary.sums[:40]
    return Simple(count, vocabulary, {})


def commit(folder):
    """A history in which each commit adds some of the pages of `folder/site`."""
    environment = os.environ | {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com",
                                "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.com"}

    def git(*arguments, **more):
        subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, env=environment | more)

    git("init", "-q")
    files = sorted(str(file.relative_to(folder)) for file in (folder / "site").rglob("*.md"))
    for number in range(min(COMMITS, len(files))):
        git("add", "-f", *files[number::COMMITS])
        day = f"{2020 + number // 36}-{number // 3 % 12 + 1:02}-{number % 28 + 1:02}T12:00:00Z"
        git("commit", "-qm", f"c{number}", GIT_AUTHOR_DATE=day, GIT_COMMITTER_DATE=day)
    (folder / ".git").rename(folder / ".history")
