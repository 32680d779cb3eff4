"""The examples of a specification: of its text, spec.txt of CommonMark or GitHub Flavored Markdown,
or of a file in Tests/MarkdownTests that has nothing else."""

import re
from dataclasses import dataclass
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "MarkdownTests/gfm-0.29-examples.txt"
FENCE = "`" * 32
TEXT = re.compile(
    rf"^{FENCE} example(?P<extensions>[^\n]*)\n(?P<markdown>.*?)^\.\n(?P<html>.*?)^{FENCE}$",
    re.MULTILINE | re.DOTALL,
)
ALONE = re.compile(
    r"^<{8} markdown(?P<extensions>[^\n]*)\n(?P<markdown>.*?)^>{8} html\n(?P<html>.*?)(?=^<{8}|\Z)",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Example:
    number: int
    line: int
    extensions: tuple[str, ...]
    markdown: str
    html: str


def read_examples(path: Path) -> list[Example]:
    text = path.read_text(encoding="utf-8")
    pattern = ALONE if text.count("\n<<<<<<<< markdown") else TEXT
    return [
        Example(
            number,
            text.count("\n", 0, match.start()) + 1,
            tuple(match["extensions"].split()),
            match["markdown"].replace("→", "\t"),
            match["html"].replace("→", "\t"),
        )
        for number, match in enumerate(pattern.finditer(text), start=1)
    ]
