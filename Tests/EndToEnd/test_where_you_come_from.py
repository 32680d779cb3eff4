"""The handbook's page 'Where you come from' names a test for each behaviour: each name leads to a test."""

import re

from demo_site import ROOT

PAGE = ROOT / "site/handbook/project/where-you-come-from.md"


def rows():
    return [
        line.strip("|").split("|") for line in PAGE.read_text().splitlines() if re.match(r"\| [A-Z]{2}-", line)
    ]


def test_every_behaviour_has_its_row():
    named = [name for row in rows() for name in re.findall(r"[A-Z]{2}-\d+", row[0])]
    wanted = {
        f"{kind}-{number}"
        for kind, count in {"ST": 19, "FL": 18, "AC": 10, "OW": 6, "JV": 6, "PY": 11, "GN": 6}.items()
        for number in range(1, count + 1)
    }
    assert set(named) == wanted
    assert len(named) == len(wanted), "a behaviour has two rows"


def test_every_test_that_is_named_is_there():
    sources = "".join(path.read_text() for path in (ROOT / "Tests").rglob("*.swift"))
    sources += "".join(path.read_text() for path in (ROOT / "Tests/EndToEnd").glob("*.py"))
    without = {"no token, no test", "nothing to show", "no counterpart"}
    for row in rows():
        for name in row[-1].strip().split(" · "):
            if name.startswith("test_"):
                assert f"def {name}(" in sources, name
            elif name not in without:
                assert f"func `{name}`" in sources, name
