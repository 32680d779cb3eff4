"""Runs every example of the specification's text through `sitegen markdown`.

The text shows most examples without extensions, so one that differs from it passes when cmark-gfm
with all extensions gives the same as we do: those are listed. `tagfilter` examples and disabled
ones are told apart and do not count. The exit status is 1 when an example fails.
"""

import sys

from batch import ORACLE, SITEGEN, Program
from compare import report
from normalise import normalised
from specification import EXAMPLES, Example, read_examples

APART = {"tagfilter", "disabled"}


def verdict(example: Example, oracle: str, ours: str) -> str:
    if ours == normalised(example.html):
        return "passes"
    if ours == oracle:
        return "differs from the text as cmark-gfm with all extensions does"
    return "fails"


def main() -> int:
    examples = read_examples()
    markdowns = [example.markdown or "\n" for example in examples]
    theirs = [normalised(html) for html in Program(ORACLE).html(markdowns)]
    ours = [normalised(html) for html in Program(SITEGEN).html(markdowns)]

    found: dict[str, list[str]] = {}
    failures = []
    for example, oracle, our in zip(examples, theirs, ours, strict=True):
        result = verdict(example, oracle, our)
        if set(example.extensions) & APART:
            result = f"apart ({' '.join(example.extensions)}): {result}"
        elif result == "fails":
            failures.append((example, our))
        found.setdefault(result, []).append(str(example.number))
    for example, our in failures:
        print(f"Example {example.number}, line {example.line} {' '.join(example.extensions)}")
        print(report(example.number, example.markdown, normalised(example.html), our))
    print(f"{len(examples)} examples of {EXAMPLES}")
    for result, numbers in sorted(found.items()):
        which = "" if result == "passes" else ": " + " ".join(numbers)
        print(f"{len(numbers):5} {result}{which}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
