"""README names tests; a name that leads nowhere is a promise that nobody keeps."""

import re

from demo_site import ROOT


def rows():
    text = (ROOT / "README.md").read_text()
    table = text[text.index("## Where you come from"):]
    return [line.strip("|").split("|") for line in table.splitlines() if re.match(r"\| [A-Z]{2}-", line)]


def test_every_behaviour_has_its_row():
    named = {name for row in rows() for name in re.findall(r"[A-Z]{2}-\d+", row[0])}
    wanted = {
        f"{kind}-{number}"
        for kind, count in {"ST": 19, "FL": 18, "AC": 10, "OW": 6, "JV": 6, "PY": 11, "GN": 6}.items()
        for number in range(1, count + 1)
    }
    assert named == wanted


def test_every_test_that_is_named_is_there():
    sources = "".join(path.read_text() for path in (ROOT / "Tests").rglob("*.swift"))
    sources += "".join(path.read_text() for path in (ROOT / "Tests/EndToEnd").glob("*.py"))
    without = {"no token, no test", "nothing to show", "no counterpart"}
    for row in rows():
        for name in row[-1].strip().split(" · "):
            if name.startswith("test_"):
                assert f"def {name}(" in sources, name
            elif name not in without:
                assert f"`{name}`" in sources, name
