"""What may differ between our HTML and cmark-gfm's, and nothing else."""

import re
from collections.abc import Callable

Rule = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]


def task(match: re.Match[str]) -> str:
    checked = re.search(r'\schecked(=""|\s|/|$)', match["attributes"])
    return f"<li><input type=checkbox{' checked' if checked else ''}> "


# Applied in this order to both sides, each to a form that neither side writes by itself.
RULES: list[Rule] = [
    # Headings have ids.
    (re.compile(r'<(h[1-6]) id="[^"]*">'), r"<\1>"),
    # A class says how a cell is aligned: a strict policy allows no style, HTML no `align`.
    (re.compile(r'<(t[hd]) (?:align="|class="align-)(left|center|right)">'), r"<\1 \2>"),
    # Check boxes have a label; the specification's text orders their attributes otherwise.
    (
        re.compile(
            r'<li(?: class="task(?:-list-item)?")?>'
            r'<input(?P<attributes>(?=[^>]* type="checkbox")[^>]* disabled\b[^>]*?) ?/?> ?'
        ),
        task,
    ),
    # A list of tasks may have a class of its own.
    (re.compile(r'<([ou]l) class="(?:tasks|contains-task-list)"'), r"<\1"),
    # Debian's cmark-gfm is older than GitHub's, which says which reference a link leads back to.
    (re.compile(r' data-footnote-backref-idx="[^"]*" aria-label="Back to reference [^"]*"'), ""),
    (re.compile(r' aria-label="Back to content"'), ""),
    # Footnotes' ids may have a prefix.
    (
        re.compile(r'(<sup class="footnote-ref"><a href="#)(?:[\w-]*?-)??(fn-[^"]*" id=")(?:[\w-]*?-)??(fnref-)'),
        r"\1\2\3",
    ),
    (re.compile(r'(<li id=")(?:[\w-]*?-)??(fn-)'), r"\1\2"),
    (re.compile(r'(<a href="#)(?:[\w-]*?-)??(fnref-[^"]*" class="footnote-backref")'), r"\1\2"),
]


def normalised(html: str) -> str:
    for pattern, replacement in RULES:
        html = pattern.sub(replacement, html)
    return html


CJK = "[\u1100-\u11ff\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe10-\ufe6f\uff01-\uffee]"


def without_emphasis(html: str) -> str:
    return re.sub(r"</?(?:em|strong|del)>|</?a[^>]*>|[*_~]", "", html)


def tight(html: str) -> str:
    """Without what tells loose lists from tight ones."""
    return re.sub(r"</?p>|\s", "", html)


Applies = Callable[[str, str, str], bool]


def has(*patterns: str) -> Applies:
    """Whether each of these is in the Markdown."""
    return lambda markdown, theirs, ours: all(re.search(pattern, markdown) for pattern in patterns)


# A name for a difference that stays, and whether a document's is that one:
# (markdown, theirs, ours) after normalising. The handbook (project/markdown-differences.md) gives the reasons.
KNOWN: dict[str, Applies] = {
    "cmark-gfm finds no emphasis beside Chinese, Japanese and Korean punctuation": lambda markdown, theirs, ours: (
        re.search(f"[*~][~]*{CJK}|{CJK}[~]*[*~]", markdown) is not None
        and tight(without_emphasis(theirs)) == tight(without_emphasis(ours))
    ),
    "cmark-gfm looks for '[x]' in the whole line of a task": lambda markdown, theirs, ours: (
        re.search(r"\[ \].*\[[xX]\]", markdown) is not None
        and theirs.replace(" checked", "") == ours.replace(" checked", "")
    ),
    "cmark-gfm finds no task behind another mark": lambda markdown, theirs, ours: (
        re.search(r"(?:[>*+-]|\d[.)]|\]:)[ \t]*(?:[*+-]|\d+[.)])[ \t]+\[[ xX]\]", markdown) is not None
        and theirs.count("checkbox") < ours.count("checkbox")
    ),
    "a definition and a table in one paragraph": lambda markdown, theirs, ours: (
        "]:" in markdown and "<table>" in theirs
    ),
    "a blank line with spaces in a footnote": has(r"\[\^[^\]\s]+\]:", r"(?m)^[ \t]+\r?$"),
    "an address in the label of no footnote": has(r"\[\^[^\]\r\n]*@[^\]\r\n]*\]"),
    "cmark-gfm 0.29 forgets openers for closers of another kind": lambda markdown, theirs, ours: (
        re.search(r"\*\*|__", markdown) is not None
        and re.sub(r"</?(?:em|strong)>|</?a[^>]*>|[*_]", "", theirs)
        == re.sub(r"</?(?:em|strong)>|</?a[^>]*>|[*_]", "", ours)
    ),
    "a table begins in a task's first line": has(r"\[[ xX]\][^\r\n]*(?:\r\n?|\n)[ \t>]*[|:-]"),
    "a footnote with nothing on its first line": has(r"\[\^[^\]\s]+\]:[ \t]*(?:[\r\n]|$)"),
    "in CommonMark 0.30 a tag ends no lazy line, here in a footnote":
        has(r"\[\^[^\]\s]+\]:", r"(?m)^[ \t>]*</?[A-Za-z]"),
    "a definition follows a task's box": has(r"(?s)\[[ xX]\][ \t]+\[.*\]:"),
    "cmark-gfm takes a list with a table in it for a loose one": lambda markdown, theirs, ours: (
        "<li>" in ours and "<table>" in ours and tight(theirs) == tight(ours)
    ),
    "a footnote in a list makes cmark-gfm's list tight or loose": lambda markdown, theirs, ours: (
        re.search(r"\[\^[^\]\s]+\]:", markdown) is not None
        and "<li>" in ours
        and tight(theirs) == tight(ours)
    ),
    "cmark-gfm links an address in an open image": has(r"(?s)!\[.*\].*(?:://|www\.)"),
    "cmark-gfm links an address behind a link in a link": has(r"(?s)\[.*<[^>]*>.*@.*\]"),
    "cmark-gfm doubles the bracket behind an escaped '^'": lambda markdown, theirs, ours: (
        "[\\^" in markdown and theirs.replace("]]", "]") == ours.replace("]]", "]")
    ),
    "a footnote is referred to in an image's text": has(r"(?s)!\[.*\[\^"),
    "a footnote begins in a footnote's first line": has(r"\[\^[^\]]+\]:[ \t>*+\-0-9.)]*\[\^[^\]]+\]:"),
    "a task's box stands alone on its line": has(r"(?m)\[[ xX]\][ \t]+\r?$"),
    "cmark-gfm takes the backslash off '\\|' before a table": lambda markdown, theirs, ours: (
        "\\|" in markdown
        and "<table>" in ours
        and theirs.replace("\\|", "|")
        == ours.replace("%5C%7C", "%7C").replace("\\|", "|")
    ),
    "a footnote's label has a line end": lambda markdown, theirs, ours: (
        re.search(r"\[\^[^\]]*[\r\n]|\[\^[^\r\n]*\[[^\r\n]*[\r\n]", markdown) is not None
        and "[^" in theirs + ours
    ),
}


def known_difference(markdown: str, theirs: str, ours: str) -> str | None:
    for name, applies in KNOWN.items():
        if applies(markdown, theirs, ours):
            return name
    return None
