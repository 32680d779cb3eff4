"""Documents composed of constructs: blocks that hold blocks, inlines that hold inlines."""

import random
from collections.abc import Callable

import vocabulary as v

FENCES = [("|", "|"), ("|", "|"), ("", ""), ("|", ""), ("", "|"), (" | ", " |")]


class Grammar:
    def __init__(self, source: random.Random) -> None:
        self.random = source
        self.choice, self.chance = source.choice, source.random
        blocks: dict[Callable[[int], str], int] = {
            self.paragraph: 5, self.table: 7, self.items: 4, self.tasks: 3, self.quote: 3,
            self.footnote: 4, self.definition: 2, self.heading: 2, self.code: 2, self.raw: 1,
            self.rule: 1,
        }  # fmt: skip
        inlines: dict[Callable[[int], str], int] = {
            self.word: 8, self.emphasis: 5, self.strike: 4, self.span: 2, self.link: 3,
            self.reference: 2, self.note: 2, self.address: 5, self.odd: 3,
        }  # fmt: skip
        self.blocks = [block for block, weight in blocks.items() for _ in range(weight)]
        self.inlines = [inline for inline, weight in inlines.items() for _ in range(weight)]

    def document(self) -> str:
        text = self.sequence(self.choice([1, 2, 2, 3]), self.choice([1, 1, 2, 3]))
        if self.chance() < 0.4:
            text += "\n" + self.footnote(1)
        if self.chance() < 0.3:
            text += "\n" + self.definition(1)
        if self.chance() < 0.02:
            text = text.replace("\n", self.choice(["\r\n", "\r"]))
        return text if self.chance() < 0.9 else text.rstrip("\n")

    # Blocks: whole lines, the last with its end.

    def sequence(self, depth: int, count: int) -> str:
        text = ""
        for number in range(count):
            # Without an empty line between them one may interrupt or continue the other.
            if number and self.chance() < 0.6:
                text += "\n"
            text += self.choice(self.blocks)(depth)
        return text

    def inside(self, depth: int) -> str:
        if depth <= 0:
            return self.paragraph(0)
        return self.sequence(depth - 1, self.choice([1, 1, 2]))

    def paragraph(self, _: int) -> str:
        return self.text(2, self.random.randint(1, 6), breaks=True) + "\n"

    def table(self, _: int) -> str:
        columns = self.choice([1, 2, 2, 2, 3])
        fences = self.choice(FENCES)
        lines = [self.row(columns, fences)]
        marks = [self.choice(v.DELIMITERS) for _ in range(columns + (self.chance() < 0.06))]
        if self.chance() < 0.08:
            marks[0] = self.choice(v.BAD_DELIMITERS)
        lines.append(fences[0] + "|".join(marks) + fences[1])
        for _ in range(self.choice([0, 1, 1, 2, 3])):
            lines.append(self.row(max(1, columns + self.choice([0, 0, 0, -1, 1])), fences))
        if self.chance() < 0.3:
            lines.insert(0, self.text(1, 2))
        if self.chance() < 0.1:
            lines = [self.choice([" ", "   ", "    ", "\t"]) + line for line in lines]
        return "\n".join(lines) + "\n"

    def row(self, columns: int, fences: tuple[str, str]) -> str:
        pad = self.choice(["", " ", " ", "\t"])
        cells = [self.text(1, self.choice([0, 1, 1, 2])) for _ in range(columns)]
        return fences[0] + "|".join(pad + cell + pad for cell in cells) + fences[1]

    def indented(self, first: str, text: str, indent: str) -> str:
        lines = text.split("\n")[:-1]
        rest = [indent + line if line and self.chance() < 0.93 else line for line in lines[1:]]
        return "\n".join([first + lines[0], *rest]) + "\n"

    def quote(self, depth: int) -> str:
        mark = self.choice(["> ", "> ", ">", " > "])
        return self.indented(mark, self.inside(depth), mark)

    def items(self, depth: int, checks: bool = False) -> str:
        marker, text = self.choice(v.MARKERS), ""
        for number in range(self.random.randint(1, 3)):
            if number and self.chance() < 0.3:
                text += "\n"
            check = self.choice(v.CHECKS) if checks and self.chance() < 0.85 else ""
            indent = " " * len(marker) if self.chance() < 0.9 else self.choice(["", " ", "\t"])
            text += self.indented(marker + check, self.inside(depth), indent)
        return text

    def tasks(self, depth: int) -> str:
        return self.items(depth, checks=True)

    def footnote(self, depth: int) -> str:
        label = self.choice(v.LABELS[:6] if self.chance() < 0.7 else v.LABELS)
        first = f"[^{label}]:" + self.choice([" ", " ", "", "\t", "     ", "\n"])
        indent = self.choice(["    ", "    ", "\t", "  ", ""])
        return self.indented(first, self.inside(depth), indent)

    def definition(self, _: int) -> str:
        colon = self.choice([": ", ": ", ":", ":\n", ":\n  ", " : "])
        label, destination = self.choice(v.LABELS), self.choice(v.DESTINATIONS)
        tail = self.choice(v.TITLES) + self.choice(["", "", " a"])
        return f"[{label}]{colon}{destination}{tail}\n"

    def heading(self, _: int) -> str:
        if self.chance() < 0.4:
            return self.text(1, 2) + "\n" + self.choice(["===", "---", "-", "=", "--- |"]) + "\n"
        mark = "#" * self.choice([1, 2, 6, 7]) + self.choice([" ", " ", "\t", ""])
        return mark + self.text(1, 2) + self.choice(["", "", " #", " ## ", "#"]) + "\n"

    def code(self, _: int) -> str:
        fence = self.choice(["```", "~~~", "````", "~~"])
        lines = [self.text(1, 2), self.row(2, ("|", "|")), "", "|-|-|"][: self.choice([0, 1, 2, 4])]
        if self.chance() < 0.3:
            return "".join(f"    {line}\n" for line in lines or ["a"])
        end = fence if self.chance() < 0.8 else self.choice(["", "```", "~~~"])
        return "\n".join([fence + self.choice(["", "sh", " a b", "|", "`"]), *lines, end]) + "\n"

    def raw(self, _: int) -> str:
        end = self.choice(["", "</div>\n", "-->\n", "\n"])
        return self.choice(v.RAW_BLOCKS) + "\n" + self.text(1, 2) + "\n" + end

    def rule(self, _: int) -> str:
        return self.choice(["---", "***", "- - -", "___", "--", "|---"]) + "\n"

    # Inlines.

    def text(self, depth: int, count: int, breaks: bool = False) -> str:
        text = ""
        for _ in range(count):
            text += self.choice(self.inlines)(depth)
            step = self.chance()
            if breaks and step < 0.15:
                text += self.choice(["\n", "\n", "\n", "  \n", "\\\n", " \n", "\n  "])
            elif step < 0.75:
                text += " "
        return text.rstrip() if self.chance() < 0.8 else text

    def deeper(self, depth: int) -> str:
        return self.text(depth - 1, self.choice([1, 1, 2, 3])) if depth > 0 else self.word(0)

    def word(self, _: int) -> str:
        return self.choice(v.WORDS)

    def emphasis(self, depth: int) -> str:
        mark = self.choice(["*", "**", "_", "__", "***", "~"])
        end = mark if self.chance() < 0.85 else self.choice(["*", "**", "_", "~~", "*~", ""])
        return mark + self.deeper(depth) + end

    def strike(self, depth: int) -> str:
        mark = self.choice(["~", "~~", "~~", "~~~"])
        end = mark if self.chance() < 0.8 else self.choice(["~", "~~", "~~~", "*", "**", "_"])
        return mark + self.deeper(depth) + end

    def span(self, _: int) -> str:
        mark = self.choice(["`", "`", "``"])
        return mark + self.choice(v.SPANS) + mark

    def link(self, depth: int) -> str:
        opening = self.choice(["[", "[", "[", "!["])
        target = f"]({self.choice(v.DESTINATIONS)}{self.choice(v.TITLES)})"
        return opening + self.deeper(depth) + target

    def reference(self, depth: int) -> str:
        label = self.choice(v.LABELS)
        form = self.choice(v.REFERENCES)
        return form.format(label) if self.chance() < 0.8 else f"[{self.deeper(depth)}][{label}]"

    def note(self, _: int) -> str:
        labels = v.LABELS[:6] if self.chance() < 0.8 else v.LABELS
        return self.choice(v.NOTES).format(self.choice(labels))

    def address(self, _: int) -> str:
        before = self.choice(v.BEFORE_ADDRESS)
        if self.chance() < 0.35:
            return before + self.choice(v.MAILS) + self.choice(v.TAILS)
        address = self.choice(v.SCHEMES) + self.choice(v.HOSTS) + self.choice(v.PATHS)
        return before + address + self.choice(v.TAILS)

    def odd(self, _: int) -> str:
        return self.choice(self.choice([v.ENTITIES, v.ESCAPES, v.TAGS]))
