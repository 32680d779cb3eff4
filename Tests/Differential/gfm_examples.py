"""Runs every example of a specification's text through `sitegen markdown`.

    python Tests/Differential/gfm_examples.py

The text shows most examples without extensions, so one that differs from it passes when cmark-gfm
with all extensions gives the same as we do: those are listed. `tagfilter` examples and disabled
ones are told apart and do not count. The exit status is 1 when an example fails.
"""

import argparse
import sys
from pathlib import Path

import batch
from batch import ORACLE, Program
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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("specification", type=Path, nargs="?", default=EXAMPLES)
    parser.add_argument("--program", default=batch.SITEGEN, help="sitegen, or a command line")
    options = parser.parse_args()
    examples = read_examples(options.specification)
    markdowns = [example.markdown or "\n" for example in examples]
    theirs = [normalised(html) for html in Program(ORACLE).html(markdowns)]
    ours = [normalised(html) for html in Program.named(options.program).html(markdowns)]

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
    print(f"{len(examples)} examples of {options.specification}")
    for result, numbers in sorted(found.items()):
        which = "" if result == "passes" else ": " + " ".join(numbers)
        print(f"{len(numbers):5} {result}{which}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
