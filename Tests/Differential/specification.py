"""The examples of the specification of GitHub Flavored Markdown."""

import re
from dataclasses import dataclass
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "MarkdownTests/gfm-0.29-examples.txt"
EXAMPLE = re.compile(
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


def read_examples() -> list[Example]:
    text = EXAMPLES.read_text(encoding="utf-8")
    return [
        Example(
            number, text.count("\n", 0, match.start()) + 1, tuple(match["extensions"].split()),
            match["markdown"].replace("→", "\t"), match["html"].replace("→", "\t"),
        )
        for number, match in enumerate(EXAMPLE.finditer(text), start=1)
    ]
