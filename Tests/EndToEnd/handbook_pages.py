"""The pages of the handbook as text: their blocks of code, and the entries of their lists and tables."""

import dataclasses
import re

from demo_site import ROOT

HANDBOOK = ROOT / "site/handbook"

FENCE = re.compile(r"^( *)(`{3,})([^`\n]*)$")
CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
# A list entry begins with one name or several, which are bold or followed by a colon.
HEADS = re.compile(r"\s*[-*] ((?=\*\*`|[^:]*`:)(?:\*{0,2}`[^`]+`\*{0,2}(?:, | and | or | / )?)+)")


@dataclasses.dataclass
class Block:
    """A fenced block of code."""

    path: str
    line: int
    language: str
    # The second word behind the backticks: a file that the reader writes.
    name: str
    text: str
    # The paragraph above the block.
    before: str
    headings: tuple

    def __str__(self):
        return f"{self.path}:{self.line}"


@dataclasses.dataclass
class Entry:
    """An entry of a list, or a row of a table, that begins with a name in backticks."""

    names: tuple
    text: str
    line: int
    headings: tuple
    # The paragraph above the list or the table.
    before: str


class Page:
    def __init__(self, path, text=None):
        self.path = str(path.relative_to(ROOT))
        self.text = path.read_text() if text is None else text
        self.blocks, self.prose = [], []
        self._parse()
        # Every name in backticks outside blocks of code.
        self.names = {name for _, line, _ in self.prose for name in CODE.findall(line)}

    def _parse(self):
        headings, paragraph, block, opening = (), [], None, None
        for number, line in enumerate(self.text.splitlines(), 1):
            fence = FENCE.match(line)
            if block is not None:
                if fence and len(fence[2]) >= len(opening[2]) and not fence[3].strip():
                    block.text = "".join(block.text)
                    self.blocks.append(block)
                    block, paragraph = None, []
                else:
                    block.text.append(line.removeprefix(opening[1]) + "\n")
                continue
            if fence:
                words = fence[3].split()
                opening = fence
                block = Block(
                    self.path, number, words[0] if words else "", words[1] if len(words) > 1 else "",
                    [], " ".join(paragraph), headings,
                )
                continue
            heading = re.match(r"(#{1,6}) (.+?)(?: \{#[^}]*\})?$", line)
            if heading:
                headings = headings[: len(heading[1]) - 1] + (heading[2],)
            if line.strip():
                paragraph = paragraph + [line.strip()] if not paragraph or not heading else [line]
            elif paragraph and not self._continues(number):
                paragraph = []
            self.prose.append((number, line, headings))
        assert block is None, f"{self.path}: a block of code has no end"

    def _continues(self, number):
        """Whether the empty line stands between a paragraph and its block of code."""
        lines = self.text.splitlines()
        return number < len(lines) and FENCE.match(lines[number]) is not None

    def entries(self, under=""):
        """The entries of the section with this heading, and of those within it."""
        entries, before = [], ""
        for number, line, headings in self.prose:
            if not re.match(r"\s*([-*] |\||$)", line):
                before = "" if line.startswith("#") else line
            if under and under not in headings:
                continue
            head = HEADS.match(line)
            if head:
                names, text = CODE.findall(head[1]), line[head.end():]
            elif line.lstrip().startswith("|"):
                cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
                names, text = CODE.findall(cells[0]), "|".join(cells[1:])
            else:
                continue
            if names:
                entries.append(Entry(tuple(names), text, number, headings, before))
        return entries

    def heads(self, pattern=r".+", under=""):
        """The names that entries begin with."""
        return {name for entry in self.entries(under) for name in entry.names if re.fullmatch(pattern, name)}


def page(name):
    return Page(HANDBOOK / name)


def all_pages():
    """Every page with commands that somebody may type."""
    paths = sorted(HANDBOOK.rglob("*.md")) + [ROOT / name for name in ("README.md", "CONTRIBUTING.md")]
    return [Page(path) for path in paths if path.exists()]


def rows(text):
    """The cells of a table's rows, without its heading."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines[2:]]
