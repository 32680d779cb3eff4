"""The examples of a specification's text: spec.txt of CommonMark or GitHub Flavored Markdown."""

import re
from dataclasses import dataclass
from pathlib import Path

FENCE = "`" * 32
EXAMPLE = re.compile(
    rf"^{FENCE} example(?P<extensions>[^\n]*)\n(?P<markdown>.*?)^\.\n(?P<html>.*?)^{FENCE}$",
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
    return [
        Example(
            number,
            text.count("\n", 0, match.start()) + 1,
            tuple(match["extensions"].split()),
            match["markdown"].replace("→", "\t"),
            match["html"].replace("→", "\t"),
        )
        for number, match in enumerate(EXAMPLE.finditer(text), start=1)
    ]
